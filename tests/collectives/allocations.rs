//! Forms that write into the caller's memory ask for none themselves, on any rank, once they have been called before.

use crate::counting::counted;
use crate::declared::declared;
use crate::sample::Sample;
use mpi::buffer::{Counts, Parts, PartsMut, Strided, WithCounts};
use mpi::op::{Operation, Sum, from_fn};
use mpi::{AnyBits, Communicator, Datatype, Result};
use mpi_config::{Family, faults};
use std::collections::BTreeSet;

/// What matters to the exceptions.
#[derive(Clone, Copy, Debug)]
struct Case {
    elements: Elements,
    len: usize,
    root: usize,
    rank: usize,
    ranks: usize,
    is_ring: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Elements {
    Numbers,
    Arrays,
    /// Several primitives, and padding.
    Structs,
    /// Every other number is sent; what is received has no gaps.
    Column,
}

/// Where a library's fault is mended in memory of the call's own.
struct Mended {
    fault: &'static str,
    calls: &'static [&'static str],
    due: fn(&Case) -> bool,
}
const MENDED: &[Mended] = &[
    Mended {
        fault: "reduce-in-place",
        calls: &["reduce_in_place"],
        due: |case| case.len > 0 && case.root > 0 && case.rank == case.root,
    },
    Mended {
        fault: "allgatherv-mixed-types",
        calls: &["allgatherv_into"],
        due: |case| case.elements == Elements::Column && case.len > 1 && case.ranks > 2,
    },
    Mended { fault: "neighbor-alltoall-short-ring", calls: EXCHANGES, due: is_short_ring },
    Mended { fault: "neighbor-alltoall-short-ring-intel", calls: EXCHANGES, due: is_short_ring },
];
const EXCHANGES: &[&str] = &["neighbor_alltoall_into", "neighbor_alltoallv_into", "neighbor_alltoallw_into"];

fn is_short_ring(case: &Case) -> bool {
    case.is_ring && case.ranks <= 2
}

/// Whether the call has to allocate.
fn allocates(name: &str, case: &Case) -> Result<bool> {
    let library = mpi::environment::loaded_library()?;
    // Fault `topology-types`: types for as many as are neighbours, with every version.
    if library.family == Family::OpenMpi && name.starts_with("alltoallw") && case.is_ring && case.ranks < 2 {
        return Ok(true);
    }
    let has = |id| faults::named(id).expect("a row").applies_to(library.family, library.version);
    Ok(MENDED.iter().any(|m| m.calls.contains(&name) && (m.due)(case) && has(m.fault)))
}

