//! Every type from rank 0 to rank 1, in every kind of buffer and mode.

use crate::SIZES;
use crate::sample::{Sample, same, samples};
use crate::types::*;
use mpi::buffer::{Strided, StridedMut};
use mpi::persistent::Plan;
use mpi::{AnyBits, Communicator, Result, Scalar};
use std::mem::MaybeUninit;

/// As vectors and by value, which every type can be received as.
fn owned<T: Sample + Scalar>(world: &Communicator) -> Result<()> {
    for (tag, len) in (0..).zip(SIZES) {
        let values = samples::<T>(0, len);
        if world.rank() == 0 {
            world.send(&values, 1, tag)?;
            world.ssend(&values[..], 1, tag)?;
            world.isend(values.clone(), 1, tag)?.wait()?;
            values.iter().take(5).try_for_each(|value| world.send(value, 1, 99))?;
        } else {
            for _ in 0..2 {
                let got = world.recv_vec::<T>(0, tag)?;
                same(&got.data, &values);
                assert_eq!(got.status.count::<T>(), Some(len));
            }
            same(&world.irecv_vec::<T>(0, tag)?.wait()?.data, &values);
            for value in values.iter().take(5) {
                assert_eq!(world.recv::<T>(0, 99)?.data, *value);
            }
        }
    }
    Ok(())
}

/// Into buffers, whose rest is left alone.
fn lent<T: Sample + Scalar + AnyBits>(world: &Communicator) -> Result<()> {
    for (tag, len) in (0..).zip(SIZES) {
        let (values, before) = (samples::<T>(0, len), samples::<T>(9, len + 3));
        if world.rank() == 0 {
            for _ in 0..2 {
                world.send(&values, 1, tag)?;
            }
            world.scope(|s| s.isend(&values, 1, tag)?.wait().map(drop))?;
        } else {
            let mut buffer = before.clone();
            world.recv_into(&mut buffer, 0, tag)?;
            same(&buffer[..len], &values);
            same(&buffer[len..], &before[len..]);

            let mut room = vec![MaybeUninit::<T>::uninit(); len + 3];
            let (arrived, rest) = world.recv_into(&mut room[..], 0, tag)?.data;
            same(arrived, &values);
            assert_eq!(rest.len(), 3);

            let mut buffer = before.clone();
            world.scope(|s| s.irecv(&mut buffer, 0, tag)?.wait().map(drop))?;
            same(&buffer[..len], &values);
        }
    }
    let mut value = T::sample(7);
    if world.rank() == 0 {
        return world.send(&T::sample(8), 1, 0);
    }
    world.recv_into(&mut value, 0, 0)?;
    assert_eq!(value, T::sample(8));
    Ok(())
}

/// Columns, buffered copies, a plan and an exchange.
fn shaped<T: Sample + Scalar + AnyBits>(world: &Communicator) -> Result<()> {
    let (rank, peer) = (world.rank(), 1 - world.rank());
    let (mine, theirs) = (samples::<T>(rank, 60), samples::<T>(peer, 60));

    let mut table = mine.clone();
    let mut column = StridedMut::new(&mut table, 1, 6, 2, 10)?;
    world.sendrecv(&Strided::new(&mine, 5, 6, 2, 10)?, peer, 1, &mut column, peer, 1)?;
    for (place, value) in table.iter().enumerate() {
        let came = [1, 2].contains(&(place % 10));
        assert_eq!(*value, if came { theirs[place + 4] } else { mine[place] });
    }

    let mut plan = Plan::new(world);
    let (out, into) = (plan.array(mine.clone()), plan.array(mine.clone()));
    plan.recv(into, 10..20, peer, 2)?;
    plan.send(out, 30..40, peer, 2)?;
    for _ in 0..2 {
        plan.start()?.wait()?;
    }
    same(&plan.take(into)?[10..20], &theirs[30..40]);

    let mut both = mine.clone();
    world.scope(|s| s.isendrecv_replace(&mut both, peer, 3, peer, 3)?.wait().map(drop))?;
    same(&both, &theirs);
    Ok(())
}

fn every_way<T: Sample + Scalar + AnyBits>(world: &Communicator) -> Result<()> {
    owned::<T>(world)?;
    lent::<T>(world)?;
    shaped::<T>(world)
}

macro_rules! trips {
    ($way:ident: $($name:ident $type:ty;)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $name(world: Communicator) -> Result<()> {
            $way::<$type>(&world)
        }
    )+ };
}
trips! { every_way:
    uniform Uniform;
    mixed Mixed;
    in_c InC;
    packed Packed;
    packed_in_twos PackedInTwos;
    aligned Aligned;
    transparent Transparent;
    tuple Tuple;
    nested Nested;
    arrays Arrays;
    generic_row Generic<u8, 3>;
    generic_struct Generic<f64, 2>;
    generic_of_struct Generic<Mixed, 2>;
    generic_of_generic Generic<Generic<i32, 1>, 3>;
    bytes Bytes;
    as_numbers Unchecked;
}
trips! { owned:
    color Color;
    signed Signed;
    checked Checked;
    skipping Skipping;
    skipping_inside SkippingInside<u64>;
    skipping_inside_generic SkippingInside<Checked>;
}

/// Types without bytes travel as empty messages.
#[mpi::test(ranks = 2)]
fn types_without_bytes(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&Unit, 1, 0)?;
        return world.send(&[WithoutBytes::sample(0); 4], 1, 1);
    }
    assert_eq!(world.recv::<Unit>(0, 0)?.data, Unit);
    assert_eq!(
        world.recv_into(&mut [WithoutBytes::sample(0); 4], 0, 1)?.status.count::<WithoutBytes>(),
        Some(0)
    );
    Ok(())
}

/// Two instances of a generic type at once, and many: each finds its own MPI type.
#[mpi::test(ranks = 2)]
fn instances_do_not_mix(world: Communicator) -> Result<()> {
    macro_rules! instances { ($($n:literal)+) => { $(
        shaped::<Generic<f64, $n>>(&world)?;
        shaped::<Generic<u32, $n>>(&world)?;
    )+ }; }
    for _ in 0..3 {
        instances!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25);
    }
    Ok(())
}

/// What buffered sends copy is what the struct type names.
#[mpi::test(ranks = 2)]
fn buffered(world: Communicator) -> Result<()> {
    let values = samples::<Nested>(0, 20);
    if world.rank() == 0 {
        mpi::buffered::attach(1 << 16)?;
        world.bsend(&values, 1, 0)?;
        mpi::buffered::detach()?;
    } else {
        same(&world.recv_vec::<Nested>(0, 0)?.data, &values);
    }
    Ok(())
}

/// A struct and its twin in numbers are one thing to MPI.
#[mpi::test(ranks = 2)]
fn a_row_is_its_primitive(world: Communicator) -> Result<()> {
    let values = samples::<Uniform>(0, 9);
    let numbers: Vec<f64> = values.iter().flat_map(|value| [value.x, value.y[0], value.y[1]]).collect();
    if world.rank() == 0 {
        world.send(&values, 1, 0)?;
        return world.send(&numbers, 1, 1);
    }
    same(&world.recv_vec::<f64>(0, 0)?.data, &numbers);
    same(&world.recv_vec::<Uniform>(0, 1)?.data, &values);
    Ok(())
}
