//! Handles that outlive `main`: MPI is not finalized behind their back, the job ends all the same, and one line says so.

use crate::case::{Case, Ended};
use mpi::Communicator;
use mpi::buffer::{OwnedRecv, OwnedSend};
use mpi::request::PendingSet;
use std::mem;
use std::process::ExitCode;
use std::sync::OnceLock;

pub const CASES: &[Case] = &[
    Case::new("a_handle_in_a_static", 2, in_a_static, not_finalized),
    Case::new("a_forgotten_handle", 2, forgotten, not_finalized),
    Case::new("a_leaked_duplicate", 2, leaked, not_finalized),
    Case::new("the_last_handle_goes_with_a_buffer", 2, last_handle_in_a_buffer, |ended| {
        ended.succeeded();
        assert_eq!(ended.count("a buffer is gone"), 4);
    }),
    Case::new("drop_order_reversed", 2, drop_order_reversed, |ended| ended.succeeded()),
    Case::new("a_leak_inside_a_scope", 2, leak_inside_a_scope, |ended| ended.succeeded()),
];

/// One line of each rank says that a handle was left. What the launcher makes of a rank that does not finalize is its
/// own affair: some kill the other ranks before they can say it.
pub fn not_finalized(ended: &Ended) {
    assert!(!ended.timed_out, "the job hung");
    let lines = |rank: usize| {
        let whole = |line: &&str| {
            line.starts_with(&format!("[rank {rank} of 2 on "))
                && line
                    .contains("] MPI was not finalized: 1 handle(s) were still alive when the process ended")
        };
        ended.stderr.lines().filter(whole).count()
    };
    let (zero, one) = (lines(0), lines(1));
    assert!(zero <= 1 && one <= 1 && zero + one >= 1, "{zero} and {one} lines");
}

/// What unsafe code can do with a handle.
struct Anywhere(#[expect(dead_code, reason = "only its drop, which never comes, would matter")] Communicator);
// SAFETY: never touched again after it was put into its place.
unsafe impl Send for Anywhere {}
// SAFETY: as above.
unsafe impl Sync for Anywhere {}

fn in_a_static() -> ExitCode {
    static KEPT: OnceLock<Anywhere> = OnceLock::new();
    mpi::run(|world| -> mpi::Result<()> {
        world.barrier()?;
        KEPT.get_or_init(|| Anywhere(world));
        Ok(())
    })
}

fn forgotten() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        world.barrier()?;
        mem::forget(world);
        Ok(())
    })
}

fn leaked() -> ExitCode {
    mpi::run(|world| {
        Box::leak(Box::new(world.dup()?));
        world.barrier()
    })
}

fn drop_order_reversed() -> ExitCode {
    mpi::run(|world| {
        let dup = world.dup()?;
        let half = dup.split(Some(0), 0)?.expect("a color was given");
        let grid = half.cartesian(&[2], &[true], false)?.expect("every rank has a place");
        drop(world);
        drop(dup);
        grid.barrier()?;
        drop(half);
        grid.barrier()
    })
}

/// What a scope owns is leaked with it; its messages arrive all the same.
fn leak_inside_a_scope() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        let (peer, mut theirs) = (1 - world.rank(), vec![0usize; 1000]);
        let mine = vec![world.rank(); 1000];
        world.scope(|s| {
            Box::leak(Box::new(s.irecv(&mut theirs, peer, 0)?));
            Box::leak(Box::new((s, s.isend(&mine, peer, 0)?)));
            Ok(())
        })?;
        assert_eq!(theirs, [peer; 1000]);
        Ok(())
    })
}

/// A buffer that owns what it is sent by, and says when it is dropped.
struct WithItsWorld {
    values: Vec<u64>,
    _world: Communicator,
}
// SAFETY: the values are in a vector, which nobody touches unless the buffer is used.
unsafe impl OwnedSend for WithItsWorld {
    type Elem = u64;
    fn elements(&self) -> &[u64] {
        &self.values
    }
}
// SAFETY: as above.
unsafe impl OwnedRecv for WithItsWorld {
    type Elem = u64;
    fn elements_mut(&mut self) -> &mut [u64] {
        &mut self.values
    }
}
impl Drop for WithItsWorld {
    fn drop(&mut self) {
        println!("a buffer is gone");
    }
}

/// The handle is dropped by a destructor that a request runs when it is dropped, or completed in a set.
fn last_handle_in_a_buffer() -> ExitCode {
    let exchange = || -> mpi::Result<()> {
        let world = mpi::init()?;
        let peer = 1 - world.rank();
        let buffer = |values| -> mpi::Result<_> { Ok(WithItsWorld { values, _world: mpi::init()? }) };
        let incoming = world.irecv(buffer(vec![0; 5])?, peer, 0)?;
        let mut set = PendingSet::new();
        set.push(world.isend(buffer(vec![4; 5])?, peer, 0)?);
        drop(world);
        assert_eq!(incoming.wait()?.data.values, [4; 5]);
        drop(set); // finalizes MPI, in the middle of dropping its request
        Ok(())
    };
    match exchange() {
        Ok(()) if mpi::init().is_err_and(|error| error.to_string().contains("finalized")) => {
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}
