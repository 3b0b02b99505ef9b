/* With asynchronous progress MPICH calls a user's reduction function on a thread of its own.
 * Run it with MPICH_ASYNC_PROGRESS=1 (MPIR_CVAR_ASYNC_PROGRESS=1). */
#include "fault.h"
#include <pthread.h>

static pthread_t owner;
static int foreign;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    foreign |= !pthread_equal(owner, pthread_self());
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    static int mine[1000], sum[1000];
    int provided;
    MPI_Op op;
    owner = pthread_self();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 200; i++) {
        MPI_Request request;
        MPI_Iallreduce(mine, sum, 1000, MPI_INT, op, MPI_COMM_WORLD, &request);
        usleep(200);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Op_free(&op);
    return verdict(foreign ? FAULT : OK, "reduction_thread");
}
