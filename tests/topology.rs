//! Cartesian grids of ranks against a model in plain integers.

use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, ErrorClass, Result};
use std::fmt::Debug;

/// Row-major place of a rank.
fn place(rank: usize, dims: &[usize]) -> Vec<usize> {
    let mut rest = rank;
    let mut place: Vec<usize> = dims.iter().rev().map(|&n| (rest % n, rest /= n).0).collect();
    place.reverse();
    place
}

/// The rank at a place, `None` beyond an edge.
fn rank_at(place: &[i128], dims: &[usize], periods: &[bool]) -> Option<usize> {
    place.iter().zip(dims).zip(periods).try_fold(0, |rank, ((&c, &n), &periodic)| {
        let inside = if periodic { c.rem_euclid(n as i128) } else { c };
        (0..n as i128).contains(&inside).then(|| rank * n + inside as usize)
    })
}

/// All combinations of `true` and `false` for `n` dimensions.
fn flags(n: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << n).map(move |bits| (0..n).map(|i| bits >> i & 1 == 1).collect())
}

/// Every shape of up to three dimensions that has a place for each rank or for fewer.
fn shapes(size: usize) -> Vec<Vec<usize>> {
    let mut shapes = vec![vec![]];
    for n in 1..=size {
        shapes.push(vec![n]);
        for m in 1..=size / n {
            shapes.push(vec![n, m]);
            shapes.extend((1..=size / (n * m)).map(|l| vec![n, m, l]));
        }
    }
    shapes
}

/// Runs `check` on each grid this rank has a place in, in every shape and with every combination of periods.
fn on_each_grid(world: &Communicator, check: impl Fn(&Cartesian) -> Result<()>) -> Result<()> {
    for dims in shapes(world.size()) {
        for periods in flags(dims.len()) {
            let positions: usize = dims.iter().product();
            let grid = world.cartesian(&dims, &periods, false)?;
            assert_eq!(grid.is_some(), world.rank() < positions, "{dims:?}");
            grid.as_ref().map_or(Ok(()), &check)?;
        }
    }
    Ok(())
}

#[track_caller]
fn refused<T: Debug>(result: Result<T>, class: ErrorClass, text: &str) {
    let error = result.expect_err(text);
    assert_eq!((error.to_string().as_str(), error.class(), error.code()), (text, class, None));
}

