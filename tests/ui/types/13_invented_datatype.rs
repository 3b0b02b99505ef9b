//@ expect E0200
//@ fix s/^impl Datatype/unsafe impl Datatype/;s/fn unit() -> .*/fn unit() -> mpi::datatype::RawDatatype { u64::unit() }/
//! Saying what may be sent is `unsafe`: a wrong claim would read uninitialized memory.
use mpi::Datatype;
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Id(u64);
impl Datatype for Id {
    const UNITS: usize = 1;
    fn unit() -> mpi::datatype::RawDatatype { u64::unit() }
}
fn main() { let _ = <Id as Datatype>::UNITS; let _ = Id(1).0; }
