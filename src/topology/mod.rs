//! Process topologies: which ranks are neighbours.
//!
//! Standard: MPI 4.1, chapter 8 (Virtual Topologies for MPI Processes).

mod cartesian;

pub use cartesian::{Cartesian, dims_create};
