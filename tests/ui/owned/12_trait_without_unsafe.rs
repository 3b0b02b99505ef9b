//@ expect E0200
//@ fix s/^impl mpi::buffer/unsafe impl mpi::buffer/
//! Whoever says that memory stays in place promises it.
struct Inline([u8; 4]);
impl mpi::buffer::OwnedSend for Inline {
    type Elem = u8;
    fn elements(&self) -> &[u8] {
        &self.0
    }
}
fn main() {}
