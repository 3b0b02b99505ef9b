//! Every owner, every kind of post, every way a request is kept.

use crate::other;
use crate::sample::{Sample, same, samples};
use mpi::buffer::{OwnedRecv, OwnedSend};
use mpi::request::{Pending, PendingRecv, PendingSend, Test};
use mpi::{AnyBits, Communicator, ErrorClass, Result, Source, Tag};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;

fn through<S: OwnedSend, R: OwnedRecv>(
    world: &Communicator,
    send: S,
    into: R,
    check: impl Fn(R, S),
) -> Result<()> {
    let peer = other(world);
    let incoming = world.irecv(into, peer, 3)?;
    let outgoing = world.isend(send, peer, 3)?;
    let got = incoming.wait()?;
    assert_eq!((got.status.source(), got.status.tag()), (Some(peer), Tag::from(3)));
    check(got.data, outgoing.wait()?);
    world.barrier()
}

fn owners<T: Sample + AnyBits>(world: &Communicator, len: usize) -> Result<()> {
    let (mine, theirs) = (samples::<T>(world.rank(), len), samples::<T>(other(world), len));
    let old = || samples::<T>(99, len);
    through(world, mine.clone(), old(), |got, back| {
        same(&got, &theirs);
        same(&back, &mine);
    })?;
    through(world, mine.clone().into_boxed_slice(), old().into_boxed_slice(), |got, _| same(&got, &theirs))?;
    through(world, Arc::<[T]>::from(mine.clone()), old(), |got, _| same(&got, &theirs))?;
    through(world, Rc::<[T]>::from(mine.clone()), old().leak(), |got, _| same(got, &theirs))?;
    let leaked: &'static [T] = mine.clone().leak();
    through(world, leaked, old(), |got, _| same(&got, &theirs))?;
    through(world, mine.clone().leak(), old(), |got, _| same(&got, &theirs))
}

#[mpi::test(ranks = 2)]
fn owners_of_every_kind(world: Communicator) -> Result<()> {
    for len in [0, 1, 17, 100_000] {
        owners::<u8>(&world, len)?;
        owners::<f64>(&world, len)?;
    }
    owners::<i128>(&world, 9)?;
    owners::<[i32; 3]>(&world, 9)?;
    let (mine, theirs) = (world.rank() as u32, other(&world) as u32);
    through(&world, Box::new(mine), Box::new(7), |got, _| assert_eq!(*got, theirs))?;
    through(&world, Box::new([mine; 5]), Box::new([7; 5]), |got, _| assert_eq!(*got, [theirs; 5]))?;
    through(&world, &[1u16, 2, 3][..], vec![0u16; 4], |got, _| assert_eq!(got, [1, 2, 3, 0]))
}

/// What a user may own: rows in one allocation.
struct Rows {
    cells: Vec<f32>,
    cols: usize,
}
// SAFETY: the cells are in a vector, which nobody touches unless the rows are used.
unsafe impl OwnedSend for Rows {
    type Elem = f32;
    fn elements(&self) -> &[f32] {
        &self.cells
    }
}
// SAFETY: as above.
unsafe impl OwnedRecv for Rows {
    type Elem = f32;
    fn elements_mut(&mut self) -> &mut [f32] {
        &mut self.cells[..]
    }
}

#[mpi::test(ranks = 2)]
fn a_type_of_the_users_own(world: Communicator) -> Result<()> {
    let rows = |seed| Rows { cells: samples::<f32>(seed, 300), cols: 30 };
    let expected = rows(other(&world));
    through(&world, rows(world.rank()), rows(50), |got, back| {
        same(&got.cells, &expected.cells);
        assert_eq!((got.cols, back.cols), (30, 30));
    })
}

struct Neighbour {
    incoming: Option<PendingRecv<Vec<u64>>>,
    outgoing: Option<PendingSend<Vec<u64>>>,
}

/// What borrows cannot do: an exchange that begins in one call and ends in another.
impl Neighbour {
    fn begin(&mut self, world: &Communicator, mine: Vec<u64>, room: Vec<u64>) -> Result<()> {
        self.incoming = Some(world.irecv(room, other(world), 0)?);
        self.outgoing = Some(world.isend(mine, other(world), 0)?);
        Ok(())
    }
    fn end(&mut self) -> Result<(Vec<u64>, Vec<u64>)> {
        let theirs = self.incoming.take().expect("begun").wait()?.data;
        Ok((self.outgoing.take().expect("begun").wait()?, theirs))
    }
}

#[mpi::test(ranks = 2)]
fn a_struct_keeps_requests_over_time_steps(world: Communicator) -> Result<()> {
    let mut neighbour = Neighbour { incoming: None, outgoing: None };
    let (mut mine, mut room) = (vec![world.rank() as u64; 3000], vec![0; 3000]);
    for step in 0..50 {
        neighbour.begin(&world, mine, room)?;
        let (back, theirs) = neighbour.end()?;
        assert_eq!(theirs, [other(&world) as u64 + step; 3000]);
        (mine, room) = (back, theirs);
        mine.iter_mut().for_each(|x| *x += 1);
    }
    Ok(())
}

