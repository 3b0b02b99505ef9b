//! Every kind of buffer, in flight and blocking: views, arrays, vectors, values, uninitialized memory, nothing.

use mpi::buffer::{Grid, Grid3, Grid3Mut, Halo3, Strided, StridedMut};
use mpi::{ErrorClass, Result, wait_all};
use mpi_miri::{class, world};
use std::mem::MaybeUninit;

#[test]
fn values_arrays_slices_and_vectors_in_flight() {
    let world = world();
    let (mut value, mut array, mut vector, mut slice) = (0i128, [[0u16; 3]; 2], vec![0f32; 5], [0i8; 7]);
    let (x, rows, floats) = (-7i128, [[1u16, 2, 3], [4, 5, 6]], vec![0.5f32, 1.5, 2.5, 3.5, 4.5]);
    world
        .scope(|s| {
            let receives = (
                s.irecv(&mut value, 0, 1)?,
                s.irecv(&mut array, 0, 2)?,
                s.irecv(&mut vector, 0, 3)?,
                s.irecv(&mut slice[1..6], 0, 4)?,
            );
            s.isend(&x, 0, 1)?.defer();
            s.isend(&rows, 0, 2)?.defer();
            s.isend(&floats, 0, 3)?.defer();
            s.isend(&[1i8, 2, 3, 4, 5][..], 0, 4)?.defer();
            let (value, array, vector, slice) = wait_all(receives)?;
            assert_eq!((*value.data, value.status.count::<i128>()), (-7, Some(1)));
            assert_eq!((array.status.count::<[u16; 3]>(), array.status.count::<u16>()), (Some(2), Some(6)));
            assert_eq!(vector.data.len(), 5);
            assert_eq!(slice.data, [1, 2, 3, 4, 5]);
            Ok(())
        })
        .unwrap();
    assert_eq!((value, array, vector, slice), (x, rows, floats, [0, 1, 2, 3, 4, 5, 0]));
}

#[test]
fn initialized_prefix_of_uninitialized_memory() {
    let world = world();
    let mut memory = [MaybeUninit::<[u32; 2]>::uninit(); 4];
    world
        .scope(|s| {
            let receive = s.irecv(&mut memory[..], 0, 1)?;
            s.isend(&[[1u32, 2], [3, 4], [5, 6]], 0, 1)?.defer();
            let (arrived, rest) = receive.wait()?.data;
            assert_eq!((&*arrived, rest.len()), (&[[1, 2], [3, 4], [5, 6]][..], 1));
            rest[0].write([7, 8]);
            Ok(())
        })
        .unwrap();

    // Part of a value at the end is no value.
    let mut memory = [MaybeUninit::<u64>::uninit(); 4];
    world.send(&[0xffu8; 12], 0, 2).unwrap();
    let (arrived, rest) = world.recv_into(&mut memory[..], 0, 2).unwrap().data;
    assert!(arrived.len() <= 1 && arrived.len() + rest.len() == 4, "{arrived:?}");

    // From nowhere nothing arrives.
    let (arrived, rest) = world.recv_into(&mut memory[..], None, 2).unwrap().data;
    assert_eq!((arrived.len(), rest.len()), (0, 4));
    world
        .scope(|s| {
            let (arrived, rest) = s.irecv(&mut memory[..], None, 2)?.wait()?.data;
            assert_eq!((arrived.len(), rest.len()), (0, 4));
            Ok(())
        })
        .unwrap();

    // A message that is too long.
    world.send(&[1u64; 5], 0, 3).unwrap();
    assert_eq!(class(world.recv_into(&mut memory[..], 0, 3).map(|_| ())), ErrorClass::TRUNCATE);
}

