//! Looking at a message before it is received (MPI 4.1 §3.8).
#![allow(unsafe_code)]

use super::{Message, Source, TagPattern};
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::status::Status;

impl Communicator {
    /// Waits until a message from `source` with `tag` has arrived, without receiving it.
    ///
    /// `MPI_Probe` (MPI 4.1 §3.8.1). Where several threads receive, another may take the message that was probed:
    /// [`mprobe`](Communicator::mprobe) and [`recv_vec`](Communicator::recv_vec) measure and receive one and the same.
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

    /// Asks whether a message from `source` with `tag` has arrived: its status, or `None`.
    ///
    /// `MPI_Iprobe` (MPI 4.1 §3.8.1). Also drives progress. From nowhere the answer is always the status of an empty
    /// message.
    ///
    /// # Errors
    /// As [`probe`](Communicator::probe).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// while let Some(status) = world.iprobe(mpi::Source::ANY, 5)? {
    ///     println!("{}", world.recv::<f64>(status.source(), 5)?.data);
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iprobe")]
    pub fn iprobe(&self, source: impl Into<Source>, tag: impl Into<TagPattern>) -> Result<Option<Status>> {
        let call: Call = &"MPI_Iprobe";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let (mut found, mut status) = (0, Status::empty());
        // SAFETY: as in `probe`.
        let code = unsafe { ffi::MPI_Iprobe(source, tag, self.raw(), &raw mut found, &raw mut status) };
        check(call, code)?;
        Ok((found != 0).then(|| Status::from_raw(status)))
    }

    /// Waits until a message from `source` with `tag` has arrived, and takes it off the queue: only the
    /// [`Message`] can receive it now.
    ///
    /// `MPI_Mprobe` (MPI 4.1 §3.8.2).
    ///
    /// # Errors
    /// As [`probe`](Communicator::probe).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let message = world.mprobe(mpi::Source::ANY, mpi::Tag::ANY)?;
    /// if message.status().tag() == 1 {
    ///     println!("{:?}", message.recv_vec::<f64>()?.data);
    /// } else {
    ///     println!("{}", message.recv::<u64>()?.data);
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Mprobe")]
    pub fn mprobe(&self, source: impl Into<Source>, tag: impl Into<TagPattern>) -> Result<Message<'_>> {
        let call: Call = &"MPI_Mprobe";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let (mut message, mut status) = (ffi::MPI_MESSAGE_NULL, Status::empty());
        // SAFETY: as in `probe`.
        let code = unsafe { ffi::MPI_Mprobe(source, tag, self.raw(), &raw mut message, &raw mut status) };
        check(call, code)?;
        Ok(Message::matched(self, message, Status::from_raw(status)))
    }

    /// Asks whether a message from `source` with `tag` has arrived, and if so takes it off the queue.
    ///
    /// `MPI_Improbe` (MPI 4.1 §3.8.2). Also drives progress.
    ///
    /// # Errors
    /// As [`probe`](Communicator::probe).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// if let Some(message) = world.improbe(mpi::Source::ANY, 0)? {
    ///     let mut room = vec![0u8; message.status().count::<u8>().unwrap_or(0)];
    ///     message.recv_into(&mut room)?;
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Improbe")]
    pub fn improbe(
        &self,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<Option<Message<'_>>> {
        let call: Call = &"MPI_Improbe";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let (mut found, mut message, mut status) = (0, ffi::MPI_MESSAGE_NULL, Status::empty());
        // SAFETY: as in `probe`.
        let code = unsafe {
            ffi::MPI_Improbe(source, tag, self.raw(), &raw mut found, &raw mut message, &raw mut status)
        };
        check(call, code)?;
        Ok((found != 0).then(|| Message::matched(self, message, Status::from_raw(status))))
    }
}
