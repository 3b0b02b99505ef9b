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
    /// Planes, rows and columns.
    dims: [usize; 3],
    /// Whether it receives, and the block.
    operations: Vec<(bool, Block)>,
    /// What is looked at in flight.
    looks: Vec<Block>,
}

fn case() -> impl Strategy<Value = Case> {
    let range = |n: usize| (0..n, 0usize..4).prop_map(|(start, len)| start..start + len);
    let block = move || [range(3), range(6), range(6)].prop_map(Block::from);
    let operations = prop::collection::vec((any::<bool>(), block()), 0..8);
    ([1usize..4, 1usize..7, 1usize..7], operations, prop::collection::vec(block(), 6))
        .prop_map(|(dims, operations, looks)| Case { dims, operations, looks })
}

/// The elements of a block, one by one; `None` if it is not inside.
fn cells(case: &Case, block: &Block) -> Option<Vec<usize>> {
    let [planes, rows, cols] = case.dims;
    if block.planes.end > planes || block.rows.end > rows || block.cols.end > cols {
        return None;
    }
    let rows = block.planes.clone().flat_map(|p| block.rows.clone().map(move |r| p * rows + r));
    Some(rows.flat_map(|r| block.cols.clone().map(move |c| r * cols + c)).collect())
}

fn check(world: &Communicator, case: &Case) -> Result<()> {
    let mut all = vec![Use::Free; case.dims.iter().product()];
    let mut plan = Plan::new(world);
    let grid = plan.grid3((0..all.len()).collect::<Vec<_>>(), case.dims)?;
    for (receives, block) in &case.operations {
        let cells = cells(case, block);
        let are = |all: &[Use], ok: fn(Use) -> bool| {
            cells.as_ref().is_some_and(|cells| cells.iter().all(|&cell| ok(all[cell])))
        };
        // To and from nowhere: the check is the same, and nothing has to match.
        let (accepted, allowed, becomes) = if *receives {
            let allowed = are(&all, |cell| cell == Use::Free);
            (plan.recv(grid, block.clone(), None, 0).is_ok(), allowed, Use::Received)
        } else {
            let allowed = are(&all, |cell| cell != Use::Received);
            (plan.send(grid, block.clone(), None, 0).is_ok(), allowed, Use::Sent)
        };
        assert_eq!(accepted, allowed, "{block:?} of {case:?}");
        if accepted {
            cells.into_iter().flatten().for_each(|cell| all[cell] = becomes);
        }
    }
    let mut flight = plan.start()?;
    for block in &case.looks {
        let cells = cells(case, block);
        let are =
            |ok: fn(Use) -> bool| cells.as_ref().is_some_and(|cells| cells.iter().all(|&cell| ok(all[cell])));
        let (readable, writable) = (are(|cell| cell != Use::Received), are(|cell| cell == Use::Free));
        let is_flat = block.planes.len() == 1;
        let seen = flight.view3(grid, block.clone()).map(|view| view.iter().copied().collect::<Vec<_>>());
        assert_eq!(seen.ok(), cells.clone().filter(|_| readable), "{block:?} of {case:?}");
        let seen = flight.view(grid, block.clone()).map(|view| view.iter().copied().collect::<Vec<_>>());
        assert_eq!(seen.ok(), cells.clone().filter(|_| readable && is_flat), "{block:?} of {case:?}");
        assert_eq!(flight.view3_mut(grid, block.clone()).is_ok(), writable, "{block:?} of {case:?}");
        assert_eq!(
            flight.view_mut(grid, block.clone()).is_ok(),
            writable && is_flat,
            "{block:?} of {case:?}"
        );
    }
    for (read, write) in case.looks.iter().zip(case.looks.iter().skip(1)) {
        let (from, into) = (cells(case, read), cells(case, write));
        let ok = from.zip(into).is_some_and(|(from, into)| {
            from.iter().all(|&cell| all[cell] != Use::Received && !into.contains(&cell))
                && into.iter().all(|&cell| all[cell] == Use::Free)
        });
        let pair = flight.pair3((grid, read.clone()), (grid, write.clone()));
        assert_eq!(pair.is_ok(), ok, "{read:?} and {write:?} of {case:?}");
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
