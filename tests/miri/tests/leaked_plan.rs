//! A plan that unwinds while MPI uses its array leaks it. The only test here: what is leaked stays.

use mpi::persistent::Plan;
use mpi::test_support::hooks;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn a_panic_leaks_what_is_in_flight() {
    let world = mpi::init().unwrap();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut plan = Plan::new(&world);
        let array = plan.array([1u64; 60]);
        plan.send(array, 0..30, 0, 1).unwrap().recv(array, 30..60, 0, 1).unwrap();
        let _flight = plan.start().unwrap();
        panic!("a bug of the program");
    }));
    assert!(caught.is_err());
    assert!(hooks::in_flight() > 0, "MPI has the leaked array");
    while hooks::in_flight() > 0 {
        world.barrier().unwrap(); // the message moves on
    }
    assert_eq!(hooks::requests(), 2, "of the plan that was leaked");
    std::mem::forget(world);
}
