//! expect: [rank 0 of 1 on nowhere] panicked at examples/abort_panic_from_main.rs:8:13: a bug of the program
//!
//! The same for a panic.

fn main() -> std::process::ExitCode {
    mpi::run(|world| {
        if world.size() == 1 {
            panic!("a bug of the program");
        }
    })
}
