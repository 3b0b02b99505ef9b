/* Comm_spawn of one child: Debian's MPICH 4.0.2 cannot. */
#include "fault.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, child = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return OK;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    if (code == MPI_SUCCESS) MPI_Comm_disconnect(&child);
    return verdict(code == MPI_SUCCESS ? OK : FAULT, "spawn");
}
