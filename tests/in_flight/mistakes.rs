//! One operation of several fails: the others complete, the buffers come back when the scope ends.

use mpi::{Communicator, ErrorClass, Result, wait_all};

/// Rank 0 sends four messages; the one with tag 2 is longer than its receive.
fn send_one_too_long(world: &Communicator) -> Result<()> {
    for tag in 0..4 {
        world.send(&[tag as u32; 3][..if tag == 2 { 3 } else { 1 }], 1, tag)?;
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn wait_reports_a_truncated_message(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1u8; 9], 1, 0);
    }
    let mut short = [0u8; 4];
    let result = world.scope(|s| s.irecv(&mut short, 0, 0)?.wait().map(|_| ()));
    let error = result.expect_err("9 bytes do not fit");
    assert_eq!((error.class(), error.call()), (ErrorClass::TRUNCATE, "MPI_Wait"));
    short.fill(1); // ours again
    Ok(())
}

#[mpi::test(ranks = 2)]
fn the_end_of_a_scope_reports_a_truncated_message(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return world.send(&[1u8; 9], 1, 0);
    }
    let mut short = [0u8; 4];
    let result = world.scope(|s| s.irecv(&mut short, 0, 0).map(|request| request.defer()));
    assert!(matches!(
        result.expect_err("9 bytes do not fit").class(),
        ErrorClass::TRUNCATE | ErrorClass::IN_STATUS
    ));
    short.fill(1);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn wait_all_says_which_one_failed_and_the_rest_completes(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return send_one_too_long(&world);
    }
    let mut parts = [[9u32]; 4];
    let result = world.scope(|s| {
        let requests = parts.iter_mut().zip(0..).map(|(part, tag)| s.irecv(part, 0, tag));
        wait_all(requests.collect::<Result<Vec<_>>>()?).map(|_| ())
    });
    let error = result.expect_err("one message was too long");
    assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(2)), "{error}");
    assert!(
        error.to_string().starts_with("MPI_Waitall: operation 2 of the set failed: message truncated"),
        "{error}"
    );
    for tag in [0, 1, 3] {
        assert!(parts[tag] == [tag as u32] || parts[tag] == [9], "{parts:?}");
        // What was cancelled at the scope's end is still there to be received.
        if parts[tag] == [9] {
            assert_eq!(world.recv::<u32>(0, tag as i32)?.data, tag as u32);
        }
    }
    Ok(())
}

/// A group of sends and receives of several types, of which a receive fails.
#[mpi::test(ranks = 2)]
fn wait_all_on_a_tuple_says_which_one_failed(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let (mut number, mut short) = (0u64, [0u8; 2]);
    let result = world.scope(|s| {
        let requests = (
            s.irecv(&mut number, peer, 0)?,
            s.irecv(&mut short, peer, 1)?,
            s.isend(&5u64, peer, 0)?,
            s.isend(&[1u8; 3], peer, 1)?,
        );
        wait_all(requests).map(|_| ())
    });
    let error = result.expect_err("3 bytes do not fit");
    assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(1)), "{error}");
    world.barrier()
}

/// After a failure in a scope the communicator is as good as new.
#[mpi::test(ranks = 2)]
fn a_scope_after_a_failed_one(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    for round in 0..20u8 {
        let (mine, mut short) = ([round; 3], [0u8; 2]);
        let failed = world.scope(|s| {
            s.isend(&mine, peer, 0)?.defer();
            s.irecv(&mut short, peer, 0)?.wait().map(|_| ())
        });
        assert_eq!(failed.expect_err("3 bytes do not fit").class(), ErrorClass::TRUNCATE);
        let mut enough = [0u8; 3];
        world.scope(|s| {
            s.isend(&mine, peer, 0)?.defer();
            s.irecv(&mut enough, peer, 0)?.defer();
            Ok(())
        })?;
        assert_eq!(enough, [round; 3]);
    }
    Ok(())
}
