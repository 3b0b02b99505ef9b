/* MPICH: what travels as packed bytes is cut anywhere, every 8 KiB or so, and a rank that receives it as structs whose fields
 * differ in size loses the field at a cut and what follows in the piece. Whoever sends MPI_PACKED meets it, and so do calls that
 * pack on their own: MPI_Bsend, MPI_Sendrecv_replace, MPI_Scatter and MPI_Gather along their tree, MPI_Alltoall in place. Some
 * report truncation, some nothing. The same structs described as blocks of MPI_BYTE arrive whole: "bytes" as an argument. */
#include "fault.h"
#include <stddef.h>

typedef struct {
    unsigned a;
    unsigned char b;
    double c;
} Struct;

enum { FIRST = 620, LAST = 660, CALLS = 5 };
static const char *names[CALLS] = {"MPI_PACKED", "MPI_Bsend", "MPI_Sendrecv_replace", "MPI_Iscatter", "MPI_Ialltoall in place"};

static MPI_Datatype describe(int as_bytes)
{
    int fields[] = {1, 1, 1}, runs[] = {offsetof(Struct, b) + 1, sizeof(double)};
    MPI_Aint at[] = {offsetof(Struct, a), offsetof(Struct, b), offsetof(Struct, c)};
    MPI_Aint from[] = {offsetof(Struct, a), offsetof(Struct, c)};
    MPI_Datatype primitives[] = {MPI_UNSIGNED, MPI_UNSIGNED_CHAR, MPI_DOUBLE}, type, whole;
    if (as_bytes)
        MPI_Type_create_hindexed(2, runs, from, MPI_BYTE, &type);
    else
        MPI_Type_create_struct(3, fields, at, primitives, &type);
    MPI_Type_create_resized(type, 0, sizeof(Struct), &whole);
    MPI_Type_commit(&whole);
    return whole;
}

/* What `rank` sends, of which every element is another. */
static void fill(Struct *all, int n, int rank)
{
    for (int i = 0; i < n; i++)
        all[i] = (Struct){rank * 1000 + i + 1, i % 255 + 1, rank + i + 0.5};
}

static int differ(const Struct *got, const Struct *sent, int n)
{
    for (int i = 0; i < n; i++)
        if (got[i].a != sent[i].a || got[i].b != sent[i].b || got[i].c != sent[i].c)
            return 1;
    return 0;
}

/* Two ranks exchange `n` structs in one of the ways. */
static int is_wrong(int call, int n, MPI_Datatype whole, int rank)
{
    static Struct mine[2 * LAST], theirs[2 * LAST], got[2 * LAST];
    static char packed[LAST * sizeof(Struct)];
    int peer = 1 - rank, root = 1, size, at = 0;
    MPI_Request request;
    MPI_Comm world = MPI_COMM_WORLD;
    fill(mine, 2 * n, rank);
    fill(theirs, 2 * n, peer);
    memset(got, 0, sizeof got);
    switch (call) {
    case 0:
        MPI_Pack_size(n, whole, world, &size);
        MPI_Pack(mine, n, whole, packed, size, &at, world);
        MPI_Irecv(got, n, whole, peer, 0, world, &request);
        MPI_Send(packed, at, MPI_PACKED, peer, 0, world);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return differ(got, theirs, n);
    case 1:
        MPI_Irecv(got, n, whole, peer, 0, world, &request);
        MPI_Bsend(mine, n, whole, peer, 0, world);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return differ(got, theirs, n);
    case 2:
        memcpy(got, mine, sizeof got);
        MPI_Sendrecv_replace(got, n, whole, peer, 0, peer, 0, world, MPI_STATUS_IGNORE);
        return differ(got, theirs, n);
    case 3:
        MPI_Iscatter(mine, n, whole, got, n, whole, root, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return differ(got, rank == root ? mine + n : theirs, n);
    default:
        memcpy(got, mine, sizeof got);
        MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, n, whole, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return differ(got + peer * n, theirs + rank * n, n);
    }
}

int main(int argc, char **argv)
{
    static char buffer[LAST * sizeof(Struct) + 65536];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(buffer, sizeof buffer);
    int rank, wrong = 0, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype whole = describe(argc > 1 && strcmp(argv[1], "bytes") == 0);
    for (int call = 0; call < CALLS; call++) {
        int first = 0;
        for (int n = FIRST; n <= LAST; n++)
            if (is_wrong(call, n, whole, rank) && first == 0)
                first = n;
        if (first > 0 && rank == 0)
            fprintf(stderr, "%s: wrong from %d structs on\n", names[call], first);
        wrong |= first > 0;
    }
    char *detached;
    MPI_Buffer_detach(&detached, &size);
    MPI_Type_free(&whole);
    return verdict(wrong ? FAULT : OK, "torn_structs");
}
