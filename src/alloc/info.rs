//! The keys and values of one call (`MPI_Info`, MPI 4.1 §10).

use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Info, check};
use std::ffi::CString;

/// An info object as long as the call that it is for.
pub(super) struct Info(MPI_Info);

impl Info {
    /// Nothing is made where there is nothing to say. MPI is live, and this thread may call it.
    pub(super) fn new(pairs: &[(String, String)]) -> Result<Self> {
        let mut this = Info(ffi::MPI_INFO_NULL);
        if pairs.is_empty() {
            return Ok(this);
        }
        // SAFETY: MPI is live; the out-argument is ours.
        check(&"MPI_Info_create", unsafe { ffi::MPI_Info_create(&raw mut this.0) })?;
        for (key, value) in pairs {
            let call: Call = &"MPI_Info_set";
            let (key, value) = (text(call, key)?, text(call, value)?);
            // SAFETY: an info of ours, and two strings that end with a zero.
            check(call, unsafe { ffi::MPI_Info_set(this.0, key.as_ptr(), value.as_ptr()) })?;
        }
        Ok(this)
    }

    pub(super) fn raw(&self) -> MPI_Info {
        self.0
    }
}

fn text(call: Call, text: &str) -> Result<CString> {
    CString::new(text).map_err(|e| Error::length(call, Argument::InfoText, e.nul_position(), 0))
}

impl Drop for Info {
    fn drop(&mut self) {
        if self.0 != ffi::MPI_INFO_NULL {
            // SAFETY: made above, freed once, before the call that it is for returns: MPI is live.
            unsafe { ffi::MPI_Info_free(&raw mut self.0) };
        }
    }
}
