//! Random values of random lengths, the same on both ranks: every bit arrives.

use crate::types::*;
use mpi::{AnyBits, Communicator, Datatype, Result};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::Debug;

/// Thirty vectors of up to two hundred values.
fn there_and_back<T>(world: &Communicator, one: impl Strategy<Value = T>) -> Result<()>
where
    T: AnyBits + Datatype + PartialEq + Debug,
{
    let mut runner = TestRunner::deterministic();
    let vectors = proptest::collection::vec(one, 0..200);
    for tag in 0..30 {
        let values = vectors.new_tree(&mut runner).expect("a strategy without filters").current();
        if world.rank() == 0 {
            world.send(&values, 1, tag)?;
            assert_eq!(world.recv_vec::<T>(1, tag)?.data, values);
        } else {
            let mut buffer = values.clone();
            buffer.iter_mut().rev().for_each(|value| *value = values[0]);
            world.recv_into(&mut buffer, 0, tag)?;
            assert_eq!(buffer, values);
            world.send(&buffer, 0, tag)?;
        }
    }
    Ok(())
}

fn mixed() -> impl Strategy<Value = Mixed> {
    any::<(u8, i32, u16)>().prop_map(|(a, b, c)| Mixed { a, b: f64::from(b) / 3.0, c })
}
fn tuple() -> impl Strategy<Value = Tuple> {
    any::<(i8, i64)>().prop_map(|(a, b)| Tuple(a, b))
}

#[mpi::test(ranks = 2)]
fn structs(world: Communicator) -> Result<()> {
    there_and_back(&world, mixed())?;
    there_and_back(&world, tuple())?;
    there_and_back(&world, any::<(u8, u32, [u64; 2])>().prop_map(|(a, b, c)| PackedInTwos(a, b, c)))?;
    there_and_back(&world, any::<(u8, i32)>().prop_map(|(a, b)| Aligned { a, b }))
}

#[mpi::test(ranks = 2)]
fn nested(world: Communicator) -> Result<()> {
    let in_c = || any::<(u8, i64, u16)>().prop_map(|(a, b, c)| InC { a, b: b as f64, c });
    let all = (mixed(), [in_c(), in_c(), in_c()], [[tuple(), tuple()], [tuple(), tuple()]], any::<u8>());
    let nested = all.prop_map(|(inner, all, pairs, tail)| Nested { inner, all, pairs, tail });
    there_and_back(&world, nested)?;
    let wide = any::<([[i16; 3]; 2], [u128; 2])>();
    there_and_back(&world, wide.prop_map(|(grid, wide)| Arrays { grid, wide, none: [], unit: () }))
}
