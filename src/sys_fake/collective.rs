//! Collectives of one rank, in three forms each: the input is the result.

use super::abi::*;
use super::copying::{Call, Copying, Routes};
use std::os::raw::{c_int, c_void};

type In = *const c_void;
type Out = *mut c_void;
type Type = MPI_Datatype;
type Ints = *const c_int;
type Types = *const MPI_Datatype;
type Counts = *const MPI_Count;
type Displs = *const MPI_Aint;

/// `(parameters) = |call| what they describe => whom it goes to: blocking, nonblocking, persistent;`
macro_rules! forms {
    ($($parameters:tt = |$call:ident| $describe:tt => {
        $($routes:ident: $now:ident $start:ident $init:ident;)+
    })+) => { $(
        forms!(@rows $parameters $call $describe $($routes $now $start $init;)+);
    )+ };
    (@rows $parameters:tt $call:ident $describe:tt $($routes:ident $now:ident $start:ident $init:ident;)+) => { $(
        forms!(@row $parameters $call $describe $routes $now $start $init);
    )+ };
    (@row ($($parameter:ident: $type:ty),*) $call:ident $describe:tt $routes:ident $now:ident $start:ident $init:ident) => {
        pub unsafe extern "C" fn $now($($parameter: $type,)* comm: MPI_Comm) -> c_int {
            let mut $call = Call::begin(stringify!($now), comm, Routes::$routes);
            // SAFETY: the arguments are the caller's, which are right during the call.
            let copying = unsafe $describe;
            $call.now(copying)
        }
        pub unsafe extern "C" fn $start($($parameter: $type,)* comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
            let mut $call = Call::begin(stringify!($start), comm, Routes::$routes);
            // SAFETY: as above, until the request is complete.
            let copying = unsafe $describe;
            // SAFETY: an out-argument.
            unsafe { $call.start(copying, request) }
        }
        pub unsafe extern "C" fn $init(
            $($parameter: $type,)*
            comm: MPI_Comm,
            _info: MPI_Info,
            request: *mut MPI_Request,
        ) -> c_int {
            let mut $call = Call::begin(stringify!($init), comm, Routes::$routes);
            // SAFETY: as above, until the request is freed.
            let copying = unsafe $describe;
            // SAFETY: an out-argument.
            unsafe { $call.init(copying, request) }
        }
    };
}

