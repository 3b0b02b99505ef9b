/* MPICH 4.0.2: on one rank MPI_Allgatherv does not look at the displacement. The crate gives it an
 * address instead (src/collective/vector.rs). */
#include "fault.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int mine = 7, all[4] = {0}, count = 1, displ = 3;
    MPI_Allgatherv(&mine, 1, MPI_INT, all, &count, &displ, MPI_INT, MPI_COMM_SELF);
    return verdict(all[3] == 7 ? OK : FAULT, "allgatherv_alone");
}
