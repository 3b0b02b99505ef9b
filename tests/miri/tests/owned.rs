//! Requests that own their buffer while MPI reads and writes it: moved, forgotten, dropped, polled.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::request::{Pending, PendingRecv, PendingSend, PendingSet, PendingVec, Test};
use mpi::test_support::hooks;
use mpi::{ErrorClass, Result, Source, Tag};
use mpi_miri::world;
use std::cell::RefCell;
use std::mem;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Polls until it is ready; how often that took.
fn block_on<F: Future>(future: F) -> (F::Output, usize) {
    let mut future = pin!(future);
    for polls in 1.. {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return (output, polls);
        }
    }
    unreachable!("it is polled for ever")
}

/// Moves through a function call and two boxes.
fn moved<T>(value: T) -> T {
    let boxed = Box::new(Box::new(value));
    **std::hint::black_box(boxed)
}

#[test]
fn every_owner_is_sent_and_received() -> Result<()> {
    let world = world();
    let shared: Arc<[u64]> = vec![1, 2, 3].into();
    let sends = (
        moved(world.isend(vec![1u64, 2, 3], 0, 1)?),
        moved(world.isend(vec![4u64, 5].into_boxed_slice(), 0, 2)?),
        moved(world.isend(Box::new([6u64; 4]), 0, 3)?),
        moved(world.issend(Box::new(7.5f64), 0, 4)?),
        moved(world.isend(shared.clone(), 0, 5)?),
        moved(world.isend(Rc::<[u64]>::from(vec![8, 9]), 0, 6)?),
        moved(world.isend(&[10u64, 11][..], 0, 7)?),
        moved(world.isend(&mut Box::leak(Box::new([12u64, 13]))[..], 0, 8)?),
        moved(world.isend(&[true, false][..], 0, 9)?),
    );
    let static_slice: &'static mut [u64] = Box::leak(Box::new([0u64; 2]));
    let receives = (
        moved(world.irecv(vec![0u64; 4], 0, 1)?),
        moved(world.irecv(vec![0u64; 2].into_boxed_slice(), 0, 2)?),
        moved(world.irecv(Box::new([0u64; 4]), 0, 3)?),
        moved(world.irecv(Box::new(0f64), 0, 4)?),
        moved(world.irecv(vec![0u64; 3], 0, 5)?),
        moved(world.irecv(vec![0u64; 2], 0, 6)?),
        moved(world.irecv(static_slice, 0, 7)?),
        moved(world.irecv_vec::<bool>(0, 9)?),
    );
    let message = moved(receives.0).wait()?;
    assert_eq!((message.data, message.status.count::<u64>()), (vec![1, 2, 3, 0], Some(3)));
    assert_eq!(*moved(receives.1).wait()?.data, [4, 5]);
    assert_eq!(*moved(receives.2).wait()?.data, [6; 4]);
    assert_eq!(*moved(receives.3).wait()?.data, 7.5);
    assert_eq!(shared[0], 1); // readable while it is sent
    assert_eq!(receives.4.wait()?.data, [1, 2, 3]);
    assert_eq!(receives.5.wait()?.data, [8, 9]);
    assert_eq!(receives.6.wait()?.data, [10, 11]);
    assert_eq!(receives.7.wait()?.data, [true, false]);
    let mut back = sends.0.wait()?;
    back.push(4); // an owner again
    assert_eq!((&*sends.1.wait()?, *sends.2.wait()?), (&[4, 5][..], [6; 4]));
    assert_eq!((*sends.3.wait()?, sends.5.wait()?.len(), sends.6.wait()?), (7.5, 2, &[10, 11][..]));
    assert_eq!(Arc::strong_count(&sends.4.wait()?), 2);
    assert_eq!(sends.8.wait()?, [true, false]);
    assert_eq!(*world.irecv(Box::new([0u64; 2]), 0, 8)?.wait()?.data, [12, 13]);
    sends.7.wait()?[0] = 1;
    Ok(())
}

struct Exchange {
    incoming: PendingRecv<Box<[u64]>>,
    outgoing: Option<PendingSend<Vec<u64>>>,
}

