//! Breadth-first search over all ranks.

use crate::graph::Graph;
use mpi::buffer::Counted;
use mpi::op::Sum;
use mpi::{Communicator, Result};

/// What is not reached from the source.
pub const FAR: u64 = u64::MAX;

/// How many edges lead from `source` to each of this rank's vertices, at least.
pub fn bfs(graph: &Graph, source: u64, world: &Communicator) -> Result<Vec<u64>> {
    let mut distances = vec![FAR; graph.mine().count()];
    let mut frontier: Vec<u64> = graph.mine().filter(|&v| v == source).collect();
    let mut distance = 0;
    while world.allreduce(&frontier.len(), Sum)? > 0 {
        frontier.retain(|&v| {
            let known = &mut distances[graph.local(v)];
            std::mem::replace(known, distance.min(*known)) == FAR
        });
        let next = frontier.iter().flat_map(|&v| graph.neighbors(graph.local(v))).copied();
        frontier = world.alltoallv(&Counted::by_rank(next, world.size(), |&to| graph.owner(to))?)?;
        distance += 1;
    }
    Ok(distances)
}
