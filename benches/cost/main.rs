//! What each call costs, for `ci/cost.py` to count by callgrind; the twin of `benches/c/cost.c`. Arguments come from the
//! command line, so that the compiler knows none.
//!
//! To count another call: a function here and in C, each of its name, a line in both `main`s, in the same order, and a
//! row in the table of `ci/cost.py`.

mod counted;

use counted::Loops;
use mpi::buffer::{Counts, WithCounts};
use mpi::op::{Max, Sum};
use mpi::persistent::{PersistentCollective, Plan};
use mpi::{Communicator, Result, wait_all};
use std::mem::take;

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

/// Sixteen in one scope: what is paid once for a scope hardly counts.
#[inline(never)]
fn cost_sixteen_in_scope(comm: &Communicator, n: usize, x: &[f64], peer: Peer, tag: i32) -> Result<()> {
    (0..n).try_for_each(|_| comm.scope(|s| (0..16).try_for_each(|_| s.isend(x, peer, tag)?.wait().map(drop))))
}

#[inline(never)]
fn cost_sendrecv(
    comm: &Communicator,
    n: usize,
    x: &[f64],
    y: &mut [f64],
    peer: Peer,
    tag: i32,
) -> Result<()> {
    (0..n).try_for_each(|_| comm.sendrecv(x, peer, tag, y, peer, tag).map(drop))
}

/// The buffer goes round.
#[inline(never)]
fn cost_owned_isend(comm: &Communicator, n: usize, x: &mut Vec<f64>, peer: Peer, tag: i32) -> Result<()> {
    let mut buffer = take(x);
    for _ in 0..n {
        buffer = comm.isend(buffer, peer, tag)?.wait()?;
    }
    *x = buffer;
    Ok(())
}

#[inline(never)]
fn cost_owned_exchange(
    comm: &Communicator,
    n: usize,
    x: &mut Vec<f64>,
    y: &mut Vec<f64>,
    peer: Peer,
    tag: i32,
) -> Result<()> {
    let (mut outgoing, mut incoming) = (take(x), take(y));
    for _ in 0..n {
        let receive = comm.irecv(incoming, peer, tag)?;
        let send = comm.isend(outgoing, peer, tag)?;
        outgoing = send.wait()?;
        incoming = receive.wait()?.data;
    }
    (*x, *y) = (outgoing, incoming);
    Ok(())
}

#[inline(never)]
fn cost_plan(n: usize, plan: &mut Plan<'_>) -> Result<()> {
    (0..n).try_for_each(|_| plan.start()?.wait())
}

#[inline(never)]
fn cost_reduce_into(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64], root: usize) -> Result<()> {
    (0..n).try_for_each(|_| comm.reduce_into(x, Some(&mut *y), Sum, root))
}

#[inline(never)]
fn cost_gather_into(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64], root: usize) -> Result<()> {
    (0..n).try_for_each(|_| comm.gather_into(x, Some(&mut *y), root))
}

#[inline(never)]
fn cost_alltoall_into(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64]) -> Result<()> {
    (0..n).try_for_each(|_| comm.alltoall_into(x, y))
}

#[inline(never)]
fn cost_scan_in_place(comm: &Communicator, n: usize, x: &mut [f64]) -> Result<()> {
    (0..n).try_for_each(|_| comm.scan_in_place(x, Max))
}

#[inline(never)]
fn cost_ialltoall_wait(comm: &Communicator, n: usize, x: &[f64], y: &mut [f64]) -> Result<()> {
    for _ in 0..n {
        comm.scope(|s| s.ialltoall(x, &mut *y)?.wait().map(drop))?;
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

/// Eight receives and eight sends.
fn plan<'c>(comm: &'c Communicator, len: usize, peer: Peer, tag: i32) -> Result<Plan<'c>> {
    let mut plan = Plan::new(comm);
    let (x, y) = (plan.array(vec![0.0; len]), plan.array(vec![0.0; 8 * len]));
    for k in 0..8 {
        plan.recv(y, k * len..(k + 1) * len, peer, tag)?;
    }
    for _ in 0..8 {
        plan.send(x, 0..len, peer, tag)?;
    }
    Ok(plan)
}

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let &[n, len, tag] = &numbers[..] else {
        return Ok(()); // `cargo bench` without arguments: nothing to count
    };
    let (tag, root) = (tag as i32, 0);
    let peer = std::env::var("COST_PEER").ok().and_then(|peer| peer.parse().ok()); // unknown to the compiler
    let comm = &mpi::init()?;
    // To oneself: what comes from nowhere is not posted, and would cost less than in C.
    let me = Some(comm.rank());
    let mut x = vec![0.0; len];
    let mut y: [Vec<f64>; 8] = std::array::from_fn(|_| vec![0.0; len]);
    let mut plan = plan(comm, len, me, tag)?;
    let mut loops = Loops::new(n);
    loops.run("cost_send", |n| cost_send(comm, n, &x, peer, tag))?;
    loops.run("cost_recv_into", |n| cost_recv_into(comm, n, &mut x, peer, tag))?;
    loops.run("cost_sendrecv", |n| cost_sendrecv(comm, n, &x, &mut y[0], peer, tag))?;
    loops.run("cost_isend_wait", |n| cost_isend_wait(comm, n, &x, peer, tag))?;
    loops.run("cost_sixteen_in_scope", |n| cost_sixteen_in_scope(comm, n, &x, peer, tag))?;
    loops.run("cost_eight_and_eight", |n| cost_eight_and_eight(comm, n, &x, &mut y, me, tag))?;
    loops.run("cost_owned_isend", |n| cost_owned_isend(comm, n, &mut x, peer, tag))?;
    loops.run("cost_owned_exchange", |n| cost_owned_exchange(comm, n, &mut x, &mut y[0], me, tag))?;
    loops.run("cost_plan", |n| cost_plan(n, &mut plan))?;
    loops.run("cost_allreduce_into", |n| cost_allreduce_into(comm, n, &x, &mut y[0]))?;
    loops.run("cost_allreduce_one", |n| cost_allreduce_one(comm, n, &mut x[0]))?;
    loops.run("cost_bcast", |n| cost_bcast(comm, n, &mut x, root))?;
    loops.run("cost_iallreduce_wait", |n| cost_iallreduce_wait(comm, n, &x, &mut y[0]))?;
    loops.run("cost_reduce_into", |n| cost_reduce_into(comm, n, &x, &mut y[0], root))?;
    loops.run("cost_gather_into", |n| cost_gather_into(comm, n, &x, &mut y[0], root))?;
    loops.run("cost_alltoall_into", |n| cost_alltoall_into(comm, n, &x, &mut y[0]))?;
    loops.run("cost_scan_in_place", |n| cost_scan_in_place(comm, n, &mut x))?;
    loops.run("cost_ialltoall_wait", |n| cost_ialltoall_wait(comm, n, &x, &mut y[0]))?;
    let counts = Counts::even(len, comm.size())?;
    loops.run("cost_allgatherv_into", |n| cost_allgatherv_into(comm, n, &x, &mut y[0], &counts))?;
    loops.run("cost_alltoallv_into", |n| cost_alltoallv_into(comm, n, &x, &mut y[0], &counts))?;
    if let Ok(mut reduction) = comm.allreduce_init(x, vec![0.0; len], Sum) {
        loops.run("cost_persistent_allreduce", |n| cost_persistent_allreduce(n, &mut reduction))?;
    }
    Ok(())
}
