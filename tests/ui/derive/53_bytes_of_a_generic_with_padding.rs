//@ expect E0080
//@ expect: `#[mpi(bytes)]` is for types without padding: 3 bytes behind this field
//@ expect: with_padding.rs:9:13
//@ fix s/S<u8>/S<u32>/
//! Which instances have padding is known where they are used.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(bytes)]
#[repr(C)]
struct S<T>(T, u32);
const _: usize = <S<u8> as mpi::Datatype>::UNITS;
fn main() { let _ = |s: S<u8>| (s.0, s.1); }
