/* MPICH: MPI_Isendrecv completes without a status of its own (source, tag and count are what was there before), and
 * reports no truncation. */
#include "fault.h"

int main(int argc, char **argv)
{
    int rank, size, here[4] = { 1, 2, 3, 4 }, there[4] = { 0 }, count = -1, right;
    MPI_Request both;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(&status, 0x5A, sizeof status);
#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Isendrecv(here, 3, MPI_INT, next, 7, there, 4, MPI_INT, previous, 7, MPI_COMM_WORLD, &both);
    MPI_Wait(&both, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    right = status.MPI_SOURCE == previous && status.MPI_TAG == 7 && count == 3;
    return verdict(right ? OK : FAULT, "isendrecv_status");
#else
    (void)here, (void)there, (void)both, (void)right, (void)count;
    return verdict(SKIPPED, "isendrecv_status");
#endif
}
