//! Looking at a message before it is received (MPI 4.1 §3.8).
#![allow(unsafe_code)]

use super::{Source, TagPattern};
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::status::Status;

impl Communicator {
    /// Waits until a message from `source` with `tag` has arrived, without receiving it.
    ///
    /// `MPI_Probe` (MPI 4.1 §3.8.1). Where several threads receive, another may take the message that was probed:
    /// [`recv_vec`](Communicator::recv_vec) measures and receives one and the same.
    ///
    /// # Errors
    /// The source or the tag is out of range; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let status = world.probe(mpi::Source::ANY, 5)?;
    /// let mut values = vec![0.0; status.count::<f64>().unwrap_or(0)];
    /// world.recv_into(&mut values, status.source(), 5)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Probe")]
    pub fn probe(&self, source: impl Into<Source>, tag: impl Into<TagPattern>) -> Result<Status> {
        let call: Call = &"MPI_Probe";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let mut status = Status::empty();
        // SAFETY: peer and tag were checked above; the communicator is valid while its handle exists.
        check(call, unsafe { ffi::MPI_Probe(source, tag, self.raw(), &raw mut status) })?;
        Ok(Status::from_raw(status))
    }
}
