//! Plans, persistent operations and partitioned messages that an early error leaves in flight.

use crate::case::{Case, Ended};
use mpi::persistent::Plan;
use mpi::{Communicator, Result};
use std::process::ExitCode;
use std::time::Duration;

pub const CASES: &[Case] = &[
    Case::new("an_error_with_a_plan_that_nobody_receives_from", 2, plan, |ended| {
        stalled(ended, "MPI_Ssend_init to rank 1 with tag 7");
    }),
    Case::new("an_error_with_a_scoped_plan_that_nobody_receives_from", 2, scoped_plan, |ended| {
        stalled(ended, "MPI_Ssend_init to rank 1 with tag 8");
    }),
    Case::new("an_error_with_a_forgotten_scoped_plan", 2, forgotten, |ended| {
        ended.failed();
        ended.said_once(&[
            "MPI_Ssend_init to rank 1 with tag 9 is still in flight 300ms after its scope ended with an error",
        ]);
    }),
    Case::new("an_error_with_one_send_that_nobody_receives", 2, single, |ended| {
        stalled(ended, "MPI_Ssend_init to rank 1 with tag 10");
    }),
    Case::new("an_error_with_one_receive_that_nobody_sends_to", 2, single_receive, |ended| {
        ended.failed();
        ended.said_once(&["MPI_Send: destination 9 is not a rank"]);
    }),
    Case::new("an_error_with_a_partitioned_message", 2, partitioned, |ended| {
        if ended.count("no partitioned communication") == 0 {
            stalled(ended, "MPI_Precv_init from rank 1 with tag 11");
        }
    }),
    Case::new("a_panic_with_a_scoped_plan", 2, panicking, |ended| {
        ended.failed();
        ended.said_once(&[
            "MPI_Recv_init from rank 1 with tag 12 is in flight while its scope panics; ending the job",
        ]);
    }),
    Case::new("without_an_error_a_flight_is_waited_for_aloud", 2, slow_peer, |ended| {
        assert!(!ended.timed_out && ended.code == 0, "exit code {}", ended.code);
        ended.said_once(&[
            "MPI_Recv_init from rank 1 with tag 13 was dropped, and has been waited for since 200ms",
        ]);
    }),
];

#[track_caller]
fn stalled(ended: &Ended, what: &str) {
    ended.failed();
    let line =
        format!("{what} is still in flight 300ms after it was dropped because of an error; ending the job");
    ended.said_once(&[&line]);
}

/// Rank 0 does something; rank 1 waits for it in a barrier, for ever.
fn on_rank_0(program: impl FnOnce(&Communicator) -> Result<()>) -> ExitCode {
    mpi::environment::set_stall_limit(Duration::from_millis(300));
    mpi::run(|world: Communicator| if world.rank() == 0 { program(&world) } else { world.barrier() })
}

fn early(world: &Communicator) -> Result<()> {
    world.send(&1u8, 9, 0)
}

fn plan() -> ExitCode {
    on_rank_0(|world| {
        let mut plan = Plan::new(world);
        let array = plan.array([1u8; 8]);
        plan.recv(array, 0..4, 1, 6)?.ssend(array, 4..8, 1, 7)?;
        let _flight = plan.start()?;
        early(world)
    })
}

fn scoped_plan() -> ExitCode {
    on_rank_0(|world| {
        let mut array = [1u8; 8];
        world.scope(|s| {
            let mut plan = s.plan();
            let array = plan.array(&mut array);
            plan.recv(array, 0..4, 1, 6)?.ssend(array, 4..8, 1, 8)?;
            let _flight = plan.start()?;
            early(world)
        })
    })
}

fn forgotten() -> ExitCode {
    on_rank_0(|world| {
        let mut array = [1u8; 8];
        world.scope(|s| {
            let mut plan = s.plan();
            let array = plan.array(&mut array);
            plan.recv(array, 0..4, 1, 6)?.ssend(array, 4..8, 1, 9)?;
            std::mem::forget(plan.start()?);
            std::mem::forget(plan);
            early(world)
        })
    })
}

fn single() -> ExitCode {
    on_rank_0(|world| {
        let mut send = world.ssend_init([1u8; 8], 1, 10)?;
        let _started = send.start()?;
        early(world)
    })
}

/// It is cancelled, so that the error is heard at once.
fn single_receive() -> ExitCode {
    on_rank_0(|world| {
        let mut receive = world.recv_init([1u8; 8], 1, 10)?;
        let _started = receive.start()?;
        early(world)
    })
}

fn partitioned() -> ExitCode {
    on_rank_0(|world| {
        let Ok(mut receive) = world.precv_init([1u8; 8], 2, 1, 11) else {
            eprintln!("no partitioned communication");
            return world.barrier();
        };
        let _arriving = receive.start()?;
        early(world)
    })
}

fn panicking() -> ExitCode {
    on_rank_0(|world| {
        let mut never = 0u64;
        world.scope(|s| {
            let mut plan = s.plan();
            let array = plan.array(std::slice::from_mut(&mut never));
            plan.recv(array, 0..1, 1, 12)?;
            let _flight = plan.start()?;
            panic!("lost the thread")
        })
    })
}

/// Without an error it goes on waiting, but not in silence.
fn slow_peer() -> ExitCode {
    mpi::environment::set_stall_limit(Duration::from_millis(200));
    mpi::run(|world: Communicator| -> Result<()> {
        if world.rank() == 1 {
            std::thread::sleep(Duration::from_millis(900));
            return world.send(&[1u8; 8], 0, 13);
        }
        let mut receive = world.recv_init([0u8; 8], 1, 13)?;
        drop(receive.start()?);
        assert_eq!(receive.buffer()?, [1; 8]);
        Ok(())
    })
}
