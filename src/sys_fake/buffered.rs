//! Buffered sends: messages lie in the attached buffer until they are received.

use super::abi::*;
use super::layout::{Layout, Memory};
use super::point_to_point::addressed;
use super::process::{Process, enter};
use super::traffic::{Data, Outcome, Send};
use std::os::raw::{c_int, c_void};

/// What was attached, and how much of it is taken.
#[derive(Debug)]
pub(super) struct Buffer {
    base: *mut u8,
    size: usize,
    used: usize,
    /// The sends whose messages are in it.
    sends: Vec<usize>,
}

impl Process {
    /// Takes room for a message of so many bytes; `None` if there is no buffer, or no room.
    fn take_room(&mut self, len: usize) -> Option<*mut u8> {
        let buffer = self.buffer.as_mut()?;
        let requests = &mut self.traffic.requests;
        // Nobody else knows these requests: they end here.
        buffer.sends.retain(|send| match requests[send].outcome {
            Some(_) => requests.remove(send).is_none(),
            None => true,
        });
        if buffer.sends.is_empty() {
            buffer.used = 0;
        }
        let overhead = MPI_BSEND_OVERHEAD as usize;
        let start = buffer.used;
        if len + overhead > buffer.size - start {
            return None;
        }
        buffer.used = start + len + overhead;
        // A library's header.
        (0..overhead).for_each(|i| {
            // SAFETY: inside the attached buffer, which is MPI's until it is detached.
            unsafe { buffer.base.wrapping_add(start + i).write(0xB5) }
        });
        Some(buffer.base.wrapping_add(start + overhead))
    }

    /// Copies a message into the buffer and sends it from there.
    ///
    /// # Safety
    /// As `MPI_Bsend`.
    unsafe fn send_buffered(
        &mut self,
        buf: *const c_void,
        (count, layout): (c_int, &Layout),
        tag: c_int,
        comm: MPI_Comm,
    ) -> c_int {
        // SAFETY: readable during the call.
        let from = unsafe { Memory::new(buf, count, layout) };
        self.send_from_buffer(&from, tag, comm.addr())
    }

    /// Copies a message, which may be read now, into the buffer and sends it from there.
    pub(super) fn send_from_buffer(&mut self, from: &Memory, tag: c_int, comm: usize) -> c_int {
        let Some(place) = self.take_room(from.len()) else { return self.raise(comm, NO_ROOM) };
        // SAFETY: room in the attached buffer, which stays until the message is received.
        let copy = unsafe { Memory::new(place.cast(), from.len() as c_int, &Layout::basic(1)) };
        (0..from.len()).for_each(|byte| copy.write(byte, from.read(byte)));
        // Of the world: the communicator may be freed before the message is received.
        let send = self.traffic.request(MPI_COMM_WORLD.addr());
        if let Some(buffer) = &mut self.buffer {
            buffer.sends.push(send);
        }
        self.traffic.send(Send { comm, tag, data: Data::Lent(copy), request: Some(send) });
        MPI_SUCCESS
    }
}

pub unsafe extern "C" fn MPI_Buffer_attach(buffer: *mut c_void, size: c_int) -> c_int {
    let mut process = enter("MPI_Buffer_attach");
    assert!(process.buffer.is_none(), "fake MPI: a second buffer attached");
    assert!(!buffer.is_null() && size >= 0, "fake MPI: no buffer");
    process.buffer = Some(Buffer { base: buffer.cast(), size: size as usize, used: 0, sends: Vec::new() });
    MPI_SUCCESS
}

/// `address` is the address of a pointer.
pub unsafe extern "C" fn MPI_Buffer_detach(address: *mut c_void, size: *mut c_int) -> c_int {
    let mut process = enter("MPI_Buffer_detach");
    let buffer = process.buffer.take().expect("fake MPI: no buffer is attached");
    for send in buffer.sends {
        process.finish(send, "MPI_Buffer_detach");
    }
    // SAFETY: an out-argument.
    unsafe { address.cast::<*mut u8>().write(buffer.base) };
    // SAFETY: an out-argument.
    unsafe { size.write(buffer.size as c_int) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Bsend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = addressed("MPI_Bsend", comm, dest, tag, false);
    if dest == MPI_PROC_NULL {
        return MPI_SUCCESS;
    }
    let layout = process.layout(datatype);
    // SAFETY: as this function's.
    unsafe { process.send_buffered(buf, (count, &layout), tag, comm) }
}

pub unsafe extern "C" fn MPI_Pack(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    out: *mut c_void,
    out_size: c_int,
    position: *mut c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = enter("MPI_Pack");
    process.comm(comm);
    let layout = process.layout(datatype);
    // SAFETY: readable during the call.
    let from = unsafe { Memory::new(buf, count, &layout) };
    // SAFETY: an in-out-argument.
    let start = unsafe { position.read() } as usize;
    assert!(start + from.len() <= out_size as usize, "fake MPI: MPI_Pack past its buffer");
    let place = out.cast::<u8>().wrapping_add(start);
    // SAFETY: writable during the call, as asserted above.
    let into = unsafe { Memory::new(place.cast(), from.len() as c_int, &Layout::basic(1)) };
    (0..from.len()).for_each(|byte| into.write(byte, from.read(byte)));
    // SAFETY: an in-out-argument.
    unsafe { position.write((start + from.len()) as c_int) };
    MPI_SUCCESS
}

/// The request is complete at once: the message is copied.
pub unsafe extern "C" fn MPI_Ibsend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    let code = unsafe { MPI_Bsend(buf, count, datatype, dest, tag, comm) };
    if code == MPI_SUCCESS {
        let mut process = enter("MPI_Ibsend");
        let name = process.traffic.request(comm.addr());
        process.traffic.complete(name, Outcome::PLAIN);
        // SAFETY: an out-argument.
        unsafe { request.write(handle(name)) };
    }
    code
}
