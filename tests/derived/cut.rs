//! Messages that libraries cut inside a field: MPICH loses fields there, if it is told that they are fields (fault
//! `torn-structs`).

use crate::sample::{Sample, same, samples};
use mpi::buffer::{Counts, Parts, PartsMut, WithCounts};
use mpi::pack::PackedByte;
use mpi::{AnyBits, Communicator, Datatype, ErrorClass, Result};
use std::mem::MaybeUninit;

/// Fields of three sizes, 13 bytes of data.
#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Uneven {
    a: u32,
    b: u8,
    c: f64,
}

impl Sample for Uneven {
    fn sample(seed: usize) -> Self {
        Uneven { a: Sample::sample(seed), b: Sample::sample(seed), c: Sample::sample(seed) }
    }
}

/// Around 8 KiB, where 5.0.2 cuts, and beyond, where 4.0.2 does.
const LENGTHS: [usize; 8] = [627, 628, 629, 630, 631, 635, 1000, 6000];

/// What is packed on its way.
#[mpi::test(ranks = 2)]
fn messages_of_structs_arrive_whole(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), 1 - world.rank());
    mpi::buffered::attach(1 << 20)?;
    for len in LENGTHS {
        let (mine, theirs) = (samples::<Uneven>(me, len), samples::<Uneven>(peer, len));
        let mut got = samples::<Uneven>(97, len);
        world.scope(|s| {
            let incoming = s.irecv(&mut got, peer, 0)?;
            world.bsend(&mine, peer, 0)?;
            incoming.wait().map(drop)
        })?;
        same(&got, &theirs);
        world.bsend(&mine, peer, 1)?;
        same(&world.recv_vec::<Uneven>(peer, 1)?.data, &theirs);

        let mut message = world.pack_bare();
        message.push(&mine)?;
        world.scope(|s| {
            let outgoing = s.isend(&message, peer, 2)?;
            same(&world.recv_vec::<Uneven>(peer, 2)?.data, &theirs);
            outgoing.wait().map(drop)
        })?;

        let mut both = mine.clone();
        world.sendrecv_replace(&mut both, peer, 3, peer, 3)?;
        same(&both, &theirs);
        world.scope(|s| s.isendrecv_replace(&mut both, peer, 4, peer, 4)?.wait().map(drop))?;
        same(&both, &mine);
    }
    mpi::buffered::detach().map(drop)
}

/// A byte of a packed message in a struct is a byte like any other.
#[derive(Clone, Copy, Debug, Datatype, AnyBits)]
struct WithPackedByte {
    _first: PackedByte,
    number: u32,
    real: f64,
}

/// Who sends bytes to a receiver of structs is cut as a packed message is. What did not arrive would not be initialized.
#[mpi::test(ranks = 2)]
fn bytes_that_arrive_as_structs_arrive_whole(world: Communicator) -> Result<()> {
    for len in LENGTHS {
        if world.rank() == 0 {
            let value = |i: usize| {
                [&[7][..], &(i as u32 + 1).to_ne_bytes(), &(i as f64 + 0.5).to_ne_bytes()].concat()
            };
            world.send(&(0..len).flat_map(value).collect::<Vec<u8>>(), 1, 0)?;
            continue;
        }
        let mut room = vec![MaybeUninit::<WithPackedByte>::zeroed(); len];
        let (arrived, _) = world.recv_into(&mut room[..], 0, 0)?.data;
        assert_eq!(arrived.len(), len);
        for (i, got) in arrived.iter().enumerate() {
            assert_eq!((got.number, got.real), (i as u32 + 1, i as f64 + 0.5), "{i} of {len}");
        }
    }
    Ok(())
}

