/* Open MPI 4.1: MPI_Ialltoallw on a communicator with a topology looks at as many types as a process has neighbours, though
 * it is given one for each rank. Behind the last one here nothing may be read. */
#include "fault.h"
#include <sys/mman.h>

int main(int argc, char **argv)
{
    int size, ones[64], zeros[64] = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* Four dimensions, so eight neighbours, more than the ranks. */
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 4, (int[]){ size, 1, 1, 1 }, (int[]){ 0, 0, 0, 0 }, 0, &grid);
    long page = sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    MPI_Datatype own, *types = (MPI_Datatype *)(pages + page) - size;
    MPI_Type_contiguous(3, MPI_INT, &own);
    MPI_Type_commit(&own);
    int out[3] = { 1, 2, 3 }, in[64 * 3];
    for (int i = 0; i < size; i++) ones[i] = 1, types[i] = own;
    int displs[64];
    for (int i = 0; i < size; i++) displs[i] = i * sizeof out;
    MPI_Request request;
    MPI_Ialltoallw(out, ones, zeros, types, in, ones, displs, types, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int wrong = 0;
    for (int i = 0; i < 3 * size; i++) wrong |= in[i] != out[i % 3];
    MPI_Type_free(&own);
    MPI_Comm_free(&grid);
    return verdict(wrong ? FAULT : OK, "topology_types");
}
