//! The attribute macros of the `mpi` crate: [`main`] and [`test`].
//!
//! Use them through `mpi`, which re-exports both as `#[mpi::main]` and `#[mpi::test]`.

mod entry;
mod options;
mod signature;
mod test_case;

use proc_macro::TokenStream;

/// Makes `fn main(world: Communicator)` the body of an MPI program.
///
/// MPI is initialized before the body runs and finalized when the last handle is gone. A panic or an `Err` prints
/// `[rank r of n on host] message` once and ends the whole job with a non-zero exit code: one failing rank never
/// leaves the others waiting.
///
/// ```no_run
/// #[mpi::main]
/// fn main(world: mpi::Communicator) -> mpi::Result<()> {
///     println!("rank {} of {}", world.rank(), world.size());
///     world.barrier()
/// }
/// ```
///
/// The body may return `()`, `Result<(), E>` or `std::process::ExitCode`.
///
/// # Options
///
/// | option | meaning | default |
/// |---|---|---|
/// | `threads = "multiple"` | the thread level to ask for: `single`, `funneled`, `serialized` or `multiple` | `funneled` |
/// | `crate = "path"` | where the `mpi` crate is found, for crates that re-export it | `::mpi` |
#[proc_macro_attribute]
pub fn main(options: TokenStream, item: TokenStream) -> TokenStream {
    entry::expand(options.into(), item.into()).into()
}

/// Makes `fn name(world: Communicator)` a test that runs on several ranks.
///
/// The test runs once for each rank count, under the launcher of the MPI it was linked with, with a time limit, and
/// passes when every rank of every count returned `()` or `Ok(())`. Plain `cargo test`, `cargo nextest`, an IDE and
/// `cargo mpi test` all run it. The crate `mpi-test`, which does the work, must be a dev-dependency.
///
/// ```
/// #[mpi::test(ranks = [1, 2, 4], timeout = 30)]
/// fn everyone_is_counted(world: mpi::Communicator) -> mpi::Result<()> {
///     let counted = world.allreduce(&1_u64, mpi::op::Sum)?;
///     assert_eq!(counted, world.size() as u64);
///     Ok(())
/// }
/// ```
///
/// The communicator is a fresh duplicate of the world, so messages of two tests cannot mix.
///
/// # Options
///
/// | option | meaning | default |
/// |---|---|---|
/// | `ranks = 2`, `ranks = [1, 2]` | the rank counts to run on | `[1, 2]` |
/// | `timeout = 30` | seconds the test may take on each rank count | 60 |
/// | `crate = "path"` | where the `mpi` crate is found, for crates that re-export it | `::mpi` |
///
/// `#[ignore]` works as usual. `#[should_panic]` is refused: a panic on one rank ends the job for all of them.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    test_case::expand(options.into(), item.into()).into()
}
