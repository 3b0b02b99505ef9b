//! What a collective is given, checked: one description that its blocking, nonblocking and persistent forms share.
//!
//! There are few kinds. An [`Exchange`] deals equal blocks out or collects them. A [`Reduction`] combines buffers of
//! equal length.
#![allow(unsafe_code)]

use super::agree::Terms;
use super::forms::{Described, NO_INFO, Names, needed};
use super::shapes::{BarrierForms, BcastForms, BlockForms, RootedBlockForms};
use crate::buffer::{INT_MAX, Region};
use crate::comm::Communicator;
use crate::error::{Argument, Error, Result};
use crate::ffi::{Call, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Request, check};
use std::os::raw::c_int;
use std::ptr;

/// Memory whose counts MPI takes as `int`s, or as large ones.
pub(super) trait Counted {
    /// Each count and datatype.
    type Fit;
    /// The same with large counts.
    type Wide;
    /// What the functions for large counts take, where the library has some, if an `int` does not do.
    fn beyond<W>(&self, wide: Option<&'static W>) -> Option<(Self::Wide, &'static W)>;
    /// Makes one call of MPI with counts that fit, and checks what it returns.
    fn in_ints(&self, call: Call, f: impl FnOnce(Self::Fit) -> c_int) -> Result<()>;
}

/// Nothing, or counts of another kind.
impl Counted for () {
    type Fit = ();
    type Wide = ();
    #[inline(always)]
    fn beyond<W>(&self, _: Option<&'static W>) -> Option<((), &'static W)> {
        None
    }
    #[inline(always)]
    fn in_ints(&self, call: Call, f: impl FnOnce(()) -> c_int) -> Result<()> {
        check(call, f(()))
    }
}

impl Counted for Region {
    type Fit = (c_int, MPI_Datatype);
    type Wide = (MPI_Count, MPI_Datatype);
    #[inline(always)]
    fn beyond<W>(&self, wide: Option<&'static W>) -> Option<(Self::Wide, &'static W)> {
        wide.filter(|_| self.count > INT_MAX).map(|wide| (self.wide(), wide))
    }
    #[inline(always)]
    fn in_ints(&self, call: Call, f: impl FnOnce(Self::Fit) -> c_int) -> Result<()> {
        self.call(call, |count, datatype| f((count, datatype)))
    }
}

/// Makes the calls of a shape: the arguments are those of its C functions, in their order, with the counts that fit.
macro_rules! described {
    (
        $kind:ty, |$d:ident|, $fit:pat_param in $counted:expr => $($argument:expr),*
        $(; kept $kept:expr)? $(; terms $terms:expr)?
    ) => {
        impl Described for $kind {
            #[inline(always)]
            fn names(&self) -> &'static Names {
                &self.forms.names
            }
            #[inline(always)]
            unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
                let ($d, call) = (self, self.forms.names.now());
                if let Some(($fit, wide)) = $counted.beyond($d.forms.wide) {
                    // SAFETY: this function's contract.
                    return crate::ffi::check(call, unsafe { (wide.now)($($argument,)* comm) });
                }
                $counted.in_ints(call, |$fit| {
                    // SAFETY: this function's contract.
                    unsafe { ($d.forms.now)($($argument,)* comm) }
                })
            }
            #[inline(always)]
            unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, call) = (self, self.forms.names.start());
                if let Some(($fit, wide)) = $counted.beyond($d.forms.wide) {
                    // SAFETY: this function's contract.
                    return crate::ffi::check(call, unsafe { (wide.start)($($argument,)* comm, request) });
                }
                $counted.in_ints(call, |$fit| {
                    // SAFETY: this function's contract.
                    unsafe { ($d.forms.start)($($argument,)* comm, request) }
                })
            }
            unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, call) = (self, &self.forms.names.init.call);
                if let Some(($fit, wide)) = $counted.beyond($d.forms.wide) {
                    let init = needed(&$d.forms.names, wide.init)?;
                    // SAFETY: this function's contract.
                    return crate::ffi::check(call, unsafe { init($($argument,)* comm, NO_INFO, request) });
                }
                let init = needed(&$d.forms.names, $d.forms.init)?;
                $counted.in_ints(call, |$fit| {
                    // SAFETY: this function's contract.
                    unsafe { init($($argument,)* comm, NO_INFO, request) }
                })
            }
            $(#[inline(always)]
            fn kept(&self) -> Kept {
                let $d = self;
                $kept
            })?
            $(#[inline(always)]
            fn terms(&self) -> Terms {
                let $d = self;
                $terms
            })?
        }
    };
}

