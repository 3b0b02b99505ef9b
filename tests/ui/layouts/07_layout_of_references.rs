//@ expect E0599
//@ fix s/&'static u8/u8/
//! Addresses mean nothing elsewhere.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    Layout::<&'static u8>::element().contiguous(3).map(drop)
}
