//! Cartesian grids of ranks (MPI 4.1 §8.5).
#![allow(unsafe_code)]

use super::Neighbors;
use crate::comm::Communicator;
use crate::environment::{enter, live};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, check};
use std::ops::Deref;
use std::os::raw::c_int;

/// Chooses the sizes of a grid of `nodes` ranks, as equal as they can be: entries that are 0 are chosen, the others
/// are kept.
///
/// `MPI_Dims_create` (MPI 4.1 §8.5.2).
///
/// # Errors
/// The entries that are kept do not divide `nodes`; MPI is not live, or this thread may not use it.
///
/// ```no_run
/// # let world = mpi::init()?;
/// let dims = mpi::topology::dims_create(world.size(), [0, 0])?; // 12 ranks: [4, 3]
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Dims_create")]
pub fn dims_create<const N: usize>(nodes: usize, dims: [usize; N]) -> Result<[usize; N]> {
    let call: Call = &"MPI_Dims_create";
    let _entered = enter(call)?;
    let fixed = dims.iter().filter(|&&d| d != 0).try_fold(1usize, |all, &d| all.checked_mul(d));
    let refuse = || Error::length(call, Argument::Nodes, nodes, fixed.unwrap_or(usize::MAX));
    let fixed = fixed.filter(|&fixed| nodes.is_multiple_of(fixed)).ok_or_else(refuse)?;
    if nodes == 0 || (fixed != nodes && !dims.contains(&0)) {
        return Err(refuse());
    }
    let mut chosen = int_dims(call, &dims, nodes)?;
    let n = int(call, nodes)?;
    // SAFETY: MPI is live on this thread; N entries, none negative; what is fixed divides `nodes`.
    check(call, unsafe { ffi::MPI_Dims_create(n, N as c_int, chosen.as_mut_ptr()) })?;
    Ok(std::array::from_fn(|i| chosen[i] as usize))
}

fn int(call: Call, n: usize) -> Result<c_int> {
    c_int::try_from(n).map_err(|_| Error::length(call, Argument::Count, n, c_int::MAX as usize))
}

fn int_dims(call: Call, dims: &[usize], bound: usize) -> Result<Vec<c_int>> {
    let convert =
        |&d: &usize| c_int::try_from(d).map_err(|_| Error::length(call, Argument::Dimensions, d, bound));
    dims.iter().map(convert).collect()
}

/// A communicator whose ranks form a grid: row-major, with `dims` positions per dimension.
///
/// Derefs to the [`Communicator`], so everything a communicator can do it can.
///
/// ```no_run
/// # let world = mpi::init()?;
/// let dims = mpi::topology::dims_create(world.size(), [0, 0])?;
/// let grid = world.cartesian(&dims, &[false, true], true)?.expect("every rank has a place");
/// let (up, down) = grid.shift(0, 1)?; // None at the edge
/// grid.send(&1.0, down, 0)?; // to nowhere, at the edge
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Cartesian {
    comm: Communicator,
    dims: Box<[usize]>,
    periods: Box<[bool]>,
    coords: Box<[usize]>,
}

impl Deref for Cartesian {
    type Target = Communicator;
    fn deref(&self) -> &Communicator {
        &self.comm
    }
}

