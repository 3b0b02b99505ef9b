/* Open MPI: MPI_Allgatherv chooses its algorithm by the size of the type that is sent here, times the counts of all ranks. Where
 * the sizes differ, as those of columns of different lengths do, ranks choose different algorithms, and the call never ends. */
#include "fault.h"

enum { UNIT = 100, MOST = 16 };

int main(int argc, char **argv)
{
    int rank, ranks, counts[MOST], displs[MOST], total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 3 || ranks > MOST) return verdict(SKIPPED, "allgatherv_mixed_types");
    for (int r = 0; r < ranks; r++) {
        counts[r] = UNIT * (r + 1);
        displs[r] = total;
        total += counts[r];
    }
    double mine[UNIT * MOST], all[UNIT * MOST * MOST];
    for (int i = 0; i < counts[rank]; i++) mine[i] = displs[rank] + i;
    MPI_Datatype whole;
    MPI_Type_contiguous(counts[rank], MPI_DOUBLE, &whole);
    MPI_Type_commit(&whole);
    alarm(10); /* it hangs, or not */
    MPI_Allgatherv(mine, 1, whole, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    alarm(0);
    int wrong = 0;
    for (int i = 0; i < total; i++) wrong |= all[i] != i;
    MPI_Type_free(&whole);
    return verdict(wrong ? FAULT : OK, "allgatherv_mixed_types");
}