pub(super) use described;

/// `MPI_Barrier`.
pub(crate) struct Barrier {
    pub forms: &'static BarrierForms,
}
described!(Barrier, |_b|, () in () =>);

/// `MPI_Bcast`.
pub(crate) struct Broadcast {
    forms: &'static BcastForms,
    buf: Region,
    root: c_int,
}
described!(
    Broadcast, |b|, (count, datatype) in b.buf => b.buf.ptr, count, datatype, b.root;
    terms Terms::block(b.buf).root(b.root)
);

impl Broadcast {
    #[inline(always)]
    pub(crate) fn new(
        forms: &'static BcastForms,
        buf: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        comm.is_root(call, root)?;
        Ok(Broadcast { forms, buf, root: root as c_int })
    }
}

/// Equal blocks: what one rank gives to, and gets from, each other.
#[derive(Clone, Copy)]
struct Exchange {
    send: Region,
    recv: Region,
}

impl Counted for Exchange {
    type Fit = ((c_int, MPI_Datatype), (c_int, MPI_Datatype));
    type Wide = ((MPI_Count, MPI_Datatype), (MPI_Count, MPI_Datatype));
    #[inline(always)]
    fn beyond<W>(&self, wide: Option<&'static W>) -> Option<(Self::Wide, &'static W)> {
        let is_large = self.send.count > INT_MAX || self.recv.count > INT_MAX;
        wide.filter(|_| is_large).map(|wide| ((self.send.wide(), self.recv.wide()), wide))
    }
    #[inline(always)]
    fn in_ints(&self, call: Call, f: impl FnOnce(Self::Fit) -> c_int) -> Result<()> {
        self.send.call_with(self.recv, call, |send, recv| f((send, recv)))
    }
}

impl Exchange {
    /// What is sent is in its place in the memory of `block`, the first of as many as there are ranks.
    #[inline(always)]
    fn in_place(block: Region) -> Self {
        Exchange { send: Region::in_place(block.datatype.0), recv: block }
    }

    /// The same at a rank that gets what is in place already.
    #[inline(always)]
    fn keep_in_place(block: Region) -> Self {
        Exchange { send: block, recv: Region::in_place(block.datatype.0) }
    }

    /// Both sides have one length, unless one is nothing.
    #[inline(always)]
    fn terms(&self) -> Terms {
        Terms::block(if self.send.count > 0 { self.send } else { self.recv })
    }
}

/// What is not looked at by MPI, at this rank.
#[inline(always)]
fn nothing(like: Region) -> Region {
    Region { ptr: ptr::null_mut(), len: 0, count: 0, ..like }
}

/// One of `n` equal blocks of a contiguous region.
#[inline(always)]
pub(super) fn block(all: Region, n: usize) -> Region {
    if n == 0 {
        return Region { len: 0, count: 0, ..all };
    }
    Region { len: all.len / n, count: all.count / n, ..all }
}

/// `Err` unless `all` is `n` blocks as long as `block`.
#[inline(always)]
pub(super) fn is_multiple(call: Call, what: Argument, all: Region, block: Region, n: usize) -> Result<()> {
    match block.len.checked_mul(n) == Some(all.len) {
        true => Ok(()),
        false => Err(Error::length(call, what, all.len, block.len.saturating_mul(n))),
    }
}

/// `Err` unless `all` can be cut into `n` equal blocks.
#[inline(always)]
pub(super) fn is_even(call: Call, all: Region, n: usize) -> Result<()> {
    let is_even = if n == 0 { all.len == 0 } else { all.len.is_multiple_of(n) };
    if is_even { Ok(()) } else { Err(Error::length(call, Argument::BlockLength, all.len, n)) }
}

/// Equal blocks between all ranks, or all neighbours: `MPI_Allgather`, `MPI_Alltoall` and their neighbourhood forms.
pub(crate) struct Blocks {
    forms: &'static BlockForms,
    x: Exchange,
}
described!(
    Blocks,
    |d|, (sent, received) in d.x => d.x.send.ptr,
    sent.0,
    sent.1,
    d.x.recv.ptr,
    received.0,
    received.1;
    terms d.x.terms()
);

