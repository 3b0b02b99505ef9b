//! Sorting elements by the rank that each goes to.

use super::{Counted, Counts};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;

const CALL: Call = &"Counted::by_rank";

impl<T> Counted<Vec<T>> {
    /// A block for each of `ranks`, of the elements that `rank_of` says go there, in the order in which they come; it is
    /// asked once for each. [`alltoallv`](crate::Communicator::alltoallv) sends the result as it lies; to sort them, each is
    /// moved twice, and there is room for all twice.
    ///
    /// # Errors
    /// `rank_of` names none of the ranks; the sum of the counts overflows `isize`.
    ///
    /// ```
    /// use mpi::buffer::Counted;
    /// let by_rank = Counted::by_rank([5, 3, 8, 6, 9], 3, |n| n % 3)?;
    /// let (data, counts) = by_rank.into_parts();
    /// assert_eq!((data, counts.to_vec()), (vec![3, 6, 9, 5, 8], vec![3, 0, 2]));
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn by_rank(
        elements: impl IntoIterator<Item = T>,
        ranks: usize,
        mut rank_of: impl FnMut(&T) -> usize,
    ) -> Result<Self> {
        // First of all together, in the shortest of loops: if they come from all over memory, the processor waits for
        // several at a time.
        let mut all = Vec::new();
        elements.into_iter().for_each(|element| all.push(element));

        let (mut counts, mut destinations) = (vec![0; ranks], Vec::with_capacity(all.len()));
        for element in &all {
            let rank = rank_of(element);
            let known = counts.get_mut(rank).zip(u32::try_from(rank).ok());
            let (count, rank) = known.ok_or_else(|| Error::length(CALL, Argument::Rank, rank, ranks))?;
            *count += 1;
            destinations.push(rank);
        }
        let counts = Counts::new(&counts)?;
        let mut ends: Vec<usize> = (0..ranks).map(|rank| counts.range(rank).start).collect();
        let mut data = Vec::with_capacity(all.len());
        let room = data.spare_capacity_mut();
        for (element, &rank) in all.into_iter().zip(&destinations) {
            let end = &mut ends[rank as usize];
            room[*end].write(element);
            *end += 1;
        }
        // SAFETY: there is room for all; every block starts where the one before it ends, and was filled by as many
        // elements as were counted for it.
        unsafe { data.set_len(destinations.len()) };
        Ok(Counted::new(data, counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Strings, which own memory: each is moved once.
        #[test]
        fn the_same_as_a_stable_sort(destinations in proptest::collection::vec(0usize..5, 0..40)) {
            let mut pairs: Vec<(usize, String)> =
                destinations.iter().enumerate().map(|(i, &rank)| (rank, i.to_string())).collect();
            let (got, counts) = Counted::by_rank(pairs.clone(), 5, |pair| pair.0).unwrap().into_parts();
            pairs.sort_by_key(|pair| pair.0);
            prop_assert_eq!(&got, &pairs);
            let rank_of_block = |(rank, block): (usize, &[(usize, String)])| block.iter().all(|pair| pair.0 == rank);
            prop_assert!(counts.split(&got).enumerate().all(rank_of_block));
        }
    }

    #[test]
    fn a_rank_that_there_is_not() {
        let error = Counted::by_rank([0, 3, 4], 3, |&n| n).unwrap_err();
        assert!(error.to_string().starts_with("Counted::by_rank: rank 3"), "{error}");
        assert!(Counted::by_rank([0], 0, |_| 0).is_err());
        assert_eq!(Counted::by_rank([0u8; 0], 2, |_| 7).unwrap().counts().to_vec(), [0, 0]);
        assert!(Counted::by_rank([()], 1, |_| usize::MAX).is_err());
    }
}
