//! Process topologies: which ranks are neighbours.
//!
//! Standard: MPI 4.1, chapter 8 (Virtual Topologies for MPI Processes).

mod cartesian;
mod neighbors;

pub use cartesian::{Cartesian, dims_create};
pub(crate) use neighbors::{Form, Neighbors, Swapped};
