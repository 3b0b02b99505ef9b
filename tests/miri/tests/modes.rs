//! Every send mode, exchanges, and matched messages, while MPI reads and writes in flight.

use mpi::buffer::StridedMut;
use mpi::request::Test;
use mpi::test_support::hooks;
use mpi::{ErrorClass, Result, Source, Tag, buffered, wait_all};
use mpi_miri::{class, world};
use std::mem::{self, MaybeUninit};

/// With the library's buffered mode, and with the one that replaces a faulty one.
fn in_both_ways(body: impl Fn(&mpi::Communicator)) {
    let world = world();
    for faulty in [false, true] {
        hooks::set_bsend_faulty(faulty);
        body(&world);
    }
    hooks::set_bsend_faulty(false);
}

/// The buffer is one per process: each test of it gives it back.
fn with_buffer(bytes: usize, body: impl FnOnce()) {
    buffered::attach(bytes).unwrap();
    body();
    assert_eq!(buffered::detach().unwrap(), bytes);
    assert!(!hooks::has_buffer());
}

#[test]
fn a_buffered_message_outlives_what_it_was_sent_from() {
    in_both_ways(|world| {
        with_buffer(3 * buffered::room_for::<u64>(5), || {
            for i in 0..3u64 {
                let values = vec![i; 5];
                world.bsend(&values, 0, 1).unwrap();
            }
            for i in 0..3u64 {
                assert_eq!(world.recv_vec::<u64>(0, 1).unwrap().data, [i; 5]);
            }
            world
                .scope(|s| {
                    let values = s.ibsend(s.keep([7u64; 5]), 0, 2)?.wait()?;
                    values[0] = 8; // the message is in the buffer
                    s.ibsend(&[9u8; 3], 0, 3)?.defer();
                    mem::forget(s.ibsend(&[10u8; 3], 0, 3)?);
                    Ok(())
                })
                .unwrap();
            assert_eq!(world.recv_vec::<u64>(0, 2).unwrap().data, [7; 5]);
            assert_eq!(world.recv::<[u8; 3]>(0, 3).unwrap().data, [9; 3]);
            assert_eq!(world.recv::<[u8; 3]>(0, 3).unwrap().data, [10; 3]);
        });
    });
}

#[test]
fn a_full_buffer_is_an_error_and_stays_usable() {
    in_both_ways(|world| {
        assert_eq!(class(world.bsend(&1u8, 0, 0)), ErrorClass::BUFFER);
        with_buffer(buffered::room_for::<u8>(16), || {
            assert_eq!(class(world.bsend(&[1u8; 17], 0, 0)), ErrorClass::BUFFER);
            world.bsend(&[2u8; 16], 0, 0).unwrap();
            assert_eq!(class(world.bsend(&3u8, 0, 0)), ErrorClass::BUFFER);
            let error = world.scope(|s| s.ibsend(&3u8, 0, 0)?.wait().map(|_| ()));
            assert_eq!(class(error), ErrorClass::BUFFER);
            assert_eq!(world.recv_vec::<u8>(0, 0).unwrap().data, [2; 16]);
            world.bsend(&[4u8; 16], 0, 0).unwrap();
            assert_eq!(world.recv_vec::<u8>(0, 0).unwrap().data, [4; 16]);
        });
    });
}

#[test]
fn a_buffer_is_attached_once_and_flushed() {
    in_both_ways(|world| {
        assert_eq!(class(buffered::detach()), ErrorClass::BUFFER);
        assert_eq!(class(buffered::flush()), ErrorClass::BUFFER);
        assert_eq!(class(buffered::attach(usize::MAX)), ErrorClass::COUNT);
        assert_eq!(class(buffered::attach(buffered::OVERHEAD - 1)), ErrorClass::BUFFER);
        assert_eq!(class(buffered::attach_automatic()), ErrorClass::UNSUPPORTED_OPERATION);
        with_buffer(200, || {
            assert_eq!(class(buffered::attach(1)), ErrorClass::BUFFER);
            let mut got = [0u32; 2];
            world
                .scope(|s| {
                    let incoming = s.irecv(&mut got, 0, 4)?;
                    world.bsend(&[5u32, 6], 0, 4)?;
                    buffered::flush()?; // on its way
                    world.bsend(&1u8, 0, 5)?;
                    assert_eq!(incoming.wait()?.data, &[5, 6]);
                    Ok(())
                })
                .unwrap();
            assert_eq!(world.recv::<u8>(0, 5).unwrap().data, 1);
        });
        assert_eq!(buffered::room_for::<u64>(usize::MAX / 2), usize::MAX);
    });
}

