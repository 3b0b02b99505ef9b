//! What a test is, as the macro describes it.

use crate::stack::Origin;
use std::any::Any;
use std::fmt::Debug;

/// A function marked `#[mpi::test]`.
#[derive(Debug)]
pub struct TestCase {
    /// Crate, module path and name, as in `my_crate::tests::halo`.
    pub name: &'static str,
    /// The file it is written in.
    pub file: &'static str,
    /// The rank counts to run on.
    pub ranks: &'static [usize],
    /// Seconds it may take on each rank count, if it says so itself.
    pub timeout: Option<f64>,
    /// Whether it bears `#[ignore]`.
    pub ignored: bool,
    /// The test itself, on one rank: `Err` holds what it returned, as text.
    pub body: fn() -> Result<(), String>,
    /// The MPI it was linked with.
    pub mpi: &'static Mpi,
}

inventory::collect!(&'static TestCase);

/// What has to be known of the `mpi` crate, which this one does not depend on.
#[derive(Debug)]
pub struct Mpi {
    /// Which implementation, by its short name.
    pub family: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its launcher.
    pub mpiexec: &'static str,
    /// Folders of its run-time libraries, joined by `:`.
    pub libdirs: &'static str,
    /// Where it is installed.
    pub prefix: &'static str,
    /// Initializes MPI; finalizes it when dropped, if no handle is left by then.
    pub session: fn() -> Box<dyn Any>,
    /// `MPI_Abort` on the world.
    pub abort: fn(i32) -> !,
}

impl TestCase {
    /// Every test of this binary, by name.
    pub(crate) fn all() -> Vec<&'static TestCase> {
        let mut all: Vec<_> = inventory::iter::<&'static TestCase>.into_iter().copied().collect();
        all.sort_unstable_by_key(|case| case.name);
        all
    }

    pub(crate) fn origin(&self) -> Origin<'static> {
        Origin { krate: self.name.split("::").next().unwrap_or_default(), file: self.file }
    }

    /// The name that the test harness uses: without the crate.
    pub(crate) fn harness_name(&self) -> &'static str {
        self.name.split_once("::").map_or(self.name, |(_, name)| name)
    }
}

/// What a test may return: `()` or `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "an `#[mpi::test]` returns `()` or `Result<(), E>` with `E: Debug`, not `{Self}`",
    label = "the test returns this"
)]
pub trait Outcome {
    /// `Err` holds the text of the error.
    ///
    /// # Errors
    /// If the test returned one.
    fn outcome(self) -> Result<(), String>;
}

impl Outcome for () {
    fn outcome(self) -> Result<(), String> {
        Ok(())
    }
}

impl<E: Debug> Outcome for Result<(), E> {
    fn outcome(self) -> Result<(), String> {
        self.map_err(|error| format!("{error:?}"))
    }
}
