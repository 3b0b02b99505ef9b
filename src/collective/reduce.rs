//! Reductions (MPI 4.1 §6.9).
#![allow(unsafe_code)]

use super::describe::Reduction;
use super::op::Operation;
use crate::buffer::{RecvSlice, Region, SameShape, SendSlice};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, check};
use std::os::raw::c_int;

/// The bytes of one MPI element of `T`; 0 for types without any.
pub(super) const fn unit_bytes<T: Datatype>() -> usize {
    match size_of::<T>().checked_div(T::UNITS) {
        Some(bytes) => bytes,
        None => 0,
    }
}

impl Communicator {
    /// Combines the elements of all ranks with `op`; every rank gets the result, of the shape of `send`.
    ///
    /// `MPI_Allreduce` (MPI 4.1 §6.9.6). Zero-filled memory is allocated for the result if `send` is a slice.
    ///
    /// # Errors
    /// What MPI reports; for `bool`, a result that is none.
    ///
    /// ```no_run
    /// use mpi::op::{Max, Sum};
    /// # let world = mpi::init()?;
    /// let total = world.allreduce(&(world.rank() as u64), Sum)?; // u64
    /// let largest = world.allreduce(&vec![1.0, 2.0], Max)?; // Vec<f64>
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allreduce")]
    #[inline(always)]
    pub fn allreduce<S, O>(&self, send: &S, op: O) -> Result<S::Owned>
    where
        S: SameShape + ?Sized,
        O: Operation<S::Elem>,
    {
        let mut result = send.zeroed();
        self.allreduce_regions::<S::Elem, O>(send.region()?, S::bits_region(&mut result), op)?;
        S::check(result).map_err(|index| Error::invalid(&"MPI_Allreduce", index))
    }

    /// As [`allreduce`](Communicator::allreduce), into a buffer of the same length. Exactly one MPI call.
    ///
    /// # Errors
    /// The lengths differ; or what MPI reports.
    #[doc(alias = "MPI_Allreduce")]
    #[inline(always)]
    pub fn allreduce_into<S, R, O>(&self, send: &S, recv: &mut R, op: O) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        self.allreduce_regions::<S::Elem, O>(send.region()?, recv.region()?, op)
    }

    #[inline(always)]
    fn allreduce_regions<T: Datatype, O: Operation<T>>(
        &self,
        send: Region,
        recv: Region,
        op: O,
    ) -> Result<()> {
        let call: Call = &"MPI_Allreduce";
        live(call)?;
        self.allreduce_described(Reduction::new(call, send, recv, op.raw()?.0, unit_bytes::<T>())?)
    }

    /// As [`allreduce`](Communicator::allreduce), where the result takes the place of the input (`MPI_IN_PLACE`).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias("MPI_Allreduce", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn allreduce_in_place<B, O>(&self, buf: &mut B, op: O) -> Result<()>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        live(&"MPI_Allreduce")?;
        self.allreduce_described(Reduction::in_place(buf.region()?, op.raw()?.0, unit_bytes::<B::Elem>()))
    }

    #[inline(always)]
    fn allreduce_described(&self, reduction: Reduction) -> Result<()> {
        reduction.in_chunks(|r, count| {
            // SAFETY: both memories are borrowed for the call and hold `count` elements (`Reduction`); the operation
            // is defined for the type (`Operation`).
            let code = unsafe { ffi::MPI_Allreduce(r.send, r.recv, count, r.datatype, r.op, self.raw()) };
            check(&"MPI_Allreduce", code)
        })
    }

    /// Combines the elements of all ranks with `op`; the root gets `Some(result)`, of the shape of `send`.
    ///
    /// `MPI_Reduce` (MPI 4.1 §6.9.1). Every rank makes the same call.
    ///
    /// # Errors
    /// There is no rank `root`; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// if let Some(total) = world.reduce(&1.5, Sum, 0)? {
    ///     println!("the root's result: {total}");
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Reduce")]
    #[inline(always)]
    pub fn reduce<S, O>(&self, send: &S, op: O, root: usize) -> Result<Option<S::Owned>>
    where
        S: SameShape + ?Sized,
        O: Operation<S::Elem>,
    {
        let call: Call = &"MPI_Reduce";
        let (unit, raw_op) = (unit_bytes::<S::Elem>(), op.raw()?.0);
        if !self.is_root(call, root)? {
            self.reduce_described(Reduction::leaf(send.region()?, raw_op, unit), root)?;
            return Ok(None);
        }
        let mut result = send.zeroed();
        let recv = S::bits_region(&mut result);
        self.reduce_described(Reduction::new(call, send.region()?, recv, raw_op, unit)?, root)?;
        S::check(result).map(Some).map_err(|index| Error::invalid(call, index))
    }

    /// As [`reduce`](Communicator::reduce), into the root's buffer, which the root alone gives.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the lengths differ; or what MPI
    /// reports.
    #[doc(alias = "MPI_Reduce")]
    #[inline(always)]
    pub fn reduce_into<S, R, O>(&self, send: &S, recv: Option<&mut R>, op: O, root: usize) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let call: Call = &"MPI_Reduce";
        let (unit, raw_op) = (unit_bytes::<S::Elem>(), op.raw()?.0);
        let reduction = match self.for_root(call, recv, root)? {
            Some(recv) => Reduction::new(call, send.region()?, recv.region()?, raw_op, unit)?,
            None => Reduction::leaf(send.region()?, raw_op, unit),
        };
        self.reduce_described(reduction, root)
    }

    #[inline(always)]
    fn reduce_described(&self, reduction: Reduction, root: usize) -> Result<()> {
        live(&"MPI_Reduce")?;
        reduction.in_chunks(|r, count| {
            // SAFETY: as in `allreduce_described`; off the root MPI does not look at the receive buffer; the root
            // is a rank (`is_root`).
            let code = unsafe {
                ffi::MPI_Reduce(r.send, r.recv, count, r.datatype, r.op, root as c_int, self.raw())
            };
            check(&"MPI_Reduce", code)
        })
    }

    /// A buffer that the root must give, and nobody else may.
    #[inline(always)]
    pub(super) fn for_root<B>(&self, call: Call, buf: Option<B>, root: usize) -> Result<Option<B>> {
        match (self.is_root(call, root)?, buf.is_some()) {
            (true, false) => Err(Error::length(call, Argument::RootBuffer, self.rank(), root)),
            (false, true) => Err(Error::length(call, Argument::LeafBuffer, self.rank(), root)),
            _ => Ok(buf),
        }
    }
}
