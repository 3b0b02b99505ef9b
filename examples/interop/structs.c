/* Structs between the two programs, made by hand as examples/interop/structs.rs has them derived: with padding, of nested arrays,
 * packed, over-aligned; all of them, a column, and blocks in C and in Fortran order. Padding does not travel, so what is received
 * into has it as it was: every byte is compared. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PLANES = 3, ROWS = 4, COLS = 5, CELLS = PLANES * ROWS * COLS, KINDS = 4, SHAPES = 4, WIDEST = 256, BLANK = 0xAA };
#define CHECK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "%s failed\n", #call); MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)

struct padded { unsigned char flag; double weight; int id; short small; };
struct inner { signed char kind; double at[2]; };
struct nested { unsigned short tag; struct inner cells[3][2]; float corner[3]; };
struct __attribute__((packed)) packed { unsigned char kind; double value; unsigned count; };
struct aligned { _Alignas(32) long long id; unsigned char end[3]; };

/* The type of a struct that has `n` fields, each so many elements of a type, and of arrays of it. */
MPI_Datatype made(int n, const int *counts, const MPI_Aint *places, const MPI_Datatype *types, size_t size) {
    MPI_Datatype bare, type;
    CHECK(MPI_Type_create_struct(n, counts, places, types, &bare));
    CHECK(MPI_Type_create_resized(bare, 0, (MPI_Aint)size, &type));
    CHECK(MPI_Type_free(&bare));
    CHECK(MPI_Type_commit(&type));
    return type;
}

static MPI_Datatype of_kind(int kind, size_t *size) {
    switch (kind) {
    case 0: {
        int counts[] = {1, 1, 1, 1};
        MPI_Aint places[] = {offsetof(struct padded, flag), offsetof(struct padded, weight), offsetof(struct padded, id), offsetof(struct padded, small)};
        MPI_Datatype types[] = {MPI_UINT8_T, MPI_DOUBLE, MPI_INT32_T, MPI_INT16_T};
        *size = sizeof(struct padded);
        return made(4, counts, places, types, *size);
    }
    case 1: {
        int inner_counts[] = {1, 2}, counts[] = {1, 6, 3};
        MPI_Aint inner_places[] = {offsetof(struct inner, kind), offsetof(struct inner, at)};
        MPI_Aint places[] = {offsetof(struct nested, tag), offsetof(struct nested, cells), offsetof(struct nested, corner)};
        MPI_Datatype inner_types[] = {MPI_INT8_T, MPI_DOUBLE}, types[] = {MPI_UINT16_T, MPI_DATATYPE_NULL, MPI_FLOAT}, type;
        types[1] = made(2, inner_counts, inner_places, inner_types, sizeof(struct inner));
        *size = sizeof(struct nested);
        type = made(3, counts, places, types, *size);
        CHECK(MPI_Type_free(&types[1]));
        return type;
    }
    case 2: {
        int counts[] = {1, 1, 1};
        MPI_Aint places[] = {offsetof(struct packed, kind), offsetof(struct packed, value), offsetof(struct packed, count)};
        MPI_Datatype types[] = {MPI_UINT8_T, MPI_DOUBLE, MPI_UINT32_T};
        *size = sizeof(struct packed);
        return made(3, counts, places, types, *size);
    }
    default: {
        int counts[] = {1, 3};
        MPI_Aint places[] = {offsetof(struct aligned, id), offsetof(struct aligned, end)};
        MPI_Datatype types[] = {MPI_INT64_T, MPI_UINT8_T};
        *size = sizeof(struct aligned);
        return made(2, counts, places, types, *size);
    }
    }
}

