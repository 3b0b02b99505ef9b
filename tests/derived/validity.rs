//! What a peer sends that is no value.

use crate::sample::{Sample, samples};
use crate::types::*;
use mpi::{Communicator, Result};

fn twin(value: Checked) -> Unchecked {
    Unchecked {
        sure: value.sure.into(),
        letter: value.letter.into(),
        some: value.some.get(),
        color: value.color as u8,
        flags: value.flags.map(u8::from),
    }
}

/// One wrong field in one value is found, whichever it is.
#[mpi::test(ranks = 2)]
fn every_field_is_checked(world: Communicator) -> Result<()> {
    let values = samples::<Checked>(0, 10);
    let good: Vec<Unchecked> = values.iter().copied().map(twin).collect();
    let spoilers: [fn(&mut Unchecked); 7] = [
        |value| value.sure = 2,
        |value| value.letter = 0xD800,
        |value| value.letter = 0x11_0000,
        |value| value.some = 0,
        |value| value.color = 0,
        |value| value.color = 3,
        |value| value.flags[1] = 255,
    ];
    for (tag, spoil) in (0..).zip(spoilers) {
        let mut bad = good.clone();
        spoil(&mut bad[7]);
        if world.rank() == 0 {
            world.send(&good, 1, tag)?;
            world.send(&bad, 1, tag)?;
            world.send(&bad, 1, tag)?;
            world.send(&bad[7], 1, tag)?;
        } else {
            assert_eq!(world.recv_vec::<Checked>(0, tag)?.data, values);
            assert!(world.recv_vec::<Checked>(0, tag).is_err(), "{tag}");
            assert!(world.irecv_vec::<Checked>(0, tag)?.wait().is_err(), "{tag}");
            assert!(world.recv::<Checked>(0, tag).is_err(), "{tag}");
        }
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn discriminants_are_checked(world: Communicator) -> Result<()> {
    let numbers = [-70_000, 0, 1, 2, -1, i32::MIN];
    if world.rank() == 0 {
        return numbers.iter().try_for_each(|number| world.send(number, 1, 0));
    }
    for number in numbers {
        let expected = [(-70_000, Signed::Below), (0, Signed::Zero), (1, Signed::Above())];
        let expected = expected.into_iter().find(|(n, _)| *n == number).map(|(_, value)| value);
        assert_eq!(world.recv::<Signed>(0, 0).ok().map(|got| got.data), expected, "{number}");
    }
    Ok(())
}

/// What does not travel is the receiver's default, not the sender's value, nor what was in memory.
#[mpi::test(ranks = 2)]
fn skipped_fields_are_defaults(world: Communicator) -> Result<()> {
    let sent = Skipping { value: 5, cached: Some("mine"), sure: true };
    let expected = Skipping { cached: None, ..sent };
    if world.rank() == 0 {
        world.send(&sent, 1, 0)?;
        world.send(&[sent; 3], 1, 0)?;
    } else {
        assert_eq!(world.recv::<Skipping>(0, 0)?.data, expected);
        assert_eq!(world.recv_vec::<Skipping>(0, 0)?.data, [expected; 3]);
    }
    assert_eq!(world.allgather(&sent)?, [expected; 2]);
    let inside = SkippingInside { both: [sent; 2], ..SkippingInside::<bool>::sample(0) };
    for got in world.allgather(&[inside; 2])? {
        assert_eq!({ got.both }, [expected; 2]);
    }
    Ok(())
}
