//! MPI's functions on a buffer, by whose buffer it is: the process's or a communicator's.
#![allow(unsafe_code)]

use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Comm, MPI_Request, check};
use std::os::raw::c_void;

/// Whose buffer it is.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Process,
    Communicator(MPI_Comm),
}

/// Whether the library has the functions of MPI 4.1, and they are used. One of them stands for all.
const COMM_HAS: bool = cfg!(all(mpi_has = "MPI_Comm_attach_buffer", not(miri)));
const FLUSH_HAS: bool = cfg!(all(mpi_has = "MPI_Buffer_flush", not(miri)));
const IFLUSH_HAS: bool = cfg!(all(mpi_has = "MPI_Buffer_iflush", not(miri)));

impl Owner {
    pub(super) const fn attach(self) -> Call {
        self.pick(&"MPI_Buffer_attach", &"MPI_Comm_attach_buffer")
    }
    pub(super) const fn detach(self) -> Call {
        self.pick(&"MPI_Buffer_detach", &"MPI_Comm_detach_buffer")
    }
    pub(super) const fn flush(self) -> Call {
        self.pick(&"MPI_Buffer_flush", &"MPI_Comm_flush_buffer")
    }
    pub(super) const fn iflush(self) -> Call {
        self.pick(&"MPI_Buffer_iflush", &"MPI_Comm_iflush_buffer")
    }
    const fn pick(self, process: Call, communicator: Call) -> Call {
        match self {
            Owner::Process => process,
            Owner::Communicator(_) => communicator,
        }
    }

    /// Whether messages are this crate's copies, since the library's own mode cannot be used: see [`own`](super::own).
    #[inline(always)]
    pub(super) fn is_own(self) -> bool {
        #[cfg(miri)]
        let faulty = crate::sys_fake::hooks::bsend_is_faulty();
        #[cfg(not(miri))]
        let faulty = cfg!(mpi_abi = "openmpi");
        faulty || matches!(self, Owner::Communicator(_)) && !COMM_HAS
    }

    /// Whether a buffer of the library's is flushed by one call.
    pub(super) fn flushes(self) -> bool {
        FLUSH_HAS && !self.is_own()
    }

    /// `Err` unless it is flushed without waiting.
    pub(super) fn require_iflush(self) -> Result<()> {
        match IFLUSH_HAS && !self.is_own() {
            true => Ok(()),
            false => Err(Error::unsupported(self.iflush(), Needs::Standard(4, 1))),
        }
    }
}

/// The size of a buffer, as the library's functions take it.
#[cfg(all(mpi_has = "MPI_Buffer_attach_c", not(miri)))]
use ffi::{MPI_Buffer_attach_c as buffer_attach, MPI_Buffer_detach_c as buffer_detach, MPI_Count as Bytes};
#[cfg(not(all(mpi_has = "MPI_Buffer_attach_c", not(miri))))]
use {
    ffi::MPI_Buffer_attach as buffer_attach, ffi::MPI_Buffer_detach as buffer_detach,
    std::os::raw::c_int as Bytes,
};

#[cfg(not(all(mpi_has = "MPI_Buffer_flush", not(miri))))]
use absent::MPI_Buffer_flush;
#[cfg(not(all(mpi_has = "MPI_Buffer_iflush", not(miri))))]
use absent::MPI_Buffer_iflush;
#[cfg(not(all(mpi_has = "MPI_Comm_attach_buffer", not(miri))))]
use absent::{
    MPI_Comm_attach_buffer_c, MPI_Comm_detach_buffer_c, MPI_Comm_flush_buffer, MPI_Comm_iflush_buffer,
};
#[cfg(all(mpi_has = "MPI_Buffer_flush", not(miri)))]
use ffi::MPI_Buffer_flush;
#[cfg(all(mpi_has = "MPI_Buffer_iflush", not(miri)))]
use ffi::MPI_Buffer_iflush;
#[cfg(all(mpi_has = "MPI_Comm_attach_buffer", not(miri)))]
use ffi::{
    MPI_Comm_attach_buffer_c, MPI_Comm_detach_buffer_c, MPI_Comm_flush_buffer, MPI_Comm_iflush_buffer,
};

