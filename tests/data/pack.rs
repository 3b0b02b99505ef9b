//! Packed messages: every type and form there and back, what does not fit, bytes that lie.

use crate::sample::{Sample, same, samples};
use mpi::buffer::{Strided, StridedMut};
use mpi::pack::{Bare, External, Form, Labelled, Packed, Unpacker};
use mpi::{AnyBits, Communicator, ErrorClass, Result, Scalar};
use std::fmt::Debug;
use std::num::NonZero;

/// Value, slice, column and nothing, of one type.
fn push_all<T: Sample>(message: &mut Packed<'_, impl Form>) -> Result<()> {
    let slice = samples::<T>(1, 12);
    message.push(&slice[..1])?.push(&slice)?.push(&Strided::new(&slice, 1, 3, 1, 4)?)?.push(&slice[..0])?;
    Ok(())
}

fn read_all<T: Sample>(pieces: &mut Unpacker<'_, impl Form>) -> Result<()> {
    let slice = samples::<T>(1, 12);
    assert_eq!(pieces.next::<T>()?, slice[0]);
    same(&pieces.next_many::<T>(12)?, &slice);
    same(&pieces.next_many::<T>(3)?, &[slice[1], slice[5], slice[9]]);
    assert_eq!(pieces.next_many::<T>(0)?, []);
    Ok(())
}

fn read_into<T: Sample + AnyBits>(pieces: &mut Unpacker<'_, impl Form>) -> Result<()> {
    let slice = samples::<T>(1, 12);
    let mut one = [T::sample(99)];
    pieces.next_into(&mut one)?;
    same(&one, &slice[..1]);
    let mut all = vec![T::sample(99); 12];
    pieces.next_into(&mut all)?;
    same(&all, &slice);
    let mut column = vec![T::sample(99); 12];
    pieces.next_into(&mut StridedMut::new(&mut column, 1, 3, 1, 4)?)?;
    for (i, value) in column.iter().enumerate() {
        assert_eq!(*value, if i % 4 == 1 { slice[i] } else { T::sample(99) }, "element {i}");
    }
    pieces.next_into::<[T]>(&mut [])
}

/// Every type in one message.
macro_rules! types {
    ($f:ident, $argument:expr) => {
        $f::<i8>($argument)?;
        $f::<i16>($argument)?;
        $f::<i32>($argument)?;
        $f::<i64>($argument)?;
        $f::<i128>($argument)?;
        $f::<isize>($argument)?;
        $f::<u8>($argument)?;
        $f::<u16>($argument)?;
        $f::<u32>($argument)?;
        $f::<u64>($argument)?;
        $f::<u128>($argument)?;
        $f::<usize>($argument)?;
        $f::<f32>($argument)?;
        $f::<f64>($argument)?;
        $f::<[f64; 3]>($argument)?;
        $f::<[[i16; 2]; 5]>($argument)?;
    };
}

