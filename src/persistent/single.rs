//! One operation on one buffer, started as often as wanted: plans of one array.
#![allow(unsafe_code)]

use super::array::ArrayId;
use super::flight::Flight;
use super::plan::Plan;
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Result, Returned};
use crate::ffi;
use crate::p2p::{Destination, Source, Tag, TagPattern};
use crate::request::Test;
use crate::status::Status;
use std::ops::Range;

/// A persistent send that owns its buffer. See [`Communicator::send_init`].
#[derive(Debug)]
pub struct PersistentSend<'c, T> {
    plan: Plan<'c>,
    buffer: ArrayId<T>,
}

/// A persistent receive that owns its buffer. See [`Communicator::recv_init`].
#[derive(Debug)]
pub struct PersistentRecv<'c, T> {
    plan: Plan<'c>,
    buffer: ArrayId<T>,
}

impl Communicator {
    /// Makes a send that can be started again and again; between, its buffer can be written.
    ///
    /// `MPI_Send_init` (MPI 4.1 §3.9). The buffer is a `Vec`, a boxed slice or an array, which is moved to the heap.
    ///
    /// # Errors
    /// The destination or the tag is out of range; or what MPI reports. The buffer comes back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut send = world.send_init(vec![0.0; 100], 1, 0)?;
    /// for step in 0..10 {
    ///     send.buffer_mut()?[0] = f64::from(step);
    ///     send.start()?.wait()?;
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Send_init")]
    pub fn send_init<T: Datatype>(
        &self,
        buffer: impl Into<Vec<T>>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PersistentSend<'_, T>, Returned<Vec<T>>> {
        self.plan_of_one(buffer.into(), |plan, id, all| plan.send(id, all, dest, tag).map(drop))
    }

    /// Makes a send that is complete when the receiver has started to receive; otherwise as
    /// [`send_init`](Communicator::send_init).
    ///
    /// `MPI_Ssend_init` (MPI 4.1 §3.9).
    ///
    /// # Errors
    /// As [`send_init`](Communicator::send_init).
    #[doc(alias = "MPI_Ssend_init")]
    pub fn ssend_init<T: Datatype>(
        &self,
        buffer: impl Into<Vec<T>>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PersistentSend<'_, T>, Returned<Vec<T>>> {
        self.plan_of_one(buffer.into(), |plan, id, all| plan.ssend(id, all, dest, tag).map(drop))
    }

    /// Makes a send through the attached buffer ([`buffered`](crate::buffered)), complete when the message is copied;
    /// otherwise as [`send_init`](Communicator::send_init).
    ///
    /// `MPI_Bsend_init` (MPI 4.1 §3.9).
    ///
    /// # Errors
    /// As [`send_init`](Communicator::send_init); or the library is Open MPI, whose buffered mode loses messages (class
    /// `UNSUPPORTED_OPERATION`).
    #[doc(alias = "MPI_Bsend_init")]
    pub fn bsend_init<T: Datatype>(
        &self,
        buffer: impl Into<Vec<T>>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PersistentSend<'_, T>, Returned<Vec<T>>> {
        self.plan_of_one(buffer.into(), |plan, id, all| plan.bsend(id, all, dest, tag).map(drop))
    }

    /// Makes a send to a receiver that is known to wait for it at each start; otherwise as
    /// [`send_init`](Communicator::send_init).
    ///
    /// `MPI_Rsend_init` (MPI 4.1 §3.9).
    ///
    /// # Safety
    /// As of [`rsend`](Communicator::rsend), each time: whenever the send is [started](PersistentSend::start), a receive
    /// that matches the message is posted at the destination.
    ///
    /// # Errors
    /// As [`send_init`](Communicator::send_init).
    #[doc(alias = "MPI_Rsend_init")]
    pub unsafe fn rsend_init<T: Datatype>(
        &self,
        buffer: impl Into<Vec<T>>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PersistentSend<'_, T>, Returned<Vec<T>>> {
        self.plan_of_one(buffer.into(), |plan, id, all| {
            // SAFETY: this function's contract.
            unsafe { plan.rsend(id, all, dest, tag) }.map(drop)
        })
    }

    /// A plan of one send, which `add` adds.
    fn plan_of_one<'c, T: Datatype>(
        &'c self,
        elements: Vec<T>,
        add: impl FnOnce(&mut Plan<'c>, ArrayId<T>, Range<usize>) -> Result<()>,
    ) -> Result<PersistentSend<'c, T>, Returned<Vec<T>>> {
        let (plan, buffer) = self.plan_of(elements, add)?;
        Ok(PersistentSend { plan, buffer })
    }

    /// A plan of one array, to which `add` adds what is done with all of it.
    fn plan_of<'c, T: Datatype>(
        &'c self,
        elements: Vec<T>,
        add: impl FnOnce(&mut Plan<'c>, ArrayId<T>, Range<usize>) -> Result<()>,
    ) -> Result<(Plan<'c>, ArrayId<T>), Returned<Vec<T>>> {
        let (mut plan, all) = (Plan::new(self), 0..elements.len());
        let buffer = plan.array(elements);
        match add(&mut plan, buffer, all) {
            Ok(()) => Ok((plan, buffer)),
            Err(error) => Err(Returned { error, data: plan.give_back(buffer) }),
        }
    }

    /// Makes a receive that can be started again and again; between, its buffer can be read and written.
    ///
    /// `MPI_Recv_init` (MPI 4.1 §3.9). The buffer is a `Vec`, a boxed slice or an array, which is moved to the heap.
    ///
    /// # Errors
    /// The source or the tag is out of range; or what MPI reports. The buffer comes back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut receive = world.recv_init(vec![0.0; 100], mpi::Source::ANY, 0)?;
    /// for _ in 0..10 {
    ///     let status = receive.start()?.wait()?;
    ///     println!("{} from {:?}", receive.buffer()?[0], status.source());
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Recv_init")]
    pub fn recv_init<T: AnyBits>(
        &self,
        buffer: impl Into<Vec<T>>,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<PersistentRecv<'_, T>, Returned<Vec<T>>> {
        let receive = |plan: &mut Plan<'_>, id, all| plan.recv(id, all, source, tag).map(drop);
        let (plan, buffer) = self.plan_of(buffer.into(), receive)?;
        Ok(PersistentRecv { plan, buffer })
    }
}

