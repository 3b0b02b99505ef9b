//! Operations made of functions and closures, in every form, over elements of many sizes.

use crate::comms::on_each;
use crate::reductions;
use crate::sample::{Sample, same, samples};
use mpi::buffer::Counts;
use mpi::op::{Operation, Sum, UserOp, from_fn, reduce_local};
use mpi::{AnyBits, Communicator, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::SIZES;

/// The map x -> m x + c, modulo 2^64; first `a`, then `b`. Associative, not commutative.
fn then(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0].wrapping_mul(b[0]), a[1].wrapping_mul(b[0]).wrapping_add(b[1])]
}

/// The product of two matrices of two rows and columns, modulo 256.
fn product(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    let dot =
        |i: usize, j: usize| a[2 * i].wrapping_mul(b[j]).wrapping_add(a[2 * i + 1].wrapping_mul(b[2 + j]));
    [dot(0, 0), dot(0, 1), dot(1, 0), dot(1, 1)]
}

/// The last: the least commutative operation there is.
fn last<T>(_: T, b: T) -> T {
    b
}

/// Every form of every reduction.
fn all_forms<T: AnyBits + Sample>(
    comm: &Communicator,
    len: usize,
    op: &UserOp<T>,
    model: fn(T, T) -> T,
) -> Result<()> {
    let input = |rank| samples::<T>(rank, len);
    reductions::returning(comm, op, &input, model)?;
    reductions::filling(comm, op, &input, model)?;
    crate::scans::returning(comm, op, &input, model)?;
    crate::scans::filling(comm, op, &input, model)?;
    crate::dealt::all_forms(comm, len, op, model)
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn in_the_order_of_ranks_in_every_form(world: Communicator) -> Result<()> {
    let (then_op, product_op) = (from_fn(then), from_fn(product));
    assert!(!(&then_op).is_commutative()?);
    on_each(&world, |comm| {
        for len in SIZES {
            all_forms(comm, len, &then_op, then)?;
            all_forms(comm, len, &product_op, product)?;
        }
        Ok(())
    })
}

#[mpi::test(ranks = [5, 7, 8])]
fn in_the_order_of_many_ranks(world: Communicator) -> Result<()> {
    all_forms(&world, 33, &from_fn(then), then)?;
    all_forms(&world, 20_000, &from_fn(last::<[u8; 3]>), last)
}

/// Elements of 1, 2, 3, 8, 16 and 24 bytes, of no bytes, and of more than a buffer of any library's own.
#[mpi::test(ranks = [1, 2, 3])]
fn elements_of_every_size(world: Communicator) -> Result<()> {
    for len in SIZES {
        all_forms(&world, len, &from_fn(last::<u8>), last)?;
        all_forms(&world, len, &from_fn(i16::max).commutative(), i16::max)?;
        all_forms(&world, len, &from_fn(last::<[i8; 3]>), last)?;
        all_forms(&world, len, &from_fn(f64::max).commutative(), f64::max)?;
        all_forms(&world, len, &from_fn(i128::wrapping_mul).commutative(), i128::wrapping_mul)?;
        all_forms(&world, len, &from_fn(last::<[f64; 3]>), last)?;
    }
    all_forms(&world, 3, &from_fn(last::<[u16; 5000]>), last)?;
    assert_eq!(world.allreduce(&[(); 5], &from_fn(|(), ()| ()))?, [(); 5]);
    assert_eq!(world.scan(&[[0u8; 0]; 2], &from_fn(last))?, [[]; 2]);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn said_to_be_commutative(world: Communicator) -> Result<()> {
    let xor = from_fn(|a: u32, b: u32| a ^ b).commutative();
    assert!((&xor).is_commutative()? && Operation::<u32>::is_commutative(Sum)?);
    let all = (0..world.size())
        .map(|rank| samples::<u32>(rank, 50))
        .reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a ^ b).collect());
    same(&world.allreduce(&samples::<u32>(world.rank(), 50), &xor)?, &all.expect("a rank"));
    Ok(())
}

/// Each has captured another number, and all are alive at once.
#[mpi::test(ranks = [1, 2, 3])]
fn many_closures_that_capture(world: Communicator) -> Result<()> {
    let ops: Vec<UserOp<u64>> = (0..300u64)
        .map(|modulus| from_fn(move |a: u64, b: u64| (a + b) % (modulus + 2)).commutative())
        .collect();
    let me = world.rank() as u64;
    for (modulus, op) in (2..).zip(&ops) {
        let sum = (0..world.size() as u64).map(|rank| rank + 1).reduce(|a, b| (a + b) % modulus);
        assert_eq!(world.allreduce(&(me + 1), op)?, sum.expect("a rank"));
    }
    Ok(())
}

