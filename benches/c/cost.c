/* What each call costs in C: the twin of benches/cost.rs. Every return code is tested; arguments come from the command
 * line, so that the compiler knows none. Usage: cost ITERATIONS LENGTH TAG [PEER] (no peer: MPI_PROC_NULL) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code, const char *call) {
    if (code != MPI_SUCCESS) {
        fprintf(stderr, "%s failed: %d\n", call, code);
        exit(1);
    }
}
#define CHECK(call) do { int code = (call); if (__builtin_expect(code != MPI_SUCCESS, 0)) check(code, #call); } while (0)
#define COST __attribute__((noinline)) void

COST cost_send(MPI_Comm comm, long n, const double *x, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) CHECK(MPI_Send(x, len, MPI_DOUBLE, peer, tag, comm));
}

COST cost_recv_into(MPI_Comm comm, long n, double *x, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Status status;
        CHECK(MPI_Recv(x, len, MPI_DOUBLE, peer, tag, comm, &status));
    }
}

COST cost_isend_wait(MPI_Comm comm, long n, const double *x, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Request request;
        CHECK(MPI_Isend(x, len, MPI_DOUBLE, peer, tag, comm, &request));
        CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

COST cost_eight_and_eight(MPI_Comm comm, long n, const double *x, double **y, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Request requests[16];
        MPI_Status statuses[8];
        for (int k = 0; k < 8; k++) CHECK(MPI_Irecv(y[k], len, MPI_DOUBLE, peer, tag, comm, &requests[k]));
        for (int k = 0; k < 8; k++) CHECK(MPI_Isend(x, len, MPI_DOUBLE, peer, tag, comm, &requests[8 + k]));
        CHECK(MPI_Waitall(8, requests, statuses));
        CHECK(MPI_Waitall(8, requests + 8, MPI_STATUSES_IGNORE));
    }
}

COST cost_allreduce_into(MPI_Comm comm, long n, const double *x, double *y, int len) {
    for (long i = 0; i < n; i++) CHECK(MPI_Allreduce(x, y, len, MPI_DOUBLE, MPI_SUM, comm));
}

COST cost_allreduce_one(MPI_Comm comm, long n, double *x) {
    for (long i = 0; i < n; i++) {
        double y;
        CHECK(MPI_Allreduce(x, &y, 1, MPI_DOUBLE, MPI_MAX, comm));
        *x = y;
    }
}

COST cost_bcast(MPI_Comm comm, long n, double *x, int len, int root) {
    for (long i = 0; i < n; i++) CHECK(MPI_Bcast(x, len, MPI_DOUBLE, root, comm));
}

COST cost_iallreduce_wait(MPI_Comm comm, long n, const double *x, double *y, int len) {
    for (long i = 0; i < n; i++) {
        MPI_Request request;
        CHECK(MPI_Iallreduce(x, y, len, MPI_DOUBLE, MPI_SUM, comm, &request));
        CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

COST cost_allgatherv_into(MPI_Comm comm, long n, const double *x, double *y, int len, const int *counts, const int *displs) {
    for (long i = 0; i < n; i++) CHECK(MPI_Allgatherv(x, len, MPI_DOUBLE, y, counts, displs, MPI_DOUBLE, comm));
}

COST cost_alltoallv_into(MPI_Comm comm, long n, const double *x, double *y, const int *counts, const int *displs) {
    for (long i = 0; i < n; i++) CHECK(MPI_Alltoallv(x, counts, displs, MPI_DOUBLE, y, counts, displs, MPI_DOUBLE, comm));
}

#if MPI_VERSION >= 4
COST cost_persistent_allreduce(long n, MPI_Request *request) {
    for (long i = 0; i < n; i++) {
        CHECK(MPI_Start(request));
        CHECK(MPI_Wait(request, MPI_STATUS_IGNORE));
    }
}
#endif

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    long n = atol(argv[1]);
    int len = atoi(argv[2]), tag = atoi(argv[3]), peer = argc > 4 ? atoi(argv[4]) : MPI_PROC_NULL;
    int provided; /* the level that mpi::init asks for: Open MPI then takes its locks, and C pays for them too */
    CHECK(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    double *x = calloc(len, sizeof *x), *y[8];
    for (int k = 0; k < 8; k++) y[k] = calloc(len, sizeof **y);
    cost_send(comm, n, x, len, peer, tag);
    cost_recv_into(comm, n, x, len, peer, tag);
    cost_isend_wait(comm, n, x, len, peer, tag);
    cost_eight_and_eight(comm, n, x, y, len, 0, tag); /* to oneself: what comes from nowhere costs nothing in Rust */
    cost_allreduce_into(comm, n, x, y[0], len);
    cost_allreduce_one(comm, n, x);
    cost_bcast(comm, n, x, len, 0);
    cost_iallreduce_wait(comm, n, x, y[0], len);
    int counts[] = {len}, displs[] = {0}; /* of one rank */
    cost_allgatherv_into(comm, n, x, y[0], len, counts, displs);
    cost_alltoallv_into(comm, n, x, y[0], counts, displs);
#if MPI_VERSION >= 4
    MPI_Request reduction;
    CHECK(MPI_Allreduce_init(x, y[0], len, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &reduction));
    cost_persistent_allreduce(n, &reduction);
    CHECK(MPI_Request_free(&reduction));
#endif
    CHECK(MPI_Finalize());
    return 0;
}