/// A synchronous send is not complete before the receive is posted.
#[mpi::test(ranks = 2)]
fn issend_waits_for_the_receiver(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        let mut sent = world.issend(vec![4u8], 1, 0)?;
        for _ in 0..200 {
            sent = match sent.test()? {
                Test::Pending(request) => request,
                Test::Done(_) => panic!("nobody has received it"),
            };
        }
        world.barrier()?;
        assert_eq!(sent.wait()?, [4]);
    } else {
        world.barrier()?;
        assert_eq!(world.irecv(vec![0u8], 0, 0)?.wait()?.data, [4]);
    }
    Ok(())
}

fn unknown<T: Sample>(world: &Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(world));
    for len in [0, 1, 1000, 70_000] {
        let mut awaited = world.irecv_vec::<T>(Source::ANY, Tag::ANY)?;
        let outgoing = world.isend(samples::<T>(me, len), peer, 1)?;
        let got = if len == 1000 {
            awaited.wait()?
        } else {
            loop {
                match awaited.test()? {
                    Test::Done(got) => break got,
                    Test::Pending(request) => awaited = request,
                }
            }
        };
        same(&got.data, &samples::<T>(peer, len));
        assert_eq!((got.status.source(), got.status.count::<T>()), (Some(peer), Some(len)));
        outgoing.wait()?;
        world.barrier()?;
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn vectors_of_unknown_length(world: Communicator) -> Result<()> {
    unknown::<u8>(&world)?;
    unknown::<f64>(&world)?;
    unknown::<i128>(&world)?;
    unknown::<[u16; 3]>(&world)?;
    unknown::<bool>(&world)?;
    unknown::<char>(&world)?;
    unknown::<NonZero<i32>>(&world)
}

#[mpi::test(ranks = [1, 2])]
fn broken_messages_of_unknown_length_are_consumed(world: Communicator) -> Result<()> {
    let me = world.rank();
    let outgoing = world.isend(vec![1u8, 7], me, 0)?;
    assert_eq!(world.irecv_vec::<bool>(me, 0)?.wait().expect_err("no booleans").class(), ErrorClass::TYPE);
    outgoing.wait()?;
    let outgoing = world.isend(vec![1u8, 2, 3], me, 0)?;
    let broken = world.irecv_vec::<u32>(me, 0)?.wait().expect_err("three bytes");
    assert_eq!(broken.class(), ErrorClass::COUNT);
    assert!(broken.to_string().contains("3 bytes"), "{broken}");
    outgoing.wait()?;
    let outgoing = world.isend(vec![5u32], me, 0)?;
    assert_eq!(world.irecv_vec::<u32>(me, 0)?.wait()?.data, [5]);
    outgoing.wait().map(drop).map_err(Into::into)
}

#[mpi::test(ranks = [1, 2])]
fn to_and_from_nowhere(world: Communicator) -> Result<()> {
    assert_eq!(world.isend(vec![1u8], None, 0)?.wait()?, [1]);
    let got = world.irecv(vec![5u8; 2], None, 0)?.wait()?;
    assert_eq!((got.data, got.status.source(), got.status.count::<u8>()), (vec![5, 5], None, Some(0)));
    let got = world.irecv_vec::<u64>(None, 0)?.wait()?;
    assert_eq!((got.data.len(), got.status.source()), (0, None));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn what_is_refused_comes_back(world: Communicator) -> Result<()> {
    let size = world.size();
    let refused = world.isend(vec![1u64, 2], size, 0).expect_err("no such rank");
    assert_eq!((refused.error.class(), refused.data), (ErrorClass::RANK, vec![1, 2]));
    let refused = world.irecv(Box::new(4u64), size, 0).expect_err("no such rank");
    assert_eq!((refused.error.call(), *refused.data), ("MPI_Irecv", 4));
    let refused = world.issend(Arc::<[u8]>::from([1, 2]), 0, -1).expect_err("no such tag");
    assert_eq!((refused.error.class(), refused.data.len()), (ErrorClass::TAG, 2));
    let boxed: Box<dyn std::error::Error> = world.isend(vec![0u8], size, 0).expect_err("no such rank").into();
    assert!(boxed.to_string().contains("destination"), "{boxed}");
    Ok(())
}

/// The error says so, the buffer is usable, and so is the communicator.
#[mpi::test(ranks = 2)]
fn a_message_that_is_too_long(world: Communicator) -> Result<()> {
    let peer = other(&world);
    for len in [4usize, 100_000] {
        let incoming = world.irecv(vec![9u64; 3], peer, 0)?;
        world.barrier()?;
        let outgoing = world.isend(vec![1u64; len], peer, 0)?;
        let failed = incoming.wait().expect_err("it is too long");
        assert_eq!(failed.error.class(), ErrorClass::TRUNCATE);
        let buffer = failed.data.expect("MPI is done with it");
        assert_eq!(buffer.len(), 3);
        outgoing.wait()?;
        let incoming: Pending<_> = world.irecv(buffer, peer, 1)?;
        world.send(&[5u64; 2], peer, 1)?;
        assert_eq!(incoming.wait()?.data[..2], [5, 5]);
        world.barrier()?;
    }
    Ok(())
}
