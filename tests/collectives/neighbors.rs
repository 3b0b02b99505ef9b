//! Neighbourhood collectives on grids of every kind against a model: dimensions of length 1, 2 and more, with and without
//! edges, in all forms.

use crate::sample::{Sample, same, samples, seed};
use crate::{LARGE, SIZES};
use mpi::buffer::{Counted, Counts, Grid, Halo, Parts, PartsMut, Strided, WithCounts};
use mpi::topology::Cartesian;
use mpi::{AnyBits, Communicator, ErrorClass, Result};
use std::fmt::Debug;

/// Every grid of so many ranks in one or two dimensions (three for 8), with every choice of edges.
fn on_each_grid(world: &Communicator, check: impl Fn(&Cartesian) -> Result<()>) -> Result<()> {
    let n = world.size();
    let mut shapes: Vec<Vec<usize>> =
        (1..=n).filter(|rows| n.is_multiple_of(*rows)).map(|rows| vec![rows, n / rows]).collect();
    shapes.push(vec![n]);
    if n == 8 {
        shapes = vec![vec![2, 2, 2], vec![1, 8], vec![2, 4]];
    }
    for dims in shapes {
        for bits in 0..1 << dims.len() {
            let periods: Vec<bool> = (0..dims.len()).map(|d| bits >> d & 1 == 1).collect();
            let grid = world.cartesian(&dims, &periods, false)?.expect("every rank has a place");
            check(&grid)?;
        }
    }
    Ok(())
}

/// The neighbours, in the order of the standard; `None` beyond an edge.
fn neighbors(grid: &Cartesian) -> Result<Vec<Option<usize>>> {
    let pairs = (0..grid.dims().len()).map(|d| grid.shift(d, 1));
    Ok(pairs.collect::<Result<Vec<_>>>()?.into_iter().flat_map(|(low, high)| [low, high]).collect())
}

/// What `rank` sends along its edge `k`.
fn parcel<T: Sample>(rank: usize, k: usize, len: usize) -> Vec<T> {
    samples(100 * rank + k, len)
}

/// What arrives along each edge, where a block is `len(sender, its edge)` long. What is sent downwards comes from above.
fn expected<T: Sample>(around: &[Option<usize>], len: impl Fn(usize, usize) -> usize) -> Vec<Option<Vec<T>>> {
    let arriving =
        |(j, peer): (usize, &Option<usize>)| peer.map(|peer| parcel(peer, j ^ 1, len(peer, j ^ 1)));
    around.iter().enumerate().map(arriving).collect()
}

/// Equal blocks where something arrives, `edge` elsewhere.
fn flat<T: Sample>(blocks: &[Option<Vec<T>>], len: usize, edge: T) -> Vec<T> {
    blocks.iter().flat_map(|block| block.clone().unwrap_or(vec![edge; len])).collect()
}

/// An element of zeros, as results start.
fn zero<T: AnyBits>() -> T {
    // SAFETY: every bit pattern is a value.
    unsafe { std::mem::zeroed() }
}

fn equal_blocks<T: Sample + AnyBits + Debug>(grid: &Cartesian, len: usize) -> Result<()> {
    let (me, around) = (grid.rank(), neighbors(grid)?);
    let mark = T::sample(7777);
    let send: Vec<T> = (0..around.len()).flat_map(|k| parcel::<T>(me, k, len)).collect();
    let blocks = expected::<T>(&around, |_, _| len);
    let marked = flat(&blocks, len, mark);
    same(&grid.neighbor_alltoall(&send)?, &flat(&blocks, len, zero()));
    let mut recv = vec![mark; send.len()];
    grid.neighbor_alltoall_into(&send, &mut recv)?;
    same(&recv, &marked);
    recv.fill(mark);
    grid.scope(|s| {
        let (back, got) = s.ineighbor_alltoall(&send, &mut recv)?.wait()?;
        same(back, &send);
        same(got, &marked);
        Ok(())
    })?;
    let (send, recv) = grid.ineighbor_alltoall(send, vec![mark; marked.len()])?.wait()?;
    same(&recv, &marked);

    let mine = &send[..len.min(send.len())];
    let gathered: Vec<Option<Vec<T>>> =
        around.iter().map(|peer| peer.map(|peer| parcel(peer, 0, mine.len()))).collect();
    let marked = flat(&gathered, mine.len(), mark);
    same(&grid.neighbor_allgather(mine)?, &flat(&gathered, mine.len(), zero()));
    let mut recv = vec![mark; marked.len()];
    grid.neighbor_allgather_into(mine, &mut recv)?;
    same(&recv, &marked);
    recv.fill(mark);
    grid.scope(|s| s.ineighbor_allgather(mine, &mut recv)?.wait().map(drop))?;
    same(&recv, &marked);
    let (_, recv) = grid.ineighbor_allgather(mine.to_vec(), vec![mark; marked.len()])?.wait()?;
    same(&recv, &marked);
    Ok(())
}

