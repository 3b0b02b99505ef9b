//! Collectives of plans, and neighbourhood collectives, while MPI reads and writes.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::buffer::{Counted, Counts, Parts, PartsMut, Strided, StridedMut, WithCounts};
use mpi::op::{self, Max, Sum};
use mpi::persistent::Plan;
use mpi::request::Test;
use mpi::test_support::hooks;
use mpi::topology::Cartesian;
use mpi::{Communicator, ErrorClass, Result};
use mpi_miri::{class, world};
use std::mem;

/// A torus of one rank: everybody's neighbour is itself, on all four sides.
fn torus(world: &Communicator) -> Result<Cartesian> {
    Ok(world.cartesian(&[1, 1], &[true, true], false)?.expect("one rank"))
}

#[test]
fn a_plan_keeps_what_its_collectives_need() -> Result<()> {
    let world = world();
    let mut plan = Plan::new(&world);
    let (mine, sums, room) = (plan.array([0u64; 6]), plan.array([0u64; 6]), plan.array([0u64; 8]));
    {
        // Counts, and an operation that owns memory, which are gone before the plan is started.
        let counts = Counts::new(&[5])?.with_displs(&[1])?;
        plan.alltoallv((mine, 0..6), &counts, room, &Counts::new(&[5])?.with_displs(&[2])?)?;
        plan.allreduce(mine, sums, &op::from_fn(|a: u64, b: u64| a + b))?;
    }
    plan.barrier()?;
    let mut plan = Box::new(plan);
    for round in 1..4 {
        plan.get_mut(mine)?.iter_mut().zip(0..).for_each(|(x, i)| *x = 10 * round + i);
        let mut flight = plan.start()?;
        assert_eq!(flight.view(mine, 0..6)?[(0, 5)], 10 * round + 5);
        assert_eq!(class(flight.view(room, 0..8).map(|_| ())), ErrorClass::BUFFER);
        while let Test::Pending(again) = flight.test()? {
            flight = *Box::new(again);
        }
        assert_eq!(plan.get(sums)?[5], 10 * round + 5);
        assert_eq!(
            plan.get(room)?,
            [0, 0, 10 * round + 1, 10 * round + 2, 10 * round + 3, 10 * round + 4, 10 * round + 5, 0]
        );
    }
    Ok(())
}

#[test]
fn what_is_forgotten_in_flight_is_completed_by_the_next_use() -> Result<()> {
    let world = world();
    let mut plan = Plan::new(&world);
    let (mine, all) = (plan.array([7u32; 40]), plan.array([0u32; 40]));
    plan.allgather(mine, all)?;
    mem::forget(plan.start()?);
    assert_eq!(hooks::in_flight() > 0, true);
    assert_eq!(plan.get(all)?, [7; 40]);
    plan.get_mut(mine)?.fill(8);
    drop(plan.start()?);
    assert_eq!(plan.take(all)?, [8; 40]);
    assert_eq!((plan.operations(), plan.take(mine)?.len()), (0, 40));
    Ok(())
}

#[test]
fn in_place_and_the_plan_keeps_the_counts() -> Result<()> {
    let world = world();
    let mut plan = Plan::new(&world);
    let counts = Counts::new(&[5])?;
    let [a, b, c] = [(); 3].map(|()| plan.array([4u32; 10]));
    plan.allgatherv_in_place((a, 0..5), &counts)?.alltoallv_in_place((a, 5..10), &counts)?;
    plan.gatherv_in_place((b, 0..5), Some(&counts), 0)?.scan_in_place((b, 5..10), Sum)?;
    plan.alltoallw_in_place([(c, 0..5)])?.reduce_scatter_in_place((c, 5..10), &counts, Sum)?;
    drop(counts);
    plan.start()?.wait()?;
    mem::forget(plan.start()?);
    for id in [a, b, c] {
        assert_eq!(plan.get(id)?, [4; 10]);
    }
    assert_eq!(plan.operations(), 6);
    Ok(())
}

