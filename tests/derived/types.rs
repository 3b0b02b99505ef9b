//! Types of every shape that the derives take.

use crate::sample::Sample;
use mpi::{AnyBits, Datatype, FromBits};
use std::marker::PhantomData;
use std::num::NonZero;

/// Defines the values of a struct: each field has the one of a seed of its own.
macro_rules! sampled {
    ($($name:ty { $($field:tt),* };)+) => { $(
        impl Sample for $name {
            #[allow(unused_variables, unused_mut, unused_assignments, reason = "types without fields")]
            fn sample(seed: usize) -> Self {
                let mut next = seed * 11;
                Self { $($field: { next += 1; Sample::sample(next) }),* }
            }
        }
    )+ };
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
pub struct Uniform {
    pub x: f64,
    pub y: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Mixed {
    pub a: u8,
    pub b: f64,
    pub c: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
pub struct InC {
    pub a: u8,
    pub b: f64,
    pub c: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C, packed)]
pub struct Packed {
    pub a: u8,
    pub b: f64,
    pub c: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(Rust, packed(2))]
pub struct PackedInTwos(pub u8, pub u32, pub [u64; 2]);

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C, align(32))]
pub struct Aligned {
    pub a: u8,
    pub b: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(transparent)]
pub struct Transparent(pub f32);

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Tuple(pub i8, pub i64);

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Nested {
    pub inner: Mixed,
    pub all: [InC; 3],
    pub pairs: [[Tuple; 2]; 2],
    pub tail: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Arrays {
    pub grid: [[i16; 3]; 2],
    pub wide: [u128; 2],
    pub none: [u64; 0],
    pub unit: (),
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Generic<T, const N: usize> {
    pub head: u8,
    pub all: [T; N],
    pub marker: PhantomData<T>,
}
impl<T: Sample + AnyBits, const N: usize> Sample for Generic<T, N> {
    fn sample(seed: usize) -> Self {
        Generic { head: Sample::sample(seed), all: Sample::sample(seed + 1), marker: PhantomData }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[mpi(bytes)]
pub struct Bytes {
    pub a: u32,
    pub b: [u8; 4],
    pub c: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Datatype, FromBits)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green,
    Blue = 200,
}
impl Sample for Color {
    fn sample(seed: usize) -> Self {
        [Color::Red, Color::Green, Color::Blue][seed % 3]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Datatype, FromBits)]
#[repr(i32)]
pub enum Signed {
    Below = -70_000,
    Zero = 0,
    Above(),
}
impl Sample for Signed {
    fn sample(seed: usize) -> Self {
        [Signed::Below, Signed::Zero, Signed::Above()][seed % 3]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, FromBits)]
pub struct Checked {
    pub sure: bool,
    pub letter: char,
    pub some: NonZero<u16>,
    pub color: Color,
    pub flags: [bool; 3],
}

/// What [`Checked`] is for MPI, without any check.
#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Unchecked {
    pub sure: u8,
    pub letter: u32,
    pub some: u16,
    pub color: u8,
    pub flags: [u8; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, FromBits)]
pub struct Skipping {
    pub value: u32,
    #[mpi(skip)]
    pub cached: Option<&'static str>,
    pub sure: bool,
}
impl Sample for Skipping {
    fn sample(seed: usize) -> Self {
        Skipping { value: Sample::sample(seed), cached: None, sure: Sample::sample(seed) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, FromBits)]
#[repr(C, packed)]
pub struct SkippingInside<T> {
    pub first: u8,
    pub both: [Skipping; 2],
    pub generic: T,
    #[mpi(skip)]
    pub marker: PhantomData<*const T>,
}
impl<T: Sample> Sample for SkippingInside<T> {
    fn sample(seed: usize) -> Self {
        let both = [Skipping::sample(seed), Skipping::sample(seed + 1)];
        SkippingInside { first: Sample::sample(seed), both, generic: T::sample(seed), marker: PhantomData }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Unit;

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(align(16))]
pub struct WithoutBytes {
    pub none: [f64; 0],
}

impl Sample for () {
    fn sample(_: usize) -> Self {}
}

sampled! {
    Uniform { x, y };
    Mixed { a, b, c };
    InC { a, b, c };
    Packed { a, b, c };
    PackedInTwos { 0, 1, 2 };
    Aligned { a, b };
    Transparent { 0 };
    Tuple { 0, 1 };
    Nested { inner, all, pairs, tail };
    Arrays { grid, wide, none, unit };
    Bytes { a, b, c };
    Checked { sure, letter, some, color, flags };
    Unchecked { sure, letter, some, color, flags };
    Unit {};
    WithoutBytes { none };
}
