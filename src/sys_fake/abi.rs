//! Types and constants, in the shape that `mpi-sys` gives them for a library whose handles are pointers.

use std::os::raw::{c_int, c_void};
use std::ptr;

/// Nobody's.
pub const FAMILY: &str = "unknown";
/// Of the fake.
pub const IMPL_VERSION: &str = "1.0.0";
/// What the fake follows.
pub const STD_VERSION: &str = "4.1";
/// None.
pub const MPIEXEC: &str = "";
/// None.
pub const PREFIX: &str = "";
/// None.
pub const LIBDIRS: &str = "";
/// None.
pub const MPICC: &str = "";

pub type MPI_Aint = isize;
pub type MPI_Count = i64;

macro_rules! handles {
    ($($opaque:ident as $handle:ident;)+) => { $(
        #[derive(Debug)]
        pub enum $opaque {}
        pub type $handle = *mut $opaque;
    )+ };
}
handles! {
    OpaqueComm as MPI_Comm;
    OpaqueDatatype as MPI_Datatype;
    OpaqueErrhandler as MPI_Errhandler;
    OpaqueInfo as MPI_Info;
    OpaqueMessage as MPI_Message;
    OpaqueOp as MPI_Op;
    OpaqueRequest as MPI_Request;
}

/// A handle that names an object; it is never followed.
pub(super) const fn handle<T>(name: usize) -> *mut T {
    ptr::without_provenance_mut(name)
}

/// Integers alone, as in every ABI; `bytes` is what the length functions divide.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MPI_Status {
    pub MPI_SOURCE: c_int,
    pub MPI_TAG: c_int,
    pub MPI_ERROR: c_int,
    pub(super) bytes: usize,
}

/// Of a request that is null.
pub(super) const EMPTY: MPI_Status =
    MPI_Status { MPI_SOURCE: MPI_ANY_SOURCE, MPI_TAG: MPI_ANY_TAG, MPI_ERROR: MPI_SUCCESS, bytes: 0 };
/// Of a receive that was cancelled. Its length is garbage, as the standard allows.
pub(super) const CANCELLED: MPI_Status = MPI_Status { bytes: GARBAGE, ..EMPTY };
pub(super) const GARBAGE: usize = usize::MAX / 2 + 1;
/// Of a message from `MPI_PROC_NULL`.
pub(super) const FROM_NOWHERE: MPI_Status = MPI_Status { MPI_SOURCE: MPI_PROC_NULL, ..EMPTY };

