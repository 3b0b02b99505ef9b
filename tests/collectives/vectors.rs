//! The v forms over drawn counts and places, in every form, on every communicator: each element, and what lies between
//! blocks, is compared.

use crate::LARGE;
use crate::comms::on_each;
use crate::layouts::{Case, blank, cases, laid_out, message};
use crate::sample::{Sample, same};
use mpi::buffer::{Counted, Counts, Strided, WithCounts};
use mpi::{AnyBits, Communicator, FromBits, Result};
use std::num::NonZero;

/// Everything for one element type that can be received into a buffer.
fn every_form<T: Sample + AnyBits>(comm: &Communicator, n: usize) -> Result<()> {
    for case in cases(comm.size(), n) {
        returning::<T>(comm, &case)?;
        allgatherv::<T>(comm, &case)?;
        for root in 0..comm.size() {
            gatherv::<T>(comm, &case, root)?;
            scatterv::<T>(comm, &case, root)?;
        }
        alltoallv::<T>(comm, &case)?;
        alltoallv_in_place::<T>(comm, &case.symmetric())?;
    }
    Ok(())
}

/// The forms that compute counts and places.
fn returning<T: Sample + FromBits>(comm: &Communicator, case: &Case) -> Result<()> {
    let (me, size) = (comm.rank(), comm.size());
    let lengths = case.row(0);
    let counts = Counts::new(lengths)?;
    let mine: Vec<T> = message(me, 0, lengths[me]);
    let all: Vec<T> = (0..size).flat_map(|rank| message(rank, 0, lengths[rank])).collect();
    same(&comm.allgatherv(&mine)?, &all);
    let (got, from) = comm.allgatherv_with_counts(&mine[..])?;
    same(&got, &all);
    assert_eq!(from, counts);
    for root in 0..size {
        let at_root = (me == root).then_some(&all);
        assert_eq!(comm.gatherv(&mine, root)?.as_ref(), at_root);
        let with_counts = comm.gatherv_with_counts(&mine, root)?;
        assert_eq!(with_counts, at_root.map(|all| (all.clone(), counts.clone())));
        let nested: Option<Vec<Vec<T>>> =
            at_root.map(|_| (0..size).map(|to| message(to, 0, lengths[to])).collect());
        same(&comm.scatterv(nested.as_ref(), root)?, &mine);
        same(&comm.scatterv(nested.as_deref(), root)?, &mine);
        same(&comm.scatterv(at_root.map(|all| all.with_counts(&counts)).as_ref(), root)?, &mine);
    }

    let nested: Vec<Vec<T>> = (0..size).map(|to| message(me, to, case.row(me)[to])).collect();
    let slices: Vec<&[T]> = nested.iter().map(Vec::as_slice).collect();
    let incoming = Counts::new(&case.column(me))?;
    let expected: Vec<T> = (0..size).flat_map(|from| message(from, me, incoming.get(from))).collect();
    same(&comm.alltoallv(&nested)?, &expected);
    same(&comm.alltoallv(&slices)?, &expected);
    same(&comm.alltoallv(&slices[..])?, &expected);
    let (got, from) = comm.alltoallv_with_counts(&nested[..])?;
    same(&got, &expected);
    assert_eq!(from, incoming);
    let outgoing = case.send.counts(case.row(me));
    let flat = laid_out(&outgoing, |to, n| message::<T>(me, to, n));
    same(&comm.alltoallv(&flat.with_counts(&outgoing))?, &expected);
    same(&comm.alltoallv(&Counted::new(flat, outgoing))?, &expected);

    // The same messages, of which each rank gets an element in turn.
    let longest = nested.iter().map(Vec::len).max().unwrap_or_default();
    let turns = || (0..longest).flat_map(|i| (0..size).map(move |to| (i, to)));
    let dealt = || turns().filter_map(|(i, to)| nested[to].get(i).map(|&element| (element, to)));
    let mut destinations = dealt().map(|(_, to)| to);
    let rank_of = |_: &T| destinations.next().expect("as many as elements");
    let sorted = Counted::by_rank(dealt().map(|(element, _)| element), size, rank_of)?;
    same(&comm.alltoallv(&sorted)?, &expected);
    Ok(())
}

