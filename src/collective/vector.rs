//! What the v forms are given, checked: a block of any length for each rank.
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::Counted;
use super::forms::{Described, NO_INFO, Names, needed};
use super::pairs::Each;
use super::shapes::{AllgathervForms, AlltoallvForms, GathervForms, ScattervForms};
use crate::buffer::{Counts, Region, Room, apart};
use crate::comm::Communicator;
use crate::datatype::{Datatype, whole};
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Request, check};
use std::os::raw::{c_int, c_void};
use std::ptr;

/// Counts and displacements, as the library's functions take them.
#[derive(Clone, Copy)]
pub(crate) enum Arrays {
    Narrow(*const c_int, *const c_int),
    Wide(*const MPI_Count, *const MPI_Aint),
}

impl Arrays {
    #[inline(always)]
    pub(super) fn new<T: Datatype>(counts: &Counts) -> Self {
        // Tests of large counts use the functions for them wherever there are any; elements of no size are never counted.
        let is_wide = cfg!(all(mpi_low_limit, mpi_has = "MPI_Allgatherv_c")) && T::UNITS > 0;
        match counts.narrow::<T>().filter(|_| !is_wide) {
            Some((counts, displs)) => Arrays::Narrow(counts, displs),
            None => {
                let (counts, displs) = counts.wide();
                Arrays::Wide(counts, displs)
            }
        }
    }

    /// The `i`-th count.
    ///
    /// # Safety
    /// There is one.
    pub(super) unsafe fn count(self, i: usize) -> usize {
        let count = match self {
            // SAFETY: this function's contract.
            Arrays::Narrow(counts, _) => MPI_Count::from(unsafe { *counts.wrapping_add(i) }),
            // SAFETY: this function's contract.
            Arrays::Wide(counts, _) => unsafe { *counts.wrapping_add(i) },
        };
        count as usize
    }
}

/// Memory with a block for each rank. The arrays live as long as the [`Counts`] they are of.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    ptr: *mut c_void,
    arrays: Arrays,
    datatype: MPI_Datatype,
}

/// The displacement of a block that is at the front.
static FRONT: c_int = 0;

/// Where the only block starts; 0 if it is empty, for then it may start anywhere.
fn first(counts: &Counts) -> usize {
    if counts.total() == 0 { 0 } else { counts.range(0).start }
}

impl Side {
    /// A block of `region` for each of `ranks`, to be sent.
    #[inline(always)]
    pub(crate) fn sent<T: Datatype>(
        call: Call,
        region: Region,
        counts: &Counts,
        ranks: usize,
    ) -> Result<Self> {
        counts.fits(call, Argument::SendLength, region.len, ranks)?;
        Self::new::<T>(call, region, counts)
    }

    /// A block of `region` for each of `ranks`, to be received into.
    #[inline(always)]
    pub(crate) fn received<T: Datatype>(
        call: Call,
        region: Region,
        counts: &Counts,
        ranks: usize,
    ) -> Result<Self> {
        counts.fits_writing(call, region.len, ranks)?;
        Self::new::<T>(call, region, counts)
    }

    #[inline(always)]
    fn new<T: Datatype>(call: Call, region: Region, counts: &Counts) -> Result<Self> {
        Ok(Side { ptr: region.ptr, arrays: Arrays::new::<T>(counts), datatype: whole::<T>(call)?.0 })
    }

    /// What a hot call is given nearly always, and how many elements `rank` has: the same checks in fewer instructions. `None` if
    /// something is wrong, or large.
    #[inline(always)]
    fn plain<T: Datatype>(
        call: Call,
        region: Region,
        (room, counts): (Room, &Counts),
        comm: &Communicator,
    ) -> Option<(Self, usize)> {
        // Tests of large counts take none for plain.
        if T::UNITS == 0 || cfg!(mpi_low_limit) {
            return None;
        }
        let ((counts, displs), own) = counts.plain(room, comm.size(), comm.rank())?;
        let side = Side {
            ptr: region.ptr,
            arrays: Arrays::Narrow(counts, displs),
            datatype: whole::<T>(call).ok()?.0,
        };
        Some((side, own))
    }

    /// The same, where the address of a single block says where it lies: MPICH 4.0.2 does not look at the displacement in
    /// `MPI_Allgatherv` on one rank (`tests/faults/allgatherv_alone.c`).
    #[inline(always)]
    pub(crate) fn at_the_front<T: Datatype>(self, counts: &Counts) -> Self {
        match self.arrays {
            Arrays::Narrow(lengths, _) if counts.len() == 1 && T::UNITS > 0 => {
                let ptr = self.ptr.wrapping_byte_add(first(counts) * size_of::<T>());
                Side { ptr, arrays: Arrays::Narrow(lengths, &raw const FRONT), ..self }
            }
            _ => self,
        }
    }

