//! Receiving a matched message while doing something else (MPI 4.1 §3.8.3).

use super::{Operation, Scope};
use crate::buffer::LendRecv;
use crate::environment::live;
use crate::error::Result;
use crate::ffi;
use crate::p2p::Message;
use crate::request::{RecvLoan, RecvRequest};

/// A matched message is on its way, and nothing is gained by cancelling its receive.
const IMRECV: &Operation = &Operation { call: "MPI_Imrecv", receives: false };

impl<'s> Scope<'s, '_> {
    /// Starts to receive a message that [`mprobe`](crate::Communicator::mprobe) or
    /// [`improbe`](crate::Communicator::improbe) has matched. The exclusive borrow comes back from `wait`, with the
    /// status.
    ///
    /// `MPI_Imrecv` (MPI 4.1 §3.8.3).
    ///
    /// # Errors
    /// What MPI reports. If the buffer cannot be described to MPI the message is received and thrown away.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let message = world.mprobe(mpi::Source::ANY, 0)?;
    /// let mut values = vec![0.0; message.status().count::<f64>().unwrap_or(0)];
    /// world.scope(|s| {
    ///     let incoming = s.imrecv(message, &mut values)?;
    ///     // work …
    ///     println!("{:?}", incoming.wait()?.data);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Imrecv")]
    pub fn imrecv<B: LendRecv<'s>>(self, mut message: Message<'s>, buf: B) -> Result<RecvRequest<'s, B>> {
        live(IMRECV.call())?;
        let status = message.status();
        let (region, raw) = buf.lend()?;
        let peer = status.source().map_or(ffi::MPI_PROC_NULL, |rank| rank as i32);
        self.post(IMRECV, (peer, status.tag().get()), RecvLoan::new(raw), |request| {
            // Nothing comes from nowhere: see `irecv`. The message's drop receives it.
            if status.source().is_none() {
                return Ok(());
            }
            region.call(IMRECV.call(), |count, datatype| {
                // SAFETY: the memory is exclusively borrowed for `'s` (`LendRecv`); the message was matched and not
                // received yet, and its communicator is borrowed for `'s`.
                unsafe { ffi::MPI_Imrecv(region.ptr, count, datatype, message.raw(), request) }
            })
        })
    }
}
