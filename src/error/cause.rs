//! What an operation was given wrongly, what it would have needed, why MPI may not be called; and the class of each.

use super::ErrorClass;
use crate::environment::ThreadLevel;
use mpi_config::family::Family;

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

impl Argument {
    pub(super) fn class(self) -> ErrorClass {
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
}
