//! What each call costs, for `ci/cost.py` to count by callgrind; the twin of `benches/c/cost.c`. Arguments come from the
//! command line, so that the compiler knows none.

use mpi::buffer::{Counts, WithCounts};
use mpi::op::{Max, Sum};
use mpi::persistent::PersistentCollective;
use mpi::{Communicator, Result, wait_all};

type Peer = Option<usize>;

#[inline(never)]
fn cost_send(comm: &Communicator, n: usize, x: &[f64], peer: Peer, tag: i32) -> Result<()> {
    (0..n).try_for_each(|_| comm.send(x, peer, tag))
}

#[inline(never)]
fn cost_recv_into(comm: &Communicator, n: usize, x: &mut [f64], peer: Peer, tag: i32) -> Result<()> {
    for _ in 0..n {
        comm.recv_into(x, peer, tag)?;
    }
    Ok(())
}

#[inline(never)]
fn cost_isend_wait(comm: &Communicator, n: usize, x: &[f64], peer: Peer, tag: i32) -> Result<()> {
    for _ in 0..n {
        comm.scope(|s| s.isend(x, peer, tag)?.wait().map(drop))?;
    }
    Ok(())
}

#[inline(never)]
fn cost_eight_and_eight(
    comm: &Communicator,
    n: usize,
    x: &[f64],
    y: &mut [Vec<f64>; 8],
    peer: Peer,
    tag: i32,
) -> Result<()> {
    for _ in 0..n {
        comm.scope(|s| {
            let [a, b, c, d, e, f, g, h] = &mut *y;
            let receives = [
                s.irecv(&mut a[..], peer, tag)?,
                s.irecv(&mut b[..], peer, tag)?,
                s.irecv(&mut c[..], peer, tag)?,
                s.irecv(&mut d[..], peer, tag)?,
                s.irecv(&mut e[..], peer, tag)?,
                s.irecv(&mut f[..], peer, tag)?,
                s.irecv(&mut g[..], peer, tag)?,
                s.irecv(&mut h[..], peer, tag)?,
            ];
            let sends = [
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
                s.isend(x, peer, tag)?,
            ];
            wait_all(receives)?;
            wait_all(sends)?;
            Ok(())
        })?;
    }
    Ok(())
}

#[inline(never)]
fn cost_allreduce_into(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64]) -> Result<()> {
    (0..n).try_for_each(|_| comm.allreduce_into(x, y, Sum))
}

#[inline(never)]
fn cost_allreduce_one(comm: &Communicator, n: usize, x: &mut f64) -> Result<()> {
    for _ in 0..n {
        *x = comm.allreduce(x, Max)?;
    }
    Ok(())
}

#[inline(never)]
fn cost_bcast(comm: &Communicator, n: usize, x: &mut [f64], root: usize) -> Result<()> {
    (0..n).try_for_each(|_| comm.bcast(x, root))
}

#[inline(never)]
fn cost_iallreduce_wait(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64]) -> Result<()> {
    for _ in 0..n {
        comm.scope(|s| s.iallreduce(x, &mut *y, Sum)?.wait().map(drop))?;
    }
    Ok(())
}

#[inline(never)]
fn cost_allgatherv_into(
    comm: &Communicator,
    n: usize,
    x: &[f64],
    y: &mut [f64],
    counts: &Counts,
) -> Result<()> {
    (0..n).try_for_each(|_| comm.allgatherv_into(x, y.with_counts_mut(counts)))
}

#[inline(never)]
fn cost_alltoallv_into(
    comm: &Communicator,
    n: usize,
    x: &[f64],
    y: &mut [f64],
    counts: &Counts,
) -> Result<()> {
    (0..n).try_for_each(|_| comm.alltoallv_into(x.with_counts(counts), y.with_counts_mut(counts)))
}

#[inline(never)]
fn cost_persistent_allreduce(n: usize, reduction: &mut PersistentCollective<'_, f64>) -> Result<()> {
    (0..n).try_for_each(|_| reduction.start()?.wait())
}

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let &[n, len, tag] = &numbers[..] else {
        return Ok(()); // `cargo bench` without arguments: nothing to count
    };
    let tag = tag as i32;
    let peer = std::env::var("COST_PEER").ok().and_then(|peer| peer.parse().ok()); // unknown to the compiler
    let comm = mpi::init()?;
    let mut x = vec![0.0; len];
    let mut y: [Vec<f64>; 8] = std::array::from_fn(|_| vec![0.0; len]);
    cost_send(&comm, n, &x, peer, tag)?;
    cost_recv_into(&comm, n, &mut x, peer, tag)?;
    cost_isend_wait(&comm, n, &x, peer, tag)?;
    // To oneself: what comes from nowhere is not posted, and would cost less than in C.
    cost_eight_and_eight(&comm, n, &x, &mut y, Some(comm.rank()), tag)?;
    cost_allreduce_into(&comm, n, &x, &mut y[0])?;
    cost_allreduce_one(&comm, n, &mut x[0])?;
    cost_bcast(&comm, n, &mut x, 0)?;
    cost_iallreduce_wait(&comm, n, &x, &mut y[0])?;
    let counts = Counts::even(len, comm.size())?;
    cost_allgatherv_into(&comm, n, &x, &mut y[0], &counts)?;
    cost_alltoallv_into(&comm, n, &x, &mut y[0], &counts)?;
    if let Ok(mut reduction) = comm.allreduce_init(x, vec![0.0; len], Sum) {
        cost_persistent_allreduce(n, &mut reduction)?; // the library has MPI 4
    }
    Ok(())
}
