//! Every rank says who it is. `cargo xmpi run -n 4 --example hello`

use mpi::op::Sum;

#[mpi::main]
fn main(world: mpi::Communicator) -> mpi::Result<()> {
    println!("rank {} of {} on {}", world.rank(), world.size(), mpi::environment::processor_name()?);
    let total = world.reduce(&world.rank(), Sum, 0)?;
    if let Some(total) = total {
        println!("the ranks add up to {total}");
    }
    Ok(())
}
