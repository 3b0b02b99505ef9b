//! Collectives in flight: the fake moves their bytes a word at a time, between the calls.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::buffer::{Counted, Counts, Parts, PartsMut, Strided, WithCounts};
use mpi::op::{LogicalAnd, Max, Min, Sum, from_fn};
use mpi::request::Test;
use mpi::test_support::hooks;
use mpi::{ErrorClass, Result, wait_all};
use mpi_miri::{class, world};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// Moves through a function call and two boxes.
fn moved<T>(value: T) -> T {
    let boxed = Box::new(Box::new(value));
    **std::hint::black_box(boxed)
}

#[test]
fn every_collective_in_a_scope() -> Result<()> {
    let world = world();
    let src = [1u64, 2, 3, 4, 5];
    let mut to = [[0u64; 5]; 6];
    let [all, gathered, scattered, exchanged, sum, largest] = &mut to;
    let mut cast = vec![6u64; 4];
    world.scope(|s| {
        let all = s.iallgather(&src, all)?;
        let gathered = s.igather(&src, Some(gathered), 0)?;
        let scattered = s.iscatter(Some(&src), scattered, 0)?;
        let exchanged = s.ialltoall(&src, exchanged)?;
        let sum = s.iallreduce(&src, sum, Sum)?;
        let largest = s.ireduce(&src, Some(largest), Max, 0)?;
        let cast = s.ibcast(&mut cast, 0)?;
        let barrier = s.ibarrier()?;
        assert!(hooks::in_flight() >= 2);
        assert_eq!(src[4], 5, "what is sent may be read");
        let (all, gathered, scattered, ()) = wait_all((all, gathered, scattered, barrier))?;
        assert_eq!((all.0, all.1 as &[_]), (&src, &src[..]));
        assert_eq!(gathered.1.map(|g| g[4]), Some(5));
        scattered.1[0] += 10; // at once, while others are in flight
        assert_eq!(sum.wait()?.1, &src);
        exchanged.wait()?.1[1] = 20;
        assert_eq!(largest.wait()?.1, Some(&mut [1, 2, 3, 4, 5]));
        cast.wait()?[0] = 7;
        Ok(())
    })?;
    assert_eq!(to, [src, src, [11, 2, 3, 4, 5], [1, 20, 3, 4, 5], src, src]);
    assert_eq!(cast, [7, 6, 6, 6]);
    Ok(())
}

#[test]
fn every_collective_in_place() -> Result<()> {
    let world = world();
    let mut to = [[1.5f64, 2.5, 3.5]; 3];
    let [all, exchanged, sum] = &mut to;
    world.scope(|s| {
        let all = s.iallgather_in_place(all)?;
        let exchanged = s.ialltoall_in_place(&mut exchanged[..])?;
        let sum = s.iallreduce_in_place(sum, Min)?;
        let (all, exchanged, sum) = wait_all((all, exchanged, sum))?;
        (all[0], exchanged[1], sum[2]) = (0.0, 0.0, 0.0);
        Ok(())
    })?;
    assert_eq!(to, [[0.0, 2.5, 3.5], [1.5, 0.0, 3.5], [1.5, 2.5, 0.0]]);
    let [a, b, c] = &mut to;
    world.gather_in_place(a, 0)?;
    world.scatter_in_place(b, 0)?;
    world.reduce_in_place(c, Sum, 0)?;
    world.allgather_in_place(a)?;
    world.alltoall_in_place(b)?;
    assert_eq!(to, [[0.0, 2.5, 3.5], [1.5, 0.0, 3.5], [1.5, 2.5, 0.0]]);
    Ok(())
}

