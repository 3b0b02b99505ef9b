//! Grids of one rank: every dimension has one position.

use super::abi::*;
use super::process::enter;
use std::os::raw::c_int;
use std::slice;

/// Which dimensions wrap around.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    periodic: Vec<bool>,
}

impl Grid {
    /// Two for each dimension.
    pub(super) fn neighbours(&self) -> usize {
        2 * self.periodic.len()
    }

    /// From which block, or the only one, to which: where a dimension wraps around, what goes down comes from above.
    pub(super) fn routes(&self, only_one: bool) -> Vec<(usize, usize)> {
        let wrapped = self.periodic.iter().enumerate().filter(|(_, periodic)| **periodic);
        let both = wrapped.flat_map(|(i, _)| [(2 * i, 2 * i + 1), (2 * i + 1, 2 * i)]);
        both.map(|(from, into)| (if only_one { 0 } else { from }, into)).collect()
    }
}

/// # Safety
/// `values` has `count` entries, and may be null if that is 0.
unsafe fn ints<'a>(values: *const c_int, count: usize) -> &'a [c_int] {
    if count == 0 {
        return &[];
    }
    // SAFETY: by this function's contract.
    unsafe { slice::from_raw_parts(values, count) }
}

#[track_caller]
fn grid(call: &str, comm: MPI_Comm) -> Grid {
    enter(call).comm(comm).grid.clone().unwrap_or_else(|| panic!("fake MPI: {call} without a grid"))
}

pub unsafe extern "C" fn MPI_Cart_create(
    comm: MPI_Comm,
    n: c_int,
    dims: *const c_int,
    periods: *const c_int,
    _reorder: c_int,
    new: *mut MPI_Comm,
) -> c_int {
    // SAFETY: `n` entries.
    let dims = unsafe { ints(dims, n as usize) };
    // SAFETY: `n` entries.
    let periods = unsafe { ints(periods, n as usize) };
    assert!(dims.iter().all(|&d| d == 1), "fake MPI: MPI_Cart_create of {dims:?} for one rank");
    let grid = Grid { periodic: periods.iter().map(|&p| p != 0).collect() };
    let made = enter("MPI_Cart_create").new_comm(comm, Some(grid));
    // SAFETY: an out-argument.
    unsafe { new.write(made) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Cart_coords(comm: MPI_Comm, rank: c_int, n: c_int, coords: *mut c_int) -> c_int {
    let grid = grid("MPI_Cart_coords", comm);
    assert!(rank == 0 && n as usize == grid.periodic.len(), "fake MPI: MPI_Cart_coords of rank {rank}");
    for i in 0..n as usize {
        // SAFETY: an out-argument of `n` entries.
        unsafe { coords.wrapping_add(i).write(0) };
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Cart_rank(comm: MPI_Comm, coords: *const c_int, rank: *mut c_int) -> c_int {
    let grid = grid("MPI_Cart_rank", comm);
    // SAFETY: an entry per dimension.
    let coords = unsafe { ints(coords, grid.periodic.len()) };
    assert!(coords.iter().all(|&c| c == 0), "fake MPI: MPI_Cart_rank of {coords:?} in a grid of one rank");
    // SAFETY: an out-argument.
    unsafe { rank.write(0) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Cart_shift(
    comm: MPI_Comm,
    direction: c_int,
    displacement: c_int,
    source: *mut c_int,
    dest: *mut c_int,
) -> c_int {
    let stays = grid("MPI_Cart_shift", comm).periodic[direction as usize] || displacement == 0;
    let neighbour = if stays { 0 } else { MPI_PROC_NULL };
    // SAFETY: an out-argument.
    unsafe { source.write(neighbour) };
    // SAFETY: an out-argument.
    unsafe { dest.write(neighbour) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Cart_sub(comm: MPI_Comm, keep: *const c_int, new: *mut MPI_Comm) -> c_int {
    let old = grid("MPI_Cart_sub", comm);
    // SAFETY: an entry per dimension.
    let keep = unsafe { ints(keep, old.periodic.len()) };
    let kept = old.periodic.iter().zip(keep).filter(|&(_, &k)| k != 0).map(|(&p, _)| p);
    let made = enter("MPI_Cart_sub").new_comm(comm, Some(Grid { periodic: kept.collect() }));
    // SAFETY: an out-argument.
    unsafe { new.write(made) };
    MPI_SUCCESS
}

/// Gives the prime factors of what is left, the largest first, to the smallest of the dimensions that are free.
pub unsafe extern "C" fn MPI_Dims_create(nodes: c_int, n: c_int, dims: *mut c_int) -> c_int {
    drop(enter("MPI_Dims_create"));
    // SAFETY: an in-out-argument of `n` entries.
    let dims = unsafe { slice::from_raw_parts_mut(dims, n as usize) };
    let free: Vec<usize> = (0..dims.len()).filter(|&i| dims[i] == 0).collect();
    let fixed: c_int = dims.iter().filter(|&&d| d != 0).product();
    assert!(fixed > 0 && nodes % fixed == 0, "fake MPI: MPI_Dims_create of {nodes} ranks in {dims:?}");
    let mut chosen = vec![1; free.len()];
    for prime in primes(nodes / fixed).into_iter().rev() {
        *chosen.iter_mut().min().expect("fake MPI: MPI_Dims_create without a free dimension") *= prime;
    }
    chosen.sort_unstable_by(|a, b| b.cmp(a));
    free.into_iter().zip(chosen).for_each(|(i, d)| dims[i] = d);
    MPI_SUCCESS
}

fn primes(mut n: c_int) -> Vec<c_int> {
    let mut found = Vec::new();
    let mut factor = 2;
    while n > 1 {
        while n % factor == 0 {
            found.push(factor);
            n /= factor;
        }
        factor += 1;
    }
    found
}
