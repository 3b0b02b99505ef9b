//@ expect: unsafe
//@ fix /^unsafe fn/d
//! The derives are for crates that forbid `unsafe`.
#![forbid(unsafe_code)]
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
struct S<T> { a: u8, b: bool, #[mpi(skip)] c: u8, d: T }
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct A { a: u8, b: u32 }
unsafe fn f() {}
fn main() { let _ = |s: S<u8>, a: A| (s.a, s.b, s.c, s.d, a.a, a.b); }
