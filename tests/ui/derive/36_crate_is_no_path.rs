//@ expect: `crate` takes the path of the `mpi` crate in quotes
//@ fix s/"not a path"/"::mpi"/
//! Where the crate is found is a path.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(crate = "not a path")]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
