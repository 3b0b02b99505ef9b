//! Starting and ending MPI, and what can be asked about it.
//!
//! Standard: MPI 4.1, chapter 11 (Process Initialization), sections 11.2 "The World Model", 11.6 "MPI and
//! Threads", and chapter 9 (MPI Environmental Management).

mod attach;
mod callback;
mod exit_in_init;
mod identity;
mod info;
mod init;
mod launcher;
mod level;
mod run;
mod stall;
mod state;

pub use info::{
    Library, bound_library, library_version, loaded_library, processor_name, thread_level, wtick, wtime,
};
pub use init::{Builder, init};
pub use level::ThreadLevel;
pub use mpi_config::family::{Family, Version};
pub use run::{Outcome, run};
pub use stall::{set_stall_limit, stall_limit};

pub(crate) use attach::world as world_handle;
pub(crate) use callback::{Callback, in_callback};
pub(crate) use identity::report;
pub(crate) use info::error_string;
pub(crate) use init::return_errors;
pub(crate) use state::{Instance, TAG_UB, enter, handles, hold, level, live, tag_bound, usable_here};
