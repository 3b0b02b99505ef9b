//@ expect E0521
//@ fix s/outer.spawn(move || p.ready())/p.ready()/;s/|outer|/|_|/
//! A partition of borrowed memory on a thread that outlives the scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u64; 4];
    std::thread::scope(|outer| {
        world.scope(|s| {
            let send = Box::leak(Box::new(s.psend_init(&mut buf, 2, 0, 0)?));
            let filling = Box::leak(Box::new(send.start()?));
            for p in filling.partitions() { outer.spawn(move || p.ready()); }
            Ok(())
        })
    })
}
