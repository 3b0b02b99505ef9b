//! What an owned request is about, and so what its completion gives back.
#![allow(unsafe_code)]

use crate::ffi::{MPI_Request, MPI_Status};
use crate::p2p::Received;
use crate::status::Status;

/// Which way the message of a [`Pending`](super::Pending) goes, and so what completion gives back: [`Incoming`],
/// [`Outgoing`], [`Collective`], [`Generalized`](super::Generalized), or one of these [mapped](super::Pending::map) or
/// [boxed](super::Pending::boxed).
pub trait Way<B>: sealed::Sealed {
    /// What completion gives back.
    type Output;
    /// Whether it has a status; if not, MPI is told to skip it.
    #[doc(hidden)]
    const STATUS: bool;
    #[doc(hidden)]
    fn output(buffer: B, status: MPI_Status) -> Self::Output;
    /// The request is being dropped, in flight: completes an operation that waits for nothing but this process.
    ///
    /// # Safety
    /// `buffer` is what the request owns, initialized; `request` is its handle, not null; MPI is live.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn abandon(_buffer: *const B, _request: MPI_Request) {}
}

/// Completion has a status that means something: loans of scoped requests, and ways of owned ones.
///
/// A [boxed](super::Request::boxed) request has one, whatever it was made of; of a send it means nothing.
pub trait HasStatus {}

/// A receive.
#[derive(Debug)]
pub enum Incoming {}
/// A send.
#[derive(Debug)]
pub enum Outgoing {}
/// A collective operation.
#[derive(Debug)]
pub enum Collective {}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Incoming {}
    impl Sealed for super::Outgoing {}
    impl Sealed for super::Collective {}
}

impl<B> Way<B> for Incoming {
    type Output = Received<B>;
    const STATUS: bool = true;
    #[inline(always)]
    fn output(data: B, status: MPI_Status) -> Received<B> {
        Received { data, status: Status::from_raw(status) }
    }
}
impl HasStatus for Incoming {}

impl<B> Way<B> for Outgoing {
    type Output = B;
    const STATUS: bool = false;
    #[inline(always)]
    fn output(buffer: B, _: MPI_Status) -> B {
        buffer
    }
}

impl<B> Way<B> for Collective {
    type Output = B;
    const STATUS: bool = false;
    #[inline(always)]
    fn output(buffers: B, _: MPI_Status) -> B {
        buffers
    }
}
