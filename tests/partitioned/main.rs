//! Partitioned messages on a real MPI, where it has them.

mod scoped;

use mpi::request::Test;
use mpi::{Communicator, ErrorClass, Result};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Whether this library has partitioned communication; if not, asking for it must be an `Err` that says so.
fn available(world: &Communicator) -> bool {
    match world.psend_init([0u8; 2], 2, None, 0) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!((error.class(), error.call()), (ErrorClass::UNSUPPORTED_OPERATION, "MPI_Psend_init"));
            let text = error.to_string();
            assert!(text.contains("needs MPI 4.0") || text.contains("does not check the size"), "{text}");
            assert!(world.precv_init([0u8; 2], 2, None, 0).is_err());
            false
        }
    }
}

fn ring(world: &Communicator) -> (usize, usize) {
    let (me, size) = (world.rank(), world.size());
    ((me + 1) % size, (me + size - 1) % size)
}

/// What `rank` puts at place `i` in a round.
fn value(rank: usize, round: usize, i: usize) -> u64 {
    (rank * 1_000_000 + round * 100_000 + i) as u64
}

/// The two sides cut one message differently, and threads fill the sender's partitions.
#[mpi::test(ranks = [2, 3])]
fn threads_fill_a_message_around_a_ring(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank(), ring(&world));
    for (len, parts, cuts) in [(24, 4, 6), (1, 1, 1), (60_000, 10, 4), (12, 12, 1)] {
        let mut send = world.psend_init(vec![0u64; len], parts, next, 1)?;
        let mut receive = world.precv_init(vec![0u64; len], cuts, previous, 1)?;
        for round in 0..4 {
            let arriving = receive.start()?;
            let mut filling = send.start()?;
            std::thread::scope(|threads| {
                let mut partitions: Vec<_> = filling.partitions().collect();
                partitions.reverse();
                for mut partition in partitions {
                    threads.spawn(move || {
                        let first = partition.index() * partition.len();
                        partition.iter_mut().enumerate().for_each(|(i, x)| *x = value(me, round, first + i));
                    });
                }
            });
            filling.wait()?;
            while arriving.arrived(cuts - 1)?.is_none() {}
            let last = arriving.arrived(cuts - 1)?.map(|part| part[part.len() - 1]);
            assert_eq!(last, Some(value(previous, round, len - 1)));
            arriving.wait()?;
            assert!(receive.buffer()?.iter().copied().eq((0..len).map(|i| value(previous, round, i))));
        }
        assert_eq!((send.into_inner()?.len(), receive.into_inner()?.len()), (len, len));
    }
    Ok(())
}

/// A pool of threads fills the partitions, with threads that may call MPI themselves and with threads that may not.
#[mpi::test(ranks = 2)]
fn a_rayon_pool_fills_a_message(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank(), ring(&world));
    let mut send = world.psend_init(vec![0u64; 6400], 64, next, 1)?;
    let mut receive = world.precv_init(vec![0u64; 6400], 8, previous, 1)?;
    for round in 0..5 {
        let arriving = receive.start()?;
        let mut filling = send.start()?;
        filling.partitions().collect::<Vec<_>>().into_par_iter().for_each(|mut partition| {
            let first = 100 * partition.index();
            partition.iter_mut().enumerate().for_each(|(i, x)| *x = value(me, round, first + i));
        });
        filling.wait()?;
        arriving.wait()?;
        assert!(receive.buffer()?.iter().copied().eq((0..6400).map(|i| value(previous, round, i))));
    }
    Ok(())
}

