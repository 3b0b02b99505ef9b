#!/usr/bin/env bash
# Format, lints, documentation, and the build without any MPI.
set -uo pipefail
cd "$(dirname "$0")/.."
. ci/lib.sh

check "fmt" cargo fmt --all --check
check "fmt of the fake MPI's tests" cargo fmt --manifest-path tests/miri/Cargo.toml --check
check "clippy" cargo clippy --quiet --workspace --all-targets --all-features -- -D warnings
check "docs" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --all-features
check "stub mode" env MPI_SYS_STUB=1 PATH="$(dirname "$(command -v cargo)"):/usr/bin:/bin" LIBCLANG_PATH=/nonexistent \
    cargo check --quiet -p mpi --target-dir target/stub
check "no unsafe in the examples" bash -c '! grep -rn unsafe examples/'
check "only src/ffi.rs names mpi_sys" bash -c '! grep -rln "mpi_sys" src/ | grep -vx src/ffi.rs'
check "docs/coverage.md is up to date" python3 ci/coverage.py --check
check "the tests that docs/proof.md names exist" python3 ci/exploits.py
check "every script in ci/ is called, or named in CONTRIBUTING" bash -c 'for f in ci/*.sh ci/*.py; do grep -lF "$f" .ci/run CONTRIBUTING.md $(ls ci/*.sh ci/*.py | grep -vx "$f") >/dev/null || { echo "nobody calls $f"; exit 1; }; done'
finish
