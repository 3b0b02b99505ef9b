//! The small examples: right on random input, on any number of ranks, and as short as they should be.

#[path = "../examples/bfs/graph.rs"]
mod graph;
#[path = "../examples/bfs/search.rs"]
mod search;
#[path = "../examples/sample_sort/sort.rs"]
mod sort;
#[path = "../examples/particles/step.rs"]
mod step;
#[path = "../examples/timing/mod.rs"]
#[allow(dead_code, reason = "the examples use the rest of it")]
mod timing;

use mpi::buffer::Counts;
use mpi::{Communicator, Result};
use std::collections::VecDeque;
use std::path::Path;
use timing::random;

#[mpi::test(ranks = [1, 2, 3, 4, 5, 7, 8])]
fn sorted_over_all_ranks(world: Communicator) -> Result<()> {
    let (me, ranks) = (world.rank() as u64, world.size() as u64);
    // Few values, so that many are equal; none at all at some ranks, or at all of them.
    let kinds: [&dyn Fn(u64) -> Vec<u64>; 5] = [
        &|rank| (0..1000).map(|i| random(rank, i)).collect(),
        &|rank| (0..300 * rank).map(|i| random(rank, i) % 5).collect(),
        &|rank| if rank == ranks - 1 { (0..77).rev().collect() } else { vec![] },
        &|rank| vec![rank],
        &|_| vec![],
    ];
    for input in kinds {
        let mine = sort::sample_sort(input(me), &world)?;
        let mut expected: Vec<u64> = (0..ranks).flat_map(input).collect();
        expected.sort_unstable();
        assert_eq!(world.allgatherv(&mine)?, expected);
    }
    // Any type with an order.
    let mine = sort::sample_sort(vec!['z', 'a', char::from_digit(me as u32, 10).unwrap_or('?')], &world)?;
    let all = world.allgatherv(&mine)?;
    assert!(all.is_sorted() && all.len() == 3 * world.size(), "{all:?}");
    Ok(())
}

/// Bodies that one process moves; every number must be the same to the last bit, since all sums are in the same order.
#[mpi::test(ranks = [1, 2, 3, 4, 5, 7, 8])]
fn moved_over_all_ranks(world: Communicator) -> Result<()> {
    let number = |i: u64| (random(7, i) >> 11) as f64 / (1u64 << 53) as f64;
    for bodies in [1, 6, 40] {
        let three = |i: u64| [number(i), number(i + 1), number(i + 2)];
        let body =
            |i: u64| step::Body { at: three(7 * i), velocity: three(7 * i + 3), mass: number(7 * i + 6) };
        let mut expected: Vec<step::Body> = (0..bodies).map(body).collect();
        let counts = Counts::even(expected.len(), world.size())?;
        let mut all = vec![step::Body::default(); expected.len()];
        let mut mine = expected[counts.range(world.rank())].to_vec();
        for _ in 0..5 {
            step::step(&world, &counts, &mut mine, &mut all)?;
            let before = expected.clone();
            expected.iter_mut().for_each(|body| body.advance(&before));
        }
        assert_eq!(mine, expected[counts.range(world.rank())]);
    }
    Ok(())
}

/// The distances in one process.
fn distances(vertices: usize, source: u64, edges: impl Fn(u64) -> Vec<u64>) -> Vec<u64> {
    let mut distances = vec![search::FAR; vertices];
    let mut queue = VecDeque::from([(source, 0)]);
    while let Some((v, distance)) = queue.pop_front() {
        if distances[v as usize] == search::FAR {
            distances[v as usize] = distance;
            queue.extend(edges(v).into_iter().map(|to| (to, distance + 1)));
        }
    }
    distances
}

#[mpi::test(ranks = [1, 2, 3, 4, 5, 7, 8])]
fn searched_over_all_ranks(world: Communicator) -> Result<()> {
    // Sparse enough that some vertices cannot be reached; a path; fewer vertices than ranks; one without edges.
    type Kind<'a> = (usize, &'a dyn Fn(u64) -> Vec<u64>);
    let kinds: [Kind<'_>; 4] = [
        (500, &|v| (0..v % 4).map(|i| random(3, 8 * v + i) % 500).collect()),
        (40, &|v| vec![(v + 1) % 40]),
        (3, &|v| vec![2 - v]),
        (1, &|_| vec![]),
    ];
    for (vertices, edges) in kinds {
        let graph = graph::Graph::new(vertices, world.rank(), world.size(), edges);
        for source in [0, vertices as u64 / 2] {
            let mine = search::bfs(&graph, source, &world)?;
            assert_eq!(world.allgatherv(&mine)?, distances(vertices, source, edges), "from {source}");
        }
    }
    Ok(())
}

/// The lines of a function in `examples`, without blanks and comments.
#[track_caller]
fn lines(file: &str, function: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(file);
    let text = std::fs::read_to_string(&path).expect("an example's file");
    let start = text.find(&format!("pub fn {function}")).expect("the function");
    let body = &text[start..];
    let end = body.find("\n}\n").expect("the function's end");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    body[..end + 2].lines().filter(is_code).count()
}

/// The shortest that users of C++ have (KaMPIng), by one rule: no blanks, no comments.
#[test]
fn as_short_as_the_best() {
    let text = include_str!("../examples/allgatherv/main.rs");
    assert_eq!(text.lines().filter(|line| line.contains("// the communication")).count(), 1);
    assert!(lines("sample_sort/sort.rs", "sample_sort") <= 16);
    assert!(lines("bfs/search.rs", "bfs") <= 22);
}
