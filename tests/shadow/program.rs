//! What a random program is.

use proptest::collection::vec;
use proptest::option;
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

/// Who holds a send in flight: the scope, a request that owns its buffer, or a set of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBy {
    Scope,
    ScopeSet,
    Owned,
    OwnedSet,
}

/// The same for a receive; or the message is of unknown length (`irecv_vec`), or matched by a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveBy {
    Scope,
    ScopeSet,
    Owned,
    OwnedSet,
    Awaited,
    Matched,
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
    pub send_by: SendBy,
    pub receive_by: ReceiveBy,
    pub sent_as: Layout,
    pub received_as: Layout,
    pub send_ends: Finish,
    pub receive_ends: Finish,
    /// Whether the receive leaves tag and source open, where that cannot change what it matches.
    pub by_wildcard: bool,
}

impl Message {
    /// Whether the receive leaves its elements in the memory that is compared when the scope has ended.
    pub fn is_left_in_memory(&self) -> bool {
        match self.receive_by {
            ReceiveBy::Scope | ReceiveBy::ScopeSet => true,
            ReceiveBy::Matched => matches!(self.receive_ends, Finish::Test | Finish::Defer | Finish::Forget),
            ReceiveBy::Owned | ReceiveBy::OwnedSet | ReceiveBy::Awaited => false,
        }
    }
}

/// What is asked of a set in one round. The set stays, with what is not complete, for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Nothing,
    /// One by one, at most so many.
    WaitAny(usize),
    TestAny,
    WaitSome,
    TestSome,
    WaitAll,
    TestAll,
}

/// How the ranks exchange messages around a ring: each sends, and receives another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Sendrecv,
    SendrecvReplace,
    Isendrecv,
    IsendrecvReplace,
}

/// One exchange around a ring.
#[derive(Clone, Debug)]
pub struct Swap {
    pub distance: usize,
    pub len: usize,
    pub by: By,
    pub ends: Finish,
}

/// Messages, in the order in which both sides post them, and what else happens.
#[derive(Clone, Debug)]
pub struct Round {
    pub messages: Vec<Message>,
    pub swap: Option<Swap>,
    /// What becomes of the flight of the plan.
    pub flight_ends: Finish,
    pub scope_set: Step,
    pub owned_set: Step,
}

/// One operation of the plan that is started in every round: the same message again, with other values.
#[derive(Clone, Debug)]
pub struct Part {
    pub from: usize,
    pub to: usize,
    pub kind: Kind,
    pub len: usize,
    pub spare: usize,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub rounds: Vec<Round>,
    pub plan: Vec<Part>,
    /// What becomes of the sets in the end.
    pub sets_end: Finish,
}

impl Program {
    pub fn strategy(ranks: usize) -> impl Strategy<Value = Program> {
        let plan = prop_oneof![1 => Just(vec![]), 1 => vec(part(ranks), 1..6)];
        (vec(round(ranks), 1..4), plan, finish()).prop_map(|(mut rounds, plan, sets_end)| {
            let messages = rounds.iter_mut().flat_map(|round| &mut round.messages);
            messages.enumerate().for_each(|(number, message)| settle(number, message));
            Program { rounds, plan, sets_end }
        })
    }

    /// All messages with their numbers, round by round.
    pub fn messages(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.rounds.iter().flat_map(|round| &round.messages).enumerate()
    }
}

/// What cannot be had together is changed: owners own slices; what is matched when somebody looks, and not when it is
/// posted, has a tag of its own.
fn settle(number: usize, message: &mut Message) {
    if matches!(message.send_by, SendBy::Owned | SendBy::OwnedSet) {
        message.sent_as = Layout::Slice;
    }
    if !matches!(message.receive_by, ReceiveBy::Scope | ReceiveBy::ScopeSet) {
        message.received_as = Layout::Slice;
    }
    if matches!(message.receive_by, ReceiveBy::Awaited | ReceiveBy::Matched) {
        message.tag = 100 + number as i32;
    }
}

fn finish() -> impl Strategy<Value = Finish> {
    prop_oneof![
        4 => Just(Finish::Wait),
        2 => Just(Finish::Test),
        1 => Just(Finish::Defer),
        1 => Just(Finish::Drop),
        1 => Just(Finish::Forget),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Byte), Just(Kind::Double), Just(Kind::Triple)]
}

/// Past the eager limit now and then: 4 KiB to 64 KiB, by library and transport.
fn len() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 0..20usize, 1 => 1000..3000usize, 1 => 9000..20000usize]
}

fn spare() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0usize), 1 => 1..30usize]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Nothing),
        2 => (1..4usize).prop_map(Step::WaitAny),
        1 => Just(Step::TestAny),
        2 => Just(Step::WaitSome),
        1 => Just(Step::TestSome),
        1 => Just(Step::WaitAll),
        1 => Just(Step::TestAll),
    ]
}

fn round(ranks: usize) -> impl Strategy<Value = Round> {
    (vec(message(ranks), 0..12), option::weighted(0.3, swap(ranks)), finish(), step(), step()).prop_map(
        |(messages, swap, flight_ends, scope_set, owned_set)| Round {
            messages,
            swap,
            flight_ends,
            scope_set,
            owned_set,
        },
    )
}

fn swap(ranks: usize) -> impl Strategy<Value = Swap> {
    let by = prop_oneof![
        Just(By::Sendrecv),
        Just(By::SendrecvReplace),
        Just(By::Isendrecv),
        Just(By::IsendrecvReplace)
    ];
    (0..ranks, len(), by, finish()).prop_map(|(distance, len, by, ends)| Swap { distance, len, by, ends })
}

fn part(ranks: usize) -> impl Strategy<Value = Part> {
    (0..ranks, 0..ranks, kind(), len(), spare()).prop_map(|(from, to, kind, len, spare)| Part {
        from,
        to,
        kind,
        len,
        spare,
    })
}

fn message(ranks: usize) -> impl Strategy<Value = Message> {
    let layout = || prop_oneof![Just(Layout::Slice), Just(Layout::Column)];
    let send_by = prop_oneof![
        3 => Just(SendBy::Scope),
        1 => Just(SendBy::ScopeSet),
        2 => Just(SendBy::Owned),
        1 => Just(SendBy::OwnedSet),
    ];
    let receive_by = prop_oneof![
        4 => Just(ReceiveBy::Scope),
        2 => Just(ReceiveBy::ScopeSet),
        2 => Just(ReceiveBy::Owned),
        2 => Just(ReceiveBy::OwnedSet),
        1 => Just(ReceiveBy::Awaited),
        2 => Just(ReceiveBy::Matched),
    ];
    let ends = (0..ranks, 0..ranks, 0..3i32, kind(), len(), spare());
    let ways = (send_by, receive_by, layout(), layout(), finish(), finish(), any::<bool>());
    (ends, ways).prop_map(
        |(
            (from, to, tag, kind, len, spare),
            (send_by, receive_by, sent_as, received_as, send_ends, receive_ends, by_wildcard),
        )| Message {
            from,
            to,
            tag,
            kind,
            len,
            spare,
            send_by,
            receive_by,
            sent_as,
            received_as,
            send_ends,
            receive_ends,
            by_wildcard,
        },
    )
}
