//! `MPI_Alltoallw` (MPI 4.1 §6.8).
#![allow(unsafe_code)]

use super::copied::{Copied, SENDS_COPIES};
use super::parted::Parted;
use super::parted_result::exchanged;
use super::table::ALLTOALLW;
use crate::buffer::{LendSend, OwnedRecv, OwnedSend, Parts, PartsMut, Table};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, HeldLoan, Pending, Request, SharedLoan};
use crate::scope::Scope;
use std::cell::OnceCell;
use std::rc::Rc;

/// What arrives takes the place of what is sent, which comes from a copy where there is one.
fn in_place_or_from(copy: Option<&Copied>, both: &Table, comm: &Communicator) -> Result<Parted> {
    match copy {
        Some(copy) => Parted::new(ALLTOALLW, &copy.table, both, comm),
        None => Parted::in_place(ALLTOALLW, both, comm),
    }
}

impl Communicator {
    /// Sends a buffer of any length and layout to every rank; gives what came from every rank, each in a vector of its
    /// own.
    ///
    /// `MPI_Alltoallw` (MPI 4.1 §6.8), after an `MPI_Alltoall` of the lengths. Nothing is copied together: a column of a
    /// matrix goes as it lies ([`Strided`](crate::buffer::Strided)). Where lengths are known or element types differ,
    /// [`alltoallw_into`](Communicator::alltoallw_into) is the one call.
    ///
    /// # Errors
    /// There is not one buffer for each rank, which the others wait for; what MPI reports; for `bool`, `char` and
    /// `NonZero*`, bytes that are no value.
    ///
    /// Each rank has some rows of a matrix, and gets its columns' parts from all:
    ///
    /// ```no_run
    /// use mpi::buffer::Strided;
    /// # let world = mpi::init()?;
    /// let (rows, cols) = (world.rank() + 1, world.size());
    /// let mine = vec![0.5; rows * cols];
    /// let columns = (0..cols).map(|col| Strided::new(&mine, col, rows, 1, cols)).collect::<mpi::Result<Vec<_>>>()?;
    /// let column = world.alltoallw(columns)?.concat();
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallw")]
    pub fn alltoallw<'a, B>(&self, per_rank: impl IntoIterator<Item = B>) -> Result<Vec<Vec<B::Elem>>>
    where
        B: LendSend<'a, Elem: FromBits>,
    {
        let tell = |lengths: &Vec<u64>| self.alltoall(lengths);
        exchanged(ALLTOALLW.names.now(), (per_rank, self.size()), tell, |send, recv| {
            let described = Parted::new(ALLTOALLW, send, recv, self)?;
            // SAFETY: what is sent is borrowed for longer than the call; nobody else has what is received into.
            unsafe { self.collective(described) }
        })
    }