#[test]
fn a_scope_completes_what_its_plans_leave_behind() -> Result<()> {
    let world = world();
    let (mine, mut room, mut both) = (vec![3u8; 30], vec![0u8; 34], [5i32; 9]);
    world.scope(|s| {
        let mut plan = s.plan();
        let (mine, room, both) = (plan.array(&mine), plan.array(&mut room), plan.array(&mut both));
        plan.allgatherv(mine, room, &Counts::new(&[30])?.with_displs(&[4])?)?;
        plan.allreduce_in_place(both, Max)?.bcast((both, 0..4), 0).expect_err("received into already");
        mem::forget(plan.start()?);
        mem::forget(plan);
        let mut other = s.plan();
        let number = other.array(s.keep([1.5f64; 20]));
        other.bcast(number, 0)?;
        drop(other.start()?);
        drop(other);
        Ok(())
    })?;
    assert_eq!((&room[..5], room[33], both), (&[0, 0, 0, 0, 3][..], 3, [5; 9]));
    Ok(())
}

#[test]
fn collectives_that_own_their_buffers() -> Result<()> {
    let world = world();
    let mut total = Box::new(world.allreduce_init(vec![1u64; 30], vec![0; 30], Sum)?);
    for round in 1..4 {
        total.input_mut()?.fill(round);
        let started = total.start()?;
        assert_eq!(started.input(), [round; 30]);
        started.wait()?;
        assert_eq!(total.result()?, [round; 30]);
    }
    mem::forget(total.start()?);
    assert_eq!(total.into_inner()?, (vec![3; 30], vec![3; 30]));
    let mut cast = world.bcast_init([1.0f32; 17], 0)?;
    cast.result_mut()?[16] = 2.0;
    drop(cast.start()?);
    assert_eq!(cast.into_inner()?.1[16], 2.0);
    Ok(())
}

/// With the library's own functions, then with what stands for them.
fn on_both_kinds_of_rings(check: impl Fn(&Cartesian) -> Result<()>) -> Result<()> {
    let world = world();
    for faulty in [false, true] {
        hooks::set_short_rings_faulty(faulty);
        let ring = torus(&world)?;
        hooks::set_short_rings_faulty(false);
        check(&ring)?;
    }
    Ok(())
}

/// What goes to the left comes from the right.
const OUT: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const IN: [u64; 8] = [3, 4, 1, 2, 7, 8, 5, 6];

#[test]
fn equal_blocks_with_neighbors() -> Result<()> {
    on_both_kinds_of_rings(|ring| {
        assert_eq!(ring.neighbor_alltoall(&OUT)?, IN);
        let mut room = [0; 8];
        ring.scope(|s| {
            let exchange = s.ineighbor_alltoall(&OUT, &mut room)?;
            assert_eq!(OUT[3], 4);
            assert_eq!(exchange.wait()?.1, &IN);
            Ok(())
        })?;
        let pending = Box::new(ring.ineighbor_alltoall(OUT.to_vec(), vec![0; 8])?);
        assert_eq!(pending.wait()?.1, IN);
        drop(ring.ineighbor_alltoall(OUT.to_vec(), vec![0; 8])?);
        let mut plan = Plan::new(ring);
        let (out, into) = (plan.array(OUT), plan.array([0u64; 8]));
        plan.neighbor_alltoall(out, into)?;
        (0..3).try_for_each(|_| plan.start()?.wait())?;
        assert_eq!(plan.get(into)?, IN);
        mem::forget(plan.start()?);
        drop(plan);
        assert_eq!(ring.neighbor_allgather(&1u8)?, [1; 4]);
        Ok(())
    })
}

