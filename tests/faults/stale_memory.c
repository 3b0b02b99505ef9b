/* Where ranks disagree on the length, a collective fills the rest of a buffer with memory that the program has freed, and
 * all ranks are told that all is well: the library copies from memory of its own that nobody has written.
 *
 * Open MPI: MPI_Gather to a root that is not rank 0. MPICH: MPI_Scatter from one (and before 4.3 MPI_Allgatherv, which a
 * later one ends the job in). */
#include "fault.h"
#include <signal.h>

enum { LONG = 400, SHORT = 100, ROOT = 1, KINDS = 300, EACH = 8, FREED = 0x5C };

static unsigned char mine[3 * LONG], got[3 * LONG];

static int leaked(void)
{
    return memchr(got, FREED, sizeof got) != NULL;
}

static void late(int signal)
{
    (void)signal;
    _exit(leaked() ? FAULT : OK);
}

/* Blocks of all sizes, with the same in them, freed. */
static void use_memory(void)
{
    static void *blocks[KINDS][EACH];
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < EACH; i++) blocks[k][i] = memset(malloc(24 + 16 * k), FREED, 24 + 16 * k);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < EACH; i++) free(blocks[k][i]);
}

/* How long a block is to this rank: to one of them it is longer than to the others. */
static int length(int rank, int odd_one_out)
{
    return rank == odd_one_out ? LONG : SHORT;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    memset(mine, rank + 1, sizeof mine);
    signal(SIGALRM, late);
    alarm(5);
    use_memory();
    int n = length(rank, 0);
    MPI_Scatter(mine, n, MPI_BYTE, got, n, MPI_BYTE, ROOT, comm);
    int mine_leaked = leaked();
    n = length(rank, ROOT);
    MPI_Gather(mine, n, MPI_BYTE, got, n, MPI_BYTE, ROOT, comm);
    return verdict(mine_leaked || leaked() ? FAULT : OK, "stale_memory");
}