#[test]
fn strided_views_in_flight() {
    let world = world();
    let matrix: Vec<u64> = (0..24).collect(); // 4 x 6
    let (mut column, mut block) = ([0u64; 4], vec![0u64; 20]); // the second 4 x 5
    world
        .scope(|s| {
            let receive = s.irecv(&mut column, 0, 1)?;
            let view = Strided::new(&matrix, 2, 4, 1, 6)?;
            let sent = s.isend(view, 0, 1)?;
            assert_eq!(matrix[8], 8); // readable while it is sent
            assert_eq!(receive.wait()?.data, &[2, 8, 14, 20]);
            assert_eq!(sent.wait()?.iter().sum::<u64>(), 44);

            // A block received into a block: two views of one slice, one of them exclusive.
            let (top, bottom) = block.split_at_mut(10);
            let into = StridedMut::new(top, 1, 2, 3, 5)?;
            let receive = s.irecv(into, 0, 2)?;
            let below = StridedMut::new(bottom, 0, 2, 2, 5)?.shared();
            s.isend(below, 0, 3)?.defer();
            s.isend(Strided::new(&matrix, 7, 2, 3, 6)?, 0, 2)?.defer();
            let mut back = receive.wait()?.data;
            assert_eq!((back.rows(), back.cols(), back[(1, 2)]), (2, 3, 15));
            back[(0, 0)] = 70;
            back.row_mut(1)[1] += 100;
            let fours = s.keep([9u64; 4]);
            s.irecv(fours, 0, 3)?.defer();
            Ok(())
        })
        .unwrap();
    assert_eq!(block[..10], [0, 70, 8, 9, 0, 0, 13, 114, 15, 0]);
}

#[test]
fn an_exclusive_view_is_lent_for_sending() {
    let world = world();
    let (mut a, mut b) = (vec![1u32, 2, 3, 4, 5, 6], [0u32; 3]);
    let mut column = StridedMut::new(&mut a, 0, 3, 1, 2).unwrap();
    world
        .scope(|s| {
            let receive = s.irecv(&mut b, 0, 1)?;
            let back = s.isend(&mut column, 0, 1)?.wait()?;
            back[(1, 0)] = 30;
            receive.wait()?;
            Ok(())
        })
        .unwrap();
    let mut rest = column.reborrow();
    world.send(&[7u32, 8, 9], 0, 2).unwrap();
    world.recv_into(&mut rest, 0, 2).unwrap().data[(2, 0)] += 1;
    assert_eq!((a, b), (vec![7, 2, 8, 4, 10, 6], [1, 3, 5]));
}

#[test]
fn strided_blocking_calls() {
    let world = world();
    let matrix: Vec<i16> = (0..12).collect(); // 3 x 4
    let column = Strided::new(&matrix, 1, 3, 1, 4).unwrap();
    world.send(&column, 0, 1).unwrap();
    assert_eq!(world.recv_vec::<i16>(0, 1).unwrap().data, [1, 5, 9]);

    let mut target = [0i16; 12];
    let mut view = StridedMut::new(&mut target, 2, 3, 2, 4).unwrap();
    world.sendrecv(&[1i16, 2, 3, 4, 5, 6], 0, 2, &mut view, 0, 2).unwrap();
    world.bcast(&mut view, 0).unwrap();
    assert_eq!(target, [0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6]);

    assert_eq!(world.allgather(&column).unwrap(), [1, 5, 9]);
    assert_eq!(world.gather(&column, 0).unwrap().unwrap(), [1, 5, 9]);
    let mut view = StridedMut::new(&mut target, 0, 3, 1, 4).unwrap();
    world.scatter_into(Some(&[7i16, 8, 9]), &mut view, 0).unwrap();
    assert_eq!(target, [7, 0, 1, 2, 8, 0, 3, 4, 9, 0, 5, 6]);
}

#[test]
fn many_shapes_push_each_other_out_of_the_cache() {
    let world = world();
    let cells: Vec<u8> = (0..=255).collect();
    for stride in 2..34 {
        let view = Strided::new(&cells, 1, 2, 1, stride).unwrap();
        let other = Strided::new(&cells, 0, 2, 1, stride + 1).unwrap();
        let (mut a, mut b) = ([0u8; 2], [0u8; 2]);
        world
            .scope(|s| {
                s.isend(view, 0, 1)?.defer();
                s.isend(other, 0, 2)?.defer();
                s.irecv(&mut a, 0, 1)?.defer();
                s.irecv(&mut b, 0, 2)?.defer();
                Ok(())
            })
            .unwrap();
        assert_eq!((a, b), ([1, 1 + stride as u8], [0, stride as u8 + 1]));
        // One call with two shapes, which may want the same place.
        let mut target = [0u8; 8];
        let mut into = StridedMut::new(&mut target, 0, 2, 1, 7).unwrap();
        world.sendrecv(&view, 0, 3, &mut into, 0, 3).unwrap();
        assert_eq!(target, [1, 0, 0, 0, 0, 0, 0, 1 + stride as u8]);
    }
}

