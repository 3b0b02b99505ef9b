//! Every form of buffer: values, slices, arrays, vectors, uninitialized slices, strided views.

use crate::SIZES;
use crate::sample::{same, samples, seed};
use mpi::buffer::{RecvBuf, SendBuf, Strided, StridedMut};
use mpi::{Communicator, Result};
use std::mem::MaybeUninit;

/// Sends `out` from rank 0 into `into` on rank 1.
fn pass<S, R>(world: &Communicator, out: &S, into: &mut R) -> Result<()>
where
    S: SendBuf + ?Sized,
    R: RecvBuf<Elem = S::Elem> + ?Sized,
{
    if world.rank() == 0 { world.send(out, 1, 3) } else { world.recv_into(into, 0, 3).map(|_| ()) }
}

/// Rows, columns and blocks of a matrix of 5 x 6: offset, rows, columns.
const VIEWS: [(usize, usize, usize); 7] =
    [(0, 5, 6), (6, 1, 6), (2, 5, 1), (0, 5, 1), (5, 5, 1), (7, 3, 4), (8, 2, 2)];
const COLS: usize = 6;

/// Where the elements of a view lie, in the order in which they travel.
fn places((offset, rows, cols): (usize, usize, usize)) -> impl Iterator<Item = usize> {
    (0..rows).flat_map(move |r| (0..cols).map(move |c| offset + r * COLS + c))
}

