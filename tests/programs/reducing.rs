//! Functions of reductions that do what they must not.

use crate::case::Case;
use mpi::environment::ThreadLevel;
use mpi::op::{Sum, UserOp, from_fn, reduce_local};
use mpi::request::{Collective, Pending};
use mpi::{Builder, Communicator, Error};
use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Mutex;

pub const CASES: &[Case] = &[
    Case::new("a_panic_in_a_function", 2, panics, |ended| {
        ended.failed();
        assert!(ended.count("panicked at tests/programs/reducing.rs:") >= 1);
        assert!(ended.count("cannot combine 1 and 1") >= 1);
        assert!(ended.count("the function of a reduction panicked: ending the job") >= 1);
        assert!(ended.count("[rank ") >= 2, "who it was");
    }),
    Case::new("a_panic_in_a_closure_in_flight", 2, panics_in_flight, |ended| {
        ended.failed();
        assert!(ended.count("cannot combine 7") >= 1);
        assert!(ended.count("the function of a reduction panicked: ending the job") >= 1);
    }),
    Case::new("a_panic_without_the_hook", 1, panics_without_the_hook, |ended| {
        ended.failed();
        assert_eq!(ended.count("no hook"), 1);
        assert_eq!(ended.count("] the function of a reduction panicked: ending the job"), 1);
    }),
    Case::new("mpi_is_closed_to_a_function", 2, calls_mpi, |ended| ended.succeeded()),
    Case::new("mpi_is_closed_to_a_function_where_several_threads_call_it", 2, calls_mpi_multiple, |ended| {
        ended.succeeded()
    }),
    Case::new("a_function_cannot_end_mpi", 2, drops_handles, |ended| {
        assert!(!ended.timed_out && ended.code == 0, "exit code {}", ended.code);
        assert_eq!(ended.count("done"), 2);
    }),
    Case::new("a_request_that_a_function_would_complete_is_leaked", 1, completes_a_request, |ended| {
        assert!(!ended.timed_out && ended.count("done") == 1);
        assert_eq!(ended.count("MPI was not finalized"), 1);
    }),
    Case::new("a_function_may_abort", 2, aborts, |ended| {
        ended.failed();
        assert_eq!(ended.count("survived"), 0);
    }),
    Case::new("an_operation_outlives_the_communicators", 2, outlives, |ended| ended.succeeded()),
    Case::new("an_operation_needs_mpi", 1, needs_mpi, |ended| ended.succeeded()),
];

fn panics() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        let op: UserOp<i32> = from_fn(|a, b| panic!("cannot combine {a} and {b}"));
        world.allreduce(&1, &op)?;
        println!("survived");
        Ok(())
    })
}

fn panics_in_flight() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        let bad = std::hint::black_box(7);
        let op = from_fn(move |a: i32, b: i32| if a == bad { panic!("cannot combine {a}") } else { a + b });
        let mut sum = [0; 3];
        world.scope(|s| s.iallreduce(&[1, 7, 7], &mut sum, &op)?.wait().map(drop))?;
        println!("survived");
        Ok(())
    })
}

fn panics_without_the_hook() -> ExitCode {
    let _world = mpi::init().expect("MPI starts");
    let op: UserOp<u8> = from_fn(|_, _| panic!("no hook"));
    let mut x = [1];
    reduce_local(&[1], &mut x, &op).expect("does not return");
    ExitCode::SUCCESS
}

type Both = (Vec<u8>, Vec<u8>);

thread_local! {
    static HIDDEN: RefCell<Option<Communicator>> = const { RefCell::new(None) };
    static PENDING: RefCell<Option<Pending<Both, Collective>>> = const { RefCell::new(None) };
}
static REFUSED: Mutex<Vec<Error>> = Mutex::new(Vec::new());

/// Tries all that a function can get at; whatever succeeds is not in the list.
fn tries_everything(a: u64, b: u64) -> u64 {
    let mut refused = REFUSED.lock().expect("no panic holds it");
    refused.extend(mpi::init().err());
    refused.extend(Communicator::world().err());
    refused.extend(Communicator::this_process().err());
    refused.extend(mpi::environment::wtime().err());
    refused.extend(reduce_local(&[1u8], &mut [1u8], Sum).err());
    HIDDEN.with_borrow(|hidden| {
        let Some(world) = hidden else { return };
        refused.extend(world.dup().err());
        refused.extend(world.barrier().err());
        refused.extend(world.allreduce(&1, Sum).err());
        refused.extend(world.send(&1u8, 0, 3).err());
        refused.extend(world.recv::<u8>(0, 3).err());
        refused.extend(world.recv::<u8>(mpi::Source::ANY, mpi::Tag::ANY).err());
        refused.extend(world.probe(0, 3).err());
        refused.extend(world.scope(|s| s.isend(&1u8, 0, 3).map(drop)).err());
        refused.extend(world.irecv(vec![0u8], 0, 3).err().map(|returned| returned.error));
        refused.extend(world.cartesian(&[1], &[false], false).err());
    });
    a + b
}