/// Blocks with a gap before each and after the last, which nobody may touch.
fn padded(counts: &[usize]) -> Result<(Counts, usize)> {
    let mut at = 0;
    let displs: Vec<usize> = counts
        .iter()
        .map(|n| {
            at += 2 + n;
            at - n
        })
        .collect();
    Ok((Counts::new(counts)?.with_displs(&displs)?, at + 2))
}

/// A buffer of marks with the blocks in their places.
fn laid_out<T: Copy>(counts: &Counts, len: usize, mark: T, blocks: &[Vec<T>]) -> Vec<T> {
    let mut all = vec![mark; len];
    for (i, block) in blocks.iter().enumerate() {
        all[counts.range(i)].copy_from_slice(block);
    }
    all
}

fn varied_blocks<T: Sample + AnyBits + Debug>(grid: &Cartesian, unit: usize) -> Result<()> {
    let (me, around) = (grid.rank(), neighbors(grid)?);
    let mark = T::sample(7777);
    // Different for each edge and sender, and none for some.
    let len = |rank: usize, k: usize| (rank + 2 * k + 3) % 4 * unit;
    let parcels: Vec<Vec<T>> = (0..around.len()).map(|k| parcel(me, k, len(me, k))).collect();
    // What would go beyond an edge is given all the same.
    let counts: Vec<usize> = parcels.iter().map(Vec::len).collect();
    let (out, room) = padded(&counts)?;
    let send = laid_out(&out, room, T::sample(1), &parcels);
    let arriving: Vec<Vec<T>> = expected(&around, len).into_iter().map(Option::unwrap_or_default).collect();
    let (into, room) = padded(&arriving.iter().map(Vec::len).collect::<Vec<_>>())?;
    let marked = laid_out(&into, room, mark, &arriving);

    let (got, got_counts) = grid.neighbor_alltoallv_with_counts(&send.with_counts(&out))?;
    same(&got, &arriving.concat());
    assert_eq!(got_counts.to_vec(), into.to_vec());
    same(&grid.neighbor_alltoallv(&parcels)?, &got);
    let mut recv = vec![mark; room];
    grid.neighbor_alltoallv_into(send.with_counts(&out), recv.with_counts_mut(&into))?;
    same(&recv, &marked);
    recv.fill(mark);
    grid.scope(|s| {
        let request = s.ineighbor_alltoallv(send.with_counts(&out), recv.with_counts_mut(&into))?;
        let (back, got) = request.wait()?;
        same(back.data(), &send);
        same(got.into_data(), &marked);
        Ok(())
    })?;
    let pending = grid.ineighbor_alltoallv(Counted::new(send, out), Counted::new(vec![mark; room], into))?;
    let (_, recv) = pending.wait()?;
    same(&recv.into_parts().0, &marked);

    let mine: Vec<T> = parcel(me, 9, len(me, 9));
    let arriving: Vec<Vec<T>> =
        around.iter().map(|peer| peer.map_or(Vec::new(), |peer| parcel(peer, 9, len(peer, 9)))).collect();
    let (into, room) = padded(&arriving.iter().map(Vec::len).collect::<Vec<_>>())?;
    let marked = laid_out(&into, room, mark, &arriving);
    let (got, got_counts) = grid.neighbor_allgatherv_with_counts(&mine)?;
    same(&got, &arriving.concat());
    assert_eq!(got_counts.to_vec(), into.to_vec());
    same(&grid.neighbor_allgatherv(&mine)?, &got);
    let mut recv = vec![mark; room];
    grid.neighbor_allgatherv_into(&mine, recv.with_counts_mut(&into))?;
    same(&recv, &marked);
    recv.fill(mark);
    grid.scope(|s| s.ineighbor_allgatherv(&mine, recv.with_counts_mut(&into))?.wait().map(drop))?;
    same(&recv, &marked);
    let (_, recv) = grid.ineighbor_allgatherv(mine, Counted::new(vec![mark; room], into))?.wait()?;
    same(&recv.into_parts().0, &marked);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn equal_blocks_on_every_grid(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        for len in SIZES {
            equal_blocks::<f64>(grid, len)?;
        }
        equal_blocks::<u8>(grid, 3)?;
        equal_blocks::<[f32; 3]>(grid, 5)?;
        equal_blocks::<i128>(grid, 2)
    })
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn varied_blocks_on_every_grid(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        for unit in SIZES {
            varied_blocks::<i32>(grid, unit)?;
        }
        varied_blocks::<u8>(grid, 3)?;
        varied_blocks::<[f64; 3]>(grid, 5)?;
        varied_blocks::<i128>(grid, 2)
    })
}

