//! Collectives of blocks of any length in a plan (MPI 4.1 §6.13).
#![allow(unsafe_code)]

use super::{Section, Used};
use crate::buffer::{Counts, FARTHEST, Region, Table};
use crate::collective::copied::{Copied, SENDS_COPIES};
use crate::collective::forms::{Names, needed};
use crate::collective::parted::Parted;
use crate::collective::table::{ALLGATHERV, ALLTOALLV, ALLTOALLW, GATHERV, SCATTERV};
use crate::collective::vector::{Allgatherv, Alltoallv, Gatherv, Scatterv, Side};
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::Result;
use crate::persistent::Plan;
use std::rc::Rc;

impl<H> Plan<'_, H> {
    /// Adds the collection of blocks of any length from all ranks; the root alone gives a section for them, with
    /// counts.
    ///
    /// `MPI_Gatherv_init` (MPI 4.1 §6.13.3). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`gather`](Plan::gather); there is not one count for each rank, or they do not fit the section.
    #[doc(alias = "MPI_Gatherv_init")]
    pub fn gatherv<T: AnyBits, A, R: Into<Section<T>>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: Option<(R, &Counts)>,
        root: usize,
    ) -> Result<&mut Self> {
        let (names, call) = (&GATHERV.names, GATHERV.names.init.call());
        let send = self.sent(names, send.into())?;
        let (recv, counts) = recv.unzip();
        let recv = recv.map(|recv| self.received(names, recv.into())).transpose()?;
        let side = |(used, counts): (&Used, &Counts)| -> Result<(Side, usize)> {
            Ok((
                Side::received::<T>(call, used.region, counts, self.comm.size())?,
                counts.get(self.comm.rank()),
            ))
        };
        let room = recv.as_ref().zip(counts).map(side).transpose()?;
        let described = Gatherv::new(GATHERV, send.region, room, (root, self.comm));
        let kept = Rc::new(counts.cloned());
        // SAFETY: reads and writes these; the counts are kept.
        unsafe { self.add_collective(names, vec![send], recv.into_iter().collect(), Some(kept), described) }
    }

    /// Adds the dealing out of a section in blocks of any length; the root alone gives it, with counts.
    ///
    /// `MPI_Scatterv_init` (MPI 4.1 §6.13.4). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`gatherv`](Plan::gatherv).
    #[doc(alias = "MPI_Scatterv_init")]
    pub fn scatterv<T: AnyBits, A, S: Into<Section<T, A>>>(
        &mut self,
        send: Option<(S, &Counts)>,
        recv: impl Into<Section<T>>,
        root: usize,
    ) -> Result<&mut Self> {
        let (names, call) = (&SCATTERV.names, SCATTERV.names.init.call());
        let (send, counts) = send.unzip();
        let send = send.map(|send| self.sent(names, send.into())).transpose()?;
        let recv = self.received(names, recv.into())?;
        let side = |(used, counts): (&Used, &Counts)| -> Result<(Side, usize)> {
            Ok((Side::sent::<T>(call, used.region, counts, self.comm.size())?, counts.get(self.comm.rank())))
        };
        let all = send.as_ref().zip(counts).map(side).transpose()?;
        let described = Scatterv::new(SCATTERV, all, recv.region, (root, self.comm));
        let kept = Rc::new(counts.cloned());
        // SAFETY: reads and writes these; the counts are kept.
        unsafe { self.add_collective(names, send.into_iter().collect(), vec![recv], Some(kept), described) }
    }

    /// Adds the collection of blocks of any length from all ranks, at every rank.
    ///
    /// `MPI_Allgatherv_init` (MPI 4.1 §6.13.5). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is not one count for each rank, or they do not fit the sections.
    #[doc(alias = "MPI_Allgatherv_init")]
    pub fn allgatherv<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        counts: &Counts,
    ) -> Result<&mut Self> {
        let (names, call) = (&ALLGATHERV.names, ALLGATHERV.names.init.call());
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let room = Side::received::<T>(call, recv.region, counts, self.comm.size())?;
        let own = counts.get(self.comm.rank());
        let described = Allgatherv::new::<T>(ALLGATHERV, send.region, room, Some(own));
        // SAFETY: reads and writes these; the counts are kept.
        unsafe {
            self.add_collective(names, vec![send], vec![recv], Some(Rc::new(counts.clone())), described)
        }
    }

    /// Adds an exchange of blocks of any length between all ranks.
    ///
    /// `MPI_Alltoallv_init` (MPI 4.1 §6.13.6). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allgatherv`](Plan::allgatherv).
    ///
    /// ```no_run
    /// use mpi::buffer::Counts;
    /// # let world = mpi::init()?;
    /// let (me, size) = (world.rank(), world.size());
    /// let (to, from) = (Counts::new(&vec![me; size])?, Counts::new(&(0..size).collect::<Vec<_>>())?);
    /// let mut plan = mpi::persistent::Plan::new(&world);
    /// let (out, into) = (plan.array(vec![0.5; to.total()]), plan.array(vec![0.0; from.total()]));
    /// plan.alltoallv(out, &to, into, &from)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallv_init")]
    pub fn alltoallv<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        send_counts: &Counts,
        recv: impl Into<Section<T>>,
        recv_counts: &Counts,
    ) -> Result<&mut Self> {
        let (names, call) = (&ALLTOALLV.names, ALLTOALLV.names.init.call());
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let out = (Side::sent::<T>(call, send.region, send_counts, self.comm.size())?, send_counts);
        let into = (Side::received::<T>(call, recv.region, recv_counts, self.comm.size())?, recv_counts);
        let described = Alltoallv::new(ALLTOALLV, out, into, Some(self.comm.rank()));
        let counts = Rc::new((send_counts.clone(), recv_counts.clone()));
        // SAFETY: reads and writes these; the counts are kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], Some(counts), described) }
    }

    /// Adds an exchange of a block of any layout between all ranks.
    ///
    /// `MPI_Alltoallw_init` (MPI 4.1 §6.13.6). One section for each rank, all of one element type.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce), but for layouts; there is not one section for each rank.
    #[doc(alias = "MPI_Alltoallw_init")]
    pub fn alltoallw<T: AnyBits, A, S: Into<Section<T, A>>, R: Into<Section<T>>>(
        &mut self,
        send: impl IntoIterator<Item = S>,
        recv: impl IntoIterator<Item = R>,
    ) -> Result<&mut Self> {
        let names = &ALLTOALLW.names;
        let (sent, received, tables) = self.parts(names, send, recv)?;
        let tables = Rc::new(tables);
        let described = Parted::new(ALLTOALLW, &tables.0, &tables.1, self.comm);
        // SAFETY: reads and writes these; the tables are kept.
        unsafe { self.add_collective(names, sent, received, Some(tables), described) }
    }

    /// Adds the collection of blocks of any length from all ranks in the root's section, where its own is in its place;
    /// the root alone gives counts, and another rank's section is its block.
    ///
    /// `MPI_Gatherv_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.3). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is not one count for each rank, or they do not fit the section; there
    /// is no rank `root`.
    #[doc(alias("MPI_Gatherv_init", "MPI_IN_PLACE"))]
    pub fn gatherv_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        counts: Option<&Counts>,
        root: usize,
    ) -> Result<&mut Self> {
        let call = GATHERV.names.init.call();
        let describe = |both, comm: &Communicator| {
            let side = |counts| Side::received::<T>(call, both, counts, comm.size());
            let room = counts.map(side).transpose()?;
            Gatherv::in_place(GATHERV, both, room, (root, comm))
        };
        // SAFETY: reads and writes this; the counts are kept.
        unsafe { self.add_in_place(&GATHERV.names, both.into(), Some(Rc::new(counts.cloned())), describe) }
    }

    /// Adds the dealing out of the root's section in blocks of any length, of which its own stays in its place; the
    /// root alone gives counts, and another rank's section gets its block.
    ///
    /// `MPI_Scatterv_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.4). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is not one count for each rank, or they do not fit the section; there
    /// is no rank `root`.
    #[doc(alias("MPI_Scatterv_init", "MPI_IN_PLACE"))]
    pub fn scatterv_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        counts: Option<&Counts>,
        root: usize,
    ) -> Result<&mut Self> {
        let call = SCATTERV.names.init.call();
        let describe = |both, comm: &Communicator| {
            let side = |counts| Side::sent::<T>(call, both, counts, comm.size());
            let all = counts.map(side).transpose()?;
            Scatterv::in_place(SCATTERV, all, both, (root, comm))
        };
        // SAFETY: reads and writes this; the counts are kept.
        unsafe { self.add_in_place(&SCATTERV.names, both.into(), Some(Rc::new(counts.cloned())), describe) }
    }

    /// Adds the collection of blocks of any length from all ranks, at every rank, where its own is in its place.
    ///
    /// `MPI_Allgatherv_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.5). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is not one count for each rank, or they do not fit the section.
    #[doc(alias("MPI_Allgatherv_init", "MPI_IN_PLACE"))]
    pub fn allgatherv_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        counts: &Counts,
    ) -> Result<&mut Self> {
        let call = ALLGATHERV.names.init.call();
        let describe = |both, comm: &Communicator| {
            let room = Side::received::<T>(call, both, counts, comm.size())?;
            Ok(Allgatherv::in_place(ALLGATHERV, room))
        };
        // SAFETY: reads and writes this; the counts are kept.
        unsafe { self.add_in_place(&ALLGATHERV.names, both.into(), Some(Rc::new(counts.clone())), describe) }
    }

    /// Adds an exchange of blocks of any length between all ranks, where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoallv_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.6). The plan keeps the counts. With Open MPI each start packs what is
    /// sent, since its own form may hang (`docs/faults.md`, `ialltoallv-in-place`).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is not one count for each rank, or they do not fit the section.
    #[doc(alias("MPI_Alltoallv_init", "MPI_IN_PLACE"))]
    pub fn alltoallv_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        counts: &Counts,
    ) -> Result<&mut Self> {
        let (names, call) = (&ALLTOALLV.names, ALLTOALLV.names.init.call());
        let both = self.received(names, both.into())?;
        let side = Side::received::<T>(call, both.region, counts, self.comm.size());
        if SENDS_COPIES {
            needed(names, ALLTOALLV.init)?;
            side?;
            let mut blocks = Table::new(FARTHEST)?;
            for range in (0..counts.len()).map(|rank| counts.range(rank)) {
                let block = both.region.ptr.wrapping_byte_add(range.start * size_of::<T>());
                blocks.push::<T>(Region::contiguous(block.cast::<T>(), range.len()))?;
            }
            // SAFETY: blocks of the section, which is exclusively the plan's, by the check above.
            return unsafe { self.add_copied(names, vec![both], blocks) };
        }
        let described = side.map(|side| Alltoallv::in_place(ALLTOALLV, side));
        // SAFETY: reads and writes this; the counts are kept.
        unsafe {
            self.add_collective(names, Vec::new(), vec![both], Some(Rc::new(counts.clone())), described)
        }
    }

    /// Adds an exchange of a block of any layout between all ranks, where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoallw_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.6). With Open MPI each start packs what is sent, since its own form
    /// may hang (`docs/faults.md`, `ialltoallw-in-place`).
    ///
    /// # Errors
    /// As [`alltoallw`](Plan::alltoallw).
    #[doc(alias("MPI_Alltoallw_init", "MPI_IN_PLACE"))]
    pub fn alltoallw_in_place<T: AnyBits, B: Into<Section<T>>>(
        &mut self,
        both: impl IntoIterator<Item = B>,
    ) -> Result<&mut Self> {
        let names = &ALLTOALLW.names;
        let nothing = std::iter::empty::<Section<T>>();
        let (_, both, tables) = self.parts(names, nothing, both)?;
        if SENDS_COPIES {
            needed(names, ALLTOALLW.init)?;
            // SAFETY: sections of the plan, which it alone may write.
            return unsafe { self.add_copied(names, both, tables.1) };
        }
        let tables = Rc::new(tables);
        let described = Parted::in_place(ALLTOALLW, &tables.1, self.comm);
        // SAFETY: reads and writes these; the tables are kept.
        unsafe { self.add_collective(names, Vec::new(), both, Some(tables), described) }
    }

    /// Adds an exchange in place of `parts` that sends from a copy, which each start makes again.
    ///
    /// # Safety
    /// The parts are of the sections, which were checked.
    unsafe fn add_copied(
        &mut self,
        names: &'static Names,
        sections: Vec<Used>,
        parts: Table,
    ) -> Result<&mut Self> {
        // SAFETY: the plan is idle, and its arrays are initialized.
        let copy = unsafe { Copied::of(&parts, self.comm)? };
        let kept = Rc::new((copy, parts));
        let described = Parted::new(ALLTOALLW, &kept.0.table, &kept.1, self.comm);
        // SAFETY: writes the sections, and reads the copy, which is kept.
        unsafe { self.add_collective(names, Vec::new(), sections, Some(kept.clone()), described)? };
        self.copy_at_start(kept);
        Ok(self)
    }

    /// Sections of any layout, and how a w form finds them.
    #[expect(clippy::type_complexity, reason = "two sides, and their tables")]
    pub(super) fn parts<T: AnyBits, A, S: Into<Section<T, A>>, R: Into<Section<T>>>(
        &self,
        names: &'static Names,
        send: impl IntoIterator<Item = S>,
        recv: impl IntoIterator<Item = R>,
    ) -> Result<(Vec<Used>, Vec<Used>, (Table, Table))> {
        let (mut out, mut into) = (Table::new(FARTHEST)?, Table::new(FARTHEST)?);
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for section in send {
            let (used, _) = self.sent_spread(names, section.into())?;
            out.push::<T>(used.region)?;
            sent.push(used);
        }
        for section in recv {
            let (used, _) = self.received_spread(names, section.into())?;
            into.push::<T>(used.region)?;
            received.push(used);
        }
        Ok((sent, received, (out, into)))
    }
}
