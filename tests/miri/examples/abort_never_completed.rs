//! expect: [rank 0 of 1 on nowhere] MPI_Irecv from any rank with tag 3 could not be completed; ending the job
//!
//! A library that fails and cannot complete what it leaves pending keeps the memory for ever.

use mpi::Source;
use mpi::test_support::hooks::{Pending, leave_pending};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let world = mpi::init().unwrap();
    leave_pending(Pending::Forever);
    let (mut short, mut buf) = ([0u64; 1], [0u64; 20]);
    let _ = catch_unwind(AssertUnwindSafe(|| {
        world.scope(|s| {
            s.irecv(&mut short, 0, 2)?.defer();
            s.irecv(&mut buf, Source::ANY, 3)?.defer();
            s.isend(&[1u64, 2], 0, 2)?.defer();
            Ok(())
        })
    }));
    println!("survived: {buf:?}");
}
