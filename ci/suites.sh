#!/usr/bin/env bash
# The test suite on one MPI: suites.sh openmpi|mpich5|mpich4|smoke; or with every count above 5 as a large one: low
set -uo pipefail
cd "$(dirname "$0")/.."
. ci/lib.sh
. ci/env.sh

# The crate's own tests; those of the tools do not depend on the MPI.
on() { # name of the MPI for --mpi
    timeout -k 10 1500 cargo xmpi --mpi "$1" test -p mpi --tests
}

# A build, a two-rank job that must reduce to the right sum, and one step further: a small solver run.
smoke() { # name, what --mpi takes
    check "$1: hello on two ranks" bash -c "timeout -k 10 600 cargo xmpi --mpi '$2' run -n 2 --timeout 60 --example hello | tee /dev/stderr | grep -q 'ranks add up to 1'"
    check "$1: solver on two ranks" timeout -k 10 600 cargo xmpi --mpi "$2" run -n 2 --timeout 60 --example jacobi -- \
        --image examples/data/small.png --output "$(mktemp -u --suffix=.png)"
}

case ${1:?which suite} in
openmpi) timeout -k 10 2400 cargo xmpi --setup test ;;
mpich5) on "$MPIS/mpich5" ;;
# Its ranks do not yield: more than there are cores take milliseconds for each collective.
mpich4) MPI_TEST_MAX_RANKS=2 on mpich ;;
# More than 5 elements go as more than 2^31 do: by derived types, by functions for large counts, in pieces.
low)
    export MPI_TEST_LOW_LIMIT=1 MPI_TEST_MAX_RANKS=3
    code=0 suites=()
    for suite in data layouts derived collectives p2p in_flight owned persistent partitioned grid; do suites+=(--test $suite); done
    for mpi in "" "--mpi=$MPIS/mpich5"; do # in the folders of the suites above: this crate alone is built again
        timeout -k 10 1500 cargo xmpi ${mpi:+"$mpi"} test -p mpi "${suites[@]}" || code=1
    done
    exit $code
    ;;
smoke)
    smoke "Open MPI 5.0.11" "$MPIS/ompi5"
    # The one that has persistent collectives of Open MPI's kind, and keeps persistent requests that have failed.
    check "Open MPI 5.0.11: collectives in every form, plans" timeout -k 10 900 \
        cargo xmpi --mpi "$MPIS/ompi5" test -p mpi --test grid --test persistent
    smoke "Intel MPI 2021.19" "$MPIS/intel"
    finish
    ;;
*) echo "suites.sh: no suite named $1" >&2; exit 2 ;;
esac
