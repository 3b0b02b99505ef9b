//! Several requests completed by one call (MPI 4.1 §3.7.5): arrays, vectors, tuples.

use super::{Loan, Request, Test, all};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check, class_of};
use crate::scope::Place;
use crate::status::Status;
use std::mem::ManuallyDrop;
use std::os::raw::c_int;
use std::{array, ptr};

const WAIT: Call = &"MPI_Waitall";
const TEST: Call = &"MPI_Testall";

/// Requests that one `MPI_Waitall` can complete: an array or `Vec` of one kind, a tuple of several.
pub trait WaitAll {
    /// What each of them gives back.
    type Output;
    /// See [`wait_all`].
    ///
    /// # Errors
    /// What MPI reports; [`Error::index`] says which operation failed, where MPI tells.
    fn wait_all(self) -> Result<Self::Output>;
}

/// Requests that one `MPI_Testall` can ask for: what [`WaitAll`] is for.
pub trait TestAll: WaitAll + Sized {
    /// See [`test_all`].
    ///
    /// # Errors
    /// What MPI reports; [`Error::index`] says which operation failed, where MPI tells.
    fn test_all(self) -> Result<Test<Self::Output, Self>>;
}

/// Waits until all operations are complete, without limit, and gives back what was lent.
///
/// `MPI_Waitall` (MPI 4.1 §3.7.5). Where one may fail and the others are wanted all the same, there is
/// [`RequestSet::wait_all`](super::RequestSet::wait_all), which has a result for each.
///
/// # Errors
/// What MPI reports; [`Error::index`] says which operation failed, where MPI tells. The buffers then stay lent
/// until the scope ends.
#[doc(alias = "MPI_Waitall")]
#[inline(always)]
pub fn wait_all<G: WaitAll>(requests: G) -> Result<G::Output> {
    requests.wait_all()
}

/// Asks whether all operations are complete: gives back what was lent, or the requests.
///
/// `MPI_Testall` (MPI 4.1 §3.7.5). Also drives progress.
///
/// # Errors
/// As [`wait_all`].
///
/// ```no_run
/// use mpi::request::{Test, test_all};
/// # let world = mpi::init()?;
/// let (mut a, mut b) = ([0.0; 4], [0; 2]);
/// world.scope(|s| {
///     let mut requests = (s.irecv(&mut a, 0, 0)?, s.irecv(&mut b, 0, 1)?);
///     let (a, b) = loop {
///         match test_all(requests)? {
///             Test::Done(got) => break got,
///             Test::Pending(back) => requests = back, // work that needs neither …
///         }
///     };
///     println!("{:?} {:?}", a.data, b.data);
///     Ok(())
/// })?;
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Testall")]
pub fn test_all<G: TestAll>(requests: G) -> Result<Test<G::Output, G>> {
    requests.test_all()
}

/// Makes a call on `n` handles. Those that lie one after the other, as requests do that a scope posted in that
/// order, MPI takes where they are. Of others it gets copies, which are written back: null where complete, so that
/// the scope forgets them, and live where MPI left them pending.
#[inline(always)]
fn on_handles<'s, C: AsMut<[MPI_Request]>>(
    n: usize,
    place: impl Fn(usize) -> Place<'s>,
    copies: impl FnOnce() -> C,
    call: impl FnOnce(*mut MPI_Request) -> c_int,
) -> c_int {
    let mut storage = None;
    let is_row = n > 0 && (1..n).all(|i| place(i).as_ptr() == place(0).as_ptr().wrapping_add(i));
    let handles = if is_row {
        place(0).as_ptr()
    } else {
        let copies = storage.insert(copies()).as_mut();
        copies.iter_mut().enumerate().for_each(|(i, handle)| *handle = place(i).get());
        copies.as_mut_ptr()
    };
    let code = call(handles);
    if let Some(mut copies) = storage {
        copies.as_mut().iter().enumerate().for_each(|(i, handle)| place(i).slot().set(*handle));
    }
    code
}

/// Turns `MPI_ERR_IN_STATUS` into the error of the operation that failed.
#[cold]
fn which(error: Error, call: Call, statuses: &[MPI_Status]) -> Error {
    let failed =
        |status: &&MPI_Status| !matches!(Status::error_code(status), ffi::MPI_SUCCESS | ffi::MPI_ERR_PENDING);
    if error.class() != crate::ErrorClass::IN_STATUS {
        return error;
    }
    match statuses.iter().enumerate().find(|(_, status)| failed(status)) {
        Some((index, status)) => {
            let code = Status::error_code(status);
            Error::in_status(call, code, class_of(code), index)
        }
        None => error,
    }
}

/// `MPI_Waitall`. The statuses are as many as the handles, or none if none are wanted.
#[inline(always)]
fn wait<'s, C: AsMut<[MPI_Request]>>(
    n: usize,
    place: impl Fn(usize) -> Place<'s>,
    copies: impl FnOnce() -> C,
    statuses: &mut [MPI_Status],
) -> Result<()> {
    let out = if statuses.is_empty() { ffi::MPI_STATUSES_IGNORE.cast() } else { statuses.as_mut_ptr() };
    let code = on_handles(n, place, copies, |handles| {
        // SAFETY: `n` valid handles; room for as many statuses, or none is wanted.
        unsafe { all::wait_all(n as c_int, handles, out) }
    });
    check(WAIT, code).map_err(|e| which(e, WAIT, statuses))
}