#[test]
fn synchronous_sends_give_their_borrow_back() -> Result<()> {
    let world = world();
    let (mut mine, mut theirs) = ([1u64; 9], [0u64; 9]);
    world.scope(|s| {
        let Test::Pending(sent) = s.issend(&mut mine, 0, 0)?.test()? else { panic!("nobody receives") };
        let got = s.irecv(&mut theirs, 0, 0)?;
        let (mine, theirs) = wait_all((sent, got))?;
        mine.fill(2);
        assert_eq!(theirs.data, &[1; 9]);
        s.issend(&*mine, 0, 1)?.defer();
        world.recv_into(theirs.data, 0, 1).map(|_| ())
    })?;
    assert_eq!(theirs, [2; 9]);
    Ok(())
}

#[test]
fn exchanges() -> Result<()> {
    let world = world();
    let (mut out, mut into) = ([3u64; 6], [0u64; 6]);
    world.scope(|s| {
        let (mine, theirs) = s.isendrecv(&mut out, 0, 1, &mut into, 0, 1)?.wait()?;
        assert_eq!((&mine[..], &theirs.data[..], theirs.status.tag()), (&[3; 6][..], &[3; 6][..], 1.into()));
        mine.fill(4);
        let mut exchange = s.isendrecv(&*mine, 0, 2, theirs.data, Source::ANY, Tag::ANY)?;
        let theirs = loop {
            match exchange.test()? {
                Test::Done((_, got)) => break got.data,
                Test::Pending(again) => exchange = again,
            }
        };
        assert_eq!(theirs, &[4; 6]);
        mem::forget(s.isendrecv(&*mine, 0, 3, theirs, 0, 3)?);
        Ok(())
    })?;
    assert_eq!(into, [4; 6]);
    Ok(())
}

#[test]
fn what_is_replaced_is_what_was_there_before() -> Result<()> {
    let world = world();
    let mut ring = vec![1u64, 2, 3, 4, 5];
    world.scope(|s| {
        let exchange = s.isendrecv_replace(&mut ring[1..4], 0, 1, 0, 1)?;
        let got = exchange.wait()?;
        assert_eq!((got.data.len(), got.status.count::<u64>()), (3, Some(3)));
        got.data[0] = 20;
        s.isendrecv_replace(got.data, 0, 2, 0, 2)?.defer();
        Ok(())
    })?;
    assert_eq!(ring, [1, 20, 3, 4, 5]);
    world.scope(|s| {
        // A longer message than the copy that goes out: it is refused, and the copy goes out all the same.
        s.isend(&[9u64; 4], 0, 5)?.defer();
        let error = s.isendrecv_replace(&mut ring[..2], 0, 6, 0, 5)?;
        let received = world.recv_vec::<u64>(0, 6)?;
        assert_eq!(received.data, [1, 20]);
        assert_eq!(class(error.wait().map(|_| ())), ErrorClass::TRUNCATE);
        Ok(())
    })?;
    world.scope(|s| {
        // Nobody: nothing changes.
        let got = s.isendrecv_replace(&mut ring, None, 0, None, 0)?.wait()?;
        assert_eq!((got.status.source(), got.status.count::<u64>()), (None, Some(0)));
        // Without elements, or without bytes.
        s.isendrecv_replace(s.keep([0u128; 0]), 0, 1, 0, 1)?.wait()?;
        s.isendrecv_replace(s.keep([(); 3]), 0, 1, 0, 1)?.wait()?;
        Ok(())
    })?;
    assert_eq!(ring, [9, 9, 3, 4, 5]);

    world.sendrecv_replace(&mut ring, 0, 1, 0, 1)?;
    let mut column = StridedMut::new(&mut ring, 0, 3, 1, 2)?;
    world.sendrecv_replace(&mut column, 0, 1, Source::ANY, Tag::ANY)?;
    assert_eq!(ring, [9, 9, 3, 4, 5]);
    Ok(())
}