/// # Safety
/// `bytes` bytes from `address` stay valid, and are left alone, until MPI has given them back; MPI is live.
pub(super) unsafe fn attach(owner: Owner, address: *mut c_void, bytes: usize) -> Result<()> {
    let call = owner.attach();
    let too_large = |_| Error::length(call, Argument::Count, bytes, Bytes::MAX as usize);
    let size = Bytes::try_from(bytes).map_err(too_large)?;
    let code = match owner {
        // SAFETY: this function's contract.
        Owner::Process => unsafe { buffer_attach(address, size) },
        // SAFETY: as above, and a valid communicator. Whoever has the function has it with large sizes.
        Owner::Communicator(comm) => unsafe { MPI_Comm_attach_buffer_c(comm, address, size.into()) },
    };
    check(call, code)
}

/// Where the buffer was that MPI gives back.
///
/// # Safety
/// MPI is live.
pub(super) unsafe fn detach(owner: Owner) -> Result<*mut c_void> {
    let mut address = std::ptr::null_mut::<c_void>();
    // Declared as an address, and written as one.
    let place = (&raw mut address).cast::<c_void>();
    let code = match owner {
        Owner::Process => {
            let mut bytes = 0;
            // SAFETY: both are out-arguments of ours; MPI is live.
            unsafe { buffer_detach(place, &raw mut bytes) }
        }
        Owner::Communicator(comm) => {
            let mut bytes = 0;
            // SAFETY: as above, and a valid communicator.
            unsafe { MPI_Comm_detach_buffer_c(comm, place, &raw mut bytes) }
        }
    };
    check(owner.detach(), code)?;
    Ok(address)
}

/// # Safety
/// MPI is live.
pub(super) unsafe fn flush(owner: Owner) -> Result<()> {
    let code = match owner {
        // SAFETY: this function's contract.
        Owner::Process => unsafe { MPI_Buffer_flush() },
        // SAFETY: as above, and a valid communicator.
        Owner::Communicator(comm) => unsafe { MPI_Comm_flush_buffer(comm) },
    };
    check(owner.flush(), code)
}

/// # Safety
/// MPI is live; the buffer stays attached until the request is complete.
pub(super) unsafe fn iflush(owner: Owner, request: *mut MPI_Request) -> Result<()> {
    let code = match owner {
        // SAFETY: this function's contract.
        Owner::Process => unsafe { MPI_Buffer_iflush(request) },
        // SAFETY: as above, and a valid communicator.
        Owner::Communicator(comm) => unsafe { MPI_Comm_iflush_buffer(comm, request) },
    };
    check(owner.iflush(), code)
}

/// What stands for the functions where the library has none; never called.
#[allow(non_snake_case, dead_code, reason = "C's names, of which a library lacks some")]
mod absent {
    use crate::ffi::{MPI_Comm, MPI_Count, MPI_ERR_UNSUPPORTED_OPERATION, MPI_Request};
    use std::os::raw::{c_int, c_void};

    macro_rules! absent {
        ($($name:ident($($arg:ty),*);)+) => { $(
            pub(in super::super) unsafe fn $name($(_: $arg),*) -> c_int {
                MPI_ERR_UNSUPPORTED_OPERATION
            }
        )+ };
    }
    absent! {
        MPI_Buffer_flush();
        MPI_Buffer_iflush(*mut MPI_Request);
        MPI_Comm_attach_buffer_c(MPI_Comm, *mut c_void, MPI_Count);
        MPI_Comm_detach_buffer_c(MPI_Comm, *mut c_void, *mut MPI_Count);
        MPI_Comm_flush_buffer(MPI_Comm);
        MPI_Comm_iflush_buffer(MPI_Comm, *mut MPI_Request);
    }
}
