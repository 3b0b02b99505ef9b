//! Collectives against a model that knows every rank's part: each element is compared.

mod agreement;
mod allocations;
mod blocks;
mod broadcast;
#[path = "../common/comms.rs"]
mod comms;
mod count_mistakes;
mod counting;
mod dealt;
mod declared;
mod kept;
mod large;
mod layouts;
mod located;
mod mended;
mod mistakes;
mod neighbors;
mod operations;
mod parts;
mod persistent;
mod reductions;
#[path = "../common/sample.rs"]
mod sample;
mod scans;
mod user_ops;
mod vectors;
mod views;

/// Nothing, one, a few, and more than fits into what libraries send at once.
const SIZES: [usize; 4] = [0, 1, 7, 1000];

/// Past every library's eager limit, where they change the algorithm.
const LARGE: usize = 100_003;
