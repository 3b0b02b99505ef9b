//! A buffer for each rank, of any element types and layouts: what the w forms of collectives take.

use super::region::{Fitted, INT_MAX};
use super::{LendRecv, LendSend, OwnedRecv, OwnedSend, Region, recv_region, send_region};
use crate::datatype::{Datatype, RawDatatype};
use crate::environment::{Instance, hold, live};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Datatype, check};
use std::cell::OnceCell;
use std::marker::PhantomData;
use std::os::raw::{c_int, c_void};
use std::ptr;

const CALL: Call = &"MPI_Alltoallw";
const CREATE: Call = &"MPI_Type_create_struct";

/// What goes to each rank, or neighbour: buffers of any element types and layouts, anywhere in memory, in the order of
/// ranks.
///
/// Nobody computes a displacement: they are the distances of the buffers. It allocates when it is made, not when it is
/// used, but at the first use with neighbours, and keeps MPI from being finalized as long as it exists.
///
/// ```no_run
/// use mpi::buffer::{Parts, PartsMut, Strided};
/// # let world = mpi::init()?;
/// let (grid, flags) = (vec![0.5; 12], [true; 3]);
/// let column = Strided::new(&grid, 1, 3, 1, 4)?;
/// let mut send = Parts::new()?;
/// send.push(column)?.push(&flags)?; // to rank 0 and to rank 1
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Parts<'a> {
    pub(crate) table: Table,
    _read: PhantomData<&'a ()>,
}

/// What comes from each rank, or neighbour: buffers of any element types and layouts, in the order of ranks. See [`Parts`].
#[derive(Debug)]
pub struct PartsMut<'a> {
    pub(crate) table: Table,
    _written: PhantomData<&'a mut ()>,
}

impl<'a> Parts<'a> {
    /// For no rank yet.
    ///
    /// # Errors
    /// MPI is not live, or may not be used on this thread.
    pub fn new() -> Result<Self> {
        Ok(Parts { table: Table::new(FARTHEST)?, _read: PhantomData })
    }

    /// Adds what goes to the next rank: a borrow of a send buffer, or a [`Strided`](super::Strided) view.
    ///
    /// # Errors
    /// What MPI reports when it is told of the layout.
    pub fn push<B: LendSend<'a>>(&mut self, part: B) -> Result<&mut Self> {
        self.table.push::<B::Elem>(part.lend()?.0)?;
        Ok(self)
    }

    /// One buffer for each rank.
    ///
    /// # Errors
    /// As [`new`](Parts::new) and [`push`](Parts::push).
    pub fn of<B: LendSend<'a>>(parts: impl IntoIterator<Item = B>) -> Result<Self> {
        let (mut all, mut parts) = (Self::new()?, parts.into_iter());
        all.table.reserve(parts.size_hint().0);
        parts.try_for_each(|part| all.push(part).map(drop))?;
        Ok(all)
    }

    /// For how many ranks.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether it is for no rank at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> PartsMut<'a> {
    /// For no rank yet.
    ///
    /// # Errors
    /// MPI is not live, or may not be used on this thread.
    pub fn new() -> Result<Self> {
        Ok(PartsMut { table: Table::new(FARTHEST)?, _written: PhantomData })
    }

    /// Adds where what comes from the next rank goes: an exclusive borrow of an initialized receive buffer, or a
    /// [`StridedMut`](super::StridedMut) view.
    ///
    /// # Errors
    /// What MPI reports when it is told of the layout.
    pub fn push<B: LendRecv<'a> + LendSend<'a>>(&mut self, part: B) -> Result<&mut Self> {
        self.table.push::<<B as LendRecv<'a>>::Elem>(LendRecv::lend(part)?.0)?;
        Ok(self)
    }

    /// One buffer for each rank.
    ///
    /// # Errors
    /// As [`new`](PartsMut::new) and [`push`](PartsMut::push).
    pub fn of<B: LendRecv<'a> + LendSend<'a>>(parts: impl IntoIterator<Item = B>) -> Result<Self> {
        let (mut all, mut parts) = (Self::new()?, parts.into_iter());
        all.table.reserve(parts.size_hint().0);
        parts.try_for_each(|part| all.push(part).map(drop))?;
        Ok(all)
    }

    /// For how many ranks.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether it is for no rank at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Buffers as MPI takes them: an address, and for each of them a count, a distance in bytes and a type.
