/* MPI_Waitall never returns if a request has failed before the call, where MPI was initialized for threads (FUNNELED or
 * more). */
#include "fault.h"
#include <signal.h>

static void too_long(int signal)
{
    static const char line[] = "FAULT waitall_spins\n";
    (void)signal;
    (void)!write(1, line, sizeof line - 1);
    _exit(FAULT);
}

int main(int argc, char **argv)
{
    int rank, provided, parts[3] = { 0 }, many[3] = { 0 };
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int tag = 0; tag < 3; tag++)
            MPI_Irecv(&parts[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[tag]);
        MPI_Barrier(MPI_COMM_WORLD); /* the first two messages are here, one of them too long */
        signal(SIGALRM, too_long);
        alarm(10);
        MPI_Waitall(3, requests, statuses);
        for (int i = 0; i < 3; i++)
            if (requests[i] != MPI_REQUEST_NULL) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        alarm(0);
    } else if (rank == 1) {
        MPI_Send(many, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(many, 3, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(many, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    return verdict(OK, "waitall_spins");
}
