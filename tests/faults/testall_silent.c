/* MPI_Testall says nothing of a persistent receive whose message was too long: it succeeds. */
#include "fault.h"

int main(int argc, char **argv)
{
    int rank, code = MPI_SUCCESS, complete = 0, silent = 0, parts[2] = { 0 }, many[3] = { 0 };
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int tag = 0; tag < 2; tag++)
            MPI_Recv_init(&parts[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[tag]);
        MPI_Startall(2, requests);
        MPI_Barrier(MPI_COMM_WORLD);
        while (code == MPI_SUCCESS && !complete)
            code = MPI_Testall(2, requests, &complete, MPI_STATUSES_IGNORE);
        silent = code == MPI_SUCCESS;
        for (int i = 0; i < 2; i++) {
            if (requests[i] == MPI_REQUEST_NULL) continue;
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            MPI_Request_free(&requests[i]);
        }
    } else if (rank == 1) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(many, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(many, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return verdict(silent ? FAULT : OK, "testall_silent");
}