#[test]
fn a_wide_halo_and_its_corners() {
    let world = world();
    let mut grid = Grid::new(3, 2, 2, 0i32).unwrap();
    for (cell, i) in grid.as_mut_slice().iter_mut().zip(0..) {
        *cell = i;
    }
    let before = grid.clone();
    let halo = grid.split();
    let core = halo.core.shared();
    world
        .scope(|s| {
            let ghosts = [
                s.irecv(halo.north, 0, 1)?,
                s.irecv(halo.south, 0, 2)?,
                s.irecv(halo.west, 0, 3)?,
                s.irecv(halo.east, 0, 4)?,
            ];
            s.isend(core.block(1..3, 0..2), 0, 1)?.defer();
            s.isend(core.block(0..2, 0..2), 0, 2)?.defer();
            s.isend(core, 0, 3)?.defer();
            s.isend(core, 0, 4)?.defer();
            let [north, ..] = wait_all(ghosts)?;
            assert_eq!(north.data.row(0), before.row(3)[2..4].to_vec());
            Ok(())
        })
        .unwrap();
    let (rows, cols) = grid.dims();
    assert_eq!((rows, cols, grid.core_dims(), grid.ghosts()), (7, 6, (3, 2), [2, 2]));
    for r in 0..rows {
        for c in 0..cols {
            let (core_row, core_col) = ((2..5).contains(&r), (2..4).contains(&c));
            let source = match (core_row, core_col) {
                (false, true) => (if r < 2 { r + 3 } else { r - 3 }, c),
                (true, false) => (r, if c < 2 { c + 2 } else { c - 2 }),
                _ => (r, c),
            };
            assert_eq!(grid[(r, c)], before[source], "cell ({r}, {c})");
        }
    }
}

#[test]
fn grids_with_empty_parts() -> Result<()> {
    let world = world();
    for (rows, cols, ghost) in [(0, 0, 0), (0, 3, 1), (3, 0, 1), (0, 0, 1), (2, 2, 0), (1, 1, 1)] {
        let mut grid = Grid::new(rows, cols, ghost, 1u8)?;
        let halo = grid.split();
        let core = halo.core.shared();
        world.scope(|s| {
            let ghosts = [
                s.irecv(halo.north, 0, 1)?,
                s.irecv(halo.south, 0, 2)?,
                s.irecv(halo.west, 0, 3)?,
                s.irecv(halo.east, 0, 4)?,
            ];
            let (high, wide) = (ghost.min(rows), ghost.min(cols));
            s.isend(core.block(0..high, 0..cols), 0, 1)?.defer();
            s.isend(core.block(rows - high..rows, 0..cols), 0, 2)?.defer();
            s.isend(core.block(0..rows, 0..wide), 0, 3)?.defer();
            s.isend(core.block(0..rows, cols - wide..cols), 0, 4)?.defer();
            for ghost in wait_all(ghosts)? {
                let (all, rows) = (ghost.data.as_shared().iter().count(), ghost.data.rows());
                assert_eq!(all, rows * ghost.data.cols());
            }
            Ok(())
        })?;
        assert!(grid.as_slice().iter().all(|&cell| cell == 1));
    }
    assert!(Grid::new(usize::MAX, 2, 7, 0u8).is_err());
    assert!(Grid::new(usize::MAX / 2, 2, 1, ()).is_err());
    // At once, also where each of the cells would be visited.
    assert_eq!(class(Grid::new(isize::MAX as usize, 1, 0, ())), ErrorClass::BUFFER);
    assert_eq!(Grid::new(100, 50, 0, ())?.core_dims(), (100, 50));
    Ok(())
}

