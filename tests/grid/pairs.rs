//! All pairs: a short list of combinations in which every two values of different factors meet.

use std::collections::BTreeSet;

/// A value of a factor.
type Choice = (usize, usize);

/// For factors with so many values each: combinations, an index per factor. `start` makes lists differ.
pub fn all_pairs(factors: &[usize], start: usize) -> Vec<Vec<usize>> {
    let mut missing: BTreeSet<(Choice, Choice)> = BTreeSet::new();
    for (f, &n) in factors.iter().enumerate() {
        for (g, &m) in factors.iter().enumerate().skip(f + 1) {
            missing.extend((0..n).flat_map(|x| (0..m).map(move |y| ((f, x), (g, y)))));
        }
    }
    let mut found = Vec::new();
    while let Some(&(first, second)) = missing.first() {
        let mut chosen = vec![first, second];
        for (f, &n) in factors.iter().enumerate().filter(|(f, _)| *f != first.0 && *f != second.0) {
            let news = |x: &usize| chosen.iter().filter(|c| missing.contains(&ordered(**c, (f, *x)))).count();
            // Among equals another one each time, so that later pairs vary too.
            let candidates = (0..n).map(|x| (x + start + found.len()) % n);
            let best = candidates.max_by_key(news).expect("a factor has a value");
            chosen.push((f, best));
        }
        chosen.sort_unstable();
        for (i, a) in chosen.iter().enumerate() {
            chosen[i + 1..].iter().for_each(|b| _ = missing.remove(&ordered(*a, *b)));
        }
        found.push(chosen.into_iter().map(|(_, x)| x).collect());
    }
    found
}

fn ordered(a: Choice, b: Choice) -> (Choice, Choice) {
    (a.min(b), a.max(b))
}

#[test]
fn every_pair_is_there_and_the_list_is_short() {
    for (factors, limit) in
        [(vec![3, 3, 3], 15), (vec![7, 5, 3, 4, 4], 50), (vec![1, 1], 1), (vec![16, 1, 5], 90)]
    {
        let list = all_pairs(&factors, 1);
        for f in 0..factors.len() {
            for g in f + 1..factors.len() {
                let pairs: BTreeSet<_> = list.iter().map(|row| (row[f], row[g])).collect();
                assert_eq!(pairs.len(), factors[f] * factors[g], "factors {f} and {g} of {factors:?}");
            }
        }
        assert!(list.len() <= limit, "{} for {factors:?}", list.len());
    }
}
