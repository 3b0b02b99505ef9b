/* The twin of examples/allgatherv. */
#include "timing.h"

static Array allgatherv(MPI_Comm comm, void *input) {
    Array *mine = input, all;
    int ranks, len = (int)mine->len;
    CHECK(MPI_Comm_size(comm, &ranks));
    int *counts = room(ranks * sizeof *counts), *displs = room(ranks * sizeof *displs);
    CHECK(MPI_Allgather(&len, 1, MPI_INT, counts, 1, MPI_INT, comm));
    displs[0] = 0;
    for (int i = 1; i < ranks; i++) displs[i] = displs[i - 1] + counts[i - 1];
    all.len = displs[ranks - 1] + counts[ranks - 1];
    all.at = room(all.len * sizeof *all.at);
    CHECK(MPI_Allgatherv(mine->at, len, MPI_UINT64_T, all.at, counts, displs, MPI_UINT64_T, comm));
    free(counts);
    free(displs);
    return all;
}

int main(int argc, char **argv) {
    size_t size = 10, rounds;
    MPI_Comm comm = start(argc, argv, &size, &rounds);
    int rank, ranks;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &ranks));
    Array mine = {NULL, size * (rank + 1) / ranks};
    mine.at = room(mine.len * sizeof *mine.at);
    for (size_t i = 0; i < mine.len; i++) mine.at[i] = random_number(rank, i);
    timed(comm, rounds, allgatherv, &mine);
    CHECK(MPI_Finalize());
    return 0;
}
