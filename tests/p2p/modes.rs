//! Every send mode, blocking and in flight: types × sizes × forms.

use crate::SIZES;
use crate::sample::{Sample, same, samples};
use mpi::buffer::{SendBuf, Strided};
use mpi::request::Test;
use mpi::{Communicator, Result, Source, Tag, buffered, wait_all};

/// How rank 0 sends to rank 1, each way with a tag of its own.
const WAYS: i32 = 8;

/// Sends `out` in every mode. Rank 1 has posted a receive for each of the ready ones.
fn send_in_every_way<S>(world: &Communicator, out: &S) -> Result<()>
where
    S: SendBuf + ?Sized,
{
    world.send(out, 1, 0)?;
    world.ssend(out, 1, 1)?;
    world.bsend(out, 1, 2)?;
    // SAFETY: rank 1 has posted its receive before the barrier that this rank has left (`pass`).
    unsafe { world.rsend(out, 1, 3) }?;
    world.scope(|s| {
        let standard = s.isend(out, 1, 4)?;
        let synchronous = s.issend(out, 1, 5)?;
        let buffered = s.ibsend(out, 1, 6)?;
        // SAFETY: as above.
        let ready = unsafe { s.irsend(out, 1, 7) }?;
        wait_all([standard, synchronous, buffered, ready]).map(|_| ())
    })
}

/// Sends `out` from rank 0 in every mode, and compares what arrives.
fn pass<T: Sample + mpi::AnyBits, S>(world: &Communicator, out: &S, expected: &[T]) -> Result<()>
where
    S: SendBuf<Elem = T> + ?Sized,
{
    buffered::attach(2 * buffered::room_for::<T>(expected.len()))?;
    if world.rank() == 0 {
        world.barrier()?;
        send_in_every_way(world, out)?;
    } else {
        let mut received = vec![samples::<T>(9, expected.len()); WAYS as usize];
        world.scope(|s| {
            for (buffer, tag) in received.iter_mut().zip(0..) {
                s.irecv(buffer, 0, tag)?.defer();
            }
            world.barrier()
        })?;
        received.iter().for_each(|buffer| same(buffer, expected));
    }
    buffered::detach().map(|_| ())
}

macro_rules! every_mode {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $name(world: Communicator) -> Result<()> {
            for len in SIZES {
                let values = samples::<$t>(0, len);
                pass(&world, &values, &values)?;
            }
            let values = samples::<$t>(0, 4);
            pass::<$t, [$t]>(&world, &values[1..3], &values[1..3])?;
            pass::<$t, [$t; 2]>(&world, &[values[0], values[3]], &[values[0], values[3]])
        }
    )+ };
}
every_mode! {
    bytes: u8;
    shorts: i16;
    floats: f32;
    doubles: f64;
    wide: u128;
    arrays: [i32; 3];
}

#[mpi::test(ranks = 2)]
fn single_values(world: Communicator) -> Result<()> {
    pass(&world, &0.25f64, &[0.25])?;
    pass(&world, &u64::MAX, &[u64::MAX])
}

#[mpi::test(ranks = 2)]
fn columns_and_blocks(world: Communicator) -> Result<()> {
    let matrix = samples::<i64>(0, 400 * 60);
    for (offset, rows, cols) in [(7, 400, 1), (0, 399, 59), (60, 1, 60), (3, 0, 4)] {
        let view = Strided::new(&matrix, offset, rows, cols, 60)?;
        pass(&world, &view, &view.iter().copied().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Types that are checked travel in every mode as well.
#[mpi::test(ranks = 2)]
fn checked_types(world: Communicator) -> Result<()> {
    buffered::attach(2 * buffered::room_for::<char>(1000))?;
    let values = samples::<char>(0, 1000);
    if world.rank() == 0 {
        world.ssend(&values, 1, 0)?;
        world.bsend(&values, 1, 0)?;
        world.bsend(&true, 1, 1)?;
        world.scope(|s| wait_all((s.issend(&values, 1, 2)?, s.ibsend(&false, 1, 2)?)).map(|_| ()))?;
    } else {
        same(&world.recv_vec::<char>(0, 0)?.data, &values);
        same(&world.recv_vec::<char>(0, 0)?.data, &values);
        assert!(world.recv::<bool>(0, 1)?.data);
        same(&world.recv_vec::<char>(0, 2)?.data, &values);
        assert!(!world.recv::<bool>(0, 2)?.data);
    }
    buffered::detach().map(|_| ())
}

#[mpi::test(ranks = 2)]
fn a_synchronous_send_waits_for_its_receiver(world: Communicator) -> Result<()> {
    world.scope(|s| {
        if world.rank() == 1 {
            world.recv::<u8>(0, 0)?; // the send with tag 1 was tested before this
            return world.recv::<u8>(0, 1).map(|_| ());
        }
        let mut request = s.issend(&5u8, 1, 1)?;
        for _ in 0..1000 {
            let Test::Pending(again) = request.test()? else { panic!("nobody receives yet") };
            request = again;
        }
        world.send(&0u8, 1, 0)?;
        assert_eq!(request.wait()?, &5);
        Ok(())
    })
}

/// To nobody, in every mode; a buffered or ready send needs neither buffer nor receiver for that.
#[mpi::test(ranks = [1, 2])]
fn to_nobody(world: Communicator) -> Result<()> {
    buffered::attach(buffered::room_for::<u8>(4))?;
    let values = [1u8; 4];
    world.bsend(&values, None, 0)?;
    // SAFETY: a message to nobody matches nothing.
    unsafe { world.rsend(&values, None, 0) }?;
    world.scope(|s| {
        s.issend(&values, None, 0)?.wait()?;
        s.ibsend(&values, None, 0)?.wait()?;
        // SAFETY: as above.
        unsafe { s.irsend(&values, None, 0) }?.wait()?;
        Ok(())
    })?;
    buffered::detach().map(|_| ())
}

/// Everybody sends to everybody in every mode that needs no receiver, and receives in whatever order it comes.
#[mpi::test(ranks = [1, 3, 4])]
fn everybody_to_everybody(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let values = samples::<u32>(me, 50);
    buffered::attach(2 * size * buffered::room_for::<u32>(50))?;
    world.scope(|s| {
        for to in 0..size {
            s.issend(&values, to, 1)?.defer();
            s.ibsend(&values[1..], to, 2)?.defer();
            world.bsend(&values[2..], to, 3)?;
        }
        for _ in 0..3 * size {
            let got = world.recv_vec::<u32>(Source::ANY, Tag::ANY)?;
            let (from, tag) = (got.status.source().expect("a rank"), got.status.tag().get());
            same(&got.data, &samples::<u32>(from, 50)[tag as usize - 1..]);
        }
        Ok(())
    })?;
    buffered::detach().map(|_| ())
}
