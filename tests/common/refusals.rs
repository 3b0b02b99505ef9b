//! Arguments that must be refused before MPI sees them: with the library's own checks switched off it would index
//! its tables with them.

use mpi::op::Sum;
use mpi::persistent::Plan;
use mpi::{Communicator, Error, ErrorClass, Returned, Source, Tag};

/// Numbers that are no rank of `comm`; the last three become wildcards or `MPI_PROC_NULL` if somebody wraps them.
fn no_ranks(comm: &Communicator) -> [usize; 6] {
    [comm.size(), comm.size() + 1, i32::MAX as usize, u32::MAX as usize, u32::MAX as usize - 1, usize::MAX]
}

/// The error names the call, the argument, its value and the bound, and says what kind of error it is.
#[track_caller]
fn expect<T: std::fmt::Debug, E: Into<mpi::Error>>(result: Result<T, E>, class: ErrorClass, text: &str) {
    let error = result.map_err(E::into).expect_err(text);
    assert_eq!(error.to_string(), text);
    assert_eq!(error.class(), class, "{error}");
    assert_eq!(error.code(), None, "{error}: MPI was entered");
}

fn not_a_rank(call: &str, name: &str, rank: usize, size: usize) -> String {
    let shown = i64::try_from(rank).unwrap_or(i64::MAX);
    format!("{call}: {name} {shown} is not a rank of this communicator, which has {size} (0 to {})", size - 1)
}

/// Ranks out of range, in every point-to-point call.
pub fn ranks_out_of_range(comm: &Communicator) {
    let (mut x, size) = ([0u32; 2], comm.size());
    for rank in no_ranks(comm) {
        let source = |call| not_a_rank(call, "source", rank, size);
        let dest = |call| not_a_rank(call, "destination", rank, size);
        expect(comm.send(&1u8, rank, 0), ErrorClass::RANK, &dest("MPI_Send"));
        expect(comm.ssend(&1u8, rank, 0), ErrorClass::RANK, &dest("MPI_Ssend"));
        expect(comm.recv::<u8>(rank, 0), ErrorClass::RANK, &source("MPI_Recv"));
        expect(comm.recv_into(&mut x, rank, 0), ErrorClass::RANK, &source("MPI_Recv"));
        expect(comm.recv_vec::<u8>(rank, Tag::ANY), ErrorClass::RANK, &source("MPI_Mprobe"));
        expect(comm.probe(rank, 0), ErrorClass::RANK, &source("MPI_Probe"));
        expect(comm.sendrecv(&1u32, rank, 0, &mut x, 0, 0), ErrorClass::RANK, &dest("MPI_Sendrecv"));
        expect(comm.sendrecv(&1u32, 0, 0, &mut x, rank, 0), ErrorClass::RANK, &source("MPI_Sendrecv"));
        expect(comm.bsend(&1u8, rank, 0), ErrorClass::RANK, &dest("MPI_Bsend"));
        // SAFETY: refused before anything is sent.
        expect(unsafe { comm.rsend(&1u8, rank, 0) }, ErrorClass::RANK, &dest("MPI_Rsend"));
        expect(comm.iprobe(rank, 0), ErrorClass::RANK, &source("MPI_Iprobe"));
        expect(comm.mprobe(rank, 0), ErrorClass::RANK, &source("MPI_Mprobe"));
        expect(comm.improbe(rank, 0), ErrorClass::RANK, &source("MPI_Improbe"));
        expect(comm.sendrecv_replace(&mut x, rank, 0, 0, 0), ErrorClass::RANK, &dest("MPI_Sendrecv_replace"));
        expect(
            comm.sendrecv_replace(&mut x, 0, 0, rank, 0),
            ErrorClass::RANK,
            &source("MPI_Sendrecv_replace"),
        );
        expect(comm.scope(|s| s.issend(&1u8, rank, 0).map(drop)), ErrorClass::RANK, &dest("MPI_Issend"));
        expect(comm.scope(|s| s.ibsend(&1u8, rank, 0).map(drop)), ErrorClass::RANK, &dest("MPI_Ibsend"));
        // SAFETY: refused before anything is sent.
        let ready = comm.scope(|s| unsafe { s.irsend(&1u8, rank, 0) }.map(drop));
        expect(ready, ErrorClass::RANK, &dest("MPI_Irsend"));
        let exchange = comm.scope(|s| s.isendrecv(&1u8, rank, 0, &mut x, 0, 0).map(drop));
        expect(exchange, ErrorClass::RANK, &dest("MPI_Isendrecv"));
        let exchange = comm.scope(|s| s.isendrecv(&1u8, 0, 0, &mut x, rank, 0).map(drop));
        expect(exchange, ErrorClass::RANK, &source("MPI_Isendrecv"));
        let exchange = comm.scope(|s| s.isendrecv_replace(&mut x, rank, 0, 0, 0).map(drop));
        expect(exchange, ErrorClass::RANK, &dest("MPI_Isendrecv_replace"));
        let exchange = comm.scope(|s| s.isendrecv_replace(&mut x, 0, 0, rank, 0).map(drop));
        expect(exchange, ErrorClass::RANK, &source("MPI_Isendrecv_replace"));
        expect(comm.scope(|s| s.isend(&1u8, rank, 0).map(drop)), ErrorClass::RANK, &dest("MPI_Isend"));
        expect(comm.scope(|s| s.irecv(&mut x, rank, 0).map(drop)), ErrorClass::RANK, &source("MPI_Irecv"));
    }
}

