//! Generalized requests: completed with a value, cancelled, dropped, forgotten; among messages.

use crate::other;
use mpi::request::{Completer, PendingGeneralized, PendingSet, Test};
use mpi::{Communicator, ErrorClass, Result, Source, Tag};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::Poll;
use std::time::{Duration, Instant};

#[mpi::test(ranks = [1, 2])]
fn completed_with_a_value_and_a_status(world: Communicator) -> Result<()> {
    let (mut request, mut completer) = world.grequest_start::<Vec<u8>>()?;
    assert!(!request.is_complete()? && request.get_status()?.is_none());
    request = match request.test()? {
        Test::Pending(request) => request,
        Test::Done(_) => panic!("nobody has completed it"),
    };
    completer.set_source(7)?;
    completer.set_tag(9)?;
    completer.set_elements::<f64>(12)?;
    completer.complete(vec![1, 2, 3])?;
    assert!(request.is_complete()?);
    for status in [request.get_status()?.expect("complete"), request.get_status()?.expect("still")] {
        assert_eq!((status.source(), status.tag()), (Some(7), Tag::from(9)));
    }
    let got = request.wait()?;
    assert_eq!(got.data, Some(vec![1, 2, 3]));
    assert_eq!(
        (got.status.source(), got.status.tag(), got.status.is_cancelled()),
        (Some(7), Tag::from(9), false)
    );
    assert_eq!((got.status.count::<f64>(), got.status.elements::<f64>()), (Some(12), Some(12)));
    Ok(())
}

#[mpi::test(ranks = 1)]
fn a_status_that_says_nothing(world: Communicator) -> Result<()> {
    let (request, completer) = world.grequest_start()?;
    completer.complete(5)?;
    let got = request.wait()?;
    assert_eq!((got.data, got.status.source(), got.status.count::<u8>()), (Some(5), None, Some(0)));
    assert!(!got.status.is_cancelled());
    let (request, mut completer) = world.grequest_start()?;
    completer.set_source(None)?;
    completer.set_elements::<[u32; 3]>(7)?;
    completer.complete(())?;
    let status = request.wait()?.status;
    assert_eq!(
        (status.source(), status.count::<[u32; 3]>(), status.elements::<[u32; 3]>()),
        (None, None, Some(7))
    );
    Ok(())
}

#[mpi::test(ranks = 1)]
fn what_a_status_cannot_say(world: Communicator) -> Result<()> {
    let (_request, mut completer) = world.grequest_start::<()>()?;
    assert_eq!(completer.set_source(usize::MAX).expect_err("no rank").class(), ErrorClass::RANK);
    assert_eq!(completer.set_tag(-5).expect_err("no tag").class(), ErrorClass::TAG);
    for n in [usize::MAX, usize::MAX / 8, isize::MAX as usize] {
        assert_eq!(completer.set_elements::<u64>(n).expect_err("too many").class(), ErrorClass::COUNT);
    }
    completer.set_source(Source::ANY)
}

