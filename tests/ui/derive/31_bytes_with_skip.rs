//@ expect: sends every byte: a field cannot be skipped
//@ fix s/#\[mpi(skip)\] //
//! Every byte or not.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(bytes)]
struct S { a: u8, #[mpi(skip)] b: u8 }
fn main() { let _ = |s: S| (s.a, s.b); }
