//! Breadth-first search over all ranks.

use crate::graph::Graph;
use mpi::op::Sum;
use mpi::{Communicator, Result};

/// What is not reached from the source.
pub const FAR: u64 = u64::MAX;

/// How many edges lead from `source` to each of this rank's vertices, at least.
pub fn bfs(graph: &Graph, source: u64, world: &Communicator) -> Result<Vec<u64>> {
    let mut distances = vec![FAR; graph.mine().count()];
    let mut frontier: Vec<u64> = graph.mine().filter(|&v| v == source).collect();
    let (mut distance, mut next) = (0, vec![Vec::new(); world.size()]);
    while world.allreduce(&frontier.len(), Sum)? > 0 {
        for v in frontier.into_iter().map(|v| graph.local(v)) {
            if distances[v] == FAR {
                distances[v] = distance;
                graph.neighbors(v).iter().for_each(|&to| next[graph.owner(to)].push(to));
            }
        }
        frontier = world.alltoallv(&next)?;
        next.iter_mut().for_each(Vec::clear);
        distance += 1;
    }
    Ok(distances)
}