fn allgatherv<T: Sample + AnyBits>(comm: &Communicator, case: &Case) -> Result<()> {
    let (me, lengths) = (comm.rank(), case.row(0));
    let counts = case.recv.counts(lengths);
    let mine: Vec<T> = message(me, 0, lengths[me]);
    let empty = vec![blank::<T>(); counts.span() + 2];
    let own = laid_out(&counts, |rank, n| if rank == me { mine.clone() } else { vec![blank(); n] });
    let all = laid_out(&counts, |rank, n| message(rank, 0, n));

    let mut got = empty.clone();
    comm.allgatherv_into(&mine, got.with_counts_mut(&counts))?;
    same(&got, &all);
    got.clone_from(&own);
    comm.allgatherv_in_place(got.with_counts_mut(&counts))?;
    same(&got, &all);

    got.clone_from(&empty);
    let mut in_place = own.clone();
    comm.scope(|s| {
        let one = s.iallgatherv(&mine, got.with_counts_mut(&counts))?;
        let other = s.iallgatherv_in_place(in_place.with_counts_mut(&counts))?;
        let (sent, blocks) = one.wait()?;
        same(sent, &mine);
        same(&blocks[me], &mine);
        same(blocks.into_data(), &all);
        same(other.wait()?.into_data(), &all);
        Ok(())
    })?;

    let (sent, got) = comm.iallgatherv(mine.clone(), Counted::new(empty, counts.clone()))?.wait()?;
    same(&sent, &mine);
    let (got, back) = got.into_parts();
    same(&got, &all);
    assert_eq!(back, counts);
    Ok(())
}

fn gatherv<T: Sample + AnyBits>(comm: &Communicator, case: &Case, root: usize) -> Result<()> {
    let (me, lengths, is_root) = (comm.rank(), case.row(root), comm.rank() == root);
    let counts = case.recv.counts(lengths);
    let mine: Vec<T> = message(me, root, lengths[me]);
    let empty = vec![blank::<T>(); counts.span() + 2];
    let all = laid_out(&counts, |rank, n| message(rank, root, n));
    let expected = if is_root { &all } else { &empty };

    let mut got = empty.clone();
    comm.gatherv_into(&mine, is_root.then(|| got.with_counts_mut(&counts)), root)?;
    same(&got, expected);

    let own = || laid_out(&counts, |rank, n| if rank == me { mine.clone() } else { vec![blank(); n] });
    let mut both = if is_root { own() } else { mine.clone() };
    comm.gatherv_in_place(&mut both, is_root.then_some(&counts), root)?;
    same(&both, if is_root { &all } else { &mine });

    got.clone_from(&empty);
    comm.scope(|s| {
        let request = s.igatherv(&mine, is_root.then(|| got.with_counts_mut(&counts)), root)?;
        let (sent, blocks) = request.wait()?;
        same(sent, &mine);
        assert_eq!(blocks.is_some(), is_root);
        blocks.into_iter().for_each(|blocks| same(blocks.into_data(), &all));
        Ok(())
    })?;
    same(&got, expected);

    let recv = is_root.then(|| Counted::new(empty.into_boxed_slice(), counts.clone()));
    let (_, got) = comm.igatherv(mine, recv, root)?.wait()?;
    assert_eq!(got.map(|got| got.into_parts().0.into_vec()), is_root.then_some(all));
    Ok(())
}

