//! How many elements go to or come from each rank, and where they lie: what the v forms of collectives take.

use crate::datatype::Datatype;
use crate::error::{Argument, Error, Result};
use crate::ffi::{Call, MPI_Aint, MPI_Count};
use std::ops::Range;
use std::os::raw::c_int;
use std::sync::{Arc, OnceLock};

/// How many elements go to or come from each rank, and where each rank's block starts.
///
/// Made once, converted to MPI's integers and checked; used as often as wanted, with buffers of any element type. A block
/// starts where the one before it ends, unless [`with_displs`](Counts::with_displs) says otherwise. Cloning is cheap.
///
/// ```
/// use mpi::buffer::Counts;
/// let counts = Counts::new(&[3, 0, 2])?;
/// assert_eq!((counts.len(), counts.total(), counts.range(2)), (3, 5, 3..5));
/// assert_eq!(counts.split(b"abcde").collect::<Vec<_>>(), [&b"abc"[..], b"", b"de"]);
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counts(Arc<Table>);

#[derive(Debug)]
struct Table {
    ranks: usize,
    /// The same if `int` holds all of it, also the sum; else no communicator has as many.
    plain_ranks: usize,
    /// Where the last block ends.
    span: usize,
    /// The same if no two blocks share an element, so that they can be received into; else no buffer is long enough.
    span_to_write: usize,
    /// Whether each block starts where the one before it ends.
    is_packed: bool,
    total: usize,
    /// Counts and displacements of elements; empty if an `int` cannot hold one of them.
    counts: Box<[c_int]>,
    displs: Box<[c_int]>,
    /// The same for the functions that take large counts, made when one is called, if not before.
    wide: OnceLock<Wide>,
    /// Zeros, for elements that take no memory, made when they are sent.
    zeros: OnceLock<Box<[c_int]>>,
    /// The same counted in parts of elements, made when an operation that knows only the parts is used.
    parts: OnceLock<Box<Parts>>,
}

/// Counts of parts of which `units` make an element, and then those for another number.
#[derive(Debug)]
struct Parts {
    units: usize,
    counts: Counts,
    next: OnceLock<Box<Parts>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Wide(Box<[MPI_Count]>, Box<[MPI_Aint]>);

/// Arrays as MPI takes them: counts and displacements.
pub(crate) type Arrays<C, D> = (*const C, *const D);

const CALL: Call = &"MPI_Alltoallv";

impl Counts {
    /// So many elements for each rank, one rank's after the other's.
    ///
    /// # Errors
    /// The sum overflows `isize`.
    pub fn new(counts: &[usize]) -> Result<Self> {
        Self::packed(counts.iter().copied())
    }

    /// The same of whatever gives them: one pass, if the sum fits an `int`, as then everything does.
    pub(crate) fn packed(counts: impl ExactSizeIterator<Item = usize> + Clone) -> Result<Self> {
        let mut end = 0usize;
        let [mut ints, mut displs] = [(); 2].map(|()| Vec::with_capacity(counts.len()));
        for count in counts.clone() {
            ints.push(count as c_int);
            displs.push(end as c_int);
            end = sum(end, count)?;
        }
        if c_int::try_from(end).is_ok() {
            return Ok(Counts(Arc::new(Table {
                ranks: ints.len(),
                plain_ranks: ints.len(),
                span: end,
                span_to_write: end,
                is_packed: true,
                total: end,
                counts: ints.into(),
                displs: displs.into(),
                wide: OnceLock::new(),
                zeros: OnceLock::new(),
                parts: OnceLock::new(),
            })));
        }
        let starts = counts.clone().scan(0, |end, count| Some(std::mem::replace(end, *end + count)));
        Ok(Self::from_parts(&counts.clone().collect::<Vec<_>>(), &starts.collect::<Vec<_>>(), end, end, true))
    }

    /// `n` elements dealt out to `ranks` as evenly as can be: the first `n % ranks` get one more.
    ///
    /// # Errors
    /// `n` exceeds `isize`.
    ///
    /// ```
    /// assert_eq!(mpi::buffer::Counts::even(8, 3)?.to_vec(), [3, 3, 2]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn even(n: usize, ranks: usize) -> Result<Self> {
        let counts: Vec<_> = (0..ranks).map(|rank| n / ranks + usize::from(rank < n % ranks)).collect();
        Self::new(&counts)
    }

