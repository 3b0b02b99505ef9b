//! Nonblocking collectives in a scope (MPI 4.1 §6.12).
#![allow(unsafe_code)]

use super::describe::Reduction;
use super::op::Operation;
use super::reduce::unit_bytes;
use crate::buffer::{LendRecvSlice, LendSendSlice};
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{self, check};
use crate::request::{PairLoan, Request};
use crate::scope::{Operation as Posted, Scope};

/// A collective has no peer and no tag.
const NO_PEER: (i32, i32) = (0, 0);

impl<'s> Scope<'s, '_> {
    /// Starts a barrier: the request is complete when all ranks have started it.
    ///
    /// `MPI_Ibarrier` (MPI 4.1 §6.12.1).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Ibarrier")]
    pub fn ibarrier(self) -> Result<Request<'s, ()>> {
        const IBARRIER: &Posted = &Posted { call: "MPI_Ibarrier", receives: false };
        live(IBARRIER.call())?;
        let comm = self.comm.raw();
        self.post(IBARRIER, NO_PEER, (), |request| {
            // SAFETY: no memory is involved; the communicator is borrowed for `'s`.
            check(IBARRIER.call(), unsafe { ffi::MPI_Ibarrier(comm, request) })
        })
    }

    /// Starts to combine the elements of all ranks with `op`; both borrows come back from `wait`.
    ///
    /// `MPI_Iallreduce` (MPI 4.1 §6.12.8).
    ///
    /// # Errors
    /// The lengths differ; more than `i32::MAX` elements; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::op::Max;
    /// # let world = mpi::init()?;
    /// let (mine, mut largest) = ([0.5], [0.0]);
    /// world.scope(|s| {
    ///     let reduction = s.iallreduce(&mine, &mut largest, Max)?;
    ///     // work that needs neither …
    ///     let (_, largest) = reduction.wait()?;
    ///     println!("{}", largest[0]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iallreduce")]
    #[inline(always)]
    pub fn iallreduce<S, R, O>(self, send: S, recv: R, op: O) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        const IALLREDUCE: &Posted = &Posted { call: "MPI_Iallreduce", receives: false };
        live(IALLREDUCE.call())?;
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let r = Reduction::new(IALLREDUCE.call(), send, recv, op.raw()?.0, unit_bytes::<S::Elem>())?;
        let count = r.count(IALLREDUCE.call())?;
        let comm = self.comm.raw();
        self.post(IALLREDUCE, NO_PEER, PairLoan::new(send_raw, recv_raw), |request| {
            // SAFETY: both memories are borrowed for `'s`, the second exclusively, and hold `count` elements
            // (`Reduction`); the arena completes the request before `'s` ends; the operation is defined for the type.
            let code = unsafe { ffi::MPI_Iallreduce(r.send, r.recv, count, r.datatype, r.op, comm, request) };
            check(IALLREDUCE.call(), code)
        })
    }
}
