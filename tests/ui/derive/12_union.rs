//@ expect: nobody knows which bytes of a union are initialized
//@ fix s/union S { a: u8, b: u32 }/struct S { a: u8, b: u32 }/
//! A union.
#[derive(Clone, Copy, mpi::Datatype)]
union S { a: u8, b: u32 }
fn main() {  }
