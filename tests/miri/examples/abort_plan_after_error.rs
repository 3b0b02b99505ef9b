//! expect: MPI_Send_init to rank 0 with tag 7 is still in flight 1ms after it was dropped because of an error
//! A flight that is dropped by the `?` of another call: its receive is cancelled, but nobody receives what it sends.

use std::time::Duration;

fn early(world: &mpi::Communicator) -> mpi::Result<()> {
    let mut plan = mpi::persistent::Plan::new(world);
    let array = plan.array([1u8; 8]);
    plan.recv(array, 0..4, 0, 6)?.send(array, 4..8, 0, 7)?;
    let _flight = plan.start()?;
    world.send(&1u8, 9, 0)
}

fn main() {
    let world = mpi::init().unwrap();
    mpi::environment::set_stall_limit(Duration::from_millis(1));
    early(&world).unwrap_err();
    println!("survived");
}
