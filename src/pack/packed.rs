//! A message that is being put together, or was received.

use super::form::{Form, Labelled};
use super::label::{self, Label};
use super::order;
use super::portions::portions;
use super::unpacker::Unpacker;
use super::{Bare, External};
use crate::buffer::{Region, SendBuf, SendSlice};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::Result;
use crate::p2p::{Received, Source, TagPattern};
use std::fmt;
use std::marker::PhantomData;

/// A message made of pieces of any types, for the ranks of one communicator. A buffer that can be sent, and read by
/// [`unpack`](Packed::unpack).
///
/// See the [module](crate::pack) for the three forms.
#[doc(alias = "MPI_Pack")]
pub struct Packed<'c, F = Labelled> {
    comm: &'c Communicator,
    bytes: Vec<u8>,
    form: PhantomData<F>,
}

impl Communicator {
    /// An empty message to be packed, whose pieces know their types.
    ///
    /// `MPI_Pack` (MPI 4.1 §5.2), by [`Packed::push`].
    #[doc(alias = "MPI_Pack")]
    pub fn pack(&self) -> Packed<'_, Labelled> {
        Packed::from_bytes(self, Vec::new())
    }

    /// An empty message to be packed as C programs do, which do not know of labels.
    ///
    /// `MPI_Pack` (MPI 4.1 §5.2), by [`Packed::push`].
    #[doc(alias = "MPI_Pack")]
    pub fn pack_bare(&self) -> Packed<'_, Bare> {
        Packed::from_bytes(self, Vec::new())
    }

    /// An empty message to be packed in the representation "external32", which is the same on every machine.
    ///
    /// `MPI_Pack_external` (MPI 4.1 §5.3), by [`Packed::push`].
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut record = world.pack_external();
    /// record.push(&1u32)?;
    /// assert_eq!(record.as_bytes(), [0, 0, 0, 1]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Pack_external")]
    pub fn pack_external(&self) -> Packed<'_, External> {
        Packed::from_bytes(self, Vec::new())
    }

    /// Receives a packed message of any length and form.
    ///
    /// `MPI_Mprobe`, `MPI_Mrecv` with `MPI_PACKED` (MPI 4.1 §5.2).
    ///
    /// # Errors
    /// As [`recv_vec`](Communicator::recv_vec).
    #[doc(alias = "MPI_PACKED")]
    pub fn recv_packed<F: Form>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<Received<Packed<'_, F>>> {
        // External messages are bytes, which `MPI_PACKED` receives as well as any other type.
        let Received { data, status } = self.recv_vec::<super::PackedByte>(source, tag)?;
        let mut data = std::mem::ManuallyDrop::new(data);
        // SAFETY: `PackedByte` is a transparent `u8`, so this is the layout that the memory was allocated with; the old
        // vector is not dropped.
        let bytes =
            unsafe { Vec::from_raw_parts(data.as_mut_ptr().cast::<u8>(), data.len(), data.capacity()) };
        Ok(Received { data: Packed::from_bytes(self, bytes), status })
    }
}

impl<'c, F: Form> Packed<'c, F> {
    /// A message whose bytes came another way: in a file, by another call.
    ///
    /// Any bytes will do: what is unpacked from them is checked.
    pub fn from_bytes(comm: &'c Communicator, bytes: Vec<u8>) -> Self {
        Packed { comm, bytes, form: PhantomData }
    }

    /// Adds a piece: what can be sent can be packed.
    ///
    /// `MPI_Pack_size`, `MPI_Pack` (MPI 4.1 §5.2); `MPI_Pack_external_size`, `MPI_Pack_external` (§5.3).
    ///
    /// # Errors
    /// A view of more bytes than an `int` counts (class `UNSUPPORTED_OPERATION`: pack its parts); or what MPI reports. The
    /// message is as it was.
    #[doc(alias("MPI_Pack", "MPI_Pack_size", "MPI_Pack_external", "MPI_Pack_external_size", "MPI_PACKED"))]
    pub fn push<B: SendBuf + ?Sized>(&mut self, buf: &B) -> Result<&mut Self> {
        let region = buf.region()?;
        let before = self.bytes.len();
        let packed = self.push_region::<B::Elem>(region);
        if packed.is_err() {
            self.bytes.truncate(before);
        }
        packed.map(|()| self)
    }

    fn push_region<T: Datatype>(&mut self, region: Region) -> Result<()> {
        if F::LABELS {
            let label = Label::of::<T>(F::PACK, region.len.saturating_mul(T::UNITS))?.bits();
            // SAFETY: two numbers on the stack.
            unsafe { self.append::<u64>(Region::contiguous(label.as_ptr(), 2))? };
        }
        // SAFETY: `SendBuf`: initialized memory that is borrowed during the call.
        unsafe { self.append::<T>(region) }
    }

    /// # Safety
    /// The region, of elements of `T`, may be read.
    unsafe fn append<T: Datatype>(&mut self, region: Region) -> Result<()> {
        // SAFETY: this function's contract.
        unsafe { append::<F, T>(&mut self.bytes, region, self.comm) }
    }

    /// Reads the pieces, from the first on.
    pub fn unpack(&self) -> Unpacker<'_, F> {
        Unpacker::new(self.comm, &self.bytes)
    }

    /// The bytes of the message.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Takes all pieces out, and keeps the memory for others.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Packs a region behind what is there.
///
/// # Safety
/// The region, of elements of `T`, may be read.
pub(super) unsafe fn append<F: Form, T: Datatype>(
    bytes: &mut Vec<u8>,
    region: Region,
    comm: &Communicator,
) -> Result<()> {
    let unit = label::size(F::PACK, T::unit())?;
    for elements in portions::<T>(F::PACK, region, unit)? {
        let (at, room) = (bytes.len(), F::size(elements, comm.raw())?);
        // Zeros, so that bytes that the library leaves out are no garbage.
        bytes.resize(at + room, 0);
        // SAFETY: the memory may be read, by this function's contract, and there is room for what `size` has said.
        let end = unsafe { F::pack(elements, bytes, at, comm.raw())? };
        bytes.truncate(end);
        if F::IS_EXTERNAL && order::is_left::<T>() {
            order::turn::<T>(&mut bytes[at..]);
        }
    }
    Ok(())
}

impl<F: Form> AsRef<[u8]> for Packed<'_, F> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<F: Form> fmt::Debug for Packed<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

// SAFETY: initialized bytes in a vector that is borrowed with `self`; a `PackedByte` has the size of a byte.
unsafe impl<F: Form> SendBuf for Packed<'_, F> {
    type Elem = F::Byte;
    fn region(&self) -> Result<Region> {
        const { assert!(size_of::<F::Byte>() == 1 && align_of::<F::Byte>() == 1) };
        Ok(Region::contiguous(self.bytes.as_ptr().cast::<F::Byte>(), self.bytes.len()))
    }
}
// SAFETY: one byte after the other.
unsafe impl<F: Form> SendSlice for Packed<'_, F> {}
