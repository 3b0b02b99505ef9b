//! Sets of requests while MPI reads and writes, and receives that are taken back.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::request::{BoxedRequest, Cancelled, RequestSet, Test, test_all};
use mpi::test_support::hooks::{self, Pending};
use mpi::{ErrorClass, Received, Result, Tag, wait_all};
use mpi_miri::{MANY, class, world};
use std::cell::Cell;
use std::mem::{self, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

#[test]
fn a_set_is_refilled_and_drained() {
    let world = world();
    let mut bufs = [[0u64; 2]; 3];
    world
        .scope(|s| {
            let mut set = RequestSet::with_capacity(s, 1);
            for (buf, tag) in bufs.iter_mut().zip(0..) {
                assert_eq!(set.push(s.irecv(buf, 0, tag)?), tag as usize);
            }
            for tag in (0..3).rev() {
                s.isend(s.keep([tag as u64, 9]), 0, tag)?.defer();
            }
            let mut posted = 3;
            while let Some((i, got)) = set.wait_any()? {
                assert_eq!(got.data[0] as i32, got.status.tag().get());
                if posted < 20 {
                    s.isend(s.keep([posted, 9]), 0, posted as i32)?.defer();
                    assert_eq!(set.push(s.irecv(got.data, 0, posted as i32)?), i);
                    posted += 1;
                }
            }
            assert!(set.is_empty() && set.wait_any()?.is_none());
            assert!(matches!(set.test_any()?, Poll::Ready(None)));
            assert_eq!(set.wait_some(&mut vec![])?, None);
            assert_eq!(set.wait_all()?.len(), 0);
            Ok(())
        })
        .unwrap();
}

#[test]
fn some_and_all_without_waiting() {
    let world = world();
    let mut bufs = [[0u32; 4]; MANY];
    world
        .scope(|s| {
            let mut set = RequestSet::new(s);
            for (buf, tag) in bufs.iter_mut().zip(0..) {
                set.push(s.irecv(buf, 0, tag)?);
            }
            let (mut done, mut seen) = (vec![], [false; MANY]);
            assert!(set.test_any()?.is_pending() && set.test_all()?.is_pending());
            assert_eq!(set.test_some(&mut done)?, Some(0));
            for tag in 0..MANY {
                s.isend(s.keep([tag as u32; 4]), 0, tag as i32)?.defer();
            }
            while seen.iter().filter(|seen| **seen).count() < MANY - 3 {
                set.test_some(&mut done)?;
                for (i, result) in done.drain(..) {
                    assert_eq!(result?.data, &[i as u32; 4]);
                    seen[i] = true;
                }
            }
            while let Poll::Pending = set.test_all()? {}
            assert!(set.is_empty());
            Ok(())
        })
        .unwrap();
    assert!(bufs.iter().zip(0..).all(|(buf, i)| *buf == [i; 4]));
}

/// What becomes of a set in flight, of its slots, and of the requests that come after it.
#[test]
fn sets_dropped_and_forgotten_in_flight() {
    let world = world();
    let (mut a, mut b, mut c) = (vec![[0u64; 2]; MANY], vec![[0u64; 2]; MANY], vec![[0u64; 2]; 2 * MANY]);
    world
        .scope(|s| {
            let mut set = RequestSet::with_capacity(s, 2);
            for (buf, tag) in a.iter_mut().zip(0..) {
                set.push(s.irecv(buf, 0, tag)?);
            }
            drop(set);
            let mut set = RequestSet::new(s);
            for (buf, tag) in b.iter_mut().zip(100..) {
                set.push(s.irecv(buf, 0, tag)?);
            }
            mem::forget(set);
            for (buf, tag) in c.iter_mut().zip(200..) {
                s.irecv(buf, 0, tag)?.defer(); // takes what the first set has left, not what the second holds
            }
            for tag in (0..MANY).chain(100..100 + MANY).chain(200..200 + 2 * MANY) {
                s.isend(s.keep([tag as u64; 2]), 0, tag as i32)?.defer();
            }
            Ok(())
        })
        .unwrap();
    for (bufs, first) in [(a, 0), (b, 100), (c, 200)] {
        assert!(bufs.iter().zip(first..).all(|(buf, tag)| *buf == [tag; 2]));
    }
}

#[derive(Debug)]
enum Event<'s> {
    Word(Received<&'s mut u64>),
    Bytes(usize),
    Back(&'s mut Vec<u64>),
    Barrier,
}

#[test]
fn mixed_kinds_mapped_and_boxed() {
    let world = world();
    let (mut word, mut bytes, mut lent) = (0u64, [MaybeUninit::<u8>::uninit(); 40], vec![1u64, 2]);
    let mut theirs = [0u64; 2];
    world
        .scope(|s| {
            let mut set = RequestSet::new(s);
            let boxed: BoxedRequest<'_, '_, Event<'_>> = s.irecv(&mut word, 0, 1)?.map(Event::Word).boxed();
            set.push(boxed);
            set.push(s.irecv(&mut bytes[..], 0, 2)?.map(|got| Event::Bytes(got.data.0.len())).boxed());
            s.irecv(&mut theirs, 0, 3)?.defer();
            set.push(s.isend(&mut lent, 0, 3)?.map(Event::Back).boxed());
            set.push(s.ibarrier()?.map(|()| Event::Barrier).boxed());
            s.isend(&77u64, 0, 1)?.defer();
            s.isend(b"0123456789", 0, 2)?.defer();
            let mut seen = 0;
            while let Some((i, event)) = set.wait_any()? {
                match event {
                    Event::Word(got) => assert_eq!((i, *got.data, got.status.tag()), (0, 77, 1.into())),
                    Event::Bytes(n) => assert_eq!((i, n), (1, 10)),
                    Event::Back(vec) => {
                        assert_eq!(i, 2);
                        vec.push(3); // exclusive again
                    }
                    Event::Barrier => assert_eq!(i, 3),
                }
                seen += 1;
            }
            assert_eq!(seen, 4);
            Ok(())
        })
        .unwrap();
    assert_eq!((word, lent, theirs), (77, vec![1, 2, 3], [1, 2]));
}

/// What MPI leaves pending after a failure stays lent, and the next call completes it.
#[test]
fn a_failed_wait_all_of_a_set() {
    for pending in [Pending::Never, Pending::Live] {
        let world = world();
        hooks::leave_pending(pending);
        let (mut a, mut b, mut c) = ([0u64; 16], [0u64; 1], [0u64; 16]);
        let numbers: Vec<u64> = (0..16).collect();
        let result = world.scope(|s| {
            let mut set = RequestSet::new(s);
            set.push(s.irecv(&mut a[..], 0, 0)?);
            set.push(s.irecv(&mut b[..], 0, 1)?);
            set.push(s.irecv(&mut c[..], 0, 2)?);
            for tag in 0..3 {
                s.isend(&numbers, 0, tag)?.defer();
            }
            let first = set.wait_all()?;
            let expected = if pending == Pending::Never { 3 } else { 2 };
            assert_eq!((first.len(), set.len()), (expected, 3 - expected));
            for (i, result) in first {
                match result {
                    Ok(got) => assert_eq!((i % 2, &*got.data), (0, &numbers[..])),
                    Err(error) => assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(i))),
                }
            }
            hooks::leave_pending(Pending::Never);
            for (i, result) in set.wait_all()? {
                assert_eq!((i, &*result?.data), (2, &numbers[..]));
            }
            assert!(set.is_empty());
            Ok(())
        });
        hooks::leave_pending(Pending::Never);
        result.unwrap();
    }
}

