//! `scan` and `exscan` in every form, on every kind of communicator.

use crate::comms::on_each;
use crate::sample::{Sample, same, samples};
use crate::{LARGE, SIZES};
use mpi::op::{BitXor, LogicalOr, Max, Min, Operation, Sum};
use mpi::{AnyBits, Communicator, FromBits, Result};

/// What `scan` gives a rank, and what `exscan` does.
fn expected<T: Copy>(
    rank: usize,
    input: &dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
) -> (Vec<T>, Option<Vec<T>>) {
    let combine = |all: Vec<T>, part: Vec<T>| all.into_iter().zip(part).map(|(a, b)| model(a, b)).collect();
    let inclusive = (0..=rank).map(input).reduce(combine).expect("this rank's own");
    (inclusive, (0..rank).map(input).reduce(combine))
}

pub fn returning<T, O>(
    comm: &Communicator,
    op: O,
    input: &dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
) -> Result<()>
where
    T: FromBits + PartialEq + std::fmt::Debug,
    O: Operation<T>,
{
    let mine = input(comm.rank());
    let (inclusive, exclusive) = expected(comm.rank(), input, model);
    same(&comm.scan(&mine, op)?, &inclusive);
    same(&comm.scan(&mine[..], op)?, &inclusive);
    let before = comm.exscan(&mine, op)?;
    assert_eq!(before.is_none(), comm.rank() == 0);
    same(&before.unwrap_or_default(), &exclusive.unwrap_or_default());
    Ok(())
}

/// The forms that fill a buffer: blocking, in a scope, owned; each with its input apart and in place.
pub fn filling<T, O>(
    comm: &Communicator,
    op: O,
    input: &dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
) -> Result<()>
where
    T: AnyBits + Sample,
    O: Operation<T>,
{
    let mine = input(comm.rank());
    let (inclusive, exclusive) = expected(comm.rank(), input, model);
    // At rank 0 the buffer of `exscan` stays as it was.
    let marked = vec![T::sample(12_345); mine.len()];
    let (apart, in_place) = match &exclusive {
        Some(before) => (before, before),
        None => (&marked, &mine),
    };

    let mut result = marked.clone();
    comm.scan_into(&mine, &mut result[..], op)?;
    same(&result, &inclusive);
    result.clone_from(&mine);
    comm.scan_in_place(&mut result, op)?;
    same(&result, &inclusive);
    result.clone_from(&marked);
    comm.exscan_into(&mine[..], &mut result, op)?;
    same(&result, apart);
    result.clone_from(&mine);
    comm.exscan_in_place(&mut result[..], op)?;
    same(&result, in_place);

    let (mut a, mut b) = (marked.clone(), mine.clone());
    let (mut c, mut d) = (marked.clone(), mine.clone());
    comm.scope(|s| {
        let requests = (s.iscan(&mine, &mut a, op)?, s.iscan_in_place(&mut b[..], op)?);
        let more = (s.iexscan(&mine[..], &mut c, op)?, s.iexscan_in_place(&mut d, op)?);
        let ((back, a), b) = mpi::wait_all(requests)?;
        same(back, &mine);
        same(a, &inclusive);
        same(b, &inclusive);
        more.0.defer();
        same(more.1.wait()?, in_place);
        Ok(())
    })?;
    same(&c, apart);

    let scan = comm.iscan(mine.clone(), marked.clone(), op)?;
    let (back, before) = comm.iexscan(mine.clone(), marked.clone(), op)?.wait()?;
    same(&back, &mine);
    same(&before, apart);
    same(&scan.wait()?.1, &inclusive);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_form_on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        for len in SIZES {
            returning(comm, Sum, &|rank| samples::<u64>(rank, len), u64::wrapping_add)?;
            filling(comm, Sum, &|rank| samples::<u64>(rank, len), u64::wrapping_add)?;
            returning(comm, Min, &|rank| samples::<f32>(rank, len), f32::min)?;
            filling(comm, Max, &|rank| samples::<i16>(rank, len), i16::max)?;
            filling(comm, Min, &|rank| samples::<u8>(rank, len), u8::min)?;
        }
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3, 5, 7, 8])]
fn large_and_many_ranks(world: Communicator) -> Result<()> {
    let halves = |rank| (0..LARGE).map(|i| (rank * 3 + i) as f64 * 0.5).collect();
    returning(&world, Sum, &halves, |a, b| a + b)?; // exact in any order
    filling(&world, BitXor, &|rank| samples::<i32>(rank, LARGE), |a, b| a ^ b)
}

#[mpi::test(ranks = [1, 2, 4])]
fn the_result_has_the_shape_of_what_was_given(world: Communicator) -> Result<()> {
    let me = world.rank() as u32;
    let value: u32 = world.scan(&me, Sum)?;
    let array: [u32; 2] = world.scan(&[1, me], Sum)?;
    assert_eq!((value, array), (me * (me + 1) / 2, [me + 1, me * (me + 1) / 2]));
    let before: Option<u32> = world.exscan(&me, Sum)?;
    assert_eq!(before, (me > 0).then(|| me * (me - 1) / 2));
    let any: bool = world.scan(&(me == 1), LogicalOr)?;
    assert_eq!(any, me >= 1);
    let point: Vec<[f64; 3]> = world.scan(&vec![[1.0, 2.0, f64::from(me)]; 2], Max)?;
    assert_eq!(point, [[1.0, 2.0, f64::from(me)]; 2]);
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn lengths_that_differ_are_refused(world: Communicator) -> Result<()> {
    let (mine, mut short) = ([1u8; 3], [0; 2]);
    let text = "MPI_Scan: the receive buffer holds 2 elements, but 3 are needed";
    assert_eq!(world.scan_into(&mine, &mut short, Sum).expect_err("too short").to_string(), text);
    let error = world.exscan_into(&mine, &mut short, Sum).expect_err("too short");
    assert_eq!((error.call(), error.code()), ("MPI_Exscan", None));
    let error = world.scope(|s| s.iscan(&mine, &mut short, Sum).map(drop)).expect_err("too short");
    assert_eq!((error.call(), error.code()), ("MPI_Iscan", None));
    let returned = world.iexscan(vec![1u8; 3], vec![2u8; 2], Sum).expect_err("too short");
    assert_eq!(returned.error.call(), "MPI_Iexscan");
    assert_eq!(returned.data, (vec![1; 3], vec![2; 2]));
    Ok(())
}
