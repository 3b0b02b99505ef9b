//! Packed messages, memory from MPI, views and types of other crates.

mod blocks2;
mod blocks3;
mod device;
#[cfg(feature = "half")]
mod half;
mod memory;
mod pack;
#[path = "../common/sample.rs"]
mod sample;
#[cfg(feature = "ndarray")]
mod views;