#[test]
fn stored_in_structs_swapped_and_grown() -> Result<()> {
    let world = world();
    let mut exchanges = Vec::new(); // grows, and moves them all
    for tag in 0..8 {
        let incoming = world.irecv(vec![0u64; 3].into_boxed_slice(), 0, tag)?;
        let outgoing = Some(world.isend(vec![tag as u64; 3], 0, tag)?);
        exchanges.push(Exchange { incoming, outgoing });
    }
    exchanges.swap(1, 6);
    exchanges.reverse();
    let mut order = vec![];
    for Exchange { incoming, outgoing } in exchanges {
        let mut incoming = incoming;
        let got = loop {
            match incoming.test()? {
                Test::Done(got) => break got,
                Test::Pending(request) => incoming = request,
            }
        };
        assert_eq!(got.status.tag(), got.data[0] as i32);
        order.push(got.data[0]);
        drop(outgoing);
    }
    assert_eq!(order, [7, 1, 5, 4, 3, 2, 6, 0]);
    Ok(())
}

#[test]
fn forgotten_requests_leak_their_buffers() -> Result<()> {
    let world = world();
    mem::forget(world.irecv(vec![0u64; 8], 0, 1)?);
    mem::forget(world.isend(vec![3u64; 8].into_boxed_slice(), 0, 1)?);
    Box::leak(Box::new(world.irecv(Box::new(0u64), 0, 2)?));
    mem::forget([world.isend(Box::new(5u64), 0, 2)?]);
    let cycle = Rc::new(RefCell::new(None));
    let inside: (Pending<Vec<u64>>, Rc<_>) = (world.irecv(vec![0; 4], 0, 3)?, cycle.clone());
    *cycle.borrow_mut() = Some(Box::new(inside) as Box<dyn std::any::Any>);
    drop(cycle);
    world.send(&[9u64; 4], 0, 3)?;
    for _ in 0..20 {
        world.barrier()?; // all of it is moved meanwhile
    }
    assert_eq!(hooks::in_flight(), 0);
    assert_eq!(hooks::requests(), 5, "their handles are leaked too");
    hooks::forget_completed();
    Ok(())
}

#[test]
fn dropped_requests_are_waited_for() -> Result<()> {
    let world = world();
    let shared: Arc<[u64]> = vec![1; 10].into();
    let incoming = world.irecv(vec![0u64; 10], 0, 1)?;
    let outgoing = world.isend(shared.clone(), 0, 1)?;
    assert_eq!((Arc::strong_count(&shared), hooks::requests()), (2, 2));
    drop(incoming);
    drop(outgoing);
    assert_eq!((Arc::strong_count(&shared), hooks::requests(), hooks::in_flight()), (1, 0, 0));
    Ok(())
}

#[test]
fn after_an_error_a_dropped_receive_is_cancelled() {
    let world = world();
    let result: Result<()> = (|| {
        let _never = world.irecv(vec![0u64; 4], 0, 1)?;
        let _set: PendingSet<_> = [world.irecv(vec![0u64; 4], Source::ANY, 2)?].into_iter().collect();
        world.send(&1u8, 7, 0)
    })();
    assert_eq!(result.unwrap_err().class(), ErrorClass::RANK);
    assert_eq!((hooks::requests(), hooks::in_flight()), (0, 0));
}

#[test]
fn while_panicking_what_is_in_flight_is_leaked() {
    let world = world();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _sent = world.isend(vec![7u64; 6].into_boxed_slice(), 0, 1).unwrap();
        let _never = world.irecv(vec![0u64; 4].into_boxed_slice(), 0, 2).unwrap();
        panic!("a test");
    }));
    assert!(result.is_err());
    // Both are in flight still, in memory that was leaked.
    assert_eq!(world.recv_vec::<u64>(0, 1).unwrap().data, [7; 6]);
    world.send(&[8u64; 4], 0, 2).unwrap();
    for _ in 0..10 {
        world.barrier().unwrap();
    }
    assert_eq!(hooks::in_flight(), 0);
    hooks::forget_completed();
}

#[test]
fn a_refused_post_gives_the_buffer_back() {
    let world = world();
    let refused = world.isend(vec![1u64, 2], 3, 0).unwrap_err();
    assert_eq!((refused.error.class(), refused.data), (ErrorClass::RANK, vec![1, 2]));
    let refused = world.irecv(Box::new(4u64), 0, -5).unwrap_err();
    assert_eq!((refused.error.class(), *refused.data), (ErrorClass::TAG, 4));
    assert!(world.irecv_vec::<u8>(9, 0).is_err());
    let error: mpi::Error = world.issend(vec![1u8], 0, -1).unwrap_err().into();
    assert_eq!((error.class(), error.call()), (ErrorClass::TAG, "MPI_Issend"));
}

