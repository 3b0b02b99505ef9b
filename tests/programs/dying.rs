//! A process of the job ends without a word to MPI while another waits for it: the launcher ends the job, and nothing
//! of it is left.

use crate::case::{Case, Ended};
use mpi::environment::{Family, bound_library};
use mpi::persistent::Plan;
use mpi::{Communicator, Result};
use std::process::{self, ExitCode};

pub const CASES: &[Case] = &[
    Case::new("by_exit_while_another_receives", 2, || two(|| process::exit(0), receives), exited),
    Case::new("by_exit_with_a_code", 2, || two(|| process::exit(3), receives), exited_with_a_code),
    Case::new("by_abort_while_another_receives", 2, || two(|| process::abort(), receives), aborted),
    Case::new("by_abort_while_a_scope_ends", 2, || two(|| process::abort(), ends_a_scope), aborted),
    Case::new("by_abort_while_an_owned_request_is_waited_for", 2, || two(|| process::abort(), owns), aborted),
    Case::new("by_abort_while_a_request_is_dropped", 2, || two(|| process::abort(), drops), aborted),
    Case::new("by_abort_while_a_plan_is_in_flight", 2, || two(|| process::abort(), plans), aborted),
    Case::new("by_abort_while_all_others_are_in_a_collective", 4, || two(|| process::abort(), sums), aborted),
    Case::new("by_exit_with_requests_in_flight", 2, exits_in_flight, exited),
];

/// Rank 1 dies when all have started, the others wait for it.
fn two(die: fn(), wait: fn(&Communicator) -> Result<()>) -> ExitCode {
    mpi::run(move |world| {
        world.barrier()?;
        if world.rank() == 1 {
            die();
        }
        wait(&world)
    })
}

/// The process that exits still says that it did so without MPI.
fn exited(ended: &Ended) {
    ended.was_over_soon();
    // MPICH's launcher ends the others then, and reports the code of the process that exited, were it that of success.
    assert!(
        ended.code != 0 || bound_library().family != Family::OpenMpi,
        "the exit code says that all is well"
    );
    assert!(ended.count("MPI was not finalized: ") >= 1, "nobody said that MPI was not finalized");
    assert_eq!(ended.count("panicked"), 0);
}

fn exited_with_a_code(ended: &Ended) {
    exited(ended);
    ended.failed();
}

fn aborted(ended: &Ended) {
    ended.failed();
    assert_eq!(ended.count("panicked"), 0);
}

fn receives(world: &Communicator) -> Result<()> {
    world.recv::<u8>(1, 0).map(drop)
}

fn ends_a_scope(world: &Communicator) -> Result<()> {
    let mut never = [0u64; 1000];
    world.scope(|s| s.irecv(&mut never, 1, 0).map(|request| request.defer()))
}

fn owns(world: &Communicator) -> Result<()> {
    let outgoing = world.issend(vec![1u8; 4], 1, 0)?;
    world.irecv(vec![0u8; 4], 1, 0)?.wait()?;
    outgoing.wait()?;
    Ok(())
}

fn drops(world: &Communicator) -> Result<()> {
    drop(world.irecv(vec![0u8; 4], 1, 0)?);
    Ok(())
}

fn plans(world: &Communicator) -> Result<()> {
    let mut plan = Plan::new(world);
    let array = plan.array([0u32; 8]);
    plan.recv(array, 0..4, 1, 0)?.send(array, 4..8, 1, 0)?;
    plan.start()?.wait()
}

fn sums(world: &Communicator) -> Result<()> {
    world.allreduce(&1u64, mpi::op::Sum).map(drop)
}

/// MPI writes to the memory of the process until it is gone.
fn exits_in_flight() -> ExitCode {
    mpi::run(|world| -> Result<()> {
        let peer = 1 - world.rank();
        let incoming = world.irecv(vec![0u8; 1 << 20], peer, 0)?;
        let outgoing = world.isend(vec![1u8; 1 << 20], peer, 0)?;
        if world.rank() == 1 {
            process::exit(0);
        }
        world.recv::<u8>(peer, 1)?; // never
        incoming.wait()?;
        outgoing.wait()?;
        Ok(())
    })
}
