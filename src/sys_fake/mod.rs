//! A fake MPI of one process, which stands in for the library under `cfg(miri)`.
//!
//! It exists to *attack* the safe layer. It keeps the raw pointers it is given and, at **every** call, moves one
//! word of every transfer that is in flight. So a buffer really is read and written between the call that posts
//! it and the one that completes it, and Miri (or a sanitizer) sees each of those accesses: a frame popped too
//! early, a reference that aliases, padding that is sent.
//!
//! Every message goes from rank 0 to rank 0 and is matched as the standard says: by communicator, source and tag,
//! in order. What a correct program never does ends the process with a line that names the call: a call while MPI
//! is not live or on a thread that may not call, a handle that is stale, an error on a communicator whose errors are
//! fatal, a wait that nothing can end.
//!
//! Handles are opaque pointers, as with Open MPI, that name objects and are never followed; a name is never used
//! twice. Names and signatures are those of `mpi-sys`. [`hooks`] is what tests can see and set besides.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, non_snake_case, reason = "C's names")]
#![allow(clippy::missing_safety_doc, reason = "what the standard asks of a caller")]

mod abi;
mod attributes;
mod buffered;
mod collective;
mod comm;
mod completion;
mod copying;
mod environment;
mod generalized;
pub mod hooks;
mod layout;
mod matched;
mod memory;
mod modes;
mod op;
mod pack;
mod partitioned;
mod persistent;
mod point_to_point;
mod process;
mod requests;
mod topology;
mod traffic;
mod typed;

pub use abi::*;
pub use attributes::{MPI_Type_create_keyval, MPI_Type_delete_attr, MPI_Type_get_attr, MPI_Type_set_attr};
pub use buffered::{MPI_Bsend, MPI_Buffer_attach, MPI_Buffer_detach, MPI_Ibsend, MPI_Pack};
pub use collective::*;
pub use comm::*;
pub use completion::*;
pub use environment::*;
pub use generalized::*;
pub use layout::functions::*;
pub use matched::*;
pub use memory::*;
pub use modes::*;
pub use op::{MPI_Op_commutative, MPI_Op_create, MPI_Op_free, MPI_Reduce_local};
pub use pack::*;
pub use partitioned::*;
pub use persistent::*;
pub use point_to_point::*;
pub use requests::*;
pub use topology::*;
pub use typed::*;
