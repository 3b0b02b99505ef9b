//! What an operation in flight is, for the line that says why the job ended.

use crate::ffi::{self, Call};
use std::fmt;
use std::os::raw::c_int;

/// A function of MPI that posts an operation.
#[derive(Debug)]
pub(crate) struct Operation {
    pub call: &'static str,
    /// It is a receive that can be cancelled.
    pub receives: bool,
}
impl Operation {
    pub(crate) fn call(&'static self) -> Call {
        &self.call
    }
}

/// One operation in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub operation: &'static Operation,
    /// The peer and tag as MPI got them; meaningless for collectives.
    pub peer: c_int,
    pub tag: c_int,
}

impl Note {
    /// Of an operation that another scope posted, or that nobody has described yet.
    pub(crate) const UNKNOWN: Note =
        Note { operation: &Operation { call: "an operation", receives: false }, peer: 0, tag: 0 };
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = self.operation.call;
        write!(f, "{call}")?;
        let has = |words: [&str; 2]| words.into_iter().any(|word| call.contains(word));
        let way = match self.operation.receives {
            true => "from",
            false if has(["send", "Send"]) => "to",
            false if has(["recv", "Recv"]) => "from", // one that cannot be cancelled
            false => return Ok(()),                   // a collective has no peer
        };
        match self.peer {
            ffi::MPI_ANY_SOURCE => write!(f, " {way} any rank")?,
            peer => write!(f, " {way} rank {peer}")?,
        }
        match self.tag {
            ffi::MPI_ANY_TAG => write!(f, " with any tag"),
            tag => write!(f, " with tag {tag}"),
        }
    }
}
