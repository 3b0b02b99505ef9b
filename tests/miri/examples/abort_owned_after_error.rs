//! expect: MPI_Isend to rank 0 with tag 7 is still in flight 1ms after it was dropped because of an error
//! An owned send that nobody receives, dropped by the `?` of another call.

use std::time::Duration;

fn early(world: &mpi::Communicator) -> mpi::Result<()> {
    let _never = world.isend(vec![1u8; 4], 0, 7)?;
    world.send(&1u8, 9, 0)
}

fn main() {
    let world = mpi::init().unwrap();
    mpi::environment::set_stall_limit(Duration::from_millis(1));
    early(&world).unwrap_err();
    println!("survived");
}