forms! {
    () = |call| { nothing(&mut call) } => {
        One: MPI_Barrier MPI_Ibarrier MPI_Barrier_init;
    }
    (buf: Out, n: c_int, t: Type, root: c_int) = |call| { bcast(&mut call, (buf, n, t), root) } => {
        One: MPI_Bcast MPI_Ibcast MPI_Bcast_init;
    }
    (buf: Out, n: MPI_Count, t: Type, root: c_int) = |call| { bcast(&mut call, (buf, n, t), root) } => {
        One: MPI_Bcast_c MPI_Ibcast_c MPI_Bcast_init_c;
    }
    (send: In, n: c_int, t: Type, recv: Out, m: c_int, u: Type) =
        |call| { blocks(&mut call, (send, n, t), (recv, m, u), 0) } => {
        One: MPI_Allgather MPI_Iallgather MPI_Allgather_init;
        One: MPI_Alltoall MPI_Ialltoall MPI_Alltoall_init;
        Spread: MPI_Neighbor_allgather MPI_Ineighbor_allgather MPI_Neighbor_allgather_init;
        Pairs: MPI_Neighbor_alltoall MPI_Ineighbor_alltoall MPI_Neighbor_alltoall_init;
    }
    (send: In, n: MPI_Count, t: Type, recv: Out, m: MPI_Count, u: Type) =
        |call| { blocks(&mut call, (send, n, t), (recv, m, u), 0) } => {
        One: MPI_Allgather_c MPI_Iallgather_c MPI_Allgather_init_c;
        One: MPI_Alltoall_c MPI_Ialltoall_c MPI_Alltoall_init_c;
        Spread: MPI_Neighbor_allgather_c MPI_Ineighbor_allgather_c MPI_Neighbor_allgather_init_c;
        Pairs: MPI_Neighbor_alltoall_c MPI_Ineighbor_alltoall_c MPI_Neighbor_alltoall_init_c;
    }
    (send: In, n: c_int, t: Type, recv: Out, m: c_int, u: Type, root: c_int) =
        |call| { blocks(&mut call, (send, n, t), (recv, m, u), root) } => {
        One: MPI_Gather MPI_Igather MPI_Gather_init;
        One: MPI_Scatter MPI_Iscatter MPI_Scatter_init;
    }
    (send: In, n: MPI_Count, t: Type, recv: Out, m: MPI_Count, u: Type, root: c_int) =
        |call| { blocks(&mut call, (send, n, t), (recv, m, u), root) } => {
        One: MPI_Gather_c MPI_Igather_c MPI_Gather_init_c;
        One: MPI_Scatter_c MPI_Iscatter_c MPI_Scatter_init_c;
    }
    (send: In, n: c_int, t: Type, recv: Out, ms: Ints, at: Ints, u: Type, root: c_int) =
        |call| { gatherv(&mut call, (send, n, t), (recv, ms, at, u), root) } => {
        One: MPI_Gatherv MPI_Igatherv MPI_Gatherv_init;
    }
    (send: In, n: MPI_Count, t: Type, recv: Out, ms: Counts, at: Displs, u: Type, root: c_int) =
        |call| { gatherv(&mut call, (send, n, t), (recv, ms, at, u), root) } => {
        One: MPI_Gatherv_c MPI_Igatherv_c MPI_Gatherv_init_c;
    }
    (send: In, ns: Ints, at: Ints, t: Type, recv: Out, m: c_int, u: Type, root: c_int) =
        |call| { scatterv(&mut call, (send, ns, at, t), (recv, m, u), root) } => {
        One: MPI_Scatterv MPI_Iscatterv MPI_Scatterv_init;
    }
    (send: In, ns: Counts, at: Displs, t: Type, recv: Out, m: MPI_Count, u: Type, root: c_int) =
        |call| { scatterv(&mut call, (send, ns, at, t), (recv, m, u), root) } => {
        One: MPI_Scatterv_c MPI_Iscatterv_c MPI_Scatterv_init_c;
    }
    (send: In, n: c_int, t: Type, recv: Out, ms: Ints, at: Ints, u: Type) =
        |call| { gatherv(&mut call, (send, n, t), (recv, ms, at, u), 0) } => {
        One: MPI_Allgatherv MPI_Iallgatherv MPI_Allgatherv_init;
        Spread: MPI_Neighbor_allgatherv MPI_Ineighbor_allgatherv MPI_Neighbor_allgatherv_init;
    }
    (send: In, n: MPI_Count, t: Type, recv: Out, ms: Counts, at: Displs, u: Type) =
        |call| { gatherv(&mut call, (send, n, t), (recv, ms, at, u), 0) } => {
        One: MPI_Allgatherv_c MPI_Iallgatherv_c MPI_Allgatherv_init_c;
        Spread: MPI_Neighbor_allgatherv_c MPI_Ineighbor_allgatherv_c MPI_Neighbor_allgatherv_init_c;
    }
    (send: In, ns: Ints, from: Ints, t: Type, recv: Out, ms: Ints, at: Ints, u: Type) =
        |call| { alltoallv(&mut call, (send, ns, from, t), (recv, ms, at, u)) } => {
        One: MPI_Alltoallv MPI_Ialltoallv MPI_Alltoallv_init;
        Pairs: MPI_Neighbor_alltoallv MPI_Ineighbor_alltoallv MPI_Neighbor_alltoallv_init;
    }
    (send: In, ns: Counts, from: Displs, t: Type, recv: Out, ms: Counts, at: Displs, u: Type) =
        |call| { alltoallv(&mut call, (send, ns, from, t), (recv, ms, at, u)) } => {
        One: MPI_Alltoallv_c MPI_Ialltoallv_c MPI_Alltoallv_init_c;
        Pairs: MPI_Neighbor_alltoallv_c MPI_Ineighbor_alltoallv_c MPI_Neighbor_alltoallv_init_c;
    }
    (send: In, ns: Ints, from: Ints, ts: Types, recv: Out, ms: Ints, at: Ints, us: Types) =
        |call| { alltoallw(&mut call, (send, ns, from, ts), (recv, ms, at, us)) } => {
        One: MPI_Alltoallw MPI_Ialltoallw MPI_Alltoallw_init;
    }
    (send: In, ns: Ints, from: Displs, ts: Types, recv: Out, ms: Ints, at: Displs, us: Types) =
        |call| { alltoallw(&mut call, (send, ns, from, ts), (recv, ms, at, us)) } => {
        Pairs: MPI_Neighbor_alltoallw MPI_Ineighbor_alltoallw MPI_Neighbor_alltoallw_init;
    }
    (send: In, recv: Out, n: c_int, t: Type, op: MPI_Op) = |call| { reduce(&mut call, send, recv, (n, t, op), 0) } => {
        One: MPI_Allreduce MPI_Iallreduce MPI_Allreduce_init;
        One: MPI_Scan MPI_Iscan MPI_Scan_init;
        One: MPI_Reduce_scatter_block MPI_Ireduce_scatter_block MPI_Reduce_scatter_block_init;
    }
    (send: In, recv: Out, n: MPI_Count, t: Type, op: MPI_Op) =
        |call| { reduce(&mut call, send, recv, (n, t, op), 0) } => {
        One: MPI_Allreduce_c MPI_Iallreduce_c MPI_Allreduce_init_c;
        One: MPI_Scan_c MPI_Iscan_c MPI_Scan_init_c;
        One: MPI_Reduce_scatter_block_c MPI_Ireduce_scatter_block_c MPI_Reduce_scatter_block_init_c;
    }
    (send: In, recv: Out, n: c_int, t: Type, op: MPI_Op) = |call| { exscan(&mut call, send, recv, (n, t, op)) } => {
        One: MPI_Exscan MPI_Iexscan MPI_Exscan_init;
    }
    (send: In, recv: Out, n: MPI_Count, t: Type, op: MPI_Op) = |call| { exscan(&mut call, send, recv, (n, t, op)) } => {
        One: MPI_Exscan_c MPI_Iexscan_c MPI_Exscan_init_c;
    }
    (send: In, recv: Out, n: c_int, t: Type, op: MPI_Op, root: c_int) =
        |call| { reduce(&mut call, send, recv, (n, t, op), root) } => {
        One: MPI_Reduce MPI_Ireduce MPI_Reduce_init;
    }
    (send: In, recv: Out, n: MPI_Count, t: Type, op: MPI_Op, root: c_int) =
        |call| { reduce(&mut call, send, recv, (n, t, op), root) } => {
        One: MPI_Reduce_c MPI_Ireduce_c MPI_Reduce_init_c;
    }
    (send: In, recv: Out, ns: Ints, t: Type, op: MPI_Op) =
        |call| { reduce_scatter(&mut call, send, recv, (ns, t, op)) } => {
        One: MPI_Reduce_scatter MPI_Ireduce_scatter MPI_Reduce_scatter_init;
    }
    (send: In, recv: Out, ns: Counts, t: Type, op: MPI_Op) =
        |call| { reduce_scatter(&mut call, send, recv, (ns, t, op)) } => {
        One: MPI_Reduce_scatter_c MPI_Ireduce_scatter_c MPI_Reduce_scatter_init_c;
    }
}

