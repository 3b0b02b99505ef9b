/* Open MPI 4.1: a short message to oneself that is longer than its receive is cut, and reported as a success with the
 * length of the receive. */
#include "fault.h"

int main(int argc, char **argv)
{
    static unsigned char sent[300], received[2];
    int rank, code, class = MPI_SUCCESS;
    MPI_Request receive, send;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(received, 2, MPI_UNSIGNED_CHAR, rank, 0, MPI_COMM_WORLD, &receive);
    MPI_Isend(sent, 300, MPI_UNSIGNED_CHAR, rank, 0, MPI_COMM_WORLD, &send);
    code = MPI_Wait(&receive, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    return verdict(class == MPI_ERR_TRUNCATE ? OK : FAULT, "short_truncation");
}