/// Tags out of range, in every point-to-point call.
pub fn tags_out_of_range(comm: &Communicator) -> mpi::Result<()> {
    let (mut x, bound) = ([0u32; 2], Tag::upper_bound()?);
    assert!(bound >= 32767, "{bound}");
    let above = bound.checked_add(1);
    for tag in [-1, -2, i32::MIN].into_iter().chain(above) {
        let text = |call| format!("{call}: tag {tag} is outside 0 to {bound} (MPI_TAG_UB)");
        expect(comm.send(&1u8, 0, tag), ErrorClass::TAG, &text("MPI_Send"));
        expect(comm.ssend(&1u8, 0, tag), ErrorClass::TAG, &text("MPI_Ssend"));
        expect(comm.recv::<u8>(0, tag), ErrorClass::TAG, &text("MPI_Recv"));
        expect(comm.recv_into(&mut x, Source::ANY, tag), ErrorClass::TAG, &text("MPI_Recv"));
        expect(comm.recv_vec::<u8>(0, tag), ErrorClass::TAG, &text("MPI_Mprobe"));
        expect(comm.probe(0, tag), ErrorClass::TAG, &text("MPI_Probe"));
        expect(comm.sendrecv(&1u32, 0, tag, &mut x, 0, 0), ErrorClass::TAG, &text("MPI_Sendrecv"));
        expect(comm.sendrecv(&1u32, 0, 0, &mut x, 0, tag), ErrorClass::TAG, &text("MPI_Sendrecv"));
        expect(comm.bsend(&1u8, 0, tag), ErrorClass::TAG, &text("MPI_Bsend"));
        // SAFETY: refused before anything is sent.
        expect(unsafe { comm.rsend(&1u8, 0, tag) }, ErrorClass::TAG, &text("MPI_Rsend"));
        expect(comm.iprobe(0, tag), ErrorClass::TAG, &text("MPI_Iprobe"));
        expect(comm.mprobe(0, tag), ErrorClass::TAG, &text("MPI_Mprobe"));
        expect(comm.improbe(0, tag), ErrorClass::TAG, &text("MPI_Improbe"));
        expect(comm.sendrecv_replace(&mut x, 0, tag, 0, 0), ErrorClass::TAG, &text("MPI_Sendrecv_replace"));
        expect(comm.sendrecv_replace(&mut x, 0, 0, 0, tag), ErrorClass::TAG, &text("MPI_Sendrecv_replace"));
        expect(comm.scope(|s| s.issend(&1u8, 0, tag).map(drop)), ErrorClass::TAG, &text("MPI_Issend"));
        expect(comm.scope(|s| s.ibsend(&1u8, 0, tag).map(drop)), ErrorClass::TAG, &text("MPI_Ibsend"));
        // SAFETY: refused before anything is sent.
        let ready = comm.scope(|s| unsafe { s.irsend(&1u8, 0, tag) }.map(drop));
        expect(ready, ErrorClass::TAG, &text("MPI_Irsend"));
        let exchange = comm.scope(|s| s.isendrecv(&1u8, 0, tag, &mut x, 0, 0).map(drop));
        expect(exchange, ErrorClass::TAG, &text("MPI_Isendrecv"));
        let exchange = comm.scope(|s| s.isendrecv(&1u8, 0, 0, &mut x, 0, tag).map(drop));
        expect(exchange, ErrorClass::TAG, &text("MPI_Isendrecv"));
        let exchange = comm.scope(|s| s.isendrecv_replace(&mut x, 0, tag, 0, 0).map(drop));
        expect(exchange, ErrorClass::TAG, &text("MPI_Isendrecv_replace"));
        let exchange = comm.scope(|s| s.isendrecv_replace(&mut x, 0, 0, 0, tag).map(drop));
        expect(exchange, ErrorClass::TAG, &text("MPI_Isendrecv_replace"));
        expect(comm.scope(|s| s.isend(&1u8, 0, tag).map(drop)), ErrorClass::TAG, &text("MPI_Isend"));
        expect(comm.scope(|s| s.irecv(&mut x, 0, tag).map(drop)), ErrorClass::TAG, &text("MPI_Irecv"));
        // A peer that is nobody does not make a wrong tag right.
        expect(comm.send(&1u8, None, tag), ErrorClass::TAG, &text("MPI_Send"));
    }
    Ok(())
}

