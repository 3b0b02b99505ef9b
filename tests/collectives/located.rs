//! Where the smallest and the largest are; sums of complex numbers; sums that depend on no order.

use crate::sample::{Sample, same, samples};
use mpi::op::{ExactSum, Located, MaxLoc, MinLoc, Operation, Ordered, Prod, Sum};
use mpi::{AnyBits, Communicator, Result, Scalar};
use num_complex::Complex;

/// Few different values, so that there are ties.
fn mine<T: Sample + Copy>(rank: usize, len: usize) -> Vec<(T, usize)> {
    (0..len).map(|i| (T::sample((rank * 7 + i) % 3), rank * 1000 + i)).collect()
}

fn check<T>(world: &Communicator) -> Result<()>
where
    T: Sample + AnyBits + Scalar + Ordered + PartialOrd,
{
    for len in [0, 1, 7, 1000] {
        let of = |rank| mine::<T>(rank, len).into_iter().map(|(x, i)| Located::new(x, i)).collect::<Vec<_>>();
        let extreme = |better: fn(&T, &T) -> bool| -> Vec<Located<T>> {
            let pick = |a: Located<T>, b: Located<T>| if better(&b.value(), &a.value()) { b } else { a };
            let all = (0..world.size()).map(of);
            all.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| pick(a, b)).collect()).expect("a rank")
        };
        let (least, most) = (extreme(|a, b| a < b), extreme(|a, b| a > b));
        same(&world.allreduce(&of(world.rank()), MinLoc)?, &least);
        same(&world.allreduce(&of(world.rank()), MaxLoc)?, &most);
        let at_root = world.reduce(&of(world.rank())[..], MaxLoc, 0)?;
        same(&at_root.unwrap_or_default(), if world.rank() == 0 { &most } else { &[] });
        let (given, result) = world.iallreduce(of(world.rank()), of(world.rank()), MinLoc)?.wait()?;
        same(&result, &least);
        same(&given, &of(world.rank()));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_ordered_type(world: Communicator) -> Result<()> {
    check::<i8>(&world)?;
    check::<i16>(&world)?;
    check::<i32>(&world)?;
    check::<i64>(&world)?;
    check::<isize>(&world)?;
    check::<u8>(&world)?;
    check::<u16>(&world)?;
    check::<u32>(&world)?;
    check::<u64>(&world)?;
    check::<usize>(&world)?;
    check::<f32>(&world)?;
    check::<f64>(&world)?;
    assert!(Operation::<Located<f64>>::is_commutative(MinLoc)?);
    Ok(())
}

#[mpi::test(ranks = [2, 3])]
fn numbers_that_are_none(world: Communicator) -> Result<()> {
    let me = world.rank();
    let first_is_none = if me == 0 { f64::NAN } else { me as f64 };
    let least = world.allreduce(&Located::new(first_is_none, me), MinLoc)?;
    assert_eq!((least.value(), least.index()), (1.0, 1));
    let none = world.allreduce(&Located::new(f32::NAN, me + 5), MaxLoc)?;
    assert!(none.value().is_nan() && none.index() == 5);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn complex_numbers(world: Communicator) -> Result<()> {
    let number = |rank: usize, i: usize| Complex::new((rank + i) as f64 - 1.0, (i % 3) as f64 - rank as f64);
    for len in [0, 1, 7, 1000] {
        let of = |rank: usize| (0..len).map(|i| number(rank, i)).collect::<Vec<_>>();
        let all = |f: fn(Complex<f64>, Complex<f64>) -> Complex<f64>| {
            let parts = (0..world.size()).map(of);
            parts.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()).expect("a rank")
        };
        // Small integers: exact.
        same(&world.allreduce(&of(world.rank()), Sum)?, &all(|a, b| a + b));
        same(&world.allreduce(&of(world.rank()), Prod)?, &all(|a, b| a * b));
    }
    let single = Complex::new(1.0f32, -2.0);
    assert_eq!(world.allreduce(&single, Sum)?, single * world.size() as f32);
    let all: Vec<Complex<f32>> = world.allgather(&single)?;
    assert_eq!(all, vec![single; world.size()]);
    Ok(())
}

