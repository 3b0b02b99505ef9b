//! Many requests, completed in every way.

use crate::sample::{same, samples};
use mpi::request::Test;
use mpi::{Communicator, Result, wait_all};
use std::mem;

fn other(world: &Communicator) -> usize {
    1 - world.rank()
}

/// More requests than a scope holds without allocating, waited for in an order of their own.
#[mpi::test(ranks = 2)]
fn a_hundred_in_one_scope(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let (mine, mut theirs) = (samples::<u64>(me, 100), vec![0u64; 100]);
    world.scope(|s| {
        let receives = theirs.iter_mut().zip(0..).map(|(x, tag)| s.irecv(x, peer, tag));
        let mut receives = receives.collect::<Result<Vec<_>>>()?;
        for (x, tag) in mine.iter().zip(0..) {
            s.isend(x, peer, tag)?.defer();
        }
        let mut expected: Vec<u64> = samples(peer, 100);
        while !receives.is_empty() {
            let i = receives.len() * 7 % 13 % receives.len();
            assert_eq!(*receives.swap_remove(i).wait()?.data, expected.swap_remove(i));
        }
        Ok(())
    })?;
    same(&theirs, &samples::<u64>(peer, 100));
    Ok(())
}

/// Slots of completed requests are used again.
#[mpi::test(ranks = 2)]
fn thousands_one_after_the_other_in_one_scope(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let (mut sum, mut incoming) = (0u64, [0u64]);
    world.scope(|s| {
        let mut buffer = &mut incoming;
        for i in 0..3000u64 {
            let request = s.irecv(buffer, peer, 0)?;
            s.isend(s.keep([i]), peer, 0)?.defer();
            buffer = request.wait()?.data;
            assert_eq!(*buffer, [i]);
            sum += i;
        }
        Ok(())
    })?;
    assert_eq!(sum, 2999 * 3000 / 2);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn one_scope_per_time_step(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let (mut mine, mut theirs) = (vec![world.rank() as u64; 500], vec![0; 500]);
    for step in 0..200 {
        world.scope(|s| {
            s.irecv(&mut theirs, peer, step)?.defer();
            s.isend(&mine, peer, step)?.defer();
            Ok(())
        })?;
        mine.iter_mut().zip(&theirs).for_each(|(x, y)| *x = x.wrapping_mul(3).wrapping_add(*y));
    }
    let (mut a, mut b) = (world.rank() as u64, peer as u64);
    for _ in 0..200 {
        (a, b) = (a.wrapping_mul(3).wrapping_add(b), b.wrapping_mul(3).wrapping_add(a));
    }
    assert_eq!(mine, [a; 500]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn test_until_done(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut theirs = vec![0u32; 50_000];
    let mine = samples::<u32>(world.rank(), 50_000);
    world.scope(|s| {
        let mut incoming = s.irecv(&mut theirs, peer, 0)?;
        let mut outgoing = Some(s.isend(&mine, peer, 0)?);
        let got = loop {
            if let Some(request) = outgoing.take() {
                outgoing = match request.test()? {
                    Test::Done(back) => (back.len() != 50_000).then(|| panic!("another buffer came back")),
                    Test::Pending(request) => Some(request),
                };
            }
            match incoming.test()? {
                Test::Done(got) => break got,
                Test::Pending(request) => incoming = request,
            }
        };
        same(got.data, &samples::<u32>(peer, 50_000));
        Ok(())
    })
}

/// A test that finds nothing gives the request back, and the request still works.
#[mpi::test(ranks = 2)]
fn test_before_anything_was_sent(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut x = 0u8;
    world.scope(|s| {
        let request = s.irecv(&mut x, peer, 0)?;
        let Test::Pending(request) = request.test()? else { panic!("nothing was sent yet") };
        world.barrier()?;
        s.isend(&5u8, peer, 0)?.wait()?;
        assert_eq!(*request.wait()?.data, 5);
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn wait_all_on_arrays_vectors_and_tuples(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank() as i64, other(&world));
    let theirs = peer as i64;
    let mut a = [[0i64; 2]; 3];
    let mut b = [0i64; 3];
    let (mut value, mut text) = (0.0f64, [0u8; 4]);
    world.scope(|s| {
        let [x, y, z] = a.each_mut();
        let array = [s.irecv(x, peer, 0)?, s.irecv(y, peer, 1)?, s.irecv(z, peer, 2)?];
        let vector =
            b.iter_mut().zip(3..).map(|(x, tag)| s.irecv(x, peer, tag)).collect::<Result<Vec<_>>>()?;
        let mut sends = vec![];
        for tag in 0..6 {
            let pair = s.keep([me, tag as i64]);
            sends.push(if tag < 3 {
                s.isend(&pair[..], peer, tag)?
            } else {
                s.isend(&pair[1..], peer, tag)?
            });
        }
        for (got, tag) in wait_all(array)?.into_iter().zip(0..) {
            assert_eq!((*got.data, got.status.tag().get()), ([theirs, tag], tag as i32));
        }
        for (got, tag) in wait_all(vector)?.into_iter().zip(3..) {
            assert_eq!((*got.data, got.status.tag().get()), (tag, tag as i32));
        }
        assert_eq!(wait_all(sends)?.len(), 6);

        let (number, bytes) = (s.irecv(&mut value, peer, 7)?, s.irecv(&mut text, peer, 8)?);
        let (barrier, out) = (s.ibarrier()?, s.isend(s.keep(me as f64 + 0.5), peer, 7)?);
        let late = s.isend(b"text", peer, 8)?;
        let (number, bytes, (), _, _) = wait_all((number, bytes, barrier, out, late))?;
        assert_eq!((*number.data, *bytes.data), (theirs as f64 + 0.5, *b"text"));
        Ok(())
    })
}

#[mpi::test(ranks = 1)]
fn wait_all_on_nothing(world: Communicator) -> Result<()> {
    world.scope(|s| {
        let mut none = vec![s.isend(&1u8, None, 0)?];
        none.clear();
        assert_eq!(wait_all(none)?, [] as [&u8; 0]);
        Ok(())
    })
}

/// Whatever becomes of a request, the scope completes what it stands for.
#[mpi::test(ranks = 2)]
#[expect(clippy::forget_non_drop, reason = "a request must not rely on a destructor, today or ever")]
fn dropped_forgotten_and_leaked_requests(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let mut parts = [[0u32; 100]; 4];
    let mine: Vec<Vec<u32>> = (0..4).map(|i| samples(me * 4 + i, 100)).collect();
    world.scope(|s| {
        let [a, b, c, d] = parts.each_mut();
        drop(s.irecv(a, peer, 0)?);
        mem::forget(s.irecv(b, peer, 1)?);
        Box::leak(Box::new(s.irecv(c, peer, 2)?));
        s.irecv(d, peer, 3)?.defer();
        for (buffer, tag) in mine.iter().zip(0..) {
            mem::forget(s.isend(buffer, peer, tag)?);
        }
        Ok(())
    })?;
    for (i, part) in parts.iter().enumerate() {
        same(part, &samples::<u32>(peer * 4 + i, 100));
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn kept_values_live_as_long_as_the_scope_and_are_dropped_once(world: Communicator) -> Result<()> {
    use std::cell::RefCell;
    struct Tells<'a>(&'a RefCell<Vec<i32>>, i32);
    impl Drop for Tells<'_> {
        fn drop(&mut self) {
            self.0.borrow_mut().push(self.1);
        }
    }
    let (dropped, peer) = (RefCell::new(vec![]), other(&world));
    let mut theirs = vec![[0i32; 50]; 10];
    world.scope(|s| {
        for (buffer, i) in theirs.iter_mut().zip(0..) {
            s.keep(Tells(&dropped, i));
            s.irecv(buffer, peer, i)?.defer();
            s.isend(&*s.keep([i; 50]), peer, i)?.defer();
        }
        assert!(dropped.borrow().is_empty());
        Ok(())
    })?;
    assert!(dropped.into_inner().into_iter().eq((0..10).rev()), "the last one kept goes first");
    assert!(theirs.iter().zip(0..).all(|(buffer, i)| *buffer == [i; 50]));
    Ok(())
}
