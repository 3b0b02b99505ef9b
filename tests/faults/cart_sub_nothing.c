/* Cart_sub that keeps no dimension must give every process a communicator of its own (MPI 4.1, section 8.5.6); MPICH gives
 * MPI_COMM_NULL to all but one. */
#include "fault.h"

int main(int argc, char **argv)
{
    int size, dims[2] = { 0, 0 };
    MPI_Comm grid, none = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){ 0, 0 }, 0, &grid);
    MPI_Cart_sub(grid, (int[]){ 0, 0 }, &none);
    return verdict(none == MPI_COMM_NULL ? FAULT : OK, "cart_sub_nothing");
}
