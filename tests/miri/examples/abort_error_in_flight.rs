//! expect: [rank 0 of 1 on nowhere] MPI_Isend to rank 0 with tag 7 is still in flight 50ms after its scope ended with an error; ending the job
//!
//! A send that nobody receives cannot be taken back, so the scope cannot be left; also where nobody reads stderr.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn main() {
    let world = mpi::environment::Builder::new().stall_limit(Duration::from_millis(50)).init().unwrap();
    let buf = vec![1u64, 2];
    let _ = catch_unwind(AssertUnwindSafe(|| {
        world.scope(|s| {
            s.isend(&buf, 0, 7)?.defer();
            s.isend(&buf, 99, 7)?.defer(); // no such rank
            Ok(())
        })
    }));
    println!("survived: {buf:?}");
}