#[test]
fn blocks_of_any_length_with_neighbors() -> Result<()> {
    on_both_kinds_of_rings(|ring| {
        let parcels = [vec![1u64], vec![2, 3, 4], vec![], vec![5, 6]];
        assert_eq!(ring.neighbor_alltoallv(&parcels)?, [2, 3, 4, 1, 5, 6]);
        let (to, from) =
            (Counts::new(&[1, 3, 0, 2])?, Counts::new(&[3, 1, 2, 0])?.with_displs(&[5, 0, 2, 1])?);
        let expected = [1, 0, 5, 6, 0, 2, 3, 4];
        let (send, mut recv) = (parcels.concat(), [0u64; 8]);
        ring.neighbor_alltoallv_into(send.with_counts(&to), recv.with_counts_mut(&from))?;
        assert_eq!(recv, expected);
        recv.fill(0);
        ring.scope(|s| {
            let exchange = s.ineighbor_alltoallv(send.with_counts(&to), recv.with_counts_mut(&from))?;
            assert_eq!(exchange.wait()?.1.into_data(), expected);
            s.ineighbor_alltoallv(send.with_counts(&to), s.keep(vec![0; 8]).with_counts_mut(&from))?.defer();
            Ok(())
        })?;
        let pending =
            ring.ineighbor_alltoallv(Counted::new(send, to.clone()), Counted::new(vec![0; 8], from.clone()))?;
        assert_eq!((*Box::new(pending)).wait()?.1.into_parts().0, expected);
        let mut plan = Plan::new(ring);
        let (out, into) = (plan.array(parcels.concat()), plan.array([0u64; 8]));
        plan.neighbor_alltoallv(out, &to, into, &from)?;
        drop((to, from));
        plan.start()?.wait()?;
        assert_eq!(plan.take(into)?, expected);
        Ok(())
    })
}

#[test]
fn views_with_neighbors() -> Result<()> {
    on_both_kinds_of_rings(|ring| {
        let field: Vec<u32> = (0..12).collect(); // 3 x 4
        let column = |c| Strided::new(&field, c, 3, 1, 4);
        let send = Parts::of([
            column(0)?,
            column(3)?,
            Strided::new(&field, 0, 1, 4, 4)?,
            Strided::new(&field, 8, 1, 4, 4)?,
        ])?;
        let (mut sides, mut rows) = ([0u32; 6], [0u32; 8]);
        for in_flight in [false, true] {
            let (left, right) = sides.split_at_mut(3);
            let (above, below) = rows.split_at_mut(4);
            let mut recv = PartsMut::new()?;
            recv.push(StridedMut::new(left, 0, 3, 1, 1)?)?.push(right)?.push(above)?.push(below)?;
            if in_flight {
                ring.scope(|s| s.ineighbor_alltoallw(&send, &mut recv)?.wait().map(drop))?;
            } else {
                ring.neighbor_alltoallw_into(&send, &mut recv)?;
            }
            assert_eq!((sides, rows), ([3, 7, 11, 0, 4, 8], [8, 9, 10, 11, 0, 1, 2, 3]));
            (sides, rows) = ([0; 6], [0; 8]);
        }
        let (out, into) = (
            vec![vec![1u8], vec![2; 5], vec![], vec![3; 2]],
            vec![vec![0u8; 5], vec![0], vec![0; 2], vec![]],
        );
        let pending = Box::new(ring.ineighbor_alltoallw(out, into)?);
        assert_eq!(pending.wait()?.1, [vec![2; 5], vec![1], vec![3; 2], vec![]]);
        let mut plan = Plan::new(ring);
        let field = plan.grid(vec![0u32; 30], 5, 6)?;
        plan.neighbor_alltoallw(
            [(field, (1..2, 1..5)), (field, (3..4, 1..5)), (field, (1..4, 1..2)), (field, (1..4, 4..5))],
            [(field, (0..1, 1..5)), (field, (4..5, 1..5)), (field, (1..4, 0..1)), (field, (1..4, 5..6))],
        )?;
        for round in 1..3u32 {
            plan.get_mut(field)?.iter_mut().zip(100 * round..).for_each(|(x, i)| *x = i);
            plan.start()?.wait()?;
            let cells = plan.get(field)?;
            assert_eq!(
                (cells[1], cells[28], cells[6], cells[17]),
                (100 * round + 19, 100 * round + 10, 100 * round + 10, 100 * round + 13)
            );
        }
        Ok(())
    })
}