impl Communicator {
    /// Lays the ranks out in a grid; `reorder` lets MPI choose which rank sits where. Collective. Ranks beyond the
    /// grid get `None`.
    ///
    /// `MPI_Cart_create` (MPI 4.1 §8.5.1). `dims` and `periods` have one entry per dimension; a periodic dimension
    /// wraps around.
    ///
    /// # Errors
    /// The grid has no position or more than there are ranks; `periods` has another length than `dims`; or what MPI
    /// reports.
    #[doc(alias = "MPI_Cart_create")]
    pub fn cartesian(&self, dims: &[usize], periods: &[bool], reorder: bool) -> Result<Option<Cartesian>> {
        let call: Call = &"MPI_Cart_create";
        live(call)?;
        if periods.len() != dims.len() {
            return Err(Error::length(call, Argument::Direction, periods.len(), dims.len()));
        }
        let positions = dims.iter().try_fold(1usize, |all, &d| all.checked_mul(d));
        if !positions.is_some_and(|n| n > 0 && n <= self.size()) {
            return Err(Error::length(
                call,
                Argument::Dimensions,
                positions.unwrap_or(usize::MAX),
                self.size(),
            ));
        }
        let int_dims = int_dims(call, dims, self.size())?;
        let int_periods: Vec<c_int> = periods.iter().map(|&p| p.into()).collect();
        let mut raw = ffi::MPI_COMM_NULL;
        // SAFETY: two arrays of one entry per dimension; the grid fits; the out-argument is ours.
        let code = unsafe {
            ffi::MPI_Cart_create(
                self.raw(),
                dims.len() as c_int,
                int_dims.as_ptr(),
                int_periods.as_ptr(),
                reorder.into(),
                &raw mut raw,
            )
        };
        check(call, code)?;
        if raw == ffi::MPI_COMM_NULL {
            return Ok(None);
        }
        Cartesian::new(self.child(raw)?, dims.into(), periods.into()).map(Some)
    }
}

impl Cartesian {
    fn new(comm: Communicator, dims: Box<[usize]>, periods: Box<[bool]>) -> Result<Self> {
        let comm = comm.with_neighbors(Some(Neighbors::of_grid(&dims, &periods)));
        let mut grid = Cartesian { comm, dims, periods, coords: Box::default() };
        grid.coords = grid.coords(grid.comm.rank())?.into();
        Ok(grid)
    }

    /// The number of positions in each dimension (`MPI_Cart_get`, MPI 4.1 §8.5.5).
    #[doc(alias("MPI_Cart_get", "MPI_Cartdim_get"))]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Which dimensions wrap around (`MPI_Cart_get`).
    #[doc(alias = "MPI_Cart_get")]
    pub fn periods(&self) -> &[bool] {
        &self.periods
    }

    /// This rank's place (`MPI_Cart_get`).
    #[doc(alias = "MPI_Cart_get")]
    pub fn my_coords(&self) -> &[usize] {
        &self.coords
    }

    /// The place of a rank (`MPI_Cart_coords`, MPI 4.1 §8.5.5).
    ///
    /// # Errors
    /// There is no such rank; or what MPI reports.
    #[doc(alias = "MPI_Cart_coords")]
    pub fn coords(&self, rank: usize) -> Result<Vec<usize>> {
        let call: Call = &"MPI_Cart_coords";
        live(call)?;
        if rank >= self.size() {
            return Err(Error::length(call, Argument::Rank, rank, self.size()));
        }
        let mut coords = vec![0; self.dims.len()];
        // SAFETY: a rank of a cartesian communicator; room for one coordinate per dimension.
        let code = unsafe {
            ffi::MPI_Cart_coords(self.raw(), rank as c_int, self.dims.len() as c_int, coords.as_mut_ptr())
        };
        check(call, code)?;
        Ok(coords.into_iter().map(|c: c_int| c as usize).collect())
    }

    /// The rank at a place (`MPI_Cart_rank`, MPI 4.1 §8.5.5). A coordinate of a periodic dimension wraps around.
    ///
    /// # Errors
    /// There is not one coordinate per dimension; one is outside a dimension that is not periodic; or what MPI
    /// reports.
    #[doc(alias = "MPI_Cart_rank")]
    pub fn rank_at(&self, coords: &[isize]) -> Result<usize> {
        let call: Call = &"MPI_Cart_rank";
        live(call)?;
        if coords.len() != self.dims.len() {
            return Err(Error::length(call, Argument::Direction, coords.len(), self.dims.len()));
        }
        let place = |((&c, &n), &periodic): ((&isize, &usize), &bool)| {
            let wrapped = c.rem_euclid(n as isize);
            if periodic || wrapped == c {
                Ok(wrapped as c_int)
            } else {
                Err(Error::argument(call, Argument::Coordinate, c as i64, n as u64))
            }
        };
        let coords: Vec<c_int> =
            coords.iter().zip(&self.dims).zip(&self.periods).map(place).collect::<Result<_>>()?;
        let mut rank = 0;
        // SAFETY: one coordinate per dimension, each inside it.
        check(call, unsafe { ffi::MPI_Cart_rank(self.raw(), coords.as_ptr(), &raw mut rank) })?;
        Ok(rank as usize)
    }

