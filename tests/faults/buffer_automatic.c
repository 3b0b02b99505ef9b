/* MPICH: flushing or detaching MPI_BUFFER_AUTOMATIC waits for the last message at most, not for all that were sent before. */
#include "fault.h"

int main(int argc, char **argv)
{
#ifndef MPI_BUFFER_AUTOMATIC
    MPI_Init(&argc, &argv);
    return verdict(SKIPPED, "buffer_automatic");
#else
    static char message[800000];
    int rank, late = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
        MPI_Bsend(message, sizeof message, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Bsend(message, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Buffer_flush();
        /* The first message is too long to be anywhere but here until it is received. */
        MPI_Send(message, 8, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (double start = MPI_Wtime(); !late && MPI_Wtime() < start + 2;)
            MPI_Iprobe(0, 2, MPI_COMM_WORLD, &late, MPI_STATUS_IGNORE);
        for (int tag = 0; tag < 3; tag++)
            MPI_Recv(message, sizeof message, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return verdict(late ? FAULT : OK, "buffer_automatic");
#endif
}
