//! Whether all ranks make the same collective call: an extra look, where it was asked for.
//!
//! One reduction of six numbers before each blocking call. Only when it finds a difference do the ranks tell each other
//! what they gave, so that each can say who is wrong. A nonblocking call must not wait for others, so it is not looked at.
#![allow(unsafe_code)]

use super::forms::Names;
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
}

impl Terms {
    /// Nothing but that the call is the same.
    pub(crate) const NONE: Terms = Terms { root: None, block: None };

    #[inline(always)]
    pub(crate) fn block(block: Region) -> Self {
        Self::elements(block.count, block.datatype.0)
    }

    #[inline(always)]
    pub(crate) fn elements(count: usize, datatype: MPI_Datatype) -> Self {
        Terms { root: None, block: Some((count, datatype)) }
    }

    #[inline(always)]
    pub(crate) fn root(self, root: c_int) -> Self {
        Terms { root: Some(root), ..self }
    }
}

/// Which call, root, bytes; −1 where a call has none.
type Said = [i64; 3];

impl Communicator {
    /// `Err` on every rank unless all call the same with the same terms.
    #[cold]
    #[inline(never)]
    pub(super) fn agree(&self, names: &'static Names, terms: Terms) -> Result<()> {
        let call = names.now();
        let said = [number(names), terms.root.map_or(-1, i64::from), bytes(call, names, terms)?];
        let [a, b, c] = said;
        // The largest, and by their negatives the smallest.
        let mut bounds = [a, -a, b, -b, c, -c];
        // SAFETY: six integers of ours, read and written; a valid communicator, and MPI is live.
        let code = unsafe {
            (ALLREDUCE.now)(
                ffi::MPI_IN_PLACE,
                bounds.as_mut_ptr().cast(),
                6,
                ffi::MPI_INT64_T,
                ffi::MPI_MAX,
                self.raw(),
            )
        };
        check(call, code)?;
        if bounds.chunks_exact(2).all(|both| both[0] == -both[1]) { Ok(()) } else { self.dissent(call, said) }
    }

    /// Who says what: always an error, the same on every rank.
    fn dissent(&self, call: Call, said: Said) -> Result<()> {
        let mut all = vec![said; self.size()];
        let out: *const c_void = said.as_ptr().cast();
        // SAFETY: three integers of ours, and room for three of each rank; a valid communicator, and MPI is live.
        let code = unsafe {
            let integers = ffi::MPI_INT64_T;
            (ALLGATHER.now)(out, 3, integers, all.as_mut_ptr().cast(), 3, integers, self.raw())
        };
        check(call, code)?;
        Err(verdict(call, &all))
    }
}

/// The first rank that differs from what most say, in the first thing that they do not agree on.
fn verdict(call: Call, all: &[Said]) -> Error {
    for (i, term) in [None, Some(Term::Root), Some(Term::Length)].into_iter().enumerate() {
        let said: Vec<i64> = all.iter().map(|said| said[i]).collect();
        let usual = usual(&said);
        let Some(rank) = said.iter().position(|&value| value != usual) else { continue };
        return match term {
            None => Error::other_call(call, rank, called(said[rank]), called(usual)),
            Some(term) => Error::disagrees(call, term, rank, said[rank], usual),
        };
    }
    unreachable!("the bounds differed")
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

fn bytes(call: Call, names: &Names, terms: Terms) -> Result<i64> {
    let Some((count, datatype)) = terms.block else { return Ok(-1) };
    if names.now.starts_with("MPI_Neighbor") {
        return Ok(-1); // only neighbours must agree
    }
    let mut size = 0;
    // SAFETY: a valid datatype; the out-argument is ours.
    check(call, unsafe { ffi::MPI_Type_size_x(datatype, &raw mut size) })?;
    Ok(i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_who_differs_is_named() {
        let text = |all: &[Said]| verdict(&"MPI_Bcast", all).to_string();
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
        assert_eq!(usual(&[1, 2, 2, 3]), 2);
        assert_eq!(usual(&[3, 1]), 3);
    }
}
