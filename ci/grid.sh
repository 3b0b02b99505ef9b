#!/usr/bin/env bash
# The whole grid of collectives (tests/grid): every form of each with every element type, operation, length, root,
# communicator and rank count, some 63,000 calls on each rank count. CI runs all pairs.
# grid.sh [what --mpi takes [rank counts, as in 5,7]]; the figures are in docs/proof.md.
set -euo pipefail
cd "$(dirname "$0")/.."
export GRID="${2:-full}" MPI_TEST_TIMEOUT=7200 MPI_TEST_VERBOSE=1
cargo xmpi ${1:+--mpi "$1"} test -p mpi --test grid -- --nocapture whole_product
