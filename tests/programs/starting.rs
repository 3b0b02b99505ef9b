//! Before `init`, `init` again, after the end.

use crate::case::Case;
use crate::refusals;
use mpi::environment::{self, ThreadLevel};
use mpi::{Builder, Communicator, Result, Tag};
use std::process::ExitCode;

pub const CASES: &[Case] = &[
    Case::new("nothing_works_before_init", 1, nothing_works_before_init, |ended| ended.succeeded()),
    Case::new("init_twice_is_two_handles", 2, init_twice, |ended| ended.succeeded()),
    Case::new("the_last_handle_finalizes", 2, the_last_handle_finalizes, |ended| ended.succeeded()),
    Case::new("init_after_the_end_is_an_error", 2, init_after_the_end, |ended| ended.succeeded()),
    Case::new("a_level_above_that_of_a_running_mpi", 2, a_level_above, |ended| ended.succeeded()),
    Case::new(
        "main_returns_an_exit_code",
        2,
        || mpi::run(|_| ExitCode::from(3)),
        |ended| {
            assert!(!ended.timed_out && ended.code != 0, "exit code {}", ended.code);
        },
    ),
    Case {
        // The library's own checks are off: what this crate lets through goes through.
        variables: &[("OMPI_MCA_mpi_param_check", "0"), ("MPIR_CVAR_ERROR_CHECKING", "0")],
        ..Case::new("refusals_do_not_depend_on_the_librarys_checks", 2, refusals, |ended| ended.succeeded())
    },
];

/// Runs a body that starts MPI itself; its panics and errors fail the program.
fn body(run: fn() -> Result<()>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("[rank ?] {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether MPI says that it was finalized: which this crate alone has a reason to do.
fn finalized() -> bool {
    let mut flag = 0;
    // SAFETY: may be called at any time; it writes one int.
    assert_eq!(unsafe { mpi_sys::MPI_Finalized(&raw mut flag) }, mpi_sys::MPI_SUCCESS);
    flag != 0
}

#[track_caller]
fn refused<T>(result: Result<T>, call: &str, why: &str) {
    let text = result.err().expect("an error").to_string();
    assert!(text.starts_with(call) && text.contains(why), "{text}");
}

/// Every call that needs no handle; `why` is why it is refused.
#[track_caller]
fn all_refused(why: &str) {
    refused(Communicator::world(), "MPI_Comm_rank", why);
    refused(Communicator::this_process(), "MPI_Comm_dup", why);
    refused(environment::processor_name(), "MPI_Get_processor_name", why);
    refused(environment::wtime(), "MPI_Wtime", why);
    refused(environment::wtick(), "MPI_Wtick", why);
    refused(environment::thread_level(), "MPI_Query_thread", why);
    refused(mpi::topology::dims_create(4, [0, 0]), "MPI_Dims_create", why);
    assert!(Tag::upper_bound().is_err());
}

fn nothing_works_before_init() -> ExitCode {
    body(|| {
        all_refused("init");
        // These may be asked at any time.
        let (bound, loaded) = (environment::bound_library(), environment::loaded_library()?);
        assert_eq!((bound.family, bound.standard), (loaded.family, loaded.standard));
        assert!(!environment::library_version()?.is_empty());
        Ok(())
    })
}

fn init_twice() -> ExitCode {
    body(|| {
        let first = mpi::init()?;
        let second = mpi::init()?;
        assert_eq!(first.compare(&second)?, mpi::Comparison::Identical);
        drop(first);
        second.barrier()?;
        let third = Builder::new().threads(ThreadLevel::Single).init()?;
        drop(second);
        let (earlier, later) = (environment::wtime()?, environment::wtime()?);
        assert!(earlier <= later && environment::wtick()? > 0.0);
        assert!(!environment::processor_name()?.is_empty());
        third.barrier()
    })
}

fn the_last_handle_finalizes() -> ExitCode {
    body(|| {
        let world = mpi::init()?;
        let dup = world.dup()?;
        drop(world); // the duplicate outlives what it was made from
        assert!(!finalized());
        dup.barrier()?;
        drop(dup);
        assert!(finalized());
        Ok(())
    })
}

fn init_after_the_end() -> ExitCode {
    body(|| {
        mpi::init()?.barrier()?;
        refused(mpi::init(), "MPI_Init_thread", "finalized");
        all_refused("finalized");
        Ok(())
    })
}

fn a_level_above() -> ExitCode {
    body(|| {
        let world = Builder::new().threads(ThreadLevel::Single).init()?;
        let again = Builder::new().threads(ThreadLevel::Multiple).init();
        match environment::thread_level()? {
            ThreadLevel::Multiple => assert!(again.is_ok(), "more than was asked for is fine"),
            _ => refused(again, "MPI_Init_thread", "MPI_THREAD_MULTIPLE"),
        }
        world.barrier()
    })
}

fn refusals() -> ExitCode {
    mpi::run(|world| refusals::all(&world))
}