impl Blocks {
    /// Every rank gives `send`; `recv` has room for such a block from each of `sources`.
    #[inline(always)]
    pub(crate) fn collect(
        forms: &'static BlockForms,
        send: Region,
        recv: Region,
        sources: usize,
    ) -> Result<Self> {
        let call = forms.names.now();
        is_multiple(call, Argument::ReceiveLength, recv, send, sources)?;
        Ok(Blocks { forms, x: Exchange { send, recv: block(recv, sources) } })
    }

    /// A block of `send` goes to each of `dests`, one of `recv` comes from each of `sources`.
    #[inline(always)]
    pub(crate) fn exchange(
        forms: &'static BlockForms,
        send: Region,
        recv: Region,
        (dests, sources): (usize, usize),
    ) -> Result<Self> {
        let call = forms.names.now();
        is_even(call, send, dests)?;
        if dests == sources && send.len != recv.len {
            return Err(Error::length(call, Argument::ReceiveLength, recv.len, send.len));
        }
        is_even(call, recv, sources)?;
        Ok(Blocks { forms, x: Exchange { send: block(send, dests), recv: block(recv, sources) } })
    }

    /// What is sent is in its place in `both`: the block of this rank, or all of it.
    #[inline(always)]
    pub(crate) fn in_place(forms: &'static BlockForms, both: Region, ranks: usize) -> Result<Self> {
        let call = forms.names.now();
        is_even(call, both, ranks)?;
        Ok(Blocks { forms, x: Exchange::in_place(block(both, ranks)) })
    }
}

/// Equal blocks to or from a root: `MPI_Gather`, `MPI_Scatter`.
pub(crate) struct RootedBlocks {
    forms: &'static RootedBlockForms,
    x: Exchange,
    root: c_int,
}
described!(
    RootedBlocks,
    |d|, (sent, received) in d.x => d.x.send.ptr,
    sent.0,
    sent.1,
    d.x.recv.ptr,
    received.0,
    received.1,
    d.root;
    terms d.x.terms().root(d.root)
);

impl RootedBlocks {
    /// Every rank gives `send`; the root, and it alone, has `recv`: room for such a block from each.
    #[inline(always)]
    pub(crate) fn gather(
        forms: &'static RootedBlockForms,
        send: Region,
        recv: Option<Region>,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        let recv = match comm.for_root(call, recv, root)? {
            Some(recv) => {
                is_multiple(call, Argument::ReceiveLength, recv, send, comm.size())?;
                block(recv, comm.size())
            }
            None => nothing(send),
        };
        Ok(RootedBlocks { forms, x: Exchange { send, recv }, root: root as c_int })
    }

    /// The root, and it alone, has `send`: a block for each, as long as `recv`.
    #[inline(always)]
    pub(crate) fn scatter(
        forms: &'static RootedBlockForms,
        send: Option<Region>,
        recv: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        let send = match comm.for_root(call, send, root)? {
            Some(send) => {
                is_multiple(call, Argument::SendLength, send, recv, comm.size())?;
                block(send, comm.size())
            }
            None => nothing(recv),
        };
        Ok(RootedBlocks { forms, x: Exchange { send, recv }, root: root as c_int })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's is its block.
    #[inline(always)]
    pub(crate) fn gather_in_place(
        forms: &'static RootedBlockForms,
        buf: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        let x = if comm.is_root(call, root)? {
            is_even(call, buf, comm.size())?;
            Exchange::in_place(block(buf, comm.size()))
        } else {
            Exchange { send: buf, recv: nothing(buf) }
        };
        Ok(RootedBlocks { forms, x, root: root as c_int })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's has room for its block.
    #[inline(always)]
    pub(crate) fn scatter_in_place(
        forms: &'static RootedBlockForms,
        buf: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let call = forms.names.now();
        let x = if comm.is_root(call, root)? {
            is_even(call, buf, comm.size())?;
            Exchange::keep_in_place(block(buf, comm.size()))
        } else {
            Exchange { send: nothing(buf), recv: buf }
        };
        Ok(RootedBlocks { forms, x, root: root as c_int })
    }
}
