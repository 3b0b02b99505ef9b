//! Every collective in every form, over element types, operations, lengths, roots, communicators, rank counts and, with
//! neighbours, grids; each element is compared with a sequential model.
//!
//! In CI, for each collective, every value of each of these factors meets every value of each other
//! (`pairs`). `GRID=full` runs the whole product, `GRID=5,7` that on five and on seven ranks (`ci/grid.sh`).
//!
//! A new collective is an entry: a type that implements [`Collective`](collective::Collective) and a line of
//! `collectives!` in `table`.

mod case;
mod collective;
mod entries;
mod model;
mod pairs;
#[path = "../common/sample.rs"]
#[expect(dead_code, reason = "other tests compare whole slices with what is in it")]
mod sample;
mod shape;
mod table;
mod values;

use case::{Case, Comms};
use mpi::{Communicator, Result};
use std::time::Instant;

/// Whether each case is named before it runs (`GRID=trace`).
fn trace() -> bool {
    std::env::var_os("GRID").is_some_and(|value| value == "trace")
}

/// Runs the cases that are for as many ranks as there are.
fn run(world: &Communicator, cases: &[Case]) -> Result<()> {
    let (comms, start) = (Comms::new(world)?, Instant::now());
    let mine = cases.iter().filter(|case| case.ranks == world.size());
    mine.clone().try_for_each(|case| {
        if trace() && world.rank() == 0 {
            eprintln!("{case}");
        }
        case.run(&comms)
    })?;
    if world.rank() == 0 {
        println!("{} cases on {} ranks in {:?}", mine.count(), world.size(), start.elapsed());
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4], timeout = 300)]
fn all_pairs(world: Communicator) -> Result<()> {
    run(&world, &case::pairwise())
}

#[mpi::test(ranks = [5, 7, 8], timeout = 300)]
fn some_pairs_on_many_ranks(world: Communicator) -> Result<()> {
    run(&world, &case::few(world.size()))
}

/// For `ci/grid.sh`; without `GRID` there is nothing in it.
#[mpi::test(ranks = [1, 2, 3, 4, 5, 7, 8], timeout = 300)]
fn whole_product(world: Communicator) -> Result<()> {
    let size = world.size().to_string();
    let due = |value: String| value == "full" || value.split(',').any(|ranks| ranks == size);
    let cases = if std::env::var("GRID").is_ok_and(due) { case::product(world.size()) } else { Vec::new() };
    run(&world, &cases)
}

#[test]
fn ci_runs_a_thousand_cases() {
    let cases = case::pairwise().len() + [5, 7, 8].map(|ranks| case::few(ranks).len()).iter().sum::<usize>();
    println!("{cases} cases in CI");
    assert!(cases >= 1000, "{cases}");
}
