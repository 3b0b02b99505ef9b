//! Messages that a scope's requests send and receive, one by one and in its set.

use crate::element::{Element, Memory, WIDTH, wrong};
use crate::operation::Posted;
use crate::program::{Finish, Layout, Message, ReceiveBy, SendBy};
use crate::sets::Shadowed;
use mpi::buffer::{LendRecv, LendSend, Strided, StridedMut};
use mpi::request::{BoxedLoan, Loan, RecvRequest, Request, RequestSet};
use mpi::{Received, Result, Scope, Source, Tag};

/// The set of the scope: requests of all kinds, each of which gives its message's number and says what is wrong.
pub type ScopeSet<'s> = Shadowed<RequestSet<'s, BoxedLoan<'s, (usize, Option<String>)>>>;

/// Where the requests of one rank go.
pub struct Hands<'a, 's> {
    pub posted: &'a mut Vec<Posted<'s>>,
    pub set: &'a mut ScopeSet<'s>,
}

impl<'s> Hands<'_, 's> {
    fn take<L: Loan + 's>(
        &mut self,
        request: Request<'s, L>,
        (number, into_set, ends): (usize, bool, Finish),
        check: impl FnOnce(L::Output) -> Option<String> + 's,
    ) {
        if into_set {
            self.set.push(request.map(move |output| (number, check(output))).boxed(), number);
        } else {
            self.posted.push(Posted::new(request, ends, check));
        }
    }

    pub fn send(&mut self, s: Scope<'s, '_>, memory: &'s Memory, m: &Message, number: usize) -> Result<()> {
        match memory {
            Memory::Byte(v) => self.send_from(s, v, m, number),
            Memory::Double(v) => self.send_from(s, v, m, number),
            Memory::Triple(v) => self.send_from(s, v, m, number),
        }
    }

    fn send_from<T: Element>(
        &mut self,
        s: Scope<'s, '_>,
        memory: &'s [T],
        m: &Message,
        number: usize,
    ) -> Result<()> {
        let way = (number, m.send_by == SendBy::ScopeSet, m.send_ends);
        match m.sent_as {
            Layout::Slice => {
                let back = move |slice: &[T]| {
                    let first = (!slice.is_empty()).then(|| T::value(number, 0));
                    (slice.first() != first.as_ref())
                        .then(|| format!("message {number}: the send gave another slice back"))
                };
                self.take(s.isend(memory, m.to, m.tag)?, way, back);
            }
            Layout::Column => {
                let column = Strided::new(memory, usize::from(m.len > 0), m.len, 1, WIDTH)?;
                self.send_view(s, column, m, way)?;
            }
        }
        Ok(())
    }

    fn send_view<B: LendSend<'s> + 's>(
        &mut self,
        s: Scope<'s, '_>,
        view: B,
        m: &Message,
        way: (usize, bool, Finish),
    ) -> Result<()> {
        self.take(s.isend(view, m.to, m.tag)?, way, |_| None);
        Ok(())
    }

    /// `alone`: no other message is still to come that could be taken for this one.
    pub fn receive(
        &mut self,
        s: Scope<'s, '_>,
        memory: &'s mut Memory,
        m: &Message,
        number: usize,
        alone: bool,
    ) -> Result<()> {
        match memory {
            Memory::Byte(v) => self.receive_into(s, v, m, number, alone),
            Memory::Double(v) => self.receive_into(s, v, m, number, alone),
            Memory::Triple(v) => self.receive_into(s, v, m, number, alone),
        }
    }

    fn receive_into<T: Element>(
        &mut self,
        s: Scope<'s, '_>,
        memory: &'s mut [T],
        m: &Message,
        number: usize,
        alone: bool,
    ) -> Result<()> {
        let way = (number, m.receive_by == ReceiveBy::ScopeSet, m.receive_ends);
        let (len, from, tag) = (m.len, m.from, m.tag);
        match m.received_as {
            Layout::Slice => {
                let request = post(s, memory, m, alone)?;
                self.take(request, way, move |got| wrong::<T>(got.status, len, from, tag));
            }
            Layout::Column => {
                let room = m.len + m.spare;
                let column = StridedMut::new(memory, usize::from(room > 0), room, 1, WIDTH)?;
                let request = post(s, column, m, alone)?;
                self.take(request, way, move |got: Received<_>| wrong::<T>(got.status, len, from, tag));
            }
        }
        Ok(())
    }
}

fn post<'s, B: LendRecv<'s>>(
    s: Scope<'s, '_>,
    buf: B,
    m: &Message,
    alone: bool,
) -> Result<RecvRequest<'s, B>> {
    if by_wildcard(m, alone) { s.irecv(buf, Source::ANY, Tag::ANY) } else { s.irecv(buf, m.from, m.tag) }
}

/// Only a receive that is waited for in its round leaves tag and source open.
pub fn by_wildcard(m: &Message, alone: bool) -> bool {
    let one_by_one = matches!(m.receive_by, ReceiveBy::Scope | ReceiveBy::Owned);
    let waited = matches!(m.receive_ends, Finish::Wait | Finish::Test);
    m.by_wildcard && alone && one_by_one && waited
}
