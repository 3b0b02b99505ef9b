//! A sum that does not depend on how many ranks there are.

use super::op::{ExactSum, Sum};
use crate::comm::Communicator;
use crate::error::Result;

impl Communicator {
    /// Adds up all numbers of all ranks, exactly, and rounds once: every rank gets the number nearest to the true sum.
    ///
    /// One `MPI_Allreduce` of an [`ExactSum`], 576 bytes. The result is the same bit by bit for any number of ranks, any
    /// distribution and any order of the numbers, with any MPI library; `allreduce` with `Sum` rounds at each addition, in
    /// an order that depends on all of these.
    ///
    /// # Errors
    /// What MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mine = vec![0.1; 1000 / world.size()];
    /// let total: f64 = world.reproducible_sum(&mine)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allreduce")]
    pub fn reproducible_sum(&self, numbers: &[f64]) -> Result<f64> {
        let mine: ExactSum = numbers.iter().collect();
        self.allreduce(&mine, Sum).map(ExactSum::value)
    }
}
