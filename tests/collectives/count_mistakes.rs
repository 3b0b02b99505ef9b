//! Wrong counts are an `Err` on the rank that gives them, before MPI is called: C would read and write where they say.

use crate::mistakes::{one_alone, refused};
use mpi::buffer::{Blocks, Counted, Counts, WithCounts};
use mpi::environment::{Family, Version, bound_library};
use mpi::{Communicator, ErrorClass, Result};

/// Makes every call that sends these blocks, or receives into them, and expects each to be refused with the text, after the
/// name of the call.
#[track_caller]
fn refuse_sending(world: &Communicator, send: Blocks<'_, u8>, class: ErrorClass, text: &str) {
    let (me, size) = (world.rank(), world.size());
    let ones = Counts::new(&vec![1; size]).expect("small");
    let mut room = vec![0u8; size];
    let text = |call: &str| format!("{call}: {text}");
    refused(world.alltoallv_into(send, room.with_counts_mut(&ones)), class, &text("MPI_Alltoallv"));
    refused(world.alltoallv(&send), class, &text("MPI_Alltoallv"));
    refused(world.scatterv_into(Some(send), &mut room[..1], me), class, &text("MPI_Scatterv"));
    let started = world.scope(|s| {
        let counted = room.with_counts_mut(&ones);
        s.ialltoallv(s.keep(send.data().to_vec()).with_counts(s.keep(send.counts().clone())), counted)
            .map(|request| request.defer())
    });
    refused(started, class, &text("MPI_Ialltoallv"));
    let owned = Counted::new(send.data().to_vec(), send.counts().clone());
    let returned = world.ialltoallv(owned, Counted::new(room, ones)).expect_err("refused");
    refused::<()>(Err(returned.error), class, &text("MPI_Ialltoallv"));
    assert_eq!(returned.data.0.into_parts().0, send.data(), "the buffer comes back");
}

#[track_caller]
fn refuse_receiving(world: &Communicator, recv: &mut [u8], counts: &Counts, class: ErrorClass, text: &str) {
    let (me, size, before) = (world.rank(), world.size(), recv.to_vec());
    let ones = Counts::new(&vec![1; size]).expect("small");
    let (send, text) = (vec![1u8; size], |call: &str| format!("{call}: {text}"));
    refused(
        world.alltoallv_into(send.with_counts(&ones), recv.with_counts_mut(counts)),
        class,
        &text("MPI_Alltoallv"),
    );
    refused(world.alltoallv_in_place(recv.with_counts_mut(counts)), class, &text("MPI_Alltoallv"));
    refused(world.allgatherv_into(&1u8, recv.with_counts_mut(counts)), class, &text("MPI_Allgatherv"));
    refused(world.allgatherv_in_place(recv.with_counts_mut(counts)), class, &text("MPI_Allgatherv"));
    refused(world.gatherv_into(&1u8, Some(recv.with_counts_mut(counts)), me), class, &text("MPI_Gatherv"));
    refused(world.gatherv_in_place(recv, Some(counts), me), class, &text("MPI_Gatherv"));
    let started =
        world.scope(|s| s.iallgatherv(&1u8, recv.with_counts_mut(counts)).map(|request| request.defer()));
    refused(started, class, &text("MPI_Iallgatherv"));
    assert_eq!(recv, before);
}

