//! Thread levels.

use crate::ffi;
use std::fmt;
use std::os::raw::c_int;

/// What threads may do with MPI (MPI 4.1 §11.6). Ordered: a higher level allows more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[doc(alias = "MPI_Init_thread")]
pub enum ThreadLevel {
    /// The process has one thread (`MPI_THREAD_SINGLE`).
    Single,
    /// Only the thread that initialized MPI calls it (`MPI_THREAD_FUNNELED`). The default: safe code can spawn
    /// threads, and handles stay where they are.
    #[default]
    Funneled,
    /// Several threads call MPI, one at a time (`MPI_THREAD_SERIALIZED`).
    Serialized,
    /// Any thread calls MPI at any time (`MPI_THREAD_MULTIPLE`).
    Multiple,
}

impl ThreadLevel {
    const ALL: [ThreadLevel; 4] = [Self::Single, Self::Funneled, Self::Serialized, Self::Multiple];

    pub(crate) fn index(self) -> u8 {
        self as u8
    }
    pub(crate) fn from_index(index: u8) -> Self {
        Self::ALL[usize::from(index.min(3))]
    }
    /// The library's number; its order is the enum's order in every ABI.
    pub(crate) fn raw(self) -> c_int {
        match self {
            ThreadLevel::Single => ffi::MPI_THREAD_SINGLE,
            ThreadLevel::Funneled => ffi::MPI_THREAD_FUNNELED,
            ThreadLevel::Serialized => ffi::MPI_THREAD_SERIALIZED,
            ThreadLevel::Multiple => ffi::MPI_THREAD_MULTIPLE,
        }
    }
    pub(crate) fn from_raw(raw: c_int) -> Self {
        Self::ALL.into_iter().rev().find(|level| level.raw() <= raw).unwrap_or_default()
    }
}

impl fmt::Display for ThreadLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ThreadLevel::Single => "MPI_THREAD_SINGLE",
            ThreadLevel::Funneled => "MPI_THREAD_FUNNELED",
            ThreadLevel::Serialized => "MPI_THREAD_SERIALIZED",
            ThreadLevel::Multiple => "MPI_THREAD_MULTIPLE",
        })
    }
}
