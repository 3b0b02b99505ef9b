//! expect: MPI_Precv_init from rank 0 with tag 7 is still in flight 1ms after it was dropped because of an error
//! A partitioned receive that nobody sends to, dropped by the `?` of another call.

use std::time::Duration;

fn early(world: &mpi::Communicator) -> mpi::Result<()> {
    let mut receive = world.precv_init([1u8; 8], 2, 0, 7)?;
    let _arriving = receive.start()?;
    world.send(&1u8, 9, 0)
}

fn main() {
    let world = mpi::init().unwrap();
    mpi::environment::set_stall_limit(Duration::from_millis(1));
    early(&world).unwrap_err();
    println!("survived");
}
