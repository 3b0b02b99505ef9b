//! A receive of unknown length: the message is matched when it has come, then received into a vector made for it.
#![allow(unsafe_code)]

use super::Test;
use super::flight::{Flight, Landing};
use super::future::ready_or_again;
use crate::buffer::Region;
use crate::buffer::zeroed::vec_from_bits;
use crate::comm::{Communicator, Users};
use crate::datatype::{Datatype, FromBits};
use crate::environment::live;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Comm, MPI_Message, MPI_Status, check};
use crate::p2p::{Received, Source, TagPattern};
use crate::scope::{Note, Operation};
use crate::status::Status;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::os::raw::c_int;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A message of unknown length that is awaited, made by [`irecv_vec`](Communicator::irecv_vec).
///
/// Until the message has come there is nothing in flight, and nothing is posted: each [`test`](PendingVec::test) or poll
/// looks whether it is there (`MPI_Improbe`), and if it is, starts to receive it. So of two such receives that
/// match the same message the one that looks first gets it, not the one that was made first, and a receive that is
/// posted meanwhile goes before both. Dropped before that, it takes no message; afterwards as a
/// [`Pending`](super::Pending).
///
/// It is a [`Future`], as `Pending` is and at the same cost.
#[must_use = "nothing is received unless it is waited for"]
pub struct PendingVec<T: FromBits> {
    stage: Stage<T>,
    _thread: PhantomData<*const ()>,
}

enum Stage<T: FromBits> {
    /// Not matched yet.
    Awaited(Awaited),
    /// Matched, and being received: room for as many values as were measured.
    Values(Flight<Vec<T::Bits>>),
    /// Matched, but not of whole values: received as bytes, so that it is not left behind.
    Broken(Flight<Vec<u8>>),
    /// Given out, or failed.
    Over,
}

struct Awaited {
    comm: MPI_Comm,
    source: c_int,
    tag: c_int,
    /// Keeps the communicator.
    user: Users,
}

/// A message that has been matched already cannot be cancelled.
const IMRECV: &Operation = &Operation { call: "MPI_Imrecv", receives: false };

impl Communicator {
    /// Awaits a message of any length, which is received into a new vector.
    ///
    /// `MPI_Improbe`, `MPI_Imrecv` (MPI 4.1 §3.8.2, §3.8.3): the message that was measured is the one that is received.
    /// `bool`, `char` and `NonZero*` are checked value by value. See [`PendingVec`] for when it is matched.
    ///
    /// # Errors
    /// The source or the tag is out of range.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let names = world.irecv_vec::<char>(mpi::Source::ANY, 3)?;
    /// // work …
    /// let name: String = names.wait()?.data.iter().collect();
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Improbe", "MPI_Imrecv"))]
    pub fn irecv_vec<T: FromBits>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<PendingVec<T>> {
        let call: Call = &"MPI_Improbe";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let awaited = Awaited { comm: self.raw(), source, tag, user: self.user() };
        Ok(PendingVec { stage: Stage::Awaited(awaited), _thread: PhantomData })
    }
}

impl<T: FromBits> PendingVec<T> {
    /// Waits for the message, without limit, and gives its values.
    ///
    /// `MPI_Mprobe`, `MPI_Imrecv`, `MPI_Wait` (MPI 4.1 §3.8.2, §3.8.3).
    ///
    /// # Errors
    /// The message does not bring whole values, or values that are none of `T` (it is consumed); or what MPI reports.
    ///
    /// # Panics
    /// If it was completed before, by a future.
    pub fn wait(self) -> Result<Received<Vec<T>>> {
        let stage = match self.stage {
            Stage::Awaited(awaited) => {
                let found = awaited.wait()?;
                awaited.receive(found)?
            }
            stage => stage,
        };
        match stage {
            Stage::Values(mut flight) => values(flight.wait()),
            Stage::Broken(mut flight) => Err(broken::<T>(flight.wait())),
            Stage::Awaited(_) | Stage::Over => over(),
        }
    }

    /// Looks whether the message has come and been received: gives its values, or the request.
    ///
    /// `MPI_Improbe`, `MPI_Imrecv`, `MPI_Test` (MPI 4.1 §3.8.2, §3.8.3).
    ///
    /// # Errors
    /// As [`wait`](PendingVec::wait).
    ///
    /// # Panics
    /// If it was completed before, by a future.
    pub fn test(mut self) -> Result<Test<Received<Vec<T>>, Self>> {
        match self.look() {
            None => Ok(Test::Pending(self)),
            Some(result) => result.map(Test::Done),
        }
    }

    /// Moves on as far as it can without waiting.
    fn look(&mut self) -> Option<Result<Received<Vec<T>>>> {
        if let Err(error) = self.match_message() {
            self.stage = Stage::Over;
            return Some(Err(error));
        }
        let result = match &mut self.stage {
            Stage::Awaited(_) => return None,
            Stage::Values(flight) => values(flight.poll()?),
            Stage::Broken(flight) => Err(broken::<T>(flight.poll()?)),
            Stage::Over => over(),
        };
        self.stage = Stage::Over;
        Some(result)
    }

