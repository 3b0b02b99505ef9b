//! expect: [rank 0 of 1 on nowhere] the function of a reduction panicked: ending the job
//!
//! A panic must not unwind into C.

use mpi::op::{UserOp, from_fn, reduce_local};

fn main() {
    let _world = mpi::init().unwrap();
    let op: UserOp<u8> = from_fn(|_, _| panic!("a bug of the program"));
    let mut x = [1];
    reduce_local(&[1], &mut x, &op).unwrap();
    println!("survived: {x:?}");
}
