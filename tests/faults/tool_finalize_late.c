/* Open MPI 4.1: MPI_T_finalize after MPI_Finalize, which the standard allows (section 15.3.4), crashes at exit. */
#include "fault.h"

int main(int argc, char **argv)
{
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    int verdict_ = verdict(OK, "tool_finalize_late");
    MPI_T_finalize();
    return verdict_;
}
