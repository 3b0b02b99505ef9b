//! One collective on buffers of its own, started as often as wanted: plans of one operation.
#![allow(unsafe_code)]

use super::array::ArrayId;
use super::flight::Flight;
use super::plan::Plan;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::{Result, Returned};
use crate::request::Test;

/// A persistent collective that owns its buffers: a plan of exactly one operation. See [`Communicator::allreduce_init`].
///
/// Between starts its [`input`](PersistentCollective::input) and its [`result`](PersistentCollective::result) can be read
/// and written. What a rank has not, such as a result where it is not the root, is empty.
#[derive(Debug)]
pub struct PersistentCollective<'c, T> {
    plan: Plan<'c>,
    input: ArrayId<T>,
    result: ArrayId<T>,
}

/// What goes in, and what comes out, of a persistent collective.
pub type Buffers<T> = (Vec<T>, Vec<T>);

impl Communicator {
    /// A plan of one collective, which `add` adds.
    pub(super) fn plan_of_collective<'c, T: Datatype>(
        &'c self,
        input: Vec<T>,
        result: Vec<T>,
        add: impl FnOnce(&mut Plan<'c>, ArrayId<T>, ArrayId<T>) -> Result<()>,
    ) -> Result<PersistentCollective<'c, T>, Returned<Buffers<T>>> {
        let mut plan = Plan::new(self);
        let (input, result) = (plan.array(input), plan.array(result));
        if let Err(error) = add(&mut plan, input, result) {
            return Err(Returned { error, data: (plan.give_back(input), plan.give_back(result)) });
        }
        assert_eq!(plan.operations(), 1);
        Ok(PersistentCollective { plan, input, result })
    }
}

impl<'c, T> PersistentCollective<'c, T> {
    /// Starts the collective. All ranks start theirs in one order.
    ///
    /// `MPI_Start` (MPI 4.1 §3.9). Waits first if it is still in flight, because what an earlier start
    /// gave was forgotten.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Start")]
    #[inline(always)]
    pub fn start(&mut self) -> Result<Collecting<'_, 'c, T>> {
        let input = self.input;
        // SAFETY: one operation was added, and none can be later.
        let flight = unsafe { self.plan.start_these(1) }?;
        Ok(Collecting { flight, input })
    }

    /// What goes in.
    ///
    /// # Errors
    /// What MPI reports of a collective that was dropped or forgotten in flight, which is completed first.
    pub fn input(&self) -> Result<&[T]> {
        self.plan.get(self.input)
    }

    /// What goes in, to be written.
    ///
    /// # Errors
    /// As [`input`](PersistentCollective::input).
    pub fn input_mut(&mut self) -> Result<&mut [T]> {
        self.plan.get_mut(self.input)
    }

    /// What came out.
    ///
    /// # Errors
    /// As [`input`](PersistentCollective::input).
    pub fn result(&self) -> Result<&[T]> {
        self.plan.get(self.result)
    }

    /// What came out, to be written; of a broadcast what the root sends as well.
    ///
    /// # Errors
    /// As [`input`](PersistentCollective::input).
    pub fn result_mut(&mut self) -> Result<&mut [T]> {
        self.plan.get_mut(self.result)
    }

    /// Frees the request and gives the buffers back: what went in, what came out.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// As [`input`](PersistentCollective::input); the buffers are then dropped, as soon as MPI lets go of them.
    #[doc(alias = "MPI_Request_free")]
    pub fn into_inner(mut self) -> Result<Buffers<T>> {
        Ok((self.plan.take(self.input)?, self.plan.take(self.result)?))
    }
}

/// A started [`PersistentCollective`].
#[derive(Debug)]
#[must_use = "dropping it waits for completion: say so with `.wait()`"]
pub struct Collecting<'p, 'c, T> {
    flight: Flight<'p, 'c>,
    input: ArrayId<T>,
}

impl<T> Collecting<'_, '_, T> {
    /// What goes in, which may be read meanwhile.
    pub fn input(&self) -> &[T] {
        self.flight.read_all(self.input)
    }

    /// Waits until the collective is complete (`MPI_Wait`, MPI 4.1 §3.7.3), without limit.
    ///
    /// # Errors
    /// What MPI reports.
    #[inline(always)]
    pub fn wait(self) -> Result<()> {
        // SAFETY: one operation was added, and none can be later.
        unsafe { self.flight.wait_for_the_one() }
    }

    /// Asks whether the collective is complete (`MPI_Testall`, MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports.
    #[inline(always)]
    pub fn test(self) -> Result<Test<(), Self>> {
        let input = self.input;
        Ok(match self.flight.test()? {
            Test::Done(()) => Test::Done(()),
            Test::Pending(flight) => Test::Pending(Collecting { flight, input }),
        })
    }
}