#[test]
fn a_truncated_message_gives_the_buffer_back() -> Result<()> {
    let world = world();
    let incoming = world.irecv(vec![9u64; 2], 0, 1)?;
    world.send(&[1u64, 2, 3], 0, 1)?;
    let failed = incoming.wait().unwrap_err();
    assert_eq!((failed.error.class(), failed.data), (ErrorClass::TRUNCATE, Some(vec![1, 2])));
    Ok(())
}

#[test]
fn to_and_from_nowhere() -> Result<()> {
    let world = world();
    assert_eq!(world.isend(vec![1u8], None, 0)?.wait()?, [1]);
    let got = world.irecv(vec![5u8; 2], None, 0)?.wait()?;
    assert_eq!((got.data, got.status.source(), got.status.count::<u8>()), (vec![5, 5], None, Some(0)));
    assert!(world.irecv_vec::<u64>(None, Tag::ANY)?.wait()?.data.is_empty());
    let mut set = PendingSet::new();
    set.push(world.irecv(vec![5u8; 2], None, 0)?);
    set.push(world.irecv(vec![6u8; 2], 0, 1)?);
    world.send(&[7u8, 8], 0, 1)?;
    let all = set.wait_all()?;
    assert_eq!((&all[0].data[..], &all[1].data[..]), (&[5, 5][..], &[7, 8][..]));
    Ok(())
}