fn scatterv<T: Sample + AnyBits>(comm: &Communicator, case: &Case, root: usize) -> Result<()> {
    let (me, lengths, is_root) = (comm.rank(), case.row(root), comm.rank() == root);
    let counts = case.send.counts(lengths);
    let mine: Vec<T> = message(root, me, lengths[me]);
    let all = laid_out(&counts, |rank, n| message::<T>(root, rank, n));
    let empty = || vec![blank::<T>(); lengths[me]];

    let mut got = empty();
    comm.scatterv_into(is_root.then(|| all.with_counts(&counts)), &mut got, root)?;
    same(&got, &mine);

    let mut both = if is_root { all.clone() } else { empty() };
    comm.scatterv_in_place(&mut both, is_root.then_some(&counts), root)?;
    same(&both, if is_root { &all } else { &mine });

    got = empty();
    comm.scope(|s| {
        let request = s.iscatterv(is_root.then(|| all.with_counts(&counts)), &mut got, root)?;
        let (blocks, got) = request.wait()?;
        same(got, &mine);
        assert_eq!(blocks.is_some(), is_root);
        blocks.into_iter().for_each(|blocks| same(blocks.data(), &all));
        Ok(())
    })?;

    let send = is_root.then(|| Counted::new(all.clone(), counts.clone()));
    let (back, got) = comm.iscatterv(send, empty(), root)?.wait()?;
    same(&got, &mine);
    assert_eq!(back.map(|back| back.into_parts().0), is_root.then_some(all));
    Ok(())
}

fn alltoallv<T: Sample + AnyBits>(comm: &Communicator, case: &Case) -> Result<()> {
    let me = comm.rank();
    let outgoing = case.send.counts(case.row(me));
    let incoming = case.recv.counts(&case.column(me));
    let send = laid_out(&outgoing, |to, n| message::<T>(me, to, n));
    let expected = laid_out(&incoming, |from, n| message(from, me, n));
    let empty = vec![blank::<T>(); incoming.span() + 2];

    let mut got = empty.clone();
    comm.alltoallv_into(send.with_counts(&outgoing), got.with_counts_mut(&incoming))?;
    same(&got, &expected);

    got.clone_from(&empty);
    comm.scope(|s| {
        let request = s.ialltoallv(send.with_counts(&outgoing), got.with_counts_mut(&incoming))?;
        let (sent, got) = request.wait()?;
        same(sent.data(), &send);
        same(got.into_data(), &expected);
        Ok(())
    })?;

    let (send, recv) = (Counted::new(send, outgoing), Counted::new(empty, incoming));
    let (_, got) = comm.ialltoallv(send, recv)?.wait()?;
    same(&got.into_parts().0, &expected);
    Ok(())
}

fn alltoallv_in_place<T: Sample + AnyBits>(comm: &Communicator, case: &Case) -> Result<()> {
    let me = comm.rank();
    let counts = case.recv.counts(case.row(me));
    let before = laid_out(&counts, |to, n| message::<T>(me, to, n));
    let expected = laid_out(&counts, |from, n| message(from, me, n));
    let mut both = before.clone();
    comm.alltoallv_in_place(both.with_counts_mut(&counts))?;
    same(&both, &expected);
    both.clone_from(&before);
    comm.scope(|s| {
        same(s.ialltoallv_in_place(both.with_counts_mut(&counts))?.wait()?.into_data(), &expected);
        Ok(())
    })
}

macro_rules! any_bits {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = [1, 2, 3])]
        fn $name(world: Communicator) -> Result<()> {
            every_form::<$t>(&world, 8)
        }
    )+ };
}
any_bits! {
    bytes: u8;
    shorts: i16;
    wide_integers: u128;
    floats: f64;
    arrays: [f32; 3];
    arrays_of_wide: [i128; 2];
}

macro_rules! checked {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = [1, 2, 3])]
        fn $name(world: Communicator) -> Result<()> {
            cases(world.size(), 8).try_for_each(|case| returning::<$t>(&world, &case))
        }
    )+ };
}
checked! {
    truth_values: bool;
    characters: char;
    non_zero: NonZero<i32>;
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| every_form::<i32>(comm, 5))
}