    /// Sends a buffer to every rank, and receives one from every rank, each of its own element type and layout,
    /// anywhere in memory. Exactly one MPI call.
    ///
    /// `MPI_Alltoallw` (MPI 4.1 §6.8). What a rank sends must have the same types, one after the other, as what its
    /// receiver has pushed for it; with another length, the message is an error or leaves the tail as it was.
    ///
    /// # Errors
    /// There is not one part for each rank; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Parts, PartsMut};
    /// # let world = mpi::init()?;
    /// let (me, size) = (world.rank(), world.size());
    /// // Each rank gets as many numbers as its rank says.
    /// let outgoing: Vec<Vec<f64>> = (0..size).map(|to| vec![me as f64; to]).collect();
    /// let mut incoming = vec![vec![0.0; me]; size];
    /// world.alltoallw_into(&Parts::of(&outgoing)?, &mut PartsMut::of(&mut incoming)?)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallw")]
    #[inline]
    pub fn alltoallw_into(&self, send: &Parts<'_>, recv: &mut PartsMut<'_>) -> Result<()> {
        let described = Parted::new(ALLTOALLW, &send.table, &recv.table, self)?;
        // SAFETY: the parts borrow their memory, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`alltoallw_into`](Communicator::alltoallw_into), where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoallw` with `MPI_IN_PLACE` (MPI 4.1 §6.8). Two ranks send each other parts of the same types.
    ///
    /// # Errors
    /// There is not one part for each rank; or what MPI reports.
    #[doc(alias("MPI_Alltoallw", "MPI_IN_PLACE"))]
    #[inline]
    pub fn alltoallw_in_place(&self, both: &mut PartsMut<'_>) -> Result<()> {
        let described = Parted::in_place(ALLTOALLW, &both.table, self)?;
        // SAFETY: the parts borrow their memory exclusively, and it is initialized (`PartsMut::push`).
        unsafe { self.collective(described) }
    }

    /// Starts to send a buffer to every rank and to receive one from every rank, of any lengths, without copying them
    /// into one; the request owns the buffers, and gives them back.
    ///
    /// `MPI_Ialltoallw` (MPI 4.1 §6.12.6). Each side has buffers of one kind; a [scope](Scope::ialltoallw) takes any.
    ///
    /// # Errors
    /// There is not one buffer for each rank; or what MPI reports. The buffers come back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let outgoing: Vec<Vec<f64>> = (0..world.size()).map(|to| vec![0.5; to]).collect();
    /// let incoming = vec![vec![0.0; world.rank()]; world.size()];
    /// let pending = world.ialltoallw(outgoing, incoming)?;
    /// // work …
    /// let (outgoing, incoming) = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Ialltoallw")]
    #[expect(clippy::type_complexity, reason = "two lists of buffers that come back")]
    pub fn ialltoallw<S, R>(
        &self,
        send: Vec<S>,
        recv: Vec<R>,
    ) -> Result<Pending<(Vec<S>, Vec<R>), Collective>, Returned<(Vec<S>, Vec<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv,
    {
        let tables = Rc::new(OnceCell::new());
        let kept = tables.clone();
        let describe = |(send, recv): &mut (Vec<S>, Vec<R>)| {
            let made = (Table::of_owned(send)?, Table::of_owned_mut(recv)?);
            let (from, to) = tables.get_or_init(|| made);
            Parted::new(ALLTOALLW, from, to, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`), which stays in place when the vectors move; the tables
        // are kept.
        unsafe { self.start_owned(ALLTOALLW, (send, recv), Some(kept), describe) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the request owns the buffers, and gives them
    /// back.
    ///
    /// `MPI_Ialltoallw` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6); with Open MPI from a packed copy, since its own form may hang
    /// (`docs/faults.md`, `ialltoallw-in-place`).
    ///
    /// # Errors
    /// As [`ialltoallw`](Communicator::ialltoallw); a part of more bytes than an `int` counts where a copy is packed.
    #[doc(alias("MPI_Ialltoallw", "MPI_IN_PLACE"))]
    pub fn ialltoallw_in_place<B: OwnedRecv>(
        &self,
        both: Vec<B>,
    ) -> Result<Pending<Vec<B>, Collective>, Returned<Vec<B>>> {
        let tables = Rc::new(OnceCell::new());
        let kept = tables.clone();
        let describe = |both: &mut Vec<B>| {
            let table = Table::of_owned_mut(both)?;
            // SAFETY: the buffers' own memory, initialized (`OwnedRecv`).
            let copy = SENDS_COPIES.then(|| unsafe { Copied::of(&table, self) }).transpose()?;
            let (table, copy) = tables.get_or_init(|| (table, copy));
            in_place_or_from(copy.as_ref(), table, self)
        };
        // SAFETY: the buffers' own memory, initialized (`OwnedRecv`), which stays in place when the vector moves; the tables
        // are kept.
        unsafe { self.start_owned(ALLTOALLW, both, Some(kept), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to send a buffer to every rank and to receive one from every rank, of any element types and layouts; both
    /// lists come back from `wait`.
    ///
    /// `MPI_Ialltoallw` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoallw_into`](Communicator::alltoallw_into).
    #[doc(alias = "MPI_Ialltoallw")]
    #[inline]
    pub fn ialltoallw<'a, 'b>(
        self,
        send: &'s Parts<'a>,
        recv: &'s mut PartsMut<'b>,
    ) -> Result<Request<'s, (SharedLoan<&'s Parts<'a>>, HeldLoan<'s, PartsMut<'b>>)>> {
        let described = Parted::new(ALLTOALLW, &send.table, &recv.table, self.comm);
        // SAFETY: both lists are borrowed for `'s`, and so is the memory that they borrow, the second exclusively.
        unsafe { self.collective(ALLTOALLW, described, (SharedLoan::new(send), HeldLoan::new(recv))) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the list comes back from `wait`.
    ///
    /// `MPI_Ialltoallw` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6); with Open MPI from a packed copy, since its own form may hang
    /// (`docs/faults.md`, `ialltoallw-in-place`).
    ///
    /// # Errors
    /// As [`alltoallw_in_place`](Communicator::alltoallw_in_place); a part of more bytes than an `int` counts where a copy is
    /// packed.
    #[doc(alias("MPI_Ialltoallw", "MPI_IN_PLACE"))]
    #[inline]
    pub fn ialltoallw_in_place<'b>(
        self,
        both: &'s mut PartsMut<'b>,
    ) -> Result<Request<'s, HeldLoan<'s, PartsMut<'b>>>> {
        // SAFETY: the list borrows the memory, which is initialized (`PartsMut::push`).
        let copy = SENDS_COPIES.then(|| unsafe { Copied::of(&both.table, self.comm) }).transpose()?;
        let copy = copy.map(|copy| &*self.keep(copy));
        let described = in_place_or_from(copy, &both.table, self.comm);
        // SAFETY: the list is borrowed for `'s`, and so is the memory that it borrows, exclusively and initialized.
        unsafe { self.collective(ALLTOALLW, described, HeldLoan::new(both)) }
    }
}
