//@ expect E0277
//@ expect: values of type `&'static str` cannot be sent over MPI
//@ expect: values of type `fn()` cannot be sent over MPI
//@ fix s/&'static str/u8/;s/fn(),/u8,/
//! Each field is reported, not the first alone.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: &'static str, b: fn(), c: u8 }
fn main() { let _ = |s: S| (s.a, s.b, s.c); }
