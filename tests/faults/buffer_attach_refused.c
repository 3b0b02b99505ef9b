/* MPICH: a buffer that MPI_Buffer_attach has refused, since it is too small, counts as attached all the same: a second one
 * that is large enough is refused too. */
#include "fault.h"

int main(int argc, char **argv)
{
    int refused, attached;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    refused = MPI_Buffer_attach(malloc(1), 1);
    if (refused == MPI_SUCCESS) { /* also allowed: no message fits */
        return verdict(OK, "buffer_attach_refused");
    }
    attached = MPI_Buffer_attach(malloc(100000), 100000);
    return verdict(attached == MPI_SUCCESS ? OK : FAULT, "buffer_attach_refused");
}
