//! The small examples: right on random input, on any number of ranks, and as short as they should be.
#![allow(clippy::duplicate_mod, reason = "a whole example brings what the examples share")]

#[path = "common/example.rs"]
mod example;
#[path = "../examples/bfs/graph.rs"]
mod graph;
#[path = "../examples/ndarray_halo/main.rs"]
#[allow(dead_code, reason = "it is a whole program")]
mod ndarray_halo;
#[path = "../examples/particles/main.rs"]
#[allow(dead_code, reason = "it is a whole program")]
mod particles;
#[path = "../examples/bfs/search.rs"]
mod search;
#[path = "../examples/sample_sort/sort.rs"]
mod sort;
#[path = "../examples/timing/mod.rs"]
#[allow(dead_code, reason = "the examples use the rest of it")]
mod timing;

use mpi::buffer::Counts;
use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPIEXEC, PREFIX};
use mpi::{Communicator, Result};
use mpi_config::launch::{Launcher, Options, Output};
use ndarray::{Array2, s};
use particles::Body;
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;
use timing::random;

#[mpi::test(ranks = [1, 2, 3, 4, 5, 6, 7, 8])]
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

/// A step of all bodies in one process.
fn moved(bodies: &[Body]) -> Vec<Body> {
    let moved = |body: &Body| {
        let mut sum = [0.0; 3];
        for other in bodies {
            let [x, y, z] = [0, 1, 2].map(|k| other.at[k] - body.at[k]);
            let square: f64 = x * x + y * y + z * z + 0.01;
            let pull = other.mass / (square * square.sqrt());
            sum = [sum[0] + pull * x, sum[1] + pull * y, sum[2] + pull * z];
        }
        let velocity = [0, 1, 2].map(|k| body.velocity[k] + 0.0001 * sum[k]);
        Body { at: [0, 1, 2].map(|k| body.at[k] + 0.0001 * velocity[k]), velocity, mass: body.mass }
    };
    bodies.iter().map(moved).collect()
}

/// Bodies that one process moves; every number must be the same to the last bit, since all sums are in the same order.
#[mpi::test(ranks = [1, 2, 3, 4, 5, 6, 7, 8])]
fn moved_over_all_ranks(world: Communicator) -> Result<()> {
    let number = |i: u64| (random(7, i) >> 11) as f64 / (1u64 << 53) as f64;
    for bodies in [1, 6, 40] {
        let three = |i: u64| [number(i), number(i + 1), number(i + 2)];
        let body = |i: u64| Body { at: three(7 * i), velocity: three(7 * i + 3), mass: number(7 * i + 6) };
        let mut expected: Vec<Body> = (0..bodies).map(body).collect();
        let counts = Counts::even(expected.len(), world.size())?;
        let mut all = expected.clone();
        let mut mine = expected[counts.range(world.rank())].to_vec();
        for _ in 0..5 {
            particles::step(&world, &counts, &mut mine, &mut all)?;
            expected = moved(&expected);
            assert_eq!((&mine[..], &all), (&expected[counts.range(world.rank())], &expected));
        }
    }
    Ok(())
}

/// A plate in one process: `rows` by `cols` cells after so many steps, and the warm edge around them.
fn warmed(rows: usize, cols: usize, steps: usize) -> Array2<f64> {
    let is_edge = |(i, j)| i == 0 || i == rows + 1 || j == 0 || j == cols + 1;
    let mut plate = Array2::from_shape_fn((rows + 2, cols + 2), |at| f64::from(is_edge(at)));
    for _ in 0..steps {
        let mean =
            |(i, j)| (plate[(i - 1, j)] + plate[(i + 1, j)] + plate[(i, j - 1)] + plate[(i, j + 1)]) / 4.0;
        let next = |at| if is_edge(at) { plate[at] } else { mean(at) };
        plate = Array2::from_shape_fn(plate.dim(), next);
    }
    plate
}

/// The same plate in parts; every number must be the same to the last bit, since all sums are in the same order.
#[mpi::test(ranks = [1, 2, 3, 4, 6])]
fn warmed_over_all_ranks(world: Communicator) -> Result<()> {
    let grid = ndarray_halo::grid(&world)?;
    let (dims, place) = (grid.dims(), grid.my_coords());
    for (cells, steps) in [(1, 9), (2, 0), (7, 20), (16, 5)] {
        let got = ndarray_halo::warmed(&grid, cells, steps)?;
        let all = warmed(dims[0] * cells, dims[1] * cells, steps);
        let (first, left) = (place[0] * cells + 1, place[1] * cells + 1);
        let expected = all.slice(s![first..first + cells, left..left + cells]);
        assert_eq!(got.slice(s![1..=cells, 1..=cells]), expected, "{cells} cells, {steps} steps");
    }
    Ok(())
}

/// The program itself: the coldest cells lie where its ranks meet.
#[test]
fn the_coldest_cell_of_two_ranks() {
    if MPIEXEC.is_empty() {
        return; // stub mode: there is nothing to run
    }
    let launcher = Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX).unwrap();
    let options = Options { ranks: 2, timeout: Some(Duration::from_secs(60)), ..Options::default() };
    let program = example::build("ndarray_halo");
    let job = launcher.start(&options, &program, &["8".into(), "40".into()], Output::Capture);
    let ending = job.unwrap().wait().unwrap();
    let coldest = warmed(16, 8, 40).fold(f64::INFINITY, |cold, &cell| cold.min(cell));
    let line = format!("after 40 steps the coldest cell has {coldest:.6}");
    let stdout = String::from_utf8_lossy(&ending.stdout);
    assert!(ending.exit_code() == 0 && stdout.contains(&line), "{line} is not in {ending:?}");
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

#[mpi::test(ranks = [1, 2, 3, 4, 5, 6, 7, 8])]
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
    code(&body[..end + 2])
}

/// Lines without blanks and comments.
fn code(text: &str) -> usize {
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with("/*");
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line)).count()
}

/// The shortest that users of C++ have (KaMPIng), by one rule: no blanks, no comments.
#[test]
fn as_short_as_the_best() {
    let text = include_str!("../examples/allgatherv/main.rs");
    let is_communication = |line: &&str| {
        let is_local = |call: &&str| call.starts_with("rank()") || call.starts_with("size()");
        !line.trim().starts_with("//") && !line.split("world.").skip(1).all(|call| is_local(&call))
    };
    assert_eq!(text.lines().filter(is_communication).count(), 1, "{text}");
    assert!(lines("sample_sort/sort.rs", "sample_sort") <= 16);
    assert!(lines("bfs/search.rs", "bfs") <= 22);
    let (rust, c) = (include_str!("../examples/particles/main.rs"), include_str!("../benches/c/particles.c"));
    assert!(2 * code(rust) <= code(c), "particles: {} lines, in C {}", code(rust), code(c));
}