#[test]
fn every_collective_on_owned_buffers() -> Result<()> {
    let world = world();
    let shared: Arc<[u64]> = vec![1, 2, 3].into();
    let zeros = || vec![0u64; 3];
    let all = moved(world.iallgather(shared.clone(), zeros())?);
    let gathered = moved(world.igather(vec![4u64, 5], Some(vec![0u64; 2].into_boxed_slice()), 0)?);
    let scattered = moved(world.iscatter(Some(shared.clone()), zeros(), 0)?);
    let exchanged = moved(world.ialltoall(Rc::<[u64]>::from(vec![6, 7]), Box::new([0u64; 2]))?);
    let sum = moved(world.iallreduce(&[8u64, 9][..], vec![0u64; 2], Sum)?);
    let largest = moved(world.ireduce(shared.clone(), Some(zeros()), Max, 0)?);
    let cast = moved(world.ibcast(Box::new([10u64; 4]), 0)?);
    let mut barrier = moved(world.ibarrier()?);
    while let Test::Pending(request) = barrier.test()? {
        barrier = moved(request);
    }
    assert_eq!(shared[2], 3, "what is sent may be read");
    let (_, mut back) = all.wait()?;
    back.push(4);
    assert_eq!(back, [1, 2, 3, 4]);
    assert_eq!(gathered.wait()?.1.as_deref(), Some(&[4, 5][..]));
    assert_eq!(scattered.wait()?.1, [1, 2, 3]);
    assert_eq!(*exchanged.wait()?.1, [6, 7]);
    assert_eq!(sum.wait()?, (&[8, 9][..], vec![8, 9]));
    assert_eq!(largest.wait()?.1, Some(vec![1, 2, 3]));
    assert_eq!(*cast.wait()?, [10; 4]);
    assert_eq!(Arc::strong_count(&shared), 1);
    Ok(())
}

#[test]
fn owned_ones_in_place() -> Result<()> {
    let world = world();
    let counts = Counts::new(&[3])?;
    let numbers = || vec![1u64, 2, 3];
    let sum = moved(world.iallreduce_in_place(numbers(), Sum)?);
    let all = moved(world.iallgather_in_place(numbers().into_boxed_slice())?);
    let exchanged = moved(world.ialltoallv_in_place(Counted::new(numbers(), counts.clone()))?);
    let gathered = moved(world.igatherv_in_place(numbers(), Some(&counts), 0)?);
    let apart = moved(world.ialltoallw_in_place(vec![numbers()])?);
    mem::forget(world.iscan_in_place(numbers(), Sum)?);
    drop(counts);
    assert_eq!(sum.wait()?, numbers());
    assert_eq!(*all.wait()?, numbers());
    assert_eq!(exchanged.wait()?.into_parts().0, numbers());
    assert_eq!(gathered.wait()?, numbers());
    assert_eq!(apart.wait()?, [numbers()]);
    let error = world.iscatterv_in_place(numbers(), None, 0).expect_err("the root has counts");
    assert_eq!(error.data, numbers());
    assert_eq!(hooks::in_flight(), 0);
    hooks::forget_completed();
    Ok(())
}

#[test]
fn forgotten_dropped_and_leaked_ones_are_completed_by_the_scope() -> Result<()> {
    let world = world();
    let src = [5u64; 8];
    let mut to = [[0u64; 8]; 4];
    let [a, b, c, d] = &mut to;
    world.scope(|s| {
        mem::forget(s.iallreduce(&src, a, Sum)?);
        drop(s.iallgather(&src, b)?);
        Box::leak(Box::new(s.ialltoall(&src, c)?));
        s.igather(&src, Some(d), 0)?.defer();
        Ok(())
    })?;
    assert_eq!(to, [src; 4]);
    Ok(())
}

#[test]
fn an_early_error_waits_for_what_is_in_flight() {
    let world = world();
    let (src, mut to, mut short) = (vec![1u64; 9], vec![0u64; 9], [0u64; 2]);
    let error = world.scope(|s| {
        s.iallreduce(&src, &mut to, Sum)?.defer();
        s.iallgather(&src, &mut short)?.defer();
        Ok(())
    });
    assert_eq!(class(error), ErrorClass::COUNT);
    assert_eq!(to, src);
}

#[test]
fn owned_ones_are_forgotten_and_dropped() -> Result<()> {
    let world = world();
    mem::forget(world.iallreduce(vec![3u64; 8], vec![0u64; 8], Sum)?);
    mem::forget(world.ibcast(vec![3u64; 8].into_boxed_slice(), 0)?);
    for _ in 0..20 {
        world.barrier()?; // all of it is moved meanwhile
    }
    assert_eq!((hooks::in_flight(), hooks::requests()), (0, 2));
    hooks::forget_completed();

    let shared: Arc<[u64]> = vec![1; 10].into();
    drop(world.iallgather(shared.clone(), vec![0u64; 10])?);
    assert_eq!(Arc::strong_count(&shared), 1);
    let early = || -> Result<()> {
        let _request = world.ialltoall(shared.clone(), vec![0u64; 10])?;
        world.bcast(&mut [0u8], 1)
    };
    assert_eq!((class(early()), Arc::strong_count(&shared)), (ErrorClass::ROOT, 1));
    Ok(())
}

