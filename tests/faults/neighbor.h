/* Sends a different number along each direction of a periodic torus and checks what comes back from each. */
#ifndef NEIGHBOR_H
#define NEIGHBOR_H

#include "fault.h"

enum form { BLOCKING, NONBLOCKING };
enum kind { EQUAL, VARIED, TYPED };

/* `length` processes in a ring, the rest in rows of their own; 1 if a neighbour's number came back wrong. */
static inline int ring(int length, enum form form, enum kind kind)
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
    MPI_Aint bytes[4] = { 0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int) };
    MPI_Datatype types[4] = { MPI_INT, MPI_INT, MPI_INT, MPI_INT };
    for (int k = 0; k < 4; k++) out[k] = 10 * me + k;
    MPI_Request request = MPI_REQUEST_NULL;
#define EXCHANGE(name, ...)                                                       \
    if (form == NONBLOCKING) MPI_Ineighbor_##name(__VA_ARGS__, torus, &request);  \
    else MPI_Neighbor_##name(__VA_ARGS__, torus)
    switch (kind) {
    case EQUAL: EXCHANGE(alltoall, out, 1, MPI_INT, in, 1, MPI_INT); break;
    case VARIED: EXCHANGE(alltoallv, out, ones, at, MPI_INT, in, ones, at, MPI_INT); break;
    case TYPED: EXCHANGE(alltoallw, out, ones, bytes, types, in, ones, bytes, types); break;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* What arrives from the low side was sent upwards, and the reverse (MPI 4.1, example 8.10). */
    for (int d = 0; d < 2; d++)
        wrong |= in[2 * d] != 10 * low[d] + 2 * d + 1 || in[2 * d + 1] != 10 * high[d] + 2 * d;
    MPI_Comm_free(&torus);
    return wrong;
}

static inline int rings(enum form form, enum kind kind)
{
    return ring(1, form, kind) | ring(2, form, kind);
}

#endif
