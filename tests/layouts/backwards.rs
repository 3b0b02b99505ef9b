//! Layouts of bytes whose copies lie one byte apart, backwards: Open MPI takes that distance for "none given" and writes
//! past the end of the buffer (fault `stride-minus-one`), so that this crate describes them in another way.

use mpi::datatype::Layout;
use mpi::{Communicator, Result};

/// Bytes before and behind those that a layout covers, which nobody may write.
const MARGIN: usize = 4096;
const BLANK: u8 = 0xA5;

/// A layout, and where its elements lie in the order in which they travel, counted by hand.
struct Case {
    name: &'static str,
    layout: Layout<u8>,
    places: Vec<isize>,
}

/// The places of `outer` × `inner` elements.
fn places(outer: usize, inner: usize, place: impl Fn(isize, isize) -> isize) -> Vec<isize> {
    let place = &place;
    (0..outer as isize).flat_map(|i| (0..inner as isize).map(move |j| place(i, j))).collect()
}

/// Each with `n` copies one byte apart, backwards.
fn cases(n: usize) -> Result<Vec<Case>> {
    let (byte, step) = (Layout::<u8>::element(), n as isize);
    let reversed = byte.hvector(n, 1, -1)?;
    let case = |name, layout: Result<Layout<u8>>, places| Ok(Case { name, layout: layout?, places });
    [
        case("plain", byte.hvector(n, 1, -1), places(n, 1, |i, _| -i)),
        case("in extents", byte.vector(n, 1, -1), places(n, 1, |i, _| -i)),
        case("blocks of three", byte.resized(0, n)?.hvector(n, 3, -1), places(n, 3, |i, j| j * step - i)),
        case(
            "rows of columns",
            byte.hvector(3, 1, step)?.hvector(n, 1, -1),
            places(n, 3, |i, j| j * step - i),
        ),
        case(
            "columns that look a byte long",
            byte.hvector(3, 1, step)?.resized(0, 1)?.vector(n, 1, -1),
            places(n, 3, |i, j| j * step - i),
        ),
        case("columns of rows", reversed.hvector(3, 1, step), places(3, n, |i, j| i * step - j)),
        case("rows backwards too", reversed.hvector(3, 1, -step), places(3, n, |i, j| -i * step - j)),
        case("one of one", byte.hvector(1, 1, -1)?.hvector(n, 1, -1), places(n, 1, |i, _| -i)),
        case("resized to a byte", reversed.resized(0, 1)?.contiguous(1), places(n, 1, |i, _| -i)),
        case(
            "resized and strewn",
            reversed.resized(0, 1)?.indexed_block(1, &[2 * step, 0]),
            places(2, n, |i, j| 2 * step * (1 - i) - j),
        ),
    ]
    .into_iter()
    .collect()
}

