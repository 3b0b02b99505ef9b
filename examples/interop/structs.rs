//! Derived structs, whose twins in `structs.c` have datatypes made by hand.

use mpi::datatype::{Layout, Order};
use mpi::{AnyBits, Communicator, Datatype, Result};
use std::array::from_fn;

/// Planes, rows, columns.
const DIMS: [usize; 3] = [3, 4, 5];
const CELLS: usize = DIMS[0] * DIMS[1] * DIMS[2];

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Padded {
    flag: u8,
    weight: f64,
    id: i32,
    small: i16,
}

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Inner {
    kind: i8,
    at: [f64; 2],
}

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Nested {
    tag: u16,
    cells: [[Inner; 2]; 3],
    corner: [f32; 3],
}

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C, packed)]
struct Packed {
    kind: u8,
    value: f64,
    count: u32,
}

#[derive(Clone, Copy, PartialEq, Datatype, AnyBits)]
#[repr(C, align(32))]
struct Aligned {
    id: i64,
    end: [u8; 3],
}

/// Element `n` of each kind, as `fill` of `structs.c` has it; and one of which each byte is 0xAA.
trait Kind: AnyBits + Copy + PartialEq {
    const NUMBER: i32;
    fn numbered(n: i32) -> Self;
    fn blank() -> Self;
}

const BLANK: f64 = f64::from_ne_bytes([0xAA; 8]);
const BLANK_32: i32 = i32::from_ne_bytes([0xAA; 4]);

impl Kind for Padded {
    const NUMBER: i32 = 0;
    fn numbered(n: i32) -> Self {
        let weight = f64::from(n) + 0.25;
        Padded { flag: (n % 251) as u8, weight, id: -n, small: (n % 1000) as i16 }
    }
    fn blank() -> Self {
        Padded { flag: 0xAA, weight: BLANK, id: BLANK_32, small: BLANK_32 as i16 }
    }
}

impl Kind for Nested {
    const NUMBER: i32 = 1;
    fn numbered(n: i32) -> Self {
        let inner = |i: i32| Inner {
            kind: ((n + i) % 100 - 50) as i8,
            at: [f64::from(n) + 0.5 * f64::from(i), f64::from(n) - 0.5 * f64::from(i)],
        };
        Nested {
            tag: (n % 60000) as u16,
            cells: from_fn(|i| from_fn(|j| inner((2 * i + j) as i32))),
            corner: from_fn(|i| n as f32 + 0.125 * i as f32),
        }
    }
    fn blank() -> Self {
        let inner = Inner { kind: BLANK_32 as i8, at: [BLANK; 2] };
        Nested { tag: BLANK_32 as u16, cells: [[inner; 2]; 3], corner: [f32::from_ne_bytes([0xAA; 4]); 3] }
    }
}

impl Kind for Packed {
    const NUMBER: i32 = 2;
    fn numbered(n: i32) -> Self {
        Packed { kind: (n % 253) as u8, value: f64::from(n) + 0.75, count: 3_000_000_000 + n as u32 }
    }
    fn blank() -> Self {
        Packed { kind: 0xAA, value: BLANK, count: BLANK_32 as u32 }
    }
}

impl Kind for Aligned {
    const NUMBER: i32 = 3;
    fn numbered(n: i32) -> Self {
        Aligned { id: i64::from(n) * 10_000_000_000, end: from_fn(|i| ((n + i as i32) % 255) as u8) }
    }
    fn blank() -> Self {
        Aligned { id: i64::from_ne_bytes([0xAA; 8]), end: [0xAA; 3] }
    }
}

/// All of an array, a column of it, or a block in either order.
fn shapes<T: Datatype>() -> Result<[Layout<T>; 4]> {
    let (one, [planes, rows, cols]) = (Layout::element(), DIMS);
    let block = [(planes, 1..3), (rows, 0..3), (cols, 2..5)];
    Ok([
        one.contiguous(CELLS)?,
        one.vector(planes * rows, 1, cols as isize)?,
        one.subarray(&block, Order::C)?,
        one.subarray(&block, Order::Fortran)?,
    ])
}

/// Exchanges elements of one kind in all shapes with rank 1; how many exchanges were wrong.
fn exchange<T: Kind>(world: &Communicator) -> Result<usize> {
    let mut wrong = 0;
    for (shape, tag) in shapes::<T>()?.into_iter().zip(100 + 10 * T::NUMBER..) {
        let cells: Vec<T> = (0..CELLS as i32).map(|i| T::numbered(100 * tag + i)).collect();
        let mut wanted = vec![T::blank(); CELLS];
        shape.places().into_iter().for_each(|place| wanted[place as usize] = cells[place as usize]);

        world.send(&shape.of(&cells)?, 1, tag)?;
        let mut got = vec![T::blank(); CELLS];
        world.recv_into(&mut shape.of_mut(&mut got)?, 1, tag)?;
        wrong += usize::from(got != wanted);
        world.send(&got, 1, tag)?;
    }
    Ok(wrong)
}

/// Exchanges all kinds; how many exchanges were wrong, and of how many.
pub fn exchange_all(world: &Communicator) -> Result<(usize, usize)> {
    let wrong = exchange::<Padded>(world)?
        + exchange::<Nested>(world)?
        + exchange::<Packed>(world)?
        + exchange::<Aligned>(world)?;
    Ok((wrong, 16))
}
