//! New communicators from old ones (MPI 4.1 §7.4.2).
#![allow(unsafe_code)]

use super::Communicator;
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, check};
use std::os::raw::c_int;

/// How two communicators relate (`MPI_Comm_compare`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// The same communicator.
    Identical,
    /// The same processes in the same order, in another context: a duplicate.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Different processes.
    Unequal,
}

impl Communicator {
    /// The same processes in a context of their own: messages of the two never mix. Collective.
    ///
    /// `MPI_Comm_dup` (MPI 4.1 §7.4.2). A library should talk on a duplicate of what it is given.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Comm_dup")]
    pub fn dup(&self) -> Result<Communicator> {
        live(&"MPI_Comm_dup")?;
        self.duplicated()
    }

    /// Groups the ranks that give the same color; within a group they are ordered by `key`, then by rank.
    /// Collective. A rank that gives `None` gets `None` (`MPI_UNDEFINED`).
    ///
    /// `MPI_Comm_split` (MPI 4.1 §7.4.2).
    ///
    /// # Errors
    /// The color exceeds `i32::MAX`; or what MPI reports.
    #[doc(alias = "MPI_Comm_split")]
    pub fn split(&self, color: Option<usize>, key: i32) -> Result<Option<Communicator>> {
        let call: Call = &"MPI_Comm_split";
        live(call)?;
        let color = match color {
            None => ffi::MPI_UNDEFINED,
            Some(color) => c_int::try_from(color)
                .map_err(|_| Error::length(call, Argument::Color, color, c_int::MAX as usize))?,
        };
        let mut raw = ffi::MPI_COMM_NULL;
        // SAFETY: a valid communicator, a color that is not negative or undefined; the out-argument is ours.
        check(call, unsafe { ffi::MPI_Comm_split(self.raw(), color, key, &raw mut raw) })?;
        (raw != ffi::MPI_COMM_NULL).then(|| self.child(raw)).transpose()
    }

    /// How this communicator relates to another (`MPI_Comm_compare`, MPI 4.1 §7.4.1). Local.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Comm_compare")]
    pub fn compare(&self, other: &Communicator) -> Result<Comparison> {
        let call: Call = &"MPI_Comm_compare";
        live(call)?;
        let mut result = ffi::MPI_UNEQUAL;
        // SAFETY: two valid communicators; the out-argument is ours.
        check(call, unsafe { ffi::MPI_Comm_compare(self.raw(), other.raw(), &raw mut result) })?;
        Ok(match result {
            ffi::MPI_IDENT => Comparison::Identical,
            ffi::MPI_CONGRUENT => Comparison::Congruent,
            ffi::MPI_SIMILAR => Comparison::Similar,
            _ => Comparison::Unequal,
        })
    }
}