#[test]
fn a_scope_that_fails_takes_an_exchange_back() {
    let world = world();
    let mut ring = [1u64; 3];
    let result = world.try_scope::<(), mpi::Error>(|s| {
        s.isendrecv_replace(&mut ring, 0, 1, 0, 2)?.defer(); // nothing has tag 2
        s.irecv(s.keep([0u64; 3]), 0, 1)?.defer(); // but the copy that goes out arrives
        world.send(&0u8, 0, -1)
    });
    assert_eq!(class(result), ErrorClass::TAG);
    ring.fill(2);
    assert_eq!(world.iprobe(Source::ANY, Tag::ANY).unwrap().map(|status| status.tag()), None);
}

#[test]
fn probes() -> Result<()> {
    let world = world();
    assert!(world.iprobe(Source::ANY, Tag::ANY)?.is_none());
    assert!(world.improbe(0, 3)?.is_none());
    world.send(&[1u16, 2], 0, 3)?;
    assert_eq!(world.iprobe(0, 3)?.and_then(|status| status.count::<u16>()), Some(2));
    let message = world.improbe(Source::ANY, Tag::ANY)?.expect("it was probed");
    assert!(world.iprobe(0, 3)?.is_none(), "only the message can receive it");
    assert_eq!((message.status().tag(), message.recv_vec::<u16>()?.data), (3.into(), vec![1, 2]));
    assert_eq!(hooks::messages(), 0);
    Ok(())
}

#[test]
fn matched_messages_are_received_in_any_order_and_form() -> Result<()> {
    let world = world();
    for tag in 0..6 {
        world.send(&[tag as u64; 3], 0, tag)?;
    }
    let mut messages = (0..6).map(|_| world.mprobe(0, Tag::ANY)).collect::<Result<Vec<_>>>()?;
    assert_eq!(messages.pop().expect("six").recv::<[u64; 3]>()?.data, [5; 3]);
    let mut flat = [0u64; 8];
    messages.swap_remove(1).recv_into(&mut StridedMut::new(&mut flat, 1, 3, 1, 2)?)?;
    assert_eq!(flat, [0, 1, 0, 1, 0, 1, 0, 0]);
    let mut uninit = [const { MaybeUninit::<u64>::uninit() }; 5];
    assert_eq!(messages.swap_remove(0).recv_into(&mut uninit[..])?.data.0, [0; 3]);
    let mut late = [0u64; 3];
    world.scope(|s| {
        let mut messages = messages;
        let incoming = s.imrecv(messages.remove(0), &mut late)?;
        assert!(hooks::in_flight() > 0);
        mem::forget(s.imrecv(messages.remove(0), s.keep([0u64; 3]))?);
        let got = incoming.wait()?;
        assert_eq!((got.data, got.status.source()), (&mut [3u64; 3], Some(0)));
        let mut uninit = [const { MaybeUninit::<u64>::uninit() }; 5];
        let error = messages.remove(0).recv_into(&mut uninit[..2]).map(|_| ());
        assert_eq!(class(error), ErrorClass::TRUNCATE);
        Ok(())
    })?;
    assert_eq!(hooks::messages(), 0);
    Ok(())
}

#[test]
fn a_message_that_is_dropped_is_received() -> Result<()> {
    let world = world();
    world.scope(|s| {
        let sent = s.isend(&[1u64; 50], 0, 1)?;
        drop(world.mprobe(0, 1)?);
        let Test::Done(_) = sent.test()? else { panic!("the message was not received") };
        s.isend(&[1u64; 5], 0, 2)?.defer();
        assert_eq!(class(world.mprobe(0, 2)?.recv::<u8>()), ErrorClass::TRUNCATE);
        s.isend(&[1u8; 5], 0, 3)?.defer();
        assert_eq!(class(world.mprobe(0, 3)?.recv_vec::<u16>()), ErrorClass::COUNT);
        s.isend(&[2u8; 2], 0, 3)?.defer();
        assert_eq!(class(world.mprobe(0, 3)?.recv_vec::<bool>()), ErrorClass::TYPE);
        Ok(())
    })?;
    assert_eq!(hooks::messages(), 0);
    Ok(())
}

