//! Plans whose arrays MPI does not let go of leak them. The only test here: what is leaked stays.

use mpi::persistent::Plan;
use mpi::test_support::hooks::{self, Pending, leave_pending};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn what_is_in_flight_is_leaked_by_a_panic_and_by_a_library_that_fails() {
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

    // A library that fails and cannot complete what it leaves pending.
    leave_pending(Pending::Forever);
    let mut plan = Plan::new(&world);
    let (from, into) = (plan.array([1u64; 20]), plan.array([0u64; 60]));
    plan.recv(into, 0..1, 0, 1).unwrap().recv(into, 1..60, 0, 2).unwrap();
    plan.send(from, 0..20, 0, 1).unwrap().send(from, 0..20, 0, 2).unwrap();
    assert!(plan.start().unwrap().wait().is_err());
    assert!(plan.get(into).is_err() && plan.get_mut(from).is_err() && plan.start().is_err());
    assert!(plan.take(into).is_err());
    drop(plan);
    leave_pending(Pending::Never);
    while hooks::in_flight() > 0 {
        world.barrier().unwrap();
    }
    std::mem::forget(world);
}
