#!/usr/bin/env bash
# The suite on up to two ranks under Valgrind's memcheck, on Debian's MPICH, whose library is clean under it. Not part of
# every CI run: it takes some minutes. memcheck.sh [test target …]
#
# An invalid access, or a jump or system call that depends on uninitialized memory, anywhere in a rank is a failure, the
# libraries included: they need no suppression.
set -uo pipefail
cd "$(dirname "$0")/.."
targets=("${@:-in_flight}")
[ $# -gt 0 ] || targets=(p2p in_flight owned persistent collectives shadow)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

export MPI_TEST_MAX_RANKS=2 MPI_TEST_TIMEOUT=x20 SHADOW_CASES="${SHADOW_CASES:-40}"
export MPI_TEST_WRAPPER="valgrind --quiet --leak-check=no --log-file=$logs/%p"
passed=0 failed=0
for target in "${targets[@]}"; do
    if cargo xmpi --mpi mpich test -p mpi --test "$target"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
# Valgrind's own warnings (that it ignores SHM_HUGETLB) are no findings.
if grep -hE 'Invalid|uninitialised|Process terminating|overlap' "$logs"/*; then
    cat "$logs"/* | head -n 200
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
echo "$(find "$logs" -type f | wc -l) ranks watched"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
