/* The text of an error asked after finalize: allowed by the standard from 4.0 on (section 11.4.1), kills the job in Open MPI. */
#include "fault.h"

int main(int argc, char **argv)
{
    char text[MPI_MAX_ERROR_STRING];
    int rank, length;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    int code = MPI_Error_string(MPI_ERR_TRUNCATE, text, &length);
    if (rank == 0) printf("%s error_string_late\n", code == MPI_SUCCESS ? "ok" : "FAULT");
    return code == MPI_SUCCESS ? OK : FAULT;
}
