# Where the MPIs from wheels are; sourced.
export MPIS=${MPIS:-$HOME/.cache/mpi-rs-ci}
export CARGO_TERM_COLOR=never
