//! How many neighbours a rank has, and whether the library tells them apart.

use crate::quirks;

/// How many processes a rank hears from and talks to in neighbourhood collectives, as its communicator's topology says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbors {
    pub sources: usize,
    pub dests: usize,
    swapped: Swapped,
}

/// Which forms of the neighbourhood all-to-alls the library delivers to the wrong side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Swapped {
    pub blocking: bool,
    /// Nonblocking and persistent.
    pub later: bool,
}

/// When a call is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Blocking,
    Later,
}

impl Neighbors {
    /// In a grid: two in each dimension, the one at the lower coordinate first (MPI 4.1 §8.6).
    pub(super) fn of_grid(dims: &[usize], periods: &[bool]) -> Self {
        let neighbors = 2 * dims.len();
        let is_short = dims.iter().zip(periods).any(|(&len, &wraps)| wraps && len <= 2);
        let swapped = if is_short { quirks::swapped_neighbors() } else { Swapped::default() };
        Neighbors { sources: neighbors, dests: neighbors, swapped }
    }

    /// Whether the library's own all-to-all swaps what goes to, and comes from, a process that is the neighbour on both
    /// sides (faults `neighbor-alltoall-short-ring`, `ineighbor-alltoall-short-ring`).
    #[inline(always)]
    pub(crate) fn are_swapped(self, form: Form) -> bool {
        match form {
            Form::Blocking => self.swapped.blocking,
            Form::Later => self.swapped.later,
        }
    }
}
