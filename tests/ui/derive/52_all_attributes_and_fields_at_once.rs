//@ expect E0277
//@ expect: `#[mpi(packed)]` means nothing here: there is `bytes` and `crate = "path"` on a type
//@ expect: `#[mpi(align)]` means nothing here: there is `bytes` and `crate = "path"` on a type
//@ expect: `#[mpi(ignore)]` means nothing here: there is `skip` on a field
//@ expect: `#[mpi(default)]` means nothing here: there is `skip` on a field
//@ expect: `#[mpi(leave)]` means nothing here: there is `skip` on a field
//@ expect: values of type `&'static str` cannot be sent over MPI
//@ expect: at_once.rs:15:26
//@ expect: at_once.rs:15:53
//@ expect: at_once.rs:15:79
//@ fix s/#\[mpi(packed, align)\]//;s/#\[mpi(ignore, default = 3)\]//;s/leave/skip/;s/&'static str/u8/
//! What is wrong with a type and with its fields is said at once, each where it stands.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(packed, align)]
struct S { #[mpi(ignore, default = 3)] a: u8, #[mpi(leave)] b: Option<u8>, c: &'static str }
fn main() { let _ = |s: S| (s.a, s.b, s.c); }
