//! What can be done with an operation without communicating (MPI 4.1 §6.9.7).
#![allow(unsafe_code)]

use super::{Operation, RawOp};
use crate::buffer::{RecvSlice, SendSlice};
use crate::collective::combine::Operands;
use crate::environment::hold;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use std::os::raw::c_int;

/// Combines two buffers of this process: each element of the second becomes the first's combined with it.
///
/// `MPI_Reduce_local` (MPI 4.1 §6.9.7).
///
/// # Errors
/// The lengths differ; MPI is not live, or another thread owns it; or what MPI reports.
///
/// ```no_run
/// use mpi::op::{Max, reduce_local};
/// # let _world = mpi::init()?;
/// let mut largest = [1, 5, 3];
/// reduce_local(&[4, 2, 6], &mut largest, Max)?;
/// assert_eq!(largest, [4, 5, 6]);
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Reduce_local")]
pub fn reduce_local<S, B, O>(first: &S, second: &mut B, op: O) -> Result<()>
where
    S: SendSlice + ?Sized,
    B: RecvSlice<Elem = S::Elem> + ?Sized,
    O: Operation<S::Elem>,
{
    let call: Call = &"MPI_Reduce_local";
    let _live = hold(call)?;
    let (from, into) = (first.region()?, second.region()?);
    let operands = Operands::new::<S::Elem, O>(call, from, op)?.into(call, from, into)?;
    operands.in_chunks(call, c_int::MAX, |o, count| {
        // SAFETY: `count` elements of both buffers, which are borrowed for the call, the second exclusively; MPI is live.
        check(call, unsafe { ffi::MPI_Reduce_local(o.send, o.recv, count, o.datatype, o.op) })
    })
}

/// Asks MPI about an operation, which may have to be made first.
pub(super) fn is_commutative(op: impl FnOnce() -> Result<RawOp>) -> Result<bool> {
    let call: Call = &"MPI_Op_commutative";
    let _live = hold(call)?;
    let (op, mut commutes) = (op()?, 0);
    // SAFETY: a valid operation; the out-argument is ours; MPI is live.
    check(call, unsafe { ffi::MPI_Op_commutative(op.0, &raw mut commutes) })?;
    Ok(commutes != 0)
}
