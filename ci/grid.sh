#!/usr/bin/env bash
# The whole grid of collectives (tests/grid): every form of each with every element type, operation, length, root,
# communicator and rank count, 63,856 calls on each rank count. CI runs all pairs.
# grid.sh [what --mpi takes [rank counts, as in 5,7]]; the figures are in docs/proof.md.
set -euo pipefail
cd "$(dirname "$0")/.."
export GRID="${2:-full}" MPI_TEST_TIMEOUT=7200 MPI_TEST_VERBOSE=1
# Optimized, since most of the time goes into what the model says of every element; with the checks of a debug build.
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
cargo xmpi ${1:+--mpi "$1"} test --release -p mpi --test grid -- --nocapture whole_product