pub type MPI_Comm_copy_attr_function =
    Option<unsafe extern "C" fn(MPI_Comm, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int>;
pub type MPI_Comm_delete_attr_function =
    Option<unsafe extern "C" fn(MPI_Comm, c_int, *mut c_void, *mut c_void) -> c_int>;
pub const MPI_COMM_NULL_COPY_FN: MPI_Comm_copy_attr_function = None;
pub type MPI_Type_copy_attr_function = Option<
    unsafe extern "C" fn(MPI_Datatype, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int,
>;
pub type MPI_Type_delete_attr_function =
    Option<unsafe extern "C" fn(MPI_Datatype, c_int, *mut c_void, *mut c_void) -> c_int>;
pub const MPI_TYPE_NULL_COPY_FN: MPI_Type_copy_attr_function = None;

// Nulls are not zero: nobody may take a handle for a C pointer.
pub const MPI_COMM_NULL: MPI_Comm = handle(0x10);
pub const MPI_COMM_WORLD: MPI_Comm = handle(0x11);
pub const MPI_COMM_SELF: MPI_Comm = handle(0x12);
pub const MPI_REQUEST_NULL: MPI_Request = handle(0x20);
pub const MPI_MESSAGE_NULL: MPI_Message = handle(0x30);
pub(super) const MESSAGE_NO_PROC: MPI_Message = handle(0x31);
pub const MPI_INFO_NULL: MPI_Info = handle(0x35);
pub const MPI_ERRORS_RETURN: MPI_Errhandler = handle(0x40);
pub const MPI_IN_PLACE: *mut c_void = ptr::without_provenance_mut(0x50);
pub const MPI_STATUS_IGNORE: *mut MPI_Status = ptr::null_mut();
pub const MPI_STATUSES_IGNORE: *mut MPI_Status = ptr::null_mut();

/// A predefined type: its name tells its size.
const fn basic(kind: usize, size: usize) -> MPI_Datatype {
    handle(0x1000 + kind * 0x20 + size)
}
/// The size of a predefined type; `None` if the name is not of one.
pub(super) fn basic_size(name: usize) -> Option<usize> {
    (0x1000..0x2000).contains(&name).then_some(name % 0x20)
}
pub const MPI_DATATYPE_NULL: MPI_Datatype = handle(0x60);
pub const MPI_BYTE: MPI_Datatype = basic(0, 1);
pub const MPI_INT8_T: MPI_Datatype = basic(1, 1);
pub const MPI_INT16_T: MPI_Datatype = basic(2, 2);
pub const MPI_INT32_T: MPI_Datatype = basic(3, 4);
pub const MPI_INT64_T: MPI_Datatype = basic(4, 8);
pub const MPI_UINT8_T: MPI_Datatype = basic(5, 1);
pub const MPI_UINT16_T: MPI_Datatype = basic(6, 2);
pub const MPI_UINT32_T: MPI_Datatype = basic(7, 4);
pub const MPI_UINT64_T: MPI_Datatype = basic(8, 8);
pub const MPI_FLOAT: MPI_Datatype = basic(9, 4);
pub const MPI_DOUBLE: MPI_Datatype = basic(10, 8);
pub const MPI_C_BOOL: MPI_Datatype = basic(11, 1);
pub const MPI_PACKED: MPI_Datatype = basic(12, 1);
pub const MPI_C_FLOAT_COMPLEX: MPI_Datatype = basic(13, 8);
pub const MPI_C_DOUBLE_COMPLEX: MPI_Datatype = basic(14, 16);

/// Constants with numbers that follow one another.
macro_rules! numbered {
    ($first:literal as $type:ty: $($name:ident)+) => { numbered!(@ $first => $type: $($name)+); };
    (@ $n:expr => $type:ty:) => {};
    (@ $n:expr => $type:ty: $name:ident $($rest:ident)*) => {
        pub const $name: $type = $n;
        numbered!(@ $n + 1 => $type: $($rest)*);
    };
}

pub const MPI_OP_NULL: MPI_Op = handle(0x6f);
pub const MPI_SUM: MPI_Op = handle(0x70);
pub const MPI_PROD: MPI_Op = handle(0x71);
pub const MPI_MIN: MPI_Op = handle(0x72);
pub const MPI_MAX: MPI_Op = handle(0x73);
pub const MPI_BAND: MPI_Op = handle(0x74);
pub const MPI_BOR: MPI_Op = handle(0x75);
pub const MPI_BXOR: MPI_Op = handle(0x76);
pub const MPI_LAND: MPI_Op = handle(0x77);
pub const MPI_LOR: MPI_Op = handle(0x78);
pub const MPI_LXOR: MPI_Op = handle(0x79);

pub const MPI_ANY_SOURCE: c_int = -1;
pub const MPI_ANY_TAG: c_int = -1;
pub const MPI_PROC_NULL: c_int = -2;
pub const MPI_UNDEFINED: c_int = -32766;
pub const MPI_BSEND_OVERHEAD: c_int = 48;
pub const MPI_MAX_PROCESSOR_NAME: c_int = 64;
pub const MPI_MAX_ERROR_STRING: c_int = 64;
pub const MPI_MAX_OBJECT_NAME: c_int = 64;
/// The key of the attribute of that name.
pub const MPI_TAG_UB: c_int = 1;
pub(super) const LARGEST_TAG: c_int = 1_000_000;

numbered! { 0 as c_int: MPI_IDENT MPI_CONGRUENT MPI_SIMILAR MPI_UNEQUAL }
numbered! { 1 as c_int: MPI_COMBINER_NAMED MPI_COMBINER_HVECTOR MPI_COMBINER_HINDEXED MPI_COMBINER_STRUCT MPI_COMBINER_RESIZED
MPI_COMBINER_F90_REAL MPI_COMBINER_F90_COMPLEX MPI_COMBINER_F90_INTEGER }
numbered! { 1 as c_int: MPI_TYPECLASS_REAL MPI_TYPECLASS_INTEGER MPI_TYPECLASS_COMPLEX }
numbered! { 0 as c_int: MPI_THREAD_SINGLE MPI_THREAD_FUNNELED MPI_THREAD_SERIALIZED MPI_THREAD_MULTIPLE }

numbered! { 0 as c_int:
    MPI_SUCCESS MPI_ERR_BUFFER MPI_ERR_COUNT MPI_ERR_TYPE MPI_ERR_TAG MPI_ERR_COMM MPI_ERR_RANK MPI_ERR_REQUEST
    MPI_ERR_ROOT MPI_ERR_GROUP MPI_ERR_OP MPI_ERR_TOPOLOGY MPI_ERR_DIMS MPI_ERR_ARG MPI_ERR_UNKNOWN
    MPI_ERR_TRUNCATE MPI_ERR_OTHER MPI_ERR_INTERN MPI_ERR_IN_STATUS MPI_ERR_PENDING MPI_ERR_NO_MEM
    MPI_ERR_UNSUPPORTED_OPERATION MPI_ERR_KEYVAL MPI_ERR_INFO MPI_ERR_INFO_KEY MPI_ERR_INFO_VALUE
    MPI_ERR_INFO_NOKEY MPI_ERR_SPAWN MPI_ERR_PORT MPI_ERR_SERVICE MPI_ERR_NAME MPI_ERR_WIN MPI_ERR_SIZE
    MPI_ERR_DISP MPI_ERR_LOCKTYPE MPI_ERR_ASSERT MPI_ERR_BASE MPI_ERR_RMA_CONFLICT MPI_ERR_RMA_SYNC
    MPI_ERR_RMA_RANGE MPI_ERR_RMA_ATTACH MPI_ERR_RMA_SHARED MPI_ERR_RMA_FLAVOR MPI_ERR_FILE
    MPI_ERR_NO_SUCH_FILE MPI_ERR_FILE_EXISTS MPI_ERR_FILE_IN_USE MPI_ERR_BAD_FILE MPI_ERR_ACCESS
    MPI_ERR_AMODE MPI_ERR_NO_SPACE MPI_ERR_QUOTA MPI_ERR_READ_ONLY MPI_ERR_IO MPI_ERR_NOT_SAME
    MPI_ERR_CONVERSION MPI_ERR_DUP_DATAREP MPI_ERR_UNSUPPORTED_DATAREP
}

/// Error codes are no error classes, as with MPICH.
const CODES: c_int = 0x4000;
pub(super) const TRUNCATED: c_int = CODES + MPI_ERR_TRUNCATE;
pub(super) const IN_STATUS: c_int = CODES + MPI_ERR_IN_STATUS;
pub(super) const BROKEN: c_int = CODES + MPI_ERR_OTHER;
pub(super) const NO_ROOM: c_int = CODES + MPI_ERR_BUFFER;
pub(super) fn class_of(code: c_int) -> c_int {
    if code >= CODES { code - CODES } else { code }
}
