//! Blocking calls, also while others are in flight; null handles; collectives and grids of one rank.

use mpi::op::{BitXor, LogicalAnd, Max, Min, Prod, Sum};
use mpi::test_support::hooks;
use mpi::topology::dims_create;
use mpi::{Comparison, ErrorClass, Result, Source, Tag};
use mpi_miri::{class, world};
use std::num::NonZero;

#[test]
fn sends_and_receives() {
    let world = world();
    world.send(&[1u64, 2, 3], 0, 1).unwrap();
    let mut room = [0u64; 5];
    let message = world.recv_into(&mut room, Source::ANY, Tag::ANY).unwrap();
    assert_eq!((message.status.tag(), message.status.count::<u64>()), (1.into(), Some(3)));
    assert_eq!(room, [1, 2, 3, 0, 0]);

    world.send(&2.5, 0, 2).unwrap();
    assert_eq!(world.probe(Source::ANY, 2).unwrap().count::<f64>(), Some(1));
    assert_eq!(world.recv::<f64>(0, 2).unwrap().data, 2.5);

    world.send(&[3u8, 4, 5], 0, 3).unwrap();
    assert_eq!(class(world.recv::<[u8; 2]>(0, 3)), ErrorClass::TRUNCATE);
    world.send(&[3u8], 0, 3).unwrap();
    assert_eq!(class(world.recv::<[u8; 2]>(0, 3)), ErrorClass::COUNT);
    world.send(&[3u8, 4], 0, 3).unwrap();
    assert_eq!(world.recv::<[u8; 2]>(0, 3).unwrap().data, [3, 4]);

    let mut theirs = vec![0u32; 3];
    let swapped = world.sendrecv(&[7u32, 8, 9], 0, 4, &mut theirs, 0, 4).unwrap();
    assert_eq!(swapped.data, [7, 8, 9]);
}

#[test]
fn a_truncated_receive_leaves_its_neighbours_alone() {
    let world = world();
    let mut cells = [9u8; 6];
    world.send(&[1u8, 2, 3, 4, 5], 0, 1).unwrap();
    assert_eq!(class(world.recv_into(&mut cells[2..4], 0, 1).map(|_| ())), ErrorClass::TRUNCATE);
    assert_eq!(cells, [9, 9, 1, 2, 9, 9]);
    let error = world.scope(|s| {
        s.isend(&[6u8; 30], 0, 1)?.defer();
        s.irecv(&mut cells[3..5], 0, 1)?.wait().map(|_| ())
    });
    assert_eq!(class(error), ErrorClass::TRUNCATE);
    assert_eq!(cells, [9, 9, 1, 6, 6, 9]);
}

#[test]
fn messages_of_unknown_length() {
    let world = world();
    world.send(&[1u16, 2, 3], 0, 1).unwrap();
    let message = world.recv_vec::<u16>(Source::ANY, Tag::ANY).unwrap();
    assert_eq!((message.data, message.status.tag()), (vec![1, 2, 3], 1.into()));
    world.send::<[u64]>(&[], 0, 2).unwrap();
    assert_eq!(world.recv_vec::<u64>(0, 2).unwrap().data, []);
    world.send(&[1u8; 12], 0, 3).unwrap();
    assert_eq!(class(world.recv_vec::<u64>(0, 3)), ErrorClass::COUNT);
    assert_eq!(world.recv_vec::<u8>(None, 4).unwrap().data, []);
}

#[test]
fn what_is_no_value_is_refused() {
    let world = world();
    let send = |bytes: &[u8]| world.send(bytes, 0, 1).unwrap();
    send(&[1]);
    assert!(world.recv::<bool>(0, 1).unwrap().data);
    send(&[2]);
    assert_eq!(class(world.recv::<bool>(0, 1)), ErrorClass::TYPE);
    send(&[0, 1, 1, 0]);
    assert_eq!(world.recv_vec::<bool>(0, 1).unwrap().data, [false, true, true, false]);
    send(&[0, 1, 3]);
    assert_eq!(class(world.recv_vec::<bool>(0, 1)), ErrorClass::TYPE);

    world.send(&['a', '\u{10ffff}'], 0, 1).unwrap();
    assert_eq!(world.recv_vec::<char>(0, 1).unwrap().data, ['a', '\u{10ffff}']);
    world.send(&0xd800u32, 0, 1).unwrap();
    assert_eq!(class(world.recv::<char>(0, 1)), ErrorClass::TYPE);

    world.send(&NonZero::new(5u64).unwrap(), 0, 1).unwrap();
    assert_eq!(world.recv::<NonZero<u64>>(0, 1).unwrap().data.get(), 5);
    world.send(&0u64, 0, 1).unwrap();
    assert_eq!(class(world.recv::<NonZero<u64>>(0, 1)), ErrorClass::TYPE);
    world.send(&[1i128, 0], 0, 1).unwrap();
    assert_eq!(class(world.recv_vec::<NonZero<i128>>(0, 1)), ErrorClass::TYPE);
}

