//@ expect: E0277
//@ fix s/-> i32/-> std::process::ExitCode/; s/^    0$/    std::process::ExitCode::SUCCESS/
//! An exit code is an `ExitCode`.
use mpi::Communicator;

#[mpi::main]
fn main(_world: Communicator) -> i32 {
    0
}
