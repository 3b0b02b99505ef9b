//! Blocks of arrays in three dimensions: which elements a view names, and that the parts of a grid are disjoint and all of it.

use mpi::buffer::{Grid3, Halo3, Strided3, Strided3Mut};
use mpi::{Communicator, ErrorClass, Result};
use proptest::prelude::*;

/// The elements that a view of this shape names, in order.
fn places(offset: usize, dims: [usize; 3], strides: [usize; 2]) -> Vec<usize> {
    let plane = |p: usize| (0..dims[1]).map(move |r| offset + p * strides[0] + r * strides[1]);
    (0..dims[0]).flat_map(plane).flat_map(|start| start..start + dims[2]).collect()
}

/// On which side of the interior an index is: before it, in it, after it.
fn side(at: usize, ghost: usize, n: usize) -> usize {
    usize::from(at >= ghost) + usize::from(at >= ghost + n)
}

fn small() -> impl Strategy<Value = [usize; 3]> {
    prop::array::uniform3(0..5usize)
}

/// Counts a part's number into each of its cells, by all ways to write.
fn mark(mut part: Strided3Mut<'_, u32>, number: u32) {
    let [planes, rows, cols] = part.dims();
    for (p, r) in (0..planes).flat_map(|p| (0..rows).map(move |r| (p, r))) {
        match number % 3 {
            0 => part.row_mut(p, r).iter_mut().for_each(|cell| *cell += number),
            1 => part.plane_mut(p).row_mut(r).iter_mut().for_each(|cell| *cell += number),
            _ => (0..cols).for_each(|c| part[(p, r, c)] += number),
        }
    }
}

