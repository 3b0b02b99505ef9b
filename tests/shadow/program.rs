//! What a random program is, and what it must do.

use proptest::collection::vec;
use proptest::prelude::*;

/// The element type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Byte,
    Double,
    Triple,
}

/// What is lent: a slice, or the middle column of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Slice,
    Column,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Wait,
    Test,
    Defer,
    Drop,
    Forget,
}

/// One message, and how both sides handle it.
#[derive(Clone, Debug)]
pub struct Message {
    pub from: usize,
    pub to: usize,
    pub tag: i32,
    pub kind: Kind,
    pub len: usize,
    /// How many elements more the receive has room for.
    pub spare: usize,
    pub sent_as: Layout,
    pub received_as: Layout,
    pub send_ends: Finish,
    pub receive_ends: Finish,
    /// Whether the receive leaves tag and source open, where that cannot change what it matches.
    pub by_wildcard: bool,
}

/// Rounds of messages, in the order in which both sides post them.
#[derive(Clone, Debug)]
pub struct Program {
    pub rounds: Vec<Vec<Message>>,
}

impl Program {
    pub fn strategy(ranks: usize) -> impl Strategy<Value = Program> {
        vec(vec(message(ranks), 0..12), 1..4).prop_map(|rounds| Program { rounds })
    }

    /// All messages with their numbers, round by round.
    pub fn messages(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.rounds.iter().flatten().enumerate()
    }
}

fn message(ranks: usize) -> impl Strategy<Value = Message> {
    let layout = || prop_oneof![Just(Layout::Slice), Just(Layout::Column)];
    let finish = || {
        prop_oneof![
            4 => Just(Finish::Wait),
            2 => Just(Finish::Test),
            1 => Just(Finish::Defer),
            1 => Just(Finish::Drop),
            1 => Just(Finish::Forget),
        ]
    };
    let kind = prop_oneof![Just(Kind::Byte), Just(Kind::Double), Just(Kind::Triple)];
    // Past the eager limit now and then: 4 KiB to 64 KiB, by library and transport.
    let len = prop_oneof![8 => 0..20usize, 1 => 1000..3000usize, 1 => 9000..20000usize];
    let ends = (0..ranks, 0..ranks, 0..3i32, kind, len, prop_oneof![3 => Just(0usize), 1 => 1..30usize]);
    (ends, (layout(), layout()), (finish(), finish()), any::<bool>()).prop_map(
        |(
            (from, to, tag, kind, len, spare),
            (sent_as, received_as),
            (send_ends, receive_ends),
            by_wildcard,
        )| {
            Message {
                from,
                to,
                tag,
                kind,
                len,
                spare,
                sent_as,
                received_as,
                send_ends,
                receive_ends,
                by_wildcard,
            }
        },
    )
}

/// The element types, with values that tell which message and place they belong to.
pub trait Element: mpi::AnyBits + PartialEq + std::fmt::Debug {
    /// What no message brings.
    const UNTOUCHED: Self;
    fn value(message: usize, place: usize) -> Self;
}
impl Element for u8 {
    const UNTOUCHED: u8 = 255;
    fn value(message: usize, place: usize) -> u8 {
        ((message * 31 + place * 7) % 255) as u8
    }
}
impl Element for f64 {
    const UNTOUCHED: f64 = -1.0;
    fn value(message: usize, place: usize) -> f64 {
        message as f64 + place as f64 / 65536.0
    }
}
impl Element for [i16; 3] {
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
