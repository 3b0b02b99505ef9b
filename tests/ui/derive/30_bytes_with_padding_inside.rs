//@ expect E0080
//@ expect: `#[mpi(bytes)]` is for types without padding: 3 bytes in this field
//@ fix s/Inner(u8, u32)/Inner(u32, u32)/
//! Nor padding of a field.
#[derive(Clone, Copy, mpi::Datatype)]
struct Inner(u8, u32);
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(bytes)]
struct S { a: u32, b: Inner }
fn main() { let _ = |s: S| (s.a, s.b.0, s.b.1); }
