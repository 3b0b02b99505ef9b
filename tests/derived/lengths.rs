//! Messages that are no whole number of values.

use crate::types::*;
use mpi::datatype::typemap;
use mpi::{Communicator, Datatype, ErrorClass, Result};
use std::mem::MaybeUninit;

/// One `Tuple` is nine bytes: an `i8`, an `i64`.
const BYTES: [u8; 19] = [7, 1, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 9];

#[mpi::test(ranks = 2)]
fn are_counted_in_whole_values(world: Communicator) -> Result<()> {
    let lengths =
        [(0, Some(0), 0, 0), (1, None, 1, 0), (9, Some(1), 2, 1), (10, None, 3, 1), (19, None, 5, 2)];
    for (tag, (len, count, elements, whole)) in (0..).zip(lengths) {
        if world.rank() == 0 {
            for _ in 0..4 {
                world.send(&BYTES[..len], 1, tag)?;
            }
            continue;
        }
        let status = world.probe(0, tag)?;
        assert_eq!((status.count::<Tuple>(), status.elements::<Tuple>()), (count, Some(elements)), "{len}");

        let mut room = [MaybeUninit::<Tuple>::uninit(); 4];
        let (arrived, _) = world.recv_into(&mut room[..], 0, tag)?.data;
        assert_eq!(arrived, &[Tuple(7, 1), Tuple(8, 2)][..whole], "{len}");

        let got = world.recv_vec::<Tuple>(0, tag);
        assert_eq!(got.is_ok(), count.is_some(), "{len}");
        let got = world.recv::<Tuple>(0, tag);
        match (len, got) {
            (9, Ok(got)) => assert_eq!(got.data, Tuple(7, 1)),
            (0 | 1, Err(_)) => (),
            (10.., Err(error)) => assert_eq!(error.class(), ErrorClass::TRUNCATE),
            (_, other) => panic!("{len}: {other:?}"),
        }
        let got = world.irecv_vec::<Tuple>(0, tag)?.wait();
        assert_eq!(got.is_ok(), count.is_some(), "{len}");
    }
    Ok(())
}

/// The whole elements at the front of so many bytes of values, and whether nothing follows.
fn elements_of<T: Datatype>(mut bytes: usize) -> Option<usize> {
    let map = typemap::<T>();
    let each = map.entries().iter().flat_map(|entry| vec![entry.primitive.size(); entry.count]);
    let mut all = each.collect::<Vec<_>>().into_iter().cycle();
    let mut elements = 0;
    while bytes > 0 {
        bytes = bytes.checked_sub(all.next().expect("a type with bytes"))?;
        elements += 1;
    }
    Some(elements)
}

/// Messages of every length up to two values.
fn every_length<T: Datatype>(world: &Communicator) -> Result<()> {
    let per_value = elements_of::<T>(typemap::<T>().size()).expect("whole values");
    for len in 0..=2 * typemap::<T>().size() {
        if world.rank() == 0 {
            world.send(&vec![1u8; len], 1, 0)?;
            continue;
        }
        let status = world.probe(0, 0)?;
        let elements = elements_of::<T>(len);
        assert_eq!(status.elements::<T>(), elements, "{len} bytes");
        let values = elements.filter(|n| n % per_value == 0).map(|n| n / per_value);
        assert_eq!(status.count::<T>(), values, "{len} bytes");
        world.recv_vec::<u8>(0, 0)?;
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn parts_of_nested_values_are_counted(world: Communicator) -> Result<()> {
    every_length::<Nested>(&world)?;
    every_length::<Arrays>(&world)?;
    every_length::<[InC; 3]>(&world)?;
    every_length::<Generic<Generic<i32, 1>, 3>>(&world)
}

/// What stands in a buffer where nothing arrives, and between fields, stays.
#[mpi::test(ranks = 2)]
fn a_part_of_a_value_changes_no_other(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&BYTES[..10], 1, 0);
    }
    let mut buffer = [Tuple(-1, -1); 3];
    world.recv_into(&mut buffer, 0, 0)?;
    assert_eq!(buffer, [Tuple(7, 1), Tuple(8, -1), Tuple(-1, -1)]);
    Ok(())
}

/// Generalized requests count them as messages do.
#[mpi::test(ranks = 1)]
fn generalized_requests_count_values(world: Communicator) -> Result<()> {
    for (elements, values) in [(0, 0), (4, 2)] {
        let (request, mut completer) = world.grequest_start::<()>()?;
        assert!(completer.set_elements::<Tuple>(3).is_err(), "a value and a half");
        completer.set_elements::<Tuple>(elements)?;
        completer.complete(()).map_err(mpi::Error::from)?;
        let status = request.wait()?.status;
        assert_eq!((status.count::<Tuple>(), status.elements::<Tuple>()), (Some(values), Some(elements)));
    }
    Ok(())
}

/// A type whose implementation is written by hand: nothing says of how many elements its MPI type is made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct ByHand(Tuple);
// SAFETY: the type that it wraps, which says the same of it.
unsafe impl mpi::Datatype for ByHand {
    const UNITS: usize = <Tuple as mpi::Datatype>::UNITS;
    fn unit() -> mpi::datatype::RawDatatype {
        <Tuple as mpi::Datatype>::unit()
    }
}
// SAFETY: the same type, of which any bits are a value.
unsafe impl mpi::FromBits for ByHand {
    type Bits = Self;
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: any bits are a value of what it wraps.
unsafe impl mpi::AnyBits for ByHand {}

/// One in a struct is as little known.
#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
struct Inside(u16, ByHand);

#[mpi::test(ranks = 2)]
fn no_value_is_given_out_that_did_not_arrive(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&BYTES[..10], 1, 0)?; // one and a half
        world.send(&BYTES[..18], 1, 1)?; // two
        return world.send(&BYTES[..14], 1, 2); // one of eleven, and three bytes
    }
    let mut room = [MaybeUninit::<ByHand>::uninit(); 4];
    let (arrived, _) = world.recv_into(&mut room[..], 0, 0)?.data;
    assert!(arrived.len() <= 1, "{arrived:?}");
    let (arrived, _) = world.recv_into(&mut room[..], 0, 1)?.data;
    assert_eq!(arrived, [ByHand(Tuple(7, 1)), ByHand(Tuple(8, 2))]);
    let mut room = [MaybeUninit::<Inside>::uninit(); 4];
    let (arrived, _) = world.recv_into(&mut room[..], 0, 2)?.data;
    assert!(arrived.len() <= 1, "{}", arrived.len());
    Ok(())
}
