//! The macros of the `mpi` crate: the attributes [`main`] and [`test`], the derives [`Datatype`](macro@Datatype),
//! [`AnyBits`](macro@AnyBits) and [`FromBits`](macro@FromBits).
//!
//! Use them through `mpi`, which re-exports them: `#[mpi::main]`, `#[derive(mpi::Datatype)]`.

mod derive;
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

/// Makes a struct, or an enum without fields, a type whose values can be sent: `mpi::Datatype` and `mpi::Scalar`.
///
/// A struct needs `Clone`, `Copy`, and fields that can be sent themselves: numbers, `bool`, `char`, `NonZero*`, arrays, other
/// such types, `()`, `PhantomData`. It may be generic, packed, over-aligned, and have padding, which does not travel. What
/// is sent is chosen when the program is compiled: fields of one primitive without padding travel as a row of it, others
/// by a struct type (`MPI_Type_create_struct`), made at first use. `mpi::datatype::typemap` prints it.
///
/// An enum needs `#[repr(u8)]` or another integer, as which it travels, and no `align`.
///
/// ```
/// #[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
/// struct Particle {
///     position: [f64; 3],
///     velocity: [f64; 3],
///     id: u32,
/// }
/// #[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
/// #[repr(u8)]
/// enum Phase {
///     Solid,
///     Liquid,
/// }
/// # let _ = |p: Particle| (p.position, p.velocity, p.id, Phase::Solid, Phase::Liquid);
/// ```
///
/// # Attributes
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[mpi(skip)]` | a field | it does not travel: it may be of any type, and a receiver gets its `Default` (`mpi::FromBits`) |
/// | `#[mpi(bytes)]` | a struct without padding | it travels as bytes, between machines of one kind; padding is an error at its field |
/// | `#[mpi(crate = "path")]` | the type | where the `mpi` crate is found, for crates that re-export it |
#[proc_macro_derive(Datatype, attributes(mpi))]
pub fn datatype(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), derive::Derived::Datatype).into()
}

/// Makes a struct whose fields can all be lent to MPI for receiving such a type: `mpi::AnyBits` and `mpi::FromBits`.
///
/// Beside `mpi::Datatype`. A type with a `bool`, a `char`, a `NonZero*` or an enum in it, or with a field that does not travel,
/// derives `mpi::FromBits` instead.
///
/// ```
/// #[derive(Clone, Copy, Default, mpi::Datatype, mpi::AnyBits)]
/// struct Sample {
///     time: f64,
///     channel: u16,
/// }
/// # fn receive(world: &mpi::Communicator) -> mpi::Result<()> {
/// let mut samples = [Sample::default(); 100];
/// world.recv_into(&mut samples, 0, 0)?;
/// # let _ = (samples[0].time, samples[0].channel);
/// # Ok(())
/// # }
/// ```
#[proc_macro_derive(AnyBits, attributes(mpi))]
pub fn any_bits(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), derive::Derived::AnyBits).into()
}

/// Makes a struct, or an enum without fields, a type that can be received by value or into a new `Vec`, where each field is
/// checked: `mpi::FromBits`.
///
/// Beside `mpi::Datatype`. Fields that do not travel (`#[mpi(skip)]`) get their `Default`.
///
/// ```
/// #[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
/// struct Answer {
///     found: bool,
///     place: u64,
///     #[mpi(skip)]
///     cached: Option<f64>,
/// }
/// # fn receive(world: &mpi::Communicator) -> mpi::Result<()> {
/// let answer: Answer = world.recv(0, 0)?.data;
/// let all: Vec<Answer> = world.allgather(&answer)?;
/// # let _ = (answer.found, answer.place, answer.cached, all);
/// # Ok(())
/// # }
/// ```
#[proc_macro_derive(FromBits, attributes(mpi))]
pub fn from_bits(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), derive::Derived::FromBits).into()
}