#[mpi::test(ranks = [6, 8])]
fn many_neighbors(world: Communicator) -> Result<()> {
    on_each_grid(&world, |grid| {
        equal_blocks::<i64>(grid, 7)?;
        varied_blocks::<i64>(grid, 3)
    })
}

#[mpi::test(ranks = [1, 2, 3])]
fn long_blocks(world: Communicator) -> Result<()> {
    let ring = world.cartesian(&[world.size()], &[true], true)?.expect("every rank has a place");
    equal_blocks::<f64>(&ring, LARGE)?;
    varied_blocks::<f64>(&ring, LARGE)
}

/// Every rank has a field with a frame of ghosts, fills its interior, and gets the edges of its neighbours: rows and
/// columns, described by types of their own, from the left a column of another width than the rows are high.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn halos_on_every_grid(world: Communicator) -> Result<()> {
    const ROWS: usize = 4;
    const COLS: usize = 3;
    let cell = |rank: usize, r: usize, c: usize| i32::sample(seed(rank, r * COLS + c));
    on_each_grid(&world, |ranks| {
        if ranks.dims().len() != 2 {
            return Ok(());
        }
        let (me, around) = (ranks.rank(), neighbors(ranks)?);
        for in_flight in [false, true] {
            let mut field = Grid::new(ROWS, COLS, 1, -1i32)?;
            for (r, c) in (0..ROWS).flat_map(|r| (0..COLS).map(move |c| (r, c))) {
                field[(r + 1, c + 1)] = cell(me, r, c);
            }
            let Halo { north, south, west, east, core, .. } = field.split();
            let core = core.shared();
            let rows = [core.block(0..1, 0..COLS), core.block(ROWS - 1..ROWS, 0..COLS)];
            let cols = [core.block(0..ROWS, 0..1), core.block(0..ROWS, COLS - 1..COLS)];
            let send = Parts::of(rows.into_iter().chain(cols))?;
            let mut recv = PartsMut::of([north, south, west, east])?;
            if in_flight {
                ranks.scope(|s| s.ineighbor_alltoallw(&send, &mut recv)?.wait().map(drop))?;
            } else {
                ranks.neighbor_alltoallw_into(&send, &mut recv)?;
            }
            let from = |j: usize, r: usize, c: usize| around[j].map_or(-1, |peer| cell(peer, r, c));
            for c in 0..COLS {
                assert_eq!(field[(0, c + 1)], from(0, ROWS - 1, c), "north {c} of {me}, {ranks:?}");
                assert_eq!(field[(ROWS + 1, c + 1)], from(1, 0, c), "south {c} of {me}, {ranks:?}");
            }
            for r in 0..ROWS {
                assert_eq!(field[(r + 1, 0)], from(2, r, COLS - 1), "west {r} of {me}, {ranks:?}");
                assert_eq!(field[(r + 1, COLS + 1)], from(3, r, 0), "east {r} of {me}, {ranks:?}");
                (0..COLS).for_each(|c| assert_eq!(field[(r + 1, c + 1)], cell(me, r, c)));
            }
            assert!(
                [(0, 0), (0, COLS + 1), (ROWS + 1, 0), (ROWS + 1, COLS + 1)]
                    .iter()
                    .all(|&at| field[at] == -1)
            );
        }
        // Owned vectors of any lengths, some empty.
        let len = |rank: usize, k: usize| (rank + k) % 3;
        let send: Vec<Vec<u16>> = (0..around.len()).map(|k| parcel(me, k, len(me, k))).collect();
        let arriving: Vec<Vec<u16>> =
            expected(&around, len).into_iter().map(Option::unwrap_or_default).collect();
        assert_eq!(ranks.neighbor_alltoallw(&send)?, arriving);
        let error = ranks.neighbor_alltoallw(&send[1..]).expect_err("one too few");
        assert!(error.to_string().starts_with("MPI_Neighbor_alltoallw: there are "), "{error}");
        let room = arriving.iter().map(|block| vec![0; block.len()]).collect();
        let (back, got) = ranks.ineighbor_alltoallw(send.clone(), room)?.wait()?;
        assert_eq!((back, got), (send, arriving));
        Ok(())
    })
}

