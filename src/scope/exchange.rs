//! A send and a receive behind one request (MPI 4.1 §3.10).
//!
//! A pair of operations with every library: MPI 3.1 has no `MPI_Isendrecv`, and MPICH's (5.0.2) leaves the status as it
//! was and reports no truncation. How much of uninitialized memory was received must not rest on that. A pair can also
//! be cancelled, where a scope ends with an `Err`; one operation cannot.

use super::{Operation, Scope};
use crate::buffer::{LendRecv, LendRecvSlice, LendSend, Region};
use crate::error::Result;
use crate::ffi::{self, Call};
use crate::p2p::{Destination, Source, Tag, TagPattern};
use crate::request::{Exchange, ExchangeLoan, Loan, RecvLoan};
use std::os::raw::c_int;
use std::slice;

const ISENDRECV: Call = &"MPI_Isendrecv";
const REPLACE: Call = &"MPI_Isendrecv_replace";

/// Whom both messages go to and come from, as MPI takes it.
#[derive(Clone, Copy)]
struct Ends {
    dest: c_int,
    send_tag: c_int,
    source: c_int,
    recv_tag: c_int,
}

impl<'s> Scope<'s, '_> {
    /// Starts to send one message and to receive another. Both borrows come back from `wait`, the second with the
    /// status of what arrived.
    ///
    /// Stands for `MPI_Isendrecv` (MPI 4.1 §3.10), and is made of `MPI_Isend` and `MPI_Irecv`.
    ///
    /// # Errors
    /// A peer or a tag is out of range; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (next, previous) = ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    /// let (mine, mut theirs) = ([1.0; 8], [0.0; 8]);
    /// world.scope(|s| {
    ///     let exchange = s.isendrecv(&mine, next, 0, &mut theirs, previous, 0)?;
    ///     // work that needs neither …
    ///     let (_, got) = exchange.wait()?;
    ///     println!("{:?} from {:?}", got.data, got.status.source());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Isendrecv")]
    pub fn isendrecv<S: LendSend<'s>, R: LendRecv<'s>>(
        self,
        send: S,
        dest: impl Into<Destination>,
        send_tag: impl Into<Tag>,
        recv: R,
        source: impl Into<Source>,
        recv_tag: impl Into<TagPattern>,
    ) -> Result<Exchange<'s, ExchangeLoan<'s, S, R>>> {
        let ends = self.ends(ISENDRECV, dest.into(), send_tag.into(), source.into(), recv_tag.into())?;
        let (out, sent) = send.lend()?;
        let (into, room) = recv.lend()?;
        let loan = ExchangeLoan::new(sent, room);
        self.pair(ends, out, into, loan)
    }

    /// Starts to send what is in a buffer, and to receive another message into its place. The exclusive borrow comes
    /// back from `wait`, with the status of what arrived.
    ///
    /// Stands for `MPI_Isendrecv_replace` (MPI 4.1 §3.10), and is made of `MPI_Isend` of a copy, which the scope keeps
    /// until it ends, and `MPI_Irecv`.
    ///
    /// # Errors
    /// A peer or a tag is out of range; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (next, previous) = ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    /// let mut block = vec![world.rank(); 100];
    /// world.scope(|s| {
    ///     let exchange = s.isendrecv_replace(&mut block, next, 0, previous, 0)?;
    ///     // work …
    ///     assert_eq!(exchange.wait()?.data[0], previous);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Isendrecv_replace")]
    pub fn isendrecv_replace<B: LendRecvSlice<'s>>(
        self,
        buf: B,
        dest: impl Into<Destination>,
        send_tag: impl Into<Tag>,
        source: impl Into<Source>,
        recv_tag: impl Into<TagPattern>,
    ) -> Result<Exchange<'s, RecvLoan<'s, B>>> {
        let ends = self.ends(REPLACE, dest.into(), send_tag.into(), source.into(), recv_tag.into())?;
        let (region, raw) = buf.lend()?;
        let loan = RecvLoan::new(raw);
        let out = if region.count == 0 {
            region // nothing to copy, and the address may suit no element
        } else {
            // SAFETY: contiguous and initialized, `len` elements of `B::Elem` (`LendRecvSlice`), exclusively borrowed,
            // and MPI was not called yet.
            let sent = unsafe { slice::from_raw_parts(region.ptr.cast::<B::Elem>(), region.len) };
            let copy = self.keep(sent.to_vec());
            Region::contiguous(copy.as_ptr(), copy.len())
        };
        self.pair(ends, out, region, loan)
    }

    fn ends(
        self,
        call: Call,
        dest: Destination,
        send_tag: Tag,
        source: Source,
        recv_tag: TagPattern,
    ) -> Result<Ends> {
        Ok(Ends {
            dest: dest.raw(call, self.comm.peers())?,
            send_tag: send_tag.raw(call)?,
            source: source.raw(call, self.comm.peers())?,
            recv_tag: recv_tag.raw(call)?,
        })
    }

    /// A send and a receive. `out` and `into` are disjoint, and lent for `'s`: by `loan`, or kept by the scope.
    fn pair<L: Loan>(self, ends: Ends, out: Region, into: Region, loan: L) -> Result<Exchange<'s, L>> {
        const ISEND: &Operation = &Operation { call: "MPI_Isend", receives: false };
        const IRECV: &Operation = &Operation { call: "MPI_Irecv", receives: true };
        let Ends { dest, send_tag, source, recv_tag } = ends;
        let comm = self.comm.raw();
        // The send first: should the receive fail, what is left in flight is a send, which the peer receives.
        let send = self.post(ISEND, (dest, send_tag), (), |request| {
            out.call(ISEND.call(), |count, datatype| {
                // SAFETY: initialized memory, lent for `'s`, and the arena completes the request before `'s` ends;
                // peer and tag were checked; the communicator is borrowed for `'s`.
                unsafe { ffi::MPI_Isend(out.ptr, count, datatype, dest, send_tag, comm, request) }
            })
        })?;
        let recv = self.post(IRECV, (source, recv_tag), loan, |request| {
            if source == ffi::MPI_PROC_NULL {
                return Ok(()); // see `irecv`
            }
            into.call(IRECV.call(), |count, datatype| {
                // SAFETY: memory exclusively lent for `'s`; the rest as for the send.
                unsafe { ffi::MPI_Irecv(into.ptr, count, datatype, source, recv_tag, comm, request) }
            })
        })?;
        Ok(Exchange::new(recv, send))
    }
}
