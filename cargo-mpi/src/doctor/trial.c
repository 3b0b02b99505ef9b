/* Each of two ranks must learn that there are two, and from the other who it is. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank = -1, size = -1, sum = -1;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("size %d sum %d\n", size, sum);
    return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
