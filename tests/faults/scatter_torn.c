/* MPICH: MPI_Scatter sends bytes along its tree where it has copied blocks, cut anywhere, and a rank that receives them as
 * structs loses the field at each cut and what follows in the piece. The blocking form reports an error, the nonblocking
 * one none. Blocks of some 8 KiB of structs with fields of different sizes; not by MPI_Scatterv. */
#include "fault.h"
#include <stddef.h>

typedef struct {
    unsigned a;
    unsigned char b;
    double c;
} Struct;

enum { MOST = 1000 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int lengths[] = {1, 1, 1};
    MPI_Aint at[] = {offsetof(Struct, a), offsetof(Struct, b), offsetof(Struct, c)};
    MPI_Datatype fields[] = {MPI_UNSIGNED, MPI_UNSIGNED_CHAR, MPI_DOUBLE}, type, whole;
    MPI_Type_create_struct(3, lengths, at, fields, &type);
    MPI_Type_create_resized(type, 0, sizeof(Struct), &whole);
    MPI_Type_commit(&whole);
    Struct *send = calloc((size_t)MOST * ranks, sizeof *send), *recv = malloc(MOST * sizeof *recv);
    for (int i = 0; i < MOST * ranks; i++)
        send[i] = (Struct){i + 1, i % 255 + 1, i + 0.5};
    for (int n = 600; n <= MOST; n += 10) {
        memset(recv, 0, MOST * sizeof *recv);
        MPI_Request request;
        MPI_Iscatter(send, n, whole, recv, n, whole, ranks - 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++) {
            Struct *is = &recv[i], *should = &send[n * rank + i];
            wrong |= is->a != should->a || is->b != should->b || is->c != should->c;
        }
    }
    return verdict(wrong ? FAULT : OK, "scatter_torn");
}
