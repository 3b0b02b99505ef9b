/* MPI_Ineighbor_alltoallw on a torus with a periodic dimension of length 1 or 2, where both neighbours are the same process. */
#include "neighbor.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return verdict(rings(NONBLOCKING, TYPED) ? FAULT : OK, "ineighbor_alltoallw");
}
