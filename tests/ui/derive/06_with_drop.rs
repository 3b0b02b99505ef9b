//@ expect E0184
//@ fix /^impl Drop/d
//! A destructor would run for every copy.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: u8 }
impl Drop for S { fn drop(&mut self) {} }
fn main() { let _ = |s: S| s.a; }
