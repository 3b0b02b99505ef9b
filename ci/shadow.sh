#!/usr/bin/env bash
# Ten thousand random programs on a real MPI beside the model (tests/shadow), a quarter of them on each of 1, 2, 3 and 4
# ranks. CI runs a thousand. shadow.sh [what --mpi takes]; the figures are in docs/proof.md.
set -euo pipefail
cd "$(dirname "$0")/.."
export SHADOW_CASES=2500 MPI_TEST_TIMEOUT=1800 MPI_TEST_VERBOSE=1
cargo xmpi ${1:+--mpi "$1"} test -p mpi --test shadow -- --nocapture
