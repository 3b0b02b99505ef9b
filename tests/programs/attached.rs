//! A host program has initialized MPI: this crate joins it, and stops when it stops.

use crate::case::Case;
use mpi::environment::ThreadLevel;
use mpi::{Builder, Communicator, Comparison, Result};
use mpi_sys as c;
use std::os::raw::c_int;
use std::process::ExitCode;
use std::ptr;

pub const CASES: &[Case] = &[
    Case::new("beside_a_host", 2, beside_a_host, |ended| ended.succeeded()),
    Case::new("again_after_all_handles_dropped", 2, again, |ended| ended.succeeded()),
    Case::new("the_host_finalizes_under_handles", 2, the_host_finalizes, |ended| ended.succeeded()),
    Case::new("the_host_finalizes_under_requests", 2, under_requests, |ended| ended.succeeded()),
    Case::new("the_host_has_a_lower_level", 2, a_lower_level, |ended| ended.succeeded()),
    Case::new("the_host_has_finalized_already", 1, already_finalized, |ended| ended.succeeded()),
    Case::new("another_thread_than_the_hosts", 2, another_thread, |ended| ended.succeeded()),
];

/// The C function did what it was asked for.
#[track_caller]
fn ok(code: c_int) {
    assert_eq!(code, c::MPI_SUCCESS);
}

/// What a C main does.
fn host_starts(level: c_int) {
    let mut provided = 0;
    // SAFETY: called once, first thing in the program; null arguments are allowed.
    ok(unsafe { c::MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), level, &raw mut provided) });
}

fn host_ends() {
    // SAFETY: MPI is live, on the thread that initialized it.
    ok(unsafe { c::MPI_Finalize() });
}

fn host_barrier() {
    // SAFETY: MPI is live, and every rank calls it.
    ok(unsafe { c::MPI_Barrier(c::MPI_COMM_WORLD) });
}

/// Joins the host. The promise that no receive is too short, since the host did not ask for the remedy.
fn join(level: ThreadLevel) -> Result<Communicator> {
    // SAFETY: every message of these programs fits into its buffer.
    unsafe { Builder::new().threads(level).allow_receive_overrun() }.init()
}

fn body(run: fn() -> Result<()>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("[rank ?] {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether errors on the host's world are fatal, as they are at first.
fn host_errors_are_fatal() -> bool {
    let mut handler = c::MPI_ERRHANDLER_NULL;
    // SAFETY: MPI is live; the out-argument is ours.
    ok(unsafe { c::MPI_Comm_get_errhandler(c::MPI_COMM_WORLD, &raw mut handler) });
    handler == c::MPI_ERRORS_ARE_FATAL
}

fn beside_a_host() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        {
            let world = join(ThreadLevel::Funneled)?;
            assert_eq!(world.size(), 2);
            assert!(host_errors_are_fatal(), "the host's error handler was changed");
            let peer = 1 - world.rank();
            let mut theirs = 0;
            world.sendrecv(&world.rank(), peer, 0, &mut theirs, peer, 0)?;
            assert_eq!(theirs, peer);
            // On a duplicate of the world, errors are values.
            assert!(world.send(&1u8, 7, 0).is_err());
            assert_eq!(world.dup()?.compare(&mpi::init()?)?, Comparison::Congruent);
        }
        host_barrier(); // MPI goes on
        host_ends();
        Ok(())
    })
}

fn again() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        for _ in 0..3 {
            let world = join(ThreadLevel::Funneled)?;
            assert_eq!(world.allreduce(&1, mpi::op::Sum)?, 2);
            drop(world);
            host_barrier();
        }
        host_ends();
        Ok(())
    })
}

