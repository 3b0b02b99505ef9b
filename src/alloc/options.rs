//! How memory is allocated.

use super::info::Info;
use super::memory::{Block, Memory};
use crate::datatype::{AnyBits, Datatype};
use crate::environment::{ends_with_us, hold};
use crate::error::{Argument, Error, ErrorClass, Result};
use crate::ffi::{self, Call, MPI_Aint, check};
use std::alloc::Layout;
use std::os::raw::c_void;
use std::ptr::{self, NonNull};

pub(super) const CALL: Call = &"MPI_Alloc_mem";

/// Alignment and hints for memory from MPI.
#[derive(Clone, Debug, Default)]
pub struct Options {
    align: usize,
    info: Vec<(String, String)>,
}

impl Options {
    /// The alignment that the elements need, and no hints.
    pub fn new() -> Self {
        Self::default()
    }

    /// The address of the first element is a multiple of so many bytes, a power of two. Elements that need more get more.
    ///
    /// This crate sees to it, with every library: it does not rely on the key `mpi_minimum_memory_alignment`.
    pub fn align(mut self, bytes: usize) -> Self {
        self.align = bytes;
        self
    }

    /// A hint for the library, whose documentation names its keys. Libraries ignore keys that they do not know.
    #[doc(alias("MPI_Info_create", "MPI_Info_set"))]
    pub fn info(mut self, key: &str, value: &str) -> Self {
        self.info.push((key.into(), value.into()));
        self
    }

    /// `len` zeros.
    ///
    /// `MPI_Alloc_mem` (MPI 4.1 §9.2).
    ///
    /// # Errors
    /// As [`zeroed`](super::zeroed); the alignment is no power of two; a key or value has a zero byte, or is one that the
    /// library refuses.
    #[doc(alias = "MPI_Alloc_mem")]
    pub fn zeroed<T: AnyBits>(&self, len: usize) -> Result<Memory<T>> {
        let (block, start) = self.block::<T>(len)?;
        // SAFETY: the block has room for `len` elements from `start` on.
        unsafe { ptr::write_bytes(start.as_ptr(), 0, len) };
        // SAFETY: all-zero bits are values of an `AnyBits` type.
        Ok(unsafe { Memory::new(block, start, len) })
    }

    /// A copy of the elements.
    ///
    /// `MPI_Alloc_mem` (MPI 4.1 §9.2).
    ///
    /// # Errors
    /// As [`zeroed`](Options::zeroed).
    #[doc(alias = "MPI_Alloc_mem")]
    pub fn copied<T: Datatype>(&self, elements: &[T]) -> Result<Memory<T>> {
        let (block, start) = self.block::<T>(elements.len())?;
        // SAFETY: the block is new, and has room for so many elements from `start` on.
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr(), start.as_ptr(), elements.len()) };
        // SAFETY: initialized on the line above, with values of a `Copy` type.
        Ok(unsafe { Memory::new(block, start, elements.len()) })
    }

    /// Room for `len` elements, and where in it they begin.
    fn block<T>(&self, len: usize) -> Result<(Block, NonNull<T>)> {
        let align = match self.align {
            0 => align_of::<T>(),
            bytes if bytes.is_power_of_two() => bytes.max(align_of::<T>()),
            bytes => return Err(Error::length(CALL, Argument::Alignment, bytes, 0)),
        };
        let too_much =
            |_| Error::length(CALL, Argument::Count, len, isize::MAX as usize / size_of::<T>().max(1));
        let layout = Layout::array::<T>(len).and_then(|l| l.align_to(align)).map_err(too_much)?;
        let instance = hold(CALL)?;
        if layout.size() == 0 {
            // SAFETY: an alignment is not 0.
            let start = unsafe { NonNull::new_unchecked(ptr::without_provenance_mut::<T>(align)) };
            return Ok((Block::Nothing, start));
        }
        // A host's MPI may end, and its memory with it, while ours is in use.
        if !ends_with_us() {
            let block = Block::rust(layout).ok_or_else(out_of_memory)?;
            let start = block.start().cast();
            return Ok((block, start));
        }
        // What MPI gives may be aligned for less.
        let bytes = layout.size().checked_add(align - 1).filter(|&n| n <= isize::MAX as usize / 4);
        let bytes = bytes.ok_or_else(out_of_memory)?;
        // MPICH does not notice that there is not so much, and gives an address where nothing is: so Rust is asked first.
        if bytes >= MUCH {
            drop(Block::rust(layout).ok_or_else(out_of_memory)?);
        }
        let bytes = bytes as MPI_Aint;
        let info = Info::new(&self.info)?;
        let mut base = ptr::null_mut::<c_void>();
        // SAFETY: MPI is live and this thread may call it (`hold`); the out-argument is the address of a pointer.
        check(CALL, unsafe { ffi::MPI_Alloc_mem(bytes, info.raw(), (&raw mut base).cast()) })?;
        let base = NonNull::new(base.cast::<u8>()).ok_or_else(out_of_memory)?;
        let block = Block::Mpi { base, _live: instance };
        let skip = base.as_ptr().align_offset(align);
        // SAFETY: less than `align`, so inside the block, before room for the elements.
        let start = unsafe { base.add(skip) };
        Ok((block, start.cast()))
    }
}

/// Memory that may not be there.
const MUCH: usize = 1 << 30;

fn out_of_memory() -> Error {
    let class = ErrorClass::NO_MEM.as_raw();
    Error::from_code(CALL, class, class)
}
