//! Memory as an MPI call takes it: address, count, datatype.

use crate::datatype::repeat::{free, large};
use crate::datatype::{Datatype, RawDatatype};
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Count, MPI_Datatype, check};
use std::mem::ManuallyDrop;
use std::os::raw::{c_int, c_void};

/// Address, count and datatype of a buffer, and how many elements that is.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub(crate) ptr: *mut c_void,
    /// Elements of the buffer's element type.
    pub(crate) len: usize,
    /// Elements of `datatype`.
    pub(crate) count: usize,
    pub(crate) datatype: RawDatatype,
}

/// Where an empty buffer is said to be: Rust's empty slice of bytes is at address 1, which is `MPI_IN_PLACE` to Open MPI
/// and in the standard's ABI.
static NOTHING: u64 = 0;
/// And where another is that is received into in the same call.
static NOTHING_ELSE: u64 = 0;

/// Where to receive: MPICH refuses one address for both buffers, though nothing is in them.
///
/// Two views may be counted from one address and have other elements: that address stays.
#[inline(always)]
pub(crate) fn apart(send: *mut c_void, recv: *mut c_void) -> *mut c_void {
    let are_nothing = send == recv && recv.cast_const() == (&raw const NOTHING).cast();
    if are_nothing { (&raw const NOTHING_ELSE).cast_mut().cast() } else { recv }
}

impl Region {
    /// `len` values of `T`, one after the other.
    #[inline(always)]
    pub(crate) fn contiguous<T: Datatype>(ptr: *const T, len: usize) -> Region {
        // No overflow: UNITS <= size_of::<T>(), and no buffer has more than isize::MAX bytes; for zero-sized types
        // UNITS is 0.
        let count = len * T::UNITS;
        let ptr = if count == 0 { (&raw const NOTHING).cast() } else { ptr.cast::<c_void>() };
        Region { ptr: ptr.cast_mut(), len, count, datatype: T::unit() }
    }

    /// What is in its place already: `MPI_IN_PLACE`.
    #[inline(always)]
    pub(crate) fn in_place(datatype: MPI_Datatype) -> Region {
        Region { ptr: ffi::MPI_IN_PLACE, len: 0, count: 0, datatype: RawDatatype(datatype) }
    }

    /// Count and datatype as the functions for large counts take them.
    #[inline(always)]
    pub(crate) fn wide(self) -> (MPI_Count, MPI_Datatype) {
        (self.count as MPI_Count, self.datatype.0) // no buffer has more than `isize::MAX` elements
    }

    /// Makes one call of MPI with a count that fits into its `int`, and checks what it returns.
    ///
    /// Written so that a hot call keeps everything in registers: no value that has to be dropped, no closure that
    /// a cold path takes the address of, nothing but a code out of it.
    #[inline(always)]
    pub(crate) fn call(self, call: Call, f: impl FnOnce(c_int, MPI_Datatype) -> c_int) -> Result<()> {
        let (mut count, mut datatype) = (self.count as c_int, self.datatype.0);
        let is_large = self.count > INT_MAX;
        if is_large {
            (count, datatype) = (1, large(call, self.count, datatype, INT_MAX)?);
        }
        let code = f(count, datatype);
        if is_large {
            free(datatype);
        }
        check(call, code)
    }

    /// The same for a call with two buffers.
    #[inline(always)]
    pub(crate) fn call_with(
        self,
        other: Region,
        call: Call,
        f: impl FnOnce((c_int, MPI_Datatype), (c_int, MPI_Datatype)) -> c_int,
    ) -> Result<()> {
        let mut mine = (self.count as c_int, self.datatype.0);
        let mut theirs = (other.count as c_int, other.datatype.0);
        let is_large = self.count > INT_MAX || other.count > INT_MAX;
        if is_large {
            let fitted = (self.fit(call)?, other.fit(call)?);
            (mine, theirs) = (fitted.0.keep(), fitted.1.keep());
        }
        let code = f(mine, theirs);
        if is_large {
            // Counts by value: a region that is passed to a cold function would be written to memory in every call.
            free_large(self.count, mine.1);
            free_large(other.count, theirs.1);
        }
        check(call, code)
    }

    /// A count that fits into MPI's `int`, for calls with several buffers.
    #[inline(always)]
    pub(crate) fn fit(self, call: Call) -> Result<Fitted> {
        self.fit_within(call, INT_MAX as c_int)
    }

    /// The same where `limit` is the largest count that is passed as it is.
    #[inline(always)]
    pub(crate) fn fit_within(self, call: Call, limit: c_int) -> Result<Fitted> {
        Fitted::new(call, self.count, self.datatype.0, limit as usize)
    }
}

/// A count and datatype as the `int` functions take them.
///
/// Above `INT_MAX` the elements are described by one derived type. That serves data movement with every library,
/// with or without large-count functions; it cannot serve reductions, whose operations know only basic types.
pub(crate) struct Fitted {
    pub count: c_int,
    pub datatype: MPI_Datatype,
    derived: bool,
}

/// The largest count passed as an `int`. Tests lower it, so that what is done above it is done often
/// (`MPI_TEST_LOW_LIMIT`, read by the build script).
pub(crate) const INT_MAX: usize = if cfg!(mpi_low_limit) { 5 } else { c_int::MAX as usize };

impl Fitted {
    #[inline(always)]
    pub(crate) fn new(call: Call, count: usize, datatype: MPI_Datatype, limit: usize) -> Result<Self> {
        if count <= limit {
            Ok(Fitted { count: count as c_int, datatype, derived: false })
        } else {
            Ok(Fitted { count: 1, datatype: large(call, count, datatype, limit)?, derived: true })
        }
    }
}

impl Fitted {
    /// Count and datatype, which is not freed.
    fn keep(self) -> (c_int, MPI_Datatype) {
        let this = ManuallyDrop::new(self);
        (this.count, this.datatype)
    }

    /// What fits as it is.
    pub(crate) fn of(count: c_int, datatype: MPI_Datatype) -> Self {
        Fitted { count, datatype, derived: false }
    }
}

impl Drop for Fitted {
    #[inline(always)]
    fn drop(&mut self) {
        if self.derived {
            free(self.datatype);
        }
    }
}

/// Frees what `Fitted::keep` left behind.
#[cold]
fn free_large(count: usize, datatype: MPI_Datatype) {
    if count > INT_MAX {
        free(datatype);
    }
}
