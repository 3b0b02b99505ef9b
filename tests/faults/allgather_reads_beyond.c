/* MPICH: where ranks disagree on the length, MPI_Allgather on 4, 8, … ranks reads past the end of a receive buffer and
 * sends another rank what it finds there, and all ranks are told that all is well.
 *
 * Each step of recursive doubling sends on what came in before, however much that was. Here the last rank's blocks are half
 * as long as the others': from rank 2 it takes two of its blocks where one belongs, and then sends three to rank 1, from
 * the third of its four on. */
#include "fault.h"
#include <signal.h>

enum { LEN = 600, BEHIND = 0xA5 };

static int rank;
static unsigned char mine[2 * LEN], blocks[8 * LEN], half[8 * LEN];

/* Nobody has sent such bytes. */
static int leaked(void)
{
    return rank != 3 && memchr(blocks, BEHIND, sizeof blocks) != NULL;
}

static void late(int signal)
{
    (void)signal;
    _exit(leaked() ? FAULT : OK);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    memset(mine, rank + 1, sizeof mine);
    memset(half + 4 * LEN, BEHIND, 4 * LEN);
    signal(SIGALRM, late);
    alarm(5);
    if (rank == 3)
        MPI_Allgather(mine, LEN, MPI_BYTE, half, LEN, MPI_BYTE, comm);
    else
        MPI_Allgather(mine, 2 * LEN, MPI_BYTE, blocks, 2 * LEN, MPI_BYTE, comm);
    return verdict(leaked() ? FAULT : OK, "allgather_reads_beyond");
}