/// Forgotten tokens and forgotten messages; a drop in flight.
#[mpi::test(ranks = 2)]
fn what_is_forgotten_is_completed(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank() as u32, ring(&world));
    let mut send = world.psend_init(vec![me; 40], 4, next, 2)?;
    let mut receive = world.precv_init(vec![9u32; 40], 4, previous, 2)?;
    for round in 0..4 {
        let arriving = receive.start()?;
        let mut filling = send.start()?;
        filling.partition(1)?.fill(me + 10 * round);
        filling.ready(1..2)?;
        filling.partitions().for_each(std::mem::forget);
        match round {
            0 => (filling.wait()?, arriving.wait()?).0,
            1 => (drop(filling), drop(arriving)).0,
            2 => {
                drop(filling);
                std::mem::forget(arriving);
            }
            _ => {
                std::mem::forget(filling);
                assert_eq!(send.buffer()?[0], me);
                arriving.wait()?;
            }
        }
        let got = receive.buffer()?;
        assert_eq!(
            (got[0], got[10], got[39]),
            (previous as u32, previous as u32 + 10 * round, previous as u32)
        );
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn mistakes_are_refused(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let class = |error: mpi::Error| error.class();
    assert_eq!(world.psend_init([0u8; 7], 3, 0, 0).map_err(class).err(), Some(ErrorClass::COUNT));
    assert_eq!(world.precv_init([0u8; 7], 0, 0, 0).map_err(class).err(), Some(ErrorClass::COUNT));
    assert_eq!(world.psend_init([0u8; 4], 2, world.size(), 0).map_err(class).err(), Some(ErrorClass::RANK));
    assert_eq!(world.precv_init([0u8; 4], 2, 0, -1).map_err(class).err(), Some(ErrorClass::TAG));
    let mut send = world.psend_init([0u8; 6], 3, None, 0)?;
    let mut filling = send.start()?;
    filling.ready(0..2)?;
    assert_eq!(filling.ready(1..3).map_err(class), Err(ErrorClass::ARG));
    assert_eq!(filling.partition(0).map_err(class).err(), Some(ErrorClass::ARG));
    assert_eq!(filling.partition(3).map_err(class).err(), Some(ErrorClass::ARG));
    assert_eq!(filling.partitions().map(|partition| partition.index()).collect::<Vec<_>>(), [2]);
    filling.wait()
}

/// The two sides disagree on the size: an error for the receiver, never a write past its buffer.
#[mpi::test(ranks = 2)]
fn a_message_of_another_size(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    for (sent, room) in [(64, 8), (400_000, 8), (8, 64)] {
        if world.rank() == 0 {
            world.psend_init(vec![7u64; sent], 4, 1, 3)?.start()?.wait()?;
        } else {
            let mut memory = vec![1u64; 2 * room];
            memory.truncate(room);
            let mut receive = world.precv_init(memory, 4, 0, 3)?;
            assert!(receive.start()?.wait().is_err(), "{sent} elements sent, room for {room}");
        }
        world.barrier()?;
    }
    Ok(())
}

/// A persistent receive and a partitioned message at once.
#[mpi::test(ranks = 2)]
fn beside_a_persistent_receive(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let peer = 1 - world.rank();
    let mut send = world.psend_init([3u16; 8], 2, peer, 0)?;
    let mut parts = world.precv_init([0u16; 8], 2, peer, 0)?;
    let mut whole = world.recv_init([0u16; 8], peer, 0)?;
    let (arriving, mut plain, filling) = (parts.start()?, whole.start()?, send.start()?);
    world.send(&[5u16; 8], peer, 0)?;
    filling.wait()?;
    arriving.wait()?;
    while let Test::Pending(again) = plain.test()? {
        plain = again;
    }
    assert_eq!((parts.buffer()?, whole.buffer()?), (&[3; 8][..], &[5; 8][..]));
    Ok(())
}

/// A list of partitions in any order; what is refused leaves all of it to be filled.
#[mpi::test(ranks = [1, 2])]
fn a_list_of_partitions(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank(), ring(&world));
    let mut send = world.psend_init(vec![0u64; 60], 6, next, 1)?;
    let mut receive = world.precv_init(vec![0u64; 60], 6, previous, 1)?;
    for round in 0..3 {
        let arriving = receive.start()?;
        let mut filling = send.start()?;
        for index in 0..6 {
            let part = filling.partition(index)?;
            part.iter_mut().enumerate().for_each(|(i, x)| *x = value(me, round, 10 * index + i));
        }
        for (list, class) in [
            (&[5, 0, 5][..], ErrorClass::ARG),
            (&[1, 6], ErrorClass::ARG),
            (&[2, usize::MAX], ErrorClass::ARG),
        ] {
            let error = filling.ready_list(list).expect_err("twice, or none of six");
            assert_eq!((error.class(), error.call()), (class, "MPI_Pready_list"), "{error}");
        }
        filling.ready_list(&[])?;
        filling.ready_list(&[5, 0, 3])?;
        assert!(filling.ready_list(&[1, 3]).is_err() && filling.partition(3).is_err());
        assert!(filling.partition(1)?.len() == 10, "what was refused is not ready");
        filling.ready_list(&[1, 2])?;
        filling.wait()?; // makes the last one ready
        arriving.wait()?;
        assert!(receive.buffer()?.iter().copied().eq((0..60).map(|i| value(previous, round, i))));
    }
    Ok(())
}