/// The names of what has been called.
#[derive(Default)]
struct Calls(BTreeSet<&'static str>);

impl Calls {
    fn check(&mut self, name: &'static str, case: &Case, mut call: impl FnMut() -> Result<()>) -> Result<()> {
        self.0.insert(name);
        call()?;
        let (result, blocks) = counted(call);
        result?;
        let is_due = allocates(name, case)?;
        assert_eq!(blocks > 0, is_due, "{name} allocated {blocks} blocks: {case:?}");
        Ok(())
    }
}

/// Makes the call twice, under the name that it has.
macro_rules! check {
    ($calls:ident, $case:ident, $comm:ident.$name:ident($($argument:expr),*)) => {
        $calls.check(stringify!($name), $case, || $comm.$name($($argument),*).map(drop))?
    };
}

/// What moves blocks. The root is in the case.
fn moves<T: Sample + AnyBits>(calls: &mut Calls, comm: &Communicator, case: &Case) -> Result<()> {
    let &Case { len, root, rank, ranks, .. } = case;
    let many = || vec![T::sample(rank); len * ranks];
    let (x, all) = (vec![T::sample(rank); len], many());
    let (mut y, mut both, mut own) = (many(), many(), x.clone());
    let is_root = rank == root;
    let counts = Counts::new(&vec![len; ranks])?;

    check!(calls, case, comm.barrier());
    check!(calls, case, comm.bcast(&mut own, root));
    check!(calls, case, comm.gather_into(&x, is_root.then_some(&mut y), root));
    check!(calls, case, comm.gather_in_place(if is_root { &mut both } else { &mut own }, root));
    check!(calls, case, comm.scatter_into(is_root.then_some(&all), &mut own, root));
    check!(calls, case, comm.scatter_in_place(if is_root { &mut both } else { &mut own }, root));
    check!(calls, case, comm.allgather_into(&x, &mut y));
    check!(calls, case, comm.allgather_in_place(&mut both));
    check!(calls, case, comm.alltoall_into(&all, &mut y));
    check!(calls, case, comm.alltoall_in_place(&mut both));

    let known = is_root.then_some(&counts);
    check!(calls, case, comm.gatherv_into(&x, known.map(|counts| y.with_counts_mut(counts)), root));
    check!(calls, case, comm.gatherv_in_place(if is_root { &mut both } else { &mut own }, known, root));
    check!(calls, case, comm.scatterv_into(known.map(|counts| all.with_counts(counts)), &mut own, root));
    check!(calls, case, comm.scatterv_in_place(if is_root { &mut both } else { &mut own }, known, root));
    check!(calls, case, comm.allgatherv_into(&x, y.with_counts_mut(&counts)));
    check!(calls, case, comm.allgatherv_in_place(both.with_counts_mut(&counts)));
    check!(calls, case, comm.alltoallv_into(all.with_counts(&counts), y.with_counts_mut(&counts)));
    check!(calls, case, comm.alltoallv_in_place(both.with_counts_mut(&counts)));
    let send = Parts::of(counts.split(&all))?;
    let (mut recv, mut in_place) = (parts(&mut y, len, ranks)?, parts(&mut both, len, ranks)?);
    check!(calls, case, comm.alltoallw_into(&send, &mut recv));
    check!(calls, case, comm.alltoallw_in_place(&mut in_place));
    Ok(())
}

/// So many buffers of equal length, also of none.
fn parts<T: AnyBits>(mut all: &mut [T], len: usize, n: usize) -> Result<PartsMut<'_>> {
    PartsMut::of((0..n).map(|_| all.split_off_mut(..len).expect("long enough")))
}

/// What combines elements.
fn reductions<T: Sample + AnyBits, O: Operation<T>>(
    calls: &mut Calls,
    comm: &Communicator,
    case: &Case,
    op: O,
) -> Result<()> {
    let &Case { len, root, rank, ranks, .. } = case;
    let (x, all) = (vec![T::sample(rank); len], vec![T::sample(rank); len * ranks]);
    let (mut y, mut both) = (x.clone(), all.clone());
    let counts = Counts::new(&vec![len; ranks])?;

    check!(calls, case, comm.reduce_into(&x, (rank == root).then_some(&mut y), op, root));
    check!(calls, case, comm.reduce_in_place(&mut y, op, root));
    check!(calls, case, comm.allreduce_into(&x, &mut y, op));
    check!(calls, case, comm.allreduce_in_place(&mut y, op));
    check!(calls, case, comm.scan_into(&x, &mut y, op));
    check!(calls, case, comm.scan_in_place(&mut y, op));
    check!(calls, case, comm.exscan_into(&x, &mut y, op));
    check!(calls, case, comm.exscan_in_place(&mut y, op));
    check!(calls, case, comm.reduce_scatter_block_into(&all, &mut y, op));
    check!(calls, case, comm.reduce_scatter_block_in_place(&mut both, op));
    check!(calls, case, comm.reduce_scatter_into(&all, &mut y, &counts, op));
    check!(calls, case, comm.reduce_scatter_in_place(&mut both, &counts, op));
    Ok(())
}

/// With the two neighbours in a row of ranks, or in a ring.
fn with_neighbors<T: Sample + AnyBits>(calls: &mut Calls, comm: &Communicator, case: &Case) -> Result<()> {
    let &Case { len, rank, .. } = case;
    let (x, two) = (vec![T::sample(rank); len], vec![T::sample(rank); 2 * len]);
    let mut y = two.clone();
    let counts = Counts::new(&[len; 2])?;

    check!(calls, case, comm.neighbor_allgather_into(&x, &mut y));
    check!(calls, case, comm.neighbor_allgatherv_into(&x, y.with_counts_mut(&counts)));
    check!(calls, case, comm.neighbor_alltoall_into(&two, &mut y));
    check!(calls, case, comm.neighbor_alltoallv_into(two.with_counts(&counts), y.with_counts_mut(&counts)));
    let (send, mut recv) = (Parts::of(counts.split(&two))?, parts(&mut y, len, 2)?);
    check!(calls, case, comm.neighbor_alltoallw_into(&send, &mut recv));
    Ok(())
}

