#!/usr/bin/env bash
# More than 2^31 elements in one call on one rank (benches/large.rs). Needs 5 GB and some minutes, so it is no part of
# CI; the figures are in docs/proof.md. large.sh [MPICC …]
set -euo pipefail
cd "$(dirname "$0")/.."
# As a singleton, and as root; the transports that cost a second to start are not needed.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self
for mpicc in "${@:-mpicc.openmpi}"; do
    name=$(basename "$(dirname "$(dirname "$(command -v "$mpicc")")")")
    [ "$mpicc" != mpicc.openmpi ] || name=openmpi
    echo "$mpicc:"
    MPICC=$mpicc timeout 1200 cargo bench --quiet -p mpi --bench large --target-dir "target/cost-$name"
done
