/* What the remedy for the overrun costs: median microseconds of a message between two ranks, and to oneself.
 *
 * usage: mpiexec -n 2 overrun_cost [between|self]; with the remedy's variables in the environment, and without. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 1 << 10, LARGEST = 1 << 24, WARM_UP = 20 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void ping_pong(int rank, char *out, char *in, int n)
{
    if (rank == 0) MPI_Send(out, n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_BYTE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(out, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static void to_self(char *out, char *in, int n)
{
    MPI_Request request;
    MPI_Irecv(in, n, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(out, n, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, self = argc > 1 && !strcmp(argv[1], "self");
    static double times[2000];
    char *out = malloc(LARGEST), *in = malloc(LARGEST);
    memset(out, 1, LARGEST);
    memset(in, 1, LARGEST);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = SMALLEST; n <= LARGEST; n *= 2) {
        int times_each = n > 1 << 20 ? 60 : n > 1 << 17 ? 400 : 2000;
        for (int i = -WARM_UP; i < times_each; i++) {
            double begin = MPI_Wtime();
            if (self && rank == 0) to_self(out, in, n);
            if (!self) ping_pong(rank, out, in, n);
            if (i >= 0) times[i] = (MPI_Wtime() - begin) * 1e6 / (self ? 1 : 2);
        }
        qsort(times, times_each, sizeof *times, compare);
        if (rank == 0) printf("%d %.2f\n", n, times[times_each / 2]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
