//! expect: MPI_Psend_init to rank 0 with tag 3 is still in flight 1ms after its scope ended with an error; ending the job
//! A partitioned send that is forgotten, in a scope that fails: the scope makes it ready, but nobody receives it.

use std::mem::forget;
use std::time::Duration;

fn main() {
    let world = mpi::init().unwrap();
    mpi::environment::set_stall_limit(Duration::from_millis(1));
    let mut buf = [0u64; 4];
    let _ = world.scope(|s| {
        let mut send = s.psend_init(&mut buf, 2, 0, 3)?;
        forget(send.start()?);
        forget(send);
        world.send(&1u8, 9, 0)
    });
    println!("survived: {buf:?}");
}