///
/// MPI reads the arrays until the operation is complete.
#[derive(Debug)]
pub(crate) struct Table {
    /// Where the first buffer that is not empty begins: distances are counted from there.
    base: Option<*mut c_void>,
    counts: Vec<c_int>,
    displs: Vec<c_int>,
    /// The same for the neighbourhood form, once it was asked for.
    wide_displs: OnceCell<Vec<MPI_Aint>>,
    types: Vec<MPI_Datatype>,
    /// The types that were made for it.
    made: Vec<MPI_Datatype>,
    /// The largest count and distance that are given to MPI as they are; beyond, a type holds them.
    limit: c_int,
    /// MPI is not finalized under the types.
    _instance: Instance,
}

/// The limit of an `int`. Tests set lower ones.
pub(crate) const FARTHEST: c_int = INT_MAX as c_int;

/// The arguments of a w form: address, counts, types. The distances are asked for by width.
pub(crate) type WArrays = (*mut c_void, *const c_int, *const MPI_Datatype);

impl Table {
    pub(crate) fn new(limit: c_int) -> Result<Self> {
        Ok(Table {
            base: None,
            counts: Vec::new(),
            displs: Vec::new(),
            wide_displs: OnceCell::new(),
            types: Vec::new(),
            made: Vec::new(),
            limit,
            _instance: hold(CALL)?,
        })
    }

    /// Buffers that a request owns, to be sent.
    pub(crate) fn of_owned<B: OwnedSend>(parts: &[B]) -> Result<Self> {
        let mut table = Self::new(FARTHEST)?;
        parts.iter().try_for_each(|part| table.push::<B::Elem>(send_region(part)))?;
        Ok(table)
    }

    /// Buffers that a request owns, to be received into.
    pub(crate) fn of_owned_mut<B: OwnedRecv>(parts: &mut [B]) -> Result<Self> {
        let mut table = Self::new(FARTHEST)?;
        parts.iter_mut().try_for_each(|part| table.push::<B::Elem>(recv_region(part)))?;
        Ok(table)
    }

    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Adds memory of elements of `T`, which the caller has borrowed.
    pub(crate) fn push<T: Datatype>(&mut self, region: Region) -> Result<()> {
        self.push_region(region, T::unit())
    }

    fn push_region(&mut self, region: Region, unit: RawDatatype) -> Result<()> {
        if region.count == 0 {
            self.add(0, 0, unit.0);
            return Ok(());
        }
        // Of two allocations: exposed, since the distance is all that MPI gets to know of the second.
        let base = *self.base.get_or_insert(region.ptr);
        let distance = region.ptr.expose_provenance().wrapping_sub(base.expose_provenance()) as MPI_Aint;
        let is_own = region.datatype.0 == unit.0;
        match (int(region.count, self.limit), near(distance, self.limit)) {
            (Some(count), Some(displ)) if is_own => self.add(count, displ, unit.0),
            // The type of a view is only ours to look at: the table of types may free it when it makes others.
            _ => {
                let datatype = self.placed(region, distance)?;
                self.add(1, 0, datatype);
            }
        }
        Ok(())
    }

    fn add(&mut self, count: c_int, displ: c_int, datatype: MPI_Datatype) {
        self.counts.push(count);
        self.displs.push(displ);
        self.wide_displs.take();
        self.types.push(datatype);
    }

    /// Makes room for so many parts more.
    fn reserve(&mut self, more: usize) {
        self.counts.reserve_exact(more);
        self.displs.reserve_exact(more);
        self.types.reserve_exact(more);
    }

