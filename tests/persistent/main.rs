//! Persistent communication: plans over several arrays, and single operations, on a real MPI.

mod blocks;
mod failures;
mod halo;
mod mistakes;
#[path = "../common/sample.rs"]
mod sample;
mod single;
mod steps;
