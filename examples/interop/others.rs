//! Types that have no layout of C, or need not have it, whose twins are in `others.c`.

use mpi::{AnyBits, Communicator, Datatype, FromBits, Result};
use std::array::from_fn;

const VALUES: i32 = 50;

#[derive(Clone, Copy, PartialEq, Datatype, FromBits)]
#[repr(u8)]
enum Phase {
    Solid = 1,
    Liquid,
    Gas = 200,
}

#[derive(Clone, Copy, PartialEq, Datatype, FromBits)]
#[repr(i32)]
enum Level {
    Below = -70_000,
    Zero = 0,
    Above,
}

#[derive(Clone, Copy, PartialEq, Datatype, FromBits)]
#[repr(C)]
struct Partial {
    id: u32,
    #[mpi(skip)]
    cached: f64,
    phase: Phase,
    #[mpi(skip)]
    seen: bool,
    weight: f64,
}

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C)]
#[mpi(bytes)]
struct Whole {
    id: u32,
    end: [u8; 4],
    weight: f64,
}

/// In whatever order the compiler puts it; it travels in this one.
#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
struct Loose {
    flag: u8,
    weight: f64,
    id: u16,
    count: u32,
}

/// Value `n` of each kind, as `fill` of `others.c` has it.
trait Kind: Datatype + FromBits + PartialEq {
    const NUMBER: i32;
    fn numbered(n: i32) -> Self;
    /// The same for whoever receives it.
    fn received(self) -> Self {
        self
    }
}

impl Kind for Phase {
    const NUMBER: i32 = 0;
    fn numbered(n: i32) -> Self {
        [Phase::Solid, Phase::Liquid, Phase::Gas][n as usize % 3]
    }
}

impl Kind for Level {
    const NUMBER: i32 = 1;
    fn numbered(n: i32) -> Self {
        [Level::Below, Level::Zero, Level::Above][n as usize % 3]
    }
}

impl Kind for Partial {
    const NUMBER: i32 = 2;
    fn numbered(n: i32) -> Self {
        let (id, weight) = (3_000_000_000 + n as u32, f64::from(n) + 0.25);
        Partial { id, cached: 2.5, phase: Phase::numbered(n), seen: true, weight }
    }
    fn received(self) -> Self {
        Partial { cached: 0.0, seen: false, ..self }
    }
}

impl Kind for Whole {
    const NUMBER: i32 = 3;
    fn numbered(n: i32) -> Self {
        let end = from_fn(|i| ((n + i as i32) % 255) as u8);
        Whole { id: 4_000_000_000 + n as u32, end, weight: f64::from(n) - 0.5 }
    }
}

impl Kind for Loose {
    const NUMBER: i32 = 4;
    fn numbered(n: i32) -> Self {
        let (flag, id, count) = ((n % 251) as u8, (60_000 + n) as u16, 2_000_000_000 + n as u32);
        Loose { flag, weight: f64::from(n) + 0.75, id, count }
    }
}

/// Exchanges values of one kind with rank 1; whether something else came.
fn exchange<T: Kind>(world: &Communicator) -> Result<usize> {
    let numbers = 100 * T::NUMBER..100 * T::NUMBER + VALUES;
    let values: Vec<T> = numbers.map(T::numbered).collect();
    world.send(&values, 1, 200 + T::NUMBER)?;
    let got = world.recv_vec::<T>(1, 200 + T::NUMBER)?.data;
    world.send(&got, 1, 200 + T::NUMBER)?;
    Ok(usize::from(!got.into_iter().eq(values.into_iter().map(T::received))))
}

/// Exchanges all kinds; how many were wrong, and of how many.
pub fn exchange_all(world: &Communicator) -> Result<(usize, usize)> {
    let wrong = exchange::<Phase>(world)?
        + exchange::<Level>(world)?
        + exchange::<Partial>(world)?
        + exchange::<Whole>(world)?
        + exchange::<Loose>(world)?;
    Ok((wrong, 5))
}
