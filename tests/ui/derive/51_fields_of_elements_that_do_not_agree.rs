//@ expect E0080
//@ expect: an attribute between two derives of MPI has changed which fields travel
//@ fix s/&\[0, 8\]/\&[0]/
//! An array is asked what its elements are asked.
use mpi::datatype::{Agreed, FromBits, Unchecked};
#[derive(Clone, Copy, mpi::Datatype)]
#[repr(C)]
struct S { a: u64, #[mpi(skip)] b: u64 }
unsafe impl FromBits for S {
    type Bits = Unchecked<S>;
    const AGREES: Agreed<S> = Agreed::with(&[0, 8]);
    fn valid(_: &Unchecked<S>) -> bool { true }
}
const _: () = <[S; 2] as FromBits>::AGREES.see();
fn main() {
    let S { a, b } = S { a: 1, b: 2 };
    let _ = (a, b);
}