    /// A committed type of all of `region`, at a distance.
    #[cold]
    fn placed(&mut self, region: Region, distance: MPI_Aint) -> Result<MPI_Datatype> {
        live(CREATE)?;
        let fitted = region.fit_within(CREATE, self.limit)?;
        let mut datatype = ffi::MPI_DATATYPE_NULL;
        // SAFETY: three arrays of one entry each; MPI is live; nothing is accessed.
        let code = unsafe {
            ffi::MPI_Type_create_struct(
                1,
                &raw const fitted.count,
                &raw const distance,
                &raw const fitted.datatype,
                &raw mut datatype,
            )
        };
        check(CREATE, code)?;
        self.made.push(datatype); // freed with the others even if it cannot be committed
        // SAFETY: a type that we have just made; a commit does not change its handle.
        check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut datatype) })?;
        Ok(datatype)
    }

    /// Where the buffers are, for a call on `ranks` ranks or neighbours. The arrays live as long as this.
    #[inline]
    pub(crate) fn arrays(&self, call: Call, ranks: usize) -> Result<WArrays> {
        if self.len() != ranks {
            return Err(Error::length(call, Argument::Parts, self.len(), ranks));
        }
        Ok((self.base(), self.counts.as_ptr(), self.types.as_ptr()))
    }

    /// Where distances are counted from.
    #[inline]
    pub(crate) fn base(&self) -> *mut c_void {
        match self.base {
            // Not as a pointer into the first buffer, which would not be one into the others.
            Some(base) => ptr::with_exposed_provenance_mut(base.addr()),
            None => Region::contiguous::<u8>(&0, 0).ptr,
        }
    }

    /// The largest count and distance that are given to MPI as they are.
    #[cold]
    pub(crate) fn limit(&self) -> c_int {
        self.limit
    }

    /// The types of all parts, with as many more after them as make `n`, which mean nothing.
    #[cold]
    pub(crate) fn padded_types(&self, n: usize) -> Vec<MPI_Datatype> {
        let mut types = self.types.clone();
        types.resize(n.max(types.len()), ffi::MPI_BYTE);
        types
    }

    /// Distance and elements of each part.
    #[cold]
    pub(crate) fn parts(&self) -> impl Iterator<Item = (MPI_Aint, Fitted)> + '_ {
        let elements =
            self.counts.iter().zip(&self.types).map(|(&count, &datatype)| Fitted::of(count, datatype));
        self.displs.iter().map(|&displ| displ as MPI_Aint).zip(elements)
    }

    /// Distances in bytes.
    #[inline]
    pub(crate) fn displs(&self) -> *const c_int {
        self.displs.as_ptr()
    }

    /// Distances in bytes, as the neighbourhood form takes them.
    #[inline]
    pub(crate) fn wide_displs(&self) -> *const MPI_Aint {
        let wide = || self.displs.iter().map(|&displ| displ as MPI_Aint).collect();
        self.wide_displs.get_or_init(wide).as_ptr()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if live(&"MPI_Type_free").is_err() {
            return; // they ended with the host's MPI
        }
        for datatype in &mut self.made {
            // SAFETY: a type that `placed` made and nobody else has; operations that were posted with it may go on (MPI 4.1
            // §5.1.9); MPI is live, on a thread that may use it: a table stays on its thread.
            unsafe { ffi::MPI_Type_free(datatype) };
        }
    }
}

/// A count that can be given to MPI.
fn int(count: usize, limit: c_int) -> Option<c_int> {
    c_int::try_from(count).ok().filter(|&count| count <= limit)
}

/// A distance that can be given to MPI.
fn near(distance: MPI_Aint, limit: c_int) -> Option<c_int> {
    c_int::try_from(distance).ok().filter(|&distance| distance.unsigned_abs() <= limit.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_int_holds_is_given_as_one() {
        assert_eq!((int(7, 7), int(8, 7), int(usize::MAX, FARTHEST)), (Some(7), None, None));
        assert_eq!((int(1 << 31, FARTHEST), int((1 << 31) - 1, FARTHEST)), (None, Some(FARTHEST)));
        assert_eq!((near(-7, 7), near(-8, 7), near(8, 7)), (Some(-7), None, None));
        assert_eq!((near(-(1 << 31), FARTHEST), near(1 << 31, FARTHEST)), (None, None));
    }
}
