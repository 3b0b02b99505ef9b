//@ expect E0277
//@ fix s/(u8, u32)/P/;s/^fn main/#[derive(Clone, Copy, mpi::Datatype)] struct P(u8, u32); fn main/;s/s.a/(s.a.0, s.a.1)/
//! A tuple as a field: name it.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: (u8, u32) }
fn main() { let _ = |s: S| s.a; }
