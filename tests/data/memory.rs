//! Memory from MPI: its alignment, its use in every kind of call, its end.

use crate::sample::{Sample, same, samples};
use mpi::alloc::{self, Memory, Options};
use mpi::op::Sum;
use mpi::{AnyBits, Communicator, Datatype, ErrorClass, Result};

#[mpi::test(ranks = [1, 2])]
fn zeros_and_copies(_world: Communicator) -> Result<()> {
    fn both<T: Sample + AnyBits + Default>() -> Result<()> {
        for len in [0, 1, 7, 1000, 100_003] {
            let mut memory = alloc::zeroed::<T>(len)?;
            same(&memory, &vec![T::default(); len]);
            memory.copy_from_slice(&samples::<T>(2, len));
            same(&memory, &samples(2, len));
            same(&alloc::copied(&memory)?, &samples::<T>(2, len));
        }
        Ok(())
    }
    both::<u8>()?;
    both::<f64>()?;
    both::<i128>()?;
    same(&alloc::copied(&samples::<bool>(1, 9))?, &samples(1, 9));
    Ok(())
}

#[mpi::test(ranks = 1)]
fn alignment(_world: Communicator) -> Result<()> {
    for shift in 0..=16 {
        for len in [0, 1, 33] {
            let memory = Options::new().align(1 << shift).copied(&samples::<u128>(0, len))?;
            let align = (1 << shift).max(align_of::<u128>());
            assert_eq!(memory.as_ptr().addr() % align, 0, "{len} elements, alignment {align}");
            same(&memory, &samples(0, len));
        }
    }
    let text = "MPI_Alloc_mem: the alignment 48 is no power of two";
    let error = Options::new().align(48).zeroed::<u8>(1).expect_err(text);
    assert_eq!((error.to_string().as_str(), error.class()), (text, ErrorClass::ARG));
    Ok(())
}

#[mpi::test(ranks = 1)]
fn hints(_world: Communicator) -> Result<()> {
    let hinted = Options::new().info("mpi_minimum_memory_alignment", "4096").info("unknown_to_all", "1");
    same(&hinted.zeroed::<u16>(100)?, &[0; 100]);
    let error = Options::new().info("a\0b", "").zeroed::<u8>(1).expect_err("a zero byte");
    assert_eq!(error.to_string(), "MPI_Info_set: an info key or value has a zero byte, at 1");
    Ok(())
}

#[mpi::test(ranks = 1)]
fn too_much(_world: Communicator) -> Result<()> {
    for len in [usize::MAX, isize::MAX as usize, isize::MAX as usize / 8 - 1, isize::MAX as usize / 33] {
        let error = alloc::zeroed::<f64>(len).expect_err("more than there is");
        assert!(
            [ErrorClass::COUNT, ErrorClass::NO_MEM, ErrorClass::OTHER].contains(&error.class()),
            "{error}"
        );
    }
    Ok(())
}

/// Blocking, lent, owned, collective, packed.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn in_every_call(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let out = alloc::copied(&samples::<f64>(me, 1000))?;
    let mut into = alloc::zeroed::<f64>(1000)?;
    world.sendrecv(&out, next, 0, &mut into, previous, 0)?;
    same(&into, &samples(previous, 1000));

    into.fill(0.0);
    world.scope(|s| {
        let sent = s.isend(&out, next, 1)?;
        let received = s.irecv(&mut into, previous, 1)?;
        sent.wait()?;
        same(received.wait()?.data, &samples::<f64>(previous, 1000));
        Ok::<_, mpi::Error>(())
    })?;

    into.fill(0.0);
    let receive = world.irecv(into, previous, 2)?;
    let send = world.isend(out, next, 2)?;
    let received: Memory<f64> = receive.wait()?.data;
    same(&received, &samples(previous, 1000));
    same(&send.wait()?, &samples::<f64>(me, 1000));

    let ones = alloc::copied(&vec![1u64; 100])?;
    let mut sums = alloc::zeroed::<u64>(100)?;
    world.allreduce_into(&ones, &mut sums, Sum)?;
    same(&sums, &vec![size as u64; 100]);
    Ok(())
}

/// Memory counts as a use of MPI, also if it is all that is left.
#[mpi::test(ranks = [1, 2])]
fn counts_as_a_use(_world: Communicator) -> Result<()> {
    fn grown<T: Datatype>(memory: &Memory<T>, before: usize) -> usize {
        assert!(!memory.is_empty());
        mpi::test_support::handles() - before
    }
    let before = mpi::test_support::handles();
    let memory = alloc::zeroed::<u8>(10)?;
    assert_eq!(grown(&memory, before), 1);
    drop(memory);
    assert_eq!(mpi::test_support::handles(), before);
    Ok(())
}
