//! Every mode of persistent sends: types × sizes, alone and in a plan.

use crate::sample::{Sample, same, samples};
use mpi::persistent::{PersistentSend, Plan};
use mpi::{AnyBits, Communicator, ErrorClass, Result, buffered};

/// Whether there are buffered ones.
const BUFFERED: bool = cfg!(not(mpi_abi = "openmpi"));

fn ring(world: &Communicator) -> (usize, usize) {
    let (me, size) = (world.rank(), world.size());
    ((me + 1) % size, (me + size - 1) % size)
}

type Make<'c, T> = fn(&'c Communicator, Vec<T>, usize, i32) -> Result<PersistentSend<'c, T>>;

fn pass<T: Sample + AnyBits>(world: &Communicator, len: usize) -> Result<()> {
    let (me, (next, previous)) = (world.rank(), ring(world));
    let modes: [Make<'_, T>; 4] = [
        |comm, data, to, tag| Ok(comm.send_init(data, to, tag)?),
        |comm, data, to, tag| Ok(comm.ssend_init(data, to, tag)?),
        // SAFETY: started below, after everybody has started to receive.
        |comm, data, to, tag| Ok(unsafe { comm.rsend_init(data, to, tag) }?),
        |comm, data, to, tag| Ok(comm.bsend_init(data, to, tag)?),
    ];
    for (tag, make) in (0..).zip(modes) {
        let made = make(world, samples(me, len), next, tag);
        if tag == 3 && !is_buffered(world) {
            let error = made.expect_err("it loses messages");
            assert_eq!((error.class(), error.call()), (ErrorClass::UNSUPPORTED_OPERATION, "MPI_Bsend_init"));
            assert!(error.to_string().contains("bsend-no-room"), "{error}");
            continue;
        }
        let mut send = made?;
        let mut receive = world.recv_init(samples::<T>(99, len), previous, tag)?;
        for round in 0..3 {
            send.buffer_mut()?.copy_from_slice(&samples(me + round, len));
            let incoming = receive.start()?;
            world.barrier()?;
            let outgoing = send.start()?;
            assert_eq!(incoming.wait()?.count::<T>(), Some(len));
            outgoing.wait()?;
            same(receive.buffer()?, &samples::<T>(previous + round, len));
        }
    }
    Ok(())
}

fn is_buffered(_: &Communicator) -> bool {
    BUFFERED
}

#[mpi::test(ranks = [1, 2, 3])]
fn one_send_in_every_mode(world: Communicator) -> Result<()> {
    buffered::attach(2 * buffered::room_for::<f64>(20_000))?;
    for len in [0, 1, 7, 20_000] {
        pass::<f64>(&world, len)?;
        pass::<[i16; 3]>(&world, len)?;
        pass::<u8>(&world, len)?;
    }
    buffered::detach().map(|_| ())
}

/// All modes in one plan, from blocks of one grid; the receives start with them.
#[mpi::test(ranks = [1, 2, 4])]
fn a_plan_of_every_mode(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank() as u64, ring(&world));
    buffered::attach(2 * buffered::room_for::<u64>(50))?;
    let mut plan = Plan::new(&world);
    let grid = plan.grid(vec![0u64; 8 * 50], 8, 50)?;
    plan.send(grid, (0, 0..50), next, 0)?.ssend(grid, (1, 0..50), next, 1)?;
    let rows = if is_buffered(&world) { plan.bsend(grid, (2, 0..50), next, 2)?.operations() } else { 2 };
    for row in 0..rows {
        plan.recv(grid, (row + 4, 0..50), previous, row as i32)?;
    }
    for round in 0..4u64 {
        plan.get_mut(grid)?[..200].fill(me + 10 * round);
        plan.start()?.wait()?;
        assert_eq!(plan.get(grid)?[200..200 + 50 * rows], vec![previous as u64 + 10 * round; 50 * rows]);
    }
    assert_eq!(plan.operations(), 2 * rows);
    buffered::detach().map(|_| ())
}

/// Without room the start fails, and what was started is not lost.
#[mpi::test(ranks = [1, 2])]
fn a_buffered_send_without_room(world: Communicator) -> Result<()> {
    if !is_buffered(&world) {
        return world.bsend_init([0u8; 9], 0, 0).map_or(Ok(()), |_| panic!("it would lose messages"));
    }
    let (next, previous) = ring(&world);
    let mut send = world.bsend_init([7u64; 100], next, 0)?;
    assert!(send.start().is_err(), "no buffer is attached");
    buffered::attach(buffered::room_for::<u64>(100))?;
    for _ in 0..3 {
        let incoming = world.irecv(vec![0u64; 100], previous, 0)?;
        send.start()?.wait()?;
        assert_eq!(incoming.wait()?.data, [7; 100]);
        buffered::flush()?;
    }
    buffered::detach().map(|_| ())
}
