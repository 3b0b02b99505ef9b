/* Open MPI: a buffered send that finds no room in the attached buffer fails, as it should, but has taken the number of a
 * message already: the receiver waits for that message before it looks at any later one from the same sender. */
#include "fault.h"

int main(int argc, char **argv)
{
    static char message[800000];
    int rank, arrived = 1;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* numbers are counted per communicator: the verdict has its own */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Buffer_attach(malloc(10000), 10000);
        MPI_Bsend(message, sizeof message, MPI_BYTE, 1, 0, comm);
        MPI_Send(message, 8, MPI_BYTE, 1, 1, comm);
    } else if (rank == 1) {
        arrived = 0;
        for (double start = MPI_Wtime(); !arrived && MPI_Wtime() < start + 3;)
            MPI_Iprobe(0, 1, comm, &arrived, MPI_STATUS_IGNORE);
        if (arrived) MPI_Recv(message, 8, MPI_BYTE, 0, 1, comm, MPI_STATUS_IGNORE);
    }
    return verdict(arrived ? OK : FAULT, "bsend_no_room");
}
