//! Point-to-point communication.
//!
//! Standard: MPI 4.1, chapter 3 (Point-to-Point Communication).

mod blocking;
pub mod buffered;
mod exchange;
mod message;
mod modes;
mod owned;
mod peer;
mod probe;

pub use blocking::Received;
pub use message::Message;
pub use peer::{AnyTag, Destination, Source, Tag, TagPattern};
