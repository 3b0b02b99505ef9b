//! Partitioned messages: partitions are filled by several threads while others travel.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::ErrorClass;
use mpi::test_support::hooks;
use mpi_miri::{class, world};
use std::mem;
use std::thread;

#[test]
fn threads_fill_partitions_while_others_travel() {
    let world = world();
    let mut send = world.psend_init(vec![0u64; 24], 4, 0, 1).unwrap();
    let mut receive = world.precv_init(vec![0u64; 24], 6, 0, 1).unwrap();
    for round in 0..3 {
        let arriving = receive.start().unwrap();
        let mut filling = send.start().unwrap();
        let mut seen = 0;
        thread::scope(|threads| {
            for mut partition in filling.partitions() {
                threads.spawn(move || {
                    let first = 6 * partition.index() as u64;
                    partition.iter_mut().zip(first..).for_each(|(x, i)| *x = 100 * round + i);
                    assert_eq!(partition[1], 100 * round + first + 1);
                    partition.ready();
                });
            }
            for _ in 0..3 {
                seen += (0..6).filter_map(|i| arriving.arrived(i).unwrap()).map(<[u64]>::len).sum::<usize>();
            }
        });
        let early = arriving.arrived(5).unwrap().map(|part| part.iter().sum::<u64>());
        filling.wait().unwrap();
        arriving.wait().unwrap();
        assert!(seen <= 72 && early.is_none_or(|sum| sum == 400 * round + 86), "{early:?}");
        assert!(receive.buffer().unwrap().iter().copied().eq(100 * round..100 * round + 24));
        receive.buffer_mut().unwrap().fill(0);
        send.buffer_mut().unwrap().fill(9);
    }
    assert_eq!((send.into_inner().unwrap().len(), receive.into_inner().unwrap().len()), (24, 24));
}

#[test]
fn what_nobody_makes_ready_is_made_ready_by_wait() {
    let world = world();
    let mut send = world.psend_init([1u8; 12], 4, 0, 1).unwrap();
    let mut receive = world.precv_init([0u8; 12], 1, 0, 1).unwrap();
    let arriving = receive.start().unwrap();
    let mut filling = send.start().unwrap();
    filling.partitions().for_each(mem::forget);
    assert_eq!(
        filling.partitions().count(),
        4,
        "a forgotten token can be had again; a dropped one makes ready"
    );
    assert_eq!(filling.partitions().count(), 0);
    filling.wait().unwrap();
    arriving.wait().unwrap();
    mem::forget(receive.start().unwrap());
    mem::forget(send.start().unwrap());
    assert_eq!(hooks::in_flight(), 2);
    assert_eq!(send.buffer().unwrap(), [1; 12], "it makes everything ready and waits");
    assert_eq!(receive.buffer().unwrap(), [1; 12]);
    let arriving = receive.start().unwrap();
    let mut filling = Box::new(send.start().unwrap());
    filling.partition(0).unwrap().fill(5);
    filling.ready(0..1).unwrap();
    drop(filling);
    drop(arriving);
    assert_eq!(hooks::in_flight(), 0);
    assert_eq!(receive.into_inner().unwrap()[2..5], [5, 1, 1]);
    drop(world.psend_init([1u8; 4], 2, 0, 9).unwrap()); // never started
}

#[test]
fn partitions_by_number() {
    let world = world();
    let mut send = world.psend_init(vec![[0u16; 2]; 10], 5, 0, 1).unwrap();
    let mut receive = world.precv_init(vec![[0u16; 2]; 10], 5, 0, 1).unwrap();
    let arriving = receive.start().unwrap();
    let mut filling = send.start().unwrap();
    filling.partition(3).unwrap().fill([3, 4]);
    filling.ready(3..5).unwrap();
    filling.ready(1..1).unwrap();
    assert_eq!(class(filling.partition(3).map(|_| ())), ErrorClass::ARG);
    assert_eq!(class(filling.ready(2..4)), ErrorClass::ARG);
    assert_eq!(class(filling.ready(0..6)), ErrorClass::ARG);
    assert_eq!(class(filling.partition(5).map(|_| ())), ErrorClass::ARG);
    assert_eq!(class(arriving.arrived(5).map(|_| ())), ErrorClass::ARG);
    let indices: Vec<usize> = filling.partitions().map(|partition| partition.index()).collect();
    assert_eq!(indices, [0, 1, 2]);
    while arriving.arrived(3).unwrap().is_none() {}
    assert_eq!(arriving.arrived(3).unwrap(), Some(&[[3, 4]; 2][..]));
    filling.wait().unwrap();
    arriving.wait().unwrap();
    assert_eq!(receive.buffer().unwrap()[5..9], [[0, 0], [3, 4], [3, 4], [0, 0]]);
}

#[test]
fn to_and_from_nowhere_and_without_elements() {
    let world = world();
    let mut send = world.psend_init(vec![7u8; 6], 3, None, 1).unwrap();
    let mut receive = world.precv_init(vec![8u8; 6], 3, None, 1).unwrap();
    let arriving = receive.start().unwrap();
    assert_eq!(arriving.arrived(1).unwrap(), Some(&[8, 8][..]));
    let mut filling = send.start().unwrap();
    filling.partitions().for_each(|mut partition| partition[0] = 1);
    filling.wait().unwrap();
    arriving.wait().unwrap();
    assert_eq!(
        (send.into_inner().unwrap(), receive.into_inner().unwrap()),
        (vec![1, 7, 1, 7, 1, 7], vec![8; 6])
    );
    let mut send = world.psend_init(Vec::<u64>::new(), 3, 0, 1).unwrap();
    let mut receive = world.precv_init(Vec::<u64>::new(), 2, 0, 1).unwrap();
    let arriving = receive.start().unwrap();
    send.start().unwrap().wait().unwrap();
    arriving.wait().unwrap();
    assert_eq!(class(world.psend_init([0u8; 7], 3, 0, 0)), ErrorClass::COUNT);
    assert_eq!(class(world.psend_init([0u8; 7], 0, 0, 0)), ErrorClass::COUNT);
    assert_eq!(class(world.precv_init([0u8; 8], usize::MAX, 0, 0)), ErrorClass::COUNT);
    assert_eq!(class(world.precv_init([0u8; 8], 2, 1, 0)), ErrorClass::RANK);
}
