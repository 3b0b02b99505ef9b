//! The three forms of packed messages: what MPI's functions take, behind one shape.

use crate::datatype::{AnyBits, Datatype, FromBits, Parts, Primitive, RawDatatype, Scalar};
use crate::environment::live;
use crate::error::{Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Comm, check};
use std::os::raw::{c_char, c_int, c_void};

/// Pieces that say what they are: each is preceded by its element type and its length, so that unpacking something else
/// is an `Err`. For Rust programs on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labelled;

/// Pieces as C programs pack them, one after the other (`MPI_Pack`). What is unpacked in another order than it was packed
/// in is not noticed, as long as there are enough bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bare;

/// As [`Bare`], in the representation that is the same on every machine (`MPI_Pack_external`, "external32"): for files and
/// for other libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct External;

/// One byte of a packed message, of the type `MPI_PACKED`, which matches messages of every type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
#[doc(alias = "MPI_PACKED")]
pub struct PackedByte(u8);

// SAFETY: one byte, which `MPI_PACKED` is the type of. To a struct that has one it is a byte like any other.
unsafe impl Datatype for PackedByte {
    const PARTS: Parts = Parts::primitive(Primitive::Byte, 1);
    const UNITS: usize = 1;
    fn unit() -> RawDatatype {
        RawDatatype(ffi::MPI_PACKED)
    }
}
// SAFETY: the same type, and every bit pattern is valid.
unsafe impl FromBits for PackedByte {
    type Bits = Self;
    #[inline(always)]
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: a byte: every bit pattern is a value.
unsafe impl AnyBits for PackedByte {}
// SAFETY: not an array, slice or vector.
unsafe impl Scalar for PackedByte {}

/// Memory, as the calls take it.
#[derive(Clone, Copy)]
pub(super) struct Elements {
    pub ptr: *mut c_void,
    pub count: c_int,
    pub datatype: RawDatatype,
}

/// [`Labelled`], [`Bare`] or [`External`]. Sealed.
pub trait Form: calls::Calls {}
impl Form for Labelled {}
impl Form for Bare {}
impl Form for External {}

pub(super) mod calls {
    use super::*;

    /// What MPI has for a form. Nobody else can implement it.
    pub trait Calls: 'static {
        /// Whether each piece is preceded by a label.
        const LABELS: bool;
        /// The type of a message's bytes.
        type Byte: AnyBits;
        #[doc(hidden)]
        const PACK: Call;
        #[doc(hidden)]
        const UNPACK: Call;
        /// Whether elements are in one order on all machines.
        const IS_EXTERNAL: bool = false;
        /// How many bytes the elements take. They are no more than an `int` counts.
        #[allow(private_interfaces, reason = "sealed")]
        fn size(what: Elements, comm: MPI_Comm) -> Result<usize>;
        /// # Safety
        /// The elements may be read, and `out` written from `at` on, for as many bytes as `size` says.
        #[allow(private_interfaces, reason = "sealed")]
        unsafe fn pack(what: Elements, out: &mut [u8], at: usize, comm: MPI_Comm) -> Result<usize>;
        /// # Safety
        /// The elements may be written, and `from` read from `at` on, for as many bytes as `size` says.
        #[allow(private_interfaces, reason = "sealed")]
        unsafe fn unpack(from: &[u8], at: usize, what: Elements, comm: MPI_Comm) -> Result<usize>;
    }
}
use calls::Calls;

/// The farthest position in a message that MPI is given as it is. Tests of large counts lower it.
const FAR: usize = if cfg!(mpi_low_limit) { 64 } else { c_int::MAX as usize };

/// What of a message `MPI_Pack` is given, which counts with an `int`: how many bytes are left out in front, how many there are,
/// and the position in them. No library writes anything between pieces, or in front of the first.
fn within_int(len: usize, at: usize) -> (usize, c_int, c_int) {
    let skipped = if len <= FAR { 0 } else { at };
    // Where more bytes follow than an `int` counts, those of one call are among the first of them.
    (skipped, (len - skipped).min(c_int::MAX as usize) as c_int, (at - skipped) as c_int)
}

macro_rules! native {
    ($form:ident, labels: $labels:literal) => {
        #[allow(private_interfaces, reason = "sealed")]
        impl Calls for $form {
            const LABELS: bool = $labels;
            type Byte = PackedByte;
            const PACK: Call = &"MPI_Pack";
            const UNPACK: Call = &"MPI_Unpack";
            fn size(what: Elements, comm: MPI_Comm) -> Result<usize> {
                packed_size(what.count, what.datatype, comm)
            }
            unsafe fn pack(what: Elements, out: &mut [u8], at: usize, comm: MPI_Comm) -> Result<usize> {
                // SAFETY: this function's contract.
                unsafe { native::pack(what, out, at, comm) }
            }
            unsafe fn unpack(from: &[u8], at: usize, what: Elements, comm: MPI_Comm) -> Result<usize> {
                // SAFETY: this function's contract.
                unsafe { native::unpack(from, at, what, comm) }
            }
        }
    };
}
native!(Labelled, labels: true);
native!(Bare, labels: false);

