//@ expect E0277
//@ fix s/a: Option/#[mpi(skip)] a: Option/
//! The bytes of `None` are not initialized.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: Option<u64>, b: u8 }
fn main() { let _ = |s: S| (s.a, s.b); }
