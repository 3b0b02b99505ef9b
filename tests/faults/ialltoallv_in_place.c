/* Open MPI: MPI_Ialltoallv with MPI_IN_PLACE returns at once at a rank that exchanges nothing, and leaves out a step that the
 * others take: the next nonblocking collective on the communicator never completes, or takes other messages for its own.
 *
 *   ialltoallv_in_place          a collective
 *   ialltoallv_in_place create   a grid: the number of a new communicator is found by a nonblocking reduction */
#include "fault.h"
#include <signal.h>

static void late(int signal)
{
    (void)signal;
    if (write(1, "FAULT MPI_Cart_create hangs\n", 28) < 0) _exit(3);
    _exit(FAULT);
}

static int creates(void)
{
    int size;
    MPI_Comm ring;
    signal(SIGALRM, late);
    alarm(5);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    alarm(0);
    return verdict(OK, "ialltoallv_in_place create");
}

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
    MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_CHAR, both, counts, displs, MPI_CHAR, MPI_COMM_WORLD, &request);
    int well = completes(&request);
    if (argc > 1) return creates();
    MPI_Iallgather(&mine, 1, MPI_CHAR, all, 1, MPI_CHAR, MPI_COMM_WORLD, &request);
    well = completes(&request) && well;
    int result = well ? OK : FAULT, worst;
    MPI_Allreduce(&result, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (worst != OK) { /* with a request that never completes there is no end but this */
        printf("FAULT ialltoallv_in_place\n");
        fflush(stdout);
        sleep(1);
        MPI_Abort(MPI_COMM_WORLD, FAULT);
    }
    return verdict(OK, "ialltoallv_in_place");
}
