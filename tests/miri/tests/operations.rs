//! Operations made of functions: the fake calls them with elements at odd addresses, on this thread and on another.

use mpi::op::{ExactSum, Located, MaxLoc, Operation, Sum, from_fn, reduce_local};
use mpi::{AnyBits, Communicator};
use mpi_miri::world;
use std::cell::RefCell;
use std::fmt::Debug;

fn last<T>(_: T, b: T) -> T {
    b
}

/// The second of two buffers stays; twice, since the fake changes its thread.
fn keeps_the_last<T: AnyBits + PartialEq + Debug>(first: &[T], second: &[T]) {
    for _ in 0..2 {
        let mut result = second.to_vec();
        reduce_local(first, &mut result, &from_fn(last)).unwrap();
        assert_eq!(result, second);
        reduce_local(first, &mut result, &from_fn(|a: T, _| a)).unwrap();
        assert_eq!(result, first);
    }
}

#[test]
fn elements_of_every_size() {
    let _world = world();
    keeps_the_last(&[1u8, 2], &[3, 4]);
    keeps_the_last(&[[1u8, 2, 3]; 3], &[[4, 5, 6]; 3]);
    keeps_the_last(&[1u64, 2], &[3, 4]);
    keeps_the_last(&[1i128], &[-1]);
    keeps_the_last(&[[1.5f64, 2.0, 3.0]], &[[4.0, 5.0, 6.0]]);
    keeps_the_last::<u32>(&[], &[]);
    keeps_the_last(&[(); 3], &[(); 3]);
    keeps_the_last(&[Located::new(1u8, 2)], &[Located::new(3, 4)]);
}

#[test]
fn in_order() {
    let _world = world();
    let minus = from_fn(|a: i32, b: i32| a - b);
    let mut result = [1, 2];
    reduce_local(&[10, 20], &mut result, &minus).unwrap();
    assert_eq!(result, [9, 18]);
    assert!(!(&minus).is_commutative().unwrap());
    assert!((&minus.commutative()).is_commutative().unwrap());
    let mut most = [Located::new(2.0f32, 7)];
    reduce_local(&[Located::new(2.0, 3)], &mut most, MaxLoc).unwrap();
    assert_eq!(most[0].index(), 3);
}

#[test]
fn kept_by_what_is_in_flight() {
    let world = world();
    let op = from_fn(last::<u16>);
    let mut result = [0; 4];
    world
        .scope(|s| {
            let op = from_fn(last::<u16>);
            s.iallreduce(&[1, 2, 3, 4], &mut result, &op)?.defer();
            drop(op);
            Ok(())
        })
        .unwrap();
    assert_eq!(result, [1, 2, 3, 4]);
    let pending = world.iallreduce(vec![5u16; 3], vec![0; 3], &op).unwrap();
    let dropped = world.iallreduce(vec![5u16; 3], vec![0; 3], &op).unwrap();
    let forgotten = world.dup().unwrap().iallreduce(vec![5u16; 3], vec![0; 3], &op).unwrap();
    drop(op);
    drop(dropped);
    assert_eq!(pending.wait().unwrap().1, [5; 3]);
    drop(forgotten);
}

thread_local!(static HIDDEN: RefCell<Option<Communicator>> = const { RefCell::new(None) });

#[test]
fn mpi_is_closed_to_a_function() {
    let world = world();
    let op = from_fn(|a: u8, b: u8| {
        assert!(Communicator::world().is_err() && mpi::init().is_err());
        if let Some(hidden) = HIDDEN.take() {
            assert!(hidden.barrier().is_err() && hidden.send(&a, 0, 0).is_err() && hidden.dup().is_err());
        }
        a + b
    });
    let mut sum = [1u8];
    for total in [3, 5] {
        HIDDEN.set(Some(world.dup().unwrap()));
        reduce_local(&[2], &mut sum, &op).unwrap();
        assert_eq!(sum, [total]);
        world.barrier().unwrap();
    }
    drop(HIDDEN.take());
}

#[test]
fn exact_sums() {
    let world = world();
    assert_eq!(world.reproducible_sum(&[1e300, 1.0, -1e300]).unwrap(), 1.0);
    let sums: [ExactSum; 2] = [[1.5, 2.5].iter().collect(), ExactSum::new()];
    let result = world.allreduce(&sums, Sum).unwrap();
    assert_eq!(result.map(ExactSum::value), [4.0, 0.0]);
}
