//! What the root gives, and nobody else.

use crate::comm::Communicator;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;

impl Communicator {
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
