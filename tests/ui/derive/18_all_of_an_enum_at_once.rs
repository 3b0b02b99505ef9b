//@ expect: a variant with fields cannot be sent
//@ expect: say which integer it is
//@ expect: belongs on a field or on the type
//@ fix s/^enum/#[repr(u8)] enum/;s/One { a: u8 }/One/;s/#\[mpi(skip)\] //
//! All that is wrong is said at once.
#[derive(Clone, Copy, mpi::Datatype)]
enum E { One { a: u8 }, #[mpi(skip)] Two }
fn main() { let _ = E::Two; }
