//@ expect E0080
//@ expect: `#[mpi(bytes)]` is for types without padding
//@ fix s/u8/u32/
//! What a derive asks for last is refused without what it asks for before.
use mpi::datatype::Parts;
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: u32, b: u8 }
const _: Parts = Parts::bytes::<S>();
fn main() { let _ = |s: S| (s.a, s.b); }