/// What a closure has captured is dropped when the last user of the operation is gone.
#[mpi::test(ranks = [1, 2])]
fn what_was_captured_lives_as_long_as_what_is_in_flight(world: Communicator) -> Result<()> {
    let calls = Arc::new(AtomicUsize::new(0));
    let counting = || {
        let calls = calls.clone();
        from_fn(move |a: u64, b: u64| {
            calls.fetch_add(1, Ordering::Relaxed);
            a.wrapping_add(b)
        })
    };
    let (me, size) = (world.rank() as u64, world.size() as u64);
    let total = size * (size - 1) / 2;
    let handles = mpi::test_support::handles();

    // Unused: MPI never hears of it.
    drop(counting());
    assert_eq!(Arc::strong_count(&calls), 1);

    // An owned reduction keeps the operation.
    let op = counting();
    let pending = world.iallreduce(vec![me; 100], vec![0; 100], &op)?;
    drop(op);
    assert_eq!(Arc::strong_count(&calls), 2, "the reduction keeps it");
    same(&pending.wait()?.1, &[total; 100]);
    assert_eq!(Arc::strong_count(&calls), 1);

    // So does a scope, to its end.
    let (mut sum, mut scan) = (0, 0);
    world.scope(|s| {
        let op = counting();
        s.iallreduce(&me, &mut sum, &op)?.defer();
        s.iscan(&me, &mut scan, &op)?.wait()?;
        drop(op);
        assert_eq!(Arc::strong_count(&calls), 2, "the scope keeps it");
        Ok(())
    })?;
    assert_eq!((sum, scan), (total, me * (me + 1) / 2));
    assert_eq!(Arc::strong_count(&calls), 1);

    // Dropped in flight: waited for, then freed.
    let op = counting();
    drop(world.iallreduce(vec![me; 100], vec![0; 100], &op)?);
    drop(world.iexscan(vec![me; 100], vec![0; 100], &op)?);
    let counts = Counts::even(10, world.size())?;
    let own = counts.get(world.rank());
    drop(world.ireduce_scatter(vec![me; 10], vec![0; own], &counts, &op)?);
    drop((op, counts));
    assert_eq!(Arc::strong_count(&calls), 1);

    // The old one and what it was made into are two.
    let op = counting();
    let first = world.iallreduce(vec![me], vec![0], &op)?;
    let op = op.commutative();
    let second = world.iallreduce(vec![me], vec![0], &op)?;
    drop(op);
    assert_eq!((first.wait()?.1, second.wait()?.1), (vec![total], vec![total]));
    assert_eq!(Arc::strong_count(&calls), 1);
    assert_eq!(mpi::test_support::handles(), handles);
    assert_eq!(calls.load(Ordering::Relaxed) > 0, size > 1);
    Ok(())
}

/// A function pointer is a closure that captures itself.
#[mpi::test(ranks = [1, 2])]
fn function_pointers(world: Communicator) -> Result<()> {
    let functions: [fn(i32, i32) -> i32; 2] = [i32::min, i32::max];
    let me = world.rank() as i32;
    let [least, most] = functions.map(|f| world.allreduce(&me, &from_fn(f)));
    assert_eq!((least?, most?), (0, world.size() as i32 - 1));
    Ok(())
}

#[mpi::test(ranks = 1)]
fn local_reductions(_world: Communicator) -> Result<()> {
    for len in SIZES {
        let (first, second) = (samples::<[u64; 2]>(0, len), samples::<[u64; 2]>(1, len));
        let mut result = second.clone();
        reduce_local(&first, &mut result, &from_fn(then))?;
        let expected: Vec<_> = first.iter().zip(&second).map(|(&a, &b)| then(a, b)).collect();
        same(&result, &expected);
    }
    let mut sums = [1.5, 2.0];
    reduce_local(&[1.0, -1.0], &mut sums, Sum)?;
    assert_eq!(sums, [2.5, 1.0]);
    let error = reduce_local(&[1.0], &mut sums, Sum).expect_err("lengths");
    let text = "MPI_Reduce_local: the receive buffer holds 2 elements, but 1 are needed";
    assert_eq!((error.to_string().as_str(), sums), (text, [2.5, 1.0]));
    Ok(())
}
