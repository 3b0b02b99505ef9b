/* Open MPI 5: MPI_Ialltoallw with MPI_IN_PLACE never completes at a rank that exchanges something with itself alone, where
 * another exchanges nothing; nor does the other's next nonblocking collective. */
#include "fault.h"

static int completes(MPI_Request *request)
{
    int done = 0;
    double start = MPI_Wtime();
    while (!done && MPI_Wtime() - start < 5) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return done;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    char both[10] = "", mine = 'x', all[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* Rank 0 sends to itself, rank 1 to nobody. */
    int counts[2] = {rank == 0 ? 5 : 0, 0}, displs[2] = {0, 5};
    MPI_Datatype types[2] = {MPI_CHAR, MPI_CHAR};
    MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, both, counts, displs, types, MPI_COMM_WORLD, &request);
    int well = completes(&request);
    MPI_Iallgather(&mine, 1, MPI_CHAR, all, 1, MPI_CHAR, MPI_COMM_WORLD, &request);
    well = completes(&request) && well;
    int result = well ? OK : FAULT, worst;
    MPI_Allreduce(&result, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (worst != OK) { /* with a request that never completes there is no end but this */
        printf("FAULT ialltoallw_in_place\n");
        fflush(stdout);
        sleep(1);
        MPI_Abort(MPI_COMM_WORLD, FAULT);
    }
    return verdict(OK, "ialltoallw_in_place");
}
