//! Structs of many shapes: every list of fields below with every representation, with random bits, against a model of bytes.

use crate::pieces::{Pieces, at, same, value};
use mpi::datatype::typemap;
use mpi::{AnyBits, Communicator, Datatype, FromBits, Result};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::ops::Range;

/// The model of a struct, from the fields that travel.
macro_rules! model {
    ([$($generics:tt)*] $name:ty: $($field:tt $ty:ty),+) => {
        // SAFETY: of fields of which it holds, and of numbers that do not travel.
        unsafe impl<$($generics)*> Pieces for $name {
            fn pieces() -> Vec<Range<usize>> {
                let mut all = Vec::new();
                $(all.extend(at::<$ty>(offset_of!(Self, $field)));)+
                all
            }
        }
    };
}

/// What fields are made of.
#[derive(Clone, Copy, Datatype, AnyBits)]
struct Pair<A, B>(A, B);
#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C)]
struct InC<A, B>(A, B);
#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C, packed)]
struct Tight<A, B>(A, B);
#[derive(Clone, Copy, Datatype, AnyBits)]
struct Row<T, const N: usize>([T; N], u8, PhantomData<T>);
#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(transparent)]
#[mpi(bytes)]
struct Words<const N: usize>([u32; N]);
model!([A: Pieces, B: Pieces] Pair<A, B>: 0 A, 1 B);
model!([A: Pieces, B: Pieces] InC<A, B>: 0 A, 1 B);
model!([A: Pieces, B: Pieces] Tight<A, B>: 0 A, 1 B);
model!([T: Pieces, const N: usize] Row<T, N>: 0 [T; N], 1 u8);
model!([const N: usize] Words<N>: 0 [u32; N]);

/// A struct of which some does not travel.
trait Skips {
    fn skipped(self) -> (u16, [u8; 3]);
}

/// Defines the struct of each list of fields in each form and representation, and checks it.
macro_rules! every {
    ($check:ident($world:ident): $($form:ident $repr:tt)+) => { $( every!(@fields $form $check $world $repr
        [0 a u8, 1 b f64, 2 c u16]
        [0 a i64, 1 b u8]
        [0 a [u8; 3], 1 b u32, 2 c [[i16; 2]; 3]]
        [0 a (), 1 b u128, 2 c i8]
        [0 a f32, 1 b [f32; 2], 2 c [[f32; 1]; 1]]
        [0 a u8, 1 b u64, 2 c u8, 3 d u32, 4 e u8, 5 f u16]
        [0 a usize, 1 b [f64; 0], 2 c [u8; 5]]
        [0 a InC<u8, f64>, 1 b u16]
        [0 a [Pair<u16, u8>; 3], 1 b u64]
        [0 a u8, 1 b Tight<u8, i64>, 2 c i64, 3 d [Tight<u16, u8>; 2]]
        [0 a Row<u32, 3>, 1 b PhantomData<u8>, 2 c [Row<InC<u8, u32>, 2>; 2]]
        [0 a u8, 1 b Pair<Row<f64, 0>, Words<3>>, 2 c [[Words<1>; 2]; 2]]
    ); )+ };
    (@fields $form:ident $check:ident $world:ident $repr:tt $($fields:tt)+) => { $( {
        every!(@$form $repr $fields);
        $check::<Shape>(&$world)?;
    } )+ };
    (@named ($($repr:tt)+) [$($index:tt $name:ident $ty:ty),+]) => {
        #[derive(Clone, Copy, Datatype, AnyBits)]
        #[repr($($repr)+)]
        #[allow(dead_code, reason = "only its bytes are looked at")]
        struct Shape { $($name: $ty),+ }
        model!([] Shape: $($name $ty),+);
    };
    (@tuple ($($repr:tt)+) [$($index:tt $name:ident $ty:ty),+]) => {
        #[derive(Clone, Copy, Datatype, AnyBits)]
        #[repr($($repr)+)]
        #[allow(dead_code, reason = "only its bytes are looked at")]
        struct Shape($($ty),+);
        model!([] Shape: $($index $ty),+);
    };
    (@skipping ($($repr:tt)+) [$($index:tt $name:ident $ty:ty),+]) => {
        #[derive(Clone, Copy, Datatype, FromBits)]
        #[repr($($repr)+)]
        #[allow(dead_code, reason = "only its bytes are looked at")]
        struct Shape {
            #[mpi(skip)]
            first: u16,
            $($name: $ty),+,
            #[mpi(skip)]
            last: [u8; 3],
        }
        model!([] Shape: $($name $ty),+);
        impl Skips for Shape {
            fn skipped(self) -> (u16, [u8; 3]) {
                (self.first, self.last)
            }
        }
    };
}

/// Four times values of random bits, as many for one rank as for the other; both ranks draw the same.
fn drawn<T: Pieces>() -> impl Iterator<Item = [Vec<T>; 2]> {
    let bits = |len| vec(vec(any::<u8>(), size_of::<T>()), len);
    let ranks = (0usize..20).prop_flat_map(move |len| [bits(len), bits(len)]);
    let mut runner = TestRunner::deterministic();
    let drawn = move || ranks.new_tree(&mut runner).expect("a strategy without filters").current();
    let values = |bits: Vec<Vec<u8>>| bits.iter().map(|bits| value(bits)).collect();
    std::iter::repeat_with(drawn).map(move |ranks| ranks.map(values)).take(4)
}

/// What both ranks gather; and that nothing travels but the pieces.
fn gathered<T: Pieces + Datatype + FromBits>(world: &Communicator, all: &[Vec<T>; 2]) -> Result<Vec<T>> {
    assert_eq!(typemap::<T>().size(), T::pieces().iter().map(Range::len).sum());
    let gathered = world.allgather(&all[world.rank()])?;
    same(&gathered, &all.concat());
    Ok(gathered)
}

/// There and back, into memory of other values.
fn lent<T: Pieces + AnyBits>(world: &Communicator) -> Result<()> {
    for all in drawn::<T>() {
        let (first, mut buffer) = (&all[0], all[1].clone());
        if world.rank() == 0 {
            world.send(first, 1, 0)?;
            world.recv_into(&mut buffer, 1, 0)?;
        } else {
            world.recv_into(&mut buffer, 0, 0)?;
            world.send(&buffer, 0, 0)?;
        }
        same(&buffer, first);
        gathered(world, &all)?;
    }
    Ok(())
}

/// There and back, into new vectors, in which the rest is the default.
fn owned<T: Pieces + Datatype + FromBits + Skips>(world: &Communicator) -> Result<()> {
    for all in drawn::<T>() {
        let got = if world.rank() == 0 {
            world.send(&all[0], 1, 0)?;
            world.recv_vec::<T>(1, 0)?.data
        } else {
            let got = world.recv_vec(0, 0)?.data;
            world.send(&got, 0, 0)?;
            got
        };
        same(&got, &all[0]);
        let gathered = gathered(world, &all)?;
        assert!(got.into_iter().chain(gathered).all(|value| value.skipped() == Default::default()));
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn of_random_bits(world: Communicator) -> Result<()> {
    every!(lent(world): named(Rust) tuple(C) named(C, packed) tuple(Rust, packed(2)) named(C, align(16)));
    every!(owned(world): skipping(Rust) skipping(C) skipping(Rust, packed(4)));
    Ok(())
}
