//! One persistent operation: all that is needed to make its request, again if need be.
#![allow(unsafe_code)]

use super::array::Array;
use super::block::Place;
use super::collective::Collective;
use crate::buffer::{Region, SendBuf};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Comm, MPI_Datatype, MPI_Request};
use crate::scope::{self, Note};
use std::os::raw::{c_int, c_void};

/// A function of MPI that makes a request.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) operation: &'static scope::Operation,
    init: Init,
}

#[derive(Clone, Copy)]
enum Init {
    Recv,
    Send(SendInit),
}

/// `MPI_Send_init` and its relatives of other modes.
type SendInit = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

const fn sends(call: &'static scope::Operation, init: SendInit) -> Mode {
    Mode { operation: call, init: Init::Send(init) }
}

const fn named(call: &'static str) -> scope::Operation {
    scope::Operation { call, receives: false }
}

pub(super) const RECV: Mode =
    Mode { operation: &scope::Operation { call: "MPI_Recv_init", receives: true }, init: Init::Recv };
pub(super) const STANDARD: Mode = sends(&named("MPI_Send_init"), ffi::MPI_Send_init);
pub(super) const SYNCHRONOUS: Mode = sends(&named("MPI_Ssend_init"), ffi::MPI_Ssend_init);
pub(super) const BUFFERED: Mode = sends(&named("MPI_Bsend_init"), ffi::MPI_Bsend_init);
pub(super) const READY: Mode = sends(&named("MPI_Rsend_init"), ffi::MPI_Rsend_init);

impl Mode {
    pub(super) fn call(self) -> Call {
        self.operation.call()
    }

    pub(super) fn receives(self) -> bool {
        self.operation.receives
    }
}

/// One operation of a plan.
pub(super) enum Operation {
    Message(Message),
    Collective(Collective),
}

impl Operation {
    fn kind(&self) -> &'static scope::Operation {
        match self {
            Operation::Message(message) => message.mode.operation,
            Operation::Collective(collective) => collective.operation(),
        }
    }

    pub(super) fn call(&self) -> Call {
        self.kind().call()
    }

    pub(super) fn receives(&self) -> bool {
        self.kind().receives
    }

    pub(super) fn uses(&self, array: usize) -> bool {
        match self {
            Operation::Message(message) => message.array == array,
            Operation::Collective(collective) => collective.uses(array),
        }
    }

    /// Whether each start copies what it sends.
    pub(super) fn copies(&self) -> bool {
        matches!(self, Operation::Collective(collective) if collective.copies())
    }

    pub(super) fn note(&self) -> Note {
        let (peer, tag) = match self {
            Operation::Message(message) => (message.peer, message.tag),
            Operation::Collective(_) => (0, 0), // no peer
        };
        Note { operation: self.kind(), peer, tag }
    }
}

/// A send or a receive of a block of an array.
pub(super) struct Message {
    pub mode: Mode,
    pub array: usize,
    pub place: Place,
    /// Describes the place, for the element type of the array.
    pub region: fn(&Array, Place) -> Result<Region>,
    pub peer: c_int,
    pub tag: c_int,
}

impl Message {
    /// Makes the request.
    ///
    /// # Safety
    /// The place is inside the array, which is valid as long as the request is, and used only while it is inactive but
    /// for what nobody writes; what is received overlaps no other block. Peer and tag were checked. What the mode asks
    /// for holds whenever the request is started.
    pub(super) unsafe fn request(&self, array: &Array, comm: &Communicator) -> Result<MPI_Request> {
        let &Message { mode, place, region, peer, tag, .. } = self;
        let region = region(array, place)?;
        let (comm, mut handle) = (comm.raw(), ffi::MPI_REQUEST_NULL);
        let request = &raw mut handle;
        // MPI keeps the derived types of its requests (MPI 4.1 §5.1.9), so those of a view may leave their table.
        region.call(mode.call(), |count, datatype| match mode.init {
            // SAFETY: this function's contract; the communicator is valid while its handle exists.
            Init::Recv => unsafe {
                ffi::MPI_Recv_init(region.ptr, count, datatype, peer, tag, comm, request)
            },
            // SAFETY: as above; the elements are initialized.
            Init::Send(init) => unsafe { init(region.ptr, count, datatype, peer, tag, comm, request) },
        })?;
        Ok(handle)
    }
}

/// A block's elements, as MPI wants them described.
pub(super) fn region<T: Datatype>(array: &Array, place: Place) -> Result<Region> {
    // SAFETY: made for the `T` of its id; the view is described and never used.
    let view = unsafe { array.view_mut::<T>(place) };
    if place.is_flat() { SendBuf::region(&view.into_plane(0)) } else { SendBuf::region(&view) }
}
