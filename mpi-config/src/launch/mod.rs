//! Starting an MPI job with the launcher that belongs to the MPI a program was linked with, and ending it for certain.
//!
//! ```no_run
//! use mpi_config::launch::{Launcher, Options, Output};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let launcher = Launcher::from_parts("openmpi", "4.1.4", "/usr/bin/mpiexec.openmpi", "", "")?;
//! let options = Options { ranks: 4, ..Options::default() };
//! let mut job = launcher.start(&options, "./hello".as_ref(), &[], Output::Inherit)?;
//! let ending = job.wait()?;
//! assert_eq!(ending.exit_code(), 0);
//! # Ok(())
//! # }
//! ```
//!
//! What a launcher needs (permission to run as root, to share cores, to yield) is a table in [`settings()`]; what the
//! machine is like is a [`Situation`], so that both can be tested without either.

mod arguments;
mod job;
mod launcher;
mod settings;
mod situation;

pub use arguments::library_path;
pub use job::{Ending, Forwarding, Job, Output, forward_signals};
pub use launcher::{Launcher, Options};
pub use settings::settings;
pub use situation::Situation;
