//! Requests of several kinds made into one: mapped to a common output, and boxed.

use super::{HasStatus, Loan, Request};
use crate::ffi::MPI_Status;
use std::fmt;

/// A loan whose output goes through a function. Made by [`Request::map`].
pub struct MapLoan<L, F> {
    loan: L,
    map: F,
}
// SAFETY: holds what `L` holds. A function that holds a reference borrowed it while the loan had the memory, so
// it is not to that memory.
unsafe impl<L: Loan, O, F: FnOnce(L::Output) -> O> Loan for MapLoan<L, F> {
    type Output = O;
    const STATUS: bool = L::STATUS;
    #[inline(always)]
    unsafe fn settle(self, status: MPI_Status) -> O {
        // SAFETY: this function's contract.
        (self.map)(unsafe { self.loan.settle(status) })
    }
}

impl<L: HasStatus, F> HasStatus for MapLoan<L, F> {}

/// A loan of any kind with a certain output. Made by [`Request::boxed`].
pub struct BoxedLoan<'a, O>(Box<dyn Settle<O> + 'a>);
// SAFETY: the box owns a loan, which holds no such reference; moving it asserts nothing of what the loan points to.
unsafe impl<O> Loan for BoxedLoan<'_, O> {
    type Output = O;
    const STATUS: bool = true;
    unsafe fn settle(self, status: MPI_Status) -> O {
        // SAFETY: this function's contract. Asked for in any case, so also where the loan has a status.
        unsafe { self.0.settle(status) }
    }
}

impl<O> HasStatus for BoxedLoan<'_, O> {}

/// A request of any kind with a certain output: what a set of mixed kinds holds.
pub type BoxedRequest<'s, 'a, O> = Request<'s, BoxedLoan<'a, O>>;

/// [`Loan::settle`] of a loan whose type is forgotten.
trait Settle<O> {
    /// # Safety
    /// As [`Loan::settle`].
    unsafe fn settle(self: Box<Self>, status: MPI_Status) -> O;
}
impl<L: Loan> Settle<L::Output> for L {
    unsafe fn settle(self: Box<Self>, status: MPI_Status) -> L::Output {
        // SAFETY: this function's contract.
        unsafe { Loan::settle(*self, status) }
    }
}

impl<'s, L: Loan> Request<'s, L> {
    /// The same request, which gives back `f` of what it would.
    ///
    /// `f` runs when the request is completed; never, if it is dropped. So requests of several kinds get one output,
    /// and, [boxed](Request::boxed), one type:
    ///
    /// ```no_run
    /// use mpi::request::RequestSet;
    /// use mpi::Received;
    ///
    /// enum Event<'s> {
    ///     Numbers(Received<&'s mut [f64; 4]>),
    ///     Text(Received<&'s mut [u8; 80]>),
    ///     Sent,
    /// }
    /// # let world = mpi::init()?;
    /// let (mut numbers, mut text) = ([0.0; 4], [0; 80]);
    /// world.scope(|s| {
    ///     let mut set = RequestSet::new(s);
    ///     set.push(s.irecv(&mut numbers, 0, 0)?.map(Event::Numbers).boxed());
    ///     set.push(s.irecv(&mut text, 0, 1)?.map(Event::Text).boxed());
    ///     set.push(s.isend(b"done", 0, 1)?.map(|_| Event::Sent).boxed());
    ///     while let Some((_, event)) = set.wait_any()? {
    ///         match event {
    ///             Event::Numbers(got) => println!("{:?}", got.data),
    ///             Event::Text(got) => println!("{:?} bytes", got.status.count::<u8>()),
    ///             Event::Sent => println!("sent"),
    ///         }
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[inline(always)]
    pub fn map<O, F: FnOnce(L::Output) -> O>(self, f: F) -> Request<'s, MapLoan<L, F>> {
        Request::new(self.slot, MapLoan { loan: self.loan, map: f })
    }

    /// The same request, of a type that says only what it gives back. Allocates.
    pub fn boxed<'a>(self) -> BoxedRequest<'s, 'a, L::Output>
    where
        L: 'a,
    {
        Request::new(self.slot, BoxedLoan(Box::new(self.loan)))
    }
}

impl<L, F> fmt::Debug for MapLoan<L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MapLoan")
    }
}
impl<O> fmt::Debug for BoxedLoan<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxedLoan")
    }
}
