//! Point-to-point communication.
//!
//! Standard: MPI 4.1, chapter 3 (Point-to-Point Communication).

mod blocking;
mod owned;
mod peer;
mod probe;

pub use blocking::Received;
pub use peer::{AnyTag, Destination, Source, Tag, TagPattern};