    /// If the message has come, starts to receive it.
    fn match_message(&mut self) -> Result<()> {
        let Stage::Awaited(awaited) = &self.stage else { return Ok(()) };
        let Some(found) = awaited.look()? else { return Ok(()) };
        if let Stage::Awaited(awaited) = mem::replace(&mut self.stage, Stage::Over) {
            self.stage = awaited.receive(found)?;
        }
        Ok(())
    }
}

impl Awaited {
    /// Starts to receive a message that was just matched.
    fn receive<T: FromBits>(self, (message, status): (MPI_Message, MPI_Status)) -> Result<Stage<T>> {
        let note = Note { operation: IMRECV, peer: status.MPI_SOURCE, tag: status.MPI_TAG };
        let measured = Status::from_raw(status);
        match measured.count::<T>() {
            Some(count) => receive::<T, T::Bits>(self.user, note, message, count).map(Stage::Values),
            None => receive::<u8, u8>(self.user, note, message, measured.whole::<u8>()).map(Stage::Broken),
        }
    }

    fn wait(&self) -> Result<(MPI_Message, MPI_Status)> {
        let call: Call = &"MPI_Mprobe";
        live(call)?;
        let (mut message, mut status) = (ffi::MPI_MESSAGE_NULL, Status::empty());
        // SAFETY: `self.user` keeps the communicator, and MPI is live, as checked above; peer and tag were checked by `irecv_vec`; the out-arguments are ours.
        let code =
            unsafe { ffi::MPI_Mprobe(self.source, self.tag, self.comm, &raw mut message, &raw mut status) };
        check(call, code)?;
        Ok((message, status))
    }

    fn look(&self) -> Result<Option<(MPI_Message, MPI_Status)>> {
        let call: Call = &"MPI_Improbe";
        live(call)?;
        let (mut message, mut status, mut flag) = (ffi::MPI_MESSAGE_NULL, Status::empty(), 0);
        // SAFETY: as in `wait`.
        let code = unsafe {
            ffi::MPI_Improbe(
                self.source,
                self.tag,
                self.comm,
                &raw mut flag,
                &raw mut message,
                &raw mut status,
            )
        };
        check(call, code)?;
        Ok((flag != 0).then_some((message, status)))
    }
}

/// Starts to receive a matched message of `count` values of `T` into a new vector of their bits, whose length is set when
/// they have come.
fn receive<T: Datatype, Bits: 'static>(
    user: Users,
    note: Note,
    mut message: MPI_Message,
    count: usize,
) -> Result<Flight<Vec<Bits>>> {
    let call = IMRECV.call();
    let room = Vec::with_capacity(count);
    let region = |room: &mut Vec<Bits>| Region::contiguous::<T>(room.as_mut_ptr().cast(), count);
    let Note { operation, peer, tag } = note;
    let flight = Flight::start(user, operation, (peer, tag), room, region, |region, request| {
        region.call(call, |n, datatype| {
            // SAFETY: a message that was just matched, and room for as many values as it was measured to bring, which
            // stays until completion or for ever (`Flight`).
            unsafe { ffi::MPI_Imrecv(region.ptr, n, datatype, &raw mut message, request) }
        })
    });
    Ok(flight?)
}

/// The values that have come, checked. MPI is live: the flight still exists.
fn values<T: FromBits>(landed: Landing<Vec<T::Bits>>) -> Result<Received<Vec<T>>> {
    const { T::AGREES.see() }
    let (mut bits, status) = landed?;
    let status = Status::from_raw(status);
    // For a `T` without bytes the capacity is boundless, and the message was measured to bring none.
    let count = status.whole::<T>().min(bits.capacity());
    // SAFETY: there is room for `count`, and MPI has written as many (or they have no bytes); any bits are a `T::Bits`.
    unsafe { bits.set_len(count) };
    let data = vec_from_bits(bits).map_err(|index| Error::invalid(IMRECV.call(), index))?;
    Ok(Received { data, status })
}

/// A message that was no whole number of values has come.
fn broken<T>(landed: Landing<Vec<u8>>) -> Error {
    match landed {
        Ok((bytes, _)) => Error::broken(IMRECV.call(), bytes.capacity(), size_of::<T>()),
        Err(failed) => failed.into(),
    }
}

#[cold]
fn over() -> ! {
    panic!("a request that was completed cannot be completed again")
}

/// See [`PendingVec`].
///
/// # Panics
/// If it is polled after it was ready.
impl<T: FromBits> Future for PendingVec<T> {
    type Output = Result<Received<Vec<T>>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        ready_or_again(self.get_mut().look(), cx)
    }
}
/// As for `Pending`.
impl<T: FromBits> Unpin for PendingVec<T> {}

impl<T: FromBits> fmt::Debug for PendingVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage: &dyn fmt::Debug = match &self.stage {
            Stage::Awaited(_) => &"awaited",
            Stage::Values(flight) => flight,
            Stage::Broken(flight) => flight,
            Stage::Over => &"complete",
        };
        f.debug_struct("PendingVec").field("message", stage).finish_non_exhaustive()
    }
}
