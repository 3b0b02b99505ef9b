//! What `#[mpi::main]` expands to: one failing rank ends the job, since alone it would hang the rest.

use super::callback::in_callback;
use super::{Builder, identity, state};
use crate::comm::Communicator;
use crate::ffi;
use std::error::Error as StdError;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::process::ExitCode;

/// Runs `main` with the world. A panic or an `Err` prints `[rank r of n on host] message` once and ends the whole
/// job with `MPI_Abort` and a non-zero exit code.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     mpi::run(|world| println!("rank {} of {}", world.rank(), world.size()))
/// }
/// ```
pub fn run<R: Outcome>(main: impl FnOnce(Communicator) -> R) -> ExitCode {
    Builder::new().run(main)
}

/// What a program's `main` may return: `()`, an [`ExitCode`], or a `Result` of either.
///
/// An `Err` is printed by its `Display` with the chain of its sources.
pub trait Outcome {
    #[doc(hidden)]
    fn outcome(self) -> Result<ExitCode, Box<dyn StdError>>;
}
impl Outcome for () {
    fn outcome(self) -> Result<ExitCode, Box<dyn StdError>> {
        Ok(ExitCode::SUCCESS)
    }
}
impl Outcome for ExitCode {
    fn outcome(self) -> Result<ExitCode, Box<dyn StdError>> {
        Ok(self)
    }
}
impl<R: Outcome, E: Into<Box<dyn StdError>>> Outcome for Result<R, E> {
    fn outcome(self) -> Result<ExitCode, Box<dyn StdError>> {
        self.map_err(Into::into)?.outcome()
    }
}

const FAILED: i32 = 1;
const PANICKED: i32 = 101;

pub(super) fn run_with<R: Outcome>(builder: Builder, main: impl FnOnce(Communicator) -> R) -> ExitCode {
    let world = match builder.init() {
        Ok(world) => world,
        Err(e) => {
            if !e.said_by_another_rank() {
                identity::report(e);
            }
            return ExitCode::FAILURE;
        }
    };
    // Kept until the end, so that MPI is live whatever `main` drops.
    let Ok(_keep) = Communicator::predefined(super::attach::world()) else {
        ffi::abort(FAILED);
    };
    announce_panics();
    match panic::catch_unwind(AssertUnwindSafe(|| main(world).outcome())) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            identity::report(chain(&*error));
            ffi::abort(FAILED)
        }
        Err(_) => ffi::abort(PANICKED), // the hook has printed
    }
}

/// An error and its sources on one line.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// Puts rank and host before the message of a panic; with `panic = "abort"`, where nothing unwinds to [`run`],
/// ends the job from the hook.
fn announce_panics() {
    panic::set_hook(Box::new(|info| {
        let backtrace = std::backtrace::Backtrace::capture();
        match backtrace.status() {
            std::backtrace::BacktraceStatus::Captured => {
                identity::report(format!("{}\n{backtrace}", describe(info)))
            }
            _ => identity::report(describe(info)),
        }
        // A function that MPI has called may do this, and no more.
        if cfg!(panic = "abort") && (state::usable_here() || in_callback()) {
            ffi::abort(PANICKED);
        }
    }));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("a panic without a message");
    match info.location() {
        Some(at) => format!("panicked at {at}: {message}"),
        None => format!("panicked: {message}"),
    }
}
