//! What a collective is given, checked: one description that its blocking, nonblocking and persistent forms share.
//!
//! There are two shapes. A [`Reduction`] combines buffers of equal length. An [`Exchange`] deals blocks out or
//! collects them.

use crate::buffer::{Fitted, Region};
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{Call, MPI_Datatype, MPI_Op};
use std::os::raw::{c_int, c_void};
use std::ptr;

/// Equal counts of one element type, and an operation on it.
#[derive(Clone, Copy)]
pub(crate) struct Reduction {
    pub send: *const c_void,
    /// Null where there is no result.
    pub recv: *mut c_void,
    count: usize,
    pub datatype: MPI_Datatype,
    pub op: MPI_Op,
    /// The bytes of one element of `datatype`.
    unit_bytes: usize,
}

impl Reduction {
    /// Where every rank gets the result, or where this rank is the root. The lengths must agree.
    #[inline(always)]
    pub(crate) fn new(call: Call, send: Region, recv: Region, op: MPI_Op, unit_bytes: usize) -> Result<Self> {
        if recv.len != send.len {
            return Err(Error::length(call, Argument::ReceiveLength, recv.len, send.len));
        }
        Ok(Reduction { recv: recv.ptr, ..Self::leaf(send, op, unit_bytes) })
    }

    /// Where this rank gets nothing.
    #[inline(always)]
    pub(crate) fn leaf(send: Region, op: MPI_Op, unit_bytes: usize) -> Self {
        let Region { ptr, count, datatype, .. } = send;
        Reduction { send: ptr, recv: ptr::null_mut(), count, datatype: datatype.0, op, unit_bytes }
    }

    /// The count for a call that cannot be split.
    #[inline(always)]
    pub(crate) fn count(&self, call: Call) -> Result<c_int> {
        c_int::try_from(self.count).map_err(|_| Error::unsupported(call, Needs::LargeCount))
    }

    /// Makes a blocking call as often as its count needs: once, unless an `int` cannot hold it.
    ///
    /// The operations are element-wise, so a reduction may be cut anywhere; a derived type would not do, since they
    /// know only basic types.
    #[inline(always)]
    pub(crate) fn in_chunks(self, mut call: impl FnMut(&Self, c_int) -> Result<()>) -> Result<()> {
        match c_int::try_from(self.count) {
            Ok(count) => call(&self, count),
            Err(_) => self.chunks(c_int::MAX, call),
        }
    }

    #[cold]
    fn chunks(mut self, limit: c_int, mut call: impl FnMut(&Self, c_int) -> Result<()>) -> Result<()> {
        let in_place = self.send == crate::ffi::MPI_IN_PLACE.cast_const();
        while self.count > 0 {
            let count = self.count.min(limit as usize);
            call(&self, count as c_int)?;
            let bytes = count * self.unit_bytes;
            if !in_place {
                self.send = self.send.wrapping_byte_add(bytes);
            }
            if !self.recv.is_null() {
                self.recv = self.recv.wrapping_byte_add(bytes);
            }
            self.count -= count;
        }
        Ok(())
    }

    /// The same with the result's memory as input: `MPI_IN_PLACE`.
    #[inline(always)]
    pub(crate) fn in_place(both: Region, op: MPI_Op, unit_bytes: usize) -> Self {
        Reduction { send: crate::ffi::MPI_IN_PLACE, recv: both.ptr, ..Self::leaf(both, op, unit_bytes) }
    }
}

/// Blocks that are dealt out or collected: what one rank gives to or gets from one other.
pub(crate) struct Exchange {
    pub send: *const c_void,
    pub send_block: Fitted,
    pub recv: *mut c_void,
    pub recv_block: Fitted,
}

impl Exchange {
    /// Every rank gives `send`, and `recv` has room for a block from each of `ranks`.
    #[inline(always)]
    pub(crate) fn collect(call: Call, send: Region, recv: Region, ranks: usize) -> Result<Self> {
        if send.len.checked_mul(ranks) != Some(recv.len) {
            let needed = send.len.saturating_mul(ranks);
            return Err(Error::length(call, Argument::ReceiveLength, recv.len, needed));
        }
        Self::new(call, send, block(recv, ranks))
    }

    /// `send` is dealt out to `ranks` in equal blocks, and every rank gets one.
    #[inline(always)]
    pub(crate) fn deal(call: Call, send: Region, recv: Region, ranks: usize) -> Result<Self> {
        if recv.len.checked_mul(ranks) != Some(send.len) {
            let needed = recv.len.saturating_mul(ranks);
            return Err(Error::length(call, Argument::SendLength, send.len, needed));
        }
        Self::new(call, block(send, ranks), recv)
    }

    /// At a rank that only gives.
    #[inline(always)]
    pub(crate) fn give(call: Call, send: Region) -> Result<Self> {
        Self::new(call, send, Region { ptr: ptr::null_mut(), len: 0, count: 0, ..send })
    }

    /// At a rank that only gets.
    #[inline(always)]
    pub(crate) fn get(call: Call, recv: Region) -> Result<Self> {
        Self::new(call, Region { ptr: ptr::null_mut(), len: 0, count: 0, ..recv }, recv)
    }

    #[inline(always)]
    fn new(call: Call, send: Region, recv: Region) -> Result<Self> {
        Ok(Exchange {
            send: send.ptr,
            send_block: send.fit(call)?,
            recv: recv.ptr,
            recv_block: recv.fit(call)?,
        })
    }
}

/// One rank's block of a contiguous region.
#[inline(always)]
fn block(all: Region, ranks: usize) -> Region {
    Region { len: all.len / ranks, count: all.count / ranks, ..all }
}
