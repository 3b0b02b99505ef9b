//@ expect E0277
//@ expect: interior mutability
//@ fix s/\[const.*\]/[0u8; 4]/;s/ buf\[0\].set(1);//;/use std::cell/d
//! Sending memory that a shared borrow can mutate.
use std::cell::Cell;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let buf = [const { Cell::new(0u8) }; 4];
    world.scope(|s| { let _ = s.isend(&buf[..], 0, 0)?; buf[0].set(1); Ok(()) })
}
