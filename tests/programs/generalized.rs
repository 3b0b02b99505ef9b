//! Generalized requests completed by other threads, and to the end of the program.

use crate::case::Case;
use crate::lasting::not_finalized;
use mpi::request::{PendingSet, Test};
use mpi::{Builder, Communicator, Result, ThreadLevel};
use std::mem;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

pub const CASES: &[Case] = &[
    Case::new("completed_by_other_threads", 2, other_threads, |ended| ended.succeeded()),
    Case::new("completed_while_the_request_is_dropped", 1, race, |ended| ended.succeeded()),
    Case::new("completed_among_messages_by_another_thread", 2, among_messages, |ended| ended.succeeded()),
    Case::new("the_last_handle_is_a_generalized_request", 2, last_handle, |ended| ended.succeeded()),
    Case::new("a_generalized_request_that_is_forgotten", 2, forgotten, not_finalized),
    Case::new("a_completer_that_is_forgotten", 1, forgotten_completer, |ended| ended.succeeded()),
];

fn run(program: fn(&Communicator) -> Result<()>) -> ExitCode {
    Builder::new().threads(ThreadLevel::Multiple).run(move |world| program(&world))
}

/// Waited for in `MPI_Wait`, and tested.
fn other_threads() -> ExitCode {
    run(|world| {
        for round in 0..200u64 {
            let (request, mut completer) = world.grequest_start()?;
            completer.set_elements::<u64>(round as usize)?;
            let completer = completer.anywhere()?;
            let worker = thread::spawn(move || {
                if round % 5 == 0 {
                    thread::sleep(Duration::from_micros(200 * (round % 7)));
                }
                match round % 3 {
                    0 => drop(completer),
                    _ => completer.complete(vec![round; 3]).expect("the request waits"),
                }
            });
            let mut request = request;
            let done = if round % 2 == 0 {
                request.wait()?
            } else {
                loop {
                    match request.test()? {
                        Test::Done(done) => break done,
                        Test::Pending(again) => request = again,
                    }
                }
            };
            worker.join().expect("the worker does not panic");
            match round % 3 {
                0 => assert!(done.data.is_none() && done.status.is_cancelled()),
                _ => assert_eq!(
                    (done.data, done.status.count::<u64>()),
                    (Some(vec![round; 3]), Some(round as usize))
                ),
            }
        }
        world.barrier()
    })
}

/// Either side may come first; no value is lost.
fn race() -> ExitCode {
    run(|world| {
        for round in 0..500u64 {
            let (request, completer) = world.grequest_start()?;
            let completer = completer.anywhere()?;
            let worker = thread::spawn(move || {
                if round % 2 == 0 {
                    thread::yield_now();
                }
                completer.complete(Box::new(round)).map_err(|refused| *refused.data)
            });
            if round % 3 == 0 {
                thread::yield_now();
            }
            drop(request.map(drop).boxed());
            if let Err(value) = worker.join().expect("the worker does not panic") {
                assert_eq!(value, round);
            }
        }
        Ok(())
    })
}

/// One rank's worker looks, while its rank waits in `MPI_Waitany`; messages move on meanwhile.
fn among_messages() -> ExitCode {
    run(|world| {
        let peer = 1 - world.rank();
        for round in 0..50 {
            let mut set = PendingSet::new();
            set.push(world.irecv(vec![0u64; 30_000], peer, 0)?.map(|got| got.data[0]).boxed());
            let (work, completer) = world.grequest_start::<u64>()?;
            set.push(work.map(|done| done.data.unwrap_or(0)).boxed());
            let completer = completer.anywhere()?;
            let outgoing = world.isend(vec![round + 1; 30_000], peer, 0)?;
            thread::scope(|threads| {
                threads.spawn(|| {
                    thread::sleep(Duration::from_micros(100));
                    completer.complete(round + 2).expect("the request waits");
                });
                let mut got = [0; 2];
                while let Some((index, value)) = set.wait_any()? {
                    got[index] = value;
                }
                assert_eq!(got, [round + 1, round + 2]);
                Ok::<_, mpi::Error>(())
            })?;
            outgoing.wait()?;
        }
        Ok(())
    })
}

/// It outlives every communicator; MPI is finalized when it is complete, and a completer may outlive that.
fn last_handle() -> ExitCode {
    let started = || -> Result<_> {
        let world = Builder::new().threads(ThreadLevel::Multiple).init()?;
        let (request, completer) = world.grequest_start::<u8>()?;
        Ok((request, completer, world.grequest_start::<u8>()?))
    };
    let Ok((request, completer, (dropped, late))) = started() else { return ExitCode::FAILURE };
    drop(dropped);
    let Ok(completer) = completer.anywhere() else { return ExitCode::FAILURE };
    let worker = thread::spawn(move || completer.complete(6).is_ok());
    let done = request.wait().map(|done| done.data);
    let refused = late.complete(7).expect_err("MPI has ended");
    let as_it_must = worker.join().unwrap_or(false) && matches!(done, Ok(Some(6))) && refused.data == 7;
    if as_it_must { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn forgotten() -> ExitCode {
    run(|world| {
        let (request, completer) = world.grequest_start()?;
        mem::forget(request);
        completer.complete(5)?;
        Ok(())
    })
}

/// It is never complete, and nobody waits for it.
fn forgotten_completer() -> ExitCode {
    run(|world| {
        let (request, completer) = world.grequest_start::<u8>()?;
        mem::forget(completer);
        assert!(!request.is_complete()?);
        Ok(())
    })
}