/// How many bytes elements of a committed type take in a message of this communicator (`MPI_Pack_size`).
pub(crate) fn packed_size(count: c_int, datatype: RawDatatype, comm: MPI_Comm) -> Result<usize> {
    let call: Call = &"MPI_Pack_size";
    live(call)?;
    let mut bytes = 0;
    // SAFETY: a committed type and a valid communicator; the out-argument is ours.
    let code = unsafe { ffi::MPI_Pack_size(count, datatype.0, comm, &raw mut bytes) };
    check(call, code)?;
    usize::try_from(bytes).map_err(|_| Error::unsupported(call, Needs::LargeCount))
}

mod native {
    use super::*;

    pub(super) unsafe fn pack(what: Elements, out: &mut [u8], at: usize, comm: MPI_Comm) -> Result<usize> {
        let call: Call = &"MPI_Pack";
        let (skipped, len, mut at) = within_int(out.len(), at);
        let Elements { ptr, count, datatype } = what;
        let out = out[skipped..].as_mut_ptr().cast();
        // SAFETY: the elements may be read and there is room for them, by this function's contract.
        let code = unsafe { ffi::MPI_Pack(ptr, count, datatype.0, out, len, &raw mut at, comm) };
        check(call, code)?;
        Ok(skipped + at as usize)
    }

    pub(super) unsafe fn unpack(from: &[u8], at: usize, what: Elements, comm: MPI_Comm) -> Result<usize> {
        let call: Call = &"MPI_Unpack";
        let (skipped, len, mut at) = within_int(from.len(), at);
        let Elements { ptr, count, datatype } = what;
        let from = from[skipped..].as_ptr().cast();
        // SAFETY: the elements may be written and there are bytes for them, by this function's contract.
        let code = unsafe { ffi::MPI_Unpack(from, len, &raw mut at, ptr, count, datatype.0, comm) };
        check(call, code)?;
        Ok(skipped + at as usize)
    }
}

/// The name of the representation that every MPI knows.
const EXTERNAL32: *const c_char = c"external32".as_ptr();

#[allow(private_interfaces, reason = "sealed")]
impl Calls for External {
    const LABELS: bool = false;
    const IS_EXTERNAL: bool = true;
    type Byte = u8;
    const PACK: Call = &"MPI_Pack_external";
    const UNPACK: Call = &"MPI_Unpack_external";

    fn size(what: Elements, _: MPI_Comm) -> Result<usize> {
        let call: Call = &"MPI_Pack_external_size";
        live(call)?;
        let mut bytes: MPI_Aint = 0;
        // SAFETY: a name that ends with a zero, a committed type; the out-argument is ours.
        let code =
            unsafe { ffi::MPI_Pack_external_size(EXTERNAL32, what.count, what.datatype.0, &raw mut bytes) };
        check(call, code)?;
        usize::try_from(bytes).map_err(|_| Error::unsupported(call, Needs::LargeCount))
    }

    unsafe fn pack(what: Elements, out: &mut [u8], at: usize, _: MPI_Comm) -> Result<usize> {
        let (len, mut at) = (out.len() as MPI_Aint, at as MPI_Aint);
        let Elements { ptr, count, datatype } = what;
        let out = out.as_mut_ptr().cast();
        // SAFETY: the elements may be read and there is room for them, by this function's contract.
        let code =
            unsafe { ffi::MPI_Pack_external(EXTERNAL32, ptr, count, datatype.0, out, len, &raw mut at) };
        check(Self::PACK, code)?;
        Ok(at as usize)
    }

    unsafe fn unpack(from: &[u8], at: usize, what: Elements, _: MPI_Comm) -> Result<usize> {
        let (len, mut at) = (from.len() as MPI_Aint, at as MPI_Aint);
        let Elements { ptr, count, datatype } = what;
        let from = from.as_ptr().cast();
        // SAFETY: the elements may be written and there are bytes for them, by this function's contract.
        let code =
            unsafe { ffi::MPI_Unpack_external(EXTERNAL32, from, len, &raw mut at, ptr, count, datatype.0) };
        check(Self::UNPACK, code)?;
        Ok(at as usize)
    }
}
