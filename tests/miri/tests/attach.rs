//! A host program starts MPI and ends it under our handles. One test: MPI starts once.

use mpi::buffer::Strided;
use mpi::op::Sum;
use mpi::test_support::{handles, hooks};
use mpi::{Communicator, Comparison, ErrorClass};
use mpi_miri::class;

#[test]
fn a_host_initializes_and_finalizes() {
    hooks::host_initializes();
    let world = mpi::init().unwrap();
    drop(world); // detaches; the host goes on

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

    hooks::host_finalizes();
    // Whatever is called now is an error and does not reach MPI: the fake ends a process that enters it.
    let cells = [1u8, 2, 3, 4];
    let view = Strided::new(&cells, 0, 2, 1, 2).unwrap();
    let mut bytes = [0u8; 2];
    assert_eq!(class(world.send(&view, 0, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.recv::<u8>(None, 1)), ErrorClass::OTHER);
    assert_eq!(class(world.recv_vec::<u8>(0, mpi::Tag::ANY)), ErrorClass::OTHER);
    assert_eq!(class(world.probe(0, 1)), ErrorClass::OTHER);
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
    drop((world, dup)); // and drops do nothing
    assert_eq!(handles(), 0);
    assert!(mpi::init().is_err());
}
