//! The reader of a packed message.

use super::form::{Form, Labelled};
use super::label::{self, Label};
use super::order;
use super::portions::portions;
use crate::buffer::zeroed::{from_bits, vec_from_bits, zeroed, zeroed_vec};
use crate::buffer::{RecvBuf, Region};
use crate::comm::Communicator;
use crate::datatype::{Datatype, FromBits};
use crate::error::{Argument, Error, Result};
use std::fmt;
use std::marker::PhantomData;

/// Gives back the pieces of a [`Packed`](super::Packed) message in the order in which they were packed.
///
/// What is refused is not consumed: after an `Err` the same piece is the next one.
#[doc(alias = "MPI_Unpack")]
pub struct Unpacker<'m, F = Labelled> {
    comm: &'m Communicator,
    bytes: &'m [u8],
    at: usize,
    form: PhantomData<F>,
}

impl<'m, F: Form> Unpacker<'m, F> {
    pub(super) fn new(comm: &'m Communicator, bytes: &'m [u8]) -> Self {
        Unpacker { comm, bytes, at: 0, form: PhantomData }
    }

    /// One value.
    ///
    /// `MPI_Unpack` (MPI 4.1 §5.2), `MPI_Unpack_external` (§5.3).
    ///
    /// # Errors
    /// The next piece has another type or length, where the message has labels; the message ends before; its bytes are
    /// not a value of `T`; or what MPI reports.
    #[doc(alias("MPI_Unpack", "MPI_Unpack_external"))]
    #[expect(clippy::should_implement_trait, reason = "an iterator has items of one type")]
    pub fn next<T: FromBits>(&mut self) -> Result<T> {
        let mut bits = zeroed::<T::Bits>();
        let region = Region::contiguous::<T>((&raw mut bits).cast(), 1);
        let start = self.begin::<T>(T::UNITS)?;
        // SAFETY: room for one value of `T`, on the stack.
        let end = unsafe { self.read::<T>(region, start)? };
        let value = from_bits(bits).ok_or_else(|| Error::invalid(F::UNPACK, 0))?;
        self.at = end;
        Ok(value)
    }

    /// As many elements as the buffer has.
    ///
    /// `MPI_Unpack` (MPI 4.1 §5.2), `MPI_Unpack_external` (§5.3).
    ///
    /// # Errors
    /// The next piece has another type or length, where the message has labels; the message ends before; a view of more bytes
    /// than an `int` counts (class `UNSUPPORTED_OPERATION`: unpack into its parts); or what MPI reports.
    #[doc(alias("MPI_Unpack", "MPI_Unpack_external"))]
    pub fn next_into<B: RecvBuf + ?Sized>(&mut self, buf: &mut B) -> Result<()> {
        let region = buf.region()?;
        let start = self.begin::<B::Elem>(region.len * B::Elem::UNITS)?;
        // SAFETY: `RecvBuf`: memory that is exclusively borrowed during the call.
        self.at = unsafe { self.read::<B::Elem>(region, start)? };
        Ok(())
    }

    /// `len` values, in a new vector.
    ///
    /// `MPI_Unpack` (MPI 4.1 §5.2), `MPI_Unpack_external` (§5.3).
    ///
    /// # Errors
    /// As [`next`](Unpacker::next). Nothing is allocated for what the message cannot hold.
    #[doc(alias("MPI_Unpack", "MPI_Unpack_external"))]
    pub fn next_many<T: FromBits>(&mut self, len: usize) -> Result<Vec<T>> {
        let units = len.saturating_mul(T::UNITS);
        let start = self.begin::<T>(units)?;
        self.need(start, label::size(F::UNPACK, T::unit())?.saturating_mul(units))?;
        let mut bits = zeroed_vec::<T::Bits>(len);
        let region = Region::contiguous::<T>(bits.as_mut_ptr().cast(), len);
        // SAFETY: room for `len` values of `T`, in a vector of ours.
        let end = unsafe { self.read::<T>(region, start)? };
        let values = vec_from_bits(bits).map_err(|index| Error::invalid(F::UNPACK, index))?;
        self.at = end;
        Ok(values)
    }

