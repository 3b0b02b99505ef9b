/* MPICH 4.0.2: Reduce with MPI_IN_PLACE at a root other than 0 crashes from about a thousand doubles on. */
#include "fault.h"

int main(int argc, char **argv)
{
    static double mine[100000], sum[100000];
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 100000; n *= 10) {
        for (int i = 0; i < n; i++) mine[i] = sum[i] = 1;
        int root = size - 1;
        MPI_Reduce(rank == root ? MPI_IN_PLACE : mine, sum, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < n; i++) wrong |= sum[i] != size;
    }
    return verdict(wrong ? FAULT : OK, "reduce_in_place");
}