    /// The same counts, with a start for each block. Blocks that share elements can be sent from, not received into.
    ///
    /// # Errors
    /// There is not one displacement for each count; or a block's end overflows `isize`.
    ///
    /// ```
    /// use mpi::buffer::Counts;
    /// let padded = Counts::new(&[3, 2])?.with_displs(&[0, 4])?; // in rows of four
    /// assert_eq!((padded.total(), padded.span()), (5, 6));
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn with_displs(&self, displs: &[usize]) -> Result<Self> {
        if displs.len() != self.len() {
            return Err(Error::length(CALL, Argument::Displacements, displs.len(), self.len()));
        }
        let counts = self.to_vec();
        let mut span = 0;
        for (&count, &displ) in counts.iter().zip(displs) {
            let end = sum(displ, count)?;
            span = span.max(if count == 0 { 0 } else { end });
        }
        // MPI reads the displacements of empty blocks too: they count for the integers, not for the room.
        Ok(Self::from_parts(&counts, displs, self.total(), span, are_disjoint(&counts, displs)))
    }

    fn from_parts(counts: &[usize], displs: &[usize], total: usize, span: usize, is_disjoint: bool) -> Self {
        let int = |&n: &usize| c_int::try_from(n).ok();
        let ints = |all: &[usize]| all.iter().map(int).collect::<Option<Box<[c_int]>>>();
        let narrow = ints(counts).zip(ints(displs));
        // No overflow: every end fits into an `isize`.
        let large = || {
            Wide(
                counts.iter().map(|&n| n as MPI_Count).collect(),
                displs.iter().map(|&n| n as MPI_Aint).collect(),
            )
        };
        let is_plain = narrow.is_some() && c_int::try_from(total).is_ok();
        let wide = if narrow.is_some() { OnceLock::new() } else { OnceLock::from(large()) };
        let (ints, int_displs) = narrow.unwrap_or_default();
        Counts(Arc::new(Table {
            ranks: counts.len(),
            plain_ranks: if is_plain { counts.len() } else { usize::MAX },
            span,
            is_packed: are_packed(counts, displs),
            span_to_write: if is_disjoint { span } else { usize::MAX },
            total,
            counts: ints,
            displs: int_displs,
            wide,
            zeros: OnceLock::new(),
            parts: OnceLock::new(),
        }))
    }