    /// Whether all pieces were unpacked.
    pub fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// There are pieces left.
    pub fn finish(self) -> Result<()> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Error::length(F::UNPACK, Argument::PackedRest, left, 0)),
        }
    }

    /// Where the elements of the next piece are, if there are `units` of them, of the type that `T` is made of.
    fn begin<T: Datatype>(&self, units: usize) -> Result<usize> {
        if !F::LABELS {
            return Ok(self.at);
        }
        let (label, start) = self.label()?;
        let wanted = Label::of::<T>(F::UNPACK, units)?;
        if label.kind != wanted.kind {
            return Err(Error::argument(F::UNPACK, Argument::PieceType, 0, 0));
        }
        if label.units != wanted.units {
            let has = usize::try_from(label.units).unwrap_or(usize::MAX);
            return Err(Error::length(F::UNPACK, Argument::PieceLength, has, units));
        }
        Ok(start)
    }

    /// The label of the next piece, and where it ends.
    fn label(&self) -> Result<(Label, usize)> {
        let mut bits = [0u64; 2];
        let region = RecvBuf::region(&mut bits)?;
        // SAFETY: room for two numbers, on the stack.
        let end = unsafe { self.read::<u64>(region, self.at)? };
        Ok((Label::from_bits(bits), end))
    }

    /// Reads a region's elements, which begin at `start`; gives where they end.
    ///
    /// # Safety
    /// The region is exclusively borrowed memory of elements of `T`.
    unsafe fn read<T: Datatype>(&self, region: Region, start: usize) -> Result<usize> {
        let (units, unit) = (region.len.saturating_mul(T::UNITS), label::size(F::UNPACK, T::unit())?);
        self.need(start, unit.saturating_mul(units))?;
        portions::<T>(F::UNPACK, region, unit)?.try_fold(start, |start, elements| {
            // Not every library looks how long the message is.
            let size = F::size(elements, self.comm.raw())?;
            self.need(start, size)?;
            let unpack = |from: &[u8], at| {
                // SAFETY: the memory may be written, by this function's contract; so many bytes are there, by the lines above.
                unsafe { F::unpack(from, at, elements, self.comm.raw()) }
            };
            let end = if F::IS_EXTERNAL && order::is_left::<T>() {
                let mut piece = self.bytes[start..start + size].to_vec();
                order::turn::<T>(&mut piece);
                start + unpack(&piece, 0)?
            } else {
                unpack(self.bytes, start)?
            };
            Ok(end.min(self.bytes.len()))
        })
    }

    /// `Err` if less than `needed` bytes follow.
    fn need(&self, start: usize, needed: usize) -> Result<()> {
        let left = self.bytes.len() - start;
        if needed <= left { Ok(()) } else { Err(Error::length(F::UNPACK, Argument::PackedEnd, left, needed)) }
    }
}

impl Unpacker<'_, Labelled> {
    /// The next piece, however long it is.
    ///
    /// `MPI_Unpack` (MPI 4.1 §5.2).
    ///
    /// # Errors
    /// As [`next`](Unpacker::next); the piece is no whole number of values of `T`.
    #[doc(alias = "MPI_Unpack")]
    pub fn next_vec<T: FromBits>(&mut self) -> Result<Vec<T>> {
        let (Label { units, .. }, _) = self.label()?;
        let units = usize::try_from(units).unwrap_or(usize::MAX);
        match units.checked_rem(T::UNITS) {
            // Of a piece of another type this says nothing, so its type is looked at first.
            Some(rest) if rest != 0 => {
                self.begin::<T>(units)?;
                Err(Error::length(
                    <Labelled as super::form::calls::Calls>::UNPACK,
                    Argument::PieceLength,
                    units,
                    T::UNITS,
                ))
            }
            _ => self.next_many(units.checked_div(T::UNITS).unwrap_or(0)),
        }
    }

    /// How many elements of MPI's types the next piece has: three for a value of `[f64; 3]`.
    ///
    /// # Errors
    /// No piece follows.
    pub fn peek_len(&self) -> Result<usize> {
        let (Label { units, .. }, _) = self.label()?;
        Ok(usize::try_from(units).unwrap_or(usize::MAX))
    }
}

impl<F: Form> fmt::Debug for Unpacker<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacker").field("left", &(self.bytes.len() - self.at)).finish_non_exhaustive()
    }
}
