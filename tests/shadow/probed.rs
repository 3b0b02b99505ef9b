//! Messages that are matched when the receiver looks: of unknown length (`irecv_vec`), and by `mprobe`.
//!
//! Their tags are their own. They are taken before the rank waits for anything else, since their senders may wait for that.

use crate::element::{Element, Memory, differs, memory, wrong};
use crate::operation::polled;
use crate::program::{Finish, Kind, Layout, Message};
use mpi::request::PendingVec;
use mpi::{Received, Result, Scope};
use std::mem;

/// A message that will be taken in this round: gives what is wrong, if anything.
pub type Expected<'s> = Box<dyn FnOnce() -> Result<Option<String>> + 's>;

fn check<T: Element>(got: &Received<Vec<T>>, m: &Message, number: usize) -> Option<String> {
    let expected = memory(Layout::Slice, m.len, m.len, number);
    wrong::<T>(got.status, m.len, m.from, m.tag)
        .or_else(|| differs(&got.data, &expected, format_args!("message {number} of unknown length")))
}

/// Begins to await a message.
pub fn awaited<'s>(s: Scope<'s, '_>, m: &Message, number: usize) -> Result<Expected<'s>> {
    match m.kind {
        Kind::Byte => awaited_of::<u8>(s, m, number),
        Kind::Double => awaited_of::<f64>(s, m, number),
        Kind::Triple => awaited_of::<[i16; 3]>(s, m, number),
    }
}

fn awaited_of<'s, T: Element>(s: Scope<'s, '_>, m: &Message, number: usize) -> Result<Expected<'s>> {
    let (comm, m) = (s.comm(), m.clone());
    let request: PendingVec<T> = comm.irecv_vec(m.from, m.tag)?;
    Ok(Box::new(move || {
        let got = match m.receive_ends {
            Finish::Wait | Finish::Defer => request.wait()?,
            Finish::Test => polled(request)?,
            // What has not looked takes no message.
            Finish::Drop => {
                drop(request);
                comm.recv_vec(m.from, m.tag)?
            }
            Finish::Forget => {
                mem::forget(request);
                comm.recv_vec(m.from, m.tag)?
            }
        };
        Ok(check(&got, &m, number))
    }))
}

/// A message that is matched when its turn comes.
pub fn matched<'s>(s: Scope<'s, '_>, memory: &'s mut Memory, m: &Message, number: usize) -> Expected<'s> {
    match memory {
        Memory::Byte(v) => matched_into(s, v, m, number),
        Memory::Double(v) => matched_into(s, v, m, number),
        Memory::Triple(v) => matched_into(s, v, m, number),
    }
}

fn matched_into<'s, T: Element>(
    s: Scope<'s, '_>,
    room: &'s mut [T],
    m: &Message,
    number: usize,
) -> Expected<'s> {
    let m = m.clone();
    Box::new(move || {
        let message = if m.by_wildcard {
            loop {
                if let Some(message) = s.comm().improbe(m.from, m.tag)? {
                    break message;
                }
            }
        } else {
            s.comm().mprobe(m.from, m.tag)?
        };
        let status = message.status();
        let wrong = wrong::<T>(status, m.len, m.from, m.tag);
        Ok(match m.receive_ends {
            Finish::Wait => wrong.or(check::<T>(&message.recv_vec()?, &m, number)),
            Finish::Test | Finish::Forget => {
                message.recv_into(room)?;
                wrong
            }
            Finish::Defer => {
                s.imrecv(message, room)?.defer();
                wrong
            }
            Finish::Drop => wrong, // received and thrown away
        })
    })
}
