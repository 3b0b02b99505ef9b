//! Persistent communication: plans over several arrays, and single operations, on a real MPI.

mod blocks;
mod failures;
mod halo;
mod halo3;
mod mistakes;
mod modes;
#[path = "../common/sample.rs"]
mod sample;
mod scoped;
mod single;
mod steps;