fn there_and_back<F: Form>(world: &Communicator, new: fn(&Communicator) -> Packed<'_, F>) -> Result<()> {
    let other = (world.rank() + 1) % world.size();
    let from = (world.rank() + world.size() - 1) % world.size();
    let mut message = new(world);
    types!(push_all, &mut message);
    push_all::<bool>(&mut message)?;
    push_all::<char>(&mut message)?;
    push_all::<NonZero<u64>>(&mut message)?;
    let received = world.scope(|s| {
        let sent = s.isend(&message, other, 7)?;
        let received = world.recv_packed::<F>(from, 7)?;
        sent.wait()?;
        Ok::<_, mpi::Error>(received)
    })?;
    assert_eq!(received.data.as_bytes(), message.as_bytes());
    for into in [false, true] {
        let mut pieces = received.data.unpack();
        if into {
            types!(read_into, &mut pieces);
        } else {
            types!(read_all, &mut pieces);
        }
        read_all::<bool>(&mut pieces)?;
        read_all::<char>(&mut pieces)?;
        assert!(!pieces.is_empty());
        read_all::<NonZero<u64>>(&mut pieces)?;
        assert!(pieces.is_empty());
        pieces.finish()?;
    }
    message.clear();
    message.push(&5u8)?;
    assert_eq!(message.unpack().next::<u8>()?, 5);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn labelled(world: Communicator) -> Result<()> {
    there_and_back(&world, Communicator::pack)
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn bare(world: Communicator) -> Result<()> {
    there_and_back(&world, Communicator::pack_bare)
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn external(world: Communicator) -> Result<()> {
    there_and_back(&world, Communicator::pack_external)
}

/// The standard says which bytes (MPI 4.1 §14.5.2): big-endian numbers, one after the other.
#[mpi::test(ranks = 1)]
fn external_bytes(world: Communicator) -> Result<()> {
    let mut message = world.pack_external();
    message
        .push(&[1u16, 0x0203])?
        .push(&-2i64)?
        .push(&1.5f64)?
        .push(&[true, false])?
        .push(&0x0A0B_0C0Di32)?;
    let mut bytes = vec![0, 1, 2, 3];
    bytes.extend((-2i64).to_be_bytes());
    bytes.extend(1.5f64.to_be_bytes());
    bytes.extend([1, 0, 0xA, 0xB, 0xC, 0xD]);
    assert_eq!(message.as_bytes(), bytes);
    let again = Packed::<External>::from_bytes(&world, message.into_bytes());
    let mut pieces = again.unpack();
    assert_eq!(pieces.next_many::<u16>(2)?, [1, 0x203]);
    assert_eq!((pieces.next::<i64>()?, pieces.next::<f64>()?), (-2, 1.5));
    assert_eq!(
        (pieces.next::<bool>()?, pieces.next::<bool>()?, pieces.next::<i32>()?),
        (true, false, 0x0A0B_0C0D)
    );
    pieces.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
#[repr(C)]
struct Inner {
    small: [u16; 3],
    byte: u8,
}
#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
#[repr(C)]
struct Outer {
    number: u32,
    inner: [Inner; 2],
    real: f64,
    wide: u128,
}

/// The same of structs: field by field, without padding, also in a view.
#[mpi::test(ranks = 1)]
fn external_bytes_of_structs(world: Communicator) -> Result<()> {
    let inner = |small: u16, byte| Inner { small: [small, 2, 3], byte };
    let value = |number| Outer { number, inner: [inner(0x0A0B, 7), inner(1, 8)], real: 1.5, wide: 5 << 64 };
    let bytes = |number: u32| {
        let mut bytes = number.to_be_bytes().to_vec();
        bytes.extend([0xA, 0xB, 0, 2, 0, 3, 7, 0, 1, 0, 2, 0, 3, 8]);
        bytes.extend(1.5f64.to_be_bytes());
        bytes.extend((5u128 << 64).to_ne_bytes()); // bytes to MPI
        bytes
    };
    let values = [value(1), value(2), value(3), value(4)];
    let mut message = world.pack_external();
    message.push(&values[..2])?.push(&Strided::new(&values, 1, 2, 1, 2)?)?.push(&7u16)?;
    assert_eq!(message.as_bytes(), [bytes(1), bytes(2), bytes(2), bytes(4), vec![0, 7]].concat());
    let mut pieces = message.unpack();
    assert_eq!(pieces.next_many::<Outer>(2)?, values[..2]);
    let mut table = [value(9); 4];
    pieces.next_into(&mut StridedMut::new(&mut table, 1, 2, 1, 2)?)?;
    assert_eq!(table, [value(9), values[1], value(9), values[3]]);
    assert_eq!(pieces.next::<u16>()?, 7);
    pieces.finish()
}

/// A bare message is what a receiver of the elements gets, too: no header, no gaps.
#[mpi::test(ranks = 2)]
fn bare_messages_match_other_types(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        let mut message = world.pack_bare();
        message.push(&[1.5f64, 2.5])?.push(&3.5f64)?;
        world.send(&message, 1, 0)?;
        return world.send(&[7i32, 8], 1, 1);
    }
    assert_eq!(world.recv_vec::<f64>(0, 0)?.data, [1.5, 2.5, 3.5]);
    let message = world.recv_packed::<Bare>(0, 1)?.data;
    let mut pieces = message.unpack();
    assert_eq!((pieces.next::<i32>()?, pieces.next::<i32>()?), (7, 8));
    pieces.finish()
}

#[track_caller]
fn refused<T: Debug>(result: Result<T>, class: ErrorClass, text: &str) {
    let error = result.expect_err(text);
    assert_eq!((error.to_string().as_str(), error.class(), error.code()), (text, class, None));
}

/// What is refused is not consumed.
#[mpi::test(ranks = 1)]
fn another_order(world: Communicator) -> Result<()> {
    let mut message = world.pack();
    message.push(&[1u32, 2, 3])?.push(&4.0f64)?.push(&[[1u8; 3]; 2])?;
    let mut pieces = message.unpack();
    let other_type = "MPI_Unpack: the next piece of the packed message has elements of another type";
    let length = |has: usize, asked: usize| {
        format!(
            "MPI_Unpack: the next piece of the packed message has {has} elements of MPI's types, but {asked} were asked for"
        )
    };
    refused(pieces.next::<f64>(), ErrorClass::TYPE, other_type);
    refused(pieces.next::<i32>(), ErrorClass::TYPE, other_type);
    refused(pieces.next_vec::<f32>(), ErrorClass::TYPE, other_type);
    refused(pieces.next_into(&mut [0u64; 3]), ErrorClass::TYPE, other_type);
    refused(pieces.next::<u32>(), ErrorClass::COUNT, &length(3, 1));
    refused(pieces.next_many::<u32>(4), ErrorClass::COUNT, &length(3, 4));
    refused(pieces.next_many::<u32>(usize::MAX), ErrorClass::COUNT, &length(3, usize::MAX));
    refused(pieces.next_into(&mut [0u32; 2]), ErrorClass::COUNT, &length(3, 2));
    refused(pieces.next_vec::<[u32; 2]>(), ErrorClass::COUNT, &length(3, 2));
    assert_eq!(pieces.peek_len()?, 3);
    assert_eq!(pieces.next_vec::<u32>()?, [1, 2, 3]);
    assert_eq!(pieces.next::<f64>()?, 4.0);
    // Structs of one size, of which the fields differ.
    let mut structs = world.pack();
    structs.push(&NumberAndCount { x: 1.5, n: 7 })?.push(&Nested([NumberAndCount { x: 2.5, n: 8 }; 2]))?;
    let mut others = structs.unpack();
    refused(others.next::<CountAndNumber>(), ErrorClass::TYPE, other_type);
    assert_eq!(others.next::<NumberAndCount>()?, NumberAndCount { x: 1.5, n: 7 });
    refused(others.next_vec::<NumberAndCount>(), ErrorClass::TYPE, other_type);
    assert_eq!(others.next::<Nested>()?.0[1].n, 8);
    refused(
        message.unpack().finish(),
        ErrorClass::COUNT,
        &format!("MPI_Unpack: {} bytes of the packed message were not unpacked", message.as_bytes().len()),
    );
    assert_eq!(pieces.next_vec::<[u8; 3]>()?, [[1; 3]; 2]);
    refused(
        pieces.next_vec::<u8>(),
        ErrorClass::COUNT,
        "MPI_Unpack: 16 bytes are needed, but 0 are left of the packed message",
    );
    refused(
        pieces.next::<u8>(),
        ErrorClass::COUNT,
        "MPI_Unpack: 16 bytes are needed, but 0 are left of the packed message",
    );
    pieces.finish()
}

/// Every end that a message can have been cut at.
fn cut<F: Form>(message: Packed<'_, F>, world: &Communicator) -> Result<()> {
    let bytes = message.into_bytes();
    for len in 0..bytes.len() {
        let short = Packed::<F>::from_bytes(world, bytes[..len].to_vec());
        let mut pieces = short.unpack();
        let read = pieces.next_many::<u32>(3).and_then(|_| pieces.next::<f64>());
        assert_eq!(read.expect_err("short").class(), ErrorClass::COUNT, "{len} bytes");
    }
    let mut pieces = Unpacked(&bytes);
    pieces.whole::<F>(world)
}

struct Unpacked<'b>(&'b [u8]);
impl Unpacked<'_> {
    fn whole<F: Form>(&mut self, world: &Communicator) -> Result<()> {
        let message = Packed::<F>::from_bytes(world, self.0.to_vec());
        let mut pieces = message.unpack();
        assert_eq!((pieces.next_many::<u32>(3)?, pieces.next::<f64>()?), (vec![1, 2, 3], 4.0));
        pieces.finish()
    }
}

#[mpi::test(ranks = 1)]
fn short_messages(world: Communicator) -> Result<()> {
    let mut labelled = world.pack();
    labelled.push(&[1u32, 2, 3])?.push(&4.0f64)?;
    cut(labelled, &world)?;
    let mut bare = world.pack_bare();
    bare.push(&[1u32, 2, 3])?.push(&4.0f64)?;
    assert_eq!(bare.as_bytes().len(), 20, "what MPI says of sizes is exact");
    cut(bare, &world)?;
    let mut external = world.pack_external();
    external.push(&[1u32, 2, 3])?.push(&4.0f64)?;
    cut(external, &world)
}

/// Labels that promise more than there is: nothing is allocated for it.
#[mpi::test(ranks = 1)]
fn labels_that_lie(world: Communicator) -> Result<()> {
    let mut message = world.pack();
    message.push(&[1u64, 2])?;
    for units in [3, 1 << 31, 1 << 61, 1 << 63, u64::MAX] {
        let mut bytes = message.as_bytes().to_vec();
        bytes[8..16].copy_from_slice(&units.to_ne_bytes());
        let lie = Packed::<Labelled>::from_bytes(&world, bytes);
        let class = lie.unpack().next_vec::<u64>().expect_err("a lie").class();
        assert_eq!(class, ErrorClass::COUNT, "{units} units");
        assert_eq!(lie.unpack().next::<u64>().expect_err("a lie").class(), ErrorClass::COUNT);
    }
    Ok(())
}

fn no_value<T: Sample, B: Scalar>(world: &Communicator, bits: B, good: B) -> Result<()> {
    let mut message = world.pack_bare();
    message.push(&good)?.push(&bits)?;
    let mut pieces = message.unpack();
    refused(
        pieces.next_many::<T>(2),
        ErrorClass::TYPE,
        "MPI_Unpack: element 1 of the message is not a valid value of the type it was received as",
    );
    pieces.next::<T>()?;
    refused(
        pieces.next::<T>(),
        ErrorClass::TYPE,
        "MPI_Unpack: element 0 of the message is not a valid value of the type it was received as",
    );
    assert!(!pieces.is_empty(), "what is refused is not consumed");
    Ok(())
}

#[mpi::test(ranks = 1)]
fn bytes_that_are_no_values(world: Communicator) -> Result<()> {
    no_value::<bool, u8>(&world, 2, 1)?;
    no_value::<char, u32>(&world, 0xD800, 0x41)?;
    no_value::<NonZero<i16>, i16>(&world, 0, 1)
}

/// Types without bytes are pieces of no elements.
#[mpi::test(ranks = 1)]
fn pieces_without_bytes(world: Communicator) -> Result<()> {
    let mut message = world.pack();
    message.push(&())?.push(&[[0u64; 0]; 3])?.push(&1u8)?;
    let mut pieces = message.unpack();
    pieces.next::<()>()?;
    assert_eq!(pieces.next_vec::<[u64; 0]>().map_err(|e| e.class()), Ok(vec![]));
    assert_eq!(pieces.next::<u8>()?, 1);
    pieces.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
struct NumberAndCount {
    x: f64,
    n: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
struct CountAndNumber {
    n: u32,
    x: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
struct Nested([NumberAndCount; 2]);
