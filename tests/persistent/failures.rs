//! An operation of a plan fails while others are in flight: the flight ends when the others are complete, and the plan
//! goes on.

use mpi::persistent::Plan;
use mpi::request::Test;
use mpi::{Communicator, ErrorClass, Result};
use std::time::Duration;

/// How a flight ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Wait,
    Test,
    Drop,
    Forget,
}

/// The message that is too long has come before the flight is waited for, the last one comes after: Open MPI's
/// `MPI_Waitall` would never return (fault `waitall-spins`).
#[mpi::test(ranks = 2)]
fn a_failure_before_the_wait(world: Communicator) -> Result<()> {
    for end in [End::Wait, End::Test, End::Drop, End::Forget, End::Wait] {
        if world.rank() == 1 {
            world.barrier()?;
            world.send(&[1u32; 3], 0, 0)?;
            world.barrier()?;
            std::thread::sleep(Duration::from_millis(100));
            world.send(&[7u32; 2], 0, 1)?;
            world.barrier()?;
            world.send(&[2u32; 2], 0, 0)?;
            world.send(&[8u32; 2], 0, 1)?;
            continue;
        }
        let mut plan = Plan::new(&world);
        let array = plan.array([0u32; 4]);
        plan.recv(array, 0..2, 1, 0)?.recv(array, 2..4, 1, 1)?;
        let mut flight = plan.start()?;
        world.barrier()?;
        world.barrier()?;
        let result = match end {
            End::Wait => flight.wait(),
            End::Test => loop {
                match flight.test() {
                    Ok(Test::Pending(back)) => flight = back,
                    Ok(Test::Done(())) => break Ok(()),
                    Err(error) => break Err(error),
                }
            },
            End::Drop => {
                drop(flight);
                plan.get(array).map(drop)
            }
            End::Forget => {
                std::mem::forget(flight);
                plan.get(array).map(drop)
            }
        };
        let class = result.expect_err("a message was too long").class();
        assert!(matches!(class, ErrorClass::TRUNCATE | ErrorClass::IN_STATUS), "{end:?}: {class:?}");
        assert_eq!(plan.get(array)?[2..], [7; 2], "{end:?}: the other message is there");
        world.barrier()?;
        plan.start()?.wait()?;
        assert_eq!(plan.take(array)?, [2, 2, 8, 8], "{end:?}");
    }
    Ok(())
}
