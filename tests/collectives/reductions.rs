//! `reduce` and `allreduce` in every form, for every root, on every kind of communicator.

use crate::comms::on_each;
use crate::sample::{same, samples};
use crate::{LARGE, SIZES};
use mpi::op::{Max, Min, Operation, Sum};
use mpi::{AnyBits, Communicator, FromBits, Result};

/// What the ranks give: `input(rank)`, element by element combined by `model`.
fn expected<T: Copy>(size: usize, input: impl Fn(usize) -> Vec<T>, model: impl Fn(T, T) -> T) -> Vec<T> {
    let combine = |all: Vec<T>, part: Vec<T>| all.into_iter().zip(part).map(|(a, b)| model(a, b)).collect();
    (0..size).map(input).reduce(combine).expect("a communicator has a rank")
}

/// The forms that give a result, for element types that need not be any bits.
pub fn returning<T, O>(
    comm: &Communicator,
    op: O,
    input: &dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
) -> Result<()>
where
    T: FromBits + PartialEq + std::fmt::Debug,
    O: Operation<T>,
{
    let (mine, all) = (input(comm.rank()), expected(comm.size(), input, model));
    same(&comm.allreduce(&mine, op)?, &all);
    same(&comm.allreduce(&mine[..], op)?, &all);
    for root in 0..comm.size() {
        let result = comm.reduce(&mine, op, root)?;
        assert_eq!(result.is_some(), root == comm.rank());
        same(&result.unwrap_or_default(), if root == comm.rank() { &all } else { &[] });
    }
    Ok(())
}

/// The forms that fill a buffer.
pub fn filling<T, O>(
    comm: &Communicator,
    op: O,
    input: &dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
) -> Result<()>
where
    T: AnyBits + PartialEq + std::fmt::Debug,
    O: Operation<T>,
{
    let (mine, all) = (input(comm.rank()), expected(comm.size(), input, model));
    let mut result = mine.clone();
    comm.allreduce_into(&mine[..], &mut result, op)?;
    same(&result, &all);
    result.clone_from(&mine);
    comm.allreduce_in_place(&mut result, op)?;
    same(&result, &all);
    for root in 0..comm.size() {
        result.clone_from(&mine);
        let is_root = comm.rank() == root;
        comm.reduce_into(&mine, is_root.then_some(&mut result[..]), op, root)?;
        same(&result, if is_root { &all } else { &mine });
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_form_on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        for len in SIZES {
            returning(comm, Sum, &|rank| samples::<u64>(rank, len), u64::wrapping_add)?;
            filling(comm, Sum, &|rank| samples::<u64>(rank, len), u64::wrapping_add)?;
            returning(comm, Min, &|rank| samples::<f32>(rank, len), f32::min)?;
            filling(comm, Max, &|rank| samples::<i16>(rank, len), i16::max)?;
        }
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3, 5, 7, 8])]
fn large_and_many_ranks(world: Communicator) -> Result<()> {
    let halves = |rank| (0..LARGE).map(|i| (rank * 3 + i) as f64 * 0.5).collect();
    returning(&world, Sum, &halves, |a, b| a + b)?; // exact in any order
    filling(&world, Max, &|rank| samples::<i32>(rank, LARGE), i32::max)?;
    filling(&world, Sum, &|rank| samples::<u64>(rank, 7), u64::wrapping_add)
}

#[mpi::test(ranks = [1, 2, 4])]
fn the_result_has_the_shape_of_what_was_given(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank() as u32, world.size() as u32);
    let value: u32 = world.allreduce(&me, Sum)?;
    let array: [u32; 3] = world.allreduce(&[1, me, 2], Sum)?;
    let vector: Vec<u32> = world.allreduce(&vec![me; 4], Max)?;
    let triangle = size * (size - 1) / 2;
    assert_eq!((value, array), (triangle, [size, triangle, 2 * size]));
    assert_eq!(vector, [size - 1; 4]);
    let root = world.size() - 1;
    let at_root: Option<[u32; 2]> = world.reduce(&[1, 2], Sum, root)?;
    assert_eq!(at_root, (world.rank() == root).then_some([size, 2 * size]));
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn values_and_arrays_as_buffers(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank() as i64, world.size() as i64);
    let (mut value, mut array) = (0i64, [0i64; 2]);
    world.allreduce_into(&me, &mut value, Max)?;
    world.allreduce_into(&[me, -me], &mut array, Min)?;
    assert_eq!((value, array), (size - 1, [0, 1 - size]));
    // A value and an array of one element are buffers of one length.
    world.allreduce_into(&[1i64], &mut value, Sum)?;
    assert_eq!(value, size);
    world.allreduce_in_place(&mut value, Sum)?;
    assert_eq!(value, size * size);
    let is_root = world.rank() == 0;
    world.reduce_into(&me, is_root.then_some(&mut value), Max, 0)?;
    assert_eq!(value, if is_root { size - 1 } else { size * size });
    Ok(())
}

/// Arrays as elements are combined component by component.
#[mpi::test(ranks = [1, 2, 3])]
fn arrays_as_elements(world: Communicator) -> Result<()> {
    let points: Vec<[f64; 3]> = samples(world.rank(), 50);
    let all = expected(
        world.size(),
        |rank| samples::<[f64; 3]>(rank, 50),
        |a, b| std::array::from_fn(|i| a[i] + b[i]),
    );
    assert_eq!(world.allreduce(&points, Sum)?, all);
    let mut result = vec![[0.0; 3]; 50];
    world.allreduce_into(&points, &mut result, Sum)?;
    assert_eq!(result, all);
    Ok(())
}

/// What a process gives is not changed.
#[mpi::test(ranks = [1, 2])]
fn the_input_stays(world: Communicator) -> Result<()> {
    let mine = samples::<u16>(world.rank(), 100);
    let mut result = vec![0; 100];
    world.allreduce_into(&mine, &mut result, Max)?;
    world.reduce(&mine, Max, 0)?;
    assert_eq!(mine, samples::<u16>(world.rank(), 100));
    Ok(())
}
