//! expect: [rank 0 of 1 on nowhere] MPI_Irecv from rank 0 with tag 1 is in flight while its scope panics; ending the job
//!
//! The frame that MPI writes to must not be popped.

use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let world = mpi::init().unwrap();
    let mut buf = [0u64; 2];
    let _ = catch_unwind(AssertUnwindSafe(|| {
        world.scope(|s| {
            s.irecv(&mut buf, 0, 1)?.defer();
            if true {
                panic!("a bug of the program");
            }
            Ok(())
        })
    }));
    println!("survived: {buf:?}");
}
