//! Random plans against a brute-force model of who uses which element.

use mpi::persistent::{Block, Plan};
use mpi::{Communicator, Result};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Free,
    Sent,
    Received,
}

#[derive(Clone, Debug)]
struct Case {
    rows: usize,
    cols: usize,
    /// Whether it receives, and the block.
    operations: Vec<(bool, Block)>,
    /// What is looked at in flight.
    looks: Vec<Block>,
}

fn case() -> impl Strategy<Value = Case> {
    let block = || {
        (0usize..7, 0usize..4, 0usize..7, 0usize..4).prop_map(|(r, h, c, w)| Block::new(r..r + h, c..c + w))
    };
    let operations = prop::collection::vec((any::<bool>(), block()), 0..8);
    (1usize..7, 1usize..7, operations, prop::collection::vec(block(), 6))
        .prop_map(|(rows, cols, operations, looks)| Case { rows, cols, operations, looks })
}

/// What every element of the block is used for; `None` if it is not inside.
fn uses(case: &Case, all: &[Use], block: &Block) -> Option<Vec<Use>> {
    if block.rows.end > case.rows || block.cols.end > case.cols {
        return None;
    }
    let cells = block.rows.clone().flat_map(|r| block.cols.clone().map(move |c| (r, c)));
    Some(cells.map(|(r, c)| all[r * case.cols + c]).collect())
}

fn check(world: &Communicator, case: &Case) -> Result<()> {
    let mut all = vec![Use::Free; case.rows * case.cols];
    let mut plan = Plan::new(world);
    let grid = plan.grid((0..all.len() as u32).collect::<Vec<_>>(), case.rows, case.cols)?;
    for (receives, block) in &case.operations {
        let used = uses(case, &all, block);
        // To and from nowhere: the check is the same, and nothing has to match.
        let (accepted, allowed, becomes) = if *receives {
            let allowed = used.is_some_and(|used| used.iter().all(|&cell| cell == Use::Free));
            (plan.recv(grid, block.clone(), None, 0).is_ok(), allowed, Use::Received)
        } else {
            let allowed = used.is_some_and(|used| !used.contains(&Use::Received));
            (plan.send(grid, block.clone(), None, 0).is_ok(), allowed, Use::Sent)
        };
        assert_eq!(accepted, allowed, "{block:?} of {case:?}");
        if accepted {
            let cells = block.rows.clone().flat_map(|r| block.cols.clone().map(move |c| (r, c)));
            cells.for_each(|(r, c)| all[r * case.cols + c] = becomes);
        }
    }
    let mut flight = plan.start()?;
    for block in &case.looks {
        let used = uses(case, &all, block);
        let readable = used.as_ref().is_some_and(|used| !used.contains(&Use::Received));
        let writable = used.as_ref().is_some_and(|used| used.iter().all(|&cell| cell == Use::Free));
        match flight.view(grid, block.clone()) {
            Ok(view) => {
                assert!(readable, "{block:?} of {case:?}");
                let cells = block.rows.clone().flat_map(|r| block.cols.clone().map(move |c| (r, c)));
                assert!(view.iter().copied().eq(cells.map(|(r, c)| (r * case.cols + c) as u32)));
            }
            Err(_) => assert!(!readable, "{block:?} of {case:?}"),
        }
        assert_eq!(flight.view_mut(grid, block.clone()).is_ok(), writable, "{block:?} of {case:?}");
    }
    flight.wait()
}

#[mpi::test(ranks = 1)]
fn a_plan_accepts_what_a_brute_force_model_accepts(world: Communicator) -> Result<()> {
    let config = Config { cases: 2000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
    let outcome = runner
        .run(&case(), |case| check(&world, &case).map_err(|error| TestCaseError::fail(error.to_string())));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    Ok(())
}
