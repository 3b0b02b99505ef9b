//! Calls that some library gets wrong, and this crate does not.

use crate::sample::{Sample, same, samples};
use crate::{LARGE, SIZES};
use mpi::buffer::{Counts, Parts, PartsMut, Strided, StridedMut, WithCounts};
use mpi::op::{Max, Number, Ordered, Sum};
use mpi::{AnyBits, Communicator, Result};

/// MPICH 4.0 crashes in place at a root other than 0, from about 1,000 numbers on.
fn reduce_in_place<T>(world: &Communicator, len: usize) -> Result<()>
where
    T: Sample + AnyBits + Number + Ordered,
{
    for root in 0..world.size() {
        let mine = samples::<T>(world.rank(), len);
        let mut both = mine.clone();
        world.reduce_in_place(&mut both, Sum, root)?;
        let total = world.allreduce(&mine, Sum)?;
        same(&both, if world.rank() == root { &total } else { &mine });
        both.copy_from_slice(&mine);
        world.reduce_in_place(&mut both, Max, root)?;
        let largest = world.allreduce(&mine, Max)?;
        same(&both, if world.rank() == root { &largest } else { &mine });
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn reductions_in_place_at_every_root(world: Communicator) -> Result<()> {
    for len in SIZES {
        reduce_in_place::<f64>(&world, len)?;
        reduce_in_place::<u16>(&world, len)?;
        reduce_in_place::<[i32; 3]>(&world, len)?;
    }
    reduce_in_place::<f64>(&world, LARGE)
}

/// MPICH since 4.0.3 divides by zero when a message arrives at a receive of a datatype without size.
#[mpi::test(ranks = [1, 2, 3])]
fn views_of_elements_without_size(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (full, mut room, mut more) = ([(); 12], [(); 12], [[0u8; 0]; 12]);
    let ring = world.cartesian(&[size], &[true], false)?.expect("every rank has a place");
    let column = || Strided::new(&full, 1, 3, 1, 4);
    let send = Parts::of([column()?, column()?])?;
    let (left, right) = room.split_at_mut(6);
    let mut recv = PartsMut::of([StridedMut::new(left, 0, 3, 1, 2)?, StridedMut::new(right, 0, 3, 1, 2)?])?;
    ring.scope(|s| s.ineighbor_alltoallw(&send, &mut recv)?.wait().map(drop))?;
    world.scope(|s| {
        let incoming = s.irecv(StridedMut::new(&mut more, 0, 3, 2, 4)?, (me + size - 1) % size, 0)?;
        s.isend(column()?, (me + 1) % size, 0)?.defer();
        assert_eq!(incoming.wait()?.status.count::<u8>(), Some(0));
        Ok(())
    })
}

/// Open MPI hangs on three ranks and more where what is sent has types of different sizes: columns of different lengths,
/// slices at some ranks, and at one rank pairs of what the others have.
#[mpi::test(ranks = [1, 2, 3, 4, 5])]
fn collected_from_different_types(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for unit in [2, 20, 100, 700] {
        let lengths: Vec<usize> = (1..=size).map(|rank| unit * rank).collect();
        let of = |rank: usize| (0..lengths[rank]).map(move |i| (1000 * rank + i) as u64).collect::<Vec<_>>();
        let expected: Vec<u64> = (0..size).flat_map(of).collect();
        let mine = of(me);
        let matrix: Vec<u64> = mine.iter().flat_map(|&x| [u64::MAX, x, u64::MAX]).collect();
        let column = Strided::new(&matrix, 1, mine.len(), 1, 3)?;
        assert_eq!(world.allgatherv(&column)?, expected);

        let counts = Counts::new(&lengths)?;
        let mut all = vec![0; expected.len()];
        if me % 2 == 0 {
            world.allgatherv_into(&column, all.with_counts_mut(&counts))?;
        } else {
            world.allgatherv_into(&mine, all.with_counts_mut(&counts))?;
        }
        assert_eq!(all, expected);

        all.fill(0);
        if me == 0 {
            let halves = Counts::new(&lengths.iter().map(|len| len / 2).collect::<Vec<_>>())?;
            let mut pairs = vec![[0; 2]; expected.len() / 2];
            world.allgatherv_into(mine.as_chunks::<2>().0, pairs.with_counts_mut(&halves))?;
            all.copy_from_slice(pairs.as_flattened());
        } else {
            world.allgatherv_into(&mine, all.with_counts_mut(&counts))?;
        }
        assert_eq!(all, expected);
    }
    Ok(())
}
