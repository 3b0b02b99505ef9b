/* MPICH 4.0.2: MPI_Gather_init gives a result that the first start made, or none. The crate refuses persistent
 * collectives of MPICH before 4.2. */
#include "fault.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, mine = 0, all[64] = {0}, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    MPI_Gather_init(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int step = 1; step <= 3; step++) {
        mine = step;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong |= rank == 0 && all[0] != step;
    }
    MPI_Request_free(&request);
    return verdict(wrong ? FAULT : OK, "persistent_gather");
}
