//! Partitioned messages over borrowed memory.

use crate::{available, ring, value};
use mpi::{Communicator, Result};
use std::mem;

#[mpi::test(ranks = [1, 2, 3])]
fn threads_fill_borrowed_memory(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank(), ring(&world));
    for (len, parts, cuts) in [(12, 4, 3), (120_000, 8, 12)] {
        let (mut out, mut into) = (vec![0u64; len], vec![0u64; len]);
        world.scope(|s| {
            let mut send = s.psend_init(&mut out, parts, next, 0)?;
            let mut receive = s.precv_init(&mut into[..], cuts, previous, 0)?;
            for round in 0..3 {
                let arriving = receive.start()?;
                let mut filling = send.start()?;
                std::thread::scope(|threads| {
                    for mut partition in filling.partitions() {
                        threads.spawn(move || {
                            let first = partition.index() * partition.len();
                            partition
                                .iter_mut()
                                .enumerate()
                                .for_each(|(i, x)| *x = value(me, round, first + i));
                        });
                    }
                });
                filling.wait()?;
                arriving.wait()?;
                assert!(receive.buffer()?.iter().copied().eq((0..len).map(|i| value(previous, round, i))));
            }
            send.into_inner()?[0] = 5;
            Ok(())
        })?;
        assert_eq!((out[0], out[1], into[1]), (5, value(me, 2, 1), value(previous, 2, 1)));
    }
    Ok(())
}

/// Whatever is forgotten of a message, the scope makes it ready and waits.
#[mpi::test(ranks = [1, 2])]
fn the_scope_completes_what_is_forgotten(world: Communicator) -> Result<()> {
    if !available(&world) {
        return Ok(());
    }
    let (me, (next, previous)) = (world.rank() as u32, ring(&world));
    for leak in 0..3 {
        let (mut out, mut into) = ([me; 40], [99u32; 40]);
        world.scope(|s| {
            let mut receive = s.precv_init(&mut into, 4, previous, 2)?;
            let mut send = s.psend_init(&mut out, 4, next, 2)?;
            mem::forget(receive.start()?);
            let mut filling = send.start()?;
            filling.partition(1)?.fill(me + 10);
            filling.ready(1..2)?;
            filling.partitions().take(2).for_each(mem::forget);
            match leak {
                0 => drop(filling),
                1 => mem::forget(filling),
                _ => {
                    mem::forget(filling);
                    mem::forget(send);
                    mem::forget(receive);
                }
            }
            Ok(())
        })?;
        let from = previous as u32;
        assert!((0..40).all(|i| into[i] == if (10..20).contains(&i) { from + 10 } else { from }), "{into:?}");
    }
    Ok(())
}
