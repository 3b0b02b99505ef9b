//! Tests that need a whole program: how MPI starts, how it ends, and how a failing rank ends the job.
//!
//! Run as a test, this binary starts itself under the launcher once for each case, with `PROGRAM` set to its name, and
//! checks how the job ended and what it printed. Run with `PROGRAM`, it is one rank of that case.

mod attached;
mod case;
mod driver;
mod dying;
mod failing;
mod generalized;
mod lasting;
mod launchers;
mod owned;
mod persistent;
mod reducing;
#[path = "../common/refusals.rs"]
mod refusals;
mod stalled;
mod starting;
mod threads;

use case::Case;
use std::process::ExitCode;

/// Names the program that this process is a rank of.
const PROGRAM: &str = "PROGRAM";

fn main() -> ExitCode {
    let groups = [
        ("starting", starting::CASES),
        ("threads", threads::CASES),
        ("failing", failing::CASES),
        ("stalled", stalled::CASES),
        ("dying", dying::CASES),
        ("lasting", lasting::CASES),
        ("owned", owned::CASES),
        ("persistent", persistent::CASES),
        ("generalized", generalized::CASES),
        ("reducing", reducing::CASES),
        ("attached", attached::CASES),
        ("launchers", launchers::CASES),
    ];
    let name = |group: &str, case: &Case| format!("{group}::{}", case.name);
    let cases =
        groups.iter().flat_map(|(group, cases)| cases.iter().map(move |case| (name(group, case), case)));
    match std::env::var(PROGRAM) {
        Err(_) => driver::run(cases.collect()),
        Ok(program) => match cases.into_iter().find(|(name, _)| *name == program) {
            Some((_, case)) => (case.program)(),
            None => {
                eprintln!("there is no program {program}");
                ExitCode::FAILURE
            }
        },
    }
}
