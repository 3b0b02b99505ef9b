#!/usr/bin/env bash
# The safe layer on a fake MPI that reads and writes in flight (src/sys_fake), with a tool watching every access.
#
# With Miri: under Stacked Borrows and under Tree Borrows. Without: an address sanitizer instead, which sees memory
# that is gone but no aliasing. The last lines are libtest's results.
set -euo pipefail
cd "$(dirname "$0")/../tests/miri"

export MPI_SYS_STUB=1 RUSTUP_AUTO_INSTALL=0 RUST_BACKTRACE=0
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../../target}/miri"
host=$(rustc -vV | sed -n 's/^host: //p')

has_miri() {
    cargo +nightly miri --version && test -d "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library"
} >/dev/null 2>&1

# What the mode in force runs: `with test`, `with run --example NAME`.
with() {
    case $mode in
        stacked) MIRIFLAGS="-Zmiri-ignore-leaks -Zmiri-disable-isolation" cargo +nightly miri "$@" ;;
        tree) MIRIFLAGS="-Zmiri-ignore-leaks -Zmiri-disable-isolation -Zmiri-tree-borrows" cargo +nightly miri "$@" ;;
        sanitizer)
            RUSTC_BOOTSTRAP=1 RUSTFLAGS="--cfg miri -Zsanitizer=address" \
                ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \
                cargo "$1" --target "$host" "${@:2}"
            ;;
    esac
}

# A program that must end itself: not with success, with the line it announces, and without going on.
check_abort() {
    local name=$1 expected out status=0
    expected=$(sed -n '1s|^//! expect: ||p' "examples/$name.rs")
    out=$(with run --quiet --example "$name" 2>&1) || status=$?
    if [ "$status" -eq 0 ] || [[ $out == *survived* ]] || ! grep -qF -- "$expected" <<<"$out"; then
        printf 'FAILED: %s ended with %s; expected: %s\n%s\n' "$name" "$status" "$expected" "$out" >&2
        return 1
    fi
    echo "$name ($mode): ended as it must"
}

if has_miri; then
    modes="stacked tree"
else
    echo "skipped: no nightly with Miri; an address sanitizer watches instead"
    modes="sanitizer"
fi

# Everything in the mode in force.
all() {
    local example out
    for example in examples/abort_*.rs; do
        check_abort "$(basename "$example" .rs)"
    done
    if [ "$mode" = sanitizer ]; then
        # Where nobody reads stderr, the line is lost, and nothing else may change.
        out=$( ("$CARGO_TARGET_DIR/$host/debug/examples/abort_error_in_flight" 2> >(exec true)) || true)
        [ -z "$out" ] || { echo "FAILED: without a reader of stderr: $out" >&2; exit 1; }
    fi
    with test --tests -- --test-threads=1
}

# The modes side by side: each runs its programs one after the other.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
for mode in $modes; do
    with test --tests --no-run --quiet
    all >"$logs/$mode" 2>&1 &
    echo $! >"$logs/$mode.pid"
done
status=0
for mode in $modes; do
    wait "$(cat "$logs/$mode.pid")" || status=$?
    echo "the fake MPI, watched by: $mode"
    cat "$logs/$mode"
done
exit "$status"
