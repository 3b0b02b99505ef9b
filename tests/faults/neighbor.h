/* Sends a different number along each direction of a periodic torus and checks what comes back from each. */
#ifndef NEIGHBOR_H
#define NEIGHBOR_H

#include "fault.h"

/* `length` processes in a ring, the rest in rows of their own; 1 if a neighbour's number came back wrong. */
static inline int ring(int length, int nonblocking, int vector)
{
    int size, wrong = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % length) return 0;
    MPI_Comm torus;
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){ length, size / length }, (int[]){ 1, 1 }, 0, &torus);
    int me, low[2], high[2];
    MPI_Comm_rank(torus, &me);
    for (int d = 0; d < 2; d++) MPI_Cart_shift(torus, d, 1, &low[d], &high[d]);
    int out[4], in[4] = { -1, -1, -1, -1 }, ones[4] = { 1, 1, 1, 1 }, at[4] = { 0, 1, 2, 3 };
    for (int k = 0; k < 4; k++) out[k] = 10 * me + k;
    MPI_Request request;
    if (nonblocking && vector)
        MPI_Ineighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, torus, &request);
    else if (nonblocking)
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, torus, &request);
    else if (vector)
        MPI_Neighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, torus);
    else
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, torus);
    if (nonblocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* What arrives from the low side was sent upwards, and the reverse (MPI 4.1, example 8.10). */
    for (int d = 0; d < 2; d++)
        wrong |= in[2 * d] != 10 * low[d] + 2 * d + 1 || in[2 * d + 1] != 10 * high[d] + 2 * d;
    MPI_Comm_free(&torus);
    return wrong;
}

static inline int rings(int nonblocking, int vector)
{
    return ring(1, nonblocking, vector) | ring(2, nonblocking, vector);
}

#endif
