//! expect: [rank 0 of 1 on nowhere] MPI_Recv_init from rank 0 with tag 1 is in flight while its scope panics; ending the job
//!
//! The array that MPI writes to is in a frame that must not be popped.

use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let world = mpi::init().unwrap();
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let mut buf = [0u64; 2];
        world.scope(|s| {
            let mut plan = s.plan();
            let array = plan.array(&mut buf);
            plan.recv(array, 0..2, 0, 1)?;
            let _flight = plan.start()?;
            if true {
                panic!("a bug of the program");
            }
            Ok(())
        })
    }));
    println!("survived");
}
