//! What a reduction is given whose result is dealt out by counts, checked: `MPI_Reduce_scatter`.
#![allow(unsafe_code)]

use super::agree::Terms;
use super::combine::Operands;
use super::describe::Counted;
use super::forms::{Described, NO_INFO, Names, needed};
use super::op::Operation;
use super::pairs::Each;
use super::shapes::ReduceScatterForms;
use super::vector::{Arrays, varied};
use crate::buffer::{Counts, Region};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{MPI_Comm, MPI_Request, check};
use std::os::raw::c_int;

/// Every rank gets as much of the result as its count says. The arrays live as long as the [`Counts`] they are of.
pub(crate) struct Dealing {
    forms: &'static ReduceScatterForms,
    operands: Operands,
    counts: Arrays,
}
varied!(
    Dealing, |d|, () in () => d.counts;
    Arrays::Narrow(counts, _) => d.operands.send, d.operands.recv, counts, d.operands.datatype, d.operands.op;
    Arrays::Wide(counts, _) => d.operands.send, d.operands.recv, counts, d.operands.datatype, d.operands.op;
    terms d.shares()
);

impl Dealing {
    /// Every rank's count for a rank is what that rank expects.
    #[inline(always)]
    fn shares(&self) -> Terms {
        let (counts, datatype) = (self.counts, self.operands.datatype);
        Terms::pairs(Each::Counts(counts, datatype), Each::Own(counts, datatype))
    }

    #[inline(always)]
    fn described<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceScatterForms,
        input: Region,
        counts: &Counts,
        op: O,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        counts.deals_out(call, input.len, comm.size())?;
        // A built-in operation counts the parts of elements that are arrays.
        let counts = if O::WHOLE || T::UNITS == 0 { counts } else { counts.in_parts(T::UNITS)? };
        // Functions take an `int` of elements, and libraries give them all of the input.
        if O::WHOLE && T::UNITS > 0 && counts.total() > c_int::MAX as usize {
            return Err(Error::unsupported(call, Needs::LargeCount));
        }
        Ok(Dealing {
            forms,
            operands: Operands::to_deal_out::<T, O>(call, input, op)?,
            counts: Arrays::new::<T>(counts),
        })
    }

    /// Each rank gets in `recv` its part of the result.
    #[inline(always)]
    pub(crate) fn new<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceScatterForms,
        send: Region,
        recv: Region,
        counts: &Counts,
        op: O,
        comm: &Communicator,
    ) -> Result<Self> {
        let mut dealing = Self::described::<T, O>(forms, send, counts, op, comm)?;
        let own = counts.get(comm.rank());
        if recv.len != own {
            return Err(Error::length(forms.names.now(), Argument::ReceiveLength, recv.len, own));
        }
        dealing.operands.recv = recv.ptr;
        Ok(dealing)
    }

    /// The same, where each gets its part in front in `both`.
    #[inline(always)]
    pub(crate) fn in_place<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceScatterForms,
        both: Region,
        counts: &Counts,
        op: O,
        comm: &Communicator,
    ) -> Result<Self> {
        let dealing = Self::described::<T, O>(forms, both, counts, op, comm)?;
        Ok(Dealing { operands: dealing.operands.in_place(), ..dealing })
    }
}
