/* After a failed Waitall some requests may still be live: MPI_ERR_PENDING. The standard allows it; the buffer of such a
 * request still belongs to MPI. FAULT means "it happens here": one receive fails (truncated), the other is in flight. */
#include "fault.h"

int main(int argc, char **argv)
{
    int rank, live = 0, buffer[2][4] = { { 0 } }, many[4] = { 0 };
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(buffer[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(buffer[1], 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Barrier(MPI_COMM_WORLD);
        int code = MPI_Waitall(2, requests, statuses);
        live = code != MPI_SUCCESS && requests[1] != MPI_REQUEST_NULL;
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            if (requests[i] != MPI_REQUEST_NULL) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(many, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
        /* Long enough for a library that gives up after the first error to be seen doing so. */
        usleep(300000);
        MPI_Send(many, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return verdict(live ? FAULT : OK, "waitall_pending");
}