    /// What each rank has of it.
    #[inline(always)]
    fn each(self) -> Each {
        match self.arrays {
            Arrays::Narrow(counts, _) if counts.is_null() => Each::Nothing,
            arrays => Each::Counts(arrays, self.datatype),
        }
    }

    /// Nothing that MPI looks at, at this rank.
    #[inline(always)]
    fn nothing(datatype: MPI_Datatype) -> Self {
        Side { ptr: ptr::null_mut(), arrays: Arrays::Narrow(ptr::null(), ptr::null()), datatype }
    }
}

/// Makes the calls of a v form: the arguments of its C functions, with the arrays they take, and again for large counts.
macro_rules! varied {
    ($kind:ty, |$d:ident|, $fit:pat_param in $counted:expr => $arrays:expr;
        $narrow:pat => $($argument:expr),*;
        $large:pat => $($wide_argument:expr),*
        $(; terms $terms:expr)?) => {
        impl Described for $kind {
            #[inline(always)]
            fn names(&self) -> &'static Names {
                &self.forms.names
            }
            #[inline(always)]
            unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
                let ($d, call) = (self, self.forms.names.now());
                match ($arrays, $d.forms.wide) {
                    ($narrow, _) => $counted.in_ints(call, |$fit| {
                        // SAFETY: this function's contract.
                        unsafe { ($d.forms.now)($($argument,)* comm) }
                    }),
                    // SAFETY: this function's contract.
                    ($large, Some(wide)) => check(call, unsafe { (wide.now)($($wide_argument,)* comm) }),
                    _ => Err(Error::unsupported(call, Needs::LargeCount)),
                }
            }
            #[inline(always)]
            unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, call) = (self, self.forms.names.start());
                match ($arrays, $d.forms.wide) {
                    ($narrow, _) => $counted.in_ints(call, |$fit| {
                        // SAFETY: this function's contract.
                        unsafe { ($d.forms.start)($($argument,)* comm, request) }
                    }),
                    // SAFETY: this function's contract.
                    ($large, Some(wide)) => check(call, unsafe { (wide.start)($($wide_argument,)* comm, request) }),
                    _ => Err(Error::unsupported(call, Needs::LargeCount)),
                }
            }
            $(#[inline(always)]
            fn terms(&self) -> Terms {
                let $d = self;
                $terms
            })?
            unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, call) = (self, &self.forms.names.init.call);
                match ($arrays, $d.forms.wide.and_then(|wide| wide.init)) {
                    ($narrow, _) => {
                        let init = needed(&$d.forms.names, $d.forms.init)?;
                        $counted.in_ints(call, |$fit| {
                            // SAFETY: this function's contract.
                            unsafe { init($($argument,)* comm, NO_INFO, request) }
                        })
                    }
                    ($large, Some(init)) => {
                        // SAFETY: this function's contract.
                        check(call, unsafe { init($($wide_argument,)* comm, NO_INFO, request) })
                    }
                    _ => Err(Error::unsupported(call, Needs::LargeCount)),
                }
            }
        }
    };
}

pub(super) use varied;

/// One block out, a block from each in: `MPI_Allgatherv` and its neighbourhood form.
pub(crate) struct Allgatherv {
    forms: &'static AllgathervForms,
    send: Region,
    recv: Side,
}
varied!(
    Allgatherv, |d|, (count, datatype) in d.send => d.recv.arrays;
    Arrays::Narrow(counts, displs) =>
        d.send.ptr, count, datatype, d.recv.ptr, counts, displs, d.recv.datatype;
    Arrays::Wide(counts, displs) =>
        d.send.ptr, d.send.count as MPI_Count, d.send.datatype.0, d.recv.ptr, counts, displs, d.recv.datatype;
    terms Terms::pairs(d.given(), d.recv.each())
);

/// Whether the library's blocking allgatherv hangs where what ranks send has types of different sizes (fault
/// `allgatherv-mixed-types`).
pub(super) const MIXED_TYPES_HANG: bool = cfg!(mpi_abi = "openmpi");

/// What a rank sends in an allgatherv in the type that it receives, so that all ranks' types have the size of the same bytes for
/// the same counts.
#[inline(always)]
fn alike<T: Datatype>(call: Call, send: Region) -> Result<Region> {
    if !MIXED_TYPES_HANG || T::UNITS <= 1 || is_view::<T>(send) {
        return Ok(send);
    }
    Ok(Region { count: send.len, datatype: whole::<T>(call)?, ..send })
}

