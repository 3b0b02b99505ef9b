//! Element types, the operations on them, and values whose results are exact in any order.

use crate::sample::{Sample, seed};

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
small!(u8 i32 u64 f64);
impl<T: Small, const N: usize> Small for [T; N] {
    fn small(n: usize) -> Self {
        std::array::from_fn(|i| T::small((n + i) % 3))
    }
}

pub fn few<T: Small>(rank: usize, place: usize) -> T {
    T::small((rank * 5 + place) % 3)
}

/// A combination of numbers, of each element of an array.
pub fn each(combine: fn(f64, f64) -> f64) -> impl Fn([f64; 3], [f64; 3]) -> [f64; 3] {
    move |a, b| std::array::from_fn(|i| combine(a[i], b[i]))
}
