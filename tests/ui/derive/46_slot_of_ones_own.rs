//@ expect E0277
//@ fix /^struct Slot/,/^}/d;s/pub(crate) use super::super::Slot;//
//! `crate` may lead anywhere, but not to what says another MPI type than the one of the fields.
#![forbid(unsafe_code)]
struct Slot;
impl Slot {
    const fn new() -> Self { Slot }
    fn unit<T>(&self) -> mpi::datatype::RawDatatype { <u64 as mpi::datatype::Datatype>::unit() }
}
mod library { pub mod datatype { pub use mpi::datatype::*; pub(crate) use super::super::Slot; } }
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
#[mpi(crate = "crate::library")]
struct S { a: u8 }
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.bcast(&mut S { a: 1 }, 0)?;
    let _ = |s: S| s.a;
    Ok(())
}
