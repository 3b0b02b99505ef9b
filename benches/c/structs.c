/* The twin of benches/structs.rs: the same structs, described by hand. Usage: structs KIND LEN ROUNDS, on two ranks */
#include "timing.h"
#include <stddef.h>

typedef struct { double x, y, z; } Row;
typedef struct { double x, y; uint64_t id; } Struct;
typedef struct { double x, y; uint32_t id; } Padded;

static MPI_Datatype describe(const MPI_Aint places[3], MPI_Datatype last, size_t size) {
    const int lengths[] = {1, 1, 1};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE, last};
    MPI_Datatype fitted, type;
    CHECK(MPI_Type_create_struct(3, lengths, places, types, &fitted));
    CHECK(MPI_Type_create_resized(fitted, 0, (MPI_Aint)size, &type));
    CHECK(MPI_Type_commit(&type));
    CHECK(MPI_Type_free(&fitted));
    return type;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time of half a round trip. */
static double one_way(MPI_Comm comm, int rank, void *values, int len, MPI_Datatype type, size_t rounds) {
    double *times = room(rounds * sizeof *times);
    for (size_t i = 0; i < rounds; i++) {
        MPI_Status status;
        CHECK(MPI_Barrier(comm));
        double start = MPI_Wtime();
        if (rank == 0) {
            CHECK(MPI_Send(values, len, type, 1, 0, comm));
            CHECK(MPI_Recv(values, len, type, 1, 0, comm, &status));
        } else {
            CHECK(MPI_Recv(values, len, type, 0, 0, comm, &status));
            CHECK(MPI_Send(values, len, type, 0, 0, comm));
        }
        times[i] = (MPI_Wtime() - start) / 2;
    }
    qsort(times, rounds, sizeof *times, by_value);
    double median = times[rounds / 2];
    free(times);
    return median;
}

/* Rank 0 alone has values at first: the other one's must come from there. */
#define MEASURE(T, last, last_type) do { \
    T *values = room(len * sizeof *values); \
    for (size_t i = 0; i < len; i++) { \
        size_t n = rank == 0 ? i : 0; \
        values[i] = (T){n, 2 * n, 3 * n}; \
    } \
    const MPI_Aint places[] = {offsetof(T, x), offsetof(T, y), offsetof(T, last)}; \
    MPI_Datatype type = describe(places, last_type, sizeof *values); \
    time = one_way(comm, rank, values, (int)len, type, rounds); \
    for (size_t i = 0; i < len; i++) \
        mine += (i + 1) * ((uint64_t)values[i].x + 5 * (uint64_t)values[i].y + 7 * (uint64_t)values[i].last); \
    CHECK(MPI_Type_free(&type)); \
    free(values); \
} while (0)

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    const char *kind = argv[1];
    size_t len, rounds;
    MPI_Comm comm = start(argc - 1, argv + 1, &len, &rounds);
    int rank;
    CHECK(MPI_Comm_rank(comm, &rank));
    double time = 0;
    uint64_t mine = 0, all;
    if (!strcmp(kind, "row")) MEASURE(Row, z, MPI_DOUBLE);
    else if (!strcmp(kind, "padded")) MEASURE(Padded, id, MPI_UINT32_T);
    else MEASURE(Struct, id, MPI_UINT64_T); /* also for what Rust sends as bytes */
    CHECK(MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, comm));
    if (rank == 0) printf("time %.9f\nfingerprint %016lx\n", time, (unsigned long)all);
    CHECK(MPI_Finalize());
    return 0;
}
