//! Values that can be told apart, of every element type.

use mpi::FromBits;
use std::fmt::Debug;
use std::num::NonZero;

/// An element type whose values follow from a number, so that a receiver knows what it must find.
pub trait Sample: FromBits + PartialEq + Debug {
    /// The value for `seed`; neighbouring seeds give different values.
    fn sample(seed: usize) -> Self;
}

/// The `len` values that `rank` sends.
pub fn samples<T: Sample>(rank: usize, len: usize) -> Vec<T> {
    (0..len).map(|i| T::sample(seed(rank, i))).collect()
}

/// Asserts that two slices are equal; says where they first differ, not all that is in them.
#[track_caller]
pub fn same<T: PartialEq + Debug>(got: &[T], expected: &[T]) {
    assert_eq!(got.len(), expected.len(), "lengths");
    if let Some(i) = (0..got.len()).find(|&i| got[i] != expected[i]) {
        panic!("element {i} of {} is {:?}, not {:?}", got.len(), got[i], expected[i]);
    }
}

/// Differs for ranks and places near each other.
pub fn seed(rank: usize, place: usize) -> usize {
    rank * 31 + place
}

/// 2^128 divided by the golden ratio: its multiples spread over the whole range, so that signs differ too.
const GOLDEN: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

macro_rules! integers {
    ($($t:ident)+) => { $(
        impl Sample for $t {
            fn sample(seed: usize) -> Self {
                let spread = (seed as u128 + 1).wrapping_mul(GOLDEN);
                (spread >> (128 - $t::BITS)) as $t
            }
        }
        impl Sample for NonZero<$t> {
            fn sample(seed: usize) -> Self {
                NonZero::new($t::sample(seed)).unwrap_or(NonZero::<$t>::MAX)
            }
        }
    )+ };
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Sample for f32 {
    fn sample(seed: usize) -> Self {
        seed as f32 * 0.5 - 3.0
    }
}
impl Sample for f64 {
    fn sample(seed: usize) -> Self {
        seed as f64 * 0.5 - 3.0
    }
}
impl Sample for bool {
    fn sample(seed: usize) -> Self {
        seed.is_multiple_of(3)
    }
}
impl Sample for char {
    fn sample(seed: usize) -> Self {
        char::from_u32(0x1F600 + seed as u32 % 0x40).unwrap_or(char::MAX)
    }
}
impl<T: Sample> Sample for num_complex::Complex<T>
where
    Self: FromBits,
{
    fn sample(seed: usize) -> Self {
        Self::new(T::sample(2 * seed), T::sample(2 * seed + 1))
    }
}
impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(seed: usize) -> Self {
        std::array::from_fn(|i| T::sample(seed * N + i))
    }
}
