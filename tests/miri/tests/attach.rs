//! A host program starts MPI and ends it under our handles. One test: MPI starts once.

use mpi::buffer::Strided;
use mpi::op::Sum;
use mpi::request::PendingSet;
use mpi::test_support::{handles, hooks};
use mpi::{Communicator, Comparison, ErrorClass};
use mpi_miri::class;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

#[test]
fn a_host_initializes_and_finalizes() {
    hooks::host_initializes();
    let world = mpi::init().unwrap();
    mpi::buffered::attach(500).unwrap();
    drop(world); // detaches, the buffer too; the host goes on
    assert!(!hooks::has_buffer());

    let world = mpi::init().unwrap();
    let dup = world.dup().unwrap();
    assert_eq!(world.compare(&dup).unwrap(), Comparison::Congruent);
    let mut a = [0u64; 2];
    world
        .scope(|s| {
            let receive = s.irecv(&mut a, 0, 1)?;
            s.isend(&[1u64, 2], 0, 1)?.defer();
            receive.wait().map(|_| ())
        })
        .unwrap();
    world.send(&[1u8], 0, 2).unwrap();
    let status = world.recv_into(&mut [0u8], 0, 2).unwrap().status;

    mpi::buffered::attach(500).unwrap();
    world.bsend(&[4u8; 20], 0, 3).unwrap();
    let message = world.mprobe(0, 3).unwrap();
    world.bsend(&[5u8; 20], 0, 4).unwrap();
    assert_eq!(message.recv::<[u8; 20]>().unwrap().data, [4; 20]);
    drop(world.mprobe(0, 4).unwrap());
    world.send(&1u8, 0, 5).unwrap();
    let left = world.mprobe(0, 5).unwrap();

    let (receive, awaited) =
        (world.irecv(vec![0u64; 4].into_boxed_slice(), 0, 3).unwrap(), world.irecv_vec::<u8>(0, 4).unwrap());
    let mut future = dup.irecv(vec![0u64; 4], 0, 3).unwrap();
    let mut set: PendingSet<_> =
        [world.irecv(vec![0u8], 0, 5).unwrap(), world.irecv(vec![1u8], None, 5).unwrap()]
            .into_iter()
            .collect();
    let parked = world.isend(vec![7u64; 9], 0, 6).unwrap();

    hooks::host_finalizes_carelessly();
    drop(left); // MPI is gone, and its message with it
    // Whatever is called now is an error and does not reach MPI: the fake ends a process that enters it.
    let cells = [1u8, 2, 3, 4];
    let view = Strided::new(&cells, 0, 2, 1, 2).unwrap();
    let mut bytes = [0u8; 2];
    assert_eq!(class(world.send(&view, 0, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.recv::<u8>(None, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.recv_vec::<u8>(0, mpi::Tag::ANY)), ErrorClass::OTHER);
    assert_eq!(class(world.probe(0, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.iprobe(0, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.mprobe(0, mpi::Tag::ANY)), ErrorClass::OTHER);
    assert_eq!(class(world.improbe(None, mpi::Tag::ANY)), ErrorClass::OTHER);
    assert_eq!(class(world.bsend(&view, 0, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.sendrecv_replace(&mut bytes, 0, 1, 0, 1).map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(world.scope(|s| s.issend(view, 0, 1).map(|r| r.defer()))), ErrorClass::OTHER);
    assert_eq!(class(world.scope(|s| s.ibsend(view, 0, 1).map(|r| r.defer()))), ErrorClass::OTHER);
    let exchange = world.scope(|s| s.isendrecv_replace(&mut bytes, 0, 1, 0, 1).map(|r| r.defer()));
    assert_eq!(class(exchange), ErrorClass::OTHER);
    assert_eq!(class(mpi::buffered::detach()), ErrorClass::OTHER);
    assert_eq!(class(world.sendrecv(&view, 0, 1, &mut bytes, 0, 1).map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(world.barrier()), ErrorClass::OTHER);
    assert_eq!(class(world.bcast(&mut bytes, 0)), ErrorClass::OTHER);
    assert_eq!(class(world.allgather(&view)), ErrorClass::OTHER);
    assert_eq!(class(world.allgather_into(&view, &mut bytes)), ErrorClass::OTHER);
    assert_eq!(class(world.gather(&view, 0)), ErrorClass::OTHER);
    assert_eq!(class(world.scatter(Some(&cells), 0)), ErrorClass::OTHER);
    assert_eq!(class(world.allreduce(&1u8, Sum)), ErrorClass::OTHER);
    assert_eq!(class(world.reduce(&1u8, Sum, 0)), ErrorClass::OTHER);
    assert_eq!(class(world.dup().map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(world.split(Some(0), 0).map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(world.compare(&dup)), ErrorClass::OTHER);
    assert_eq!(class(world.cartesian(&[1], &[true], false).map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(Communicator::world().map(|_| ())), ErrorClass::OTHER);
    assert_eq!(class(world.scope(|s| s.isend(view, 0, 1).map(|r| r.defer()))), ErrorClass::OTHER);
    assert_eq!(class(world.scope(|s| s.irecv(&mut bytes, 0, 1).map(|r| r.defer()))), ErrorClass::OTHER);
    assert_eq!(class(world.scope(|s| s.ibarrier().map(|r| r.defer()))), ErrorClass::OTHER);
    assert_eq!((status.count::<u8>(), status.source()), (None, Some(0)));
    let failed = receive.wait().unwrap_err();
    assert_eq!((failed.error.class(), failed.data), (ErrorClass::OTHER, None)); // it may be MPI's still
    assert_eq!(class(awaited.wait()), ErrorClass::OTHER);
    let Poll::Ready(Err(failed)) = pin!(&mut future).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("ended")
    };
    assert_eq!(failed.data, None);
    assert!(set.wait_all().is_err());
    assert_eq!(set.wait_any().unwrap().unwrap().1.data, [1]); // from nowhere: never MPI's
    assert!(set.test_some().is_err() && set.wait_any().is_err());
    assert_eq!(world.isend(vec![1u8], 0, 0).unwrap_err().data, [1]);
    assert_eq!(dup.free().unwrap_err().error.class(), ErrorClass::OTHER);
    drop((world, future, set, parked)); // and drops do nothing
    assert_eq!(handles(), 0);
    assert!(mpi::init().is_err());
}
