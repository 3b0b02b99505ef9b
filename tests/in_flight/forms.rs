//! What can be lent, and that it comes back.

use crate::sample::{same, samples};
use mpi::buffer::{Strided, StridedMut};
use mpi::{Communicator, Result, Source, Tag};
use std::mem::MaybeUninit;

/// The other of two ranks.
fn other(world: &Communicator) -> usize {
    1 - world.rank()
}

#[mpi::test(ranks = 2)]
fn a_receive_gives_its_buffer_and_a_send_its_borrow_back(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let (mine, mut theirs) = (samples::<u32>(me, 100), vec![0; 100]);
    world.scope(|s| {
        let incoming = s.irecv(&mut theirs, peer, 3)?;
        let outgoing = s.isend(&mine, peer, 3)?;
        assert_eq!(mine.len(), 100, "what is being sent can be read meanwhile");
        let got = incoming.wait()?;
        same(got.data, &samples::<u32>(peer, 100));
        assert_eq!((got.status.source(), got.status.count::<u32>()), (Some(peer), Some(100)));
        got.data[0] = 1; // ours, inside the scope
        let back: &Vec<u32> = outgoing.wait()?;
        assert_eq!(back, &mine);
        Ok(())
    })?;
    assert_eq!(theirs[0], 1);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_buffer_is_lent_again_after_it_came_back(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut token = [world.rank() as u64];
    world.scope(|s| {
        let mut buffer = &mut token;
        for round in 0..20 {
            buffer = s.isend(buffer, peer, round)?.wait()?; // one word is eager
            buffer = s.irecv(buffer, peer, round)?.wait()?.data;
            buffer[0] += 10;
        }
        Ok(())
    })?;
    assert_eq!(token, [200 + world.rank() as u64]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn values_arrays_vectors_slices(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank() as i32, other(&world));
    let (mut value, mut array, mut vector, mut slice) = (0, [0; 2], vec![0; 3], [0; 9]);
    world.scope(|s| {
        let v = s.irecv(&mut value, peer, 0)?;
        let a = s.irecv(&mut array, peer, 1)?;
        let w = s.irecv(&mut vector, peer, 2)?;
        let x = s.irecv(&mut slice[2..6], peer, 3)?;
        let n = s.keep(me + 1);
        s.isend(&*n, peer, 0)?.defer();
        s.isend(s.keep([me + 1; 2]), peer, 1)?.defer();
        s.isend(s.keep(vec![me + 1; 3]), peer, 2)?.defer();
        s.isend(&s.keep([me + 1; 9])[..4], peer, 3)?.defer();
        let theirs = peer as i32 + 1;
        assert_eq!(*v.wait()?.data, theirs);
        assert_eq!(*a.wait()?.data, [theirs; 2]);
        assert_eq!(w.wait()?.data, [theirs; 3]);
        assert_eq!(x.wait()?.data, [theirs; 4]);
        Ok(())
    })?;
    let theirs = peer as i32 + 1;
    assert_eq!((value, array, &vector[..]), (theirs, [theirs; 2], &[theirs; 3][..]));
    assert_eq!(slice, [0, 0, theirs, theirs, theirs, theirs, 0, 0, 0]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn strided_views_both_ways(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let (mine, mut theirs) = (samples::<f64>(me, 40 * 50), vec![0.0; 40 * 50]);
    world.scope(|s| {
        let incoming = s.irecv(StridedMut::new(&mut theirs, 7, 40, 1, 50)?, peer, 0)?;
        let outgoing = s.isend(Strided::new(&mine, 3, 40, 1, 50)?, peer, 0)?;
        let column = incoming.wait()?.data;
        assert_eq!((column.rows(), column.cols()), (40, 1));
        assert_eq!(outgoing.wait()?.rows(), 40);
        Ok(())
    })?;
    let expected = samples::<f64>(peer, 40 * 50);
    for (i, &x) in theirs.iter().enumerate() {
        assert_eq!(x, if i % 50 == 7 { expected[i - 4] } else { 0.0 }, "element {i}");
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn uninitialized_memory_gives_what_arrived(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mine = samples::<u16>(world.rank(), 5 + world.rank());
    let mut room = [MaybeUninit::<u16>::uninit(); 20];
    world.scope(|s| {
        let incoming = s.irecv(&mut room[..], peer, 0)?;
        s.isend(&mine, peer, 0)?.defer();
        let (arrived, rest) = incoming.wait()?.data;
        assert_eq!(arrived, samples::<u16>(peer, 5 + peer));
        assert_eq!(rest.len(), 15 - peer);
        Ok(())
    })
}

#[mpi::test(ranks = [2, 4])]
fn wildcards(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    if me > 0 {
        let mine = [me; 3];
        return world.scope(|s| s.isend(&mine, 0, me as i32).map(|request| request.defer()));
    }
    let mut slots = vec![[0usize; 3]; size - 1];
    let mut seen: Vec<usize> = world.scope(|s| {
        let receives = slots.iter_mut().map(|slot| s.irecv(slot, Source::ANY, Tag::ANY));
        let receives = receives.collect::<Result<Vec<_>>>()?;
        let check = |got: mpi::Received<&mut [usize; 3]>| {
            let from = got.status.source().expect("it came from somewhere");
            assert_eq!((*got.data, got.status.tag().get()), ([from; 3], from as i32));
            from
        };
        Ok(mpi::wait_all(receives)?.into_iter().map(check).collect())
    })?;
    seen.sort_unstable();
    assert!(seen.into_iter().eq(1..size));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn nobody(world: Communicator) -> Result<()> {
    let (mut buffer, mut room) = ([5u8; 3], [MaybeUninit::<u8>::uninit(); 3]);
    world.scope(|s| {
        // More than there are slots, some alive at once: null requests must not share a slot with real ones.
        let sends = (0..40).map(|_| s.isend(&7u8, None, 0)).collect::<Result<Vec<_>>>()?;
        let real = s.irecv(s.keep(0u32), world.rank(), 9)?;
        let nothing = s.irecv(&mut buffer, None, 0)?;
        let empty = s.irecv(&mut room[..], None, Tag::ANY)?;
        mpi::wait_all(sends)?;
        let got = nothing.wait()?;
        assert_eq!((*got.data, got.status.source(), got.status.count::<u8>()), ([5; 3], None, Some(0)));
        assert_eq!(empty.wait()?.data.0, []);
        s.isend(s.keep(6u32), world.rank(), 9)?.defer();
        assert_eq!(*real.wait()?.data, 6);
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn types_without_bytes(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut nothing = [(); 4];
    world.scope(|s| {
        let incoming = s.irecv(&mut nothing, peer, 0)?;
        s.isend(&(), peer, 0)?.defer();
        assert_eq!(incoming.wait()?.data, &[(); 4]);
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn past_the_eager_limit(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let (mine, mut theirs) = (samples::<f64>(me, 300_001), vec![0.0; 300_001]);
    world.scope(|s| {
        s.isend(&mine, peer, 0)?.defer();
        s.irecv(&mut theirs, peer, 0)?.defer();
        Ok(())
    })?;
    same(&theirs, &samples::<f64>(peer, 300_001));
    Ok(())
}