/// All-to-alls in place, in every form.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn blocks_of_structs_change_places(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for len in LENGTHS {
        // What `rank` has for each, and gets from each.
        let block = |from: usize, to: usize| samples::<Uneven>(from * size + to, len);
        let held: Vec<Uneven> = (0..size).flat_map(|to| block(me, to)).collect();
        let after: Vec<Uneven> = (0..size).flat_map(|from| block(from, me)).collect();
        let counts = Counts::new(&vec![len; size])?;
        let check = |call: &dyn Fn(&mut [Uneven]) -> Result<()>| {
            let mut both = held.clone();
            call(&mut both)?;
            same(&both, &after);
            Ok::<(), mpi::Error>(())
        };
        check(&|both| world.alltoall_in_place(both))?;
        check(&|both| world.alltoallv_in_place(both.with_counts_mut(&counts)))?;
        check(&|both| world.alltoallw_in_place(&mut PartsMut::of(both.chunks_mut(len))?))?;
        check(&|both| world.scope(|s| s.ialltoall_in_place(both)?.wait().map(drop)))?;
        check(&|both| {
            world.scope(|s| s.ialltoallv_in_place(both.with_counts_mut(&counts))?.wait().map(drop))
        })?;
        same(&world.ialltoall_in_place(held.clone())?.wait()?, &after);
        let mut plan = mpi::persistent::Plan::new(&world);
        let both = plan.array(held.clone());
        match plan.alltoall_in_place(both).map(drop) {
            Ok(()) => {
                plan.start()?.wait()?;
                same(&plan.take(both)?, &after);
            }
            Err(e) => assert_eq!(e.class(), ErrorClass::UNSUPPORTED_OPERATION),
        }

        same(&world.alltoall(&held)?, &after);
        let mut got = samples::<Uneven>(97, len * size);
        let send = Parts::of(counts.split(&held))?;
        world.alltoallw_into(&send, &mut PartsMut::of(got.chunks_mut(len))?)?;
        same(&got, &after);
    }
    Ok(())
}

/// MPICH loses fields of such structs where its tree has sent several blocks in one message.
#[mpi::test(ranks = [2, 3, 4, 7])]
fn blocks_of_structs_are_collected(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for len in [200, 315, 630, 1000] {
        for root in [0, size / 2, size - 1] {
            let all: Vec<Uneven> = (0..size).flat_map(|rank| samples(rank, len)).collect();
            let (mine, all) = (samples::<Uneven>(me, len), (me == root).then_some(all));
            let expected = all.as_deref().unwrap_or_default();
            let room = || all.clone().map(|all| vec![Uneven::sample(97); all.len()]);
            same(&world.gather(&mine, root)?.unwrap_or_default(), expected);
            let mut recv = room();
            world.gather_into(&mine, recv.as_deref_mut(), root)?;
            same(&recv.unwrap_or_default(), expected);
            let mut both = room().map_or_else(
                || mine.clone(),
                |mut room| {
                    room[me * len..][..len].copy_from_slice(&mine);
                    room
                },
            );
            world.gather_in_place(&mut both, root)?;
            same(&both, all.as_deref().unwrap_or(&mine));
            let mut recv = room();
            world.scope(|s| s.igather(&mine, recv.as_deref_mut(), root)?.wait().map(drop))?;
            same(&recv.unwrap_or_default(), expected);
            same(&world.igather(mine.clone(), room(), root)?.wait()?.1.unwrap_or_default(), expected);
        }
    }
    Ok(())
}

/// MPICH loses fields of such structs from 8 KiB on, at the leaves of a tree.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn blocks_of_structs_are_dealt_out(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for len in [315, 316, 630, 640, 1000, 6000] {
        for root in 0..size {
            let all: Vec<Uneven> = (0..size).flat_map(|rank| samples(rank, len)).collect();
            let (mine, all) = (samples::<Uneven>(me, len), (me == root).then_some(all));
            let nothing = || samples::<Uneven>(97, len);
            same(&world.scatter(all.as_deref(), root)?, &mine);
            let mut recv = nothing();
            world.scatter_into(all.as_deref(), &mut recv, root)?;
            same(&recv, &mine);
            let mut both = all.clone().unwrap_or_else(nothing);
            world.scatter_in_place(&mut both, root)?;
            same(&both, all.as_deref().unwrap_or(&mine));
            let mut recv = nothing();
            world.scope(|s| s.iscatter(all.as_deref(), &mut recv[..], root)?.wait().map(drop))?;
            same(&recv, &mine);
            same(&world.iscatter(all.clone(), nothing(), root)?.wait()?.1, &mine);
            match world.scatter_init(all, nothing(), root) {
                Ok(mut scatter) => {
                    scatter.start()?.wait()?;
                    same(scatter.result()?, &mine);
                }
                Err(e) => assert_eq!(e.error.class(), ErrorClass::UNSUPPORTED_OPERATION),
            }
        }
    }
    Ok(())
}
