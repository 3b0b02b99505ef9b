//! What is said of a cause: one sentence with the argument, its value and the bound, or with what to do.

use super::{Argument, Needs, State};
use crate::ffi;
use std::fmt;

impl Argument {
    /// One sentence: the argument, its value, the bound.
    pub(super) fn explain(self, f: &mut fmt::Formatter<'_>, value: i64, bound: u64) -> fmt::Result {
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