/// # Safety
/// Of this and all that follow: the memory, and the arrays, are right until the operation is complete.
unsafe fn nothing(_: &mut Call) -> Copying {
    Copying::NOTHING
}

/// The root's memory is read; another rank's would be written, so this one's is too.
unsafe fn bcast<C: TryInto<usize> + Copy>(
    call: &mut Call,
    (buf, n, t): (Out, C, Type),
    root: c_int,
) -> Copying {
    call.root(root);
    let both = call.equal(n, t);
    // SAFETY: this function's contract.
    unsafe { call.exchange((MPI_IN_PLACE, Vec::new()), (buf, both)) }
}

unsafe fn blocks<C: TryInto<usize> + Copy>(
    call: &mut Call,
    (send, n, t): (In, C, Type),
    (recv, m, u): (Out, C, Type),
    root: c_int,
) -> Copying {
    call.root(root);
    let sent = if send == MPI_IN_PLACE.cast_const() { Vec::new() } else { call.equal(n, t) };
    let received = if recv == MPI_IN_PLACE { Vec::new() } else { call.equal(m, u) };
    // SAFETY: this function's contract.
    unsafe { call.exchange((send, sent), (recv, received)) }
}

unsafe fn gatherv<C: TryInto<usize> + Copy, D: TryInto<isize> + Copy>(
    call: &mut Call,
    (send, n, t): (In, C, Type),
    (recv, ms, at, u): (Out, *const C, *const D, Type),
    root: c_int,
) -> Copying {
    call.root(root);
    let sent = if send == MPI_IN_PLACE.cast_const() { Vec::new() } else { call.equal(n, t) };
    // SAFETY: this function's contract.
    let received = unsafe { call.varied(ms, at, u) };
    // SAFETY: this function's contract.
    unsafe { call.exchange((send, sent), (recv, received)) }
}

