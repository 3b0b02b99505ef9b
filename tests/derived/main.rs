//! Derived types, sent and received in every way: each field of each value is compared.

mod collectives;
mod cut;
mod lengths;
mod pieces;
mod random;
mod reductions;
#[path = "../common/sample.rs"]
mod sample;
mod shapes;
mod tables;
mod trips;
mod types;
mod validity;

/// Nothing, one, a few, and past every library's eager limit.
const SIZES: [usize; 4] = [0, 1, 7, 10_003];
