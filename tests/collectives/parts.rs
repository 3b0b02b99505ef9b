//! `alltoallw`: a buffer of any type and layout for each rank.

use crate::LARGE;
use crate::comms::on_each;
use crate::layouts::{cases, message};
use crate::sample::{Sample, same};
use mpi::buffer::{Parts, PartsMut, Strided, StridedMut};
use mpi::datatype::Layout;
use mpi::{AnyBits, Communicator, Result};

/// Vectors of one element type, each somewhere else in memory.
fn vectors<T: Sample + AnyBits>(comm: &Communicator) -> Result<()> {
    let me = comm.rank();
    for case in cases(comm.size(), 6) {
        let ranks = 0..comm.size();
        let send: Vec<Vec<T>> = ranks.clone().map(|to| message(me, to, case.row(me)[to])).collect();
        let expected: Vec<Vec<T>> = ranks.map(|from| message(from, me, case.column(me)[from])).collect();
        let empty: Vec<Vec<T>> = expected.iter().map(|part| vec![T::sample(5555); part.len()]).collect();
        let check = |got: &[Vec<T>]| got.iter().zip(&expected).for_each(|(got, part)| same(got, part));

        let mut got = empty.clone();
        comm.alltoallw_into(&Parts::of(&send)?, &mut PartsMut::of(&mut got)?)?;
        check(&got);
        check(&comm.alltoallw(&send)?);
        check(&comm.alltoallw(send.iter().map(Vec::as_slice))?);

        got.clone_from(&empty);
        let (parts, mut room) = (Parts::of(&send)?, PartsMut::of(&mut got)?);
        comm.scope(|s| {
            let (sent, room) = s.ialltoallw(&parts, &mut room)?.wait()?;
            assert_eq!((sent.len(), room.len()), (comm.size(), comm.size()));
            Ok(())
        })?;
        check(&got);

        // The request may outlive what posted it, and nobody need wait at once.
        let pending = comm.ialltoallw(send.clone(), empty)?;
        let (back, got) = pending.wait()?;
        check(&got);
        assert_eq!(back, send);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn vectors_on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        vectors::<u8>(comm)?;
        vectors::<f64>(comm)?;
        vectors::<[i32; 3]>(comm)
    })
}

#[mpi::test(ranks = [5, 8])]
fn vectors_on_many_ranks(world: Communicator) -> Result<()> {
    vectors::<u16>(&world)
}

#[mpi::test(ranks = [1, 2, 3])]
fn in_place(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for case in cases(size, 6).map(|case| case.symmetric()) {
        let before: Vec<Vec<i64>> = (0..size).map(|to| message(me, to, case.row(me)[to])).collect();
        let expected: Vec<Vec<i64>> = (0..size).map(|from| message(from, me, case.row(me)[from])).collect();
        let mut both = before.clone();
        world.alltoallw_in_place(&mut PartsMut::of(&mut both)?)?;
        assert_eq!(both, expected);
        both = before;
        let mut parts = PartsMut::of(&mut both)?;
        world.scope(|s| s.ialltoallw_in_place(&mut parts).map(|request| request.defer()))?;
        drop(parts);
        assert_eq!(both, expected);
    }
    Ok(())
}

