//! The Rust half of a job of two programs: parts of a matrix travel between a Rust layout and a C datatype, and so
//! do structs, enums and bytes.
//!
//! `mpiexec -n 1 target/debug/examples/interop : -n 1 ./half`, where `half` is
//! `mpicc examples/interop/*.c`.

mod others;
mod structs;

use mpi::datatype::{Distribution, Layout, Order};
use mpi::{Communicator, Result};

const ROWS: usize = 10;
const COLS: usize = 12;
const CELLS: usize = ROWS * COLS;
const BYTES: isize = size_of::<f64>() as isize;

/// The layouts of `half.c`, each with the cell that is its origin.
fn layouts() -> Result<Vec<(Layout<f64>, usize)>> {
    let one = Layout::<f64>::element();
    let column = one.vector(ROWS, 1, COLS as isize)?;
    let four = Layout::structure(&[(3, 0, &one), (1, 4 * BYTES, &one)])?;
    let dealt = [(ROWS, Distribution::Cyclic(Some(3)), 2), (COLS, Distribution::Block(None), 3)];
    Ok(vec![
        (column.clone(), 0),
        (one.hvector(3, 2, -4 * BYTES)?, 20),
        (one.indexed(&[(3, 50), (0, 7), (1, 2), (4, -5)])?, 30),
        (one.indexed_block(3, &[9, 3, 100])?, 0),
        (one.subarray(&[(ROWS, 3..7), (COLS, 6..11)], Order::C)?, 0),
        (one.subarray(&[(4, 1..3), (5, 2..5), (6, 3..5)], Order::Fortran)?, 0),
        (one.darray(6, 4, &dealt, Order::C)?, 0),
        (four.resized(0, 6 * BYTES as usize)?.contiguous(3)?, 0),
        (column.resized(0, BYTES as usize)?.contiguous(COLS)?, 0),
    ])
}

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let mut wrong = 0;
    for (k, (layout, origin)) in (0..).zip(layouts()?) {
        let cells: Vec<f64> = (0..CELLS).map(|i| f64::from(1000 * k) + i as f64).collect();
        let mut wanted = vec![-1.0; CELLS];
        let places = layout.places().into_iter().map(|place| origin.wrapping_add_signed(place));
        places.for_each(|place| wanted[place] = cells[place]);

        let mut got = vec![-1.0; CELLS];
        world.send(&layout.of_at(&cells, origin)?, 1, k)?;
        world.recv_into(&mut got, 1, k)?;
        wrong += i32::from(got != wanted);

        got.fill(-1.0);
        world.recv_into(&mut layout.of_at_mut(&mut got, origin)?, 1, k)?;
        wrong += i32::from(got != wanted);
        world.send(&got, 1, k)?;
    }
    println!("Rust: {wrong} of {} layouts differ", 2 * layouts()?.len());
    let (wrong, all) = structs::exchange_all(&world)?;
    println!("Rust: {wrong} of {all} structs differ");
    let (wrong, all) = others::exchange_all(&world)?;
    println!("Rust: {wrong} of {all} others differ");
    Ok(())
}
