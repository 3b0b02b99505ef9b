//! When MPI's types are made and freed, and what outlives what.

use mpi::datatype::Layout;
use mpi::{Communicator, Result};

/// A layout that is dropped while a message in its shape is in flight is not there any more; the message is.
#[mpi::test(ranks = 2)]
fn dropped_in_flight(world: Communicator) -> Result<()> {
    let (me, other) = (world.rank(), 1 - world.rank());
    let numbers: Vec<u64> = (0..30_000).map(|i| i + 7 * me as u64).collect();
    let mut matrix = vec![0u64; 30_000];
    world.scope(|s| {
        let column = s.keep(Layout::<u64>::element().vector(10_000, 1, 3)?);
        let receive = s.irecv(column.of_mut(&mut matrix)?, other, 0)?;
        s.isend(column.of(&numbers[1..])?, other, 0)?.defer();
        let view = receive.wait()?.data;
        let wanted = |i: usize| if i.is_multiple_of(3) { i as u64 + 1 + 7 * other as u64 } else { 0 };
        assert!(view.slice().iter().enumerate().all(|(i, &x)| x == wanted(i)));
        Ok(())
    })
}

/// Thousands of layouts, each with a type of its own: none of them stays.
#[mpi::test(ranks = 1)]
fn many_layouts(world: Communicator) -> Result<()> {
    let numbers = [1u8, 2, 3, 4, 5, 6];
    for i in 0..5000usize {
        let layout = Layout::<u8>::element().vector(2, 1, 2 + (i % 4) as isize)?;
        let clone = layout.clone();
        let mut got = [0u8; 2];
        world.sendrecv(&layout.of(&numbers)?, 0, 0, &mut got, 0, 0)?;
        drop(layout);
        assert_eq!(got, [1, 3 + (i % 4) as u8]);
        world.sendrecv(&clone.dup().of(&numbers)?, 0, 0, &mut got, 0, 0)?;
        assert_eq!(got, [1, 3 + (i % 4) as u8]);
    }
    Ok(())
}

/// A layout that is there when MPI ends is of no use any more, and no harm.
#[mpi::test(ranks = 1)]
fn outlives_mpi(world: Communicator) -> Result<()> {
    let layout = Layout::<u8>::element().vector(2, 1, 2)?;
    let mut got = [0u8; 2];
    world.sendrecv(&layout.of(&[1, 2, 3])?, 0, 0, &mut got, 0, 0)?;
    thread_local!(static KEPT: std::cell::RefCell<Vec<Layout<u8>>> = const { std::cell::RefCell::new(Vec::new()) });
    KEPT.with(|kept| kept.borrow_mut().push(layout));
    Ok(())
}
