//! What each rank has for each other, and what each expects: the lengths that two ranks alone must agree on.
//!
//! Whether all of them do is one number. Who sends adds a hash of (from, to, bytes), who receives takes away the hash of
//! what it expects; if the sum over all ranks is 0, all lengths are equal, but for one chance in 2^64.
#![allow(unsafe_code)]

use super::forms::Names;
use super::neighbor::grid_neighbors;
use super::vector::Arrays;
use crate::comm::Communicator;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Datatype, check};
use std::collections::BTreeMap;
use std::os::raw::c_int;

/// How many elements of which type go to, or come from, each rank or neighbour.
#[derive(Clone, Copy)]
pub(crate) enum Each {
    /// None that MPI looks at.
    Nothing,
    /// So many for each.
    Same(usize, MPI_Datatype),
    /// So many for one rank alone.
    One(c_int, usize, MPI_Datatype),
    /// An array with a count for each.
    Counts(Arrays, MPI_Datatype),
    /// The count that such an array has for this rank, for each.
    Own(Arrays, MPI_Datatype),
    /// An array of counts, and one of types.
    Typed(*const c_int, *const MPI_Datatype),
}

impl Each {
    /// What the `i`-th rank or neighbour has, in bytes; `rank` is its rank, `me` this one's.
    ///
    /// # Safety
    /// The arrays have an entry for each, and `Own` one for `me`.
    unsafe fn bytes(self, call: Call, i: usize, rank: usize, me: usize) -> Result<u64> {
        let (count, datatype) = match self {
            Each::Nothing => return Ok(0),
            Each::Same(count, datatype) => (count, datatype),
            Each::One(only, count, datatype) => (if only as usize == rank { count } else { 0 }, datatype),
            // SAFETY: this function's contract.
            Each::Counts(arrays, datatype) => (unsafe { arrays.count(i) }, datatype),
            // SAFETY: this function's contract.
            Each::Own(arrays, datatype) => (unsafe { arrays.count(me) }, datatype),
            Each::Typed(counts, types) => {
                // SAFETY: this function's contract.
                let count = unsafe { *counts.wrapping_add(i) };
                // SAFETY: this function's contract.
                (count as usize, unsafe { *types.wrapping_add(i) })
            }
        };
        if count == 0 {
            return Ok(0); // whatever its type is
        }
        Ok((count as u64).saturating_mul(type_size(call, datatype)?))
    }
}

/// The bytes of an element.
pub(super) fn type_size(call: Call, datatype: MPI_Datatype) -> Result<u64> {
    let mut size = 0;
    // SAFETY: a valid datatype; the out-argument is ours.
    check(call, unsafe { ffi::MPI_Type_size_x(datatype, &raw mut size) })?;
    Ok(u64::try_from(size).unwrap_or(0))
}

/// Something between this rank and another.
struct Entry {
    rank: usize,
    /// Tells apart what goes between the same two: in a grid, the sender's edge.
    edge: u64,
    bytes: u64,
}

/// What this rank sends, and what it expects.
pub(super) struct Pairs {
    out: Vec<Entry>,
    into: Vec<Entry>,
}

impl Pairs {
    /// Those of a call. What a rank has for itself is checked without others.
    ///
    /// # Safety
    /// `out` has an entry for each rank, or each neighbour that is sent to, `into` for each that is received from.
    pub(super) unsafe fn new(
        comm: &Communicator,
        names: &'static Names,
        (out, into): (Each, Each),
    ) -> Result<Self> {
        let (call, me) = (names.now(), comm.rank());
        if let (Each::Nothing, Each::Nothing) = (out, into) {
            return Ok(Pairs { out: Vec::new(), into: Vec::new() });
        }
        let others: Vec<(usize, usize, u64)> = if names.is_of_neighbors() {
            let n = comm.neighbors(call)?.dests;
            let ranks = grid_neighbors(comm, n)?.into_iter().enumerate();
            ranks.filter_map(|(i, rank)| Some((i, rank?, i as u64))).collect()
        } else {
            (0..comm.size()).filter(|&rank| rank != me).map(|rank| (rank, rank, 0)).collect()
        };
        let of = |each: Each, opposite: u64| -> Result<Vec<Entry>> {
            let entry = |&(i, rank, edge): &(usize, usize, u64)| {
                // SAFETY: this function's contract.
                let bytes = unsafe { each.bytes(call, i, rank, me) }?;
                Ok(Entry { rank, edge: edge ^ opposite, bytes })
            };
            others.iter().map(entry).collect()
        };
        // What goes up in a dimension, along the odd edge, comes from below, along the even one.
        let opposite = u64::from(names.is_of_neighbors());
        Ok(Pairs { out: of(out, 0)?, into: of(into, opposite)? })
    }

