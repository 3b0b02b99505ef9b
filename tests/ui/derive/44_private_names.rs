//@ expect E0277
//@ fix s/&'static core::Core/core::Core/
//! Names of the derive's own do not meet the user's: types, fields and modules of any name.
mod core { #[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)] pub struct Core { pub value: u8, pub fields: u64 } }
mod std {}
#[derive(Clone, Copy, mpi::Datatype)]
struct Slot<T, const N: usize> { bits: [T; N], has_it: u8, value: T, r#type: &'static core::Core }
fn main() { let _ = |s: Slot<u8, 2>| (s.bits, s.has_it, s.value, s.r#type.value, s.r#type.fields); }
