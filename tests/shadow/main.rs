//! Random programs on a real MPI, beside a sequential model of what they must do.
//!
//! A program is some rounds of messages between the ranks. Every rank posts its receives and sends of a round, then waits
//! for some, tests some, drops some, forgets some. They are borrowed by a scope or owned by requests, alone or in sets that
//! last for several rounds; some messages are matched by probes. In each round a plan is started, and now and then all ranks
//! exchange messages around a ring. What each receive must bring follows from the order of posting alone (MPI 4.1 §3.5:
//! messages do not overtake). Every element is compared, also those around a view and behind a short message.
//!
//! All ranks make the same programs from the same seed, and agree after each on whether it went well: so they shrink a
//! failing one together, to the same small program.
//!
//! 1,000 programs run by default, most of them on two ranks. `SHADOW_CASES=10000 cargo xmpi test -p mpi --test shadow`
//! runs so many on each rank count.

mod element;
mod execute;
mod operation;
mod owned;
mod plans;
mod probed;
mod program;
mod scoped;
mod sets;
mod swaps;

use mpi::op::LogicalAnd;
use mpi::{Communicator, Result};
use program::Program;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs as many programs as are asked for. Their seed is the rank count, so that each launch sees others.
fn shadow(world: &Communicator) -> Result<()> {
    let default = match world.size() {
        1 => 250,
        2 => 500,
        _ => 125,
    };
    let cases = std::env::var("SHADOW_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let seed = [world.size() as u8; 32];
    let other = world.dup()?;
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let outcome = runner.run(&Program::strategy(world.size()), |program| {
        let mine = execute::run(world, &other, &program);
        let well = mine.as_ref().is_ok_and(|differences| differences.is_empty());
        let all = world.allreduce(&well, LogicalAnd).map_err(|e| TestCaseError::fail(e.to_string()))?;
        if all {
            return Ok(());
        }
        Err(TestCaseError::fail(match mine {
            Ok(differences) if differences.is_empty() => "another rank found a difference".to_owned(),
            Ok(differences) => differences.join("\n"),
            Err(e) => e.to_string(),
        }))
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2], timeout = 240)]
fn random_programs_do_what_the_model_says(world: Communicator) -> Result<()> {
    shadow(&world)
}

#[mpi::test(ranks = [3, 4], timeout = 240)]
fn random_programs_on_more_ranks_than_cores(world: Communicator) -> Result<()> {
    shadow(&world)
}
