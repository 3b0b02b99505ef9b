//! A case of the grid, and the lists of them.

use crate::collective::Form;
use crate::pairs::all_pairs;
use crate::shape::{SHAPES, Shape};
use crate::table::{ENTRIES, Entry, Numbers, ROWS};
use mpi::{Communicator, Result};
use std::fmt;

#[derive(Clone, Copy, Debug)]
enum Root {
    First,
    Middle,
    Last,
}
const ROOTS: [Root; 3] = [Root::Last, Root::First, Root::Middle];

#[derive(Clone, Copy, Debug)]
enum Comm {
    World,
    Split,
    This,
    Ring,
}
const COMMS: [Comm; 4] = [Comm::World, Comm::Split, Comm::This, Comm::Ring];

/// Nothing, one, a few, many, and past what any library sends at once.
const LENGTHS: [usize; 5] = [7, 1000, 0, 1, 66_001];

/// One call.
#[derive(Clone, Copy)]
pub struct Case {
    pub ranks: usize,
    entry: &'static Entry,
    form: Form,
    row: usize,
    len: usize,
    root: Root,
    shape: Shape,
    comm: Comm,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:?}, {} × {}", self.entry.name, self.form, ROWS[self.row].name, self.len)?;
        write!(f, ", {:?} root, {:?}", self.root, self.comm)?;
        if self.entry.uses.shape {
            write!(f, ", {:?}", self.shape)?;
        }
        write!(f, ", {} ranks", self.ranks)
    }
}

/// The communicators of a launch.
pub struct Comms {
    all: [Communicator; 4],
}
impl Comms {
    pub fn new(world: &Communicator) -> Result<Self> {
        // The order is reversed, so that a rank in the half is not the rank in the world.
        let half = world.split(Some(world.rank() % 2), -(world.rank() as i32))?;
        let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
        let ring = ring.dup()?;
        let half = half.expect("every rank gave a color");
        Ok(Comms { all: [world.dup()?, half, Communicator::this_process()?, ring] })
    }
}

impl Case {
    pub fn run(&self, comms: &Comms) -> Result<()> {
        let comm = &comms.all[self.comm as usize];
        let root = match self.root {
            Root::First => 0,
            Root::Middle => comm.size() / 2,
            Root::Last => comm.size() - 1,
        };
        let numbers = Numbers { root, len: self.len, shape: self.shape };
        match (self.entry.run[self.row])(comm, numbers, self.form) {
            Ok(()) => Ok(()),
            Err(why) => panic!("{self}: {why}"),
        }
    }
}

/// The values that factors have for an entry in some forms.
struct Space {
    entry: &'static Entry,
    forms: Vec<Form>,
    rows: Vec<usize>,
    lengths: &'static [usize],
    roots: &'static [Root],
    /// One factor, so that every form meets every shape of every size.
    grids: Vec<(usize, Shape)>,
}

impl Space {
    /// All forms with the element types that can be lent, and the one form for the others.
    fn both(entry: &'static Entry, ranks: &[usize]) -> [Self; 2] {
        let returning = entry.forms.iter().copied().filter(|&form| form == Form::Returning).collect();
        [Self::new(entry, entry.forms.to_vec(), true, ranks), Self::new(entry, returning, false, ranks)]
    }

    fn new(entry: &'static Entry, forms: Vec<Form>, any_bits: bool, ranks: &[usize]) -> Self {
        let some = |row: &usize| {
            let row = &ROWS[*row];
            (entry.uses.op || row.first) && row.any_bits == any_bits
        };
        let shapes = if entry.uses.shape { &SHAPES[..] } else { &SHAPES[..1] };
        let rows: Vec<usize> = (0..ROWS.len()).filter(some).collect();
        Space {
            entry,
            forms,
            rows: if entry.uses.elements { rows } else { rows[..1].to_vec() },
            lengths: if entry.uses.elements { &LENGTHS } else { &LENGTHS[..1] },
            roots: if entry.uses.root { &ROOTS } else { &ROOTS[..1] },
            grids: ranks.iter().flat_map(|&ranks| shapes.iter().map(move |&shape| (ranks, shape))).collect(),
        }
    }

    fn factors(&self) -> [usize; 6] {
        let Space { forms, rows, lengths, roots, grids, .. } = self;
        [forms.len(), rows.len(), lengths.len(), roots.len(), COMMS.len(), grids.len()]
    }

    fn case(&self, at: &[usize]) -> Case {
        let (ranks, shape) = self.grids[at[5]];
        Case {
            entry: self.entry,
            form: self.forms[at[0]],
            row: self.rows[at[1]],
            len: self.lengths[at[2]],
            root: self.roots[at[3]],
            comm: COMMS[at[4]],
            shape,
            ranks,
        }
    }
}

fn spaces(ranks: &[usize]) -> impl Iterator<Item = Space> {
    ENTRIES.iter().flat_map(|entry| Space::both(entry, ranks)).filter(|space| !space.forms.is_empty())
}

/// For each collective, all pairs of form, element type and operation, length, root, communicator and ranks.
pub fn pairwise() -> Vec<Case> {
    let cases = |(i, space): (usize, Space)| -> Vec<Case> {
        all_pairs(&space.factors(), i).iter().map(|at| space.case(at)).collect()
    };
    spaces(&[2, 3, 1, 4]).enumerate().flat_map(cases).collect()
}

/// Some of them, on so many ranks that each call is slow.
pub fn few(ranks: usize) -> Vec<Case> {
    let cases = |(i, space): (usize, Space)| -> Vec<Case> {
        all_pairs(&space.factors(), i + ranks).iter().step_by(12).map(|at| space.case(at)).collect()
    };
    spaces(&[ranks]).enumerate().flat_map(cases).collect()
}

/// Everything.
pub fn product(ranks: usize) -> Vec<Case> {
    let cases =
        |space: Space| -> Vec<Case> { all_of(&space.factors()).iter().map(|at| space.case(at)).collect() };
    spaces(&[ranks]).flat_map(cases).collect()
}

/// Every combination.
fn all_of(factors: &[usize]) -> Vec<Vec<usize>> {
    factors.iter().fold(vec![vec![]], |found, &n| {
        let with = |at: Vec<usize>| (0..n).map(move |x| [&at[..], &[x]].concat());
        found.into_iter().flat_map(with).collect()
    })
}