#[test]
fn vectors_of_unknown_length() -> Result<()> {
    let world = world();
    let awaited = world.irecv_vec::<NonZero<u64>>(Source::ANY, Tag::ANY)?;
    let Test::Pending(awaited) = awaited.test()? else { panic!("nothing was sent") };
    let outgoing = world.isend(vec![3u64, 4, 5], 0, 9)?;
    let mut awaited = moved(awaited);
    let got = loop {
        match moved(awaited).test()? {
            Test::Done(got) => break got,
            Test::Pending(request) => awaited = request,
        }
    };
    assert_eq!(got.data.iter().map(|x| x.get()).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(got.status.tag(), 9);
    outgoing.wait()?;

    world.send(&[2u8], 0, 1)?;
    assert_eq!(world.irecv_vec::<bool>(0, 1)?.wait().unwrap_err().class(), ErrorClass::TYPE);
    world.send(&[1u8, 2, 3], 0, 1)?;
    assert_eq!(world.irecv_vec::<u16>(0, 1)?.wait().unwrap_err().class(), ErrorClass::COUNT);
    world.send(&[0u8; 0], 0, 1)?;
    assert!(world.irecv_vec::<f64>(0, 1)?.wait()?.data.is_empty());
    world.send(&[(); 3], 0, 1)?;
    assert!(world.irecv_vec::<()>(0, 1)?.wait()?.data.is_empty());

    // Dropped before it is matched it takes nothing; dropped afterwards it is completed.
    let outgoing = world.isend(vec![6u64; 5], 0, 2)?;
    drop(world.irecv_vec::<u64>(0, 2)?);
    let Test::Pending(matched) = world.irecv_vec::<u64>(0, 2)?.test()? else {
        panic!("it comes word by word")
    };
    drop(matched);
    outgoing.wait()?;
    Ok(())
}

fn incoming(world: &mpi::Communicator, tags: std::ops::Range<i32>) -> Result<PendingSet<Vec<u64>>> {
    let posts = tags.map(|tag| world.irecv(vec![0u64; 2], 0, tag).map_err(mpi::Error::from));
    posts.collect()
}

#[test]
fn sets_are_drained_in_every_way_and_refilled() -> Result<()> {
    let world = world();
    let mut set = incoming(&world, 0..5)?;
    assert!(matches!(set.test_any()?, Test::Pending(())));
    assert!(matches!(set.test_all()?, Test::Pending(())));
    assert_eq!(set.test_some()?.map(|some| some.len()), Some(0));
    let send = |tag: i32| world.isend(vec![tag as u64; 2], 0, tag);
    let mut sends: PendingSet<Vec<u64>, _> = (0..5).map(send).collect::<Result<_, _>>()?;
    let mut seen = vec![];
    let (index, got) = set.wait_any()?.expect("five are left");
    assert_eq!(got.data, [index as u64; 2]);
    seen.push(index);
    assert_eq!(set.push(world.irecv(got.data, 0, 77)?), 5); // refilled
    while set.len() > 1 {
        for (index, got) in set.wait_some()?.expect("some are left") {
            assert_eq!((got.data, got.status.tag()), (vec![index as u64; 2], mpi::Tag::from(index as i32)));
            seen.push(index);
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2, 3, 4]);
    world.send(&[78u64], 0, 77)?;
    let Test::Done(Some((5, got))) = (loop {
        match set.test_any()? {
            Test::Pending(()) => {}
            done => break done,
        }
    }) else {
        panic!("the last one")
    };
    assert_eq!(got.data[0], 78);
    assert_eq!(sends.wait_all()?, (0..5).map(|tag| vec![tag; 2]).collect::<Vec<_>>());
    // Drained.
    assert!(
        set.is_empty()
            && set.wait_any()?.is_none()
            && set.wait_some()?.is_none()
            && set.wait_all()?.is_empty()
    );
    assert!(matches!(set.test_any()?, Test::Done(None)) && set.test_some()?.is_none());
    Ok(())
}

#[test]
fn a_failure_in_a_set_loses_nothing() -> Result<()> {
    let world = world();
    for pending in [hooks::Pending::Never, hooks::Pending::Live] {
        hooks::leave_pending(pending);
        let mut set = incoming(&world, 0..4)?;
        world.send(&[1u64, 1], 0, 0)?;
        world.send(&[2u64, 2, 2], 0, 1)?; // too long
        world.send(&[3u64, 3], 0, 2)?;
        world.send(&[4u64], 0, 3)?;
        let failed = set.wait_all().unwrap_err();
        assert_eq!((failed.error.index(), failed.error.class()), (Some(1), ErrorClass::TRUNCATE));
        assert_eq!((failed.data, set.len()), (Some(vec![2, 2]), 3));
        let rest: Vec<_> = set.wait_all()?.into_iter().map(|got| got.data).collect();
        assert_eq!(rest, [[1, 1], [3, 3], [4, 0]]);
    }
    hooks::leave_pending(hooks::Pending::Never);

    let mut set = incoming(&world, 0..3)?;
    world.send(&[2u64, 2, 2], 0, 1)?;
    assert_eq!(set.wait_any().unwrap_err().error.index(), Some(1));
    world.send(&[2u64, 2, 2], 0, 2)?;
    let failed = set.wait_some().unwrap_err();
    assert_eq!((failed.error.index(), failed.data), (Some(2), Some(vec![2, 2])));
    world.send(&[5u64; 4], 0, 0)?;
    let failed = block_on(&mut set).0.unwrap_err();
    assert_eq!((failed.error.index(), set.len()), (Some(0), 0));
    Ok(())
}

/// The fake's `MPI_Wait` fails on it for ever: MPI may still write to it, so it is leaked.
#[test]
fn a_request_that_cannot_be_completed_leaks_its_buffer() -> Result<()> {
    let world = world();
    hooks::leave_pending(hooks::Pending::Forever);
    let mut set = incoming(&world, 0..2)?;
    world.send(&[2u64, 2, 2], 0, 0)?;
    assert_eq!(set.wait_all().unwrap_err().error.index(), Some(0));
    hooks::leave_pending(hooks::Pending::Never);
    let failed = set.wait_all().unwrap_err();
    assert_eq!((failed.data, set.len()), (None, 1)); // not given up
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _set = set;
        panic!("a test"); // or it would be waited for
    }));
    assert!(unwound.is_err());
    world.send(&[3u64, 3], 0, 1)?; // into what was leaked
    for _ in 0..5 {
        world.barrier()?;
    }
    hooks::forget_completed();
    Ok(())
}

#[test]
fn futures() -> Result<()> {
    let world = world();
    let receive = world.irecv(vec![0u64; 6], 0, 1)?;
    let send = world.isend(vec![5u64; 6].into_boxed_slice(), 0, 1)?;
    let (got, polls) = block_on(async { (receive.await, send.await) });
    assert!(polls > 1, "the message arrives word by word");
    assert_eq!((got.0?.data, &*got.1?), (vec![5; 6], &[5; 6][..]));

    let mut set = incoming(&world, 0..3)?;
    let sends: PendingSet<_, _> =
        (0..3).map(|tag| world.isend(Box::new(tag as u64), 0, tag)).collect::<Result<_, _>>()?;
    let (first, _) = block_on(set.any());
    let (index, got) = first?.expect("three are left");
    assert_eq!(got.data[0], index as u64);
    let rest = block_on(async { (set.await, sends.await) }).0;
    assert_eq!((rest.0?.len(), rest.1?.len()), (2, 3));

    let awaited = world.irecv_vec::<char>(0, 4)?;
    let send = world.isend(vec!['a', 'b', 'c'], 0, 4)?;
    assert_eq!(block_on(awaited).0?.data, ['a', 'b', 'c']);
    block_on(send).0?;
    Ok(())
}

