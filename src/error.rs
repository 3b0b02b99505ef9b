//! What went wrong: a small copyable value; the text is made only when it is printed.
//!
//! Standard: MPI 4.1, chapter 9 (MPI Environmental Management), section 9.3 "Error Handling".

use crate::environment::ThreadLevel;
use crate::ffi::{self, Call};
use mpi_config::family::Family;
use std::fmt;
use std::os::raw::c_int;

mod class;
mod returned;
mod seen;

pub use class::ErrorClass;
pub use returned::{Failed, Returned};
pub(crate) use seen::errors_seen;

/// The result of an MPI operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What an operation was given wrongly, or what MPI or its environment did.
///
/// 32 bytes, `Copy`, never allocated. [`call`](Error::call) names the C function; [`class`](Error::class) is
/// what `MPI_Error_class` says, also for errors this crate found itself before MPI was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    call: Call,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// MPI returned `code`.
    Code { code: c_int, class: c_int },
    /// One operation of several failed: `MPI_ERR_IN_STATUS`.
    InStatus { code: c_int, class: c_int, index: u32 },
    /// A local check failed before MPI was called.
    Argument { what: Argument, value: i64, bound: u64 },
    /// The installed library lacks the function, or it cannot be made to do this.
    Unsupported { needs: Needs },
    /// MPI may not be called in this state.
    State(State),
    /// A message was shorter than the value it was received for.
    TooShort { received: u64, needed: u64 },
    /// A message was no whole number of values.
    Broken { bytes: u64, value: u64 },
    /// Bytes of a peer are no value of the type.
    Invalid { index: u64 },
    /// A rank gave a collective something else than the others.
    Disagrees { term: Term, rank: u32, theirs: i64, others: i64 },
    /// A rank made another collective call than the others.
    OtherCall { rank: u32, theirs: Call, others: Call },
    /// A rank has not as many bytes for another as that one expects.
    Unmatched { from: u32, to: u32, sent: Bytes, expected: Bytes },
}

/// A number of bytes up to 2^48, for which there is room in an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bytes([u16; 3]);

impl Bytes {
    fn new(bytes: u64) -> Self {
        let bytes = bytes.min((1 << 48) - 1);
        Bytes([bytes as u16, (bytes >> 16) as u16, (bytes >> 32) as u16])
    }

    fn get(self) -> u64 {
        self.0.iter().rev().fold(0, |sum, &part| sum << 16 | u64::from(part))
    }
}

/// Which argument a local check refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    Destination,
    Source,
    Root,
    Tag,
    Count,
    ReceiveLength,
    SendLength,
    BlockLength,
    RootBuffer,
    LeafBuffer,
    View,
    Shape,
    BlockRange,
    BlockPlanes,
    OnePlane,
    BlockRows,
    BlockColumns,
    BlockSpread,
    ReceiveOverlap,
    SendOverlap,
    PlanArray,
    Partitions,
    Partition,
    PartitionReady,
    SamePair,
    PairOverlap,
    Operations,
    Dimensions,
    Direction,
    Coordinate,
    Topology,
    Rank,
    Color,
    Nodes,
    SecondBuffer,
    NoBuffer,
    BeingFlushed,
    SmallBuffer,
    Room,
    Counts,
    Displacements,
    Parts,
    OwnBlock,
    Overlap,
    Gaps,
    LayoutReach,
    LayoutDepth,
    LayoutBytes,
    LayoutRange,
    LayoutShare,
    LayoutStart,
    LayoutOverlap,
    NoOwnType,
    Name,
    PieceType,
    PieceLength,
    PackedEnd,
    PackedRest,
    Alignment,
    InfoText,
    #[cfg_attr(not(feature = "ndarray"), expect(dead_code))]
    NotContiguous,
    ManyAxes,
    AxesOverlap,
}

/// What ranks did not agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    Root,
    Length,
}

/// What would have been needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needs {
    /// More elements than an `int` counts, in an operation that cannot be split.
    LargeCount,
    /// A library that implements this version of the standard.
    Standard(u8, u8),
    /// A fault of the loaded library, by its row in the table of `quirks`.
    Fault(&'static &'static str),
}

