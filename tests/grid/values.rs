//! Element types, the operations on them, and values whose results are exact in any order.

use crate::sample::{Sample, seed};
use mpi::op::{Located, UserOp, from_fn};
use mpi::{AnyBits, Datatype};
use num_complex::Complex;

/// No bit is set.
pub fn zero<T: AnyBits>() -> T {
    // SAFETY: every bit pattern is a value (`AnyBits`).
    unsafe { std::mem::zeroed() }
}

/// All bits differ: for what is only moved or compared.
pub fn any<T: Sample>(rank: usize, place: usize) -> T {
    T::sample(seed(rank, place))
}

/// 0, 1, 2: what eight ranks add or multiply up fits into every type.
pub trait Small {
    fn small(n: usize) -> Self;
}
macro_rules! small {
    ($($t:ident)+) => { $(impl Small for $t {
        fn small(n: usize) -> Self {
            n as u8 as $t
        }
    })+ };
}
small!(u8 i32 u64 f32 f64);
impl<T: Small, const N: usize> Small for [T; N] {
    fn small(n: usize) -> Self {
        std::array::from_fn(|i| T::small((n + i) % 3))
    }
}

/// Products of them are exact too.
impl<T: Small> Small for Complex<T> {
    fn small(n: usize) -> Self {
        Complex::new(T::small(n), T::small((n + 1) % 3))
    }
}

pub fn few<T: Small>(rank: usize, place: usize) -> T {
    T::small((rank * 5 + place) % 3)
}

/// A combination of numbers, of each element of an array.
pub fn each(combine: fn(f64, f64) -> f64) -> impl Fn([f64; 3], [f64; 3]) -> [f64; 3] {
    move |a, b| std::array::from_fn(|i| combine(a[i], b[i]))
}

/// Few values, so that several ranks have the same; whose it is.
pub fn located<T: Small + Copy>(rank: usize, place: usize) -> Located<T> {
    Located::new(few(rank, place), rank)
}

/// x ↦ `slope` x + `shift` modulo 256, and a number beside it: fields of three types, with padding.
#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
pub struct Map {
    slope: u32,
    shift: u8,
    largest: f64,
}

impl Sample for Map {
    fn sample(seed: usize) -> Self {
        Map { slope: Sample::sample(seed), shift: Sample::sample(seed + 7), largest: Sample::sample(seed) }
    }
}

/// The second map after the first: associative, and not commutative.
pub fn then(a: Map, b: Map) -> Map {
    Map {
        slope: a.slope.wrapping_mul(b.slope),
        shift: (b.slope as u8).wrapping_mul(a.shift).wrapping_add(b.shift),
        largest: a.largest.max(b.largest),
    }
}

/// What the lowest rank gives.
pub fn first(a: [f64; 3], _: [f64; 3]) -> [f64; 3] {
    a
}

/// Adds up on a clock that goes round in so many hours.
pub fn clock(hours: u64) -> UserOp<u64> {
    from_fn(move |a, b| (a % hours + b % hours) % hours).commutative()
}
