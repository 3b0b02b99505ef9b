//! Requests that own their buffer, to the end of the program and beyond.

use crate::case::{Case, Ended};
use crate::lasting::not_finalized;
use mpi::request::Pending;
use mpi::{Communicator, Result};
use std::cell::RefCell;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

pub const CASES: &[Case] = &[
    Case::new("the_last_handle", 2, last_handle, |ended| ended.succeeded()),
    Case::new("the_last_handle_awaits", 2, last_handle_awaits, |ended| ended.succeeded()),
    Case::new("in_a_thread_local", 2, in_a_thread_local, |ended| ended.succeeded()),
    Case::new("forgotten", 2, forgotten, not_finalized),
    Case::new("a_panic_waits_for_nothing", 2, panicking, not_finalized),
    Case::new("an_error_with_a_receive_that_never_matches", 2, never_matches, said_why),
    Case::new("an_error_with_a_send_that_never_matches", 2, never_received, stalled),
    Case::new("a_slow_peer_is_waited_for_aloud", 2, slow_peer, waited_aloud),
];

/// The requests outlive every communicator; the last one that drops finalizes MPI.
fn last_handle() -> ExitCode {
    fn exchange() -> Result<(Pending<Vec<u64>>, impl Sized)> {
        let world = mpi::init()?;
        let peer = 1 - world.rank();
        Ok((world.irecv(vec![0; 100_000], peer, 0)?, world.isend(vec![1u64; 100_000], peer, 0)?))
    }
    match exchange() {
        Ok((incoming, _outgoing)) => match incoming.wait() {
            Ok(got) if got.data == [1; 100_000] => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        },
        Err(_) => ExitCode::FAILURE,
    }
}

/// The length of the message is asked of MPI before the request is gone, and MPI with it.
fn last_handle_awaits() -> ExitCode {
    fn message() -> Result<Vec<char>> {
        let world = mpi::init()?;
        let peer = 1 - world.rank();
        let awaited = world.irecv_vec::<char>(peer, 0)?;
        world.isend(vec!['x'; 40], peer, 0)?.wait()?;
        drop(world);
        Ok(awaited.wait()?.data)
    }
    match message() {
        Ok(text) if text == ['x'; 40] => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

thread_local!(static PARKED: RefCell<Vec<Box<dyn std::any::Any>>> = const { RefCell::new(Vec::new()) });

/// Dropped when the main thread ends, after `main`.
fn in_a_thread_local() -> ExitCode {
    mpi::run(|world: Communicator| -> Result<()> {
        let peer = 1 - world.rank();
        let incoming = world.irecv(vec![0u8; 10], peer, 0)?;
        let outgoing = world.isend(vec![1u8; 10].into_boxed_slice(), peer, 0)?;
        PARKED.with(|place| {
            place.borrow_mut().extend([Box::new(incoming) as Box<dyn std::any::Any>, Box::new(outgoing)])
        });
        Ok(())
    })
}

fn forgotten() -> ExitCode {
    mpi::run(|world| -> Result<()> {
        let peer = 1 - world.rank();
        mem::forget(world.irecv(vec![0u64; 50_000], peer, 0)?);
        mem::forget(world.isend(vec![1u64; 50_000], peer, 0)?);
        world.send(&3u8, peer, 1)?;
        assert_eq!(world.recv::<u8>(peer, 1)?.data, 3);
        world.barrier()
    })
}

/// What is in flight while a panic unwinds is leaked, and nobody waits for it.
fn panicking() -> ExitCode {
    mpi::run(|world| -> Result<()> {
        let me = world.rank();
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let _never = world.irecv(vec![0u8; 1_000_000], me, 1).expect("a valid call");
            let _nobody = world.issend(vec![4u8; 10].into_boxed_slice(), me, 2).expect("a valid call");
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(unwound.is_err());
        // Their memory is still there, and MPI reads and writes it.
        world.send(&vec![1u8; 1_000_000], me, 1)?;
        assert_eq!(world.recv_vec::<u8>(me, 2)?.data, [4; 10]);
        world.barrier()
    })
}

fn early(world: &Communicator) -> Result<()> {
    world.send(&1u8, 9, 0)
}

/// The receive is cancelled, so that the error is heard at once.
fn never_matches() -> ExitCode {
    mpi::run(|world: Communicator| -> Result<()> {
        if world.rank() == 1 {
            return world.barrier(); // never complete: the other rank ends the job
        }
        let _never = world.irecv(vec![0u8; 8], 1, 7)?;
        early(&world)
    })
}

fn said_why(ended: &Ended) {
    ended.failed();
    ended.said_once(&["MPI_Send: destination 9 is not a rank"]);
}

fn never_received() -> ExitCode {
    mpi::environment::set_stall_limit(Duration::from_millis(300));
    mpi::run(|world: Communicator| -> Result<()> {
        if world.rank() == 1 {
            return world.barrier();
        }
        let _never = world.issend(vec![0u8; 8], 1, 7)?;
        early(&world)
    })
}

fn stalled(ended: &Ended) {
    ended.failed();
    ended.said_once(&[
        "MPI_Issend to rank 1 with tag 7 is still in flight 300ms after it was dropped because of an error",
    ]);
}

/// Without an error it goes on waiting, but not in silence.
fn slow_peer() -> ExitCode {
    mpi::environment::set_stall_limit(Duration::from_millis(200));
    mpi::run(|world: Communicator| -> Result<()> {
        if world.rank() == 1 {
            std::thread::sleep(Duration::from_millis(900));
            return world.send(&[1u8; 8], 0, 7);
        }
        drop(world.irecv(vec![0u8; 8], 1, 7)?);
        Ok(())
    })
}

fn waited_aloud(ended: &Ended) {
    assert!(!ended.timed_out && ended.code == 0, "exit code {}", ended.code);
    ended.said_once(&["MPI_Irecv from rank 1 with tag 7 was dropped, and has been waited for since 200ms"]);
}