unsafe fn scatterv<C: TryInto<usize> + Copy, D: TryInto<isize> + Copy>(
    call: &mut Call,
    (send, ns, at, t): (In, *const C, *const D, Type),
    (recv, m, u): (Out, C, Type),
    root: c_int,
) -> Copying {
    call.root(root);
    // SAFETY: this function's contract.
    let sent = unsafe { call.varied(ns, at, t) };
    let received = if recv == MPI_IN_PLACE { Vec::new() } else { call.equal(m, u) };
    // SAFETY: this function's contract.
    unsafe { call.exchange((send, sent), (recv, received)) }
}

unsafe fn alltoallv<C: TryInto<usize> + Copy, D: TryInto<isize> + Copy>(
    call: &mut Call,
    (send, ns, from, t): (In, *const C, *const D, Type),
    (recv, ms, at, u): (Out, *const C, *const D, Type),
) -> Copying {
    let sent = if send == MPI_IN_PLACE.cast_const() {
        Vec::new()
    } else {
        // SAFETY: this function's contract.
        unsafe { call.varied(ns, from, t) }
    };
    // SAFETY: this function's contract.
    let received = unsafe { call.varied(ms, at, u) };
    // SAFETY: this function's contract.
    unsafe { call.exchange((send, sent), (recv, received)) }
}

unsafe fn alltoallw<D: TryInto<isize> + Copy>(
    call: &mut Call,
    (send, ns, from, ts): (In, Ints, *const D, Types),
    (recv, ms, at, us): (Out, Ints, *const D, Types),
) -> Copying {
    let sent = if send == MPI_IN_PLACE.cast_const() {
        Vec::new()
    } else {
        // SAFETY: this function's contract.
        unsafe { call.typed(ns, from, ts) }
    };
    // SAFETY: this function's contract.
    let received = unsafe { call.typed(ms, at, us) };
    // SAFETY: this function's contract.
    unsafe { call.exchange((send, sent), (recv, received)) }
}

unsafe fn reduce<C: TryInto<usize> + Copy>(
    call: &mut Call,
    send: In,
    recv: Out,
    (n, t, op): (C, Type, MPI_Op),
    root: c_int,
) -> Copying {
    call.root(root);
    let blocks = call.equal(n, t);
    let combining = call.process.combining(op, blocks[0].count, t);
    // SAFETY: this function's contract.
    Copying { combining, ..unsafe { call.exchange((send, blocks.clone()), (recv, blocks)) } }
}

/// The first rank's result is nobody's business.
unsafe fn exscan<C: TryInto<usize> + Copy>(
    call: &mut Call,
    send: In,
    recv: Out,
    what: (C, Type, MPI_Op),
) -> Copying {
    // SAFETY: this function's contract.
    Copying { into: None, ..unsafe { reduce(call, send, recv, what, 0) } }
}

unsafe fn reduce_scatter<C: TryInto<usize> + Copy>(
    call: &mut Call,
    send: In,
    recv: Out,
    (ns, t, op): (*const C, Type, MPI_Op),
) -> Copying {
    // SAFETY: this function's contract.
    let blocks = unsafe { call.counted(ns, t) };
    let combining = call.process.combining(op, blocks[0].count, t);
    // SAFETY: this function's contract.
    Copying { combining, ..unsafe { call.exchange((send, blocks.clone()), (recv, blocks)) } }
}
