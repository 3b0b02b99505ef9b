//@ expect E0119 E0282
//@ fix s/, mpi::FromBits//
//! `AnyBits` brings `FromBits`.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits, mpi::FromBits)]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