/* Writes the fields of element `n`; its padding stays blank. */
static void fill(int kind, int n, unsigned char *into) {
    unsigned char bytes[WIDEST];
    memset(bytes, BLANK, sizeof bytes);
#define PUT(type, field, value) do { __typeof__(((struct type *)0)->field) v = (value); memcpy(bytes + offsetof(struct type, field), &v, sizeof v); } while (0)
    size_t size = 0;
    switch (kind) {
    case 0:
        PUT(padded, flag, n % 251);
        PUT(padded, weight, n + 0.25);
        PUT(padded, id, -n);
        PUT(padded, small, n % 1000);
        size = sizeof(struct padded);
        break;
    case 1:
        PUT(nested, tag, n % 60000);
        for (int i = 0; i < 6; i++) {
            PUT(nested, cells[i / 2][i % 2].kind, (n + i) % 100 - 50);
            PUT(nested, cells[i / 2][i % 2].at[0], n + 0.5 * i);
            PUT(nested, cells[i / 2][i % 2].at[1], n - 0.5 * i);
        }
        for (int i = 0; i < 3; i++)
            PUT(nested, corner[i], n + 0.125f * i);
        size = sizeof(struct nested);
        break;
    case 2:
        PUT(packed, kind, n % 253);
        PUT(packed, value, n + 0.75);
        PUT(packed, count, 3000000000u + n);
        size = sizeof(struct packed);
        break;
    default:
        PUT(aligned, id, n * 10000000000LL);
        for (int i = 0; i < 3; i++)
            PUT(aligned, end[i], (n + i) % 255);
        size = sizeof(struct aligned);
    }
    memcpy(into, bytes, size);
}

/* All of an array, a column of it, or a block in either order. */
static MPI_Datatype of_shape(int shape, MPI_Datatype element) {
    int sizes[] = {PLANES, ROWS, COLS}, sub[] = {2, 3, 3}, starts[] = {1, 0, 2};
    MPI_Datatype type;
    switch (shape) {
    case 0: CHECK(MPI_Type_contiguous(CELLS, element, &type)); break;
    case 1: CHECK(MPI_Type_vector(PLANES * ROWS, 1, COLS, element, &type)); break;
    case 2: CHECK(MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_C, element, &type)); break;
    default: CHECK(MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_FORTRAN, element, &type));
    }
    CHECK(MPI_Type_commit(&type));
    return type;
}

/* Whether the shape has cell `i`, by counting. */
static int has(int shape, int i) {
    int p = i / (ROWS * COLS), r = i / COLS % ROWS, c = i % COLS; /* the last index runs fastest */
    if (shape == 3) { /* the first does */
        p = i % PLANES, r = i / PLANES % ROWS, c = i / (PLANES * ROWS);
    }
    return shape == 0 || (shape == 1 ? i % COLS == 0 : p >= 1 && r < 3 && c >= 2);
}

/* Exchanges all of them with rank 0; says how many were wrong, and prints it. */
int structs(void) {
    static unsigned char cells[CELLS * WIDEST], wanted[CELLS * WIDEST], got[CELLS * WIDEST];
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t size;
        MPI_Datatype element = of_kind(kind, &size);
        for (int shape = 0; shape < SHAPES; shape++) {
            int tag = 100 + 10 * kind + shape;
            MPI_Datatype type = of_shape(shape, element);
            memset(wanted, BLANK, sizeof wanted);
            for (int i = 0; i < CELLS; i++) {
                fill(kind, 100 * tag + i, cells + i * size);
                if (has(shape, i))
                    fill(kind, 100 * tag + i, wanted + i * size);
            }
            memset(got, BLANK, sizeof got);
            CHECK(MPI_Recv(got, 1, type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            wrong += memcmp(got, wanted, sizeof got) != 0;

            CHECK(MPI_Send(cells, 1, type, 0, tag, MPI_COMM_WORLD));
            memset(got, BLANK, sizeof got);
            CHECK(MPI_Recv(got, CELLS, element, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            wrong += memcmp(got, wanted, sizeof got) != 0;
            CHECK(MPI_Type_free(&type));
        }
        CHECK(MPI_Type_free(&element));
    }
    printf("C: %d of %d structs differ\n", wrong, 2 * KINDS * SHAPES);
    return wrong;
}
