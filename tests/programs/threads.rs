//! MPI and the program's other threads.

use crate::case::Case;
use mpi::environment::{self, ThreadLevel};
use mpi::{Builder, Communicator};
use std::process::ExitCode;
use std::sync::{Arc, Barrier};
use std::thread;

pub const CASES: &[Case] = &[
    Case::new("another_thread_may_do_nothing", 2, another_thread_may_do_nothing, |ended| ended.succeeded()),
    Case::new("another_thread_may_init_with_multiple", 2, another_thread_with_multiple, |ended| {
        ended.succeeded()
    }),
    Case::new("the_thread_that_initialized_is_not_the_main_thread", 2, not_the_main_thread, |ended| {
        ended.succeeded()
    }),
    Case::new("the_thread_that_initialized_is_gone", 1, the_thread_is_gone, |ended| {
        assert_eq!(ended.count("heard that it may not"), 1);
        assert_eq!(ended.count("panicked"), 0);
    }),
    Case::new("two_threads_initialize_at_once", 2, two_threads_at_once, |ended| ended.succeeded()),
    Case::new("threads_beside_mpi", 2, threads_beside_mpi, |ended| ended.succeeded()),
    Case::new("a_handle_in_a_thread_local", 2, a_handle_in_a_thread_local, |ended| ended.succeeded()),
];

fn another_thread_may_do_nothing() -> ExitCode {
    mpi::run(|world| {
        if environment::thread_level()? == ThreadLevel::Multiple {
            return world.barrier(); // a library that gives more than was asked for
        }
        let errors = thread::spawn(|| {
            let errors = [
                mpi::init().err(),
                Communicator::world().err(),
                Communicator::this_process().err(),
                environment::processor_name().err(),
                environment::wtime().err(),
                environment::wtick().err(),
                mpi::topology::dims_create(4, [0, 0]).err(),
            ];
            errors.map(|error| error.expect("this thread may not call MPI").to_string())
        });
        for text in errors.join().expect("the thread does not panic") {
            assert!(text.contains("thread"), "{text}");
        }
        world.barrier()
    })
}

fn another_thread_with_multiple() -> ExitCode {
    Builder::new().threads(ThreadLevel::Multiple).run(|world| {
        assert_eq!(environment::thread_level()?, ThreadLevel::Multiple);
        let there = thread::spawn(|| -> mpi::Result<usize> {
            let world = mpi::init()?;
            let peer = world.size() - 1 - world.rank();
            let mut theirs = 0;
            world.sendrecv(&(world.rank() + 10), peer, 1, &mut theirs, peer, 1)?;
            environment::wtime()?;
            Ok(theirs)
        });
        let (peer, mut theirs) = (world.size() - 1 - world.rank(), 0);
        world.sendrecv(&world.rank(), peer, 0, &mut theirs, peer, 0)?;
        assert_eq!(theirs, peer);
        assert_eq!(there.join().expect("the thread does not panic")?, peer + 10);
        world.barrier()
    })
}

/// The thread that calls `init` is the one that uses MPI and ends it.
fn not_the_main_thread() -> ExitCode {
    let there = thread::spawn(|| {
        // The remedy against receive overruns can only be made while the process has one thread.
        // SAFETY: no message of this program is longer than its buffer.
        let builder = unsafe { Builder::new().allow_receive_overrun() };
        let world = builder.init().map_err(|error| error.to_string())?;
        world.barrier().map_err(|error| error.to_string())
    });
    there.join().expect("the thread does not panic").expect("it may use MPI");
    let text = mpi::init().expect_err("MPI has ended").to_string();
    assert!(text.contains("finalized"), "{text}");
    ExitCode::SUCCESS
}

/// A thread that comes after it, perhaps in the same memory, is another thread. Nobody can end MPI then, so how the process
/// ends is the launcher's business.
fn the_thread_is_gone() -> ExitCode {
    let there = thread::spawn(|| {
        // SAFETY: no message of this program is longer than its buffer. See `not_the_main_thread`.
        let world = unsafe { Builder::new().allow_receive_overrun() }.init().expect("the first to start MPI");
        std::mem::forget(world);
        environment::thread_level().expect("MPI runs")
    });
    let level = there.join().expect("the thread does not panic");
    for _ in 0..20 {
        let text = thread::spawn(|| mpi::init().map(std::mem::forget).err().map(|error| error.to_string()));
        let text = text.join().expect("the thread does not panic");
        let is_refused = text.is_some_and(|text| text.contains("thread"));
        assert_eq!(is_refused, level != ThreadLevel::Multiple);
    }
    eprintln!("heard that it may not, or may since all threads may");
    ExitCode::SUCCESS
}

/// One of them gets MPI, or both if the library lets several threads call it. The other hears why it does not.
fn two_threads_at_once() -> ExitCode {
    let start = Arc::new(Barrier::new(2));
    let both = [(); 2].map(|()| {
        let start = Arc::clone(&start);
        thread::spawn(move || {
            start.wait();
            // SAFETY: no message of this program is longer than its buffer. See `not_the_main_thread`.
            let world = match unsafe { Builder::new().allow_receive_overrun() }.init() {
                Ok(world) => world,
                Err(error) => return Some(error.to_string()),
            };
            let (me, mut back) = (world.rank(), 0);
            world.sendrecv(&(me + 5), me, 1, &mut back, me, 1).expect("this thread may call MPI");
            assert_eq!(back, me + 5);
            None
        })
    });
    let refusals = both.map(|thread| thread.join().expect("the thread does not panic"));
    assert!(refusals.contains(&None), "{refusals:?}");
    for text in refusals.into_iter().flatten() {
        assert!(text.contains("thread") || text.contains("finalized"), "{text}");
    }
    ExitCode::SUCCESS
}

/// Threads that compute while the first one communicates.
fn threads_beside_mpi() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        let numbers: Vec<u64> = (0..10_000).collect();
        let sum = thread::scope(|s| {
            let parts: Vec<_> =
                numbers.chunks(2500).map(|part| s.spawn(|| part.iter().sum::<u64>())).collect();
            world.barrier()?;
            let sums = parts.into_iter().map(|part| part.join().expect("a sum does not panic"));
            world.allreduce(&sums.sum::<u64>(), mpi::op::Sum)
        })?;
        assert_eq!(sum, 9999 * 5000 * world.size() as u64);
        Ok(())
    })
}

/// Dropped when the main thread's locals are: MPI is finalized before the process ends.
fn a_handle_in_a_thread_local() -> ExitCode {
    thread_local!(static KEPT: std::cell::RefCell<Option<Communicator>> = const { std::cell::RefCell::new(None) });
    mpi::run(|world| -> mpi::Result<()> {
        world.barrier()?;
        KEPT.set(Some(world));
        Ok(())
    })
}
