//@ expect E0080
//@ expect: `#[mpi(bytes)]` is for types without padding
//@ fix s/b: u8/b: u32/
//! Padding is not initialized: it cannot travel as bytes.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(bytes)]
struct S { a: u32, b: u8 }
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&S { a: 1, b: 2 }, 0, 0)?;
    let _ = |s: S| (s.a, s.b);
    Ok(())
}
