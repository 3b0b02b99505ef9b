//@ expect: must outlive `'static`
//@ fix s/world.isend(View(values), 0, 0)/world.isend(View(values.to_vec().leak()), 0, 0)/
//! A buffer that a forgotten request owns for ever must not borrow.
struct View(&'static [u8]);
// SAFETY: borrowed for ever.
unsafe impl mpi::buffer::OwnedSend for View {
    type Elem = u8;
    fn elements(&self) -> &[u8] {
        self.0
    }
}
fn send(world: &mpi::Communicator, values: &[u8]) -> mpi::Result<()> {
    world.isend(View(values), 0, 0)?.wait()?;
    Ok(())
}
fn main() -> mpi::Result<()> {
    send(&mpi::init()?, &[1, 2])
}
