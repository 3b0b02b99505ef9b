//! Sums without rounding, which do not depend on the order of the summands.
//!
//! A small superaccumulator: a fixed-point number that holds every finite `f64` exactly, in overlapping words, so that
//! carries need not be propagated after each addition (R. M. Neal, "Fast exact summation using small and large
//! superaccumulators", arXiv:1505.05571, after U. Kulisch). Words are added as integers, so `MPI_SUM` adds two of them.
#![allow(unsafe_code)]

use super::{Operation, RawOp, Sum};
use crate::datatype::{AnyBits, Datatype, FromBits, Parts, Primitive, RawDatatype, Scalar};
use crate::error::Result;
use crate::ffi;
use std::fmt;

/// Bits between one word and the next.
const STEP: u32 = 32;
/// The bits of all finite numbers, from 2^-1074 to 2^1024, and room for the carries of 2^94 of them.
const WORDS: usize = 69;
/// After the words: how many infinities of either sign, and how many NaNs.
const POSITIVE: usize = WORDS;
const NEGATIVE: usize = WORDS + 1;
const NANS: usize = WORDS + 2;
const LEN: usize = WORDS + 3;
/// A word that was below 2^32 stays inside an `i64` for so many additions.
const BATCH: usize = 1 << 30;

/// A sum of `f64` that is exact until it is asked for, and then rounded once: the nearest number to the true sum,
/// whatever the order of the summands and however they are distributed.
///
/// Two of them are equal if the exact sums are. It is an element type that [`Sum`] reduces; 576 bytes. [`reproducible_sum`](crate::Communicator::reproducible_sum) does
/// it all for one sum.
///
/// ```
/// use mpi::op::ExactSum;
/// let sum: ExactSum = [1e100, 1.0, -1e100].into_iter().collect();
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct ExactSum([i64; LEN]);

impl ExactSum {
    /// Nothing added yet.
    pub fn new() -> Self {
        ExactSum([0; LEN])
    }

    /// Adds a number. [`extend`](Extend::extend) is faster for several.
    pub fn add(&mut self, x: f64) {
        self.deposit(x);
        self.carry();
    }

    /// The sum, rounded to the nearest number, ties to even. 0 has no sign. Infinities and NaNs are as in any sum.
    pub fn value(mut self) -> f64 {
        if self.0[NANS] != 0 || (self.0[POSITIVE] != 0 && self.0[NEGATIVE] != 0) {
            return f64::NAN;
        }
        if self.0[POSITIVE] != 0 {
            return f64::INFINITY;
        }
        if self.0[NEGATIVE] != 0 {
            return f64::NEG_INFINITY;
        }
        self.carry();
        let is_negative = self.0[WORDS - 1] < 0;
        if is_negative {
            self.0[..WORDS].iter_mut().for_each(|word| *word = word.wrapping_neg());
            self.carry();
        }
        let magnitude = f64::from_bits(self.rounded());
        if is_negative { -magnitude } else { magnitude }
    }