#[test]
fn arguments_that_are_wrong() {
    let world = world();
    let mut a = [0u8; 1];
    assert_eq!(class(world.send(&a, 1, 0)), ErrorClass::RANK);
    assert_eq!(class(world.send(&a, 0, -1)), ErrorClass::TAG);
    assert_eq!(class(world.send(&a, 0, Tag::upper_bound().unwrap() + 1)), ErrorClass::TAG);
    assert_eq!(class(world.recv::<u8>(usize::MAX, 0)), ErrorClass::RANK);
    assert_eq!(class(world.bcast(&mut a, 1)), ErrorClass::ROOT);
    assert_eq!(class(world.allgather_into(&[1u8, 2], &mut a)), ErrorClass::COUNT);
    assert_eq!(class(world.allreduce_into(&[1u8, 2], &mut a, Sum)), ErrorClass::COUNT);
    assert_eq!(class(world.scatter::<[u8]>(None, 0)), ErrorClass::BUFFER);
    let error = world.scope(|s| s.iallreduce(&[1u8, 2], &mut a, Sum).map(|request| request.defer()));
    assert_eq!(class(error), ErrorClass::COUNT);
}

#[test]
fn null_handles_are_nobody_elses() {
    let world = world();
    let (mut a, mut b, src) = ([1u64; 2], [0u64; 8], [4u64; 8]);
    world
        .scope(|s| {
            let nowhere = s.irecv(&mut a, None, 1)?; // complete at once: a null handle
            let real = s.irecv(&mut b, 0, 1)?;
            let gone = s.isend(&src, None, 1)?;
            let sent = s.isend(&src, 0, 1)?;
            let message = nowhere.wait()?;
            assert_eq!((message.data, message.status.source()), (&mut [1, 1], None));
            assert_eq!(message.status.count::<u64>(), Some(0));
            gone.wait()?;
            assert!(hooks::in_flight() > 0, "waiting for nobody has completed another's operation");
            assert_eq!(real.wait()?.data, &[4; 8]);
            sent.wait()?;
            Ok(())
        })
        .unwrap();
    assert_eq!(class(world.recv::<u64>(None, 1)), ErrorClass::COUNT);

    // Nor where a single slot is free, and used again.
    let mut busy = [0u8; 64];
    world
        .scope(|s| {
            for (byte, tag) in busy.iter_mut().zip(10..) {
                let receive = s.irecv(byte, 0, tag)?;
                if tag % 40 == 0 {
                    s.isend(&1u8, 0, tag)?.wait()?;
                    receive.wait()?;
                }
            }
            let nowhere = s.irecv(&mut a, None, 1)?;
            let real = s.irecv(&mut b, 0, 1)?;
            nowhere.wait()?;
            s.isend(&[5u64; 8], 0, 1)?.defer();
            assert_eq!(real.wait()?.data, &[5; 8]);
            (10..74).filter(|tag| tag % 40 != 0).try_for_each(|tag| world.send(&2u8, 0, tag))
        })
        .unwrap();
    assert_eq!((busy[30], busy.iter().map(|&b| u32::from(b)).sum::<u32>()), (1, 127));
    world.send(&src, None, 0).unwrap();
    assert_eq!(world.recv_into(&mut a, None, 0).unwrap().status.source(), None);
}