/// A column of a matrix to one rank, numbers of another type to the next, nothing to the others; from the stack, the heap and
/// a static.
#[mpi::test(ranks = [2, 3, 4])]
fn types_and_layouts(world: Communicator) -> Result<()> {
    static FLAGS: [bool; 3] = [true, false, true];
    let (me, size) = (world.rank(), world.size());
    let matrix = message::<f32>(me, 9, 24);
    let column = |rank: usize| message::<f32>(rank, 9, 24).into_iter().skip(1).step_by(4).collect::<Vec<_>>();
    let (number, empty) = (me as u16 + 40, [0i128; 0]);

    let mut send = Parts::new()?;
    send.push(Strided::new(&matrix, 1, 6, 1, 4)?)?.push(if me == 0 { &FLAGS[..] } else { &FLAGS[..1] })?;
    let mut numbers = Parts::new()?;
    numbers.push(&number)?.push(&number)?;
    for _ in 2..size {
        send.push(&empty)?;
        numbers.push(&empty)?;
    }

    // Rank 0 collects columns as columns, rank 1 truth values as bytes.
    let mut bytes = vec![[9u8; 3]; size];
    let mut nothing = vec![[0i128; 0]; size];
    if me == 0 {
        let mut arrays: Vec<Vec<f32>> = vec![vec![0.5; 12]; size];
        let mut recv = PartsMut::new()?;
        for array in &mut arrays {
            recv.push(StridedMut::new(array, 1, 6, 1, 2)?)?;
        }
        world.alltoallw_into(&send, &mut recv)?;
        for (rank, array) in arrays.iter().enumerate() {
            let expected: Vec<f32> = column(rank).into_iter().flat_map(|x| [0.5, x]).collect();
            same(array, &expected);
        }
    } else if me == 1 {
        let (first, others) = bytes.split_first_mut().expect("a rank");
        let mut recv = PartsMut::new()?;
        recv.push(first)?;
        for other in others {
            recv.push(&mut other[..1])?;
        }
        world.alltoallw_into(&send, &mut recv)?;
        assert_eq!(bytes[0], [1, 0, 1]);
        assert!(bytes[1..].iter().all(|bytes| *bytes == [1, 9, 9]));
    } else {
        world.alltoallw_into(&send, &mut PartsMut::of(&mut nothing)?)?;
    }

    // One number each, received on the stack and on the heap.
    let (mut here, mut there) = (0u16, Box::new([0u16]));
    let mut recv = PartsMut::new()?;
    if me < 2 {
        recv.push(&mut here)?.push(&mut *there)?;
        let mut many = vec![[0u16]; size - 2];
        for other in &mut many {
            recv.push(other)?;
        }
        world.alltoallw_into(&numbers, &mut recv)?;
        drop(recv);
        assert_eq!((here, *there), (40, [41]));
        assert!(many.iter().zip(42..).all(|(got, expected)| *got == [expected]));
    } else {
        (0..size).zip(&mut nothing).try_for_each(|(_, part)| recv.push(part).map(drop))?;
        world.alltoallw_into(&numbers, &mut recv)?;
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn too_few_parts(world: Communicator) -> Result<()> {
    let (mine, mut theirs) = ([1u8], [0u8]);
    let mut send = Parts::new()?;
    for _ in 0..=world.size() {
        let error = world.alltoallw_into(&send, &mut PartsMut::new()?).expect_err("not one for each");
        let n = if send.len() == world.size() { 0 } else { send.len() };
        let text = format!(
            "MPI_Alltoallw: there are {n} parts, but {} are needed: one for each rank, or neighbour",
            world.size()
        );
        assert_eq!((error.to_string(), error.code()), (text, None));
        send.push(&mine)?;
    }
    for n in [0, world.size() + 1] {
        let error = world.alltoallw(vec![&mine; n]).expect_err("not one for each");
        assert!(
            error.to_string().starts_with(&format!("MPI_Alltoallw: there are {n} parts, but ")),
            "{error}"
        );
    }
    let mut one = PartsMut::of([&mut theirs])?;
    one.push(&mut [0u8; 0])?.push(&mut [0u8; 0])?;
    let error = world.scope(|s| s.ialltoallw_in_place(&mut one).map(|request| request.defer()));
    let error = error.expect_err("three parts");
    assert!(error.to_string().starts_with("MPI_Ialltoallw: there are 3 parts"), "{error}");
    Ok(())
}

/// A matrix of which each rank has some rows, and gets a column; the elements have values that bytes may not spell.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn columns_come_as_vectors(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let sign = |row: usize, col: usize| (row * 5 + col).is_multiple_of(3);
    let rows = |rank: usize| (rank * (rank + 1) / 2..).take(rank + 1);
    let mine: Vec<bool> = rows(me).flat_map(|row| (0..size).map(move |col| sign(row, col))).collect();
    let columns: Vec<_> =
        (0..size).map(|col| Strided::new(&mine, col, me + 1, 1, size)).collect::<Result<_>>()?;
    let expected: Vec<Vec<bool>> =
        (0..size).map(|from| rows(from).map(|row| sign(row, me)).collect()).collect();
    assert_eq!(world.alltoallw(columns)?, expected);

    // Rank 0 expects truth values of others, who send numbers.
    if me == 0 {
        let got = world.alltoallw(vec![&[true]; size]);
        assert_eq!(got.is_err(), size > 1, "{got:?}");
    } else {
        assert_eq!(world.alltoallw(vec![&[2u8]; size])?.concat()[1..], vec![2; size - 1]);
    }
    Ok(())
}

/// Ranks that bring less than they have told: what is missing is zeros, whatever was in the memory before.
#[mpi::test(ranks = [2, 3])]
fn less_than_was_told(world: Communicator) -> Result<()> {
    let (me, size, world) = (world.rank(), world.size(), world.dup()?.unchecked());
    if me == 0 {
        let got = world.alltoallw(vec![&[7u32; 5]; size])?;
        assert!(got[1..].iter().all(|part| *part == [1, 2, 0, 0, 0]), "{got:?}");
    } else {
        world.alltoall(&vec![5u64; size])?;
        let mut room = vec![[0u32; 5]; size];
        let sent = vec![&[1u32, 2][..]; size];
        let mut recv = PartsMut::new()?;
        for (rank, part) in room.iter_mut().enumerate() {
            recv.push(if rank == 0 { &mut part[..] } else { &mut part[..2] })?;
        }
        world.alltoallw_into(&Parts::of(sent)?, &mut recv)?;
        assert_eq!(room[0], [7; 5]);
    }
    Ok(())
}

/// Whole matrices and nothing, elements of no size.
#[mpi::test(ranks = [1, 2, 3])]
fn large_ones_and_none_as_vectors(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let length = |from: usize, to: usize| if from == to { 0 } else { LARGE + from };
    let send: Vec<Vec<f64>> = (0..size).map(|to| message(me, to, length(me, to))).collect();
    let expected: Vec<Vec<f64>> = (0..size).map(|from| message(from, me, length(from, me))).collect();
    assert!(world.alltoallw(&send)? == expected);
    let got = world.alltoallw(vec![&vec![[0u16; 0]; me]; size])?;
    assert_eq!(got.iter().map(Vec::len).collect::<Vec<_>>(), (0..size).collect::<Vec<_>>());
    Ok(())
}

/// The types that a list makes are its own: many shapes push each other out of the table of types.
#[mpi::test(ranks = 2)]
fn more_shapes_than_the_table_holds(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), 1 - world.rank());
    let matrix = message::<u32>(me, 0, 40_000);
    let mut lists = Vec::new();
    for shape in 2..150 {
        let view = Strided::new(&matrix, 0, shape, 1, shape + 1)?;
        lists.push((shape, Parts::of([view, view])?));
    }
    for (shape, parts) in lists {
        let mut got = vec![vec![0u32; shape]; 2];
        world.alltoallw_into(&parts, &mut PartsMut::of(&mut got)?)?;
        let theirs = message::<u32>(peer, 0, 40_000);
        let expected: Vec<u32> = theirs.into_iter().step_by(shape + 1).take(shape).collect();
        same(&got[peer], &expected);
    }
    Ok(())
}

/// The elements of a layout may lie before the place that it is counted from, where those of another buffer lie.
#[mpi::test(ranks = [1, 2])]
fn two_sides_that_are_counted_from_one_place(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let mut memory: Vec<u64> = (0..12).map(|i| 100 * me as u64 + i).collect();
    let backwards = Layout::<u64>::element().indexed(&[(1, -1), (1, -3)])?;
    let (low, high) = memory.split_at_mut(5);
    let send = Parts::of((0..size).map(|_| backwards.of_at(low, 5)).collect::<Result<Vec<_>>>()?)?;
    world.alltoallw_into(&send, &mut PartsMut::of(high[..2 * size].chunks_mut(2))?)?;
    let expected = (0..size as u64).flat_map(|rank| [100 * rank + 4, 100 * rank + 2]);
    assert_eq!(memory[5..][..2 * size], expected.collect::<Vec<_>>());
    Ok(())
}
