/* MPICH 4.0.2 and 4.0.3: the status of a nonblocking receive from MPI_PROC_NULL says source 0 and tag 0, where the
 * standard wants MPI_PROC_NULL and MPI_ANY_TAG (MPI 4.1, section 3.10). 4.1.3 is well. */
#include "fault.h"

int main(int argc, char **argv)
{
    char room;
    int count = -1;
    MPI_Request in;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&room, 1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &in);
    MPI_Wait(&in, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    int right = status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0;
    return verdict(right ? OK : FAULT, "status_from_nowhere");
}