    /// For how many ranks.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.ranks
    }

    /// Whether it is for no rank at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many elements in all.
    #[inline]
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// How long a buffer must be: where the last block ends.
    #[inline]
    pub fn span(&self) -> usize {
        self.0.span
    }

    /// How many elements a rank has.
    ///
    /// # Panics
    /// If there is no such rank, as slices do.
    #[track_caller]
    #[inline]
    pub fn get(&self, rank: usize) -> usize {
        match self.0.counts.get(rank) {
            Some(&count) => count as usize,
            None => self.large().0[rank] as usize,
        }
    }

    /// Where a rank's elements lie.
    ///
    /// # Panics
    /// If there is no such rank, as slices do.
    #[track_caller]
    pub fn range(&self, rank: usize) -> Range<usize> {
        let start = match self.0.displs.get(rank) {
            Some(&displ) => displ as usize,
            None => self.large().1[rank] as usize,
        };
        start..start + self.get(rank)
    }

    /// The counts of all ranks.
    pub fn to_vec(&self) -> Vec<usize> {
        (0..self.len()).map(|rank| self.get(rank)).collect()
    }

    /// The block of each rank.
    ///
    /// # Panics
    /// When a block is reached that is not inside `data`, as slices do.
    pub fn split<'a, T>(&self, data: &'a [T]) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, '_, T> {
        (0..self.len()).map(|rank| self.block(data, rank))
    }

    /// The block of a rank. An empty one may lie anywhere.
    #[track_caller]
    pub(super) fn block<'a, T>(&self, data: &'a [T], rank: usize) -> &'a [T] {
        let range = self.range(rank);
        if range.is_empty() { &[] } else { &data[range] }
    }

    /// The block of a rank, to be written.
    #[track_caller]
    pub(super) fn block_mut<'a, T>(&self, data: &'a mut [T], rank: usize) -> &'a mut [T] {
        let range = self.range(rank);
        if range.is_empty() { &mut [] } else { &mut data[range] }
    }

    /// Checks them for a buffer of `len` elements and a communicator of `ranks` ranks, or neighbours.
    #[inline(always)]
    pub(crate) fn fits(&self, call: Call, what: Argument, len: usize, ranks: usize) -> Result<()> {
        let table = &*self.0;
        if table.ranks == ranks && table.span <= len {
            Ok(())
        } else {
            Err(self.misfit(call, what, len, ranks))
        }
    }

    /// As [`fits`](Counts::fits), where blocks are written.
    #[inline(always)]
    pub(crate) fn fits_writing(&self, call: Call, len: usize, ranks: usize) -> Result<()> {
        let table = &*self.0;
        let fits = table.ranks == ranks && table.span_to_write <= len;
        if fits { Ok(()) } else { Err(self.misfit(call, Argument::ReceiveLength, len, ranks)) }
    }

    /// What is wrong.
    #[cold]
    fn misfit(&self, call: Call, what: Argument, len: usize, ranks: usize) -> Error {
        if self.len() != ranks {
            Error::length(call, Argument::Counts, self.len(), ranks)
        } else if self.span() > len {
            Error::length(call, what, len, self.span())
        } else {
            Error::length(call, Argument::Overlap, self.total(), self.span())
        }
    }

    /// `Err` unless they deal a buffer of `len` elements out to `ranks` ranks, all of it and in order.
    #[inline]
    pub(crate) fn deals_out(&self, call: Call, len: usize, ranks: usize) -> Result<()> {
        self.fits(call, Argument::SendLength, len, ranks)?;
        if !self.0.is_packed {
            return Err(Error::length(call, Argument::Gaps, self.span(), self.total()));
        }
        if len == self.total() {
            Ok(())
        } else {
            Err(Error::length(call, Argument::SendLength, len, self.total()))
        }
    }

    /// The counts of parts of which `units` make an element. They live as long as this or a clone of it, and are made
    /// once for each number of parts.
    pub(crate) fn in_parts(&self, units: usize) -> Result<&Counts> {
        if units == 1 {
            return Ok(self);
        }
        let mut place = &self.0.parts;
        while let Some(parts) = place.get() {
            if parts.units == units {
                return Ok(&parts.counts);
            }
            place = &parts.next;
        }
        let counts: Option<Vec<_>> = self.to_vec().iter().map(|n| n.checked_mul(units)).collect();
        let counts =
            counts.ok_or_else(|| Error::length(CALL, Argument::Count, self.total(), usize::MAX / units))?;
        let made = Parts { units, counts: Counts::new(&counts)?, next: OnceLock::new() };
        // Another thread may have made some meanwhile.
        let _ = place.set(Box::new(made));
        self.in_parts(units)
    }

    /// The arrays that MPI takes for elements of `T`, which live as long as this or a clone of it; `None` if an `int` cannot
    /// hold all of it.
    #[inline(always)]
    pub(crate) fn narrow<T: Datatype>(&self) -> Option<Arrays<c_int, c_int>> {
        let table = &*self.0;
        if T::UNITS == 0 {
            let zeros = table.zeros.get_or_init(|| vec![0; table.ranks].into());
            return Some((zeros.as_ptr(), zeros.as_ptr()));
        }
        (table.counts.len() == table.ranks).then_some((table.counts.as_ptr(), table.displs.as_ptr()))
    }

    /// What a hot call needs, found by as few instructions as it takes: the arrays and the count of one rank, if everything is as
    /// [`fits`](Counts::fits) wants it and an `int` holds it all.
    #[inline(always)]
    pub(crate) fn plain(
        &self,
        room: Room,
        ranks: usize,
        rank: usize,
    ) -> Option<(Arrays<c_int, c_int>, usize)> {
        let table = &*self.0;
        let (span, len) = match room {
            Room::ToRead(len) => (table.span, len),
            Room::ToWrite(len) => (table.span_to_write, len),
        };
        if table.plain_ranks != ranks || span > len {
            return None;
        }
        let own = *table.counts.get(rank)?;
        Some(((table.counts.as_ptr(), table.displs.as_ptr()), own as usize))
    }

    /// The same for the functions that take large counts.
    #[cold]
    pub(crate) fn wide(&self) -> Arrays<MPI_Count, MPI_Aint> {
        let Wide(counts, displs) = self.large();
        (counts.as_ptr(), displs.as_ptr())
    }

    #[cold]
    fn large(&self) -> &Wide {
        let table = &*self.0;
        table.wide.get_or_init(|| {
            let counts = table.counts.iter().map(|&n| MPI_Count::from(n)).collect();
            Wide(counts, table.displs.iter().map(|&n| n as MPI_Aint).collect())
        })
    }
}

/// How many elements a buffer has, and what for.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    ToRead(usize),
    ToWrite(usize),
}

impl PartialEq for Counts {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        // What fits into an `int` is never kept in the wide form alone.
        a.ranks == b.ranks
            && a.counts == b.counts
            && a.displs == b.displs
            && (a.counts.len() == a.ranks || self.large() == other.large())
    }
}
impl Eq for Counts {}

fn sum(a: usize, b: usize) -> Result<usize> {
    let sum = a.checked_add(b).filter(|&sum| isize::try_from(sum).is_ok());
    sum.ok_or_else(|| Error::length(CALL, Argument::Count, b, (isize::MAX as usize).saturating_sub(a)))
}

