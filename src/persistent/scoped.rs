//! Plans over arrays that are borrowed for the life of a scope.
#![allow(unsafe_code)]

use super::array::{Array, ArrayId};
use super::block::Shape;
use super::lend::{LendArray, Lent};
use super::plan::Plan;
use super::slots::Slots;
use crate::error::Result;
use crate::scope::Scope;

/// A plan that borrows its arrays for the life of a scope. See [`Scope::plan`].
pub type ScopedPlan<'s> = Plan<'s, Lent<'s>>;

impl<'s> Scope<'s, '_> {
    /// A plan that borrows its arrays, without arrays and operations yet. Makes no MPI call.
    ///
    /// The scope keeps its requests: what becomes of the plan, and of what it has started, does not matter to the arrays'
    /// owners, who have them back when the scope ends.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (next, previous) = ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    /// let (table, mut field) = ([0.5f64; 100], vec![0.0f64; 200]);
    /// world.scope(|s| {
    ///     let mut plan = s.plan();
    ///     let (table, field) = (plan.array(&table), plan.array(&mut field));
    ///     plan.send(table, 0..50, next, 0)?.recv(field, 0..50, previous, 0)?;
    ///     plan.send(field, 150..200, next, 1)?.recv(field, 50..100, previous, 1)?;
    ///     for step in 0..10 {
    ///         plan.get_mut(field)?[150..].fill(f64::from(step));
    ///         plan.start()?.wait()?;
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn plan(self) -> ScopedPlan<'s> {
        Plan::with(self.comm, Slots::lodged(self.arena, 8))
    }
}

impl<'s> ScopedPlan<'s> {
    /// Borrows an array of one row: its blocks are ranges of its elements.
    ///
    /// `&mut` of a slice, a `Vec` or an array; or `&` of one, which the plan can send and read.
    pub fn array<B: LendArray<'s>>(&mut self, array: B) -> ArrayId<B::Elem, B::Access> {
        let elements = array.lend();
        self.keep(Array::lent(elements, Shape::row(elements.len())))
    }

    /// Borrows a row-major array of `rows` x `cols` elements.
    ///
    /// # Errors
    /// The number of elements is another.
    pub fn grid<B: LendArray<'s>>(
        &mut self,
        array: B,
        rows: usize,
        cols: usize,
    ) -> Result<ArrayId<B::Elem, B::Access>> {
        let elements = array.lend();
        let shape = Shape::new(&"Plan::grid", elements.len(), [1, rows, cols])?;
        Ok(self.keep(Array::lent(elements, shape)))
    }

    /// Borrows a row-major array of planes, rows and columns.
    ///
    /// # Errors
    /// The number of elements is another.
    pub fn grid3<B: LendArray<'s>>(
        &mut self,
        array: B,
        dims: [usize; 3],
    ) -> Result<ArrayId<B::Elem, B::Access>> {
        let elements = array.lend();
        let shape = Shape::new(&"Plan::grid3", elements.len(), dims)?;
        Ok(self.keep(Array::lent(elements, shape)))
    }

    /// Gives an exclusive borrow back, before the scope ends, and removes its operations from the plan.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3) for each of them.
    ///
    /// # Errors
    /// The id is not of this plan; or what MPI reports: the array then stays in the plan.
    #[doc(alias = "MPI_Request_free")]
    pub fn take<T>(&mut self, id: ArrayId<T>) -> Result<&'s mut [T]> {
        let array = self.remove(id)?;
        // SAFETY: `ArrayId<T>` of a plan of a scope is made with a `&'s mut [T]`, which leaves the plan here and once; the
        // plan is idle, and no request refers to it.
        Ok(unsafe { array.slice_mut() })
    }
}