#[mpi::test(ranks = [1, 2, 3])]
fn counts_for_fewer_or_more_ranks(world: Communicator) -> Result<()> {
    let size = world.size();
    one_alone(&world, || {
        for n in [0, size - 1, size + 1, size + 7] {
            let counts = Counts::new(&vec![1; n])?;
            if n == size {
                continue;
            }
            let text =
                format!("there are {n} counts, but {size} are needed: one for each rank, or neighbour");
            let mut buffer = vec![0u8; 20];
            refuse_receiving(&world, &mut buffer, &counts, ErrorClass::COUNT, &text);
            // The root of a returning scatter tells the others, and so cannot be alone.
            let send = buffer.with_counts(&counts);
            let mut one = [0u8];
            let text = |call: &str| format!("{call}: {text}");
            refused(world.alltoallv(&send), ErrorClass::COUNT, &text("MPI_Alltoallv"));
            let scatterv = world.scatterv_into(Some(send), &mut one, size - 1);
            refused(scatterv, ErrorClass::COUNT, &text("MPI_Scatterv"));
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 3])]
fn buffers_shorter_than_their_counts(world: Communicator) -> Result<()> {
    let size = world.size();
    one_alone(&world, || {
        let counts = Counts::new(&vec![1; size])?;
        let far = counts.with_displs(&(1000..1000 + size).collect::<Vec<_>>())?;
        for (counts, len) in [(&counts, size - 1), (&far, size), (&far, 1000 + size - 1)] {
            let mut buffer = vec![7u8; len];
            let text = |what: &str| {
                format!("the {what} buffer holds {len} elements, but {} are needed", counts.span())
            };
            refuse_receiving(&world, &mut buffer, counts, ErrorClass::COUNT, &text("receive"));
            refuse_sending(&world, buffer.with_counts(counts), ErrorClass::COUNT, &text("send"));
        }
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3])]
fn blocks_that_overlap_are_not_received_into(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    // All ranks' blocks are the same two elements.
    let same = Counts::new(&vec![2; size])?.with_displs(&vec![1; size])?;
    let text = format!(
        "two of the blocks that are received, {} elements in the first 3 of the buffer, share elements",
        2 * size
    );
    one_alone(&world, || {
        refuse_receiving(&world, &mut [0; 4], &same, ErrorClass::BUFFER, &text);
        Ok(())
    })?;
    // Sent they may be, from the root of a scatter and by everybody.
    let send = (me == 0).then_some([1u8, 2, 3, 4]);
    let mut got = [0u8; 2];
    world.scatterv_into(send.as_ref().map(|send| send.with_counts(&same)), &mut got, 0)?;
    assert_eq!(got, [2, 3]);
    let all = world.alltoallv(&[me as u8, 50 + me as u8, 100].with_counts(&same))?;
    assert!(all.chunks(2).zip(50..).all(|(block, first)| *block == [first, 100]), "{all:?}");
    Ok(())
}

/// What cannot be counted cannot be made: no call gets to see it. Negative counts are no `usize`; wrapped they are too large.
#[mpi::test(ranks = 1)]
fn negative_and_wrapping_counts(world: Communicator) -> Result<()> {
    for counts in [
        &[-1isize as usize][..],
        &[usize::MAX, 1],
        &[usize::MAX / 2, usize::MAX / 2, 2],
        &[isize::MAX as usize, 1],
        &[1 << 63, 1 << 63],
    ] {
        assert_eq!(Counts::new(counts).expect_err("too many").class(), ErrorClass::COUNT, "{counts:?}");
    }
    let one = Counts::new(&[1])?;
    for displ in [-1isize as usize, usize::MAX - 1, isize::MAX as usize] {
        assert_eq!(one.with_displs(&[displ]).expect_err("too far").class(), ErrorClass::COUNT, "{displ}");
    }
    // As large as they may be: refused for the buffer.
    let largest = Counts::new(&[isize::MAX as usize])?;
    let error = world.allgatherv_into(&1u8, [0u8; 9].with_counts_mut(&largest)).expect_err("no such buffer");
    let text = "MPI_Allgatherv: the receive buffer holds 9 elements, but 9223372036854775807 are needed";
    assert_eq!((error.to_string().as_str(), error.code()), (text, None));
    // Wrapped to an int this would be 1.
    let wrapped = Counts::new(&[(1 << 32) + 1])?;
    assert!(world.alltoallv(&[0u8; 1].with_counts(&wrapped)).is_err());
    assert!(world.scatterv_in_place(&mut [0u8; 1], Some(&wrapped), 0).is_err());
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn own_blocks_of_another_length(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    one_alone(&world, || {
        let (twos, threes) = (Counts::new(&vec![2; size])?, Counts::new(&vec![3; size])?);
        let text = |call: &str, room: usize, sent: usize| {
            format!("{call}: this rank sends itself {sent} elements, but has room for {room} from itself")
        };
        let (class, mut buffer) = (ErrorClass::COUNT, vec![0u8; 3 * size]);
        let allgatherv = world.allgatherv_into(&[1u8; 3], buffer.with_counts_mut(&twos));
        refused(allgatherv, class, &text("MPI_Allgatherv", 2, 3));
        let gatherv = world.gatherv_into(&[1u8; 3], Some(buffer.with_counts_mut(&twos)), me);
        refused(gatherv, class, &text("MPI_Gatherv", 2, 3));
        let scatterv = world.scatterv_into(Some(buffer.with_counts(&threes)), &mut [0u8; 2], me);
        refused(scatterv, class, &text("MPI_Scatterv", 2, 3));
        let send = vec![1u8; 3 * size];
        let alltoallv = world.alltoallv_into(send.with_counts(&threes), buffer.with_counts_mut(&twos));
        refused(alltoallv, class, &text("MPI_Alltoallv", 2, 3));
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3])]
fn what_only_the_root_gives(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let counts = Counts::new(&vec![1; size])?;
    one_alone(&world, || {
        let (class, mut buffer) = (ErrorClass::BUFFER, vec![0u8; size]);
        let missing = |call| format!("{call}: rank {me} is the root and must give the buffer the root needs");
        refused(world.gatherv_into(&1u8, None, me), class, &missing("MPI_Gatherv"));
        refused(world.gatherv_in_place(&mut buffer, None, me), class, &missing("MPI_Gatherv"));
        refused(world.scatterv_into(None, &mut buffer, me), class, &missing("MPI_Scatterv"));
        refused(world.scatterv_in_place(&mut buffer, None, me), class, &missing("MPI_Scatterv"));
        refused(world.scatterv(None::<&Vec<Vec<u8>>>, me), class, &missing("MPI_Scatterv"));
        let given = |call| {
            format!(
                "{call}: rank {me} gave a buffer that only the root, rank 0, may give: pass None elsewhere"
            )
        };
        let gatherv = world.gatherv_into(&1u8, Some(buffer.with_counts_mut(&counts)), 0);
        refused(gatherv, class, &given("MPI_Gatherv"));
        refused(world.gatherv_in_place(&mut buffer, Some(&counts), 0), class, &given("MPI_Gatherv"));
        let scatterv = world.scatterv_into(Some(vec![1u8; size].with_counts(&counts)), &mut buffer, 0);
        refused(scatterv, class, &given("MPI_Scatterv"));
        refused(world.scatterv_in_place(&mut buffer, Some(&counts), 0), class, &given("MPI_Scatterv"));
        refused(world.scatterv(Some(&vec![vec![1u8]; size]), 0), class, &given("MPI_Scatterv"));
        Ok(())
    })
}

/// Only the root knows the messages; still every rank learns what is wrong with them, and none waits for ever.
#[mpi::test(ranks = [1, 2, 3])]
fn a_scatter_of_wrong_counts_fails_everywhere(world: Communicator) -> Result<()> {
    let size = world.size();
    for root in 0..size {
        let is_root = world.rank() == root;
        for n in [0, size - 1, size + 1] {
            let messages = is_root.then(|| vec![vec![1u16, 2]; n]);
            let text = format!(
                "MPI_Scatterv: there are {n} counts, but {size} are needed: one for each rank, or neighbour"
            );
            refused(world.scatterv(messages.as_ref(), root), ErrorClass::COUNT, &text);
        }
        let counts = Counts::new(&vec![2; size])?;
        let short = vec![1u16; 2 * size - 1];
        let text = format!(
            "MPI_Scatterv: the send buffer holds {} elements, but {} are needed",
            2 * size - 1,
            2 * size
        );
        let messages = is_root.then(|| short.with_counts(&counts));
        refused(world.scatterv(messages.as_ref(), root), ErrorClass::COUNT, &text);
        // And the next one works.
        let messages = is_root.then(|| vec![[7u16, 8]; size]);
        assert_eq!(world.scatterv(messages.as_ref(), root)?, [7, 8]);
    }
    Ok(())
}

/// What a block of `room` elements at `at` became of a message of `sent`, in a buffer that was all nines: nothing outside
/// of it has changed, and what nobody sent neither; a rank that has less than was sent knows.
#[track_caller]
fn prefix(buffer: &[u8], (at, room): (usize, usize), sent: usize, filled: u8, result: &Result<()>) {
    let (before, rest) = buffer.split_at(at);
    assert!(before.iter().all(|x| *x == 9), "before the block");
    let written = rest.iter().take_while(|x| **x == filled).count();
    assert!(written <= room.min(sent), "{written} elements in a block of {room}");
    assert!(rest[written..].iter().all(|x| *x == 9), "behind what was sent");
    assert!(result.is_err() || written == room.min(sent), "{written} of {sent} in {room}");
}

/// How many elements rank 1 sends rank 0, or the other way round, and how many are waited for.
const DIFFERENT: [(usize, usize); 3] = [(40, 2), (2, 40), (20_000, 3)];

#[mpi::test(ranks = 2)]
fn ranks_that_disagree(world: Communicator) -> Result<()> {
    if cfg!(mpi_low_limit) {
        return Ok(()); // a few elements are as many as 2^31: ranks that disagree make different calls
    }
    let me = world.rank();
    for (sent, room) in DIFFERENT {
        let mine = |n| vec![5 + me as u8; n];
        let ones = Counts::new(&[1, 1])?;
        // This rank's own block is in front; of a communicator that failed nothing more is asked.
        let counts = Counts::new(&[1, room])?.with_displs(&[0, 100])?;
        let mut buffer = vec![9; counts.span() + 30_000];

        let root = (me == 0).then(|| buffer.with_counts_mut(&counts));
        let result = world.dup()?.unchecked().gatherv_into(&mine(if me == 0 { 1 } else { sent }), root, 0);
        if me == 0 {
            prefix(&buffer[1..], (99, room), sent, 6, &result);
        }

        buffer.fill(9);
        let send = mine(sent + 1);
        let out = Counts::new(&[1, sent])?;
        let send = (me == 0).then(|| send.with_counts(&out));
        let result = world.dup()?.unchecked().scatterv_into(
            send,
            &mut buffer[100..][..if me == 0 { 1 } else { room }],
            0,
        );
        if me == 1 {
            prefix(&buffer, (100, room), sent, 5, &result);
        }

        buffer.fill(9);
        let long = Counts::new(&[sent, 1])?;
        let (out, into) = if me == 0 { (&ones, &counts) } else { (&long, &ones) };
        let send = mine(out.span());
        let result =
            world.dup()?.unchecked().alltoallv_into(send.with_counts(out), buffer.with_counts_mut(into));
        if me == 0 {
            prefix(&buffer[1..], (99, room), sent, 6, &result);
        }
        world.barrier()?;
    }
    Ok(())
}

/// MPICH 4.0 puts elements into wrong blocks, and takes the rest from memory of its own (fault `stale-memory`); later ones
/// end the job, as `tests/programs` expects. Outside of the blocks nothing changes.
#[mpi::test(ranks = 2)]
fn ranks_that_disagree_in_allgatherv(world: Communicator) -> Result<()> {
    let library = bound_library();
    let ends_the_job = library.family == Family::Mpich && library.version >= Version::new(4, 1, 0);
    if ends_the_job || cfg!(mpi_low_limit) {
        return Ok(());
    }
    let me = world.rank();
    for (sent, room) in DIFFERENT {
        let counts = Counts::new(&[1, if me == 0 { room } else { sent }])?.with_displs(&[0, 100])?;
        let mut buffer = vec![9u8; counts.span() + 30_000];
        let mine = vec![5 + me as u8; counts.get(me)];
        let result = world.dup()?.unchecked().allgatherv_into(&mine, buffer.with_counts_mut(&counts));
        let outside = buffer[1..100].iter().chain(&buffer[counts.span()..]);
        assert!(outside.into_iter().all(|x| *x == 9), "{sent} in {room}");
        if me == 0 && library.family == Family::OpenMpi {
            assert_eq!(buffer[0], 5);
            prefix(&buffer[1..], (99, room), sent, 6, &result);
        }
        world.barrier()?;
    }
    Ok(())
}
