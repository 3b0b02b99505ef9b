//@ expect E0308
//@ fix s/pub type Unchecked<T> = <T as super::super::Byte>::Type;//
//! `crate` may lead anywhere, but not to what checks nothing.
#![forbid(unsafe_code)]
trait Byte { type Type; }
impl<T> Byte for T { type Type = u8; }
trait Agree {
    fn is_valid<F>(&self, _: usize) -> bool { true }
    fn complete<F>(&mut self, _: usize) {}
}
impl Agree for u8 {}
mod library { pub mod datatype {
    pub use mpi::datatype::*;
    pub type Unchecked<T> = <T as super::super::Byte>::Type;
} }
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
#[mpi(crate = "crate::library")]
struct S { a: bool, b: [char; 9] }
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let all: Vec<S> = world.allgather(&S { a: true, b: ['b'; 9] })?;
    let _ = (all[0].a, all[0].b);
    Ok(())
}