#[mpi::test(ranks = 1)]
fn the_most_elements(world: Communicator) -> Result<()> {
    for n in [1usize << 31, isize::MAX as usize / 4] {
        let (request, mut completer) = world.grequest_start()?;
        completer.set_elements::<u8>(n)?;
        completer.complete(())?;
        let status = request.wait()?.status;
        assert_eq!((status.count::<u8>(), status.is_cancelled()), (Some(n), false));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn a_completer_that_is_dropped_cancels(world: Communicator) -> Result<()> {
    let ends: [fn(Completer<String>); 3] = [drop, Completer::cancel, |completer| {
        let panics = AssertUnwindSafe(|| {
            let _dropped_while_unwinding = completer;
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(catch_unwind(panics).is_err());
    }];
    for end in ends {
        let (request, completer) = world.grequest_start::<String>()?;
        end(completer);
        let got = request.wait()?;
        assert_eq!((got.data, got.status.is_cancelled()), (None, true));
    }
    Ok(())
}

/// Counts what is alive.
#[derive(Debug)]
struct Counted(Rc<()>);

#[mpi::test(ranks = 1)]
fn a_request_that_is_dropped_waits_for_nobody(world: Communicator) -> Result<()> {
    let alive = Rc::new(());
    for after_an_error in [false, true] {
        let (request, completer) = world.grequest_start()?;
        if after_an_error {
            world.send(&1u8, world.size(), 0).expect_err("no such rank");
        }
        let started = Instant::now();
        assert!(!completer.is_abandoned());
        drop(request);
        assert!(started.elapsed() < Duration::from_secs(5) && completer.is_abandoned());
        let refused = completer.complete(Counted(alive.clone())).expect_err("nobody waits");
        assert!(refused.error.to_string().contains("nobody waits"), "{}", refused.error);
        assert_eq!(Rc::strong_count(&refused.data.0), 2);
    }
    // The value of a request that is complete is dropped with it.
    let (request, completer) = world.grequest_start()?;
    completer.complete(Counted(alive.clone()))?;
    drop(request);
    assert_eq!(Rc::strong_count(&alive), 1);
    // A set, mapped and boxed ones, and one that unwinds.
    let (first, one) = world.grequest_start::<u8>()?;
    let (second, two) = world.grequest_start::<u8>()?;
    let (third, three) = world.grequest_start::<u8>()?;
    drop(first.map(|done| done.data).boxed());
    drop([second].into_iter().collect::<PendingSet<_, _>>());
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _request = third.boxed();
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(unwound.is_err() && one.is_abandoned() && two.is_abandoned() && three.is_abandoned());
    drop((one, two, three));
    let dup = world.dup()?;
    drop(dup.grequest_start::<u8>()?);
    dup.free()?;
    Ok(())
}

#[mpi::test(ranks = 1)]
fn cancellation_is_asked_for(world: Communicator) -> Result<()> {
    let asked = Rc::new(Cell::new(0));
    let (request, completer) = world.grequest_start::<u8>()?;
    let counter = asked.clone();
    let mut request = request.on_cancel(move || counter.set(counter.get() + 1));
    assert!(!completer.is_cancel_wanted());
    request.cancel()?;
    request.cancel()?;
    assert!(completer.is_cancel_wanted() && !request.is_complete()?);
    assert_eq!(asked.get(), 2);
    completer.complete(3)?; // the work was done already
    request.cancel()?;
    let got = request.wait()?;
    assert_eq!((got.data, got.status.is_cancelled()), (Some(3), false));

    // Nobody is told of what is complete.
    let (mut request, completer) = world.grequest_start::<u8>()?;
    completer.complete(4)?;
    request = request.on_cancel(|| panic!("it is complete"));
    request.cancel()?;
    assert_eq!(request.wait()?.data, Some(4));

    // What is told may complete the request, call MPI, and panic.
    let (request, completer) = world.grequest_start::<u8>()?;
    let (world, completer) = (Rc::new(world), RefCell::new(Some(completer)));
    let mine = world.clone();
    let mut request = request.on_cancel(move || {
        drop(completer.take());
        mine.send(&1u8, mine.size(), 0).expect("there is such a rank");
    });
    assert!(catch_unwind(AssertUnwindSafe(|| request.cancel())).is_err());
    assert!(request.wait()?.status.is_cancelled());
    Ok(())
}

fn three(world: &Communicator) -> Result<(Waiting, Vec<Completer<usize>>)> {
    let pairs = (0..3).map(|_| world.grequest_start::<usize>()).collect::<Result<Vec<_>>>()?;
    let (requests, completers): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    Ok((requests.into_iter().collect(), completers))
}
type Waiting = PendingSet<mpi::request::Delivery<usize>, mpi::request::Generalized>;

#[mpi::test(ranks = [1, 2])]
fn sets_of_them(world: Communicator) -> Result<()> {
    let (mut set, mut completers) = three(&world)?;
    assert!(matches!(set.test_any()?, Test::Pending(())));
    completers.remove(1).complete(11)?;
    assert_eq!(set.wait_any()?.map(|(index, got)| (index, got.data)), Some((1, Some(11))));
    assert_eq!(set.test_some()?.map(|some| some.len()), Some(0));
    completers.remove(1).complete(12)?;
    drop(completers);
    let all = set.wait_all()?;
    let all: Vec<_> = all.iter().map(|got| (got.data, got.status.is_cancelled())).collect();
    assert_eq!(all, [(None, true), (Some(12), false)]);

    let (mut set, completers) = three(&world)?;
    assert!(matches!(set.test_all()?, Test::Pending(())));
    for (completer, i) in completers.into_iter().zip(0..) {
        completer.complete(i)?;
    }
    let some = set.wait_some()?.expect("three");
    assert!(some.iter().map(|(index, got)| (*index, got.data)).eq((0..3).map(|i| (i, Some(i)))));
    Ok(())
}

#[derive(Debug, PartialEq)]
enum Event {
    Message(Vec<u64>, Option<usize>),
    Sent(usize),
    Work(Option<usize>),
}

/// Of each kind three, whose completions come in some order.
#[mpi::test(ranks = 2)]
fn among_real_messages(world: Communicator) -> Result<()> {
    let peer = other(&world);
    for way in 0..4 {
        let mut set = PendingSet::new();
        let mut completers = Vec::new();
        for i in 0..3 {
            let incoming = world.irecv(vec![0u64; 1000], peer, i)?;
            set.push(incoming.map(|got| Event::Message(got.data, got.status.source())).boxed());
            let (work, completer) = world.grequest_start::<usize>()?;
            set.push(work.map(|done| Event::Work(done.data)).boxed());
            completers.push(completer);
            let outgoing = world.isend(vec![i as u64; 1000], peer, 2 - i)?;
            set.push(outgoing.map(|buffer| Event::Sent(buffer.len())).boxed());
        }
        let mut events = Vec::new();
        while events.len() < 9 {
            if let Some(completer) = completers.pop() {
                let i = completers.len();
                completer.complete(i)?;
            }
            match way {
                0 => events.extend(set.wait_any()?),
                1 => events.extend(set.wait_some()?.expect("some are left")),
                2 => events.extend(set.test_some()?.expect("some are left")),
                _ => {
                    completers
                        .drain(..)
                        .enumerate()
                        .for_each(|(i, completer)| completer.complete(i).expect("once"));
                    events = set.wait_all()?.into_iter().enumerate().collect();
                }
            }
        }
        events.sort_by_key(|&(index, _)| index);
        for (index, event) in events {
            let i = index / 3;
            let expected = match index % 3 {
                0 => Event::Message(vec![2 - i as u64; 1000], Some(peer)),
                1 => Event::Work(Some(i)),
                _ => Event::Sent(1000),
            };
            assert_eq!(event, expected, "way {way}, {index}");
        }
        assert!(set.is_empty());
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn looks_at_a_set_of_mixed_kinds(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut set = PendingSet::new();
    set.push(world.irecv(vec![0u8; 4], peer, 1)?.map(|_| ()).boxed());
    let (work, mut completer) = world.grequest_start::<u8>()?;
    set.push(work.map(|_| ()).boxed());
    set.push(world.irecv(vec![0u8; 4], None, 2)?.map(|_| ()).boxed());
    let first = match set.get_status_any() {
        Ok(first) => first,
        Err(error) => {
            assert_eq!(error.class(), ErrorClass::UNSUPPORTED_OPERATION, "{error}");
            assert!(set.get_status_some().is_err() && set.get_status_all().is_err());
            world.send(&[1u8; 3], peer, 1)?;
            completer.complete(1)?;
            return set.wait_all().map(drop).map_err(Into::into);
        }
    };
    // What comes from nowhere is complete at once.
    let Poll::Ready(Some((2, status))) = first else { panic!("{first:?}") };
    assert_eq!(status.source(), None);
    assert_eq!(set.get_status_some()?.map(|some| some.len()), Some(1));
    assert!(set.get_status_all()?.is_pending());
    completer.set_source(5)?;
    completer.complete(1)?;
    let some = set.get_status_some()?.expect("three are in the set");
    assert!(some.iter().map(|(index, status)| (*index, status.source())).eq([(1, Some(5)), (2, None)]));
    world.barrier()?;
    world.send(&[1u8; 3], peer, 1)?;
    let all = loop {
        if let Poll::Ready(all) = set.get_status_all()? {
            break all;
        }
    };
    assert_eq!(all.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((all[0].1.source(), all[0].1.count::<u8>()), (Some(peer), Some(3)));
    assert_eq!(set.len(), 3, "all stay");
    set.wait_all()?;
    assert!(matches!(set.get_status_any()?, Poll::Ready(None)) && set.get_status_some()?.is_none());
    assert!(matches!(set.get_status_all()?, Poll::Ready(all) if all.is_empty()));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn awaited(world: Communicator) -> Result<()> {
    let (request, completer) = world.grequest_start::<u64>()?;
    let incoming = world.irecv(vec![0u64], other(&world), 0)?;
    let both = async {
        let message = incoming.await?;
        completer.complete(message.data[0] + 1)?;
        Ok::<_, mpi::Error>(())
    };
    world.send(&[41u64], other(&world), 0)?;
    let (done, both) = futures::executor::block_on(futures::future::join(request, both));
    both?;
    assert_eq!(done?.data, Some(42));
    Ok(())
}

/// A waiter may return the request, with what it borrows: nothing of it is MPI's.
fn borrowed<'a>(world: &Communicator, text: &'a str) -> Result<PendingGeneralized<&'a str>> {
    let (request, completer) = world.grequest_start()?;
    completer.complete(&text[1..])?;
    Ok(request)
}

#[mpi::test(ranks = 1)]
fn values_of_any_kind(world: Communicator) -> Result<()> {
    let text = String::from("abc");
    assert_eq!(borrowed(&world, &text)?.wait()?.data, Some("bc"));
    let (request, completer) = world.grequest_start::<Communicator>()?;
    completer.complete(world.dup()?)?;
    assert_eq!(request.wait()?.data.expect("completed").size(), 1);
    let (request, completer) = world.grequest_start::<Communicator>()?;
    completer.complete(world.dup()?)?;
    drop(request); // frees it, outside MPI
    Ok(())
}

#[mpi::test(ranks = 1)]
fn one_thread_keeps_its_completers(world: Communicator) -> Result<()> {
    let (request, completer) = world.grequest_start::<u8>()?;
    if mpi::environment::thread_level()? == mpi::ThreadLevel::Multiple {
        completer.anywhere()?.complete(1)?; // a library that gives more than was asked for
    } else {
        let refused = completer.anywhere().expect_err("only one thread may call MPI");
        assert!(refused.error.to_string().contains("ThreadLevel::Multiple"), "{}", refused.error);
        refused.data.complete(1)?;
    }
    assert_eq!(request.wait()?.data, Some(1));
    Ok(())
}