/// What a function is refused is refused because it is one; afterwards all is well.
fn tried(world: &Communicator) -> mpi::Result<()> {
    HIDDEN.set(Some(world.dup()?));
    let mut sum = 1;
    reduce_local(&2, &mut sum, &from_fn(tries_everything))?;
    assert_eq!(sum, 3);
    let refused = std::mem::take(&mut *REFUSED.lock().expect("no panic holds it"));
    for error in &refused {
        assert!(error.to_string().contains("a function that MPI has called"), "{error}");
    }
    assert_eq!(refused.len(), 15);
    let total = world.allreduce(&1u64, &from_fn(tries_everything))?;
    assert_eq!(total, world.size() as u64);
    let hidden = HIDDEN.take().expect("it is still there");
    hidden.barrier()?;
    let mut theirs = 0;
    let peer = world.size() - 1 - world.rank();
    world.sendrecv(&world.rank(), peer, 0, &mut theirs, peer, 0)?;
    assert_eq!(theirs, peer);
    Ok(())
}

fn calls_mpi() -> ExitCode {
    mpi::run(|world| tried(&world))
}

fn calls_mpi_multiple() -> ExitCode {
    Builder::new().threads(ThreadLevel::Multiple).run(|world| -> mpi::Result<()> {
        tried(&world)?;
        assert_eq!(mpi::Tag::upper_bound()?.max(32_767), mpi::Tag::upper_bound()?);
        let error = world.send(&1u8, 0, -1).expect_err("no tag");
        assert!(error.to_string().contains("tag -1 is outside 0 to "), "{error}");
        Ok(())
    })
}

/// The function drops all handles but those of the reduction itself.
fn drops_handles() -> ExitCode {
    let world = mpi::init().expect("MPI starts");
    HIDDEN.set(Some(world));
    let op = from_fn(|a: u64, b: u64| {
        drop(HIDDEN.take());
        a + b
    });
    let mut sum = 1u64;
    reduce_local(&2u64, &mut sum, &op).expect("MPI is live");
    assert_eq!(sum, 3);
    assert!(mpi::init().is_ok(), "MPI is live still");
    println!("done");
    ExitCode::SUCCESS
}

fn completes_a_request() -> ExitCode {
    let world = mpi::init().expect("MPI starts");
    PENDING.set(Some(world.iallreduce(vec![1u8; 3], vec![0; 3], Sum).expect("a reduction")));
    let op = from_fn(|a: u64, b: u64| {
        let refused =
            PENDING.take().expect("once").wait().expect_err("this is a function that MPI has called");
        assert!(refused.data.is_none(), "MPI may still use the buffers");
        a + b
    });
    reduce_local(&2u64, &mut 1u64, &op).expect("MPI is live");
    drop((op, world));
    println!("done");
    ExitCode::SUCCESS
}

fn aborts() -> ExitCode {
    mpi::run(|world| -> mpi::Result<()> {
        HIDDEN.set(Some(world.dup()?));
        let abort = |_: u8, _: u8| HIDDEN.with_borrow(|hidden| hidden.as_ref().expect("set above").abort(7));
        world.allreduce(&1, &from_fn(abort))?;
        println!("survived");
        Ok(())
    })
}

/// The last handle is an operation.
fn outlives() -> ExitCode {
    let op = from_fn(|a: u8, b: u8| a | b);
    {
        let world = mpi::init().expect("MPI starts");
        assert_eq!(world.allreduce(&4u8, &op).expect("a reduction"), 4);
    }
    assert!(Communicator::world().is_ok(), "the operation keeps MPI live");
    drop(op);
    assert!(Communicator::world().is_err(), "nobody does");
    ExitCode::SUCCESS
}

fn needs_mpi() -> ExitCode {
    let op = from_fn(|a: u8, b: u8| a | b);
    let mut x = [1u8];
    let error = reduce_local(&[2], &mut x, &op).expect_err("MPI is not initialized");
    assert!(error.to_string().contains("not initialized"), "{error}");
    let world = mpi::init().expect("MPI starts");
    reduce_local(&[2], &mut x, &op).expect("the same operation, now");
    assert_eq!(x, [3]);
    drop((op, world));
    ExitCode::SUCCESS
}