#[test]
fn views_that_do_not_fit() {
    let mut cells = [0u8; 10];
    for (offset, rows, cols, stride) in
        [(0, 2, 6, 6), (11, 0, 0, 0), (0, 2, 3, 2), (1, usize::MAX, 2, usize::MAX), (usize::MAX, 1, 1, 1)]
    {
        assert_eq!(class(Strided::new(&cells, offset, rows, cols, stride)), ErrorClass::BUFFER);
        assert_eq!(class(StridedMut::new(&mut cells, offset, rows, cols, stride)), ErrorClass::BUFFER);
    }
    let empty = Strided::new(&cells, 10, 0, 5, 0).unwrap();
    assert_eq!(empty.iter().count(), 0);
    assert_eq!(empty.block(0..0, 2..5).cols(), 3);
    let none: Strided<'_, u64> = Strided::new(&[], 0, usize::MAX, 0, usize::MAX).unwrap();
    assert_eq!(none.row(usize::MAX - 1), []);
}

#[test]
fn types_without_bytes() {
    let world = world();
    let (mut units, mut empty, mut array) = ([(); 3], [[0u64; 0]; 2], [0u8; 0]);
    let mut spots = [MaybeUninit::<()>::uninit(); 2];
    world
        .scope(|s| {
            let receives = (
                s.irecv(&mut units, 0, 1)?,
                s.irecv(&mut empty, 0, 2)?,
                s.irecv(&mut array, 0, 3)?,
                s.irecv(&mut spots[..], 0, 4)?,
            );
            s.isend(&[(); 3], 0, 1)?.defer();
            s.isend(&[[0u64; 0]; 2], 0, 2)?.defer();
            s.isend(&[0u8; 0], 0, 3)?.defer();
            s.isend(&(), 0, 4)?.defer();
            let (units, empty, array, spots) = wait_all(receives)?;
            assert_eq!((units.status.count::<()>(), empty.status.count::<[u64; 0]>()), (Some(0), Some(0)));
            assert_eq!((units.data.len(), array.data.len()), (3, 0));
            assert_eq!(spots.data.0.len() + spots.data.1.len(), 2);
            Ok(())
        })
        .unwrap();
    let many = vec![(); 5];
    let view = Strided::new(&many, 0, 2, 1, 3).unwrap();
    world.send(&view, 0, 5).unwrap();
    assert_eq!(world.recv::<()>(0, 5).unwrap().status.count::<u8>(), Some(0));
    world.send(&1u8, 0, 6).unwrap();
    assert_eq!(class(world.recv::<[u8; 0]>(0, 6)), ErrorClass::TRUNCATE);
    world.send(&1u8, 0, 7).unwrap();
    assert_eq!(class(world.recv_vec::<()>(0, 7)), ErrorClass::COUNT);
    world.send(&many, 0, 8).unwrap();
    assert_eq!(world.recv_vec::<()>(0, 8).unwrap().data.len(), 0);
}