proptest! {
    /// Two parts that shared a cell would leave the sum of their numbers, and a cell of none 0.
    #[test]
    fn each_cell_is_in_the_one_part_of_its_sides(core in small(), ghost in prop::array::uniform3(0..4usize)) {
        let mut all = Grid3::new(core, ghost, 0u32).unwrap();
        let parts = all.split_all().into_iter().flatten().flatten();
        parts.zip(1..).for_each(|(part, number)| mark(part, number));
        let mut faces = Grid3::new(core, ghost, 0u32).unwrap();
        let Halo3 { front, back, north, south, west, east, core: inner, .. } = faces.split();
        for (part, number) in [(front, 5), (north, 11), (west, 13), (inner, 14), (east, 15), (south, 17), (back, 23)] {
            mark(part, number);
        }
        prop_assert_eq!((all.core_dims(), all.ghosts()), (core, ghost));
        let [planes, rows, cols] = all.dims();
        prop_assert_eq!([planes, rows, cols], [0, 1, 2].map(|axis| core[axis] + 2 * ghost[axis]));
        for (p, r) in (0..planes).flat_map(|p| (0..rows).map(move |r| (p, r))) {
            prop_assert_eq!(all.row(p, r).len(), cols);
            for c in 0..cols {
                let [i, j, k] = [0, 1, 2].map(|axis| side([p, r, c][axis], ghost[axis], core[axis]));
                let number = (9 * i + 3 * j + k + 1) as u32;
                prop_assert_eq!(all[(p, r, c)], number);
                let diagonal = [i, j, k].iter().filter(|&&side| side != 1).count() > 1;
                prop_assert_eq!(faces[(p, r, c)], if diagonal { 0 } else { number });
            }
        }
    }

    #[test]
    fn a_view_names_what_its_shape_says(
        len in 0..60usize,
        offset in 0..20usize,
        dims in small(),
        strides in prop::array::uniform2(0..20usize),
    ) {
        let mut cells: Vec<usize> = (0..len).collect();
        let named = places(offset, dims, strides);
        // Rows and planes lie one after the other, all of them in the slice.
        let ok = offset <= len && named.last().is_none_or(|&last| last < len) && named.windows(2).all(|w| w[0] < w[1]);
        prop_assert_eq!(Strided3Mut::new(&mut cells, offset, dims, strides).is_ok(), ok);
        let Ok(view) = Strided3::new(&cells, offset, dims, strides) else {
            prop_assert!(!ok);
            return Ok(());
        };
        prop_assert!(ok);
        prop_assert_eq!(view.iter().copied().collect::<Vec<_>>(), &named[..]);
        let by_plane = (0..dims[0]).flat_map(|p| view.plane(p).iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(by_plane.collect::<Vec<_>>(), named);
        // All blocks of it, with those of nothing.
        let ranges = |n: usize| (0..=n).flat_map(move |from| (from..=n).map(move |to| from..to));
        for (planes, rows) in ranges(dims[0]).flat_map(|p| ranges(dims[1]).map(move |r| (p.clone(), r))) {
            for cols in ranges(dims[2]) {
                let block = view.block([planes.clone(), rows.clone(), cols.clone()]);
                prop_assert_eq!(block.dims(), [planes.len(), rows.len(), cols.len()]);
                let first = offset + planes.start * strides[0] + rows.start * strides[1] + cols.start;
                prop_assert_eq!(block.iter().copied().collect::<Vec<_>>(), places(first, block.dims(), strides));
            }
        }
    }
}

#[test]
fn what_overflows_is_refused() {
    const MAX: usize = usize::MAX;
    let mut cells = [0u64; 8];
    for (offset, dims, strides) in [
        (0, [2, 2, 2], [MAX, 2]),
        (0, [2, 2, 2], [4, MAX]),
        (0, [MAX, 1, 1], [MAX, 1]),
        (MAX, [1, 1, 1], [1, 1]),
        (9, [0, 1, 1], [1, 1]),
        (0, [2, 2, 2], [3, 2]),
        (0, [1, 2, 2], [8, 1]),
    ] {
        let error = Strided3::new(&cells, offset, dims, strides).expect_err("does not fit");
        assert_eq!(error.class(), ErrorClass::BUFFER);
        assert!(Strided3Mut::new(&mut cells, offset, dims, strides).is_err());
    }
    assert_eq!(Strided3::new(&cells, 3, [1, 1, 5], [MAX, MAX]).unwrap().iter().count(), 5);
    assert_eq!(Strided3::new(&cells, 8, [MAX, MAX, 0], [MAX, MAX]).unwrap().iter().count(), 0);
    for (core, ghost) in [([MAX, 1, 1], [1; 3]), ([1 << 22; 3], [0; 3]), ([1, 1, 1], [0, MAX / 2 + 1, 0])] {
        assert_eq!(Grid3::new(core, ghost, 0u8).expect_err("too large").class(), ErrorClass::BUFFER);
    }
    assert_eq!(
        Grid3::new([1 << 20, 1 << 20, 1], [0; 3], ()).expect_err("too long").class(),
        ErrorClass::BUFFER
    );
    let mut none = Grid3::new([0, 1 << 30, 1 << 30], [0; 3], 0u8).unwrap();
    assert_eq!(none.split().core.dims(), [0, 1 << 30, 1 << 30]);
}

/// A single plane or row may be said to be any distance from the next.
#[mpi::test(ranks = 1)]
fn strides_of_single_planes(world: Communicator) -> Result<()> {
    let (cells, mut got) = ([1u64, 2, 3, 4, 5, 6], [0u64; 3]);
    for (dims, strides, wanted) in [
        ([1, 1, 3], [usize::MAX, usize::MAX], [2, 3, 4]),
        ([1, 3, 1], [usize::MAX / 2, 2], [2, 4, 6]),
        ([3, 1, 1], [2, usize::MAX / 2], [2, 4, 6]),
    ] {
        world.sendrecv(&Strided3::new(&cells, 1, dims, strides)?, 0, 0, &mut got, 0, 0)?;
        assert_eq!(got, wanted);
    }
    Ok(())
}

/// Each shape of block in blocking calls, beside its elements one by one.
#[mpi::test(ranks = [1, 2])]
fn sent_and_received(world: Communicator) -> Result<()> {
    let (next, previous) =
        ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    let of = |rank: usize| (0..120).map(|i| (1000 * rank + i) as i32).collect::<Vec<i32>>(); // 4 x 5 x 6
    let (mine, theirs) = (of(world.rank()), of(previous));
    for (offset, dims) in [
        (0, [4, 5, 6]),
        (0, [1, 5, 6]),
        (0, [4, 1, 6]),
        (5, [4, 5, 1]),
        (37, [2, 3, 4]),
        (37, [2, 1, 4]),
        (30, [2, 5, 6]),
        (3, [1, 1, 2]),
        (119, [1, 1, 1]),
        (0, [0, 5, 6]),
        (0, [4, 5, 0]),
    ] {
        let named = places(offset, dims, [30, 6]);
        let mut got = vec![0; named.len()];
        world.sendrecv(&Strided3::new(&mine, offset, dims, [30, 6])?, next, 0, &mut got, previous, 0)?;
        assert_eq!(got, named.iter().map(|&at| theirs[at]).collect::<Vec<_>>(), "{dims:?}");

        let (mut array, mut wanted) = (mine.clone(), mine.clone());
        named.iter().zip(1..).for_each(|(&at, number)| wanted[at] = -number);
        let numbers: Vec<i32> = (1..).map(|number: i32| -number).take(named.len()).collect();
        let mut place = Strided3Mut::new(&mut array, offset, dims, [30, 6])?;
        world.sendrecv(&numbers, next, 1, &mut place, previous, 1)?;
        assert_eq!(array, wanted, "{dims:?}");
    }
    Ok(())
}