/// Open MPI frees all requests that have failed, and names one: none is lost, none is given back.
#[test]
fn several_failures_at_once() {
    let world = world();
    let mut bufs = [[0u64; 1]; 4];
    world
        .scope(|s| {
            let mut set = RequestSet::new(s);
            for (buf, tag) in bufs.iter_mut().zip(0..) {
                set.push(s.irecv(buf, 0, tag)?);
            }
            for tag in 0..4 {
                s.isend(&[1u64, 2][..1 + tag as usize % 2], 0, tag)?.defer();
            }
            for _ in 0..4 {
                s.ibarrier()?.wait()?; // all messages arrive
            }
            let (mut failed, mut complete) = (vec![], vec![]);
            for _ in 0..4 {
                match set.wait_any() {
                    Ok(done) => complete.push(done.expect("not drained").0),
                    Err(error) => failed.push(error.index()),
                }
            }
            assert_eq!((complete, failed), (vec![0, 2], vec![Some(1), Some(3)]));
            assert!(set.wait_any()?.is_none());
            Ok(())
        })
        .unwrap();
}

#[test]
fn requests_without_a_handle() {
    let world = world();
    let mut bufs = [[7u8; 2]; 3];
    world
        .scope(|s| {
            let mut set = RequestSet::new(s);
            let [a, b, c] = bufs.each_mut();
            set.push(s.irecv(a, None, 0)?);
            set.push(s.irecv(b, 0, Tag::ANY)?);
            set.push(s.irecv(c, None, 0)?);
            assert!(set.test_all()?.is_pending());
            assert!(
                matches!(set.get_status_any()?, Poll::Ready(Some((0, status))) if status.source().is_none())
            );
            let mut found = vec![];
            assert_eq!(set.get_status_some(&mut found)?, Some(2));
            s.isend(&[1u8, 2], 0, 5)?.defer();
            let mut all = loop {
                if let Poll::Ready(all) = set.get_status_all()? {
                    break all;
                }
            };
            all.sort_by_key(|(i, _)| *i);
            let sources: Vec<_> = all.iter().map(|(i, status)| (*i, status.source())).collect();
            assert_eq!(sources, [(0, None), (1, Some(0)), (2, None)]);
            assert_eq!((set.len(), set.wait_all()?.len()), (3, 3));
            assert!(matches!(set.get_status_any()?, Poll::Ready(None)));
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_function_that_panics_leaves_the_set_whole() {
    let world = world();
    let (mut a, mut b) = (0u8, 0u8);
    world
        .scope(|s| {
            let explode = Cell::new(true);
            let mut set = RequestSet::new(s);
            for (buf, tag) in [(&mut a, 0), (&mut b, 1)] {
                let explode = &explode;
                let panics = move |got: Received<&mut u8>| match explode.take() {
                    true => std::panic::resume_unwind(Box::new(())),
                    false => *got.data,
                };
                set.push(s.irecv(buf, 0, tag)?.map(panics));
                s.isend(&8u8, 0, tag)?.wait()?;
            }
            let mut done = vec![];
            let caught = catch_unwind(AssertUnwindSafe(|| set.wait_some(&mut done)));
            assert!(caught.is_err() && done.is_empty());
            let (i, value) = set.wait_any()?.expect("the other one");
            assert_eq!((i, value, set.len()), (1, 8, 0));
            Ok(())
        })
        .unwrap();
}

#[test]
fn test_all_of_requests_in_a_row_and_not() {
    let world = world();
    let mut bufs = [[0u64; 20]; 4];
    world
        .scope(|s| {
            let [a, b, c, d] = bufs.each_mut();
            let (second, first) = (s.irecv(a, 0, 0)?, s.irecv(b, 0, 1)?);
            let mut row = [s.irecv(c, 0, 2)?, s.irecv(d, 0, 3)?];
            let mut swapped = (first, second);
            for tag in 0..4 {
                s.isend(s.keep([tag as u64; 20]), 0, tag)?.defer();
            }
            let mut polls = 0;
            let (x, y) = loop {
                match test_all(swapped)? {
                    Test::Done(both) => break both,
                    Test::Pending(back) => (swapped, polls) = (back, polls + 1),
                }
            };
            assert!(polls > 0, "the messages arrive word by word");
            assert_eq!((x.data, y.data), (&mut [1; 20], &mut [0; 20]));
            let [x, y] = loop {
                match test_all(row)? {
                    Test::Done(both) => break both,
                    Test::Pending(back) => row = back,
                }
            };
            assert_eq!((x.data, y.data), (&mut [2; 20], &mut [3; 20]));
            assert!(matches!(test_all(Vec::<mpi::request::Request<'_, ()>>::new())?, Test::Done(none) if none.is_empty()));
            assert!(matches!(wait_all([] as [mpi::request::Request<'_, ()>; 0])?, []));
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_cancelled_receive_gives_the_buffer_back() {
    let world = world();
    let (mut a, mut fresh, mut never) = ([7u64; 4], [MaybeUninit::<u64>::uninit(); 4], [1u8; 2]);
    world
        .scope(|s| {
            let Cancelled::Cancelled(a) = s.irecv(&mut a, 0, 1)?.cancel()? else { panic!("nobody sent") };
            a[0] = 8;
            let Cancelled::Cancelled((arrived, rest)) = s.irecv(&mut fresh[..], 0, 1)?.cancel()? else {
                panic!("nobody sent")
            };
            assert_eq!((arrived.len(), rest.len()), (0, 4), "whatever its status says");
            let request = s.irecv(a, 0, 1)?;
            assert!(request.get_status()?.is_none());
            s.isend(&[1u64, 2, 3], 0, 1)?.defer();
            let status = loop {
                if let Some(status) = request.get_status()? {
                    break status;
                }
            };
            assert_eq!((status.elements::<[u64; 2]>(), status.count::<[u64; 2]>()), (Some(3), None));
            let Cancelled::Received(got) = request.cancel()? else { panic!("it was complete") };
            assert_eq!((&*got.data, got.status.is_cancelled()), (&[1, 2, 3, 7], false));
            let Cancelled::Received(_) = s.irecv(&mut never, None, 1)?.cancel()? else { panic!("complete") };
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_early_error_with_sets_in_flight() {
    let world = world();
    let mut bufs = [[3u64; 2]; 50];
    let result = world.scope(|s| {
        let mut set = RequestSet::with_capacity(s, 4);
        for (buf, tag) in bufs.iter_mut().zip(0..) {
            set.push(s.irecv(buf, 0, tag)?);
        }
        s.isend(&[5u64, 6], 0, 49)?.defer();
        s.isend(&1u8, 9, 0).map(|request| request.defer())
    });
    assert_eq!(class(result), ErrorClass::RANK);
    assert_eq!((bufs[0], bufs[49]), ([3, 3], [5, 6]));
}

/// A request of an outer scope may be completed by a set of an inner one, which completes it sooner.
#[test]
fn an_inner_set_takes_a_request_of_the_outer_scope() {
    let world = world();
    let mut a = [0u64; 4];
    world
        .scope(|outer| {
            let request = outer.irecv(&mut a, 0, 0)?;
            outer.isend(&[1u64, 2, 3, 4], 0, 0)?.defer();
            world.scope(|inner| {
                RequestSet::new(inner).push(request);
                Ok(())
            })?;
            assert_eq!(hooks::in_flight(), 0);
            Ok(())
        })
        .unwrap();
    assert_eq!(a, [1, 2, 3, 4]);
}

/// Beyond the inline slots a set finds what its requests are, and takes them over.
#[test]
fn a_set_takes_over_requests_from_everywhere() -> Result<()> {
    let world = world();
    let mut bufs = vec![0u16; 4 * MANY];
    world.scope(|s| {
        let requests = bufs.iter_mut().zip(0..).map(|(buf, tag)| s.irecv(buf, 0, tag));
        let requests = requests.collect::<Result<Vec<_>>>()?;
        let mut set = RequestSet::new(s);
        set.extend(requests);
        for tag in 0..4 * MANY {
            s.isend(s.keep(tag as u16 + 1), 0, tag as i32)?.defer();
        }
        let mut n = 0;
        for (i, result) in set.wait_all()? {
            assert_eq!(usize::from(*result?.data), i + 1);
            n += 1;
        }
        assert_eq!(n, 4 * MANY);
        Ok(())
    })
}