/// Seven parts of one grid in flight, and the interior written meanwhile.
#[test]
fn faces_of_a_grid() {
    let world = world();
    let mut grid = Grid3::new([2, 3, 2], [1, 1, 2], 0u16).unwrap();
    let Halo3 { front, back, north, south, west, east, mut core, .. } = grid.split();
    (0..2).flat_map(|p| (0..3).map(move |r| (p, r))).zip(1..).for_each(|((p, r), i)| {
        core.row_mut(p, r).fill(i);
    });
    let inner = core.reborrow().block([0..1, 0..3, 0..2]);
    world
        .scope(|s| {
            let ghosts = [
                s.irecv(front, 0, 0)?,
                s.irecv(back, 0, 1)?,
                s.irecv(north, 0, 2)?,
                s.irecv(south, 0, 3)?,
                s.irecv(west, 0, 4)?,
                s.irecv(east, 0, 5)?,
            ];
            let inner = s.isend(inner, 0, 0)?.wait()?; // comes back to be written
            assert_eq!(inner.row(0, 2), [3, 3]);
            let inner = inner.shared();
            s.isend(inner, 0, 1)?.defer();
            s.isend(&[7u16; 4], 0, 2)?.defer();
            s.isend(&[8u16; 4], 0, 3)?.defer();
            s.isend(&[9u16; 12], 0, 4)?.defer();
            s.isend(&[10u16; 12], 0, 5)?.defer();
            let [front, .., mut east] = wait_all(ghosts)?.map(|got| got.data);
            assert_eq!(front.plane(0).row(1), [2, 2]);
            east.plane_mut(1)[(2, 1)] += 1;
            Ok(())
        })
        .unwrap();
    let plane = |p: usize| (0..5).map(|r| grid.row(p, r).to_vec()).collect::<Vec<_>>();
    let cap =
        vec![vec![0; 6], vec![0, 0, 1, 1, 0, 0], vec![0, 0, 2, 2, 0, 0], vec![0, 0, 3, 3, 0, 0], vec![0; 6]];
    assert_eq!((plane(0), plane(3)), (cap.clone(), cap));
    assert_eq!(plane(1)[..2], [vec![0, 0, 7, 7, 0, 0], vec![9, 9, 1, 1, 10, 10]]);
    assert_eq!(plane(2)[3..], [vec![9, 9, 6, 6, 10, 11], vec![0, 0, 8, 8, 0, 0]]);
}

/// All nine parts of one grid in use: eight in flight while the interior is read.
#[test]
fn corners_of_a_grid() {
    let world = world();
    let mut grid = Grid::with_ghosts(3, 2, [2, 1], 0i32).unwrap();
    for (cell, i) in grid.as_mut_slice().iter_mut().zip(0..) {
        *cell = i;
    }
    let before = grid.clone();
    let [[nw, n, ne], [w, core, e], [sw, s, se]] = grid.split_all();
    let core = core.shared();
    world
        .scope(|scope| {
            let mut ghosts = Vec::new();
            for (part, tag) in [nw, n, ne, w, e, sw, s, se].into_iter().zip(0..) {
                ghosts.push(scope.irecv(part, 0, tag)?);
            }
            // Periodic, and alone: what is beyond a side is the other end of the interior.
            let ends = [(1..3, 1..2), (1..3, 0..2), (1..3, 0..1), (0..3, 1..2), (0..3, 0..1)];
            let others = [(0..2, 1..2), (0..2, 0..2), (0..2, 0..1)];
            for ((rows, cols), tag) in ends.into_iter().chain(others).zip(0..) {
                scope.isend(core.block(rows, cols), 0, tag)?.defer();
            }
            assert_eq!(core[(2, 1)], before[(4, 2)]);
            let mut got = wait_all(ghosts)?;
            got[0].data[(0, 0)] = -1;
            Ok(())
        })
        .unwrap();
    assert_eq!(grid[(0, 0)], -1);
    for (r, c) in (0..7).flat_map(|r| (0..4).map(move |c| (r, c))).skip(1) {
        assert_eq!(grid[(r, c)], before[((r + 1) % 3 + 2, (c + 1) % 2 + 1)], "cell ({r}, {c})");
    }
}

/// A corner and an edge of borrowed cells in flight, the interior written meanwhile.
#[test]
fn parts_of_borrowed_cells() {
    let world = world();
    let mut cells = [0u8; 3 * 3 * 3];
    let [[[corner, edge, _], ..], [_, [_, mut core, _], _], _] =
        Grid3Mut::new(&mut cells, [1; 3], [1; 3]).unwrap().split_all();
    world
        .scope(|s| {
            let ghosts = [s.irecv(corner, 0, 0)?, s.irecv(edge, 0, 1)?];
            s.isend(&3u8, 0, 0)?.defer();
            s.isend(&4u8, 0, 1)?.defer();
            core[(0, 0, 0)] = 5;
            let [corner, mut edge] = wait_all(ghosts)?.map(|got| got.data);
            edge[(0, 0, 0)] += corner[(0, 0, 0)];
            Ok(())
        })
        .unwrap();
    assert_eq!((cells[..2].to_vec(), cells[13]), (vec![3, 7], 5));
}
