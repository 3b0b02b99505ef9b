//! Random layouts between ranks, element by element.

use crate::model::Map;
use crate::recipe::{Element, recipes};
use mpi::buffer::{Parts, PartsMut};
use mpi::datatype::Layout;
use mpi::{Communicator, Result};

/// How many layouts are sent; the measures of ten times as many are compared.
const N: usize = 400;

/// What nobody wrote.
const BLANK: Element = 0xdead_beef;

/// A slice that a layout just covers from its origin on, and the origin.
fn room(map: &Map) -> (usize, usize) {
    let (first, last) = map.reach();
    let origin = (-first).max(0) as usize;
    ((origin as i64 + last).max(0) as usize, origin)
}

/// The places of a map in a slice.
fn places(map: &Map, origin: usize) -> impl Iterator<Item = usize> + '_ {
    map.places.iter().map(move |place| (origin as i64 + place) as usize)
}

fn is_disjoint(map: &Map) -> bool {
    let mut places = map.places.clone();
    places.sort_unstable();
    places.windows(2).all(|pair| pair[0] != pair[1])
}

#[test]
fn measures_and_places_are_those_of_the_typemap() {
    let (mut disjoint, mut overlapping) = (0, 0);
    for (recipe, map) in recipes(10 * N) {
        let layout = recipe.layout().unwrap();
        let bytes = size_of::<Element>() as isize;
        let (first, last) = map.reach();
        assert_eq!(layout.len(), map.places.len(), "{recipe:?}");
        assert_eq!(layout.size(), map.places.len() * size_of::<Element>());
        assert_eq!(layout.extent(), (map.lb() as isize * bytes, map.extent() as isize * bytes), "{recipe:?}");
        assert_eq!(
            layout.true_extent(),
            (first as isize * bytes, (last - first) as isize * bytes),
            "{recipe:?}"
        );
        assert!(
            layout.places().iter().map(|&place| place as i64).eq(map.places.iter().copied()),
            "{recipe:?}"
        );

        let (len, origin) = room(&map);
        let mut slice = vec![0; len];
        assert!(layout.of_at(&slice, origin).is_ok(), "{recipe:?}");
        assert_eq!(layout.of_at_mut(&mut slice, origin).is_ok(), is_disjoint(&map), "{recipe:?}");
        *if is_disjoint(&map) { &mut disjoint } else { &mut overlapping } += 1;
        if map.places.is_empty() {
            continue;
        }
        if len > 0 && last > 0 {
            assert!(layout.of_at(&slice[..len - 1], origin).is_err(), "one too short: {recipe:?}");
            assert!(layout.of_at_mut(&mut slice[..len - 1], origin).is_err(), "one too short: {recipe:?}");
        }
        if origin > 0 {
            assert!(layout.of_at(&slice, origin - 1).is_err(), "one before the start: {recipe:?}");
        }
    }
    assert!(disjoint > N && overlapping > N / 4, "{disjoint} {overlapping}: the mix has no sense");
}

