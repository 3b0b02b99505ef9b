/* Open MPI 5: a partitioned receive does not look at the size of what is sent. All of it is written, past the end of the
 * receive buffer, and MPI_Wait reports success. Here the memory behind the buffer is ours, so that nothing breaks. */
#include "fault.h"

enum { SENT = 400000, ROOM = 8, UNTOUCHED = -1 };

int main(int argc, char **argv)
{
    int rank, i, changed = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
    int *memory = malloc(SENT * sizeof *memory);
    for (i = 0; i < SENT; i++)
        memory[i] = rank == 0 ? 7 : UNTOUCHED;
    if (rank == 0)
        MPI_Psend_init(memory, 1, SENT, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(memory, 1, ROOM, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready(0, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    if (rank == 1)
        for (i = ROOM; i < SENT; i++)
            changed += memory[i] != UNTOUCHED;
    return verdict(changed ? FAULT : OK, "partitioned_overrun");
#else
    (void)request, (void)i, (void)changed;
    return verdict(SKIPPED, "partitioned_overrun");
#endif
}