/// What can be sent from a view is, so that the types of both sides differ.
fn from_a_column(calls: &mut Calls, comm: &Communicator, case: &Case) -> Result<()> {
    let &Case { len, root, rank, ranks, .. } = case;
    let (matrix, mut y) = (vec![1u64; 2 * len], vec![0; len * ranks]);
    let (x, counts) = (Strided::new(&matrix, 0, len, 1, 2)?, Counts::new(&vec![len; ranks])?);
    let known = (rank == root).then_some(&counts);

    check!(calls, case, comm.allgather_into(&x, &mut y));
    check!(calls, case, comm.allgatherv_into(&x, y.with_counts_mut(&counts)));
    check!(calls, case, comm.gatherv_into(&x, known.map(|counts| y.with_counts_mut(counts)), root));
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Mixed {
    a: u32,
    b: u8,
    c: f64,
}
impl Sample for Mixed {
    fn sample(seed: usize) -> Self {
        Mixed { a: Sample::sample(seed), b: Sample::sample(seed), c: Sample::sample(seed) }
    }
}

#[mpi::test(ranks = [1, 2, 3])]
fn none_where_the_caller_gives_the_memory(world: Communicator) -> Result<()> {
    let mut calls = Calls::default();
    let world = world.unchecked(); // the look at what all ranks give has lists of its own
    let (rank, ranks) = (world.rank(), world.size());
    let row = world.cartesian(&[ranks], &[false], false)?.expect("every rank has a place");
    let ring = world.cartesian(&[ranks], &[true], false)?.expect("every rank has a place");
    let (larger, halves) = (from_fn(|a: u64, b| a.max(b)), from_fn(|a: [f64; 3], b| [a[0], b[1], a[2]]));
    // In tests of large counts more than five elements are too many for an `int`, and parts are made of them.
    let lengths: &[usize] = if cfg!(mpi_low_limit) { &[0, 1] } else { &[0, 1, 1000] };
    for (&len, root) in lengths.iter().flat_map(|len| [(len, 0), (len, ranks - 1)]) {
        let of = |elements, is_ring| Case { elements, len, root, rank, ranks, is_ring };
        let numbers = &of(Elements::Numbers, false);
        moves::<u64>(&mut calls, &world, numbers)?;
        reductions::<u64, _>(&mut calls, &world, numbers, Sum)?;
        reductions(&mut calls, &world, numbers, &larger)?;
        from_a_column(&mut calls, &world, &of(Elements::Column, false))?;
        for (comm, is_ring) in [(&row, false), (&ring, true)] {
            with_neighbors::<u64>(&mut calls, comm, &of(Elements::Numbers, is_ring))?;
            with_neighbors::<Mixed>(&mut calls, comm, &of(Elements::Structs, is_ring))?;
        }
        if cfg!(mpi_low_limit) {
            continue;
        }
        let arrays = &of(Elements::Arrays, false);
        moves::<[f64; 3]>(&mut calls, &world, arrays)?;
        reductions::<[f64; 3], _>(&mut calls, &world, arrays, Sum)?;
        reductions(&mut calls, &world, arrays, &halves)?;
        moves::<Mixed>(&mut calls, &world, &of(Elements::Structs, false))?;
        moves::<u64>(&mut calls, &ring, &of(Elements::Numbers, true))?;
    }
    let called: BTreeSet<String> = calls.0.into_iter().map(String::from).collect();
    let writes = |name: &String| name.ends_with("_into") || name.ends_with("_in_place");
    let mut expected: BTreeSet<String> = declared().into_iter().filter(writes).collect();
    expected.extend(["barrier", "bcast"].map(String::from));
    assert_eq!(called, expected);
    Ok(())
}
