//! A model of values: which of their bytes travel, by the language's own offsets and sizes.

use mpi::Datatype;
use mpi::datatype::typemap;
use std::marker::PhantomData;
use std::ops::Range;

/// # Safety
/// Any bits are a value, and the bytes of the pieces are initialized in every value.
pub unsafe trait Pieces: Copy {
    /// What travels, in the order of declaration.
    fn pieces() -> Vec<Range<usize>>;
}

macro_rules! primitives {
    ($($t:ident)+) => { $(
        // SAFETY: a number.
        unsafe impl Pieces for $t {
            fn pieces() -> Vec<Range<usize>> {
                vec![0..size_of::<$t>()]
            }
        }
    )+ };
}
primitives!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 f32 f64);

macro_rules! empty {
    ($($t:ty)+) => { $(
        // SAFETY: it has no bytes.
        unsafe impl Pieces for $t {
            fn pieces() -> Vec<Range<usize>> {
                Vec::new()
            }
        }
    )+ };
}
empty!(() PhantomData<u8> PhantomData<f64>);

// SAFETY: values one after the other.
unsafe impl<T: Pieces, const N: usize> Pieces for [T; N] {
    fn pieces() -> Vec<Range<usize>> {
        (0..N).flat_map(|i| at::<T>(i * size_of::<T>())).collect()
    }
}

/// The pieces of a `T` that is a part of something.
pub fn at<T: Pieces>(offset: usize) -> impl Iterator<Item = Range<usize>> {
    T::pieces().into_iter().map(move |piece| offset + piece.start..offset + piece.end)
}

/// The value of these bits.
pub fn value<T: Pieces>(bits: &[u8]) -> T {
    assert_eq!(bits.len(), size_of::<T>());
    // SAFETY: so many bytes, wherever they lie; by the trait any are a value.
    unsafe { bits.as_ptr().cast::<T>().read_unaligned() }
}

/// Asserts that all bytes that travel are the same.
#[track_caller]
pub fn same<T: Pieces + Datatype>(got: &[T], expected: &[T]) {
    assert_eq!(got.len(), expected.len(), "lengths");
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        for piece in T::pieces() {
            let (got, expected) = (bytes(got, &piece), bytes(expected, &piece));
            assert_eq!(got, expected, "{piece:?} of value {i}, {:?}", typemap::<T>());
        }
    }
}

fn bytes<'a, T: Pieces>(value: &'a T, piece: &Range<usize>) -> &'a [u8] {
    assert!(piece.end <= size_of::<T>());
    // SAFETY: a place in the value.
    let first = unsafe { (&raw const *value).cast::<u8>().add(piece.start) };
    // SAFETY: a piece of the value, which is initialized by the trait.
    unsafe { std::slice::from_raw_parts(first, piece.len()) }
}
