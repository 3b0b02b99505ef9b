//@ expect: an enum without variants has no values to send
//@ fix s/enum E {}/#[repr(u8)] enum E { One }/
//! No value can be sent.
#[derive(Clone, Copy, mpi::Datatype)]
enum E {}
fn main() {}
