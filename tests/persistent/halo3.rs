//! The faces of a three-dimensional array in a plan: every cell, in every step, against what it stands for.

use mpi::persistent::Plan;
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result};
use std::array::from_fn;
use std::ops::Range;

const EDGE: u64 = u64::MAX;
const STEPS: u64 = 3;

/// A part of a periodic space that every rank has one of, with a border.
struct Part {
    core: [usize; 3],
    ghost: usize,
    first: [usize; 3],
    space: [usize; 3],
}

impl Part {
    fn new(comm: &Cartesian, core: [usize; 3], ghost: usize) -> Self {
        let first = from_fn(|axis| comm.my_coords()[axis] * core[axis]);
        Part { core, ghost, first, space: from_fn(|axis| comm.dims()[axis] * core[axis]) }
    }

    fn dims(&self) -> [usize; 3] {
        self.core.map(|n| n + 2 * self.ghost)
    }

    /// What a step leaves in each cell: those of the interior and beyond one face are somebody's, the others nobody's.
    fn expected(&self, step: u64) -> Vec<u64> {
        let dims = self.dims();
        let value = |at: [usize; 3]| {
            let inside = |axis: usize| (self.ghost..self.ghost + self.core[axis]).contains(&at[axis]);
            if (0..3).filter(|&axis| !inside(axis)).count() > 1 {
                return EDGE;
            }
            let [p, r, c]: [usize; 3] = from_fn(|axis| {
                (self.first[axis] + self.space[axis] + at[axis] - self.ghost) % self.space[axis]
            });
            step * 1_000_000_000 + (p * 1_000_000 + r * 1000 + c) as u64
        };
        let place = |i: usize| [i / dims[2] / dims[1], i / dims[2] % dims[1], i % dims[2]];
        (0..dims.iter().product()).map(|i| value(place(i))).collect()
    }

    /// The interior, but for along one axis.
    fn face(&self, axis: usize, range: Range<usize>) -> [Range<usize>; 3] {
        from_fn(|of| if of == axis { range.clone() } else { self.ghost..self.ghost + self.core[of] })
    }
}

fn check(comm: &Cartesian, core: [usize; 3], ghost: usize) -> Result<()> {
    let part = Part::new(comm, core, ghost);
    let mut plan = Plan::new(comm);
    let id = plan.grid3(vec![EDGE; part.dims().iter().product()], part.dims())?;
    for (axis, n) in core.into_iter().enumerate() {
        let (down, up) = comm.shift(axis, 1)?;
        let (low, high) = (2 * axis as i32, 2 * axis as i32 + 1);
        plan.recv(id, part.face(axis, 0..ghost), down, low)?;
        plan.recv(id, part.face(axis, n + ghost..n + 2 * ghost), up, high)?;
        plan.send(id, part.face(axis, n..n + ghost), up, low)?;
        plan.send(id, part.face(axis, ghost..2 * ghost), down, high)?;
    }
    assert_eq!(plan.operations(), 12);
    for step in 0..STEPS {
        let expected = part.expected(step);
        let field = plan.get_mut(id)?;
        field.copy_from_slice(&expected);
        let [planes, rows, cols] = part.dims();
        for (i, cell) in field.iter_mut().enumerate() {
            let at = [i / cols / rows, i / cols % rows, i % cols];
            let is_ghost = (0..3).any(|axis| !(ghost..ghost + core[axis]).contains(&at[axis]));
            *cell = if is_ghost { EDGE } else { *cell };
        }
        let flight = plan.start()?;
        let inner = flight.view3(id, [0, 1, 2].map(|axis| ghost..ghost + core[axis]))?;
        assert_eq!((inner.dims(), inner[(0, 0, 0)]), (core, expected[(ghost * rows + ghost) * cols + ghost]));
        flight.wait()?;
        let field = plan.get(id)?;
        let wrong = (0..planes * rows * cols).find(|&i| field[i] != expected[i]);
        assert_eq!(wrong, None, "step {step} of {core:?}, border {ghost}");
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4, 8])]
fn a_plan_exchanges_the_faces_in_every_step(world: Communicator) -> Result<()> {
    let dims = dims_create(world.size(), [0, 0, 0])?;
    let comm = world.cartesian(&dims, &[true; 3], true)?.expect("every rank has a place");
    check(&comm, [3, 4, 5], 1)?;
    check(&comm, [2, 2, 2], 2)?;
    check(&comm, [1, 7, 1], 1)?;
    check(&comm, [60, 40, 3], 3) // past the eager limit
}
