//@ expect E0277
//@ fix s/std::mem::MaybeUninit<u64>/u64/
//! What is not initialized is not sent.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: std::mem::MaybeUninit<u64> }
fn main() { let _ = |s: S| s.a; }
