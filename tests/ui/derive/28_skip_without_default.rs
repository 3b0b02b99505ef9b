//@ expect E0277
//@ expect: Default
//@ fix s/^#\[derive(Clone, Copy)\]/#[derive(Clone, Copy, Default)]/
//! A receiver must make a skipped field of something.
#[derive(Clone, Copy)]
struct Cached(u8);
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
struct S { a: u8, #[mpi(skip)] b: Cached }
fn main() { let _ = |s: S| (s.a, s.b.0); }
