//! Packed messages, memory from MPI, views and types of other crates.

mod memory;
mod pack;
#[path = "../common/sample.rs"]
mod sample;
