/* What the small C twins share with examples/timing/mod.rs: random numbers, a loop that is timed, what is printed of it. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) do { int code_ = (call); if (__builtin_expect(code_ != MPI_SUCCESS, 0)) failed(code_, #call); } while (0)
static void failed(int code, const char *call) {
    fprintf(stderr, "%s failed: %d\n", call, code);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *room(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) failed(0, "malloc");
    return memory;
}

/* SplitMix64 */
static inline uint64_t random_number(uint64_t stream, uint64_t i) {
    uint64_t x = ((stream << 40) + i) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* An array and its length. */
typedef struct { uint64_t *at; size_t len; } Array;

static uint64_t digest(int rank, Array all) {
    uint64_t sum = rank;
    for (size_t i = 0; i < all.len; i++) sum += (all.at[i] ^ (i + 1)) * (i + 1);
    return sum;
}

static void timed(MPI_Comm comm, size_t rounds, Array (*round)(MPI_Comm, void *), void *input) {
    int rank;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Barrier(comm));
    double start = MPI_Wtime();
    for (size_t i = 1; i < rounds; i++) free(round(comm, input).at);
    Array last = round(comm, input);
    CHECK(MPI_Barrier(comm));
    double seconds = MPI_Wtime() - start;
    uint64_t mine = digest(rank, last), all;
    CHECK(MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, comm));
    free(last.at);
    if (rank == 0) printf("rounds %zu\ntime %.9f\nfingerprint %016lx\n", rounds, seconds, (unsigned long)all);
}

/* Starts MPI as mpi::init does, and reads SIZE ROUNDS. */
static MPI_Comm start(int argc, char **argv, size_t *size, size_t *rounds) {
    int provided;
    CHECK(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (argc > 1) *size = strtoul(argv[1], NULL, 10);
    *rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    return MPI_COMM_WORLD;
}
