//! Scopes and requests while MPI reads and writes: what comes back, when, and that nothing is left behind.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::buffer::Grid;
use mpi::op::{Max, Sum};
use mpi::request::{RecvRequest, Test};
use mpi::test_support::hooks::{self, Pending};
use mpi::{ErrorClass, Result, Scope, Source, Tag, wait_all};
use mpi_miri::{MANY, class, world};
use std::mem::{self, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};

const NORTH: i32 = 1;
const SOUTH: i32 = 2;
const WEST: i32 = 3;
const EAST: i32 = 4;

/// One step on a periodic domain of one rank: eight requests on disjoint parts of one grid, interior work under
/// communication, ghosts read while the sends are still in flight, and a reduction over the step before.
fn step(
    comm: &mpi::Communicator,
    old: &mut Grid<f64>,
    new: &mut Grid<f64>,
    residual: &mut f64,
) -> Result<f64> {
    let halo = old.split();
    let core = halo.core.shared();
    let mut out = new.split().core;
    let (rows, cols) = (core.rows(), core.cols());
    comm.scope(|s| {
        let ghosts = [
            s.irecv(halo.north, 0, SOUTH)?,
            s.irecv(halo.south, 0, NORTH)?,
            s.irecv(halo.west, 0, EAST)?,
            s.irecv(halo.east, 0, WEST)?,
        ];
        s.isend(core.block(0..1, 0..cols), 0, NORTH)?.defer();
        s.isend(core.block(rows - 1..rows, 0..cols), 0, SOUTH)?.defer();
        s.isend(core.block(0..rows, 0..1), 0, WEST)?.defer();
        s.isend(core.block(0..rows, cols - 1..cols), 0, EAST)?.defer();
        let mine = s.keep(2.5);
        let reduction = s.iallreduce(&*mine, residual, Max)?;

        // The interior reads cells that are being sent: MPI allows it, and so does a shared borrow.
        for r in 1..rows - 1 {
            for c in 1..cols - 1 {
                out[(r, c)] =
                    0.25 * (core[(r - 1, c)] + core[(r + 1, c)] + core[(r, c - 1)] + core[(r, c + 1)]);
            }
        }
        let [north, south, west, east] = wait_all(ghosts)?;
        assert_eq!(north.status.count::<f64>(), Some(cols));
        assert_eq!((west.status.tag(), west.status.source()), (EAST.into(), Some(0)));
        let (_, largest) = reduction.wait()?;
        assert_eq!(*largest, 2.5);
        Ok(north.data[(0, 0)] + south.data[(0, 1)] + west.data[(2, 0)] + east.data[(3, 0)])
    })
}

#[test]
fn halo_exchange() {
    let world = world();
    let (mut a, mut b) = (Grid::new(4, 4, 1, 0.0).unwrap(), Grid::new(4, 4, 1, 0.0).unwrap());
    let mut residual = 0.0;
    for round in 0..3 {
        for r in 0..6 {
            for c in 0..6 {
                a[(r, c)] = (100 * round + 10 * r + c) as f64;
            }
        }
        let base = f64::from(100 * round as u16);
        let sum = step(&world, &mut a, &mut b, &mut residual).unwrap();
        assert_eq!(sum, 4.0 * base + 41.0 + 12.0 + 34.0 + 41.0);
        for i in 1..5 {
            // Periodic: every ghost is the edge of the other side, and the corners are nobody's.
            let at = |r: usize, c: usize| base + (10 * r + c) as f64;
            assert_eq!((a[(0, i)], a[(5, i)]), (at(4, i), at(1, i)));
            assert_eq!((a[(i, 0)], a[(i, 5)]), (at(i, 4), at(i, 1)));
            assert_eq!((a[(0, 0)], a[(5, 5)]), (at(0, 0), at(5, 5)));
        }
        assert_eq!(b[(2, 2)], base + 22.0);
    }
}