/// Why MPI may not be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    NotInitialized,
    Finalized,
    OtherThread,
    Level {
        wanted: ThreadLevel,
        provided: ThreadLevel,
    },
    WrongLauncher {
        started_by: &'static &'static str,
        ranks: u32,
        speaker: bool,
    },
    WrongLibrary {
        loaded: Family,
    },
    Threads(u32),
    /// The request that was to be completed was dropped.
    Abandoned,
    /// A function that MPI has called would call MPI.
    Callback,
    /// So many operations use the communicator that was to be freed.
    InUse(u32),
    /// A receive was cancelled, since its plan's flight was dropped after an error.
    Cancelled,
}

/// Made in place: only the count of errors is kept elsewhere, which tells the compiler that the path is cold. An error that
/// a function returns might be `Ok` for all the caller knows, for they share their bits, and would have to be looked at.
impl Error {
    #[inline(always)]
    fn new(call: Call, kind: Kind) -> Self {
        seen::note_error();
        Error { call, kind }
    }
    #[inline(always)]
    pub(crate) fn from_code(call: Call, code: c_int, class: c_int) -> Self {
        Error::new(call, Kind::Code { code, class })
    }
    #[inline(always)]
    pub(crate) fn in_status(call: Call, code: c_int, class: c_int, index: usize) -> Self {
        Error::new(call, Kind::InStatus { code, class, index: index as u32 })
    }
    #[inline(always)]
    pub(crate) fn argument(call: Call, what: Argument, value: i64, bound: u64) -> Self {
        Error::new(call, Kind::Argument { what, value, bound })
    }
    #[inline(always)]
    pub(crate) fn length(call: Call, what: Argument, value: usize, bound: usize) -> Self {
        Self::argument(call, what, saturate(value), bound as u64)
    }
    #[inline(always)]
    pub(crate) fn unsupported(call: Call, needs: Needs) -> Self {
        Error::new(call, Kind::Unsupported { needs })
    }
    #[inline(always)]
    pub(crate) fn state(call: Call, state: State) -> Self {
        Error::new(call, Kind::State(state))
    }
    #[inline(always)]
    pub(crate) fn too_short(call: Call, received: usize, needed: usize) -> Self {
        Error::new(call, Kind::TooShort { received: received as u64, needed: needed as u64 })
    }
    #[inline(always)]
    pub(crate) fn broken(call: Call, bytes: usize, value: usize) -> Self {
        Error::new(call, Kind::Broken { bytes: bytes as u64, value: value as u64 })
    }
    #[inline(always)]
    pub(crate) fn invalid(call: Call, index: usize) -> Self {
        Error::new(call, Kind::Invalid { index: index as u64 })
    }

    #[cold]
    pub(crate) fn disagrees(call: Call, term: Term, rank: usize, theirs: i64, others: i64) -> Self {
        Error::new(call, Kind::Disagrees { term, rank: rank as u32, theirs, others })
    }
    #[cold]
    pub(crate) fn other_call(call: Call, rank: usize, theirs: Call, others: Call) -> Self {
        Error::new(call, Kind::OtherCall { rank: rank as u32, theirs, others })
    }
    /// Which rank sends how much, and which expects how much.
    #[cold]
    pub(crate) fn unmatched(call: Call, (from, sent): (usize, u64), (to, expected): (usize, u64)) -> Self {
        let (sent, expected) = (Bytes::new(sent), Bytes::new(expected));
        Error::new(call, Kind::Unmatched { from: from as u32, to: to as u32, sent, expected })
    }

    /// The same, found while another form of the call was prepared.
    #[cold]
    pub(crate) fn renamed(self, from: Call, to: Call) -> Self {
        if *self.call == *from { Error { call: to, ..self } } else { self }
    }

    /// The same error, of which the compiler knows nothing any more: for one that is put beside a buffer in a result. Knowing
    /// its bytes, it would take the buffer of the other variant to pieces to match.
    #[cold]
    #[inline(never)]
    pub(crate) fn opaque(self) -> Self {
        self
    }

