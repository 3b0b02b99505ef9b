//! Results in a vector that is kept from call to call.

use mpi::buffer::{Counts, WithCounts};
use mpi::{Communicator, Result};

/// What `from` has for `to` in a step; it grows, shrinks and is nothing at times.
fn block(step: usize, from: usize, to: usize) -> Vec<[u32; 2]> {
    let len = [3, 0, 70, 1, 2000][(step + from + to) % 5];
    (0..len).map(|i| [(step * 100 + from * 10 + to) as u32, i]).collect()
}

#[mpi::test(ranks = [1, 2, 3])]
fn of_allgatherv(world: Communicator) -> Result<()> {
    let mut all = vec![[9, 9]; 4];
    for step in 0..12 {
        let counts = world.allgatherv_resizing(&block(step, world.rank(), 0), &mut all)?;
        let blocks: Vec<_> = (0..world.size()).map(|from| block(step, from, 0)).collect();
        assert_eq!(counts.to_vec(), blocks.iter().map(Vec::len).collect::<Vec<_>>());
        assert_eq!(all, blocks.concat(), "step {step}");
    }
    let place = all.as_ptr();
    world.allgatherv_resizing(&[[0, 0]], &mut all)?;
    assert_eq!(all, vec![[0, 0]; world.size()]);
    assert_eq!(all.as_ptr(), place, "what is large enough serves again");
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn of_alltoallv(world: Communicator) -> Result<()> {
    let (me, ranks) = (world.rank(), world.size());
    let mut all = Vec::new();
    for step in 0..12 {
        let mine: Vec<_> = (0..ranks).map(|to| block(step, me, to)).collect();
        let counts = world.alltoallv_resizing(&mine, &mut all)?;
        let blocks: Vec<_> = (0..ranks).map(|from| block(step, from, me)).collect();
        assert_eq!(counts.to_vec(), blocks.iter().map(Vec::len).collect::<Vec<_>>());
        assert_eq!(all, blocks.concat(), "step {step}");
    }
    let (place, one) = (all.as_ptr(), Counts::new(&vec![1; ranks])?);
    world.alltoallv_resizing(&vec![[me as u32, 0]; ranks].with_counts(&one), &mut all)?;
    assert_eq!(all, (0..ranks as u32).map(|from| [from, 0]).collect::<Vec<_>>());
    assert_eq!(all.as_ptr(), place, "what is large enough serves again");
    Ok(())
}

/// What is sent may be anything that can be, also where a rank is alone.
#[mpi::test(ranks = [1, 2])]
fn of_a_column(world: Communicator) -> Result<()> {
    let table: Vec<u64> = (0..12).map(|i| i + 100 * world.rank() as u64).collect();
    let mut all = Vec::new();
    world.allgatherv_resizing(&mpi::buffer::Strided::new(&table, 1, 3, 1, 4)?, &mut all)?;
    let expected: Vec<u64> = (0..world.size() as u64).flat_map(|r| [1, 5, 9].map(|i| i + 100 * r)).collect();
    assert_eq!(all, expected);
    Ok(())
}