#[test]
fn a_buffer_comes_back_and_is_lent_again() {
    let world = world();
    let (mut a, b, mut c) = (vec![0u64; 3], [7u64, 8, 9], [0u64; 3]);
    world
        .scope(|s| {
            let r = s.irecv(&mut a, 0, 1)?;
            s.isend(&b, 0, 1)?.defer();
            let a = r.wait()?.data;
            a[0] += 1; // at once, before the scope ends
            let r = s.irecv(&mut c, 0, 2)?;
            let back = s.isend(&*a, 0, 2)?;
            assert_eq!(r.wait()?.data, &mut [8, 8, 9]);
            assert_eq!(back.wait()?, [8, 8, 9]);
            assert_eq!(a[0], 8); // lent shared: readable for good
            Ok(())
        })
        .unwrap();
    assert_eq!((a, c), (vec![8, 8, 9], [8, 8, 9]));
}

#[test]
fn an_exclusive_borrow_is_lent_for_sending_and_comes_back_exclusive() {
    let world = world();
    let (mut a, mut b, mut x) = (vec![1u64, 2, 3, 4], [0u64; 4], 5u8);
    let mut y = 0u8;
    world
        .scope(|s| {
            let receive = s.irecv(&mut b, 0, 1)?;
            let send = s.isend(&mut a, 0, 1)?;
            let (moved, in_a_box) = (send, Box::new(receive)); // requests may move while MPI reads and writes
            let message = in_a_box.wait()?;
            message.data[3] = 40;
            let a: &mut Vec<u64> = moved.wait()?;
            a.push(5);
            let receive = s.irecv(&mut y, 0, 2)?;
            *s.isend(&mut x, 0, 2)?.wait()? += 1;
            receive.wait()?;
            Ok(())
        })
        .unwrap();
    assert_eq!((a, b, x, y), (vec![1, 2, 3, 4, 5], [1, 2, 3, 40], 6, 5));
}

#[test]
fn forgotten_dropped_and_leaked_requests_are_completed_by_the_scope() {
    let world = world();
    let (mut a, mut b, mut c) = ([0u64; 8], [0u64; 8], [0u64; 8]);
    let src = [5u64; 8];
    world
        .scope(|s| {
            mem::forget(s.irecv(&mut a, 0, 1)?);
            drop(s.irecv(&mut b, 0, 2)?);
            Box::leak(Box::new(s.irecv(&mut c, 0, 3)?));
            for tag in 1..=3 {
                mem::forget(s.isend(&src, 0, tag)?);
            }
            Ok(())
        })
        .unwrap();
    assert_eq!((a, b, c), (src, src, src));
}

#[test]
fn a_tuple_of_different_kinds() {
    let world = world();
    let (x, mut y) = ([1.5f64, 2.5], [0.0f64; 2]);
    let (mut ints, mut memory) = ([0i32; 3], [MaybeUninit::<u64>::uninit(); 4]);
    world
        .scope(|s| {
            s.isend(&[1i32, 2, 3], 0, 1)?.defer();
            s.isend(&[9u64, 8], 0, 2)?.defer();
            let requests = (
                s.iallreduce(&x, &mut y, Sum)?,
                s.irecv(&mut ints, 0, 1)?,
                s.irecv(&mut memory[..], 0, 2)?,
                s.ibarrier()?,
            );
            let (sum, message, prefix, ()) = wait_all(requests)?;
            assert_eq!((sum.0, &*sum.1), (&x, &[1.5, 2.5]));
            assert_eq!(message.data, &[1, 2, 3]);
            let (arrived, rest) = prefix.data; // what did not arrive stays uninitialized
            assert_eq!((&*arrived, rest.len()), (&[9, 8][..], 2));
            arrived[0] = 10;
            s.ibarrier()?.wait()
        })
        .unwrap();
    assert_eq!((y, ints), ([1.5, 2.5], [1, 2, 3]));
}

