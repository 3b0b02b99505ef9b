//! Memory from the fake: each block is an allocation of its own, so that a tool sees uses after it was freed.

use super::abi::*;
use super::process::{enter, fresh_name};
use std::alloc::{Layout, alloc, dealloc};
use std::os::raw::{c_char, c_int, c_void};

/// In front of each block: how long it is.
const HEADER: usize = 16;

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes + HEADER, HEADER).expect("fake MPI: too much memory")
}

pub unsafe extern "C" fn MPI_Alloc_mem(bytes: MPI_Aint, info: MPI_Info, base: *mut c_void) -> c_int {
    drop(enter("MPI_Alloc_mem"));
    assert!(info == MPI_INFO_NULL || info.addr() >= 0x1_0000, "fake MPI: not an info");
    let bytes = bytes as usize;
    // SAFETY: the size is not 0.
    let block = unsafe { alloc(layout(bytes)) };
    assert!(!block.is_null(), "fake MPI: no memory");
    // SAFETY: the header is ours.
    unsafe { block.cast::<usize>().write(bytes) };
    // SAFETY: inside the block. As any malloc's may be, it is aligned for numbers alone.
    let start = unsafe { block.add(HEADER) };
    // SAFETY: an out-argument: the address of a pointer.
    unsafe { base.cast::<*mut u8>().write(start) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Free_mem(base: *mut c_void) -> c_int {
    drop(enter("MPI_Free_mem"));
    // SAFETY: a block of ours has a header.
    let block = unsafe { base.cast::<u8>().sub(HEADER) };
    // SAFETY: the header is initialized.
    let bytes = unsafe { block.cast::<usize>().read() };
    // SAFETY: allocated above with this layout.
    unsafe { dealloc(block, layout(bytes)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Info_create(info: *mut MPI_Info) -> c_int {
    drop(enter("MPI_Info_create"));
    // SAFETY: an out-argument.
    unsafe { info.write(handle(fresh_name())) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Info_set(_: MPI_Info, _: *const c_char, _: *const c_char) -> c_int {
    drop(enter("MPI_Info_set"));
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Info_free(info: *mut MPI_Info) -> c_int {
    drop(enter("MPI_Info_free"));
    // SAFETY: an in-out-argument.
    unsafe { info.write(MPI_INFO_NULL) };
    MPI_SUCCESS
}
