//! Functions of structs whose values have padding: memory that a library makes for them need not have room for it.

use mpi::buffer::Counts;
use mpi::op::{UserOp, from_fn};
use mpi::{Communicator, Datatype, ErrorClass, Result};

/// Nine bytes travel, of 1024.
#[derive(Clone, Copy, Debug, Default, PartialEq, mpi::Datatype, mpi::AnyBits)]
#[repr(C, align(1024))]
struct Wide {
    a: f64,
    b: u8,
}

fn sum() -> UserOp<Wide> {
    from_fn(|x: Wide, y: Wide| Wide { a: x.a + y.a, b: x.b.wrapping_add(y.b) })
}

fn ones(len: usize) -> Vec<Wide> {
    vec![Wide { a: 1.0, b: 1 }; len]
}

fn are(n: usize, values: &[Wide]) -> bool {
    values.iter().all(|value| *value == Wide { a: n as f64, b: n as u8 })
}

/// By a function that does not commute: MPICH and Intel MPI would write past memory of their own
/// (fault `reduce-scatter-padding`).
fn assert_dealt_out(result: Result<Vec<Wide>>, size: usize) {
    match result {
        Ok(part) => assert!(are(size, &part) && !is_mpich()),
        Err(error) => assert!(is_mpich() && error.class() == ErrorClass::UNSUPPORTED_OPERATION, "{error}"),
    }
}

fn is_mpich() -> bool {
    matches!(mpi::test_support::FAMILY, "mpich" | "intel")
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn padding_at_the_end_is_left_alone(world: Communicator) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (op, commuting) = (sum(), sum().commutative());
    for len in [1, 2, 5, 33] {
        // Several times, since a heap that was written past its blocks is not found out at once.
        for _ in 0..5 {
            assert!(are(size, &world.allreduce(&ones(len), &op)?));
            assert!(world.reduce(&ones(len), &op, 0)?.is_none_or(|total| are(size, &total)));
            assert!(are(rank + 1, &world.scan(&ones(len), &op)?));
            assert!(world.exscan(&ones(len), &op)?.is_none_or(|before| are(rank, &before)));
            assert!(are(size, &world.reduce_scatter_block(&ones(len * size), &commuting)?));
            let counts = Counts::even(len, size)?;
            assert!(are(size, &world.reduce_scatter(&ones(len), &counts, &commuting)?));
            assert_dealt_out(world.reduce_scatter_block(&ones(len * size), &op), size);
            assert_dealt_out(world.reduce_scatter(&ones(len), &counts, &op), size);
            let (_, total) = world.iallreduce(ones(len), ones(len), &op)?.wait()?;
            assert!(are(size, &total));
        }
    }
    Ok(())
}

/// What is received before it is checked: of eight bytes, in the middle.
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
#[repr(C)]
#[allow(dead_code, reason = "only what it is to MPI matters")]
struct Gaps {
    #[mpi(skip)]
    before: Before,
    value: u64,
    #[mpi(skip)]
    after: Before,
}
#[derive(Clone, Copy, Default)]
#[allow(dead_code, reason = "only how large it is matters")]
struct Before([[u64; 32]; 32]);

/// Eight bytes, none of which travels.
#[derive(Clone, Copy, Default, mpi::Datatype, mpi::FromBits)]
#[allow(dead_code, reason = "only what it is to MPI matters")]
struct Silent(#[mpi(skip)] u64);

type Unchecked<T> = <T as mpi::FromBits>::Bits;

#[mpi::test(ranks = [2, 3])]
fn what_does_not_travel_is_left_alone(world: Communicator) -> Result<()> {
    let second = from_fn(|_: Unchecked<Gaps>, b| b);
    let mine = mpi::alloc::zeroed::<Unchecked<Gaps>>(3)?;
    let mut total = mpi::alloc::zeroed::<Unchecked<Gaps>>(3)?;
    for _ in 0..5 {
        world.allreduce_into(&mine, &mut total, &second)?;
    }
    Ok(())
}

/// A reference to elements that lie nowhere would be one to memory of nobody's.
#[mpi::test(ranks = [1, 2])]
fn a_part_of_what_does_not_travel_is_empty(world: Communicator) -> Result<()> {
    let first = from_fn(|a: Unchecked<Silent>, _| a);
    let mut all = mpi::alloc::zeroed::<Unchecked<Silent>>(4)?;
    let part = world.reduce_scatter_in_place(&mut all, &Counts::even(4, world.size())?, &first)?;
    assert!(part.is_empty() && <Silent as Datatype>::PARTS.units() == 0);
    Ok(())
}