/// Sends four values in one form, and receives them in each.
fn into_each_form<S: SendBuf<Elem = i32> + ?Sized>(world: &Communicator, out: &S) -> Result<()> {
    let (mut array, mut vector, mut slice) = ([0; 4], vec![0; 4], [0; 6]);
    pass(world, out, &mut array)?;
    pass(world, out, &mut vector)?;
    pass(world, out, &mut slice[1..5])?;
    if world.rank() == 1 {
        assert_eq!((array, &vector[..], slice), ([1, 2, 3, 4], &[1, 2, 3, 4][..], [0, 1, 2, 3, 4, 0]));
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn each_contiguous_form_into_each_other(world: Communicator) -> Result<()> {
    into_each_form(&world, &[1, 2, 3, 4])?;
    into_each_form(&world, &vec![1, 2, 3, 4])?;
    into_each_form(&world, &[0, 1, 2, 3, 4, 5][1..5])
}

#[mpi::test(ranks = 2)]
fn a_value_and_one_element_are_the_same_message(world: Communicator) -> Result<()> {
    let (mut value, mut array) = (0u8, [0u8]);
    pass(&world, &[7u8], &mut value)?;
    pass(&world, &8u8, &mut array)?;
    if world.rank() == 1 {
        assert_eq!((value, array), (7, [8]));
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn the_buffer_comes_back_from_the_receive(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return (0..4).try_for_each(|tag| world.send(&[1u16, 2, 3], 1, tag));
    }
    let mut buffer = [0u16; 3];
    let slice: &mut [u16] = world.recv_into(&mut buffer[..], 0, 0)?.data;
    slice[0] += 1;
    let array: &mut [u16; 3] = world.recv_into(&mut buffer, 0, 1)?.data;
    array[1] += 1;
    assert_eq!(buffer, [1, 3, 3]);
    let mut vector = vec![0u16; 3];
    world.recv_into(&mut vector, 0, 2)?.data[2] = 9;
    assert_eq!(vector, [1, 2, 9]);
    // A parameter of type `&mut [T]` is reborrowed, not moved.
    let parameter = &mut buffer[..];
    world.recv_into(parameter, 0, 3)?;
    assert_eq!(parameter, [1, 2, 3]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn uninitialized_memory_gives_the_prefix_that_arrived(world: Communicator) -> Result<()> {
    for (tag, len) in (0..).zip(SIZES) {
        let values = samples::<u64>(0, len);
        if world.rank() == 0 {
            world.send(&values, 1, tag)?;
        } else {
            let mut room: Box<[MaybeUninit<u64>]> = Box::new_uninit_slice(len + 3);
            let (arrived, rest) = world.recv_into(&mut *room, 0, tag)?.data;
            same(arrived, &values);
            assert_eq!(rest.len(), 3);
            rest[0].write(1);
        }
    }
    let nothing = &mut [MaybeUninit::<u64>::uninit(); 2][..];
    assert_eq!(world.recv_into(nothing, None, 0)?.data.0, []);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn every_view_into_a_slice_and_back(world: Communicator) -> Result<()> {
    let matrix = samples::<f64>(0, 5 * COLS);
    for view in VIEWS {
        let (offset, rows, cols) = view;
        let travelling: Vec<f64> = places(view).map(|i| matrix[i]).collect();

        let mut flat = vec![0.0; rows * cols];
        pass(&world, &Strided::new(&matrix, offset, rows, cols, COLS)?, &mut flat)?;
        let mut target = vec![-1.0; 5 * COLS];
        pass(&world, &travelling, &mut StridedMut::new(&mut target, offset, rows, cols, COLS)?)?;

        if world.rank() == 1 {
            assert_eq!(flat, travelling, "{view:?}");
            for (i, &x) in target.iter().enumerate() {
                let expected = if places(view).any(|place| place == i) { matrix[i] } else { -1.0 };
                assert_eq!(x, expected, "element {i} of {view:?}");
            }
        }
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_column_into_a_row_and_into_another_column(world: Communicator) -> Result<()> {
    let matrix = samples::<[i16; 3]>(0, 30);
    let column = Strided::new(&matrix, 4, 5, 1, COLS)?;
    let mut rows = vec![[0; 3]; 10];
    pass(&world, &column, &mut StridedMut::new(&mut rows, 2, 1, 5, 5)?)?;
    let mut columns = vec![[0; 3]; 15];
    pass(&world, &column, &mut StridedMut::new(&mut columns, 1, 5, 1, 3)?)?;
    if world.rank() == 1 {
        for i in 0..5 {
            assert_eq!(rows[2 + i], matrix[4 + i * COLS]);
            assert_eq!(columns[1 + 3 * i], matrix[4 + i * COLS]);
        }
        assert_eq!(rows.iter().filter(|x| **x == [0; 3]).count(), 5);
        assert_eq!(columns.iter().filter(|x| **x == [0; 3]).count(), 10);
    }
    Ok(())
}

/// More shapes than are kept committed, and one of them again and again.
#[mpi::test(ranks = 2)]
fn many_shapes(world: Communicator) -> Result<()> {
    let matrix = samples::<u32>(0, 40 * 40);
    for shape in 0..300 {
        let (rows, cols) = (1 + shape % 20, 1 + shape / 20);
        let view = Strided::new(&matrix, 3, rows, cols, 40)?;
        let mut flat = vec![0; rows * cols];
        pass(&world, &view, &mut flat)?;
        if world.rank() == 1 {
            assert!(view.iter().eq(&flat), "{rows} x {cols}");
        }
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn large_views_past_the_eager_limit(world: Communicator) -> Result<()> {
    let side = 400;
    let matrix = samples::<f64>(0, side * side);
    let (half, stride) = (side / 2, side);
    let mut target = vec![0.0; side * side];
    let view = Strided::new(&matrix, half, side, half, stride)?;
    pass(&world, &view, &mut StridedMut::new(&mut target, 0, side, half, stride)?)?;
    if world.rank() == 1 {
        for (i, &x) in target.iter().enumerate() {
            let (r, c) = (i / side, i % side);
            let expected = if c < half { matrix[r * side + c + half] } else { 0.0 };
            assert_eq!(x, expected, "({r}, {c})");
        }
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn empty_views_and_empty_slices(world: Communicator) -> Result<()> {
    let (full, mut nothing) = ([1u8; 12], [0u8; 0]);
    for (rows, cols) in [(0, 3), (3, 0), (0, 0)] {
        pass(&world, &Strided::new(&full, 12, rows, cols, 4)?, &mut nothing[..])?;
    }
    pass(&world, &full[..0], &mut nothing)?;
    let mut vector = Vec::new();
    pass(&world, &Vec::<u8>::new(), &mut vector)?;
    assert_eq!(vector, [0u8; 0]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_shorter_message_leaves_the_rest_of_a_view_alone(world: Communicator) -> Result<()> {
    let values: [usize; 3] = std::array::from_fn(|i| seed(0, i));
    let mut target = [usize::MAX; 10];
    pass(&world, &values, &mut StridedMut::new(&mut target, 0, 5, 1, 2)?)?;
    if world.rank() == 1 {
        let expected: [usize; 10] = std::array::from_fn(|i| match i {
            0 | 2 | 4 => values[i / 2],
            _ => usize::MAX,
        });
        assert_eq!(target, expected);
    }
    Ok(())
}