/// Roots out of range, in every rooted collective.
pub fn roots_out_of_range(comm: &Communicator) {
    let mut x = [0u32; 2];
    for root in no_ranks(comm) {
        let text = |call| not_a_rank(call, "root", root, comm.size());
        expect(comm.bcast(&mut x, root), ErrorClass::ROOT, &text("MPI_Bcast"));
        expect(comm.reduce(&x, Sum, root), ErrorClass::ROOT, &text("MPI_Reduce"));
        expect(comm.reduce_into(&x, None::<&mut [u32]>, Sum, root), ErrorClass::ROOT, &text("MPI_Reduce"));
        expect(comm.gather(&x, root), ErrorClass::ROOT, &text("MPI_Gather"));
        expect(comm.gather_into(&x, None::<&mut [u32]>, root), ErrorClass::ROOT, &text("MPI_Gather"));
        expect(comm.scatter(None::<&[u32]>, root), ErrorClass::ROOT, &text("MPI_Scatter"));
        expect(comm.scatter_into(None::<&[u32]>, &mut x, root), ErrorClass::ROOT, &text("MPI_Scatter"));
        expect(comm.gather_in_place(&mut x, root), ErrorClass::ROOT, &text("MPI_Gather"));
        expect(comm.scatter_in_place(&mut x, root), ErrorClass::ROOT, &text("MPI_Scatter"));
        expect(comm.reduce_in_place(&mut x, Sum, root), ErrorClass::ROOT, &text("MPI_Reduce"));
        expect(comm.gatherv(&x, root), ErrorClass::ROOT, &text("MPI_Gatherv"));
        expect(comm.gatherv_into(&x, None, root), ErrorClass::ROOT, &text("MPI_Gatherv"));
        expect(comm.scatterv_into(None, &mut x, root), ErrorClass::ROOT, &text("MPI_Scatterv"));
        let bcast = comm.scope(|s| s.ibcast(&mut x, root).map(drop));
        expect(bcast, ErrorClass::ROOT, &text("MPI_Ibcast"));
        let reduce = comm.scope(|s| s.ireduce(&[1u32], None::<&mut [u32]>, Sum, root).map(drop));
        expect(reduce, ErrorClass::ROOT, &text("MPI_Ireduce"));
        let gather = comm.scope(|s| s.igather(&[1u32], None::<&mut [u32]>, root).map(drop));
        expect(gather, ErrorClass::ROOT, &text("MPI_Igather"));
        let scatter = comm.scope(|s| s.iscatter(None::<&[u32]>, &mut x, root).map(drop));
        expect(scatter, ErrorClass::ROOT, &text("MPI_Iscatter"));
        let owned = comm.ibcast(vec![1u32; 2], root).map(drop);
        expect(owned.map_err(Error::from), ErrorClass::ROOT, &text("MPI_Ibcast"));
    }
}

