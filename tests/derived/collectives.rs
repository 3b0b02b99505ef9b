//! Derived types in collectives, from the values of all ranks.

use crate::sample::{Sample, same, samples};
use crate::types::*;
use mpi::{AnyBits, Communicator, Result, Scalar};

/// Values from every rank, in the order of ranks.
fn from_all<T: Sample>(size: usize, len: usize) -> Vec<T> {
    (0..size).flat_map(|rank| samples::<T>(rank, len)).collect()
}

fn collected<T: Sample + Scalar>(world: &Communicator) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    for len in [0, 1, 50] {
        let (mine, all) = (samples::<T>(rank, len), from_all::<T>(size, len));
        same(&world.allgather(&mine)?, &all);
        if let Some(gathered) = world.gather(&mine, size - 1)? {
            same(&gathered, &all);
        }
        let part = world.scatter((rank == 0).then_some(&all[..]), 0)?;
        same(&part, &mine);
        let swapped = world.alltoall(&all)?;
        let expected: Vec<T> = (0..size).flat_map(|_| samples::<T>(rank, len)).collect();
        same(&swapped, &expected);
    }
    same(&world.allgather(&T::sample(rank))?, &(0..size).map(T::sample).collect::<Vec<_>>());
    Ok(())
}

fn spread<T: Sample + Scalar + AnyBits>(world: &Communicator) -> Result<()> {
    collected::<T>(world)?;
    let (rank, size) = (world.rank(), world.size());
    for len in [0, 1, 1000] {
        let mut buffer = samples::<T>(rank, len);
        world.bcast(&mut buffer, size - 1)?;
        same(&buffer, &samples::<T>(size - 1, len));
        let mut all = samples::<T>(100, len * size);
        world.allgather_into(&samples::<T>(rank, len), &mut all)?;
        same(&all, &from_all(size, len));
    }
    Ok(())
}

macro_rules! collectives {
    ($way:ident: $($name:ident $type:ty;)+) => { $(
        #[mpi::test(ranks = [1, 2, 3, 4])]
        fn $name(world: Communicator) -> Result<()> {
            $way::<$type>(&world)
        }
    )+ };
}
collectives! { spread:
    uniform Uniform;
    mixed Mixed;
    packed Packed;
    aligned Aligned;
    nested Nested;
    generic Generic<Mixed, 2>;
    bytes Bytes;
}
collectives! { collected:
    color Color;
    checked Checked;
    skipping SkippingInside<Checked>;
}
