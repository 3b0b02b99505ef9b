//@ expect E0502
//@ fix /println/d
//! Reading ghosts while they are exchanged.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let (edges, mut ghosts) = ([1.0, 2.0], [0.0; 2]);
    ring.scope(|s| {
        let exchange = s.ineighbor_alltoall(&edges, &mut ghosts)?;
        println!("{ghosts:?}");
        exchange.wait().map(drop)
    })
}
