/* Types of examples/interop/others.rs that have no layout of C, or need not have it: enums; a struct of which some does not
 * travel; one that is bytes; one in whatever order the Rust compiler has put it. Only what travels must be alike, in order. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 50, KINDS = 5, WIDEST = 64, BLANK = 0xAA };
#define CHECK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "%s failed\n", #call); MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)

MPI_Datatype made(int n, const int *counts, const MPI_Aint *places, const MPI_Datatype *types, size_t size); /* structs.c */

enum level { BELOW = -70000, ZERO = 0, ABOVE = 1 };
struct partial { unsigned id; double cached; unsigned char phase, seen; double weight; };
struct whole { unsigned id; unsigned char end[4]; double weight; };
struct loose { double weight; unsigned count; unsigned short id; unsigned char flag; };

/* The type of a value, or of one of the `parts` that make it. */
static MPI_Datatype of_kind(int kind, size_t *size, int *parts) {
    MPI_Datatype type;
    *parts = 1;
    switch (kind) {
    case 0:
        *size = sizeof(unsigned char);
        CHECK(MPI_Type_dup(MPI_UINT8_T, &type));
        return type;
    case 1:
        *size = sizeof(enum level);
        CHECK(MPI_Type_dup(MPI_INT32_T, &type));
        return type;
    case 2: { /* neither `cached` nor `seen` */
        int counts[] = {1, 1, 1};
        MPI_Aint places[] = {offsetof(struct partial, id), offsetof(struct partial, phase), offsetof(struct partial, weight)};
        MPI_Datatype types[] = {MPI_UINT32_T, MPI_UINT8_T, MPI_DOUBLE};
        *size = sizeof(struct partial);
        return made(3, counts, places, types, *size);
    }
    case 3:
        *size = sizeof(struct whole);
        *parts = sizeof(struct whole);
        CHECK(MPI_Type_dup(MPI_BYTE, &type));
        return type;
    default: { /* in the order of declaration in Rust */
        int counts[] = {1, 1, 1, 1};
        MPI_Aint places[] = {offsetof(struct loose, flag), offsetof(struct loose, weight), offsetof(struct loose, id), offsetof(struct loose, count)};
        MPI_Datatype types[] = {MPI_UINT8_T, MPI_DOUBLE, MPI_UINT16_T, MPI_UINT32_T};
        *size = sizeof(struct loose);
        return made(4, counts, places, types, *size);
    }
    }
}

/* Writes what travels of value `n`. */
static void fill(int kind, int n, unsigned char *into) {
    static const unsigned char phases[] = {1, 2, 200};
    static const enum level levels[] = {BELOW, ZERO, ABOVE};
#define PUT(type, field, value) do { __typeof__(((struct type *)0)->field) v = (value); memcpy(into + offsetof(struct type, field), &v, sizeof v); } while (0)
    switch (kind) {
    case 0:
        *into = phases[n % 3];
        break;
    case 1:
        memcpy(into, &levels[n % 3], sizeof(enum level));
        break;
    case 2:
        PUT(partial, id, 3000000000u + n);
        PUT(partial, phase, phases[n % 3]);
        PUT(partial, weight, n + 0.25);
        break;
    case 3:
        PUT(whole, id, 4000000000u + n);
        for (int i = 0; i < 4; i++)
            PUT(whole, end[i], (n + i) % 255);
        PUT(whole, weight, n - 0.5);
        break;
    default:
        PUT(loose, flag, n % 251);
        PUT(loose, weight, n + 0.75);
        PUT(loose, id, 60000 + n);
        PUT(loose, count, 2000000000u + n);
    }
}

/* Exchanges all of them with rank 0; says how many were wrong, and prints it. */
int others(void) {
    static unsigned char values[VALUES * WIDEST], got[VALUES * WIDEST];
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t size;
        int parts, tag = 200 + kind;
        MPI_Datatype type = of_kind(kind, &size, &parts);
        memset(values, BLANK, sizeof values); /* what does not travel stays so at the receiver */
        for (int i = 0; i < VALUES; i++)
            fill(kind, 100 * kind + i, values + i * size);
        for (int round = 0; round < 2; round++) { /* what Rust has made, and what it has got from here */
            memset(got, BLANK, sizeof got);
            CHECK(MPI_Recv(got, VALUES * parts, type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            wrong += memcmp(got, values, sizeof got) != 0;
            if (round == 0)
                CHECK(MPI_Send(values, VALUES * parts, type, 0, tag, MPI_COMM_WORLD));
        }
        CHECK(MPI_Type_free(&type));
    }
    printf("C: %d of %d others differ\n", wrong, 2 * KINDS);
    return wrong;
}
