/* What every reproducer shares: one verdict per job, printed once, as the exit code too.
 *
 * `FAULT` means that the library does what the row of `mpi-config/src/faults.rs` describes, `ok` that it does not. A
 * crash or a hang counts as FAULT for those rows whose fault is a crash or a hang; the driver knows which. */
#ifndef FAULT_H
#define FAULT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OK = 0, FAULT = 1, SKIPPED = 77 };

/* Any rank may have seen the fault; rank 0 says so. Collective over the world; ends the program. */
static inline int verdict(int mine, const char *what)
{
    int rank, all = mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %s\n", all == OK ? "ok" : all == SKIPPED ? "skipped" : "FAULT", what);
    MPI_Finalize();
    return all;
}

#endif
