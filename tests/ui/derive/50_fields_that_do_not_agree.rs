//@ expect E0080
//@ expect: an attribute between two derives of MPI has changed which fields travel
//@ fix s/&\[0, 8\]/\&[0]/
//! What the derives after an attribute say that takes `#[mpi(skip)]` away, and what they must say.
use mpi::datatype::Agreed;
#[derive(Clone, Copy, mpi::Datatype)]
#[repr(C)]
struct S { a: u64, #[mpi(skip)] b: u64 }
const AGREES: Agreed<S> = Agreed::with(&[0, 8]);
fn main() { let S { a, b } = S { a: 1, b: 2 }; AGREES.see(); let _ = (a, b); }