/// A refused post gives its buffer back, and counts nobody as a user of the communicator.
#[track_caller]
fn gives_back<R>(result: Result<R, Returned<Vec<u8>>>, class: ErrorClass, text: &str) {
    let Err(Returned { error, data }) = result else { panic!("{text}") };
    assert_eq!(data, [3, 4]);
    expect::<(), _>(Err(error), class, text);
}

/// Peers and tags out of range, in every call that owns its buffer: requests, plans, partitioned messages.
pub fn owners_out_of_range(comm: &Communicator) -> mpi::Result<()> {
    let (size, buffer, bound) = (comm.size(), || vec![3u8, 4], Tag::upper_bound()?);
    let mut plan = Plan::new(comm);
    let array = plan.array([0u8; 4]);
    for rank in no_ranks(comm) {
        let source = |call| not_a_rank(call, "source", rank, size);
        let dest = |call| not_a_rank(call, "destination", rank, size);
        gives_back(comm.isend(buffer(), rank, 0), ErrorClass::RANK, &dest("MPI_Isend"));
        gives_back(comm.issend(buffer(), rank, 0), ErrorClass::RANK, &dest("MPI_Issend"));
        gives_back(comm.irecv(buffer(), rank, 0), ErrorClass::RANK, &source("MPI_Irecv"));
        expect(comm.irecv_vec::<u8>(rank, 0).map(drop), ErrorClass::RANK, &source("MPI_Improbe"));
        expect(plan.send(array, 0..4, rank, 0).map(drop), ErrorClass::RANK, &dest("MPI_Send_init"));
        expect(plan.recv(array, 0..4, rank, 0).map(drop), ErrorClass::RANK, &source("MPI_Recv_init"));
        expect(comm.send_init(buffer(), rank, 0).map(drop), ErrorClass::RANK, &dest("MPI_Send_init"));
        expect(comm.recv_init(buffer(), rank, 0).map(drop), ErrorClass::RANK, &source("MPI_Recv_init"));
        refused(comm.psend_init(buffer(), 2, rank, 0).map(drop));
        refused(comm.precv_init(buffer(), 2, rank, 0).map(drop));
    }
    for tag in [-1, -2, i32::MIN].into_iter().chain(bound.checked_add(1)) {
        let text = |call: &str| format!("{call}: tag {tag} ");
        let wrong = |error: Error, call| {
            assert!(error.to_string().starts_with(&text(call)), "{error}");
            assert_eq!((error.class(), error.code()), (ErrorClass::TAG, None), "{error}");
        };
        wrong(comm.isend(buffer(), 0, tag).expect_err("no tag").error, "MPI_Isend");
        wrong(comm.issend(buffer(), 0, tag).expect_err("no tag").error, "MPI_Issend");
        wrong(comm.irecv(buffer(), 0, tag).expect_err("no tag").error, "MPI_Irecv");
        wrong(comm.irecv_vec::<u8>(0, tag).expect_err("no tag"), "MPI_Improbe");
        wrong(plan.send(array, 0..4, 0, tag).expect_err("no tag"), "MPI_Send_init");
        wrong(plan.recv(array, 0..4, 0, tag).expect_err("no tag"), "MPI_Recv_init");
        refused(comm.psend_init(buffer(), 2, 0, tag).map(drop));
        refused(comm.precv_init(buffer(), 2, 0, tag).map(drop));
    }
    assert_eq!(plan.operations(), 0);
    Ok(())
}

/// By this crate: where the library has no partitioned messages, for that reason.
#[track_caller]
fn refused(result: mpi::Result<()>) {
    let error = result.expect_err("out of range");
    assert_eq!(error.code(), None, "{error}: MPI was entered");
}

/// All of them. Nothing is communicated.
pub fn all(comm: &Communicator) -> Result<(), Error> {
    owners_out_of_range(comm)?;
    ranks_out_of_range(comm);
    tags_out_of_range(comm)?;
    roots_out_of_range(comm);
    Ok(())
}
