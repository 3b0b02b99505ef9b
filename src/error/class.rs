//! Error classes: a newtype with constants, since a library may add its own.

use crate::ffi;
use std::fmt;
use std::os::raw::c_int;

/// An error class of the standard (MPI 4.1 §9.4), or one a library or user added.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrorClass(c_int);

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $mpi:ident, $text:literal;)+) => {
        impl ErrorClass {
            $( $(#[$doc])* #[doc = concat!("`", stringify!($mpi), "`: ", $text, ".")] pub const $name: ErrorClass = ErrorClass(ffi::$mpi); )+
            const KNOWN: &[(ErrorClass, &'static str, &'static str)] = &[$((ErrorClass::$name, stringify!($mpi), $text)),+];
        }
    };
}

// Only constants and words: no call, nothing unsafe.
classes! {
    SUCCESS = MPI_SUCCESS, "no error";
    BUFFER = MPI_ERR_BUFFER, "invalid buffer";
    COUNT = MPI_ERR_COUNT, "invalid count";
    TYPE = MPI_ERR_TYPE, "invalid datatype";
    TAG = MPI_ERR_TAG, "invalid tag";
    COMM = MPI_ERR_COMM, "invalid communicator";
    RANK = MPI_ERR_RANK, "invalid rank";
    REQUEST = MPI_ERR_REQUEST, "invalid request";
    ROOT = MPI_ERR_ROOT, "invalid root";
    GROUP = MPI_ERR_GROUP, "invalid group";
    OP = MPI_ERR_OP, "invalid operation";
    TOPOLOGY = MPI_ERR_TOPOLOGY, "invalid topology";
    DIMS = MPI_ERR_DIMS, "invalid dimensions";
    ARG = MPI_ERR_ARG, "invalid argument";
    UNKNOWN = MPI_ERR_UNKNOWN, "unknown error";
    TRUNCATE = MPI_ERR_TRUNCATE, "message truncated: it was longer than the receive buffer";
    OTHER = MPI_ERR_OTHER, "other error";
    INTERN = MPI_ERR_INTERN, "internal error of the MPI library";
    IN_STATUS = MPI_ERR_IN_STATUS, "the error is in the statuses";
    PENDING = MPI_ERR_PENDING, "the operation is neither failed nor complete";
    NO_MEM = MPI_ERR_NO_MEM, "out of memory";
    UNSUPPORTED_OPERATION = MPI_ERR_UNSUPPORTED_OPERATION, "unsupported operation";
    KEYVAL = MPI_ERR_KEYVAL, "invalid attribute key";
    INFO = MPI_ERR_INFO, "invalid info object";
    INFO_KEY = MPI_ERR_INFO_KEY, "info key too long";
    INFO_VALUE = MPI_ERR_INFO_VALUE, "info value too long";
    INFO_NOKEY = MPI_ERR_INFO_NOKEY, "no such info key";
    SPAWN = MPI_ERR_SPAWN, "processes could not be spawned";
    PORT = MPI_ERR_PORT, "invalid port";
    SERVICE = MPI_ERR_SERVICE, "invalid service name to unpublish";
    NAME = MPI_ERR_NAME, "service name was not published";
    WIN = MPI_ERR_WIN, "invalid window";
    SIZE = MPI_ERR_SIZE, "invalid size";
    DISP = MPI_ERR_DISP, "invalid displacement";
    LOCKTYPE = MPI_ERR_LOCKTYPE, "invalid lock type";
    ASSERT = MPI_ERR_ASSERT, "invalid assertion";
    BASE = MPI_ERR_BASE, "invalid base address";
    RMA_CONFLICT = MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window";
    RMA_SYNC = MPI_ERR_RMA_SYNC, "wrong synchronization of one-sided calls";
    RMA_RANGE = MPI_ERR_RMA_RANGE, "target memory is outside the window";
    RMA_ATTACH = MPI_ERR_RMA_ATTACH, "memory could not be attached";
    RMA_SHARED = MPI_ERR_RMA_SHARED, "memory cannot be shared";
    RMA_FLAVOR = MPI_ERR_RMA_FLAVOR, "wrong kind of window";
    FILE = MPI_ERR_FILE, "invalid file";
    NO_SUCH_FILE = MPI_ERR_NO_SUCH_FILE, "no such file";
    FILE_EXISTS = MPI_ERR_FILE_EXISTS, "file exists";
    FILE_IN_USE = MPI_ERR_FILE_IN_USE, "file is in use";
    BAD_FILE = MPI_ERR_BAD_FILE, "invalid file name";
    ACCESS = MPI_ERR_ACCESS, "permission denied";
    AMODE = MPI_ERR_AMODE, "invalid access mode";
    NO_SPACE = MPI_ERR_NO_SPACE, "not enough space";
    QUOTA = MPI_ERR_QUOTA, "quota exceeded";
    READ_ONLY = MPI_ERR_READ_ONLY, "read-only file or file system";
    IO = MPI_ERR_IO, "input/output error";
    NOT_SAME = MPI_ERR_NOT_SAME, "ranks gave different values for a collective argument";
    CONVERSION = MPI_ERR_CONVERSION, "error in a data conversion function";
    DUP_DATAREP = MPI_ERR_DUP_DATAREP, "data representation is already defined";
    UNSUPPORTED_DATAREP = MPI_ERR_UNSUPPORTED_DATAREP, "unsupported data representation";
}

impl ErrorClass {
    pub(crate) const fn from_raw(class: c_int) -> Self {
        ErrorClass(class)
    }

    /// The library's own number for the class. It differs between libraries; compare with the constants instead.
    pub const fn as_raw(self) -> i32 {
        self.0
    }

    fn known(self) -> Option<(&'static str, &'static str)> {
        Self::KNOWN.iter().find(|(class, ..)| *class == self).map(|&(_, name, text)| (name, text))
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some((name, text)) => write!(f, "{text} [{name}]"),
            None => write!(f, "error class {}", self.0),
        }
    }
}

impl fmt::Debug for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "ErrorClass({})", self.0),
        }
    }
}