#[mpi::test(ranks = [1, 2, 4])]
fn a_grid_says_what_it_is(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        assert_eq!(grid.size(), grid.dims().iter().product());
        assert_eq!(grid.periods().len(), grid.dims().len());
        assert_eq!(grid.my_coords(), place(grid.rank(), grid.dims()));
        assert_eq!(grid.rank(), world.rank(), "without reordering ranks stay");
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 4])]
fn coords_and_rank_at_are_inverse(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        for rank in 0..grid.size() {
            let coords = grid.coords(rank)?;
            assert_eq!(coords, place(rank, grid.dims()));
            let coords: Vec<isize> = coords.into_iter().map(|c| c as isize).collect();
            assert_eq!(grid.rank_at(&coords)?, rank);
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 4])]
fn rank_at_wraps_where_periodic_and_refuses_elsewhere(world: Communicator) -> Result<()> {
    let far = [-1, 100, -100, isize::MAX, isize::MIN, i32::MAX as isize + 1];
    on_each_grid(&world, |grid| {
        for dimension in 0..grid.dims().len() {
            for c in far {
                let mut coords = vec![0; grid.dims().len()];
                coords[dimension] = c;
                let model: Vec<i128> = coords.iter().map(|&c| c as i128).collect();
                match rank_at(&model, grid.dims(), grid.periods()) {
                    Some(rank) => assert_eq!(grid.rank_at(&coords)?, rank),
                    None => {
                        let last = grid.dims()[dimension] - 1;
                        let text = format!(
                            "MPI_Cart_rank: coordinate {c} is outside 0 to {last} of a dimension that is not periodic"
                        );
                        refused(grid.rank_at(&coords), ErrorClass::ARG, &text);
                    }
                }
            }
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 3, 4, 6])]
fn shift_by_any_distance(world: Communicator) -> Result<()> {
    let near = -7..=7;
    let far = [
        isize::MAX,
        isize::MIN,
        isize::MIN + 1,
        i32::MAX as isize,
        i32::MIN as isize,
        1 << 32,
        (1 << 32) + 1,
    ];
    let distances: Vec<isize> = near.chain(far).collect();
    on_each_grid(&world, |grid| {
        let here: Vec<i128> = grid.my_coords().iter().map(|&c| c as i128).collect();
        for dimension in 0..here.len() {
            for &distance in &distances {
                let beyond = |way: i128| {
                    let mut there = here.clone();
                    there[dimension] += way * distance as i128;
                    rank_at(&there, grid.dims(), grid.periods())
                };
                let expected = (beyond(-1), beyond(1));
                assert_eq!(grid.shift(dimension, distance)?, expected, "{grid:?} by {distance}");
            }
        }
        Ok(())
    })
}

/// What `shift` says is true: a message sent there arrives from there.
#[mpi::test(ranks = [1, 2, 4])]
fn shift_is_whom_one_talks_with(world: Communicator) -> Result<()> {
    for periodic in [false, true] {
        let dims = dims_create(world.size(), [0, 0])?;
        let grid = world.cartesian(&dims, &[periodic; 2], true)?.expect("every rank has a place");
        for dimension in 0..2 {
            let (source, dest) = grid.shift(dimension, 1)?;
            let mut from = usize::MAX;
            grid.sendrecv(&grid.rank(), dest, 0, &mut from, source, 0)?;
            assert_eq!(from, source.unwrap_or(usize::MAX));
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn sub_keeps_what_it_is_told(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        for keep in flags(grid.dims().len()) {
            let sub = grid.sub(&keep)?;
            let kept = |i: &usize| keep[*i];
            let picked: Vec<usize> = (0..keep.len()).filter(kept).collect();
            assert!(sub.dims().iter().eq(picked.iter().map(|&i| &grid.dims()[i])));
            assert!(sub.periods().iter().eq(picked.iter().map(|&i| &grid.periods()[i])));
            assert!(sub.my_coords().iter().eq(picked.iter().map(|&i| &grid.my_coords()[i])));
            // Its ranks are those that share this one's place in the other dimensions.
            let peers = sub.allgather(&grid.rank())?;
            for (there, peer) in peers.into_iter().enumerate() {
                let mut expected = grid.my_coords().to_vec();
                picked.iter().zip(place(there, sub.dims())).for_each(|(&i, c)| expected[i] = c);
                assert_eq!(grid.coords(peer)?, expected);
            }
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 4])]
fn a_grid_without_dimensions_is_a_point(world: Communicator) -> Result<()> {
    let grid = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    let point = grid.sub(&[false])?;
    assert_eq!((point.size(), point.dims(), point.my_coords()), (1, &[][..], &[][..]));
    assert_eq!((point.rank_at(&[])?, point.coords(0)?), (0, vec![]));
    assert_eq!(point.allreduce(&5, mpi::op::Sum)?, 5);
    point.sub(&[])?.barrier()
}

#[mpi::test(ranks = [1, 2, 4, 6])]
fn reordering_keeps_everybody(world: Communicator) -> Result<()> {
    let dims = dims_create(world.size(), [0, 0])?;
    let grid = world.cartesian(&dims, &[true, false], true)?.expect("every rank has a place");
    let mut olds = grid.allgather(&world.rank())?;
    olds.sort_unstable();
    assert!(olds.into_iter().eq(0..world.size()));
    assert_eq!(grid.coords(grid.rank())?, grid.my_coords());
    Ok(())
}

#[mpi::test(ranks = 1)]
fn dims_create_divides_evenly(_world: Communicator) -> Result<()> {
    for nodes in 1..=200 {
        let [one] = dims_create(nodes, [0])?;
        let two = dims_create(nodes, [0, 0])?;
        let three = dims_create(nodes, [0, 0, 0])?;
        assert_eq!((one, two.iter().product(), three.iter().product()), (nodes, nodes, nodes));
        assert!(two.is_sorted_by(|a, b| a >= b) && three.is_sorted_by(|a, b| a >= b), "{two:?} {three:?}");
        for fixed in (1..=nodes).filter(|n| nodes % n == 0) {
            assert_eq!(dims_create(nodes, [fixed, 0])?, [fixed, nodes / fixed]);
            assert_eq!(dims_create(nodes, [0, fixed, 1])?, [nodes / fixed, fixed, 1]);
            assert_eq!(dims_create(nodes, [fixed, nodes / fixed])?, [fixed, nodes / fixed]);
        }
    }
    assert_eq!(dims_create(12, [0, 0])?, [4, 3]);
    assert_eq!(dims_create(1, [])?, [0; 0]);
    Ok(())
}

#[mpi::test(ranks = 1)]
fn dims_create_refuses_what_cannot_be(_world: Communicator) {
    let text = |nodes: usize, fixed: usize| {
        format!("MPI_Dims_create: {nodes} ranks cannot be laid out: the fixed dimensions multiply to {fixed}")
    };
    refused(dims_create(7, [2, 0]), ErrorClass::DIMS, &text(7, 2));
    refused(dims_create(6, [2, 2]), ErrorClass::DIMS, &text(6, 4));
    refused(dims_create(6, [2]), ErrorClass::DIMS, &text(6, 2));
    refused(dims_create(0, [0]), ErrorClass::DIMS, &text(0, 1));
    refused(dims_create(2, []), ErrorClass::DIMS, &text(2, 1));
    let huge = usize::MAX / 2 + 1;
    refused(dims_create(4, [huge, huge, 0]), ErrorClass::DIMS, &text(4, usize::MAX));
    assert!(dims_create(usize::MAX, [0]).is_err());
}

#[mpi::test(ranks = [1, 2])]
fn wrong_arguments(world: Communicator) -> Result<()> {
    let size = world.size();
    let too_large = |positions: usize| {
        let shown = i64::try_from(positions).unwrap_or(i64::MAX);
        format!(
            "MPI_Cart_create: a grid of {shown} positions was asked for, but the communicator has {size} ranks"
        )
    };
    let create = |dims: &[usize]| world.cartesian(dims, &vec![false; dims.len()], false);
    refused(create(&[size + 1]), ErrorClass::DIMS, &too_large(size + 1));
    refused(create(&[size, 2]), ErrorClass::DIMS, &too_large(2 * size));
    refused(create(&[0]), ErrorClass::DIMS, &too_large(0));
    refused(create(&[usize::MAX, 2]), ErrorClass::DIMS, &too_large(usize::MAX));
    refused(create(&[1 << 32, 1 << 32]), ErrorClass::DIMS, &too_large(usize::MAX));
    assert!(world.cartesian(&[1], &[], false).is_err() && world.cartesian(&[], &[true], false).is_err());

    let grid = world.cartesian(&[size, 1], &[true, false], false)?.expect("every rank has a place");
    let no_dimension = |call, i| format!("{call}: dimension {i} does not exist: the grid has 2");
    refused(grid.shift(2, 1), ErrorClass::DIMS, &no_dimension("MPI_Cart_shift", 2));
    let no_rank = format!(
        "MPI_Cart_coords: rank {size} is not a rank of this communicator, which has {size} (0 to {})",
        size - 1
    );
    refused(grid.coords(size), ErrorClass::RANK, &no_rank);
    assert!(grid.rank_at(&[0]).is_err() && grid.rank_at(&[0, 0, 0]).is_err());
    assert!(grid.sub(&[true]).is_err() && grid.sub(&[true; 3]).is_err());
    grid.barrier()
}