#[test]
fn a_message_from_nowhere() -> Result<()> {
    let world = world();
    let message = world.mprobe(None, 1)?;
    assert_eq!((message.status().source(), message.status().count::<u8>()), (None, Some(0)));
    assert_eq!(message.recv_vec::<u8>()?.data, []);
    let mut buffer = [3u8; 2];
    world.scope(|s| {
        let got = s.imrecv(world.improbe(None, Tag::ANY)?.expect("always"), &mut buffer)?.wait()?;
        assert_eq!((&*got.data, got.status.source(), got.status.count::<u8>()), (&[3, 3], None, Some(0)));
        Ok(())
    })?;
    assert_eq!(class(world.mprobe(None, 1)?.recv::<u8>()), ErrorClass::COUNT);
    assert!(world.iprobe(None, 0)?.is_some_and(|status| status.source().is_none()));
    Ok(())
}

/// Room is taken where it is free, also between messages that are still there.
#[test]
fn room_in_the_middle() {
    in_both_ways(|world| {
        with_buffer(4 * buffered::room_for::<u8>(64), || {
            for tag in 0..4 {
                world.bsend(&[tag as u8; 60], 0, tag).unwrap();
            }
            assert_eq!(class(world.bsend(&0u8, 0, 9)), ErrorClass::BUFFER);
            assert_eq!(world.recv_vec::<u8>(0, 1).unwrap().data, [1; 60]);
            assert_eq!(world.recv_vec::<u8>(0, 2).unwrap().data, [2; 60]);
            let column =
                mpi::buffer::Strided::new(&[7u8; 120], 0, 60, 1, 2).map(|view| world.bsend(&view, 0, 5));
            if column.unwrap().is_ok() {
                assert_eq!(world.recv_vec::<u8>(0, 5).unwrap().data, [7; 60]);
            }
            assert_eq!(world.recv_vec::<u8>(0, 3).unwrap().data, [3; 60]);
            assert_eq!(world.recv_vec::<u8>(0, 0).unwrap().data, [0; 60]);
        });
    });
}

#[test]
fn persistent_sends_in_every_mode() -> Result<()> {
    let world = world();
    let bytes = buffered::room_for::<u64>(5);
    buffered::attach(bytes)?;
    let mut receive = world.recv_init([0u64; 5], 0, 1)?;
    let mut synchronous = world.ssend_init([1u64; 5], 0, 1)?;
    let mut copied = world.bsend_init([2u64; 5], 0, 1)?;
    for round in 0..3 {
        for (send, first) in [(&mut synchronous, 1), (&mut copied, 2)] {
            send.buffer_mut()?[1] = round;
            let incoming = receive.start()?;
            let outgoing = send.start()?;
            incoming.wait()?;
            outgoing.wait()?;
            assert_eq!(receive.buffer()?, [first, round, first, first, first]);
        }
    }
    let Test::Done(()) = copied.start()?.test()? else { panic!("it is complete when it is copied") };
    copied.buffer_mut()?.fill(7); // the message is in the buffer, which has no room for another
    assert_eq!(class(copied.start().map(drop)), ErrorClass::BUFFER);
    assert_eq!(world.recv_vec::<u64>(0, 1)?.data, [2, 2, 2, 2, 2]);
    copied.start()?.wait()?;
    assert_eq!(world.recv_vec::<u64>(0, 1)?.data, [7; 5]);
    drop(copied);
    assert_eq!(buffered::detach()?, bytes);
    hooks::set_bsend_faulty(true);
    assert_eq!(class(world.bsend_init([2u64; 5], 0, 1)), ErrorClass::UNSUPPORTED_OPERATION);
    hooks::set_bsend_faulty(false);
    Ok(())
}