#[mpi::test(ranks = [5, 7, 8])]
fn many_ranks(world: Communicator) -> Result<()> {
    every_form::<u64>(&world, 2)
}

/// Past every eager limit, and nothing at the odd ranks.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn large_blocks(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let length = |rank: usize| if rank.is_multiple_of(2) { LARGE + rank } else { 0 };
    let mine: Vec<f64> = message(me, 0, length(me));
    let all: Vec<f64> = (0..size).flat_map(|rank| message(rank, 0, length(rank))).collect();
    same(&world.allgatherv(&mine)?, &all);
    same(&world.gatherv(&mine, size - 1)?.unwrap_or_default(), if me == size - 1 { &all } else { &[] });
    let nested: Vec<Vec<f64>> = (0..size).map(|to| message(me, to, length(to))).collect();
    let expected: Vec<f64> = (0..size).flat_map(|from| message(from, me, length(me))).collect();
    same(&world.alltoallv(&nested)?, &expected);
    Ok(())
}

/// Elements that take no memory have counts all the same.
#[mpi::test(ranks = [1, 2, 3])]
fn elements_of_no_size(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (all, counts) = world.allgatherv_with_counts(&vec![(); me + 1])?;
    assert_eq!((all.len(), counts.get(me)), (size * (size + 1) / 2, me + 1));
    assert_eq!(
        world.gatherv(&vec![(); me], 0)?.map(|all| all.len()),
        (me == 0).then_some(size * (size - 1) / 2)
    );
    let (got, from) = world.alltoallv_with_counts(&vec![vec![[0u8; 0]; me]; size])?;
    assert_eq!((got.len(), from.to_vec()), (size * (size - 1) / 2, (0..size).collect()));
    let mut buffer = vec![(); counts.span()];
    world.allgatherv_into(&vec![(); me + 1], buffer.with_counts_mut(&counts))?;
    let enormous = Counts::new(&vec![usize::MAX >> 4; size])?;
    let mut all = vec![(); enormous.span()];
    world.allgatherv_into(&vec![(); usize::MAX >> 4], all.with_counts_mut(&enormous))
}

/// A column of a matrix of any number of rows is one message.
#[mpi::test(ranks = [1, 2, 3])]
fn strided_views(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let column =
        |rank: usize| message::<i32>(rank, 3, 5 * (rank + 2)).into_iter().step_by(5).collect::<Vec<_>>();
    let matrix = message::<i32>(me, 3, 5 * (me + 2));
    let mine = Strided::new(&matrix, 0, me + 2, 1, 5)?;
    let all: Vec<i32> = (0..size).flat_map(column).collect();
    assert_eq!(world.allgatherv(&mine)?, all);
    assert_eq!(world.gatherv(&mine, 0)?, (me == 0).then(|| all.clone()));
    let counts = Counts::new(&(0..size).map(|rank| rank + 2).collect::<Vec<_>>())?;
    let mut got = vec![0; counts.span()];
    world.scope(|s| s.iallgatherv(mine, got.with_counts_mut(&counts)).map(|request| request.defer()))?;
    assert_eq!(got, all);
    Ok(())
}

/// A peer that sends what is no value: nothing invalid is ever visible.
#[mpi::test(ranks = 2)]
fn bits_that_are_no_value(world: Communicator) -> Result<()> {
    let text = "MPI_Allgatherv: element 2 of the message is not a valid value of the type it was received as";
    if world.rank() == 0 {
        let error = world.allgatherv(&[true, false]).expect_err("two is no truth value");
        assert_eq!((error.to_string().as_str(), error.class()), (text, mpi::ErrorClass::TYPE));
    } else {
        assert_eq!(world.allgatherv(&[2u8])?, [1, 0, 2]);
    }
    world.barrier()
}