/// Whether it is of a type of its own.
#[inline(always)]
pub(super) fn is_view<T: Datatype>(send: Region) -> bool {
    send.datatype.0 != T::unit().0
}

impl Allgatherv {
    /// What is sent to each: in place, the block of this rank.
    #[inline(always)]
    fn given(&self) -> Each {
        match self.send.ptr == ffi::MPI_IN_PLACE {
            true => Each::Own(self.recv.arrays, self.recv.datatype),
            false => Each::Same(self.send.count, self.send.datatype.0),
        }
    }

    /// `own` is how many elements `recv` has room for from this rank, where it gets its own.
    #[inline(always)]
    pub(crate) fn new<T: Datatype>(
        forms: &'static AllgathervForms,
        send: Region,
        recv: Side,
        own: Option<usize>,
    ) -> Result<Self> {
        let call = forms.names.now();
        if let Some(own) = own.filter(|&own| own != send.len) {
            return Err(Error::length(call, Argument::OwnBlock, own, send.len));
        }
        Ok(Allgatherv { forms, send: alike::<T>(call, send)?, recv })
    }

    /// The same, of a buffer with a block for each rank, if nothing is wrong or large.
    #[inline(always)]
    pub(crate) fn plain<T: Datatype>(
        forms: &'static AllgathervForms,
        (send, recv): (Region, Region),
        counts: &Counts,
        comm: &Communicator,
    ) -> Option<Self> {
        if counts.span() != counts.total() && comm.size() == 1 {
            return None; // see `Side::at_the_front`
        }
        if MIXED_TYPES_HANG && is_view::<T>(send) {
            return None;
        }
        let room = (Room::ToWrite(recv.len), counts);
        let (recv, own) = Side::plain::<T>(forms.names.now(), recv, room, comm)?;
        if own != send.len {
            return None;
        }
        Some(Allgatherv { forms, send: alike::<T>(forms.names.now(), send).ok()?, recv })
    }

    /// What is sent is in its place in `recv`.
    #[inline(always)]
    pub(crate) fn in_place(forms: &'static AllgathervForms, recv: Side) -> Self {
        Allgatherv { forms, send: Region::in_place(recv.datatype), recv }
    }
}

/// One block out, at the root a block from each in: `MPI_Gatherv`.
pub(crate) struct Gatherv {
    forms: &'static GathervForms,
    send: Region,
    recv: Side,
    root: c_int,
}
varied!(
    Gatherv, |d|, (count, datatype) in d.send => d.recv.arrays;
    Arrays::Narrow(counts, displs) =>
        d.send.ptr, count, datatype, d.recv.ptr, counts, displs, d.recv.datatype, d.root;
    Arrays::Wide(counts, displs) =>
        d.send.ptr, d.send.count as MPI_Count, d.send.datatype.0, d.recv.ptr, counts, displs, d.recv.datatype, d.root;
    terms Terms::pairs(Each::One(d.root, d.send.count, d.send.datatype.0), d.recv.each()).root(d.root)
);

impl Gatherv {
    /// The root, and it alone, has `recv`, with how many elements it has room for from this rank.
    #[inline(always)]
    pub(crate) fn new(
        forms: &'static GathervForms,
        send: Region,
        recv: Option<(Side, usize)>,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let recv = match comm.for_root(call, recv, root)? {
            Some((_, own)) if own != send.len => {
                return Err(Error::length(call, Argument::OwnBlock, own, send.len));
            }
            Some((recv, _)) => recv,
            None => Side::nothing(send.datatype.0),
        };
        Ok(Gatherv { forms, send, recv, root: root as c_int })
    }

    /// The root's block is in its place in `recv`, which the root alone has; another rank's is `send`.
    #[inline(always)]
    pub(crate) fn in_place(
        forms: &'static GathervForms,
        send: Region,
        recv: Option<Side>,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let (send, recv) = match comm.for_root(call, recv, root)? {
            Some(recv) => (Region::in_place(recv.datatype), recv),
            None => (send, Side::nothing(send.datatype.0)),
        };
        Ok(Gatherv { forms, send, recv, root: root as c_int })
    }
}

