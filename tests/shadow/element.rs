//! The element types of messages, and what memory must look like before and after one.

use crate::program::{Kind, Layout};
use mpi::Status;

/// The element types, with values that tell which message and place they belong to.
pub trait Element: mpi::AnyBits + PartialEq + std::fmt::Debug {
    const KIND: Kind;
    /// What no message brings.
    const UNTOUCHED: Self;
    fn value(message: usize, place: usize) -> Self;
}
impl Element for u8 {
    const KIND: Kind = Kind::Byte;
    const UNTOUCHED: u8 = 255;
    fn value(message: usize, place: usize) -> u8 {
        ((message * 31 + place * 7) % 255) as u8
    }
}
impl Element for f64 {
    const KIND: Kind = Kind::Double;
    const UNTOUCHED: f64 = -1.0;
    fn value(message: usize, place: usize) -> f64 {
        message as f64 + place as f64 / 65536.0
    }
}
impl Element for [i16; 3] {
    const KIND: Kind = Kind::Triple;
    const UNTOUCHED: [i16; 3] = [-1; 3];
    fn value(message: usize, place: usize) -> [i16; 3] {
        [message as i16, place as i16, 7]
    }
}

/// Columns of this many; the middle one is lent.
pub const WIDTH: usize = 3;

/// Memory of one side of a message before or after it: the elements where the layout puts them, the rest untouched.
pub fn memory<T: Element>(layout: Layout, room: usize, filled: usize, message: usize) -> Vec<T> {
    let value = |i| if i < filled { T::value(message, i) } else { T::UNTOUCHED };
    match layout {
        Layout::Slice => (0..room).map(value).collect(),
        Layout::Column => (0..room * WIDTH)
            .map(|at| if at % WIDTH == 1 { value(at / WIDTH) } else { T::UNTOUCHED })
            .collect(),
    }
}

/// The memory of one side of one message.
pub enum Memory {
    Byte(Vec<u8>),
    Double(Vec<f64>),
    Triple(Vec<[i16; 3]>),
}

impl Memory {
    pub fn new(kind: Kind, layout: Layout, room: usize, filled: usize, message: usize) -> Memory {
        match kind {
            Kind::Byte => Memory::Byte(memory(layout, room, filled, message)),
            Kind::Double => Memory::Double(memory(layout, room, filled, message)),
            Kind::Triple => Memory::Triple(memory(layout, room, filled, message)),
        }
    }

    pub fn holds_what(&self, expected: &Memory) -> bool {
        match (self, expected) {
            (Memory::Byte(a), Memory::Byte(b)) => a == b,
            (Memory::Double(a), Memory::Double(b)) => a == b,
            (Memory::Triple(a), Memory::Triple(b)) => a == b,
            _ => false,
        }
    }
}

/// What is wrong with a status, if anything.
pub fn wrong<T: Element>(status: Status, len: usize, from: usize, tag: i32) -> Option<String> {
    let right = status.source() == Some(from) && status.tag() == tag && status.count::<T>() == Some(len);
    (!right).then(|| {
        format!(
            "expected {len} elements from {from} with tag {tag}, got {:?} in {status:?}",
            status.count::<T>()
        )
    })
}

/// What is wrong with memory that is no scope's, if anything.
pub fn differs<T: Element>(got: &[T], expected: &[T], what: impl std::fmt::Display) -> Option<String> {
    let at = got.iter().zip(expected).position(|(got, expected)| got != expected);
    if at.is_none() && got.len() == expected.len() {
        return None;
    }
    Some(format!(
        "{what}: {} elements, {} expected, the first that differs is at {at:?}",
        got.len(),
        expected.len()
    ))
}
