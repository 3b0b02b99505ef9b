//@ expect: a type with a lifetime holds a borrow
//@ fix s/<'a>//;s/&'a u8/u8/;s/S<'_>/S/
//! A borrow.
#[derive(Clone, Copy, mpi::Datatype)]
struct S<'a> { a: &'a u8 }
fn main() { let _ = |s: S<'_>| { let _ = s.a; }; }
