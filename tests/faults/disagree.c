/* Ranks that disagree on a length, in every collective: whatever the library makes of it, nothing outside the buffers may
 * change. Rank 0 brings `a` elements, the others `b`.
 *
 *   disagree                 every nonblocking form with many lengths, in one job; what hangs is left behind
 *   disagree NAME a b        one blocking form; a hang ends the job after a while, with the same look at the guards
 *
 * Prints FAULT and a line if a guard was touched, else ok. An error of the library is as good as success. */
#include "fault.h"
#include <signal.h>

enum { GUARD = 1 << 15, BUFFERS = 4096 };

static struct { unsigned char *start; size_t len; } areas[BUFFERS];
static int n_areas;
static const char *current = "";

/* `n` doubles of zeros between guards. Never freed: what hangs may still be written to. */
static double *buffer(long n)
{
    size_t len = n * sizeof(double);
    unsigned char *start = malloc(len + 2 * GUARD);
    memset(start, 0xA5, len + 2 * GUARD);
    memset(start + GUARD, 0, len);
    areas[n_areas].start = start, areas[n_areas++].len = len;
    return (double *)(start + GUARD);
}

static int touched(void)
{
    for (int i = 0; i < n_areas; i++)
        for (size_t k = 0; k < GUARD; k++)
            if (areas[i].start[k] != 0xA5 || areas[i].start[GUARD + areas[i].len + k] != 0xA5) return 1;
    return 0;
}

static void late(int signal)
{
    (void)signal;
    const char *text = touched() ? "FAULT: a guard was touched\n" : "hangs, and no guard was touched\n";
    if (write(1, text, strlen(text)) < 0) _exit(3);
    _exit(touched() ? FAULT : OK);
}

static const char *const names[] = { "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
    "alltoallw", "reduce", "allreduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan", "neighbor_allgather",
    "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw", NULL };

#define CALL(name, lower, ...) (request ? MPI_I##lower(__VA_ARGS__, comm, request) : MPI_##name(__VA_ARGS__, comm))

/* The calls of one rank that believes that everybody's length is `n`, with buffers for just that. */
static void collective(const char *name, long n, MPI_Comm comm, MPI_Request *request)
{
    enum { MOST = 16 };
    int rank, size, root = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int blocks = strncmp(name, "neighbor", 8) ? size : 2;
    static int counts[1024][MOST], displs[1024][MOST];
    static MPI_Aint bytes[1024][MOST];
    static MPI_Datatype types[1024][MOST];
    static int used;
    int *c = counts[used], *d = displs[used];
    MPI_Aint *a = bytes[used];
    MPI_Datatype *t = types[used++];
    int db[MOST];
    for (int i = 0; i < MOST; i++) c[i] = n, d[i] = i * n, a[i] = i * n * sizeof(double), t[i] = MPI_DOUBLE, db[i] = a[i];
    double *one = buffer(n), *room = buffer(n), *all = buffer(n * blocks), *all_room = buffer(n * blocks);
    MPI_Datatype D = MPI_DOUBLE;
    current = name;
    if (!strcmp(name, "bcast")) CALL(Bcast, bcast, one, n, D, root);
    if (!strcmp(name, "gather")) CALL(Gather, gather, one, n, D, all_room, n, D, root);
    if (!strcmp(name, "gatherv")) CALL(Gatherv, gatherv, one, n, D, all_room, c, d, D, root);
    if (!strcmp(name, "scatter")) CALL(Scatter, scatter, all, n, D, room, n, D, root);
    if (!strcmp(name, "scatterv")) CALL(Scatterv, scatterv, all, c, d, D, room, n, D, root);
    if (!strcmp(name, "allgather")) CALL(Allgather, allgather, one, n, D, all_room, n, D);
    if (!strcmp(name, "allgatherv")) CALL(Allgatherv, allgatherv, one, n, D, all_room, c, d, D);
    if (!strcmp(name, "alltoall")) CALL(Alltoall, alltoall, all, n, D, all_room, n, D);
    if (!strcmp(name, "alltoallv")) CALL(Alltoallv, alltoallv, all, c, d, D, all_room, c, d, D);
    if (!strcmp(name, "alltoallw")) {
        for (int i = 0; i < MOST; i++) d[i] = db[i];
        CALL(Alltoallw, alltoallw, all, c, d, t, all_room, c, d, t);
    }
    if (!strcmp(name, "reduce")) CALL(Reduce, reduce, one, room, n, D, MPI_SUM, root);
    if (!strcmp(name, "allreduce")) CALL(Allreduce, allreduce, one, room, n, D, MPI_SUM);
    if (!strcmp(name, "reduce_scatter_block")) CALL(Reduce_scatter_block, reduce_scatter_block, all, room, n, D, MPI_SUM);
    if (!strcmp(name, "reduce_scatter")) CALL(Reduce_scatter, reduce_scatter, all, room, c, D, MPI_SUM);
    if (!strcmp(name, "scan")) CALL(Scan, scan, one, room, n, D, MPI_SUM);
    if (!strcmp(name, "exscan")) CALL(Exscan, exscan, one, room, n, D, MPI_SUM);
    if (!strcmp(name, "neighbor_allgather")) CALL(Neighbor_allgather, neighbor_allgather, one, n, D, all_room, n, D);
    if (!strcmp(name, "neighbor_allgatherv")) CALL(Neighbor_allgatherv, neighbor_allgatherv, one, n, D, all_room, c, d, D);
    if (!strcmp(name, "neighbor_alltoall")) CALL(Neighbor_alltoall, neighbor_alltoall, all, n, D, all_room, n, D);
    if (!strcmp(name, "neighbor_alltoallv")) CALL(Neighbor_alltoallv, neighbor_alltoallv, all, c, d, D, all_room, c, d, D);
    if (!strcmp(name, "neighbor_alltoallw")) CALL(Neighbor_alltoallw, neighbor_alltoallw, all, c, a, t, all_room, c, a, t);
}

/* A ring, so that the neighbourhood forms have neighbours too. Contexts of its own for each case. */
static MPI_Comm fresh(void)
{
    int size;
    MPI_Comm ring;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){ 1 }, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    return ring;
}

static void in_flight(const char *name, long a, long b)
{
    int rank, done = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm = fresh();
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && getenv("VERBOSE")) fprintf(stderr, "i%s %ld %ld\n", name, a, b);
    collective(name, rank == 0 ? a : b, comm, &request);
    double end = MPI_Wtime() + 0.05;
    while (!done && MPI_Wtime() < end)
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 4) {
        signal(SIGALRM, late);
        alarm(3);
        MPI_Comm comm = fresh();
        collective(argv[1], atol(argv[rank == 0 ? 2 : 3]), comm, NULL);
        /* The others may hang: no verdict together. */
        const char *text = touched() ? "FAULT: a guard was touched\n" : "ok disagree\n";
        if (write(1, text, strlen(text)) < 0) return 3;
        _exit(touched() ? FAULT : OK);
    }
    static const long lengths[][2] = { { 1, 0 }, { 0, 1 }, { 8, 9 }, { 9, 8 }, { 8, 1000 }, { 1000, 8 }, { 0, 3000 }, { 3000, 0 },
        { 8, 30000 }, { 30000, 8 } };
    for (const char *const *name = names; *name; name++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            in_flight(*name, lengths[i][0], lengths[i][1]);
    const char *text = touched() ? "FAULT: a guard was touched\n" : "ok disagree\n";
    if (write(1, text, strlen(text)) < 0) return 3;
    _exit(touched() ? FAULT : OK);
}
