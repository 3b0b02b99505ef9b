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

COST cost_sixteen_in_scope(MPI_Comm comm, long n, const double *x, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        for (int k = 0; k < 16; k++) {
            MPI_Request request;
            CHECK(MPI_Isend(x, len, MPI_DOUBLE, peer, tag, comm, &request));
            CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
}

COST cost_sendrecv(MPI_Comm comm, long n, const double *x, double *y, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Status status;
        CHECK(MPI_Sendrecv(x, len, MPI_DOUBLE, peer, tag, y, len, MPI_DOUBLE, peer, tag, comm, &status));
    }
}

COST cost_owned_isend(MPI_Comm comm, long n, const double *x, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Request request;
        CHECK(MPI_Isend(x, len, MPI_DOUBLE, peer, tag, comm, &request));
        CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

COST cost_owned_exchange(MPI_Comm comm, long n, const double *x, double *y, int len, int peer, int tag) {
    for (long i = 0; i < n; i++) {
        MPI_Request receive, send;
        MPI_Status status;
        CHECK(MPI_Irecv(y, len, MPI_DOUBLE, peer, tag, comm, &receive));
        CHECK(MPI_Isend(x, len, MPI_DOUBLE, peer, tag, comm, &send));
        CHECK(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK(MPI_Wait(&receive, &status));
    }
}

COST cost_plan(long n, int count, MPI_Request *requests) {
    for (long i = 0; i < n; i++) {
        CHECK(MPI_Startall(count, requests));
        CHECK(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    }
}

COST cost_reduce_into(MPI_Comm comm, long n, const double *x, double *y, int len, int root) {
    for (long i = 0; i < n; i++) CHECK(MPI_Reduce(x, y, len, MPI_DOUBLE, MPI_SUM, root, comm));
}

COST cost_gather_into(MPI_Comm comm, long n, const double *x, double *y, int len, int root) {
    for (long i = 0; i < n; i++) CHECK(MPI_Gather(x, len, MPI_DOUBLE, y, len, MPI_DOUBLE, root, comm));
}

COST cost_alltoall_into(MPI_Comm comm, long n, const double *x, double *y, int len) {
    for (long i = 0; i < n; i++) CHECK(MPI_Alltoall(x, len, MPI_DOUBLE, y, len, MPI_DOUBLE, comm));
}

COST cost_scan_in_place(MPI_Comm comm, long n, double *x, int len) {
    for (long i = 0; i < n; i++) CHECK(MPI_Scan(MPI_IN_PLACE, x, len, MPI_DOUBLE, MPI_MAX, comm));
}

COST cost_ialltoall_wait(MPI_Comm comm, long n, const double *x, double *y, int len) {
    for (long i = 0; i < n; i++) {
        MPI_Request request;
        CHECK(MPI_Ialltoall(x, len, MPI_DOUBLE, y, len, MPI_DOUBLE, comm, &request));
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

/* Once to warm up, and once counted: MPI_Pcontrol tells the shim of ci/cost.py which loop runs. */
static int number;
#define RUN(loop) do { loop; MPI_Pcontrol(++number); loop; MPI_Pcontrol(0); } while (0)

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    long n = atol(argv[1]);
    int len = atoi(argv[2]), tag = atoi(argv[3]), peer = argc > 4 ? atoi(argv[4]) : MPI_PROC_NULL;
    int provided; /* the level that mpi::init asks for: Open MPI then takes its locks, and C pays for them too */
    CHECK(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    double *x = calloc(len, sizeof *x), *y[8];
    MPI_Request requests[16];
    int me = 0; /* to oneself: what comes from nowhere costs nothing in Rust */
    for (int k = 0; k < 8; k++) {
        y[k] = calloc(len, sizeof **y);
        CHECK(MPI_Recv_init(y[k], len, MPI_DOUBLE, me, tag, comm, &requests[k]));
    }
    for (int k = 8; k < 16; k++) CHECK(MPI_Send_init(x, len, MPI_DOUBLE, me, tag, comm, &requests[k]));
    RUN(cost_send(comm, n, x, len, peer, tag));
    RUN(cost_recv_into(comm, n, x, len, peer, tag));
    RUN(cost_sendrecv(comm, n, x, y[0], len, peer, tag));
    RUN(cost_isend_wait(comm, n, x, len, peer, tag));
    RUN(cost_sixteen_in_scope(comm, n, x, len, peer, tag));
    RUN(cost_eight_and_eight(comm, n, x, y, len, me, tag));
    RUN(cost_owned_isend(comm, n, x, len, peer, tag));
    RUN(cost_owned_exchange(comm, n, x, y[0], len, me, tag));
    RUN(cost_plan(n, 16, requests));
    RUN(cost_allreduce_into(comm, n, x, y[0], len));
    RUN(cost_allreduce_one(comm, n, x));
    RUN(cost_bcast(comm, n, x, len, 0));
    RUN(cost_iallreduce_wait(comm, n, x, y[0], len));
    RUN(cost_reduce_into(comm, n, x, y[0], len, 0));
    RUN(cost_gather_into(comm, n, x, y[0], len, 0));
    RUN(cost_alltoall_into(comm, n, x, y[0], len));
    RUN(cost_scan_in_place(comm, n, x, len));
    RUN(cost_ialltoall_wait(comm, n, x, y[0], len));
    int counts[] = {len}, displs[] = {0}; /* of one rank */
    RUN(cost_allgatherv_into(comm, n, x, y[0], len, counts, displs));
    RUN(cost_alltoallv_into(comm, n, x, y[0], counts, displs));
#if MPI_VERSION >= 4
    MPI_Request reduction;
    CHECK(MPI_Allreduce_init(x, y[0], len, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &reduction));
    RUN(cost_persistent_allreduce(n, &reduction));
    CHECK(MPI_Request_free(&reduction));
#endif
    for (int k = 0; k < 16; k++) CHECK(MPI_Request_free(&requests[k]));
    CHECK(MPI_Finalize());
    return 0;
}
