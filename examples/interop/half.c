/* The C half of a job of two programs: rank 1 describes the same parts of a matrix as examples/interop/main.rs, by MPI's own
 * constructors, and compares every byte of what arrives. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 10, COLS = 12, CELLS = ROWS * COLS, LAYOUTS = 9 };
#define CHECK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "%s failed\n", #call); MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)

int structs(void); /* structs.c */
int others(void); /* others.c */

/* Layout `k`, and the cell that is its origin. */
static MPI_Datatype layout(int k, int *origin) {
    MPI_Datatype type, inner;
    *origin = 0;
    switch (k) {
    case 0: /* a column */
        CHECK(MPI_Type_vector(ROWS, 1, COLS, MPI_DOUBLE, &type));
        break;
    case 1: /* every other pair of a row, backwards */
        CHECK(MPI_Type_create_hvector(3, 2, -4 * (MPI_Aint)sizeof(double), MPI_DOUBLE, &type));
        *origin = 20;
        break;
    case 2: {
        int lengths[] = {3, 0, 1, 4}, places[] = {50, 7, 2, -5};
        CHECK(MPI_Type_indexed(4, lengths, places, MPI_DOUBLE, &type));
        *origin = 30;
        break;
    }
    case 3: {
        int places[] = {9, 3, 100};
        CHECK(MPI_Type_create_indexed_block(3, 3, places, MPI_DOUBLE, &type));
        break;
    }
    case 4: {
        int sizes[] = {ROWS, COLS}, sub[] = {4, 5}, starts[] = {3, 6};
        CHECK(MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_DOUBLE, &type));
        break;
    }
    case 5: {
        int sizes[] = {4, 5, 6}, sub[] = {2, 3, 2}, starts[] = {1, 2, 3};
        CHECK(MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &type));
        break;
    }
    case 6: {
        int sizes[] = {ROWS, COLS}, kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
        int blocks[] = {3, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {2, 3};
        CHECK(MPI_Type_create_darray(6, 4, 2, sizes, kinds, blocks, grid, MPI_ORDER_C, MPI_DOUBLE, &type));
        break;
    }
    case 7: { /* three structs of five numbers, of which four travel */
        int lengths[] = {3, 1};
        MPI_Aint places[] = {0, 4 * sizeof(double)};
        MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE}, resized;
        CHECK(MPI_Type_create_struct(2, lengths, places, types, &inner));
        CHECK(MPI_Type_create_resized(inner, 0, 6 * sizeof(double), &resized));
        CHECK(MPI_Type_contiguous(3, resized, &type));
        CHECK(MPI_Type_free(&inner));
        CHECK(MPI_Type_free(&resized));
        break;
    }
    default: { /* columns one after the other: a transposed matrix */
        MPI_Datatype column;
        CHECK(MPI_Type_vector(ROWS, 1, COLS, MPI_DOUBLE, &inner));
        CHECK(MPI_Type_create_resized(inner, 0, sizeof(double), &column));
        CHECK(MPI_Type_contiguous(COLS, column, &type));
        CHECK(MPI_Type_free(&inner));
        CHECK(MPI_Type_free(&column));
    }
    }
    CHECK(MPI_Type_commit(&type));
    return type;
}

int main(int argc, char **argv) {
    int provided, wrong = 0;
    CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    for (int k = 0; k < LAYOUTS; k++) {
        int origin;
        MPI_Datatype type = layout(k, &origin);
        double cells[CELLS], wanted[CELLS], got[CELLS];
        for (int i = 0; i < CELLS; i++) {
            cells[i] = 1000 * k + i;
            wanted[i] = got[i] = -1;
        }
        /* What the layout means to C, without a second program. */
        CHECK(MPI_Sendrecv(cells + origin, 1, type, 0, 0, wanted + origin, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));

        CHECK(MPI_Recv(got + origin, 1, type, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        wrong += memcmp(got, wanted, sizeof got) != 0;
        CHECK(MPI_Send(got, CELLS, MPI_DOUBLE, 0, k, MPI_COMM_WORLD));

        CHECK(MPI_Send(cells + origin, 1, type, 0, k, MPI_COMM_WORLD));
        CHECK(MPI_Recv(got, CELLS, MPI_DOUBLE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        wrong += memcmp(got, wanted, sizeof got) != 0;
        CHECK(MPI_Type_free(&type));
    }
    printf("C: %d of %d layouts differ\n", wrong, 2 * LAYOUTS);
    wrong += structs();
    wrong += others();
    CHECK(MPI_Finalize());
    return wrong != 0;
}
