//! Calls that some library gets wrong, and this crate does not.

use crate::sample::{Sample, same, samples};
use crate::{LARGE, SIZES};
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
