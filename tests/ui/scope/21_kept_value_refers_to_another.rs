//@ expect E0521
//@ fix s/let _ = s.keep(Last(first));/let _ = first;/
//! The destructor of one kept value could see another that was dropped before it.
struct Last<'a>(&'a mut Vec<u8>);
impl Drop for Last<'_> {
    fn drop(&mut self) {
        self.0.push(1);
    }
}
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = Last(&mut vec![]);
    world.scope(|s| {
        let first = s.keep(vec![1u8]);
        let _ = s.keep(Last(first));
        Ok(())
    })
}
