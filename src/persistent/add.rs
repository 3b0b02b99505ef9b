//! Adding operations to a plan.
#![allow(unsafe_code)]

use super::array::ArrayId;
use super::block::Block;
use super::operation::{BUFFERED, Message, Mode, Operation, READY, RECV, STANDARD, SYNCHRONOUS, region};
use super::plan::Plan;
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Error, Needs, Result};
use crate::p2p::{Destination, Source, Tag, TagPattern, buffered};
use std::os::raw::c_int;

/// Why Open MPI's is not used.
const LOSES: &str = "this Open MPI loses messages after a buffered send has found no room (fault bsend-no-room), and a \
     persistent request cannot be made of copies; use `send`, or `bsend` of the communicator in each step";

impl<H> Plan<'_, H> {
    /// Adds a receive into a block, which may overlap no other block of the plan.
    ///
    /// `MPI_Recv_init` (MPI 4.1 §3.9). From nowhere (`None`) nothing is received; the block is reserved all the same, so
    /// that ranks at the edge of a grid make the same plan as the others. A message shorter than the block leaves the
    /// rest as it was.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps another; the source or the tag is out
    /// of range; or what MPI reports.
    #[doc(alias = "MPI_Recv_init")]
    pub fn recv<T: AnyBits>(
        &mut self,
        id: ArrayId<T>,
        block: impl Into<Block>,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<&mut Self> {
        let source = source.into();
        let nowhere = source.is_nowhere();
        let ends = (source.raw(RECV.call(), self.comm.peers())?, tag.into().raw(RECV.call())?);
        // SAFETY: a receive asks for nothing of its caller; the array is the plan's own, or lent exclusively.
        unsafe { self.add(RECV, id, block.into(), nowhere, ends) }
    }

    /// Adds a send of a block, which may overlap blocks that are sent, but none that is received.
    ///
    /// `MPI_Send_init` (MPI 4.1 §3.9). To nowhere (`None`) nothing is sent.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps a received one; the destination or the
    /// tag is out of range; or what MPI reports.
    #[doc(alias = "MPI_Send_init")]
    pub fn send<T: Datatype, A>(
        &mut self,
        id: ArrayId<T, A>,
        block: impl Into<Block>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<&mut Self> {
        // SAFETY: this mode asks for nothing of its caller.
        unsafe { self.add_send(STANDARD, id, block.into(), dest.into(), tag.into()) }
    }

    /// Adds a send that is complete when the receiver has started to receive; otherwise as [`send`](Plan::send).
    ///
    /// `MPI_Ssend_init` (MPI 4.1 §3.9).
    ///
    /// # Errors
    /// As [`send`](Plan::send).
    #[doc(alias = "MPI_Ssend_init")]
    pub fn ssend<T: Datatype, A>(
        &mut self,
        id: ArrayId<T, A>,
        block: impl Into<Block>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<&mut Self> {
        // SAFETY: this mode asks for nothing of its caller.
        unsafe { self.add_send(SYNCHRONOUS, id, block.into(), dest.into(), tag.into()) }
    }

    /// Adds a send through the attached buffer ([`buffered`](crate::buffered)), complete when the message is copied;
    /// otherwise as [`send`](Plan::send). Whether there is room is found out by [`start`](Plan::start).
    ///
    /// `MPI_Bsend_init` (MPI 4.1 §3.9).
    ///
    /// # Errors
    /// As [`send`](Plan::send); or the library is Open MPI, whose buffered mode loses messages (class
    /// `UNSUPPORTED_OPERATION`).
    #[doc(alias = "MPI_Bsend_init")]
    pub fn bsend<T: Datatype, A>(
        &mut self,
        id: ArrayId<T, A>,
        block: impl Into<Block>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<&mut Self> {
        if buffered::is_own(self.comm) {
            return Err(Error::unsupported(BUFFERED.call(), Needs::Fault(&LOSES)));
        }
        // SAFETY: this mode asks for nothing of its caller: without room it is an error.
        unsafe { self.add_send(BUFFERED, id, block.into(), dest.into(), tag.into()) }
    }

    /// Adds a send to a receiver that is known to wait for it whenever the plan is started; otherwise as
    /// [`send`](Plan::send).
    ///
    /// `MPI_Rsend_init` (MPI 4.1 §3.9).
    ///
    /// # Safety
    /// As of [`rsend`](crate::Communicator::rsend), each time: whenever this plan is [started](Plan::start), a receive
    /// that matches the message is posted at the destination.
    ///
    /// # Errors
    /// As [`send`](Plan::send).
    #[doc(alias = "MPI_Rsend_init")]
    pub unsafe fn rsend<T: Datatype, A>(
        &mut self,
        id: ArrayId<T, A>,
        block: impl Into<Block>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<&mut Self> {
        // SAFETY: this function's contract.
        unsafe { self.add_send(READY, id, block.into(), dest.into(), tag.into()) }
    }

    /// # Safety
    /// What the mode asks for: of `READY`, that a matching receive is posted at each start; of the others, nothing.
    unsafe fn add_send<T: Datatype, A>(
        &mut self,
        mode: Mode,
        id: ArrayId<T, A>,
        block: Block,
        dest: Destination,
        tag: Tag,
    ) -> Result<&mut Self> {
        let ends = (dest.raw(mode.call(), self.comm.peers())?, tag.raw(mode.call())?);
        // SAFETY: this function's contract.
        unsafe { self.add(mode, id, block, dest.is_nowhere(), ends) }
    }

    /// Checks a block and reserves it; makes a request unless it is from or to nowhere.
    ///
    /// # Safety
    /// As of `add_send`; peer and tag were checked; what is received goes into an array that may be written.
    unsafe fn add<T: Datatype, A>(
        &mut self,
        mode: Mode,
        id: ArrayId<T, A>,
        block: Block,
        nowhere: bool,
        (peer, tag): (c_int, c_int),
    ) -> Result<&mut Self> {
        self.complete()?;
        let array = self.find(mode.call(), id)?;
        let place = array.place(mode.call(), &block)?;
        if mode.receives() {
            array.not_used(mode.call(), &block)?;
        } else {
            array.not_received(mode.call(), &block)?;
        }
        if !nowhere {
            self.has_room(mode.call())?;
            let message = Message { mode, array: id.index, place, region: region::<T>, peer, tag };
            // SAFETY: inside an array that stays until no request refers to it, in which a received block overlaps no
            // other, and whose blocks are used only while the plan is idle but for views that overlap none of them; the
            // rest is this function's contract.
            let handle = unsafe { self.make(&message) }?;
            self.push(handle, Operation::Message(message));
        }
        let array = self.array_mut(id.index);
        if mode.receives() {
            array.add_receive(block)
        } else {
            array.add_send(block)
        }
        Ok(self)
    }
}
