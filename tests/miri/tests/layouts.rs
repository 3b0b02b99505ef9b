//! Layouts, blocking and in flight: what MPI reads and writes of a slice, while nobody else may look at it.

use mpi::datatype::{Key, Layout, Order};
use mpi::{Result, wait_all};
use mpi_miri::world;

#[test]
fn columns_in_flight() -> Result<()> {
    let world = world();
    let column = Layout::<u16>::element().vector(4, 1, 3)?;
    let matrix: Vec<u16> = (0..12).collect();
    let mut other = vec![99u16; 12];
    world.scope(|s| {
        let receive = s.irecv(column.of_mut(&mut other[2..])?, 0, 1)?;
        s.isend(column.of(&matrix[1..])?, 0, 1)?.wait()?;
        let mut view = receive.wait()?.data;
        view.slice_mut()[1] = 7;
        assert_eq!(view.into_slice(), [1, 7, 99, 4, 99, 99, 7, 99, 99, 10]);
        Ok(())
    })
}

#[test]
fn lent_for_sending_by_exclusive_borrow() -> Result<()> {
    let world = world();
    let back = Layout::<u64>::element().hvector(3, 1, -16)?;
    let (mut numbers, mut got) = ([1u64, 2, 3, 4, 5], [0u64; 3]);
    world.scope(|s| {
        let receive = s.irecv(&mut got, 0, 1)?;
        let send = s.isend(back.of_at_mut(&mut numbers, 4)?, 0, 1)?;
        let (received, mut sent) = wait_all((receive, send))?;
        assert_eq!(*received.data, [5, 3, 1]);
        sent.slice_mut()[0] = 6;
        Ok(())
    })?;
    assert_eq!(numbers, [6, 2, 3, 4, 5]);
    Ok(())
}

#[test]
fn blocks_of_three_dimensions() -> Result<()> {
    let world = world();
    let one = Layout::<u8>::element();
    let block = one.subarray(&[(3, 1..3), (4, 0..2), (5, 3..5)], Order::C)?;
    let cube: Vec<u8> = (0..60).collect();
    let mut copy = vec![0u8; 60];
    world.sendrecv(&block.of(&cube)?, 0, 0, &mut block.of_mut(&mut copy)?, 0, 0)?;
    let inside = |i: usize| i / 20 >= 1 && i / 5 % 4 < 2 && i % 5 >= 3;
    assert!(copy.iter().enumerate().all(|(i, &x)| x == if inside(i) { i as u8 } else { 0 }));
    Ok(())
}

#[test]
fn types_go_with_their_layouts() -> Result<()> {
    let world = world();
    let (mut got, numbers) = ([0u32; 4], [1u32, 2, 3, 4, 5, 6, 7]);
    for stride in 2..5isize {
        let layout = Layout::<u32>::element().vector(2, 1, stride)?;
        let pieces = layout.resized(0, 4)?.indexed(&[(1, 0), (1, 1)])?.described_within(2)?;
        world.sendrecv(&pieces.of(&numbers)?, 0, 0, &mut got, 0, 0)?;
        let stride = stride as u32;
        assert_eq!(got, [1, 1 + stride, 2, 2 + stride]);
    }
    let kept = Layout::<u32>::element().vector(2, 1, 2)?;
    world.sendrecv(&kept.of(&numbers)?, 0, 0, &mut got[..2], 0, 0)?;
    drop(world);
    assert!(kept.of(&numbers).is_ok());
    Ok(())
}

/// Values on the heap that only MPI knows of: read, replaced, deleted, freed with their type and after their key.
#[test]
fn attributes() -> Result<()> {
    let _world = world();
    let column = Layout::<u16>::element().vector(4, 1, 3)?;
    let (first, second) = (Key::<[u64; 3]>::new()?, Key::<()>::new()?);
    column.set_attr(&first, [1, 2, 3])?;
    column.set_attr(&second, ())?;
    column.set_attr(&first, [4, 5, 6])?;
    assert_eq!((column.get_attr(&first)?, column.get_attr(&second)?), (Some([4, 5, 6]), Some(())));
    assert!(column.delete_attr(&second)?);
    assert!(!column.delete_attr(&second)?);
    column.set_attr(&second, ())?;
    drop(first);
    drop(column.clone());
    assert_eq!(column.get_attr(&second)?, Some(()));
    Ok(())
}