/// Bytes in which no neighbours and no two ends of a power of two are the same.
fn numbers(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// The slice that a layout needs, between margins; and the origin in it.
fn room(places: &[isize]) -> (usize, usize) {
    let first = places.iter().min().copied().unwrap_or(0).min(0);
    let last = places.iter().max().copied().unwrap_or(0).max(0);
    ((last - first) as usize + 1 + 2 * MARGIN, MARGIN + first.unsigned_abs())
}

fn at(origin: usize, place: isize) -> usize {
    origin.checked_add_signed(place).expect("inside")
}

/// The first byte that is not as it should be.
#[track_caller]
fn same(got: &[u8], wanted: &[u8], what: &str) {
    let wrong = got.iter().zip(wanted).position(|(got, wanted)| got != wanted);
    assert_eq!(wrong.map(|i| (i, got[i], wanted[i])), None, "{what} of {}", wanted.len());
}

/// From the last rank to the first: bytes into the layout, at once and in flight; out of it as bytes; into another.
fn travels(world: &Communicator, case: &Case) -> Result<()> {
    let Case { name, layout, places } = case;
    let (me, from) = (world.rank(), world.size() - 1);
    let (len, origin) = room(places);
    let sent = numbers(places.len());
    let mut wanted = vec![BLANK; len];
    places.iter().zip(&sent).for_each(|(&place, &number)| wanted[at(origin, place)] = number);
    assert_eq!(layout.places(), *places, "{name}");

    world.scope(|s| {
        if me == from {
            s.isend(&sent, 0, 0)?.defer();
            s.isend(&sent, 0, 1)?.defer();
            s.isend(layout.of_at(&wanted, origin)?, 0, 2)?.defer();
            s.isend(layout.of_at(&wanted, origin)?, 0, 3)?.defer();
        }
        if me > 0 {
            return Ok(());
        }
        let mut slice = vec![BLANK; len];
        let status = world.recv_into(&mut layout.of_at_mut(&mut slice, origin)?, from, 0)?.status;
        assert_eq!(status.count::<u8>(), Some(sent.len()), "{name}");
        same(&slice, &wanted, name);

        slice.fill(BLANK);
        world.scope(|s| s.irecv(layout.of_at_mut(&mut slice, origin)?, from, 1)?.wait().map(drop))?;
        same(&slice, &wanted, name);

        same(&world.recv_vec::<u8>(from, 2)?.data, &sent, name);
        slice.fill(BLANK);
        world.recv_into(&mut layout.of_at_mut(&mut slice, origin)?, from, 3)?;
        same(&slice, &wanted, name);
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2])]
fn bytes_one_apart_are_received_backwards(world: Communicator) -> Result<()> {
    for n in [1, 2, 7, 1000, 100_000] {
        cases(n)?.iter().try_for_each(|case| travels(&world, case))?;
    }
    Ok(())
}

/// Numbers within a type above which it is described in several parts.
#[mpi::test(ranks = [1, 2])]
fn bytes_one_apart_with_small_limits(world: Communicator) -> Result<()> {
    for (n, limit) in [(7, 2), (7, 3), (1000, 2), (1000, 30), (100_000, 1000)] {
        for case in cases(n)? {
            travels(&world, &Case { layout: case.layout.described_within(limit)?, ..case })?;
        }
    }
    Ok(())
}

/// A message that ends in the middle leaves the rest, and one that is too long is an error and leaves the neighbours.
#[mpi::test(ranks = [1, 2])]
fn bytes_one_apart_of_another_length(world: Communicator) -> Result<()> {
    let (me, from) = (world.rank(), world.size() - 1);
    for n in [2, 7, 1000, 100_000] {
        for Case { name, layout, places } in cases(n)? {
            let (len, origin) = room(&places);
            let half = places.len() / 2;
            let sent = numbers(places.len() + 1);
            world.scope(|s| {
                if me == from {
                    s.isend(&sent[..half], 0, 0)?.defer();
                    s.isend(&sent, 0, 1)?.defer();
                }
                if me > 0 {
                    return Ok(());
                }
                let (mut slice, mut wanted) = (vec![BLANK; len], vec![BLANK; len]);
                places[..half]
                    .iter()
                    .zip(&sent)
                    .for_each(|(&place, &number)| wanted[at(origin, place)] = number);
                let status = world.recv_into(&mut layout.of_at_mut(&mut slice, origin)?, from, 0)?.status;
                assert_eq!(status.count::<u8>(), Some(half), "{name}");
                same(&slice, &wanted, name);

                let mut laid = layout.of_at_mut(&mut slice, origin)?;
                let result = world.recv_into(&mut laid, from, 1).map(drop);
                // A short message to oneself is cut without an error (fault `short-truncation`).
                assert!(result.is_err() || world.size() == 1, "{name} of {n}");
                places.iter().for_each(|&place| slice[at(origin, place)] = BLANK);
                same(&slice, &vec![BLANK; len], name);
                Ok(())
            })?;
        }
    }
    Ok(())
}
