//! What one rank gives wrongly is an `Err` on that rank, before MPI is called: the others notice nothing.

use mpi::op::Sum;
use mpi::{Communicator, ErrorClass, Result};
use std::fmt::Debug;

/// The last rank alone makes a mistake; then all make a right call together.
pub fn one_alone(world: &Communicator, mistake: impl FnOnce() -> Result<()>) -> Result<()> {
    if world.rank() == world.size() - 1 {
        mistake()?;
    }
    assert_eq!(world.allreduce(&1usize, Sum)?, world.size());
    Ok(())
}

#[track_caller]
pub fn refused<T: Debug>(result: Result<T>, class: ErrorClass, text: &str) {
    let error = result.expect_err(text);
    assert_eq!((error.to_string().as_str(), error.class(), error.code()), (text, class, None));
}

#[mpi::test(ranks = [1, 2])]
fn receive_buffers_of_another_length(world: Communicator) -> Result<()> {
    let (size, root) = (world.size(), world.size() - 1);
    one_alone(&world, || {
        let wrong = |call: &str, has: usize, needs: usize| {
            format!("{call}: the receive buffer holds {has} elements, but {needs} are needed")
        };
        for has in [0, 2, 4] {
            let mut buffer = vec![0u8; has];
            let reduce = world.reduce_into(&[1u8; 3], Some(&mut buffer), Sum, root);
            refused(reduce, ErrorClass::COUNT, &wrong("MPI_Reduce", has, 3));
            let allreduce = world.allreduce_into(&[1u8; 3], &mut buffer, Sum);
            refused(allreduce, ErrorClass::COUNT, &wrong("MPI_Allreduce", has, 3));
            let started = world.scope(|s| s.iallreduce(&[1u8; 3], &mut buffer, Sum).map(|r| r.defer()));
            refused(started, ErrorClass::COUNT, &wrong("MPI_Iallreduce", has, 3));
        }
        for has in [0, size * 3 - 1, size * 3 + 1] {
            let mut buffer = vec![0u8; has];
            let allgather = world.allgather_into(&[1u8; 3], &mut buffer);
            refused(allgather, ErrorClass::COUNT, &wrong("MPI_Allgather", has, 3 * size));
            let gather = world.gather_into(&[1u8; 3], Some(&mut buffer), root);
            refused(gather, ErrorClass::COUNT, &wrong("MPI_Gather", has, 3 * size));
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2])]
fn send_buffers_of_another_length(world: Communicator) -> Result<()> {
    let (size, root) = (world.size(), world.size() - 1);
    one_alone(&world, || {
        for has in [0, size * 3 - 1, size * 3 + 1] {
            let text =
                format!("MPI_Scatter: the send buffer holds {has} elements, but {} are needed", 3 * size);
            let scatter = world.scatter_into(Some(&vec![1u8; has]), &mut [0; 3], root);
            refused(scatter, ErrorClass::COUNT, &text);
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 3])]
fn a_root_without_a_buffer(world: Communicator) -> Result<()> {
    let root = world.size() - 1;
    one_alone(&world, || {
        let text = |call| format!("{call}: rank {root} is the root and must give the buffer the root needs");
        let none = None::<&mut [u8]>;
        refused(world.reduce_into(&[1u8; 3], none, Sum, root), ErrorClass::BUFFER, &text("MPI_Reduce"));
        let none = None::<&mut [u8]>;
        refused(world.gather_into(&[1u8; 3], none, root), ErrorClass::BUFFER, &text("MPI_Gather"));
        let none = None::<&[u8]>;
        refused(world.scatter_into(none, &mut [0u8; 3], root), ErrorClass::BUFFER, &text("MPI_Scatter"));
        refused(world.scatter(none, root), ErrorClass::BUFFER, &text("MPI_Scatter"));
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3])]
fn a_buffer_that_only_the_root_may_give(world: Communicator) -> Result<()> {
    let me = world.rank();
    one_alone(&world, || {
        let text = |call| {
            format!(
                "{call}: rank {me} gave a buffer that only the root, rank 0, may give: pass None elsewhere"
            )
        };
        let mut buffer = [0u8; 9];
        let reduce = world.reduce_into(&[1u8; 9], Some(&mut buffer), Sum, 0);
        refused(reduce, ErrorClass::BUFFER, &text("MPI_Reduce"));
        refused(world.gather_into(&[1u8], Some(&mut buffer), 0), ErrorClass::BUFFER, &text("MPI_Gather"));
        let scatter = world.scatter_into(Some(&[1u8; 9]), &mut buffer, 0);
        refused(scatter, ErrorClass::BUFFER, &text("MPI_Scatter"));
        refused(world.scatter(Some(&[1u8; 9]), 0), ErrorClass::BUFFER, &text("MPI_Scatter"));
        Ok(())
    })
}

/// Only the root knows the length; still every rank learns that it cannot be dealt out, and none waits for ever.
#[mpi::test(ranks = [2, 3, 4])]
fn a_scatter_that_cannot_be_dealt_out_fails_everywhere(world: Communicator) -> Result<()> {
    let size = world.size();
    for root in 0..size {
        for len in [1, size + 1, 3 * size - 1] {
            let all = (world.rank() == root).then(|| vec![7u32; len]);
            let text =
                format!("MPI_Scatter: a buffer of {len} elements cannot be dealt out evenly to {size} ranks");
            refused(world.scatter(all.as_ref(), root), ErrorClass::COUNT, &text);
        }
        // And the next one works.
        let all = (world.rank() == root).then(|| (0..2 * size).collect::<Vec<_>>());
        assert_eq!(world.scatter(all.as_ref(), root)?, [2 * world.rank(), 2 * world.rank() + 1]);
    }
    Ok(())
}

/// A peer that sends what is no `bool`: nothing invalid is ever visible.
#[mpi::test(ranks = 2)]
fn collected_bits_that_are_no_value(world: Communicator) -> Result<()> {
    let invalid =
        |index| format!("element {index} of the message is not a valid value of the type it was received as");
    // Rank 1 gives bytes where rank 0 takes truth values: the sizes agree, so MPI delivers.
    if world.rank() == 0 {
        let text = format!("MPI_Gather: {}", invalid(1));
        refused(world.gather(&true, 0), ErrorClass::TYPE, &text);
    } else {
        world.gather_into(&2u8, None::<&mut [u8]>, 0)?;
    }
    world.barrier()
}
