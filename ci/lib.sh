# Counting and timing for CI scripts; sourced.
PASSED=0 FAILED=0 BROKEN=()
START=$SECONDS

# check NAME COMMAND…: one thing that must succeed.
check() {
    local name=$1 since=$SECONDS; shift
    echo; echo "=== $name"
    if "$@" </dev/null; then PASSED=$((PASSED + 1)); else FAILED=$((FAILED + 1)); BROKEN+=("$name"); echo "FAILED: $name"; fi
    echo "=== $name: $((SECONDS - since)) s"
}

# part NAME COMMAND…: a command that counts by itself. Its sum is what its last `N passed, N failed` lines and
# libtest's `test result:` lines say; one that fails without a failed test counts as one failure.
part() {
    local name=$1 since=$SECONDS log passed failed code; shift
    log=$(mktemp)
    echo; echo "=== $name"
    "$@" </dev/null 2>&1 | tee "$log"; code=${PIPESTATUS[0]}
    read -r passed failed < <(sums <"$log")
    [ "$code" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    PASSED=$((PASSED + passed)) FAILED=$((FAILED + failed))
    [ "$failed" -eq 0 ] || BROKEN+=("$name")
    echo "=== $name: $passed passed, $failed failed in $((SECONDS - since)) s"
    rm -f "$log"
}

# The sum of the lines that are exactly `N passed, N failed`; if there are none, of libtest's result lines.
sums() {
    awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; own = 1 }
         /^test result: / { lp += $4; lf += $6 }
         END { if (own) print p + 0, f + 0; else print lp + 0, lf + 0 }'
}

finish() {
    echo
    [ ${#BROKEN[@]} -eq 0 ] || printf 'broken: %s\n' "${BROKEN[@]}"
    echo "took $((SECONDS - START)) s"
    echo "$PASSED passed, $FAILED failed"
    [ "$FAILED" -eq 0 ]
}
