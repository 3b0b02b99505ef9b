//! A matrix that is dealt out by rows is transposed: columns leave as they lie, and arrive as rows.
//! `cargo xmpi run -n 4 --example columns -- SIZE ROUNDS`

#[path = "../timing/mod.rs"]
mod timing;

use mpi::buffer::{Parts, PartsMut};
use mpi::datatype::Layout;
use mpi::{Communicator, Result};
use timing::{arguments, digest, random, time};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (rows, rounds) = arguments(5);
    let (me, ranks) = (world.rank(), world.size());
    let cols = rows * ranks; // the matrix is square
    let mine: Vec<u64> = (0..(rows * cols) as u64).map(|i| random(me as u64, i)).collect();
    // The columns that one rank gets, one after the other.
    let column = Layout::<u64>::element().vector(rows, 1, cols as isize)?;
    let columns = column.resized(0, size_of::<u64>())?.contiguous(rows)?;
    let views = (0..ranks).map(|rank| columns.of(&mine[rank * rows..]));
    let send = Parts::of(views.collect::<Result<Vec<_>>>()?)?;
    time(
        &world,
        rounds,
        || {
            // Blocks of the rows of the transposed matrix, one from each rank.
            let mut blocks = vec![0; rows * cols];
            let mut recv = PartsMut::of(blocks.chunks_mut(rows * rows))?;
            world.alltoallw_into(&send, &mut recv)?;
            Ok(blocks)
        },
        |blocks| digest(me, blocks.iter().copied()),
    )
}