#[test]
fn owned_ones_in_a_frame_that_unwinds_are_leaked() -> Result<()> {
    let world = world();
    let shared: Arc<[u64]> = vec![1; 10].into();
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _request = world.iallreduce(shared.clone(), vec![0u64; 10], Sum);
        panic!("a bug of the program");
    }));
    assert!(unwound.is_err());
    assert_eq!((hooks::in_flight(), Arc::strong_count(&shared)), (1, 2));
    for _ in 0..20 {
        world.barrier()?;
    }
    hooks::forget_completed();
    Ok(())
}

/// What is refused comes back, and nothing is in flight.
#[test]
fn refused_ones_give_their_buffers_back() {
    let world = world();
    let refused = world.iallreduce(vec![1u64; 3], vec![0u64; 2], Sum).expect_err("lengths differ");
    assert_eq!((refused.error.class(), refused.data), (ErrorClass::COUNT, (vec![1; 3], vec![0; 2])));
    let refused = world.igather(vec![1u64; 3], None::<Vec<u64>>, 0).expect_err("the root has no buffer");
    assert_eq!((refused.error.class(), refused.data), (ErrorClass::BUFFER, (vec![1; 3], None)));
    let refused = world.ibcast(vec![1u64; 3], 1).expect_err("there is no rank 1");
    assert_eq!((refused.error.call(), refused.data), ("MPI_Ibcast", vec![1; 3]));
    assert_eq!(hooks::requests(), 0);
}

#[test]
fn nothing_and_elements_without_size() -> Result<()> {
    let world = world();
    let (none, units): (Vec<f64>, _) = (Vec::new(), [(); 4]);
    let (empty, mut into) = ([[0u8; 0]; 2], [[0u8; 0]; 2]);
    let (mut to, mut nowhere, mut no_room) = ([(); 4], Vec::new(), [0.0; 0]);
    world.scope(|s| {
        s.iallreduce(&none, &mut nowhere, Sum)?.defer();
        s.iallgather(&none[..], &mut no_room)?.defer();
        s.iallgather(&units, &mut to)?.defer();
        s.ialltoall(&empty, &mut into)?.wait()?;
        Ok(())
    })?;
    let (_, back) = world.iallreduce(Vec::<f64>::new(), Vec::new(), Sum)?.wait()?;
    assert_eq!(back, [0.0; 0]);
    assert_eq!(world.alltoall(&none)?, [0.0; 0]);
    assert!(world.reduce(&true, LogicalAnd, 0)?.expect("the root"));
    Ok(())
}

#[test]
fn scans_and_dealt_results() -> Result<()> {
    let world = world();
    let src = [1u64, 2, 3, 4, 5];
    let counts = Counts::new(&[5])?;
    let mut to = [[9u64; 5]; 7];
    let [a, b, c, d, e, f, g] = &mut to;
    world.scope(|s| {
        let scan = s.iscan(&src, a, Sum)?;
        let kept = s.iexscan(&src, b, Sum)?;
        let block = s.ireduce_scatter_block(&src, c, Max)?;
        let dealt = s.ireduce_scatter(&src, d, &counts, Min)?;
        s.iscan_in_place(e, Sum)?.defer();
        s.ireduce_scatter_in_place(f, &counts, Sum)?.defer();
        drop(s.iexscan_in_place(g, Sum)?);
        let (scan, kept, block, dealt) = wait_all((scan, kept, block, dealt))?;
        assert_eq!((&*scan.1, &*kept.1, &*block.1, &*dealt.1), (&src, &[9; 5], &src, &src));
        Ok(())
    })?;
    assert_eq!(to, [src, [9; 5], src, src, [9; 5], [9; 5], [9; 5]]);
    let scan = moved(world.iscan(vec![1u8; 9], vec![0; 9], Sum)?);
    let dealt = {
        let counts = Counts::new(&[9])?; // the request has its own
        moved(world.ireduce_scatter(vec![2u8; 9], vec![0; 9], &counts, Sum)?)
    };
    assert_eq!((scan.wait()?.1, dealt.wait()?.1), (vec![1; 9], vec![2; 9]));
    Ok(())
}

