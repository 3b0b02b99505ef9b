//! Tests that misbehave, each in its own way. They do so only when `main.rs` runs them; otherwise they do nothing.

use mpi::Communicator;
use std::env::var_os;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by `main.rs` for the processes that it starts.
pub const SWITCH: &str = "MPI_TEST_FIXTURE";

fn off() -> bool {
    var_os(SWITCH).is_none()
}

#[mpi::test(ranks = [1, 2])]
fn a_passes(world: Communicator) -> mpi::Result<()> {
    println!("greetings from {}", world.rank());
    world.barrier()
}

#[mpi::test(ranks = [1, 2])]
fn b_panics_on_one_rank(world: Communicator) -> mpi::Result<()> {
    if off() {
        return Ok(());
    }
    println!("last words of {}", world.rank());
    assert_ne!(world.rank(), 1, "one\ntwo");
    world.barrier()
}

#[mpi::test(ranks = 2)]
fn c_returns_an_error(world: Communicator) -> Result<(), String> {
    if !off() && world.rank() == 0 {
        return Err("no more".to_owned());
    }
    world.barrier().map_err(|error| error.to_string())
}

#[mpi::test(ranks = 2)]
fn d_panics_everywhere(world: Communicator) {
    assert!(off() || world.size() == 3, "a world of {}", world.size());
}

#[mpi::test(ranks = 2, timeout = 1.5)]
fn e_hangs(world: Communicator) -> mpi::Result<()> {
    match world.rank() {
        _ if off() => Ok(()),
        0 => world.barrier(),
        _ => world.recv::<i32>(0, 7).map(|_| ()),
    }
}

#[mpi::test(ranks = 2, timeout = 1.5)]
fn f_never_returns(world: Communicator) -> mpi::Result<()> {
    static FOREVER: AtomicBool = AtomicBool::new(true);
    let spins = !off() && world.rank() == 1;
    while spins && FOREVER.load(Ordering::Relaxed) {
        std::hint::spin_loop();
    }
    world.barrier()
}

#[mpi::test(ranks = 2)]
fn g_exits(world: Communicator) -> mpi::Result<()> {
    if !off() && world.rank() == 1 {
        std::process::exit(0);
    }
    world.barrier()
}

#[mpi::test(ranks = 2)]
fn h_aborts(world: Communicator) -> mpi::Result<()> {
    if !off() && world.rank() == 1 {
        std::process::abort();
    }
    world.barrier()
}

#[mpi::test(ranks = 2)]
fn i_overflows_its_stack(world: Communicator) -> mpi::Result<()> {
    if !off() && world.rank() == 1 {
        println!("{}", deeper([0; 64]));
    }
    world.barrier()
}

/// The one way to die of a fault without `unsafe`.
#[expect(unconditional_recursion, reason = "that is what it is for")]
fn deeper(mut levels: [u64; 64]) -> u64 {
    levels[0] += 1;
    deeper(levels) + levels[1]
}

#[mpi::test(ranks = 2)]
fn j_ends_the_job(world: Communicator) -> mpi::Result<()> {
    if !off() && world.rank() == 1 {
        world.abort(5);
    }
    world.barrier()
}

#[mpi::test(ranks = 2)]
fn k_leaks_a_handle(world: Communicator) {
    std::mem::forget(world);
}

#[mpi::test]
#[ignore = "to be seen as ignored"]
fn l_is_ignored(world: Communicator) -> mpi::Result<()> {
    world.barrier()
}

#[mpi::test(ranks = [1, 2, 4])]
fn z_passes(world: Communicator) -> mpi::Result<()> {
    world.barrier()
}
