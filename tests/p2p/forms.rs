//! Every form of buffer: values, slices, arrays, vectors, uninitialized slices, strided views.

use crate::SIZES;
use crate::sample::{samples, seed};
use mpi::buffer::{Strided, StridedMut};
use mpi::{Communicator, RecvBuf, Result, SendBuf};
use std::mem::MaybeUninit;

/// Sends `out` from rank 0 to 1 into `into`, which must then look like `expected`.
fn pass<S, R>(world: &Communicator, out: &S, into: &mut R) -> Result<()>
where
    S: SendBuf + ?Sized,
    R: RecvBuf<Elem = S::Elem> + ?Sized,
{
    if world.rank() == 0 { world.send(out, 1, 3) } else { world.recv_into(into, 0, 3).map(|_| ()) }
}