/// A layout is sent and arrives as the model says; what it is sent is received into those places, and no other.
fn there_and_back(world: &Communicator, layout: &Layout<Element>, map: &Map) -> Result<()> {
    let (len, origin) = room(map);
    let numbers: Vec<Element> = (0..len as Element).map(|i| i * 3 + 1).collect();
    let sent: Vec<Element> = places(map, origin).map(|place| numbers[place]).collect();
    if world.rank() == 0 {
        world.send(&layout.of_at(&numbers, origin)?, 1, 0)?;
    } else {
        let got = world.recv_vec::<Element>(0, 0)?;
        assert_eq!(got.data, sent);
    }
    if !is_disjoint(map) {
        return Ok(());
    }
    let mut slice = vec![BLANK; len];
    if world.rank() == 1 {
        world.send(&sent, 0, 1)?;
        // From one layout into the same one, in flight.
        return world.scope(|s| {
            let send = s.isend(layout.of_at(&numbers, origin)?, 0, 2)?;
            send.wait().map(drop)
        });
    }
    let status = world.recv_into(&mut layout.of_at_mut(&mut slice, origin)?, 1, 1)?.status;
    assert_eq!(status.count::<Element>(), Some(sent.len()));
    let mut wanted = vec![BLANK; len];
    places(map, origin).for_each(|place| wanted[place] = numbers[place]);
    assert_eq!(slice, wanted);
    slice.fill(BLANK);
    world.scope(|s| {
        let request = s.irecv(layout.of_at_mut(&mut slice, origin)?, 1, 2)?;
        let view = request.wait()?.data;
        assert_eq!(view.into_slice(), wanted);
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn random_layouts_between_ranks(world: Communicator) -> Result<()> {
    for (recipe, map) in recipes(N) {
        there_and_back(&world, &recipe.layout()?, &map)?;
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn random_layouts_with_small_limits(world: Communicator) -> Result<()> {
    for (i, (recipe, map)) in (0..).zip(recipes(N)) {
        there_and_back(&world, &recipe.layout()?.described_within(2 + i % 3)?, &map)?;
    }
    Ok(())
}

/// Elements go where the receiver's layout says, in the order of the sender's.
#[mpi::test(ranks = 2)]
fn one_layout_into_another(world: Communicator) -> Result<()> {
    for (recipe, map) in recipes(N).filter(|(_, map)| is_disjoint(map)) {
        let layout = recipe.layout()?;
        let (len, origin) = room(&map);
        let backwards = Layout::<Element>::element().vector(map.places.len(), 1, -1)?;
        if world.rank() == 0 {
            let numbers: Vec<Element> = (0..map.places.len() as Element).collect();
            world.send(&backwards.of_at(&numbers, map.places.len().saturating_sub(1))?, 1, 0)?;
        } else {
            let mut slice = vec![BLANK; len];
            world.recv_into(&mut layout.of_at_mut(&mut slice, origin)?, 0, 0)?;
            let got: Vec<Element> = places(&map, origin).map(|place| slice[place]).collect();
            assert!(got.into_iter().eq((0..map.places.len() as Element).rev()), "{recipe:?}");
        }
    }
    Ok(())
}

/// A message that is shorter than the layout leaves the rest as it was.
#[mpi::test(ranks = 2)]
fn a_short_message(world: Communicator) -> Result<()> {
    let column = Layout::<Element>::element().vector(5, 1, 3)?;
    if world.rank() == 0 {
        return world.send(&[7 as Element, 8], 1, 0);
    }
    let mut matrix = [BLANK; 15];
    let status = world.recv_into(&mut column.of_mut(&mut matrix)?, 0, 0)?.status;
    assert_eq!(status.count::<Element>(), Some(2));
    assert_eq!((matrix[0], matrix[3], matrix[6]), (7, 8, BLANK));
    assert_eq!(matrix.iter().filter(|&&x| x != BLANK).count(), 2);
    Ok(())
}

/// A square matrix that is dealt out by rows, transposed: what the example `columns` does.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn a_transposed_matrix(world: Communicator) -> Result<()> {
    let (rows, me, ranks) = (3, world.rank(), world.size());
    let cols = rows * ranks;
    let entry = |row: usize, col: usize| (1000 * row + col) as Element;
    let mine: Vec<Element> = (0..rows * cols).map(|i| entry(me * rows + i / cols, i % cols)).collect();
    let column = Layout::<Element>::element().vector(rows, 1, cols as isize)?;
    let columns = column.resized(0, size_of::<Element>())?.contiguous(rows)?;
    let views = (0..ranks).map(|rank| columns.of(&mine[rank * rows..]));
    let send = Parts::of(views.collect::<Result<Vec<_>>>()?)?;
    let mut blocks = vec![BLANK; rows * cols];
    world.alltoallw_into(&send, &mut PartsMut::of(blocks.chunks_mut(rows * rows))?)?;
    for (i, &got) in blocks.iter().enumerate() {
        let (from, row, col) = (i / (rows * rows), i / rows % rows, i % rows);
        assert_eq!(got, entry(from * rows + col, me * rows + row), "{i} of {blocks:?}");
    }
    Ok(())
}