/// Polled, moved, polled, dropped or forgotten half way.
#[test]
fn futures_dropped_half_way() -> Result<()> {
    let world = world();
    let cx = &mut Context::from_waker(Waker::noop());
    let mut receive = world.irecv(vec![0u64; 10].into_boxed_slice(), 0, 1)?;
    let mut send = world.isend(vec![5u64; 10].into_boxed_slice(), 0, 1)?;
    assert!(pin!(&mut receive).poll(cx).is_pending() && pin!(&mut send).poll(cx).is_pending());
    let (mut receive, send) = (moved(receive), moved(send));
    assert!(pin!(&mut receive).poll(cx).is_pending());
    drop(receive);
    drop(send);

    let mut receive = world.irecv(vec![0u64; 10].into_boxed_slice(), 0, 1)?;
    let mut send = world.isend(vec![5u64; 10].into_boxed_slice(), 0, 1)?;
    assert!(pin!(&mut receive).poll(cx).is_pending() && pin!(&mut send).poll(cx).is_pending());
    mem::forget((receive, send));
    for _ in 0..10 {
        world.barrier()?;
    }
    hooks::forget_completed();

    let mut awaited = world.irecv_vec::<u64>(0, 2)?;
    let send = world.isend(vec![1u64; 9], 0, 2)?;
    assert!(pin!(&mut awaited).poll(cx).is_pending(), "matched, and on its way");
    drop(moved(awaited));
    send.wait()?;
    Ok(())
}

#[test]
fn a_future_that_was_ready_panics_and_reads_nothing_twice() -> Result<()> {
    fn spent<F: Future + Unpin>(mut future: F) -> F {
        let cx = &mut Context::from_waker(Waker::noop());
        while pin!(&mut future).poll(cx).is_pending() {}
        let again = catch_unwind(AssertUnwindSafe(|| pin!(&mut future).poll(cx).is_ready()));
        assert!(again.is_err(), "polled after it was ready");
        future
    }
    let world = world();
    let send = world.isend(vec![5u64; 3].into_boxed_slice(), 0, 1)?;
    let receive = spent(world.irecv(vec![0u64; 3].into_boxed_slice(), 0, 1)?);
    let send = spent(send);
    let outside = catch_unwind(AssertUnwindSafe(|| send.wait().is_ok()));
    assert!(outside.is_err());
    let pushed = catch_unwind(AssertUnwindSafe(|| PendingSet::new().push(receive)));
    assert!(pushed.is_err());
    world.send(&[1u64], 0, 2)?;
    let awaited: PendingVec<u64> = spent(world.irecv_vec(0, 2)?);
    assert!(catch_unwind(AssertUnwindSafe(|| awaited.test().is_ok())).is_err());
    Ok(())
}

#[test]
fn a_communicator_in_use() -> Result<()> {
    let world = world();
    let dup = world.dup()?;
    let receive = dup.irecv(vec![0u64; 2], 0, 1)?;
    let awaited = dup.irecv_vec::<u64>(0, 2)?;
    let refused = dup.free().unwrap_err();
    assert!(refused.error.to_string().contains("2 operation(s)"), "{}", refused.error);
    let dup = refused.data;
    let send = dup.isend(vec![1u64, 2], 0, 1)?;
    dup.send(&[6u64], 0, 2)?;
    drop(dup); // the last request frees it
    assert_eq!(receive.wait()?.data, [1, 2]);
    send.wait()?;
    assert_eq!(awaited.wait()?.data, [6]);

    let dup = world.dup()?;
    let receive = dup.irecv(vec![0u64; 1], 0, 1)?;
    dup.send(&[1u64, 2], 0, 1)?;
    drop(dup);
    assert_eq!(receive.wait().unwrap_err().error.class(), ErrorClass::TRUNCATE); // still an error, not the end
    world.dup()?.free()?;
    Ok(())
}
