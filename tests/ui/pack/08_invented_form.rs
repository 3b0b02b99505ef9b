//@ expect E0277
//@ fix s/impl mpi::pack::Form for Mine {}//
//! Forms are this crate's: their functions get memory to write.
#[derive(Clone, Copy)]
struct Mine;
impl mpi::pack::Form for Mine {}
fn main() {
    let _ = Mine;
}