    /// Whom to receive from and whom to send to, for a shift by `displacement` along a dimension: `(source,
    /// destination)`, where `None` is beyond the edge and goes straight into `recv` and `send`.
    ///
    /// `MPI_Cart_shift` (MPI 4.1 §8.5.6).
    ///
    /// # Errors
    /// There is no such dimension; the displacement exceeds `i32`; or what MPI reports.
    #[doc(alias = "MPI_Cart_shift")]
    pub fn shift(&self, dimension: usize, displacement: isize) -> Result<(Option<usize>, Option<usize>)> {
        let call: Call = &"MPI_Cart_shift";
        live(call)?;
        if dimension >= self.dims.len() {
            return Err(Error::length(call, Argument::Direction, dimension, self.dims.len()));
        }
        let n = self.dims[dimension] as isize;
        // What lies beyond the edge lies beyond it however far: a small displacement says the same, and no library's
        // arithmetic wraps.
        let displacement = if self.periods[dimension] { displacement % n } else { displacement.clamp(-n, n) };
        let (mut source, mut dest) = (0, 0);
        // SAFETY: a dimension of a cartesian communicator; the out-arguments are ours.
        let code = unsafe {
            ffi::MPI_Cart_shift(
                self.raw(),
                dimension as c_int,
                displacement as c_int,
                &raw mut source,
                &raw mut dest,
            )
        };
        check(call, code)?;
        // `MPI_PROC_NULL` is negative with every library.
        Ok((usize::try_from(source).ok(), usize::try_from(dest).ok()))
    }

    /// The sub-grid of the ranks that share this rank's place in the dimensions that are not kept. Collective.
    ///
    /// `MPI_Cart_sub` (MPI 4.1 §8.5.7).
    ///
    /// # Errors
    /// `keep` has not one entry per dimension; or what MPI reports.
    #[doc(alias = "MPI_Cart_sub")]
    pub fn sub(&self, keep: &[bool]) -> Result<Cartesian> {
        let call: Call = &"MPI_Cart_sub";
        live(call)?;
        if keep.len() != self.dims.len() {
            return Err(Error::length(call, Argument::Direction, keep.len(), self.dims.len()));
        }
        if !keep.contains(&true) {
            return self.point();
        }
        let flags: Vec<c_int> = keep.iter().map(|&k| k.into()).collect();
        let mut raw = ffi::MPI_COMM_NULL;
        // SAFETY: one flag per dimension; the out-argument is ours.
        check(call, unsafe { ffi::MPI_Cart_sub(self.raw(), flags.as_ptr(), &raw mut raw) })?;
        let kept = |i: &usize| keep[*i];
        let dims = (0..keep.len()).filter(kept).map(|i| self.dims[i]).collect();
        let periods = (0..keep.len()).filter(kept).map(|i| self.periods[i]).collect();
        Cartesian::new(self.child(raw)?, dims, periods)
    }

    /// A grid without dimensions, of this rank alone. MPICH's `MPI_Cart_sub` gives a null communicator off rank 0 for
    /// it, so it is made in two steps with every library.
    fn point(&self) -> Result<Cartesian> {
        let alone = self.comm.split(Some(self.rank()), 0)?;
        let alone =
            alone.ok_or_else(|| Error::length(&"MPI_Cart_sub", Argument::Color, self.rank(), self.size()))?;
        let grid = alone.cartesian(&[], &[], false)?;
        grid.ok_or_else(|| Error::length(&"MPI_Cart_sub", Argument::Dimensions, 1, 1))
    }
}
