//! expect: [rank 0 of 1 on nowhere] MPI_Send: destination 5 is not a rank of this communicator, which has 1 (0 to 0)
//!
//! What `#[mpi::main]` expands to ends the whole job: alone, a failing rank would hang the rest.

fn main() -> std::process::ExitCode {
    mpi::run(|world| world.send(&1u8, 5, 0))
}