fn the_host_finalizes() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        let world = join(ThreadLevel::Funneled)?;
        let dup = world.dup()?;
        let grid = dup.cartesian(&[2], &[true], false)?.expect("every rank has a place");
        let peer = 1 - world.rank();
        host_ends();

        let refused = |result: Result<()>| {
            let text = result.expect_err("MPI has ended").to_string();
            assert!(text.contains("finalized"), "{text}");
        };
        let mut x = [0u8; 2];
        refused(world.barrier());
        refused(dup.send(&x, peer, 0));
        refused(dup.recv::<u8>(peer, 0).map(drop));
        refused(dup.recv_vec::<u8>(mpi::Source::ANY, mpi::Tag::ANY).map(drop));
        refused(dup.bcast(&mut x, 0));
        refused(dup.allreduce_in_place(&mut x, mpi::op::Sum));
        refused(dup.gather(&x, 0).map(drop));
        refused(dup.scatter(None::<&[u8]>, peer).map(drop));
        refused(dup.scope(|s| s.irecv(&mut x, peer, 0).map(drop)));
        refused(dup.scope(|s| s.ibarrier().map(drop)));
        refused(dup.dup().map(drop));
        refused(dup.split(Some(0), 0).map(drop));
        refused(dup.compare(&world).map(drop));
        refused(grid.shift(0, 1).map(drop));
        refused(grid.sub(&[true]).map(drop));
        refused(mpi::init().map(drop));
        drop((grid, dup, world)); // silent
        Ok(())
    })
}

/// Their messages have arrived, as MPI asks of the host, but nobody has waited for them.
fn under_requests() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        let world = join(ThreadLevel::Funneled)?;
        let peer = 1 - world.rank();
        let mut requests = vec![];
        for tag in 0..3 {
            requests.push(world.irecv(vec![0u8; 4], peer, tag)?);
            world.send(&[tag as u8; 4], peer, tag)?;
        }
        let awaited = world.irecv_vec::<u8>(peer, 5)?;
        world.barrier()?;
        host_ends();

        let finalized = |text: String| assert!(text.contains("finalized"), "{text}");
        let failed = requests.pop().map(|request| request.wait().expect_err("MPI has ended"));
        let failed = failed.expect("three were posted");
        assert!(failed.data.is_none(), "it may still be MPI's");
        finalized(failed.to_string());
        finalized(awaited.wait().expect_err("MPI has ended").to_string());
        let refused = world.isend(vec![1u8], peer, 0).expect_err("MPI has ended");
        assert_eq!(refused.data, [1]);
        let mut set: mpi::request::PendingSet<_> = requests.drain(1..).collect();
        finalized(set.wait_any().expect_err("MPI has ended").to_string());
        drop((requests, set, world)); // silent
        Ok(())
    })
}

fn a_lower_level() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_SINGLE);
        let mut provided = 0;
        // SAFETY: MPI is live; the out-argument is ours.
        ok(unsafe { c::MPI_Query_thread(&raw mut provided) });
        let joined = join(ThreadLevel::Multiple);
        if provided == c::MPI_THREAD_MULTIPLE {
            joined?.barrier()?;
        } else {
            let text = joined.expect_err("the level is lower").to_string();
            assert!(text.contains("MPI_THREAD_MULTIPLE"), "{text}");
            assert!(host_errors_are_fatal());
        }
        join(ThreadLevel::Single)?.barrier()?;
        host_ends();
        Ok(())
    })
}

fn already_finalized() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        host_ends();
        let text = mpi::init().expect_err("MPI has ended").to_string();
        assert!(text.contains("finalized"), "{text}");
        Ok(())
    })
}

fn another_thread() -> ExitCode {
    body(|| {
        host_starts(c::MPI_THREAD_FUNNELED);
        let mut provided = 0;
        // SAFETY: MPI is live; the out-argument is ours.
        ok(unsafe { c::MPI_Query_thread(&raw mut provided) });
        let joins = || join(ThreadLevel::Funneled).map(drop).map_err(|error| error.to_string());
        let there = std::thread::spawn(joins).join().expect("the thread does not panic");
        if provided < c::MPI_THREAD_MULTIPLE {
            let text = there.expect_err("not the host's thread");
            assert!(text.contains("thread"), "{text}");
        }
        host_barrier();
        host_ends();
        Ok(())
    })
}
