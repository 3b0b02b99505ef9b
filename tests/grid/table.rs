//! Which collectives there are, and which element types with which operations.

use crate::collective::{Collective, Form, Uses, filling, returning};
use crate::entries::*;
use crate::model::Model;
use crate::shape::Shape;
use crate::values::{Map, any, clock, each, few, first, located, then, zero};
use mpi::Communicator;
use mpi::op::{
    BitAnd, BitOr, BitXor, LogicalAnd, LogicalOr, LogicalXor, Max, MaxLoc, Min, MinLoc, Prod, Sum,
};
use mpi::op::{Located, from_fn};
use num_complex::Complex;

/// The numbers of a call.
#[derive(Clone, Copy)]
pub struct Numbers {
    pub root: usize,
    pub len: usize,
    pub shape: Shape,
}

/// An element type and an operation.
pub struct Row {
    pub name: &'static str,
    /// Whether this is the one of its type that stands for it where nothing is combined.
    pub first: bool,
    /// Whether every bit pattern is a value, so that buffers of it can be lent.
    pub any_bits: bool,
}

pub type Run = fn(&Communicator, Numbers, Form) -> Result<(), String>;

/// A collective with all its rows.
pub struct Entry {
    pub name: &'static str,
    pub uses: Uses,
    pub forms: &'static [Form],
    pub run: &'static [Run],
}

macro_rules! rows {
    ($($first:literal $any_bits:ident $t:ty, $op:expr => $value:expr, $combine:expr;)+) => {
        pub const ROWS: &[Row] = &[$(Row {
            name: concat!(stringify!($t), " ", stringify!($op)),
            first: $first,
            any_bits: rows!(@any $any_bits),
        }),+];
        /// The same for each row.
        struct Runs<C>(C);
        impl<C: Collective> Runs<C> {
            const ALL: &'static [Run] = &[$(|comm, Numbers { root, len, shape }, form| {
                let (ranks, zero) = (comm.size(), rows!(@zero $any_bits));
                let m: Model<$t> = Model { ranks, root, len, shape, zero, value: $value, combine: $combine };
                rows!(@call $any_bits)(comm, &m, $op, form)
            }),+];
        }
    };
    (@any bits) => { true };
    (@any checked) => { false };
    (@zero bits) => { zero() };
    (@zero checked) => { Default::default() };
    (@call bits) => { filling::<C, _, _> };
    (@call checked) => { |comm: &Communicator, m: &Model<_>, op, _| returning::<C, _, _>(comm, m, op) };
}

rows! {
    true bits u8, BitOr => any, |a, b| a | b;
    false bits u8, Max => any, u8::max;
    true bits i32, Sum => few, |a, b| a + b;
    false bits i32, Min => any, i32::min;
    false bits i32, BitXor => any, |a, b| a ^ b;
    false bits i32, LogicalOr => few, |a, b| (a != 0 || b != 0).into();
    true bits u64, Prod => few, |a, b| a * b;
    false bits u64, Max => any, u64::max;
    false bits u64, BitAnd => any, |a, b| a & b;
    true bits f64, Sum => few, |a, b| a + b;
    false bits f64, Max => any, f64::max;
    true checked bool, LogicalAnd => any, |a, b| a && b;
    false checked bool, LogicalXor => any, |a, b| a != b;
    true bits [f64; 3], Sum => few, |a, b| each(|a, b| a + b)(a, b);
    false bits [f64; 3], Min => any, |a, b| each(f64::min)(a, b);
    // Each of them is one element to MPI, not three.
    false bits [f64; 3], &from_fn(first) => any, first;
    true bits Complex<f64>, Sum => few, |a, b| a + b;
    false bits Complex<f32>, Prod => few, |a, b| a * b;
    // A struct with padding; the order of its operands matters.
    true bits Map, &from_fn(then) => any, then;
    // It captures what it divides by.
    false bits u64, &clock(12) => any, |a, b| (a % 12 + b % 12) % 12;
    false bits Located<i32>, MaxLoc => located, |a, b| if b.value() > a.value() { b } else { a };
    false bits Located<f64>, MinLoc => located, |a, b| if b.value() < a.value() { b } else { a };
}

macro_rules! collectives {
    ($($entry:ident)+) => {
        pub const ENTRIES: &[Entry] = &[$(Entry {
            name: $entry::NAME,
            uses: $entry::USES,
            forms: $entry::FORMS,
            run: Runs::<$entry>::ALL,
        }),+];
    };
}

collectives! {
    Barrier Bcast Gather Gatherv Allgather Allgatherv Scatter Scatterv Alltoall Alltoallv Alltoallw
    Reduce Allreduce ReduceScatter ReduceScatterBlock Scan Exscan
    NeighborAllgather NeighborAllgatherv NeighborAlltoall NeighborAlltoallv NeighborAlltoallw
}