/// Numbers of all sizes that nearly cancel; their sum in order of magnitude would be far off.
fn adversarial(len: usize) -> Vec<f64> {
    let mut numbers: Vec<f64> = (0..len)
        .map(|i| {
            let bits = u64::sample(i * 7 + 1);
            let exponent = 1023 + (bits >> 52) % 600 - 300;
            f64::from_bits(bits & !(0x7FF << 52) | exponent << 52)
        })
        .collect();
    let cancel: Vec<f64> = numbers.iter().take(len / 2).map(|x| -x).collect();
    numbers.extend(cancel);
    numbers.push(1e-310);
    numbers
}

/// This rank's share: in the order given, or every size-th from the end.
fn share(world: &Communicator, numbers: &[f64], is_dealt: bool) -> Vec<f64> {
    let (me, size) = (world.rank(), world.size());
    match is_dealt {
        true => numbers.iter().rev().skip(me).step_by(size).copied().collect(),
        false => numbers[numbers.len() * me / size..numbers.len() * (me + 1) / size].to_vec(),
    }
}

#[mpi::test(ranks = [1, 2, 3, 4, 5, 6, 7, 8])]
fn the_same_bits_on_any_number_of_ranks(world: Communicator) -> Result<()> {
    for len in [0, 1, 10, 2001] {
        let numbers = adversarial(len);
        // What one rank alone makes of them, which does not depend on how many there are.
        let alone = Communicator::this_process()?.reproducible_sum(&numbers)?;
        for is_dealt in [false, true] {
            let sum = world.reproducible_sum(&share(&world, &numbers, is_dealt))?;
            assert_eq!(sum.to_bits(), alone.to_bits(), "{len} numbers, {sum} and {alone}");
        }
    }
    // The true sums are known.
    let big = [1e308, 1.0, -1e308, f64::EPSILON / 2.0, 1e308, -1e308];
    assert_eq!(world.reproducible_sum(&share(&world, &big, true))?, 1.0);
    let tenths = vec![0.1; 1000];
    assert_eq!(world.reproducible_sum(&share(&world, &tenths, false))?, 100.0);
    let ends = [f64::MAX, f64::MAX, -f64::MAX];
    assert_eq!(world.reproducible_sum(&share(&world, &ends, true))?, f64::MAX);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn infinities_and_nans_in_a_reproducible_sum(world: Communicator) -> Result<()> {
    let last = world.rank() == world.size() - 1;
    let x = if last { f64::NEG_INFINITY } else { 1e300 };
    assert_eq!(world.reproducible_sum(&[x, 2.0])?, f64::NEG_INFINITY);
    let other = if world.rank() == 0 { f64::INFINITY } else { 0.0 };
    assert!(world.reproducible_sum(&[x, other])?.is_nan());
    assert!(world.reproducible_sum(&[if last { f64::NAN } else { 1.0 }])?.is_nan());
    Ok(())
}

/// Several sums in one reduction.
#[mpi::test(ranks = [1, 2, 3])]
fn exact_sums_are_elements(world: Communicator) -> Result<()> {
    let mine: Vec<ExactSum> =
        (0..5).map(|i| samples::<f64>(world.rank() + i, 100).iter().collect()).collect();
    let sums = world.allreduce(&mine, Sum)?;
    for (i, sum) in sums.iter().enumerate() {
        // Halves: exact in any order.
        let expected: f64 = (0..world.size()).flat_map(|rank| samples::<f64>(rank + i, 100)).sum();
        assert_eq!(sum.value(), expected);
    }
    Ok(())
}

/// In this process no MPI runs: whoever asks for an operation all the same does not call it.
#[test]
fn nothing_is_made_where_mpi_does_not_run() {
    let made = Operation::<Located<f64>>::raw(MinLoc);
    assert_eq!(made.map(drop).map_err(|error| error.call()), Err("MPI_Op_create"));
}
