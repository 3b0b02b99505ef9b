/* The twin of examples/columns. */
#include "timing.h"

typedef struct {
    size_t rows;
    int ranks, *counts, *displs, *blocks;
    MPI_Datatype *columns, *cells;
    uint64_t *mine;
} Matrix;

static Array transpose(MPI_Comm comm, void *input) {
    Matrix *m = input;
    int block = (int)(m->rows * m->rows);
    Array all = {NULL, m->rows * m->rows * m->ranks};
    all.at = room(all.len * sizeof *all.at);
    int *counts = room(m->ranks * sizeof *counts), *displs = room(m->ranks * sizeof *displs);
    MPI_Datatype *types = room(m->ranks * sizeof *types);
    for (int i = 0; i < m->ranks; i++) {
        counts[i] = block;
        displs[i] = i * block * (int)sizeof *all.at;
        types[i] = MPI_UINT64_T;
    }
    CHECK(MPI_Alltoallw(m->mine, m->counts, m->displs, m->columns, all.at, counts, displs, types, comm));
    free(counts);
    free(displs);
    free(types);
    return all;
}

int main(int argc, char **argv) {
    size_t rows = 5, rounds;
    MPI_Comm comm = start(argc, argv, &rows, &rounds);
    int rank, ranks;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &ranks));
    size_t cols = rows * ranks;
    Matrix m = {.rows = rows, .ranks = ranks};
    m.mine = room(rows * cols * sizeof *m.mine);
    for (size_t i = 0; i < rows * cols; i++) m.mine[i] = random_number(rank, i);
    MPI_Datatype column, resized, columns;
    CHECK(MPI_Type_vector((int)rows, 1, (int)cols, MPI_UINT64_T, &column));
    CHECK(MPI_Type_create_resized(column, 0, sizeof(uint64_t), &resized));
    CHECK(MPI_Type_contiguous((int)rows, resized, &columns));
    CHECK(MPI_Type_commit(&columns));
    m.counts = room(ranks * sizeof *m.counts);
    m.displs = room(ranks * sizeof *m.displs);
    m.columns = room(ranks * sizeof *m.columns);
    for (int i = 0; i < ranks; i++) {
        m.counts[i] = 1;
        m.displs[i] = (int)(i * rows * sizeof(uint64_t));
        m.columns[i] = columns;
    }
    timed(comm, rounds, transpose, &m);
    CHECK(MPI_Type_free(&columns));
    CHECK(MPI_Type_free(&resized));
    CHECK(MPI_Type_free(&column));
    CHECK(MPI_Finalize());
    return 0;
}
