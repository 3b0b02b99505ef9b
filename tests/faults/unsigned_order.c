/* MPICH 4.0.2: MPI_MIN and MPI_MAX compare unsigned integers as if they were signed. 4.0.3 is well. */
#include "fault.h"
#include <stdint.h>

#define CHECK(type, datatype)                                                                  \
    do {                                                                                       \
        type mine = rank == 0 ? 85 : (type)-26, least = 0, most = 0;                            \
        MPI_Allreduce(&mine, &least, 1, datatype, MPI_MIN, MPI_COMM_WORLD);                     \
        MPI_Allreduce(&mine, &most, 1, datatype, MPI_MAX, MPI_COMM_WORLD);                      \
        if (least != 85 || most != (type)-26) result = FAULT;                                   \
    } while (0)

int main(int argc, char **argv)
{
    int rank, result = OK;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(uint8_t, MPI_UINT8_T);
    CHECK(uint16_t, MPI_UINT16_T);
    CHECK(uint32_t, MPI_UINT32_T);
    CHECK(uint64_t, MPI_UINT64_T);
    return verdict(result, "unsigned_order");
}
