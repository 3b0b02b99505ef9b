//@ expect E0505 E0597
//@ fix s/std::thread::spawn/threads.spawn/;s/^    \/\/ scope/    std::thread::scope(|threads| {/;s/^    \/\/ end/    });/
//! A partition on a thread that may outlive the message.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let mut filling = send.start()?;
    // scope
    for p in filling.partitions() { std::thread::spawn(move || p.ready()); }
    // end
    filling.wait()
}
