//@ expect E0277 E0599
//@ fix s/ibcast(\&x/ibcast(\&mut x/
//! A rank that is not the root gets its buffer written: a shared borrow will not do, not even at the root.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut x = [1u64; 4];
    x[1] = 2;
    world.scope(|s| s.ibcast(&x, 0)?.wait().map(|_| ()))
}
