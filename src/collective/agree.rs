//! Whether all ranks make the same collective call: an extra look, where it was asked for.
//!
//! One reduction of two numbers before each blocking call: the sum of a hash of what all must say alike, which is as many
//! times each rank's own if they do, and the balance of what two ranks must say alike (`pairs`). Only when they tell of a
//! difference do the ranks tell each other what they gave, so that each can say who is wrong. A nonblocking call must not wait
//! for others, so it is not looked at.
#![allow(unsafe_code)]

use super::forms::Names;
use super::pairs::{Each, Pairs, hash, type_size};
use super::table::{ALLGATHER, ALLREDUCE, NAMES};
use crate::buffer::Region;
use crate::comm::Communicator;
use crate::error::{Error, Result, Term};
use crate::ffi::{self, Call, MPI_Datatype, check};
use std::os::raw::{c_int, c_void};

/// What every rank must say alike.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    root: Option<c_int>,
    /// How many elements of which type a block has, where all have one length.
    block: Option<(usize, MPI_Datatype)>,
    /// What goes to, and comes from, each rank or neighbour, where that is for two ranks to agree on.
    pairs: (Each, Each),
}

impl Terms {
    /// Nothing but that the call is the same.
    pub(crate) const NONE: Terms = Terms { root: None, block: None, pairs: (Each::Nothing, Each::Nothing) };

    #[inline(always)]
    pub(crate) fn block(block: Region) -> Self {
        Self::elements(block.count, block.datatype.0)
    }

    #[inline(always)]
    pub(crate) fn elements(count: usize, datatype: MPI_Datatype) -> Self {
        Terms { block: Some((count, datatype)), ..Self::NONE }
    }

    #[inline(always)]
    pub(crate) fn root(self, root: c_int) -> Self {
        Terms { root: Some(root), ..self }
    }

    /// What goes out to each, and what comes in from each.
    #[inline(always)]
    pub(crate) fn pairs(out: Each, into: Each) -> Self {
        Terms { pairs: (out, into), ..Self::NONE }
    }

    /// The same, where only neighbours agree on the length of a block.
    fn of_neighbors(self) -> Self {
        match self.block {
            Some((count, datatype)) => {
                Terms { block: None, ..Self::pairs(Each::Same(count, datatype), Each::Same(count, datatype)) }
            }
            None => self,
        }
    }
}

/// Which call, root, bytes; −1 where a call has none.
type Said = [i64; 3];

impl Communicator {
    /// `Err` on every rank unless all call the same with the same terms.
    ///
    /// # Safety
    /// The arrays of the terms have an entry for each rank, or neighbour.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn agree(&self, names: &'static Names, terms: Terms) -> Result<()> {
        let call = names.now();
        let terms = if names.is_of_neighbors() { terms.of_neighbors() } else { terms };
        let said = [number(names), terms.root.map_or(-1, i64::from), bytes(call, terms)?];
        // SAFETY: this function's contract.
        let pairs = unsafe { Pairs::new(self, names, terms.pairs) }?;
        let mine = hash(said.map(i64::cast_unsigned));
        let mut sums = [mine, pairs.balance(self.rank())];
        // SAFETY: two integers of ours, read and written; a valid communicator, and MPI is live.
        let code = unsafe {
            (ALLREDUCE.now)(
                ffi::MPI_IN_PLACE,
                sums.as_mut_ptr().cast(),
                2,
                ffi::MPI_UINT64_T,
                ffi::MPI_SUM,
                self.raw(),
            )
        };
        check(call, code)?;
        if sums == [mine.wrapping_mul(self.size() as u64), 0] {
            return Ok(());
        }
        self.dissent(call, said)?;
        pairs.dissent(self, call)
    }

    /// Who says what: the same error on every rank, if there is one.
    fn dissent(&self, call: Call, said: Said) -> Result<()> {
        let mut all = vec![said; self.size()];
        let out: *const c_void = said.as_ptr().cast();
        // SAFETY: three integers of ours, and room for three of each rank; a valid communicator, and MPI is live.
        let code = unsafe {
            let integers = ffi::MPI_INT64_T;
            (ALLGATHER.now)(out, 3, integers, all.as_mut_ptr().cast(), 3, integers, self.raw())
        };
        check(call, code)?;
        verdict(call, &all).map_or(Ok(()), Err)
    }
}

/// The first rank that differs from what most say, in the first thing that they do not agree on.
fn verdict(call: Call, all: &[Said]) -> Option<Error> {
    for (i, term) in [None, Some(Term::Root), Some(Term::Length)].into_iter().enumerate() {
        let said: Vec<i64> = all.iter().map(|said| said[i]).collect();
        let usual = usual(&said);
        let Some(rank) = said.iter().position(|&value| value != usual) else { continue };
        return Some(match term {
            None => Error::other_call(call, rank, called(said[rank]), called(usual)),
            Some(term) => Error::disagrees(call, term, rank, said[rank], usual),
        });
    }
    None
}

/// The value that most have; of several the first.
fn usual(values: &[i64]) -> i64 {
    let votes = |value: &i64| values.iter().filter(|other| *other == value).count();
    values.iter().rev().copied().max_by_key(votes).expect("a communicator has a rank")
}

/// The same number on all ranks.
fn number(names: &'static Names) -> i64 {
    NAMES.iter().position(|known| known.now == names.now).map_or(-1, |i| i as i64)
}

fn called(number: i64) -> Call {
    usize::try_from(number)
        .ok()
        .and_then(|i| NAMES.get(i))
        .map_or(&"an unknown function", |names| names.now())
}

fn bytes(call: Call, terms: Terms) -> Result<i64> {
    let Some((count, datatype)) = terms.block else { return Ok(-1) };
    let bytes = (count as u64).saturating_mul(type_size(call, datatype)?);
    Ok(i64::try_from(bytes).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_who_differs_is_named() {
        let text = |all: &[Said]| verdict(&"MPI_Bcast", all).map_or(String::new(), |e| e.to_string());
        assert_eq!(
            text(&[[1, 0, 8], [1, 0, 8], [1, 0, 16]]),
            "MPI_Bcast: rank 2 gives 16 bytes, the others 8: all ranks must agree on the length"
        );
        assert_eq!(
            text(&[[1, 2, 8], [1, 0, 8], [1, 0, 16]]),
            "MPI_Bcast: rank 0 says that rank 2 is the root, the others say 0"
        );
        let first = NAMES[0].now;
        assert_eq!(
            text(&[[0, -1, -1], [1, 0, 8]]),
            format!("MPI_Bcast: rank 1 has called {}, the others {first}", NAMES[1].now)
        );
        assert_eq!(text(&[[1, 0, 8], [1, 0, 8]]), "");
        assert_eq!(usual(&[1, 2, 2, 3]), 2);
        assert_eq!(usual(&[3, 1]), 3);
    }
}
