//! What a Rust program, a build script or a tool needs to know about the machine's MPI:
//! which implementations there are ([`family`]), what is wrong with them ([`faults`]), where one is
//! installed (`find`, behind the feature of that name) and how its jobs are started (`launch`, likewise).
//!
//! Nothing here links to MPI or runs a program that does, except the jobs `launch` is asked to start.

pub mod error;
pub mod family;
pub mod faults;
#[cfg(feature = "find")]
pub mod find;
#[cfg(feature = "launch")]
pub mod launch;

pub use error::Error;
pub use family::{Abi, Family, Version};
