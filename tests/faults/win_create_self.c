/* Open MPI: Win_create fails on a communicator of one process, unless a network component takes it. */
#include "fault.h"

int main(int argc, char **argv)
{
    int memory[4] = { 0 };
    MPI_Win window = MPI_WIN_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    if (code == MPI_SUCCESS) MPI_Win_free(&window);
    return verdict(code == MPI_SUCCESS ? OK : FAULT, "win_create_self");
}
