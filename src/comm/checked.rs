//! Collectives that look whether all ranks make the same call.

use super::Communicator;

impl Communicator {
    /// The same communicator, on which each blocking collective first looks whether all ranks make the same call, name the
    /// same root and give blocks of the same length; in the v and w forms and among neighbours, whether what each rank gives
    /// another is as long as that one expects. For finding mistakes: it costs one small reduction per call.
    ///
    /// Ranks that differ are the commonest mistake in collectives. Without the look, some libraries report some of them on
    /// some ranks, and most others end in a hang or in wrong numbers. With it every rank gets the same `Err` of class
    /// [`NOT_SAME`](crate::ErrorClass::NOT_SAME), which names the rank that differs, and the communicator can be used
    /// further.
    ///
    /// All ranks say so, or none. Communicators made from this one inherit it; a test of `#[mpi::test]` starts with it.
    /// Nonblocking and persistent collectives are not looked at: starting one must not wait for others. Nor are the
    /// operations, and of the types only how many bytes they make.
    ///
    /// ```no_run
    /// let world = mpi::init()?.checked();
    /// let mut numbers = vec![0.0; if world.rank() == 1 { 5 } else { 4 }];
    /// let error = world.bcast(&mut numbers, 0).expect_err("rank 1 gives more");
    /// println!("{error}"); // MPI_Bcast: rank 1 gives 40 bytes, the others 32: all ranks must agree on the length
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[must_use = "the communicator that looks is what is returned"]
    pub fn checked(mut self) -> Self {
        self.is_checked = true;
        self
    }

    /// The same communicator without the look of [`checked`](Communicator::checked), which is the default.
    #[must_use = "the communicator that does not look is what is returned"]
    pub fn unchecked(mut self) -> Self {
        self.is_checked = false;
        self
    }

    #[inline(always)]
    pub(crate) fn is_checked(&self) -> bool {
        self.is_checked
    }
}
