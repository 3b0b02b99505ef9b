//! Counts that nobody gave: the ranks tell each other.

use crate::buffer::Counts;
use crate::comm::Communicator;
use crate::error::Result;

/// What ranks have told each other. What no buffer can hold is refused.
pub(super) fn counts(lengths: impl ExactSizeIterator<Item = u64> + Clone) -> Result<Counts> {
    Counts::packed(lengths.map(|n| usize::try_from(n).unwrap_or(usize::MAX)))
}

/// What ranks are told.
pub(super) fn lengths(counts: &Counts) -> impl ExactSizeIterator<Item = u64> {
    (0..counts.len()).map(|rank| counts.get(rank) as u64)
}

impl Communicator {
    /// How long each rank's buffer is: one `MPI_Allgather`, unless there is nobody to be told.
    pub(super) fn lengths(&self, mine: usize) -> Result<Counts> {
        if self.size() == 1 {
            return Counts::new(&[mine]);
        }
        counts(self.allgather(&(mine as u64))?.iter().copied())
    }
}
