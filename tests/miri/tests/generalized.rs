//! Generalized requests, and owned requests that are mapped and boxed, while MPI reads and writes what they own.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::request::{BoxedPending, Cancelled, Completer, PendingGeneralized, PendingSet, Test};
use mpi::test_support::hooks;
use mpi::{Communicator, Result};
use mpi_miri::world;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Moves through a function call and two boxes.
fn moved<T>(value: T) -> T {
    let boxed = Box::new(Box::new(value));
    **std::hint::black_box(boxed)
}

fn start<T>(world: &Communicator) -> Result<(PendingGeneralized<T>, Completer<T>)> {
    world.grequest_start::<T>().map(|(request, completer)| (moved(request), moved(completer)))
}

#[test]
fn completed_and_cancelled() -> Result<()> {
    let world = world();
    let (request, mut completer) = start::<String>(&world)?;
    completer.set_source(3)?;
    completer.set_elements::<u32>(7)?;
    completer.complete("done".into())?;
    assert_eq!(request.get_status()?.and_then(|status| status.count::<u32>()), Some(7));
    let got = moved(request).wait()?;
    assert_eq!((got.data.as_deref(), got.status.source()), (Some("done"), Some(3)));
    let (request, completer) = start::<String>(&world)?;
    drop(completer);
    assert!(request.wait()?.status.is_cancelled());
    let (request, completer) = start::<String>(&world)?;
    drop(request);
    assert_eq!(completer.complete("late".into()).expect_err("nobody waits").data, "late");
    Ok(())
}

#[test]
fn values_that_nobody_takes() -> Result<()> {
    let world = world();
    let alive = Rc::new(());
    let (request, completer) = start(&world)?;
    completer.complete(alive.clone())?;
    drop(request.map(|got| got.data).boxed());
    assert_eq!(Rc::strong_count(&alive), 1);
    // Dropped while it unwinds, and before its completer.
    let (request, completer) = start::<Rc<()>>(&world)?;
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _request = request;
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(unwound.is_err() && completer.is_abandoned());
    Ok(())
}

#[test]
fn forgotten() -> Result<()> {
    let world = world();
    let (request, completer) = start(&world)?;
    mem::forget(request);
    completer.complete(vec![1u8; 10])?;
    hooks::forget_completed();
    let (request, completer) = start::<u8>(&world)?;
    mem::forget(completer);
    assert!(!request.is_complete()?);
    Ok(())
}

#[test]
fn by_another_thread() -> Result<()> {
    let world = world();
    for round in 0..20u64 {
        let (request, completer) = start(&world)?;
        let Ok(completer) = completer.anywhere() else { panic!("the level is MULTIPLE") };
        let worker = std::thread::spawn(move || match round % 3 {
            0 => drop(completer),
            _ => drop(completer.complete(Box::new(round))),
        });
        if round % 4 == 1 {
            drop(request);
        } else {
            let mut request = request;
            let got = loop {
                match request.test()? {
                    Test::Done(got) => break got,
                    Test::Pending(again) => request = again,
                }
                std::thread::yield_now();
            };
            assert_eq!(got.data.map(|value| *value), (round % 3 != 0).then_some(round));
        }
        worker.join().expect("the worker does not panic");
    }
    Ok(())
}

fn boxed(world: &Communicator, tag: i32) -> Result<BoxedPending<'static, u64>> {
    let incoming = world.irecv(Box::new([0u64; 6]), 0, tag)?;
    Ok(moved(moved(moved(incoming).map(|got| got.data[5])).boxed()))
}

#[test]
fn boxes_move_while_mpi_writes() -> Result<()> {
    let world = world();
    let mut set = PendingSet::new();
    for tag in 0..4 {
        set.push(boxed(&world, tag)?);
        let outgoing = world.isend(vec![tag as u64; 6].into_boxed_slice(), 0, tag)?;
        set.push(moved(moved(outgoing).map(|buffer| buffer[0] + 10).boxed()));
        let (request, completer) = start::<u64>(&world)?;
        set.push(request.map(|got| got.data.unwrap_or(0)).boxed());
        completer.complete(tag as u64 + 20)?;
    }
    let got = set.wait_all()?;
    assert!(got.chunks(3).zip(0u64..).all(|(three, tag)| three == [tag, tag + 10, tag + 20]));
    Ok(())
}

#[test]
fn boxed_forgotten_dropped_and_cancelled() -> Result<()> {
    let world = world();
    mem::forget(boxed(&world, 1)?);
    world.isend(vec![1u64; 6], 0, 1)?.wait()?;
    hooks::forget_completed();
    // Dropping waits, and frees the buffer.
    let request = boxed(&world, 2)?;
    let sent = world.isend(vec![1u64; 6], 0, 2)?;
    drop(request);
    sent.wait()?;
    // Too long: the buffer comes back in its box.
    let request = boxed(&world, 3)?;
    let sent = world.isend(vec![1u64; 60], 0, 3)?;
    assert!(request.wait().expect_err("too long").data.is_some());
    sent.wait()?;
    // Twice in a box, and mapped outside.
    let request = boxed(&world, 4)?.boxed().map(|value| value + 1);
    let sent = world.isend(vec![1u64; 6], 0, 4)?;
    assert_eq!(request.wait()?, 2);
    sent.wait()?;
    match world.irecv(vec![0u64; 6], 0, 5)?.cancel()? {
        Cancelled::Cancelled(buffer) => assert_eq!(buffer, [0; 6]),
        Cancelled::Received(_) => panic!("nothing was sent"),
    }
    Ok(())
}

#[test]
fn a_buffer_of_a_communicator() -> Result<()> {
    let world = world();
    let dup = world.dup()?;
    dup.attach_buffer(2 * mpi::buffered::room_for::<u64>(6))?;
    dup.bsend(&[1u64; 6], 0, 1)?;
    dup.bsend(&[2u64; 6], 0, 2)?;
    assert!(dup.bsend(&[3u64; 6], 0, 3).is_err() && world.bsend(&1u8, 0, 1).is_err());
    assert_eq!(dup.recv_vec::<u64>(0, 2)?.data, [2; 6]);
    assert_eq!(dup.recv_vec::<u64>(0, 1)?.data, [1; 6]);
    dup.flush_buffer()?;
    dup.bsend(&[4u64; 6], 0, 4)?;
    assert_eq!(dup.recv_vec::<u64>(0, 4)?.data, [4; 6]);
    let user = dup.irecv(vec![0u8; 1], None, 0)?;
    drop(dup);
    user.wait()?;
    Ok(())
}