/// A grid of more neighbours than ranks: Open MPI 4.1 looks at more types than it is to be given.
#[mpi::test(ranks = [1, 2, 3])]
fn alltoallw_on_a_grid(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let grid = world.cartesian(&[1, size, 1, 1], &[true; 4], false)?.expect("every rank has a place");
    let mine: Vec<f64> = samples(me, 6);
    let mut theirs = vec![0.0; 2 * size];
    // Every second element, so that each type is one of our own.
    let column = || Strided::new(&mine, 1, 2, 1, 3);
    let send = Parts::of((0..size).map(|_| column()).collect::<Result<Vec<_>>>()?)?;
    for in_flight in [false, true] {
        let mut recv = PartsMut::of(theirs.chunks_mut(2))?;
        if in_flight {
            grid.scope(|s| s.ialltoallw(&send, &mut recv)?.wait().map(drop))?;
        } else {
            grid.alltoallw_into(&send, &mut recv)?;
        }
        let all = (0..size).flat_map(|rank| [1, 4].map(|i| samples::<f64>(rank, 6)[i])).collect::<Vec<_>>();
        same(&theirs, &all);
        theirs.fill(0.0);
    }
    Ok(())
}

/// Truth values arrive checked; from beyond an edge come zeros, which are `false`, but no `NonZero`.
#[mpi::test(ranks = [1, 2, 3])]
fn values_that_are_checked(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let line = world.cartesian(&[size], &[false], false)?.expect("every rank has a place");
    let expected = [me > 0, me + 1 < size];
    assert_eq!(line.neighbor_allgather(&true)?, expected);
    assert_eq!(line.neighbor_alltoall(&[true, true])?, expected);
    let one = std::num::NonZero::new(1u8).expect("not zero");
    assert_eq!(line.neighbor_allgather(&one).is_ok(), expected == [true, true]);
    world.barrier()
}

/// Elements without size, a grid without dimensions, a duplicate of a grid, a part of one.
#[mpi::test(ranks = [1, 2, 4])]
fn odd_grids(world: Communicator) -> Result<()> {
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    assert_eq!(ring.neighbor_alltoall(&[(), ()])?, [(), ()]);
    assert_eq!(ring.neighbor_allgatherv(&[(); 5])?.len(), 10);
    let counts = Counts::new(&[1, 2])?;
    assert_eq!(ring.neighbor_alltoallv(&[(); 3].with_counts(&counts))?.len(), 3);
    let mut nothing = [(), ()];
    ring.scope(|s| s.ineighbor_alltoall(&[(), ()], &mut nothing)?.wait().map(drop))?;

    let copy = ring.dup()?;
    assert_eq!(copy.neighbor_allgather(&copy.rank())?, ring.neighbor_allgather(&ring.rank())?);
    world.scope(|s| {
        let mut sides = [0usize; 2];
        let sides =
            s.on(&ring).ineighbor_allgather(s.keep(ring.rank()), s.keep(std::mem::take(&mut sides)))?;
        let (_, sides) = sides.wait()?;
        assert_eq!(sides.to_vec(), neighbors(&ring)?.into_iter().flatten().collect::<Vec<_>>());
        Ok(())
    })?;

    let point = ring.sub(&[false])?;
    assert!(point.neighbor_alltoall(&[0u8; 0])?.is_empty());
    assert!(point.neighbor_allgather(&[1u8; 3])?.is_empty());
    let torus = world.cartesian(&[world.size(), 1], &[true, true], false)?.expect("every rank has a place");
    let alone = torus.sub(&[false, true])?;
    equal_blocks::<i32>(&alone, 5)?;
    varied_blocks::<i32>(&alone, 5)
}