/// The arrays of counts and displacements are read as long as the operation is in flight.
#[test]
fn counts_stay_where_they_are() -> Result<()> {
    let world = world();
    let counts = Counts::new(&[3])?.with_displs(&[2])?;
    let (src, mut to) = ([1u64, 2, 3], [[0u64; 6]; 4]);
    let all = [0u64, 0, 1, 2, 3, 0];
    let [a, b, c, d] = &mut to;
    world.scope(|s| {
        let first = s.iallgatherv(&src, a.with_counts_mut(&counts))?;
        let second = s.igatherv(&src, Some(b.with_counts_mut(&counts)), 0)?;
        let third = s.ialltoallv(all.with_counts(&counts), c.with_counts_mut(&counts))?;
        s.ialltoallv_in_place(d.with_counts_mut(&counts))?.defer();
        let (first, _) = (first.wait()?.1.into_data(), third.wait()?);
        first[5] = 7;
        mem::forget(second);
        Ok(())
    })?;
    assert_eq!(to, [[0, 0, 1, 2, 3, 7], all, all, [0; 6]]);

    let counted = |data: Vec<u64>| -> Result<_> {
        Ok(Counted::new(data, Counts::new(&[3])?.with_displs(&[2])?)) // nobody else has these counts
    };
    let gathered = moved(world.iallgatherv(vec![1u64, 2, 3], counted(vec![0; 6])?)?);
    let exchanged = moved(world.ialltoallv(counted(all.to_vec())?, counted(vec![0; 6])?)?);
    let scattered = moved(world.iscatterv(Some(counted(all.to_vec())?), vec![0u64; 3], 0)?);
    assert_eq!(gathered.wait()?.1.into_parts().0, all);
    assert_eq!(exchanged.wait()?.1.into_parts().0, all);
    assert_eq!(scattered.wait()?.1, src);
    mem::forget(world.iallgatherv(vec![1u64, 2, 3], counted(vec![0; 6])?)?);
    drop(world.igatherv(vec![1u64, 2, 3], Some(counted(vec![0; 6])?), 0)?);
    for _ in 0..20 {
        world.barrier()?;
    }
    hooks::forget_completed();
    Ok(())
}

/// Elements that own memory are moved, or dropped, once each.
#[test]
fn sorted_by_ranks() {
    let words = || ["a", "b", "c", "d"].map(String::from);
    let rank_of = |word: &String| usize::from(word.as_bytes()[0] - b'a') % 3;
    let (sorted, counts) = Counted::by_rank(words(), 3, rank_of).unwrap().into_parts();
    assert_eq!((sorted, counts.to_vec()), (["a", "d", "b", "c"].map(String::from).to_vec(), vec![2, 1, 1]));
    Counted::by_rank(words(), 2, rank_of).expect_err("the third goes to a rank that there is not");
    let fails = |word: &String| if word == "c" { panic!("no place for it") } else { 0 };
    catch_unwind(|| Counted::by_rank(words(), 1, fails)).expect_err("it panics");
    let (sorted, _) = Counted::by_rank([(), (), ()], 1, |()| 0).unwrap().into_parts();
    assert_eq!(sorted.len(), 3);
}

#[test]
fn parts_of_any_type_and_layout() -> Result<()> {
    let world = world();
    let (matrix, mut column) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0f32; 3]);
    world.scope(|s| {
        let strided = Strided::new(&matrix, 1, 3, 1, 2)?;
        let send = s.keep(Parts::of([strided])?);
        let recv = s.keep(PartsMut::of([&mut column])?);
        s.ialltoallw(send, recv)?.wait()?;
        Ok(())
    })?;
    assert_eq!(column, [2.0, 4.0, 6.0]);
    assert_eq!(world.alltoallw([Strided::new(&matrix, 1, 3, 1, 2)?])?, [[2.0, 4.0, 6.0]]);
    assert_eq!(world.alltoallw([&[true, false]])?, [[true, false]]);
    assert_eq!(
        (world.bcast_value(Some(&'x'), 0)?, world.bcast_vec(Some(&[true][..]), 0)?),
        ('x', vec![true])
    );
    let by_rank = Counted::by_rank([4u8, 5, 6], 1, |_| 0)?;
    assert_eq!(world.alltoallv(&by_rank)?, [4, 5, 6]);
    let pending = moved(world.ialltoallw(vec![vec![7u8; 9]], vec![vec![0u8; 9]])?);
    assert_eq!(pending.wait()?.1, [vec![7; 9]]);
    mem::forget(world.ialltoallw(vec![vec![7u8; 9]], vec![vec![0u8; 9]])?);
    for _ in 0..20 {
        world.barrier()?;
    }
    hooks::forget_completed();
    Ok(())
}

