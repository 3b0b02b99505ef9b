//@ expect E0277
//@ fix s/b: &'static str/b: u32/
//! Types of the user's that are called like primitives.
#[allow(non_camel_case_types, dead_code)]
mod own { pub struct usize; pub struct bool; pub struct u16; }
#[allow(unused_imports)]
use own::*;
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct A { b: &'static str }
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
struct B { b: char }
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
#[repr(u16)]
enum C { One, Two }
fn main() { let _ = |a: A, b: B| (a.b, b.b, C::One, C::Two); }