/// What one rank gives wrongly is refused there, before MPI is called.
#[mpi::test(ranks = [1, 2])]
fn wrong_arguments(world: Communicator) -> Result<()> {
    #[track_caller]
    fn refused<T: Debug>(result: Result<T>, class: ErrorClass, text: &str) {
        let error = result.expect_err(text);
        assert_eq!((error.to_string().as_str(), error.class(), error.code()), (text, class, None));
    }
    let size = world.size();
    let bare =
        |call| format!("{call}: this communicator of {size} ranks has no topology, so nobody is a neighbour");
    refused(world.neighbor_allgather(&1), ErrorClass::TOPOLOGY, &bare("MPI_Neighbor_allgather"));
    refused(world.neighbor_allgatherv(&1), ErrorClass::TOPOLOGY, &bare("MPI_Neighbor_allgatherv"));
    refused(world.neighbor_alltoall(&[1, 2]), ErrorClass::TOPOLOGY, &bare("MPI_Neighbor_alltoall"));
    let two = Counts::new(&[1, 1])?;
    let sent = world.neighbor_alltoallv(&[1, 2].with_counts(&two));
    refused(sent, ErrorClass::TOPOLOGY, &bare("MPI_Neighbor_alltoallv"));
    let mut room = [0; 4];
    let started = world.scope(|s| s.ineighbor_alltoall(&[1, 2], &mut room[..2])?.wait().map(drop));
    refused(started, ErrorClass::TOPOLOGY, &bare("MPI_Ineighbor_alltoall"));
    let owned = world.ineighbor_allgather(vec![1], vec![0; 2]).map_err(mpi::Error::from);
    refused(owned, ErrorClass::TOPOLOGY, &bare("MPI_Ineighbor_allgather"));

    let ring = world.cartesian(&[size], &[true], false)?.expect("every rank has a place");
    let uneven = "MPI_Neighbor_alltoall: a buffer of 3 elements cannot be dealt out evenly to 2 ranks";
    refused(ring.neighbor_alltoall(&[1; 3]), ErrorClass::COUNT, uneven);
    let short = "MPI_Neighbor_alltoall: the receive buffer holds 2 elements, but 4 are needed";
    refused(ring.neighbor_alltoall_into(&[1; 4], &mut [0; 2]), ErrorClass::COUNT, short);
    let short = "MPI_Neighbor_allgather: the receive buffer holds 2 elements, but 6 are needed";
    refused(ring.neighbor_allgather_into(&[1; 3], &mut [0; 2]), ErrorClass::COUNT, short);
    let few = "MPI_Neighbor_alltoallv: there are 1 counts, but 2 are needed: one for each rank, or neighbour";
    refused(ring.neighbor_alltoallv(&[1].with_counts(&Counts::new(&[1])?)), ErrorClass::COUNT, few);
    let short = "MPI_Neighbor_alltoallv: the send buffer holds 1 elements, but 2 are needed";
    refused(ring.neighbor_alltoallv(&[1].with_counts(&two)), ErrorClass::COUNT, short);
    let shared = Counts::new(&[2, 2])?.with_displs(&[0, 1])?;
    let into = ring.neighbor_alltoallv_into([1, 2].with_counts(&two), room.with_counts_mut(&shared));
    refused(
        into,
        ErrorClass::BUFFER,
        "MPI_Neighbor_alltoallv: two of the blocks that are received, 4 elements in the first 3 of the buffer, share elements",
    );
    let into = ring.neighbor_allgatherv_into(&[1], room[..1].with_counts_mut(&two));
    refused(
        into,
        ErrorClass::COUNT,
        "MPI_Neighbor_allgatherv: the receive buffer holds 1 elements, but 2 are needed",
    );
    world.barrier()
}
