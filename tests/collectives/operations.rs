//! Every operation on every element type it is defined for.

use crate::SIZES;
use crate::reductions::{filling, returning};
use crate::sample::samples;
use mpi::op::{BitAnd, BitOr, BitXor, LogicalAnd, LogicalOr, LogicalXor, Max, Min, Prod, Sum};
use mpi::{Communicator, Result};

/// Runs all forms on all sizes.
macro_rules! check {
    ($world:ident, $t:ty, $op:ident, $input:expr, $model:expr) => {
        for len in SIZES {
            let input = |rank| -> Vec<$t> { $input(rank, len) };
            returning::<$t, _>(&$world, $op, &input, $model)?;
            filling::<$t, _>(&$world, $op, &input, $model)?;
        }
    };
}

/// 0, 1, 2: their sums on four ranks fit into every type, exactly.
macro_rules! small {
    ($t:ty) => {
        |rank: usize, len: usize| (0..len).map(|i| ((rank * 5 + i) % 3) as u8 as $t).collect()
    };
}

/// Mostly not 0, so that a conjunction is not always false.
macro_rules! truths {
    ($t:ty) => {
        |rank: usize, len: usize| (0..len).map(|i| ((rank * 5 + i * 3) % 7) as $t).collect()
    };
}

macro_rules! numbers {
    ($world:ident, $t:ident) => {
        check!($world, $t, Sum, small!($t), |a, b| a + b);
        check!($world, $t, Prod, small!($t), |a, b| a * b);
        check!($world, $t, Min, samples::<$t>, |a, b| if a < b { a } else { b });
        check!($world, $t, Max, samples::<$t>, |a, b| if a > b { a } else { b });
    };
}

macro_rules! integers {
    ($($t:ident)+) => { $(
        #[mpi::test(ranks = [1, 2, 4])]
        fn $t(world: Communicator) -> Result<()> {
            numbers!(world, $t);
            check!(world, $t, BitAnd, samples::<$t>, |a, b| a & b);
            check!(world, $t, BitOr, samples::<$t>, |a, b| a | b);
            check!(world, $t, BitXor, samples::<$t>, |a, b| a ^ b);
            check!(world, $t, LogicalAnd, truths!($t), |a, b| (a != 0 && b != 0).into());
            check!(world, $t, LogicalOr, truths!($t), |a, b| (a != 0 || b != 0).into());
            check!(world, $t, LogicalXor, truths!($t), |a, b| ((a != 0) != (b != 0)).into());
            Ok(())
        }
    )+ };
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($t:ident)+) => { $(
        #[mpi::test(ranks = [1, 2, 4])]
        fn $t(world: Communicator) -> Result<()> {
            numbers!(world, $t);
            Ok(())
        }
    )+ };
}
floats!(f32 f64);

#[mpi::test(ranks = [1, 2, 3, 4])]
fn bool(world: Communicator) -> Result<()> {
    for len in SIZES {
        let input = |rank: usize| (0..len).map(|i| !(rank * 5 + i).is_multiple_of(3)).collect();
        returning::<bool, _>(&world, LogicalAnd, &input, |a, b| a && b)?;
        returning::<bool, _>(&world, LogicalOr, &input, |a, b| a || b)?;
        returning::<bool, _>(&world, LogicalXor, &input, |a, b| a != b)?;
    }
    let everyone: bool = world.allreduce(&true, LogicalAnd)?;
    let anyone = world.reduce(&(world.rank() == 1), LogicalOr, 0)?;
    assert!(everyone);
    assert_eq!(anyone, (world.rank() == 0).then_some(world.size() > 1));
    Ok(())
}

/// An infinity and the largest numbers survive; a sum may overflow to infinity as it does without MPI.
#[mpi::test(ranks = 2)]
fn extreme_floats(world: Communicator) -> Result<()> {
    let mine = if world.rank() == 0 { [f64::MAX, f64::INFINITY, -0.0] } else { [f64::MAX, 1.0, -1.0] };
    assert_eq!(world.allreduce(&mine, Sum)?, [f64::INFINITY, f64::INFINITY, -1.0]);
    assert_eq!(world.allreduce(&mine, Min)?, [f64::MAX, 1.0, -1.0]);
    assert_eq!(world.allreduce(&mine, Max)?, [f64::MAX, f64::INFINITY, 0.0]);
    Ok(())
}