    /// Adds up to 0 with those of all ranks if they agree.
    pub(super) fn balance(&self, me: usize) -> u64 {
        let sent = self.out.iter().map(|e| digest(e, me, e.rank));
        let expected = self.into.iter().map(|e| digest(e, e.rank, me).wrapping_neg());
        sent.chain(expected).fold(0, u64::wrapping_add)
    }

    /// What the first two that do not agree have: the same error on every rank, all of which have come here.
    pub(super) fn dissent(self, comm: &Communicator, call: Call) -> Result<()> {
        let mut notes = vec![Vec::new(); comm.size()];
        for e in &self.out {
            notes[e.rank].push([e.edge, e.bytes]);
        }
        let (arrived, counts) = comm.alltoallv_with_counts(&notes)?;
        let mut both: BTreeMap<(usize, u64), (u64, u64)> = BTreeMap::new();
        for e in &self.into {
            both.entry((e.rank, e.edge)).or_default().1 = e.bytes;
        }
        for (rank, block) in counts.split(&arrived).enumerate() {
            block.iter().for_each(|&[edge, bytes]| both.entry((rank, edge)).or_default().0 = bytes);
        }
        let found = both.iter().find(|(_, (sent, expected))| sent != expected);
        let said = match found {
            Some((&(from, _), &(sent, expected))) => [1, from as u64, sent, expected],
            None => [0; 4],
        };
        let all = comm.allgather(&said[..])?;
        match all.chunks_exact(4).enumerate().find(|(_, said)| said[0] == 1) {
            Some((to, said)) => Err(Error::unmatched(call, (said[1] as usize, said[2]), (to, said[3]))),
            None => Ok(()), // the one chance in 2^64, the other way round
        }
    }
}

/// Nothing adds nothing, so that it need not be said.
fn digest(e: &Entry, from: usize, to: usize) -> u64 {
    if e.bytes == 0 { 0 } else { hash([from as u64, to as u64, e.edge, e.bytes]) }
}

/// A number that looks like any other (the finalizer of SplitMix64, for each).
pub(super) fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |so_far, number| {
        let mut x = (so_far ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(ranks: &[(&[u64], &[u64])]) -> u64 {
        let entries = |me: usize, all: &[u64]| {
            let entry = |(rank, &bytes): (usize, &u64)| Entry { rank, edge: 0, bytes };
            all.iter().enumerate().filter(|(rank, _)| *rank != me).map(entry).collect()
        };
        let sums = ranks
            .iter()
            .enumerate()
            .map(|(me, (out, into))| Pairs { out: entries(me, out), into: entries(me, into) }.balance(me));
        sums.fold(0, u64::wrapping_add)
    }

    #[test]
    fn only_what_matches_adds_up_to_nothing() {
        assert_eq!(
            balance(&[(&[9, 1, 2], &[9, 3, 5]), (&[3, 0, 4], &[1, 0, 6]), (&[5, 6, 7], &[2, 4, 7])]),
            0
        );
        // The same lengths, but for two others; one byte more; both ways the same.
        assert_ne!(
            balance(&[(&[9, 2, 1], &[9, 3, 5]), (&[3, 0, 4], &[1, 0, 6]), (&[5, 6, 7], &[2, 4, 7])]),
            0
        );
        assert_ne!(balance(&[(&[0, 1], &[0, 1]), (&[2, 0], &[1, 0])]), 0);
        assert_ne!(balance(&[(&[0, 1], &[0, 2]), (&[1, 0], &[2, 0])]), 0);
    }
}
