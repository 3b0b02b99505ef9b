/* MPICH: MPI_Reduce_scatter_block and its kin with a function that does not commute, on a number of ranks that is a power of
 * two, step through memory of their own by the true extent of a type where its extent is larger: what they give is wrong, and
 * they write past that memory. The crate refuses it. */
#include "fault.h"

struct padded {
    double a;
    unsigned char b;
};

static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    const struct padded *x = in;
    struct padded *y = inout;
    for (int i = 0; i < *len; i++) {
        y[i].a += x[i].a;
        y[i].b += x[i].b;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size, lengths[] = {1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Aint places[] = {0, 8};
    MPI_Datatype fields[] = {MPI_DOUBLE, MPI_UINT8_T}, fitted, type;
    MPI_Type_create_struct(2, lengths, places, fields, &fitted);
    MPI_Type_create_resized(fitted, 0, sizeof(struct padded), &type);
    MPI_Type_commit(&type);
    MPI_Op op;
    MPI_Op_create(add, 0, &op);
    struct padded all[64], mine = {0};
    for (int i = 0; i < size && i < 64; i++)
        all[i] = (struct padded){1, 1};
    MPI_Reduce_scatter_block(all, &mine, 1, type, op, MPI_COMM_WORLD);
    return verdict(mine.a != size || mine.b != size ? FAULT : OK, "reduce_scatter_padding");
}
