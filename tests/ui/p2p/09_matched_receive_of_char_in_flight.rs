//@ expect E0277
//@ expect: every bit pattern of `T` is valid
//@ fix s/\['a'; 4\]/[0u32; 4]/
//! In flight as well: receive the numbers and convert them.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.mprobe(0, 0)?;
    let mut text = ['a'; 4];
    world.scope(|s| { let _ = s.imrecv(message, &mut text)?; Ok(()) })
}