/// At the root a block for each out, one block in: `MPI_Scatterv`.
pub(crate) struct Scatterv {
    forms: &'static ScattervForms,
    send: Side,
    recv: Region,
    root: c_int,
}
varied!(
    Scatterv, |d|, (count, datatype) in d.recv => d.send.arrays;
    Arrays::Narrow(counts, displs) =>
        d.send.ptr, counts, displs, d.send.datatype, d.recv.ptr, count, datatype, d.root;
    Arrays::Wide(counts, displs) =>
        d.send.ptr, counts, displs, d.send.datatype, d.recv.ptr, d.recv.count as MPI_Count, d.recv.datatype.0, d.root;
    terms Terms::pairs(d.send.each(), Each::One(d.root, d.recv.count, d.recv.datatype.0)).root(d.root)
);

impl Scatterv {
    /// The root, and it alone, has `send`, with how many of its elements are for this rank.
    #[inline(always)]
    pub(crate) fn new(
        forms: &'static ScattervForms,
        send: Option<(Side, usize)>,
        recv: Region,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let send = match comm.for_root(call, send, root)? {
            Some((_, own)) if own != recv.len => {
                return Err(Error::length(call, Argument::OwnBlock, recv.len, own));
            }
            Some((send, _)) => send,
            None => Side::nothing(recv.datatype.0),
        };
        Ok(Scatterv { forms, send, recv, root: root as c_int })
    }

    /// The root's block stays in its place in `send`, which the root alone has; another rank's goes to `recv`.
    #[inline(always)]
    pub(crate) fn in_place(
        forms: &'static ScattervForms,
        send: Option<Side>,
        recv: Region,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let (send, recv) = match comm.for_root(call, send, root)? {
            Some(send) => (send, Region::in_place(send.datatype)),
            None => (Side::nothing(recv.datatype.0), recv),
        };
        Ok(Scatterv { forms, send, recv, root: root as c_int })
    }
}

/// A block for each out, a block from each in: `MPI_Alltoallv` and its neighbourhood form.
pub(crate) struct Alltoallv {
    forms: &'static AlltoallvForms,
    send: Side,
    recv: Side,
}
varied!(
    Alltoallv, |d|, () in () => (d.send.arrays, d.recv.arrays);
    (Arrays::Narrow(counts, displs), Arrays::Narrow(recv_counts, recv_displs)) =>
        d.send.ptr, counts, displs, d.send.datatype, d.recv.ptr, recv_counts, recv_displs, d.recv.datatype;
    (Arrays::Wide(counts, displs), Arrays::Wide(recv_counts, recv_displs)) =>
        d.send.ptr, counts, displs, d.send.datatype, d.recv.ptr, recv_counts, recv_displs, d.recv.datatype;
    terms Terms::pairs(d.send.each(), d.recv.each())
);

impl Alltoallv {
    /// If the counts of one side are large, both go as large ones. `own` is the rank, where it gets its own block.
    #[inline(always)]
    pub(crate) fn new(
        forms: &'static AlltoallvForms,
        (mut send, send_counts): (Side, &Counts),
        (mut recv, recv_counts): (Side, &Counts),
        own: Option<usize>,
    ) -> Result<Self> {
        if let Some((own, room)) = own.map(|rank| (send_counts.get(rank), recv_counts.get(rank)))
            && own != room
        {
            return Err(Error::length(forms.names.now(), Argument::OwnBlock, room, own));
        }
        if let (Arrays::Wide(..), _) | (_, Arrays::Wide(..)) = (send.arrays, recv.arrays) {
            let ((a, b), (c, d)) = (send_counts.wide(), recv_counts.wide());
            (send.arrays, recv.arrays) = (Arrays::Wide(a, b), Arrays::Wide(c, d));
        }
        recv.ptr = apart(send.ptr, recv.ptr);
        Ok(Alltoallv { forms, send, recv })
    }

    /// The same, if nothing is wrong or large.
    #[inline(always)]
    pub(crate) fn plain<T: Datatype>(
        forms: &'static AlltoallvForms,
        (send, send_counts): (Region, &Counts),
        (recv, recv_counts): (Region, &Counts),
        comm: &Communicator,
    ) -> Option<Self> {
        let call = forms.names.now();
        let (send, own) = Side::plain::<T>(call, send, (Room::ToRead(send.len), send_counts), comm)?;
        let (mut recv, room) = Side::plain::<T>(call, recv, (Room::ToWrite(recv.len), recv_counts), comm)?;
        recv.ptr = apart(send.ptr, recv.ptr);
        if own == room { Some(Alltoallv { forms, send, recv }) } else { None }
    }

    /// What arrives takes the place of what is sent.
    #[inline(always)]
    pub(crate) fn in_place(forms: &'static AlltoallvForms, both: Side) -> Self {
        // MPI does not look at what would be sent, but the arrays are of the width of the others.
        Alltoallv { forms, send: Side { ptr: ffi::MPI_IN_PLACE, ..both }, recv: both }
    }
}
