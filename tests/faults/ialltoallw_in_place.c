/* Open MPI 4.1: where a rank has nothing for anybody, MPI_Ialltoallw with MPI_IN_PLACE returns early there, and counts no
 * nonblocking collective. So what the ranks start next on this communicator does not match: wrong results, or truncated
 * messages, or a hang. */
#include "fault.h"

int main(int argc, char **argv)
{
    int size, rank, counts[64] = { 0 }, displs[64] = { 0 }, own[64] = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Datatype types[64];
    for (int i = 0; i < 64; i++) types[i] = MPI_INT;
    counts[rank] = rank == 0; /* the first rank has a number for itself, the others nothing */
    MPI_Request request;
    MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, own, counts, displs, types, MPI_COMM_WORLD, &request);
    int flag = 0, wrong = 0, sum = -1, one = 1, many = -1;
    double end = MPI_Wtime() + 2;
    while (!flag && MPI_Wtime() < end) wrong |= MPI_Test(&request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    wrong |= !flag;
    /* Two in flight at once, one for each tag that a rank may be behind. */
    MPI_Request next[2];
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &next[0]);
    MPI_Iallreduce(&rank, &many, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &next[1]);
    flag = 0;
    end = MPI_Wtime() + 2;
    while (!flag && MPI_Wtime() < end) wrong |= MPI_Testall(2, next, &flag, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    wrong |= !flag || sum != size || many != size - 1;
    return verdict(wrong ? FAULT : OK, "ialltoallw_in_place");
}
