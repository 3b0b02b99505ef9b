//@ expect E0080
//@ expect: `#[mpi(bytes)]` is for types without padding: 3 bytes behind this field
//@ expect: with_padding.rs:11:12
//@ expect: `#[mpi(bytes)]` is for types without padding: 1 byte behind this field
//@ expect: with_padding.rs:11:27
//@ fix s/u8, b: u32, c: u8/u32, b: u32, c: u16/
//! Padding is not initialized: it cannot travel as bytes. Each piece of it is found where it lies.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(bytes)]
#[repr(C)]
struct S { a: u8, b: u32, c: u8, d: u16 }
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&S { a: 1, b: 2, c: 3, d: 4 }, 0, 0)?;
    let _ = |s: S| (s.a, s.b, s.c, s.d);
    Ok(())
}