    /// The C function that failed, or would have been called: `"MPI_Recv"`. Where there is none, what of this crate was
    /// called: `"Plan::get"`.
    pub fn call(&self) -> &'static str {
        self.call
    }

    /// The error class (`MPI_Error_class`, MPI 4.1 §9.4).
    pub fn class(&self) -> ErrorClass {
        match self.kind {
            Kind::Code { class, .. } | Kind::InStatus { class, .. } => ErrorClass::from_raw(class),
            Kind::Argument { what, .. } => what.class(),
            Kind::Unsupported { .. } => ErrorClass::UNSUPPORTED_OPERATION,
            Kind::State(_) => ErrorClass::OTHER,
            Kind::TooShort { .. } | Kind::Broken { .. } => ErrorClass::COUNT,
            Kind::Invalid { .. } => ErrorClass::TYPE,
            Kind::Disagrees { .. } | Kind::OtherCall { .. } | Kind::Unmatched { .. } => ErrorClass::NOT_SAME,
        }
    }

    /// The code MPI returned; `None` if a local check failed before MPI was called.
    pub fn code(&self) -> Option<i32> {
        match self.kind {
            Kind::Code { code, .. } | Kind::InStatus { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Which of several operations failed, where MPI said so (`MPI_ERR_IN_STATUS`).
    pub fn index(&self) -> Option<usize> {
        match self.kind {
            Kind::InStatus { index, .. } => Some(index as usize),
            _ => None,
        }
    }

    /// Whether every process of the job meets this same error, so that one of them should say it for all.
    pub(crate) fn said_by_another_rank(&self) -> bool {
        matches!(self.kind, Kind::State(State::WrongLauncher { speaker: false, .. }))
    }
}

/// A length for the eyes of a reader: above `i64::MAX` no buffer exists anyway.
fn saturate(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Argument {
    fn class(self) -> ErrorClass {
        match self {
            Argument::Destination | Argument::Source | Argument::Rank => ErrorClass::RANK,
            Argument::Root => ErrorClass::ROOT,
            Argument::Tag => ErrorClass::TAG,
            Argument::Count | Argument::ReceiveLength | Argument::SendLength | Argument::BlockLength => {
                ErrorClass::COUNT
            }
            Argument::Counts | Argument::Displacements | Argument::Parts | Argument::OwnBlock => {
                ErrorClass::COUNT
            }
            Argument::Overlap | Argument::Gaps => ErrorClass::BUFFER,
            Argument::LayoutStart | Argument::LayoutOverlap => ErrorClass::BUFFER,
            Argument::LayoutReach
            | Argument::LayoutDepth
            | Argument::LayoutBytes
            | Argument::LayoutRange
            | Argument::LayoutShare
            | Argument::Name => ErrorClass::ARG,
            Argument::PieceType | Argument::NoOwnType => ErrorClass::TYPE,
            Argument::PieceLength | Argument::PackedEnd | Argument::PackedRest => ErrorClass::COUNT,
            Argument::Alignment => ErrorClass::ARG,
            Argument::InfoText => ErrorClass::INFO,
            Argument::NotContiguous | Argument::ManyAxes | Argument::AxesOverlap => ErrorClass::BUFFER,
            Argument::RootBuffer | Argument::LeafBuffer | Argument::View => ErrorClass::BUFFER,
            Argument::SecondBuffer | Argument::NoBuffer | Argument::SmallBuffer | Argument::Room => {
                ErrorClass::BUFFER
            }
            Argument::BeingFlushed => ErrorClass::BUFFER,
            Argument::BlockRange
            | Argument::BlockPlanes
            | Argument::OnePlane
            | Argument::BlockRows
            | Argument::BlockColumns
            | Argument::BlockSpread
            | Argument::Shape => ErrorClass::BUFFER,
            Argument::ReceiveOverlap | Argument::SendOverlap | Argument::PairOverlap => ErrorClass::BUFFER,
            Argument::Partitions => ErrorClass::COUNT,
            Argument::Partition | Argument::PartitionReady => ErrorClass::ARG,
            Argument::PlanArray | Argument::SamePair | Argument::Operations => ErrorClass::ARG,
            Argument::Dimensions | Argument::Direction | Argument::Nodes => ErrorClass::DIMS,
            Argument::Coordinate | Argument::Color => ErrorClass::ARG,
            Argument::Topology => ErrorClass::TOPOLOGY,
        }
    }

    /// One sentence: the argument, its value, the bound.
    fn explain(self, f: &mut fmt::Formatter<'_>, value: i64, bound: u64) -> fmt::Result {
        let ranks = |f: &mut fmt::Formatter<'_>, name: &str| {
            write!(
                f,
                "{name} {value} is not a rank of this communicator, which has {bound} (0 to {})",
                bound.saturating_sub(1)
            )
        };
        match self {
            Argument::Destination => ranks(f, "destination"),
            Argument::Source => ranks(f, "source"),
            Argument::Root => ranks(f, "root"),
            Argument::Rank => ranks(f, "rank"),
            Argument::Tag => write!(f, "tag {value} is outside 0 to {bound} (MPI_TAG_UB)"),
            Argument::Count => write!(f, "count {value} is more than {bound}"),
            Argument::ReceiveLength => {
                write!(f, "the receive buffer holds {value} elements, but {bound} are needed")
            }
            Argument::SendLength => {
                write!(f, "the send buffer holds {value} elements, but {bound} are needed")
            }
            Argument::BlockLength => {
                write!(f, "a buffer of {value} elements cannot be dealt out evenly to {bound} ranks")
            }
            Argument::RootBuffer => {
                write!(f, "rank {value} is the root and must give the buffer the root needs")
            }
            Argument::LeafBuffer => {
                write!(
                    f,
                    "rank {value} gave a buffer that only the root, rank {bound}, may give: pass None elsewhere"
                )
            }
            Argument::Shape => write!(f, "the shape is of {value} elements, but the array has {bound}"),
            Argument::BlockRange => {
                write!(f, "a range of the block starts at {value} and ends before, at {bound}")
            }
            Argument::BlockPlanes => {
                write!(f, "the block's planes reach {value}, but the array has {bound} planes")
            }
            Argument::OnePlane => {
                write!(f, "the block has {value} planes: only one is rows and columns alone")
            }
            Argument::BlockRows => {
                write!(f, "the block's rows reach {value}, but the array has {bound} rows")
            }
            Argument::BlockColumns => {
                write!(f, "the block's columns reach {value}, but the array has {bound} columns")
            }
            Argument::BlockSpread => write!(
                f,
                "a block of {value} rows of {bound} elements is no row and not whole rows: this call takes what is in one piece"
            ),
            Argument::ReceiveOverlap => {
                write!(f, "the block overlaps block {value} of the {bound} that are received into this array")
            }
            Argument::SendOverlap => {
                write!(f, "the block overlaps block {value} of the {bound} that are sent from this array")
            }
            Argument::PlanArray => write!(
                f,
                "array {value} is not one of this plan's {bound}: another plan made the id, or the array was taken"
            ),
            Argument::Partitions => {
                write!(f, "a buffer of {value} elements cannot be cut evenly into {bound} partitions")
            }
            Argument::Partition => write!(f, "partition {value} does not exist: there are {bound}"),
            Argument::PartitionReady => write!(f, "partition {value} of {bound} is ready already"),
            Argument::PairOverlap => write!(f, "the two blocks of array {value} overlap"),
            Argument::SamePair => write!(f, "array {value} is asked for twice: a pair is of two arrays"),
            Argument::Operations => write!(f, "a plan has at most {bound} operations"),
            Argument::View => write!(f, "the view reaches element {value}, but the slice has {bound}"),
            Argument::Dimensions => {
                write!(f, "a grid of {value} positions was asked for, but the communicator has {bound} ranks")
            }
            Argument::Direction => write!(f, "dimension {value} does not exist: the grid has {bound}"),
            Argument::Coordinate => {
                write!(
                    f,
                    "coordinate {value} is outside 0 to {} of a dimension that is not periodic",
                    bound.saturating_sub(1)
                )
            }
            Argument::Topology => {
                write!(f, "this communicator of {value} ranks has no topology, so nobody is a neighbour")
            }
            Argument::Color => write!(f, "color {value} is more than {bound}"),
            Argument::Nodes => {
                write!(f, "{value} ranks cannot be laid out: the fixed dimensions multiply to {bound}")
            }
            Argument::Counts => {
                write!(f, "there are {value} counts, but {bound} are needed: one for each rank, or neighbour")
            }
            Argument::OwnBlock => {
                write!(f, "this rank sends itself {bound} elements, but has room for {value} from itself")
            }
            Argument::Parts => {
                write!(f, "there are {value} parts, but {bound} are needed: one for each rank, or neighbour")
            }
            Argument::Displacements => write!(f, "there are {value} displacements for {bound} counts"),
            Argument::Overlap => write!(
                f,
                "two of the blocks that are received, {value} elements in the first {bound} of the buffer, share elements"
            ),
            Argument::PieceType => {
                f.write_str("the next piece of the packed message has elements of another type")
            }
            Argument::PieceLength => write!(
                f,
                "the next piece of the packed message has {value} elements of MPI's types, but {bound} were asked for"
            ),
            Argument::PackedEnd => {
                write!(f, "{bound} bytes are needed, but {value} are left of the packed message")
            }
            Argument::PackedRest => write!(f, "{value} bytes of the packed message were not unpacked"),
            Argument::Alignment => write!(f, "the alignment {value} is no power of two"),
            Argument::InfoText => write!(f, "an info key or value has a zero byte, at {value}"),
            Argument::NotContiguous => write!(
                f,
                "the {value} elements do not follow one another in memory in row-major order: copy them, or send the view point to point"
            ),
            Argument::ManyAxes => write!(f, "{value} axes that cannot be joined are more than {bound}"),
            Argument::AxesOverlap => {
                write!(f, "some of the {value} elements that would be received share their place in memory")
            }
            Argument::Gaps => write!(
                f,
                "the counts spread {bound} elements over {value}, or in another order than that of the ranks: this call deals \
                 them out one after the other, so give no displacements"
            ),
            Argument::LayoutReach => {
                write!(
                    f,
                    "the layout, of elements of {value} bytes, reaches farther than {bound} bytes, or wraps around"
                )
            }
            Argument::LayoutDepth => write!(f, "layouts are nested {value} deep; {bound} is the limit"),
            Argument::LayoutBytes => {
                write!(
                    f,
                    "{value} bytes are no whole number of elements of {bound} bytes, and no element may be torn"
                )
            }
            Argument::LayoutRange => write!(f, "a range reaches index {value}, but {bound} is the end"),
            Argument::LayoutShare => {
                write!(f, "{value} is no way to deal out a dimension of {bound} indices: see `darray`")
            }
            Argument::LayoutStart => {
                write!(f, "the layout starts {value} elements before element {bound}, before the slice")
            }
            Argument::NoOwnType => write!(
                f,
                "the {value} elements of the layout follow one another, so it has no type of its own"
            ),
            Argument::Name => {
                write!(f, "a name of {value} bytes: {bound} are the limit, and none of them may be 0")
            }
            Argument::LayoutOverlap => write!(
                f,
                "the layout names elements twice ({value} in {bound} places), so it cannot be received into"
            ),
            Argument::SecondBuffer => f.write_str("a buffer is attached already: detach it first"),
            Argument::NoBuffer => f.write_str("no buffer is attached: call `mpi::buffered::attach` first"),
            Argument::BeingFlushed => {
                f.write_str("the buffer is being flushed: complete the request that flushes it first")
            }
            Argument::SmallBuffer => {
                write!(
                    f,
                    "a buffer of {value} bytes holds no message, which takes {bound} bytes besides its own"
                )
            }
            Argument::Room => write!(
                f,
                "the attached buffer has no room for a message of {value} bytes, which takes {bound} more"
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.call)?;
        match self.kind {
            Kind::Code { code, class } => explain_code(f, code, class),
            Kind::InStatus { code, class, index } => {
                write!(f, "operation {index} of the set failed: ")?;
                explain_code(f, code, class)
            }
            Kind::Argument { what, value, bound } => what.explain(f, value, bound),
            Kind::Unsupported { needs } => write!(f, "not supported: {needs}"),
            Kind::State(state) => write!(f, "{state}"),
            Kind::TooShort { received, needed } => write!(
                f,
                "the message brought {received} elements, but the value needs {needed}: the sender sent less, or the source was `None`"
            ),
            Kind::Broken { bytes, value } => {
                write!(f, "the message of {bytes} bytes is no whole number of values of {value} bytes each")
            }
            Kind::Disagrees { term: Term::Root, rank, theirs, others } => {
                write!(f, "rank {rank} says that rank {theirs} is the root, the others say {others}")
            }
            Kind::Disagrees { term: Term::Length, rank, theirs, others } => write!(
                f,
                "rank {rank} gives {theirs} bytes, the others {others}: all ranks must agree on the length"
            ),
            Kind::OtherCall { rank, theirs, others } => {
                write!(f, "rank {rank} has called {theirs}, the others {others}")
            }
            Kind::Unmatched { from, to, sent, expected } => write!(
                f,
                "rank {from} gives {} bytes for rank {to}, which expects {}: both must agree on the length",
                sent.get(),
                expected.get()
            ),
            Kind::Invalid { index } => {
                write!(
                    f,
                    "element {index} of the message is not a valid value of the type it was received as"
                )
            }
        }
    }
}

/// The class in words, then MPI's own text where MPI may be asked here and says more.
fn explain_code(f: &mut fmt::Formatter<'_>, code: c_int, class: c_int) -> fmt::Result {
    write!(f, "{}", ErrorClass::from_raw(class))?;
    match crate::environment::error_string(code) {
        Some(text) if !text.is_empty() => write!(f, " ({})", text.trim_end()),
        _ => write!(f, " (code {code})"),
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needs::LargeCount => f.write_str(
                "more than 2147483647 elements in one operation needs MPI 4's large-count functions",
            ),
            Needs::Standard(version, subversion) => {
                write!(
                    f,
                    "this needs MPI {version}.{subversion}, but {} {} is a library of MPI {}",
                    ffi::FAMILY,
                    ffi::IMPL_VERSION,
                    ffi::STD_VERSION
                )
            }
            Needs::Fault(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::NotInitialized => f.write_str("MPI is not initialized: call `mpi::init()` or use `#[mpi::main]`"),
            State::Finalized => f.write_str("MPI has been finalized, and cannot be started again in this process"),
            State::OtherThread => f.write_str(
                "only the thread that initialized MPI may use it; ask for `ThreadLevel::Multiple` to use it from several",
            ),
            State::Level { wanted, provided } => {
                write!(f, "thread level {wanted} was asked for, but the library provides only {provided}")
            }
            State::WrongLauncher { started_by, ranks, .. } => write!(
                f,
                "this program is linked with {} {} but was started by {started_by}, so each of its {ranks} processes would be \
                 rank 0 of 1; start it with {} or `cargo mpi run`",
                ffi::FAMILY,
                ffi::IMPL_VERSION,
                if ffi::MPIEXEC.is_empty() { "that library's own mpiexec" } else { ffi::MPIEXEC },
            ),
            State::WrongLibrary { loaded } => write!(
                f,
                "this program was built for {} {}, but the library that was loaded is {loaded}: rebuild it, or correct LD_LIBRARY_PATH",
                ffi::FAMILY,
                ffi::IMPL_VERSION,
            ),
            State::Abandoned => f.write_str("the request was dropped before it was complete: nobody waits for the value"),
            State::Callback => f.write_str("a function that MPI has called, such as that of a reduction, may not call MPI"),
            State::InUse(n) => {
                write!(f, "{n} operation(s) that own their buffer still use this communicator: complete them first")
            }
            State::Cancelled => f.write_str(
                "nothing was received: the operation was in flight when an error ended its step, and was cancelled",
            ),
            State::Threads(n) => write!(
                f,
                "this Open MPI writes past short receive buffers unless an environment variable is set before it starts, and \
                 the process has {n} threads already, so it cannot be set safely; initialize MPI before starting threads, \
                 or set the variables of `cargo mpi doctor` in the job script"
            ),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("call", &self.call)
            .field("class", &self.class())
            .field("kind", &self.kind)
            .finish()
    }
}

impl std::error::Error for Error {}

const _: () = assert!(size_of::<Error>() == 32);
