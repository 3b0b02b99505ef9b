/* MPI_Testall completes a persistent receive whose message was too long, and returns MPI_SUCCESS. */
#include "fault.h"

int main(int argc, char **argv)
{
    int rank, bad = 0, part = 0, many[3] = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Status status;
        int flag = 0, code = MPI_SUCCESS;
        MPI_Recv_init(&part, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Testall(1, &request, &flag, &status);
        bad = code == MPI_SUCCESS;
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    } else if (rank == 1) {
        MPI_Send(many, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return verdict(bad ? FAULT : OK, "testall_persistent");
}