#[test]
fn test_gives_back_the_buffer_or_the_request() {
    let world = world();
    let mut a = [0u64; 4];
    world
        .scope(|s| {
            let mut request = s.irecv(&mut a, 0, 1)?;
            s.isend(&[4u64, 5, 6, 7], 0, 1)?.defer();
            let mut polls = 0;
            let data = loop {
                match request.test()? {
                    Test::Done(message) => break message.data,
                    Test::Pending(back) => (request, polls) = (back, polls + 1),
                }
            };
            assert!(polls > 0, "the message arrives word by word");
            assert_eq!(data, &[4, 5, 6, 7]);
            let mut barrier = s.ibarrier()?;
            while let Test::Pending(back) = barrier.test()? {
                barrier = back;
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn many_requests_spill_and_slots_are_reused() {
    let world = world();
    let mut bufs = vec![[0u64; 2]; 2 * MANY];
    let src: Vec<[u64; 2]> = (0..2 * MANY as u64).map(|i| [i, 2 * i]).collect();
    world
        .scope(|s| {
            let receives: Vec<_> =
                bufs.iter_mut().zip(0..).map(|(buf, tag)| s.irecv(buf, 0, tag)).collect::<Result<_>>()?;
            for (message, tag) in src.iter().zip(0..) {
                s.isend(message, 0, tag)?.defer();
            }
            for (receive, i) in receives.into_iter().zip(0..) {
                assert_eq!(receive.wait()?.data, &[i, 2 * i]);
            }
            for _ in 0..2 * MANY {
                s.ibarrier()?.wait()?; // one slot, again and again
            }
            s.ibarrier()?.defer();
            Ok(())
        })
        .unwrap();
    assert_eq!(bufs, src);
}

#[test]
fn wait_all_on_a_vector_of_requests_beyond_the_inline_slots() {
    let world = world();
    let mut bufs = [0u32; MANY];
    world
        .scope(|s| {
            let receives: Vec<RecvRequest<'_, &mut u32>> =
                bufs.iter_mut().zip(0..).map(|(buf, tag)| s.irecv(buf, 0, tag)).collect::<Result<_>>()?;
            let numbers = s.keep((0..MANY as u32).collect::<Vec<u32>>());
            for (number, tag) in numbers.iter().zip(0..) {
                s.isend(number, 0, tag)?.defer();
            }
            let messages = wait_all(receives)?;
            assert!(messages.iter().zip(0..).all(|(m, i)| *m.data == i && m.status.tag() == i as i32));
            Ok(())
        })
        .unwrap();
    assert_eq!(bufs[..], (0..MANY as u32).collect::<Vec<u32>>());
}

#[test]
fn an_early_return_with_receives_in_flight() {
    let world = world();
    let (mut short, mut matched, mut never) = ([0u64; 1], [0u64; 4], [3u64; 4]);
    let error = world.scope(|s| {
        let r = s.irecv(&mut short, 0, 1)?;
        s.irecv(&mut matched, 0, 2)?.defer();
        s.irecv(&mut never, 0, 3)?.defer();
        s.isend(&[1u64, 2], 0, 1)?.defer();
        s.isend(&[7u64; 4], 0, 2)?.defer();
        r.wait()?; // truncated
        unreachable!()
    });
    assert_eq!(class::<(), _>(error), ErrorClass::TRUNCATE);
    assert_eq!((short, matched, never), ([1], [7; 4], [3; 4]));
}

#[test]
fn an_error_type_of_the_program() {
    #[derive(Debug, PartialEq)]
    enum Failure {
        Mpi(ErrorClass),
        Own(&'static str),
    }
    impl From<mpi::Error> for Failure {
        fn from(error: mpi::Error) -> Self {
            Failure::Mpi(error.class())
        }
    }
    let world = world();
    let mut a = [0u64; 2];
    let result = world.try_scope(|s| {
        s.irecv(&mut a, 0, 1)?.defer();
        Err::<(), _>(Failure::Own("no seed"))
    });
    assert_eq!(result, Err(Failure::Own("no seed")));
    let result = world.try_scope(|s| s.isend(&a, 1, 1).map(|r| r.defer()).map_err(Failure::from));
    assert_eq!(result, Err(Failure::Mpi(ErrorClass::RANK)));
    // What is left in flight fails only when the scope ends.
    let result = world.try_scope(|s| {
        s.irecv(&mut a[..1], 0, 1)?.defer();
        s.isend(&[1u64, 2], 0, 1)?.defer();
        Ok::<_, Failure>(())
    });
    assert!(matches!(result, Err(Failure::Mpi(ErrorClass::IN_STATUS | ErrorClass::TRUNCATE))), "{result:?}");
}

#[test]
fn a_failed_wait_all_that_leaves_operations_pending() {
    let world = world();
    hooks::leave_pending(Pending::Live);
    let (mut a, mut b, mut c) = ([0u64; 4], [0u64; 1], [0u64; 16]);
    let numbers: Vec<u64> = (0..16).collect();
    let error = world.scope(|s| {
        s.isend(&[1u64, 2, 3, 4], 0, 1)?.defer();
        s.isend(&[1u64, 2], 0, 2)?.defer();
        s.isend(&numbers, 0, 3)?.defer();
        let receives = (s.irecv(&mut a, 0, 1)?, s.irecv(&mut b, 0, 2)?, s.irecv(&mut c, 0, 3)?);
        let error = wait_all(receives).map(|_| ()).expect_err("the second is truncated");
        assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(1)));
        assert!(hooks::in_flight() > 0, "MPI still writes to the third");
        Ok(())
    });
    hooks::leave_pending(Pending::Never);
    error.unwrap();
    assert_eq!((a, b, c.as_slice()), ([1, 2, 3, 4], [1], numbers.as_slice()));
}

#[test]
fn a_scope_whose_own_wait_fails_and_leaves_operations_pending() {
    let world = world();
    hooks::leave_pending(Pending::Live);
    let (mut short, mut bufs) = ([0u64; 1], vec![[0u64; 4]; MANY]);
    let result = world.scope(|s| {
        s.irecv(&mut short, 0, 99)?.defer();
        s.isend(&[1u64, 2], 0, 99)?.defer();
        for (buf, tag) in bufs.iter_mut().zip(0..) {
            s.irecv(buf, 0, tag)?.defer();
        }
        for tag in 0..MANY {
            s.isend(&[6u64, 7, 8, 9], 0, tag as i32)?.defer();
        }
        Ok(())
    });
    hooks::leave_pending(Pending::Never);
    assert!(result.is_err());
    assert_eq!((short, bufs), ([1], vec![[6, 7, 8, 9]; MANY]));
}

#[test]
fn unwinding_with_everything_complete_is_an_ordinary_panic() {
    let world = world();
    let mut a = [0u64; 1];
    let caught = catch_unwind(AssertUnwindSafe(|| {
        world.scope(|s| {
            let kept = s.keep(vec![1u64]);
            let r = s.irecv(&mut a, 0, 1)?;
            s.isend(&*kept, 0, 1)?.defer();
            r.wait()?;
            if true {
                panic!("a bug of the program");
            }
            Ok(())
        })
    }));
    assert!(caught.is_err());
    assert_eq!(a, [1]);
}

#[test]
fn helpers_take_the_scope_and_return_requests() {
    fn post<'s>(s: Scope<'s, '_>, buf: &'s mut [u64]) -> Result<RecvRequest<'s, &'s mut [u64]>> {
        s.irecv(buf, Source::ANY, Tag::ANY)
    }
    let world = world();
    let other = world.dup().unwrap();
    let (mut a, mut b) = (vec![0u64; 2], vec![0u64; 2]);
    world
        .scope(|s| {
            let here = post(s, &mut a)?;
            let there = post(s.on(&other), &mut b)?;
            s.on(&other).isend(&[1u64, 2], 0, 9)?.defer();
            assert_eq!(there.wait()?.data, [1, 2]);
            s.isend(&[3u64, 4], 0, 8)?.defer();
            let message = here.wait()?;
            assert_eq!((message.data, message.status.tag()), (&mut [3, 4][..], 8.into()));
            assert_eq!(s.on(&other).comm().size(), 1);
            Ok(())
        })
        .unwrap();
}

#[test]
fn scopes_nest() {
    let world = world();
    let (mut a, mut b) = ([0u64; 4], [0u64; 4]);
    world
        .scope(|s| {
            let outer = s.irecv(&mut a, 0, 1)?;
            let local = [1u64, 2, 3, 4];
            world.scope(|t| {
                t.isend(&local, 0, 2)?.defer(); // a local of the outer body can be lent to the inner scope
                t.irecv(&mut b, 0, 2)?.defer();
                Ok(())
            })?;
            let again = s.keep(local);
            s.isend(&*again, 0, 1)?.defer();
            drop(outer);
            Ok(())
        })
        .unwrap();
    assert_eq!((a, b), ([1, 2, 3, 4], [1, 2, 3, 4]));
}
