//! Every element type, in every size, by `send` and `ssend`.

use crate::SIZES;
use crate::sample::{Sample, same, samples, seed};
use mpi::{AnyBits, Communicator, Result, Scalar};

/// Sends slices from rank 0 to 1 and receives them as vectors.
fn slices<T: Sample>(world: &Communicator) -> Result<()> {
    for (tag, len) in (0..).zip(SIZES) {
        let values = samples::<T>(0, len);
        if world.rank() == 0 {
            world.send(&values, 1, tag)?;
            world.ssend(&values[..], 1, tag)?;
        } else {
            for _ in 0..2 {
                let got = world.recv_vec::<T>(0, tag)?;
                same(&got.data, &values);
                assert_eq!(got.status.count::<T>(), Some(len));
                assert_eq!((got.status.source(), got.status.tag().get()), (Some(0), tag));
            }
        }
    }
    Ok(())
}

/// Receives the same into a buffer, which is longer than the message: the rest is left alone.
fn into_slices<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    for (tag, len) in (0..).zip(SIZES) {
        let (values, before) = (samples::<T>(0, len), samples::<T>(9, len + 5));
        if world.rank() == 0 {
            world.send(&values, 1, tag)?;
        } else {
            let mut buffer = before.clone();
            let status = world.recv_into(&mut buffer, 0, tag)?.status;
            same(&buffer[..len], &values);
            same(&buffer[len..], &before[len..]);
            assert_eq!(status.count::<T>(), Some(len));
        }
    }
    Ok(())
}

/// Both ranks send and receive at once.
fn both_ways<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), 1 - world.rank());
    for (tag, len) in (0..).zip(SIZES) {
        let (mine, mut theirs) = (samples::<T>(me, len), samples::<T>(9, len));
        world.sendrecv(&mine, peer, tag, &mut theirs, peer, tag)?;
        same(&theirs, &samples::<T>(peer, len));
    }
    Ok(())
}

/// Sends single values, and receives them by value.
fn values<T: Sample + Scalar>(world: &Communicator) -> Result<()> {
    for place in 0..50 {
        let value = T::sample(seed(0, place));
        if world.rank() == 0 {
            world.send(&value, 1, 5)?;
            world.ssend(&value, 1, 5)?;
        } else {
            assert_eq!(world.recv::<T>(0, 5)?.data, value);
            assert_eq!(world.recv::<T>(0, 5)?.data, value);
        }
    }
    Ok(())
}

/// Sends single values, and receives them into a value.
fn into_values<T: Sample + Scalar + AnyBits>(world: &Communicator) -> Result<()> {
    for place in 0..50 {
        let (mut value, other) = (T::sample(seed(0, place)), T::sample(seed(0, place + 1)));
        if world.rank() == 0 {
            world.send(&other, 1, 5)?;
        } else {
            assert_eq!(*world.recv_into(&mut value, 0, 5)?.data, other);
            assert_eq!(value, other);
        }
    }
    Ok(())
}

macro_rules! any_bits {
    ($($t:ident)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $t(world: Communicator) -> Result<()> {
            slices::<$t>(&world)?;
            into_slices::<$t>(&world)?;
            both_ways::<$t>(&world)?;
            values::<$t>(&world)?;
            into_values::<$t>(&world)
        }
    )+ };
}
any_bits!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

macro_rules! checked {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $name(world: Communicator) -> Result<()> {
            slices::<$t>(&world)?;
            values::<$t>(&world)
        }
    )+ };
}
checked! {
    bool: bool;
    char: char;
    non_zero_i8: std::num::NonZero<i8>;
    non_zero_i16: std::num::NonZero<i16>;
    non_zero_i32: std::num::NonZero<i32>;
    non_zero_i64: std::num::NonZero<i64>;
    non_zero_i128: std::num::NonZero<i128>;
    non_zero_isize: std::num::NonZero<isize>;
    non_zero_u8: std::num::NonZero<u8>;
    non_zero_u16: std::num::NonZero<u16>;
    non_zero_u32: std::num::NonZero<u32>;
    non_zero_u64: std::num::NonZero<u64>;
    non_zero_u128: std::num::NonZero<u128>;
    non_zero_usize: std::num::NonZero<usize>;
}

macro_rules! arrays {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $name(world: Communicator) -> Result<()> {
            slices::<$t>(&world)?;
            into_slices::<$t>(&world)?;
            both_ways::<$t>(&world)?;
            by_value::<$t>(&world)
        }
    )+ };
}
arrays! {
    array_of_f64: [f64; 3];
    array_of_u8: [u8; 1];
    array_of_i128: [i128; 2];
    nested_array: [[i16; 2]; 5];
}

/// An array that is sent as one element of a slice, and received by value.
fn by_value<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    let element = T::sample(77);
    if world.rank() == 0 {
        return world.send(std::slice::from_ref(&element), 1, 8);
    }
    assert_eq!(world.recv::<T>(0, 8)?.data, element);
    Ok(())
}

/// Types without bytes travel as empty messages, whose length nobody can tell.
#[mpi::test(ranks = 2)]
fn types_without_bytes(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&(), 1, 0)?;
        world.send(&[(); 7], 1, 1)?;
        world.send(&[[0u8; 0]; 4], 1, 2)?;
        return world.send(&[1u8, 2], 1, 3);
    }
    world.recv::<()>(0, 0)?;
    assert_eq!(world.recv_into(&mut [(); 7], 0, 1)?.data, &[(); 7]);
    assert_eq!(world.recv_vec::<[u8; 0]>(0, 2)?.data, [[0u8; 0]; 0]);
    let status = world.probe(0, 3)?;
    assert_eq!((status.count::<()>(), status.count::<u8>(), status.count::<u16>()), (None, Some(2), Some(1)));
    assert!(world.recv_vec::<()>(0, 3).is_err(), "two bytes are no whole number of values without bytes");
    Ok(())
}

/// Also what compares equal to nothing, or to something else.
#[mpi::test(ranks = 2)]
fn every_bit_of_a_float_arrives(world: Communicator) -> Result<()> {
    let odd = [f64::NAN, -0.0, f64::INFINITY, f64::MIN_POSITIVE / 3.0, f64::from_bits(0x7FF4_0000_0000_0001)];
    if world.rank() == 0 {
        return world.send(&odd, 1, 0);
    }
    let got = world.recv_vec::<f64>(0, 0)?.data;
    assert_eq!(got.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), odd.map(f64::to_bits));
    Ok(())
}
