//! Starting and ending MPI in one process, with handles in every order and place. One test: MPI starts once.

use mpi::request::{Pending, PendingSend};
use mpi::test_support::handles;
use mpi::{Communicator, ErrorClass};
use mpi_miri::class;
use std::cell::RefCell;
use std::thread;

thread_local! {
    static PARKED: RefCell<Option<Communicator>> = const { RefCell::new(None) };
    static IN_FLIGHT: RefCell<Option<(Pending<Box<[u64]>>, PendingSend<Box<[u64]>>)>> = const { RefCell::new(None) };
}

#[test]
fn from_before_init_to_after_finalize() {
    assert_eq!(class(Communicator::world()), ErrorClass::OTHER);
    assert!(mpi::topology::dims_create(4, [0]).is_err() && mpi::Tag::upper_bound().is_err());
    assert!(mpi::environment::library_version().is_ok(), "may be asked before");

    let owner = thread::spawn(|| {
        let world = mpi::init().unwrap();
        let again = Communicator::world().unwrap();
        let (dup, alone) = (world.dup().unwrap(), Communicator::this_process().unwrap());
        drop((world, again)); // the oldest first
        assert_eq!(handles(), 2);
        dup.send(&[1u64, 2], 0, 1).unwrap();
        assert_eq!(dup.recv_vec::<u64>(0, 1).unwrap().data, [1, 2]);

        // A buffer that is still attached at the end is given back before MPI ends: the fake wants it so.
        mpi::buffered::attach(1000).unwrap();
        dup.bsend(&[3u8; 5], 0, 2).unwrap();
        assert_eq!(dup.recv::<[u8; 5]>(0, 2).unwrap().data, [3; 5]);

        // Below MPI_THREAD_MULTIPLE the others may not.
        thread::scope(|threads| {
            threads.spawn(|| {
                assert!(mpi::init().is_err() && Communicator::world().is_err());
                assert!(mpi::environment::wtime().is_err());
                assert!(mpi::buffered::detach().is_err() && mpi::buffered::flush().is_err());
            });
        });

        // A view's type is kept for later views, and freed before MPI ends.
        let cells = [1u64, 2, 3, 4];
        alone.send(&mpi::buffer::Strided::new(&cells, 0, 2, 1, 2).unwrap(), 0, 1).unwrap();
        assert_eq!(alone.recv::<[u64; 2]>(0, 1).unwrap().data, [1, 3]);
        drop(alone);
        // Dropped when the thread ends, in whatever order: the last of them finalizes MPI.
        let requests =
            (dup.irecv(Box::from([0; 9]), 0, 2).unwrap(), dup.isend(Box::from([5; 9]), 0, 2).unwrap());
        IN_FLIGHT.with(|place| *place.borrow_mut() = Some(requests));
        PARKED.with(|place| *place.borrow_mut() = Some(dup));
        assert_eq!(handles(), 1);
    });
    owner.join().unwrap();

    assert_eq!(handles(), 0);
    let error = mpi::init().unwrap_err();
    assert!(error.to_string().contains("finalized"), "{error}");
    assert!(Communicator::world().is_err() && mpi::environment::processor_name().is_err());
    assert_eq!(class(mpi::buffered::attach(1000)), ErrorClass::OTHER);
    assert!(mpi::environment::loaded_library().is_ok(), "may be asked afterwards");
}