    /// Adds without carrying.
    fn deposit(&mut self, x: f64) {
        let exponent = (x.to_bits() >> 52) as usize & 0x7FF;
        let fraction = x.to_bits() & ((1 << 52) - 1);
        if exponent == 0x7FF {
            let place = if fraction != 0 {
                NANS
            } else if x > 0.0 {
                POSITIVE
            } else {
                NEGATIVE
            };
            self.0[place] = self.0[place].wrapping_add(1);
            return;
        }
        // x is `mantissa` times 2^(bit - 1074); numbers with exponent 0 are subnormal.
        let (mantissa, bit) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent - 1),
        };
        let (word, shift) = (bit / STEP as usize, bit as u32 % STEP);
        let shifted = u128::from(mantissa) << shift;
        for (i, place) in self.0[word..word + 3].iter_mut().enumerate() {
            let digit = i64::from((shifted >> (STEP * i as u32)) as u32);
            *place = place.wrapping_add(if x.is_sign_negative() { -digit } else { digit });
        }
    }

    /// Brings every word but the last between 0 and 2^32.
    fn carry(&mut self) {
        let mut carry = 0i64;
        for word in &mut self.0[..WORDS - 1] {
            let sum = word.wrapping_add(carry);
            carry = sum >> STEP;
            *word = sum & 0xFFFF_FFFF;
        }
        self.0[WORDS - 1] = self.0[WORDS - 1].wrapping_add(carry);
    }

    /// The bits of the nearest number. The words were carried, and the last is not negative.
    fn rounded(&self) -> u64 {
        let words = &self.0[..WORDS];
        let Some(top) = words.iter().rposition(|&word| word != 0) else { return 0 };
        let highest = top * STEP as usize + (words[top] as u64).ilog2() as usize; // -2^63 has no positive
        // The bits from `from` up: at most 64 are asked for.
        let bits = |from: usize, n: u32| -> u64 {
            let word = |i: usize| words.get(i).map_or(0, |&w| w as u64 as u128);
            let (i, shift) = (from / STEP as usize, from as u32 % STEP);
            let window = word(i) | word(i + 1) << STEP | word(i + 2) << (2 * STEP);
            (window >> shift) as u64 & (u64::MAX >> (64 - n))
        };
        if highest < 53 {
            return bits(0, 53); // exact: a subnormal number, or one with the least exponent
        }
        let dropped = highest - 52;
        if dropped > 2045 {
            return f64::INFINITY.to_bits();
        }
        let mantissa = bits(dropped, 53);
        let half = bits(dropped - 1, 1) == 1;
        let below = dropped - 1;
        let (whole, rest) = (below / STEP as usize, below as u32 % STEP);
        let sticky = words[..whole].iter().any(|&word| word != 0) || words[whole] & ((1 << rest) - 1) != 0;
        let up = half && (sticky || mantissa & 1 == 1);
        // A mantissa that overflows raises the exponent, in the end to infinity.
        ((dropped as u64) << 52) + mantissa + u64::from(up)
    }
}

/// What MPI has added up has not been carried, so the same sum may have other words.
impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        let carried = |mut sum: ExactSum| {
            sum.carry();
            sum.0
        };
        carried(*self) == carried(*other)
    }
}
impl Eq for ExactSum {}

impl Default for ExactSum {
    fn default() -> Self {
        Self::new()
    }
}

impl Extend<f64> for ExactSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, summands: I) {
        let mut since = 0;
        for x in summands {
            self.deposit(x);
            since += 1;
            if since == BATCH {
                self.carry();
                since = 0;
            }
        }
        self.carry();
    }
}
impl<'a> Extend<&'a f64> for ExactSum {
    fn extend<I: IntoIterator<Item = &'a f64>>(&mut self, summands: I) {
        self.extend(summands.into_iter().copied());
    }
}
impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(summands: I) -> Self {
        let mut sum = Self::new();
        sum.extend(summands);
        sum
    }
}
impl<'a> FromIterator<&'a f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = &'a f64>>(summands: I) -> Self {
        summands.into_iter().copied().collect()
    }
}

impl fmt::Debug for ExactSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExactSum").field(&self.value()).finish()
    }
}