/// A rank that is its own neighbour along one dimension, and has none along the other.
#[test]
fn neighbours() -> Result<()> {
    let world = world();
    let grid = world.cartesian(&[1, 1], &[true, false], false)?.expect("one place, one rank");
    assert_eq!(grid.neighbor_allgather(&[1u16, 2])?, [1, 2, 1, 2, 0, 0, 0, 0]);
    assert_eq!(grid.neighbor_alltoall(&[1u16, 2, 3, 4])?, [2, 1, 0, 0]);
    let (src, mut a, mut b) = ([1u64, 2, 3, 4], [9u64; 4], [9u64; 8]);
    let counts = Counts::new(&[1, 2, 1, 0])?;
    let back = Counts::new(&[2, 1, 0, 3])?;
    let mut c = [9u64; 6];
    grid.scope(|s| {
        s.ineighbor_alltoall(&src, &mut a)?.defer();
        s.ineighbor_allgather(&src[..2], &mut b)?.defer();
        s.ineighbor_alltoallv(src.with_counts(&counts), c.with_counts_mut(&back))?.defer();
        Ok(())
    })?;
    assert_eq!((a, b, c), ([2, 1, 9, 9], [1, 2, 1, 2, 9, 9, 9, 9], [2, 3, 1, 9, 9, 9]));
    Ok(())
}

#[test]
fn an_operation_lives_as_long_as_it_is_in_flight() -> Result<()> {
    let world = world();
    let (src, mut to) = ([1u64, 2, 3], [[0u64; 3]; 2]);
    let [a, b] = &mut to;
    let larger = || from_fn(|a: u64, b: u64| a.max(b)).commutative();
    world.scope(|s| {
        let reduction = {
            let op = larger();
            s.iallreduce(&src, b, &op)?.defer();
            s.iscan(&src, a, &op)?
        };
        assert_eq!(reduction.wait()?.1, &src);
        Ok(())
    })?;
    assert_eq!(to, [src; 2]);
    let pending = moved(world.iallreduce(vec![1u64; 9], vec![0; 9], &larger())?);
    assert_eq!(pending.wait()?.1, [1; 9]);
    mem::forget(world.iallreduce(vec![1u64; 9], vec![0; 9], &larger())?);
    drop(world.iallreduce(vec![1u64; 9], vec![0; 9], &larger())?);
    for _ in 0..20 {
        world.barrier()?;
    }
    hooks::forget_completed();
    assert_eq!(world.allreduce(&[5u64, 6], &larger())?, [5, 6]);
    Ok(())
}

#[test]
fn persistent_ones_are_started_again() -> Result<()> {
    let world = world();
    let mut sum = world.allreduce_init(vec![1u64; 9], vec![0; 9], Sum)?;
    for step in 0..3 {
        sum.input_mut()?[4] = step;
        let started = sum.start()?;
        assert_eq!(started.input()[4], step);
        started.wait()?;
        assert_eq!(sum.result()?[4], step);
    }
    mem::forget(sum.start()?);
    assert_eq!(sum.result()?[4], 2);
    drop(sum.start()?);
    let (input, result) = sum.into_inner()?;
    assert_eq!(input, result);
    let counts = Counts::new(&[9])?;
    let mut all = world.allgatherv_init(vec![2u64; 9], vec![0; 9], &counts)?;
    drop(counts);
    all.start()?.wait()?;
    assert_eq!(all.result()?, [2; 9]);
    Ok(())
}

/// Checked, the calls are the same, with a look before each.
#[test]
fn one_rank_agrees_with_itself() -> Result<()> {
    let world = world().dup()?.checked();
    let mut x = [1.5f64; 3];
    world.bcast(&mut x, 0)?;
    assert_eq!((world.allreduce(&x, Sum)?, world.gather(&x, 0)?), ([1.5; 3], Some(vec![1.5; 3])));
    assert_eq!((world.allgatherv(&x)?, world.alltoallv(&[x])?), (vec![1.5; 3], vec![1.5; 3]));
    let ring = world.cartesian(&[1], &[true], false)?.expect("every rank has a place");
    assert_eq!(ring.neighbor_alltoallv(&[vec![1.5], vec![2.5, 3.5]])?, [2.5, 3.5, 1.5]);
    world.barrier()
}