/// Whether each block starts where the one before it ends; it does not matter where an empty one does.
fn are_packed(counts: &[usize], displs: &[usize]) -> bool {
    let mut end = 0;
    counts.iter().zip(displs).all(|(&count, &displ)| {
        let start = end;
        end += count;
        count == 0 || displ == start
    })
}

/// Whether no two blocks share an element: one pass if they are in order, else after sorting.
fn are_disjoint(counts: &[usize], displs: &[usize]) -> bool {
    let blocks = counts.iter().zip(displs).filter(|(count, _)| **count > 0).map(|(&n, &at)| (at, at + n));
    if apart(blocks.clone()) {
        return true;
    }
    let mut sorted: Vec<_> = blocks.collect();
    sorted.sort_unstable();
    apart(sorted.into_iter())
}

/// Whether each block starts where the one before it has ended, or later.
fn apart(mut blocks: impl Iterator<Item = (usize, usize)>) -> bool {
    let mut end = 0;
    blocks.all(|(start, stop)| std::mem::replace(&mut end, stop) <= start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_are_what_slices_say(counts in proptest::collection::vec(0usize..5, 0..7)) {
            let table = Counts::new(&counts).expect("small");
            let data: Vec<usize> = (0..table.total()).collect();
            prop_assert_eq!(table.to_vec(), &counts[..]);
            prop_assert_eq!(table.split(&data).map(<[usize]>::len).collect::<Vec<_>>(), counts);
            prop_assert_eq!(table.split(&data).flatten().copied().collect::<Vec<_>>(), data);
            prop_assert!(table.0.span_to_write == table.span() && table.span() == table.total());
        }

        #[test]
        fn overlap_is_found(blocks in proptest::collection::vec((0usize..4, 0usize..12), 0..5)) {
            let (counts, displs): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
            let table = Counts::new(&counts).and_then(|c| c.with_displs(&displs)).expect("small");
            let mut hits = [0; 16];
            (0..table.len()).flat_map(|rank| table.range(rank)).for_each(|i| hits[i] += 1);
            prop_assert_eq!(table.0.span_to_write == table.span(), hits.iter().all(|&n| n <= 1));
            prop_assert_eq!(table.span(), hits.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1));
        }
    }

    #[test]
    fn counts_of_parts_are_made_once_for_each_number() {
        let counts = Counts::new(&[3, 0, 2]).expect("small");
        let (three, two) = (counts.in_parts(3).expect("small"), counts.in_parts(2).expect("small"));
        assert_eq!((three.to_vec(), two.to_vec()), (vec![9, 0, 6], vec![6, 0, 4]));
        assert!(std::ptr::eq(three, counts.clone().in_parts(3).expect("small")));
        assert!(std::ptr::eq(two, counts.in_parts(2).expect("small")));
        assert!(std::ptr::eq(&raw const counts, counts.in_parts(1).expect("small")));
        assert!(Counts::new(&[isize::MAX as usize]).and_then(|c| c.in_parts(3).cloned()).is_err());
    }

    #[test]
    fn what_deals_a_buffer_out() {
        let counts = Counts::new(&[3, 0, 2]).expect("small");
        let packed = |displs| counts.with_displs(displs).expect("small").0.is_packed;
        assert!(counts.deals_out(CALL, 5, 3).is_ok() && packed(&[0, 9, 3]));
        assert!(counts.deals_out(CALL, 6, 3).is_err() && counts.deals_out(CALL, 5, 2).is_err());
        assert!(!packed(&[0, 3, 4]) && !packed(&[2, 0, 0]));
    }

    #[test]
    fn large_counts_are_kept_wide() {
        let large = Counts::new(&[3, c_int::MAX as usize, 5]).expect("fits");
        assert_eq!(large.narrow::<u8>().map(|_| ()), None);
        assert_eq!(large.to_vec(), [3, c_int::MAX as usize, 5]);
        assert_eq!(large, Counts::new(&[3, c_int::MAX as usize, 5]).expect("fits"));
        assert_ne!(large, Counts::new(&[3, c_int::MAX as usize, 6]).expect("fits"));
        assert_eq!(large.range(2), c_int::MAX as usize + 3..c_int::MAX as usize + 8);
        assert!(Counts::new(&[isize::MAX as usize, 1]).is_err());
        assert!(Counts::new(&[usize::MAX]).is_err());
        assert!(Counts::new(&[1]).and_then(|c| c.with_displs(&[usize::MAX])).is_err());
        assert!(Counts::new(&[1]).and_then(|c| c.with_displs(&[])).is_err());
    }
}