#[test]
fn blocking_calls_while_others_are_in_flight() {
    let world = world();
    let (mut slow, mut now, src) = ([0u64; 20], [0u64; 3], [7u64; 20]);
    world
        .scope(|s| {
            let receive = s.irecv(&mut slow, 0, 1)?;
            s.isend(&src, 0, 1)?.defer();
            world.send(&[1u64, 2, 3], 0, 2)?;
            world.recv_into(&mut now, 0, 2)?;
            world.barrier()?;
            let total = world.allreduce(&now, Sum)?;
            assert_eq!(total, [1, 2, 3]);
            let later = s.irecv(&mut now, 0, 3)?;
            world.ssend(&[4u64, 5, 6], 0, 3)?; // matched by the receive that is posted
            assert_eq!(later.wait()?.data, &[4, 5, 6]);
            assert_eq!(receive.wait()?.data, &src);
            Ok(())
        })
        .unwrap();
}

#[test]
fn collectives() -> Result<()> {
    let world = world();
    world.barrier()?;
    let mut numbers = [1.0, 2.0, 3.0];
    world.bcast(&mut numbers, 0)?;
    assert_eq!(world.allreduce(&numbers, Sum)?, [1.0, 2.0, 3.0]);
    assert_eq!(world.allreduce(&vec![1u8, 2], BitXor)?, [1, 2]);
    assert!(world.allreduce(&true, LogicalAnd)?);
    assert_eq!(world.allreduce(&[[1i32, 2], [3, 4]], Prod)?, [[1, 2], [3, 4]]);
    world.allreduce_in_place(&mut numbers, Max)?;
    let mut result = [0.0; 3];
    world.allreduce_into(&numbers, &mut result, Min)?;
    assert_eq!(result, numbers);
    assert_eq!(world.reduce(&4u64, Sum, 0)?, Some(4));
    world.reduce_into(&[5.0; 3], Some(&mut result), Sum, 0)?;
    assert_eq!(result, [5.0; 3]);
    assert_eq!(world.gather(&['x', 'y'], 0)?, Some(vec!['x', 'y']));
    world.gather_into(&[6.0; 3], Some(&mut result), 0)?;
    assert_eq!(world.allgather(&true)?, [true]);
    world.allgather_into(&[7.0; 3], &mut result)?;
    assert_eq!(result, [7.0; 3]);
    assert_eq!(world.scatter(Some(&[1u16, 2, 3]), 0)?, [1, 2, 3]);
    world.scatter_into(Some(&numbers), &mut result, 0)?;
    assert_eq!(result, numbers);
    assert_eq!(world.allgather::<[()]>(&[(); 4])?.len(), 4);
    assert_eq!(world.allreduce::<[u8; 0], _>(&[], Sum)?, []);
    assert_eq!(world.allreduce::<[f64], _>(&[], Sum)?, []);
    Ok(())
}

#[test]
fn communicators_and_grids() -> Result<()> {
    let world = world();
    let dup = world.dup()?;
    assert_eq!((world.compare(&dup)?, dup.compare(&dup)?), (Comparison::Congruent, Comparison::Identical));
    assert!(world.split(None, 0)?.is_none());
    let half = world.split(Some(3), 1)?.expect("a color was given");
    world.send(&1u8, 0, 1)?;
    half.send(&2u8, 0, 1)?;
    assert_eq!((half.recv::<u8>(0, 1)?.data, world.recv::<u8>(0, 1)?.data), (2, 1));

    assert_eq!(dims_create(12, [0, 0])?, [4, 3]);
    assert_eq!(dims_create(30, [0, 5, 0])?, [3, 5, 2]);
    assert_eq!(class(dims_create(7, [2, 0])), ErrorClass::DIMS);
    let grid = half.cartesian(&[1, 1], &[true, false], true)?.expect("one place, one rank");
    drop(half);
    assert_eq!((grid.my_coords(), grid.coords(0)?), (&[0, 0][..], vec![0, 0]));
    assert_eq!(
        (grid.shift(0, 5)?, grid.shift(1, 1)?, grid.shift(1, 0)?),
        ((Some(0), Some(0)), (None, None), (Some(0), Some(0)))
    );
    assert_eq!((grid.rank_at(&[-3, 0])?, class(grid.rank_at(&[0, 1]))), (0, ErrorClass::ARG));
    let (line, point) = (grid.sub(&[false, true])?, grid.sub(&[false, false])?);
    assert_eq!((line.dims(), line.periods(), point.dims()), (&[1][..], &[false][..], &[][..]));
    assert!(class(world.cartesian(&[2], &[true], false)) == ErrorClass::DIMS);
    Ok(())
}
