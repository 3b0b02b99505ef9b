//! Point-to-point communication: every element type, every form of buffer, every mode, every pair of ranks, and what is
//! refused.

mod buffered;
mod comm_buffers;
mod elements;
mod exchanges;
mod forms;
mod mistakes;
mod modes;
mod peers;
mod probes;
#[path = "../common/refusals.rs"]
mod refusals;
#[path = "../common/sample.rs"]
mod sample;

/// Nothing, one, a few, more than a page, and past every library's eager limit.
const SIZES: [usize; 5] = [0, 1, 7, 1000, 100_003];
