//! What went wrong: a small copyable value; the text is made only when it is printed.
//!
//! Standard: MPI 4.1, chapter 9 (MPI Environmental Management), section 9.3 "Error Handling".

use crate::ffi::Call;
use std::fmt;
use std::os::raw::c_int;

mod cause;
mod class;
mod explain;
mod returned;
mod seen;

pub(crate) use cause::{Argument, Needs, State, Term};
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
