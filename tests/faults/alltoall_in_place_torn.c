/* MPICH 4.0.2: MPI_Alltoall with MPI_IN_PLACE exchanges packed blocks, and a rank that receives one as structs loses the field
 * at each cut, as in scatter_torn.c: the call reports a truncated message. Blocks of some 10 KiB of structs with fields of
 * different sizes. */
#include "fault.h"
#include <stddef.h>

typedef struct {
    unsigned a;
    unsigned char b;
    double c;
} Struct;

enum { N = 1000 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int lengths[] = {1, 1, 1};
    MPI_Aint at[] = {offsetof(Struct, a), offsetof(Struct, b), offsetof(Struct, c)};
    MPI_Datatype fields[] = {MPI_UNSIGNED, MPI_UNSIGNED_CHAR, MPI_DOUBLE}, type, whole;
    MPI_Type_create_struct(3, lengths, at, fields, &type);
    MPI_Type_create_resized(type, 0, sizeof(Struct), &whole);
    MPI_Type_commit(&whole);
    Struct *both = calloc((size_t)N * ranks, sizeof *both);
    for (int i = 0; i < N * ranks; i++)
        both[i] = (Struct){rank + 1, i % 255 + 1, rank + 0.5};
    wrong |= MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both, N, whole, MPI_COMM_WORLD) != MPI_SUCCESS;
    for (int i = 0; i < N * ranks; i++) {
        int from = i / N;
        wrong |= both[i].a != from + 1u || both[i].b != (N * rank + i % N) % 255 + 1 || both[i].c != from + 0.5;
    }
    return verdict(wrong ? FAULT : OK, "alltoall_in_place_torn");
}
