//! A message longer than the receive: 5,000 integers into a slice of 2 of a longer vector. Whatever the library makes
//! of it, what lies behind the slice must not change.

use mpi::{Communicator, ErrorClass, Result};

static SENT: [i32; 5000] = [7; 5000];
const ROOM: usize = 2;
const UNTOUCHED: i32 = -1;

/// The slice to receive into, and the canary behind it, in one allocation.
fn buffer() -> Vec<i32> {
    vec![UNTOUCHED; SENT.len() + 1000]
}

#[track_caller]
fn assert_canary(buffer: &[i32]) {
    let changed = buffer[ROOM..].iter().filter(|&&value| value != UNTOUCHED).count();
    assert_eq!(changed, 0, "integers behind the receive buffer have changed");
}

#[track_caller]
fn assert_truncated<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.expect_err("5,000 integers do not fit into 2");
    assert!(matches!(error.class(), ErrorClass::TRUNCATE | ErrorClass::IN_STATUS), "{error}");
}

/// The rank that receives; with one rank, from itself.
fn receiver(world: &Communicator) -> usize {
    world.size() - 1
}

#[mpi::test(ranks = [1, 2])]
fn irecv(world: Communicator) -> Result<()> {
    let (mut buffer, to) = (buffer(), receiver(&world));
    let received = world.scope(|s| {
        let receive = if world.rank() == to { Some(s.irecv(&mut buffer[..ROOM], 0, 0)?) } else { None };
        if world.rank() == 0 {
            s.isend(&SENT[..], to, 0)?.defer();
        }
        receive.map_or(Ok(()), |receive| receive.wait().map(drop))
    });
    assert_canary(&buffer);
    if world.rank() == to {
        assert_truncated(received);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn blocking_receive(world: Communicator) -> Result<()> {
    let (mut buffer, to) = (buffer(), receiver(&world));
    world.scope(|s| {
        if world.rank() == 0 {
            s.isend(&SENT[..], to, 0)?.defer();
        }
        if world.rank() == to {
            assert_truncated(world.recv_into(&mut buffer[..ROOM], 0, 0).map(drop));
        }
        Ok(())
    })?;
    assert_canary(&buffer);
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn sendrecv(world: Communicator) -> Result<()> {
    let (mut buffer, other) = (buffer(), (world.rank() + 1) % world.size());
    assert_truncated(world.sendrecv(&SENT[..], other, 0, &mut buffer[..ROOM], other, 0).map(drop));
    assert_canary(&buffer);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn bcast(world: Communicator) -> Result<()> {
    let world = world.unchecked(); // the library shall meet it
    let mut buffer = buffer();
    if world.rank() == 0 {
        // Whether the root learns of it is the library's affair.
        let _ = world.bcast(&mut SENT.to_vec(), 0);
        return Ok(());
    }
    let _ = world.bcast(&mut buffer[..ROOM], 0);
    assert_canary(&buffer);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn gather(world: Communicator) -> Result<()> {
    let world = world.unchecked(); // the library shall meet it
    if world.rank() == 1 {
        let _ = world.gather_into::<_, [i32]>(&SENT[..], None, 0);
        return Ok(());
    }
    // One integer from each rank is agreed at the root.
    let mut buffer = buffer();
    let _ = world.gather_into(&[UNTOUCHED], Some(&mut buffer[..ROOM]), 0);
    assert_canary(&buffer);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn scatter(world: Communicator) -> Result<()> {
    let world = world.unchecked(); // the library shall meet it
    let mut buffer = buffer();
    if world.rank() == 0 {
        let parts = [SENT, SENT].concat();
        let _ = world.scatter_into(Some(&parts[..]), &mut SENT.to_vec(), 0);
        return Ok(());
    }
    let _ = world.scatter_into::<[i32], _>(None, &mut buffer[..ROOM], 0);
    assert_canary(&buffer);
    Ok(())
}

/// A struct, which libraries may be told of in another way than of integers (fault `torn-structs`).
#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
#[repr(C)]
struct Uneven {
    number: i32,
    byte: u8,
}
const OURS: Uneven = Uneven { number: UNTOUCHED, byte: 0 };
const THEIRS: Uneven = Uneven { number: 7, byte: 7 };

#[track_caller]
fn assert_structs(buffer: &[Uneven]) {
    assert!(
        buffer[ROOM..].iter().all(|value| *value == OURS),
        "structs behind the receive buffer have changed"
    );
}

#[mpi::test(ranks = 2)]
fn gather_of_structs(world: Communicator) -> Result<()> {
    let world = world.unchecked(); // the library shall meet it
    let sent = vec![THEIRS; SENT.len()];
    if world.rank() == 1 {
        let _ = world.gather_into::<_, [Uneven]>(&sent, None, 0);
        return Ok(());
    }
    let mut buffer = vec![OURS; sent.len() + 1000];
    let _ = world.gather_into(&[OURS], Some(&mut buffer[..ROOM]), 0);
    assert_structs(&buffer);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn scatter_of_structs(world: Communicator) -> Result<()> {
    let world = world.unchecked(); // the library shall meet it
    let mut buffer = vec![OURS; SENT.len() + 1000];
    if world.rank() == 0 {
        let parts = vec![THEIRS; 2 * SENT.len()];
        let _ = world.scatter_into(Some(&parts[..]), &mut vec![OURS; SENT.len()], 0);
        return Ok(());
    }
    let _ = world.scatter_into::<[Uneven], _>(None, &mut buffer[..ROOM], 0);
    assert_structs(&buffer);
    Ok(())
}