macro_rules! between_starts {
    ($kind:ident, $started:ident) => {
        impl<'c, T> $kind<'c, T> {
            /// Starts the operation.
            ///
            /// `MPI_Start` (MPI 4.1 §3.9). Waits first if it is still in flight, because what an earlier start gave was
            /// forgotten.
            ///
            /// # Errors
            /// What MPI reports.
            #[doc(alias("MPI_Start", "MPI_Startall"))]
            #[inline(always)]
            pub fn start(&mut self) -> Result<$started<'_, 'c, T>> {
                let buffer = self.buffer;
                Ok($started { flight: self.plan.start()?, buffer })
            }

            /// The buffer.
            ///
            /// # Errors
            /// What MPI reports of an operation that was dropped or forgotten, which is completed first.
            pub fn buffer(&self) -> Result<&[T]> {
                self.plan.get(self.buffer)
            }

            /// The buffer, to be written.
            ///
            /// # Errors
            /// As [`buffer`](Self::buffer).
            pub fn buffer_mut(&mut self) -> Result<&mut [T]> {
                self.plan.get_mut(self.buffer)
            }

            /// Frees the request and gives the buffer back.
            ///
            /// `MPI_Request_free` (MPI 4.1 §3.7.3).
            ///
            /// # Errors
            /// As [`buffer`](Self::buffer); the buffer is then dropped, as soon as MPI lets go of it.
            #[doc(alias = "MPI_Request_free")]
            pub fn into_inner(mut self) -> Result<Vec<T>> {
                self.plan.take(self.buffer)
            }
        }
    };
}
between_starts!(PersistentSend, Sending);
between_starts!(PersistentRecv, Receiving);

/// A started [`PersistentSend`].
#[derive(Debug)]
#[must_use = "dropping it waits for completion: say so with `.wait()`"]
pub struct Sending<'p, 'c, T> {
    flight: Flight<'p, 'c>,
    buffer: ArrayId<T>,
}

/// A started [`PersistentRecv`].
#[derive(Debug)]
#[must_use = "dropping it waits for completion: say so with `.wait()`"]
pub struct Receiving<'p, 'c, T> {
    flight: Flight<'p, 'c>,
    buffer: ArrayId<T>,
}

impl<'p, 'c, T> Sending<'p, 'c, T> {
    /// The buffer, which may be read while it is sent.
    pub fn buffer(&self) -> &[T] {
        self.flight.read_all(self.buffer)
    }

    /// Waits until the send is complete (`MPI_Wait`, MPI 4.1 §3.7.3), without limit.
    ///
    /// # Errors
    /// What MPI reports.
    #[inline(always)]
    pub fn wait(self) -> Result<()> {
        self.flight.wait()
    }

    /// Asks whether the send is complete (`MPI_Testall`, MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports.
    #[inline(always)]
    pub fn test(self) -> Result<Test<(), Self>> {
        let buffer = self.buffer;
        Ok(match self.flight.test()? {
            Test::Done(()) => Test::Done(()),
            Test::Pending(flight) => Test::Pending(Sending { flight, buffer }),
        })
    }
}

impl<'p, 'c, T> Receiving<'p, 'c, T> {
    /// Waits until the message is received (`MPI_Wait`, MPI 4.1 §3.7.3), without limit, and says where it came from.
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message. The receive can be started again.
    #[inline(always)]
    pub fn wait(self) -> Result<Status> {
        self.flight.wait_for_one().map(|status| status.unwrap_or_else(from_nowhere))
    }

    /// Asks whether the message is received (`MPI_Testall`, MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// As [`wait`](Receiving::wait).
    #[inline(always)]
    pub fn test(self) -> Result<Test<Status, Self>> {
        let buffer = self.buffer;
        Ok(match self.flight.test_for_one()? {
            Test::Done(status) => Test::Done(status.unwrap_or_else(from_nowhere)),
            Test::Pending(flight) => Test::Pending(Receiving { flight, buffer }),
        })
    }
}

/// What MPI says of a receive from nowhere, for which it is not asked.
fn from_nowhere() -> Status {
    let mut status = Status::empty();
    status.MPI_SOURCE = ffi::MPI_PROC_NULL;
    status.MPI_TAG = ffi::MPI_ANY_TAG;
    Status::from_raw(status)
}
