//! What becomes of an operation in flight, whoever holds it.

use crate::program::Finish;
use mpi::Result;
use mpi::request::{Exchange, Loan, Pending, PendingVec, Request, Test, Way};
use mpi::{Received, datatype::FromBits};
use std::mem;

/// What a request says once it is complete: what is wrong, if anything.
type InFlight<'s> = Box<dyn FnOnce() -> Result<Option<String>> + 's>;

/// A request, when its turn comes.
pub struct Posted<'s> {
    ends: Finish,
    operation: InFlight<'s>,
}

impl<'s> Posted<'s> {
    pub fn new<O: Operation + 's>(
        operation: O,
        ends: Finish,
        check: impl FnOnce(O::Output) -> Option<String> + 's,
    ) -> Self {
        let operation: InFlight<'s> = match ends {
            Finish::Defer => Box::new(move || {
                operation.defer();
                Ok(None)
            }),
            Finish::Test => Box::new(move || polled(operation).map(check)),
            Finish::Wait | Finish::Drop | Finish::Forget => Box::new(move || operation.wait().map(check)),
        };
        Posted { ends, operation }
    }

    pub fn finish(self) -> Result<Option<String>> {
        match self.ends {
            Finish::Wait | Finish::Test | Finish::Defer => return (self.operation)(),
            Finish::Drop => drop(self.operation),
            Finish::Forget => mem::forget(self.operation),
        }
        Ok(None)
    }
}

/// The requests that complete one by one.
pub trait Operation: Sized {
    type Output;
    fn wait(self) -> Result<Self::Output>;
    fn test(self) -> Result<Test<Self::Output, Self>>;
    /// Leaves it to who waits for it in any case.
    fn defer(self) {}
}

pub fn polled<O: Operation>(mut operation: O) -> Result<O::Output> {
    loop {
        match operation.test()? {
            Test::Done(output) => return Ok(output),
            Test::Pending(back) => operation = back,
        }
    }
}

impl<L: Loan> Operation for Request<'_, L> {
    type Output = L::Output;
    fn wait(self) -> Result<L::Output> {
        self.wait()
    }
    fn test(self) -> Result<Test<L::Output, Self>> {
        self.test()
    }
    fn defer(self) {
        self.defer();
    }
}
impl<L: Loan> Operation for Exchange<'_, L> {
    type Output = L::Output;
    fn wait(self) -> Result<L::Output> {
        self.wait()
    }
    fn test(self) -> Result<Test<L::Output, Self>> {
        self.test()
    }
    fn defer(self) {
        self.defer();
    }
}
impl<B, W: Way<B>> Operation for Pending<B, W> {
    type Output = W::Output;
    fn wait(self) -> Result<W::Output> {
        Ok(self.wait()?)
    }
    fn test(self) -> Result<Test<W::Output, Self>> {
        Ok(self.test()?)
    }
}
impl<T: FromBits> Operation for PendingVec<T> {
    type Output = Received<Vec<T>>;
    fn wait(self) -> Result<Received<Vec<T>>> {
        self.wait()
    }
    fn test(self) -> Result<Test<Received<Vec<T>>, Self>> {
        self.test()
    }
}