/// `MPI_Testall`.
#[inline(always)]
fn test<'s, C: AsMut<[MPI_Request]>>(
    n: usize,
    place: impl Fn(usize) -> Place<'s>,
    copies: impl FnOnce() -> C,
    statuses: &mut [MPI_Status],
) -> Result<bool> {
    let out = if statuses.is_empty() { ffi::MPI_STATUSES_IGNORE.cast() } else { statuses.as_mut_ptr() };
    let mut flag = 0;
    let code = on_handles(n, place, copies, |handles| {
        // SAFETY: as in `wait`; the flag is ours.
        unsafe { ffi::MPI_Testall(n as c_int, handles, &raw mut flag, out) }
    });
    check(TEST, code).map_err(|e| which(e, TEST, statuses))?;
    Ok(flag != 0)
}

/// The requests of a vector are as many as an `int` counts.
fn countable(call: Call, n: usize) -> Result<()> {
    match c_int::try_from(n) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::length(call, Argument::Count, n, c_int::MAX as usize)),
    }
}

impl<L: Loan, const N: usize> WaitAll for [Request<'_, L>; N] {
    type Output = [L::Output; N];
    #[inline(always)]
    fn wait_all(self) -> Result<Self::Output> {
        let mut statuses = [Status::empty(); N];
        let wanted = if L::STATUS { &mut statuses[..] } else { &mut [] };
        wait(N, |i| self[i].slot, || [ffi::MPI_REQUEST_NULL; N], wanted)?;
        // SAFETY: every operation is complete, and the statuses were written if they were asked for.
        Ok(unsafe { settle_array(self, &statuses) })
    }
}
impl<L: Loan, const N: usize> TestAll for [Request<'_, L>; N] {
    fn test_all(self) -> Result<Test<Self::Output, Self>> {
        let mut statuses = [Status::empty(); N];
        let wanted = if L::STATUS { &mut statuses[..] } else { &mut [] };
        if !test(N, |i| self[i].slot, || [ffi::MPI_REQUEST_NULL; N], wanted)? {
            return Ok(Test::Pending(self));
        }
        // SAFETY: as in `wait_all`.
        Ok(Test::Done(unsafe { settle_array(self, &statuses) }))
    }
}

/// # Safety
/// Every operation is complete, and each has its status.
#[inline(always)]
unsafe fn settle_array<L: Loan, const N: usize>(
    requests: [Request<'_, L>; N],
    statuses: &[MPI_Status; N],
) -> [L::Output; N] {
    let requests = ManuallyDrop::new(requests);
    array::from_fn(|i| {
        // SAFETY: each is read once; what is read is not dropped again.
        let request = unsafe { ptr::read(&requests[i]) };
        // SAFETY: this function's contract.
        unsafe { request.loan.settle(statuses[i]) }
    })
}

impl<L: Loan> WaitAll for Vec<Request<'_, L>> {
    type Output = Vec<L::Output>;
    fn wait_all(self) -> Result<Self::Output> {
        countable(WAIT, self.len())?;
        let mut statuses = vec![Status::empty(); self.len()];
        wait(self.len(), |i| self[i].slot, || vec![ffi::MPI_REQUEST_NULL; self.len()], &mut statuses)?;
        // SAFETY: every operation is complete, and its status was written.
        Ok(unsafe { settle_vec(self, &statuses) })
    }
}
impl<L: Loan> TestAll for Vec<Request<'_, L>> {
    fn test_all(self) -> Result<Test<Self::Output, Self>> {
        countable(TEST, self.len())?;
        let mut statuses = vec![Status::empty(); self.len()];
        if !test(self.len(), |i| self[i].slot, || vec![ffi::MPI_REQUEST_NULL; self.len()], &mut statuses)? {
            return Ok(Test::Pending(self));
        }
        // SAFETY: as in `wait_all`.
        Ok(Test::Done(unsafe { settle_vec(self, &statuses) }))
    }
}

/// # Safety
/// Every operation is complete, and each has its status.
unsafe fn settle_vec<L: Loan>(requests: Vec<Request<'_, L>>, statuses: &[MPI_Status]) -> Vec<L::Output> {
    let each = requests.into_iter().zip(statuses);
    // SAFETY: this function's contract.
    each.map(|(request, status)| unsafe { request.loan.settle(*status) }).collect()
}

macro_rules! tuples {
    ($($n:literal: $($loan:ident $i:tt),+;)+) => { $(
        impl<$($loan: Loan),+> WaitAll for ($(Request<'_, $loan>,)+) {
            type Output = ($($loan::Output,)+);
            #[inline(always)]
            fn wait_all(self) -> Result<Self::Output> {
                let (places, mut statuses) = ([$(self.$i.slot),+], [Status::empty(); $n]);
                wait($n, |i| places[i], || [ffi::MPI_REQUEST_NULL; $n], &mut statuses)?;
                // SAFETY: every operation is complete, and its status was written.
                Ok(($(unsafe { self.$i.loan.settle(statuses[$i]) },)+))
            }
        }
        impl<$($loan: Loan),+> TestAll for ($(Request<'_, $loan>,)+) {
            fn test_all(self) -> Result<Test<Self::Output, Self>> {
                let (places, mut statuses) = ([$(self.$i.slot),+], [Status::empty(); $n]);
                if !test($n, |i| places[i], || [ffi::MPI_REQUEST_NULL; $n], &mut statuses)? {
                    return Ok(Test::Pending(self));
                }
                // SAFETY: as in `wait_all`.
                Ok(Test::Done(($(unsafe { self.$i.loan.settle(statuses[$i]) },)+)))
            }
        }
    )+ };
}
tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}
