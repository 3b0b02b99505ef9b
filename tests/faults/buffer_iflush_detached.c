/* MPICH: detaching a buffer while a request flushes it frees what that request looks at: a crash, or a request that is never
 * complete. */
#include "fault.h"

int main(int argc, char **argv)
{
#ifndef MPI_BUFFER_AUTOMATIC
    MPI_Init(&argc, &argv);
    return verdict(SKIPPED, "buffer_iflush_detached");
#else
    static char message[800000];
    int rank, complete = 1, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        char *buffer = malloc(1000000), *back;
        MPI_Request flush;
        MPI_Buffer_attach(buffer, 1000000);
        MPI_Bsend(message, sizeof message, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Buffer_iflush(&flush);
        MPI_Buffer_detach(&back, &size);
        free(buffer);
        for (size_t n = 8; n < 1000; n++) /* what is freed is used again */
            memset(malloc(n), 0x55, n);
        complete = 0;
        for (double start = MPI_Wtime(); !complete && MPI_Wtime() < start + 3;)
            MPI_Test(&flush, &complete, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        sleep(1); /* the flush is in flight */
        MPI_Recv(message, sizeof message, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return verdict(complete ? OK : FAULT, "buffer_iflush_detached");
#endif
}
