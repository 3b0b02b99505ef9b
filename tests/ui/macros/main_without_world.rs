//@ expect: write `fn main(world: Communicator)`
//@ fix s/fn main()/fn main(_world: mpi::Communicator)/
//! The world comes as the parameter.

#[mpi::main]
fn main() {
    println!("hello");
}