// SAFETY: `LEN` integers, one after the other.
unsafe impl Datatype for ExactSum {
    const PARTS: Parts = Parts::primitive(Primitive::Int64, LEN);
    const UNITS: usize = LEN;
    #[inline]
    fn unit() -> RawDatatype {
        i64::unit()
    }
}
// SAFETY: the same type, and every bit pattern is valid.
unsafe impl FromBits for ExactSum {
    type Bits = Self;
    #[inline(always)]
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: integers, of whose bits every pattern makes some sum.
unsafe impl AnyBits for ExactSum {}
// SAFETY: not an array, slice or vector.
unsafe impl Scalar for ExactSum {}

/// Word by word: at most 2^31 processes, each of which brings words below 2^32.
impl Operation<ExactSum> for Sum {
    #[inline]
    fn raw(self) -> Result<RawOp> {
        Ok(RawOp(ffi::MPI_SUM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(summands: &[f64]) -> f64 {
        summands.iter().collect::<ExactSum>().value()
    }

    #[test]
    fn one_number_comes_back() {
        let smallest = f64::from_bits(1);
        for x in
            [0.0, 1.0, 0.1, f64::MAX, f64::MIN_POSITIVE, smallest, 3.0 * smallest, 1e300, 2f64.powi(-1022)]
        {
            assert_eq!((exact(&[x]), exact(&[-x])), (x, -x));
        }
        assert_eq!(exact(&[]).to_bits(), 0);
        assert_eq!(exact(&[-0.0, -0.0]).to_bits(), 0);
    }

    #[test]
    fn what_rounding_would_lose() {
        assert_eq!(exact(&[1e308, 1e308, -1e308, -1e308, 2.5]), 2.5);
        assert_eq!(exact(&[1.0, f64::from_bits(1), -1.0]), f64::from_bits(1));
        assert_eq!(exact(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(exact(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        // Half a unit in the last place is a tie: to even. A little more goes up.
        let half = 2f64.powi(-53);
        assert_eq!(exact(&[1.0, half]), 1.0);
        assert_eq!(exact(&[1.0, half, f64::from_bits(1)]), 1.0 + 2.0 * half);
        assert_eq!(exact(&[1.0 + 2.0 * half, half]), 1.0 + 4.0 * half);
        // The largest number and half a unit: infinity; a little less: the largest number.
        assert_eq!(exact(&[f64::MAX, 2f64.powi(970)]), f64::INFINITY);
        assert_eq!(exact(&[f64::MAX, 2f64.powi(970), -1.0]), f64::MAX);
        assert_eq!(exact(&[-1.0, 2f64.powi(-60)]), -1.0);
    }

    #[test]
    fn equal_sums_are_equal_whatever_their_words() {
        let sum = |summands: &[f64]| summands.iter().collect::<ExactSum>();
        let added = |a: ExactSum, b: ExactSum| ExactSum(std::array::from_fn(|i| a.0[i] + b.0[i])); // as `MPI_SUM` does
        let (large, small) = (sum(&[2f64.powi(53) - 1.0]), sum(&[-1.0, 0.5]));
        assert_ne!(added(large, large).0, sum(&[2f64.powi(54) - 2.0]).0);
        assert_eq!(added(large, large), sum(&[2f64.powi(54) - 2.0]));
        assert_eq!(added(small, small), sum(&[-1.0]));
        assert_ne!(added(small, small), sum(&[-0.5]));
        assert_ne!(sum(&[f64::INFINITY]), sum(&[1.0]));
    }

    #[test]
    fn whatever_a_peer_sends_has_a_value() {
        for word in [i64::MIN, i64::MIN + 1, -1, i64::MAX] {
            for place in [0, 1, WORDS - 2, WORDS - 1] {
                let mut words = [0; LEN];
                words[place] = word;
                assert_eq!(ExactSum(words).value().is_sign_negative(), word < 0, "{word} at {place}");
            }
        }
    }

    #[test]
    fn infinities_and_nans() {
        assert_eq!(exact(&[f64::INFINITY, 1.0]), f64::INFINITY);
        assert_eq!(exact(&[f64::NEG_INFINITY, f64::MAX]), f64::NEG_INFINITY);
        assert!(exact(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert!(exact(&[f64::NAN, 1.0]).is_nan());
    }

    proptest! {
        /// Integers times a power of two: an `i128` is the model.
        #[test]
        fn integers(terms in proptest::collection::vec((-(1i64 << 53)..1 << 53, 0u32..40), 0..50), scale in -1000i32..900) {
            let truth: i128 = terms.iter().map(|&(m, e)| i128::from(m) << e).sum();
            let power = 2f64.powi(scale);
            let summands: Vec<f64> = terms.iter().map(|&(m, e)| m as f64 * 2f64.powi(e as i32) * power).collect();
            // The conversion of an `i128` rounds to the nearest, and the powers of two are far from the ends.
            prop_assert_eq!(exact(&summands), truth as f64 * power);
        }

        #[test]
        fn any_order(mut summands in proptest::collection::vec(any::<f64>(), 0..60), cut in 0usize..60) {
            let forwards = exact(&summands);
            let mut parts = summands[..cut.min(summands.len())].iter().collect::<ExactSum>();
            summands[cut.min(summands.len())..].iter().rev().for_each(|&x| parts.add(x));
            prop_assert_eq!(parts.value().to_bits(), forwards.to_bits());
            summands.reverse();
            prop_assert_eq!(exact(&summands).to_bits(), forwards.to_bits());
        }
    }
}
