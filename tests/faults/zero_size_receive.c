/* MPICH 5.0.2: a message that arrives at a posted receive whose datatype has size zero divides by zero (SIGFPE).
 * Short messages only: longer ones would show the overrun of Open MPI. */
#include "fault.h"

int main(int argc, char **argv)
{
    static char sent[1024];
    int rank;
    char room;
    MPI_Datatype nothing;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_BYTE, &nothing);
    MPI_Type_commit(&nothing);
    for (int n = 0; n <= 1024; n = n ? 4 * n : 1) {
        MPI_Request in = MPI_REQUEST_NULL;
        if (rank == 0) MPI_Irecv(&room, 1, nothing, 1, 0, MPI_COMM_WORLD, &in);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(sent, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        MPI_Wait(&in, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&nothing);
    return verdict(OK, "zero_size_receive");
}
