/* Open MPI writes past the receive buffer when a longer message meets a shorter receive.
 *
 * The sender offers the receiver its memory (ob1's RGET protocol, over CMA, XPMEM, KNEM or to itself), and the receiver
 * fetches what was *sent*, not what it has room for. The error says "truncated", after the damage is done.
 *
 * usage: overrun FORM self|other [BYTES...]     one form, one path; without sizes: 1 B to 1 MiB
 *        overrun                                every form that cannot hang, both paths (the fault table's reproducer)
 */
#include "fault.h"
#include <signal.h>

enum { MOST = 1 << 20, MARGIN = 4096, CANARY = 0x5A, TAG = 7 };

static unsigned char *sent, *buffer;
static int world_rank, now_bytes, now_room;
static const char *now_form, *now_path;

/* Bytes behind the room that changed. */
static long damage(int room)
{
    long changed = 0;
    for (long i = room; i < MOST + MARGIN; i++)
        changed += buffer[i] != CANARY;
    return changed;
}

/* Collectives whose ranks disagree on a length may hang by the standard's own rules: report what happened until then. */
static void stuck(int sig)
{
    (void)sig;
    long changed = damage(now_room);
    printf("%s %s %s: %d bytes into %d: %ld bytes behind changed (rank %d hangs)\n", changed ? "FAULT" : "ok", now_form,
           now_path, now_bytes, now_room, changed, world_rank);
    fflush(stdout);
    _exit(changed ? FAULT : OK);
}

/* One transfer of `n` bytes from rank `from` of `comm` to a receive of `room` bytes on rank `to`. */
struct transfer { MPI_Comm comm; int me, from, to, n, room; };

static void recv_unexpected(struct transfer t)
{
    MPI_Request out = MPI_REQUEST_NULL;
    if (t.me == t.from) MPI_Isend(sent, t.n, MPI_BYTE, t.to, TAG, t.comm, &out);
    MPI_Barrier(t.comm);
    if (t.me == t.to) MPI_Recv(buffer, t.room, MPI_BYTE, t.from, TAG, t.comm, MPI_STATUS_IGNORE);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
}

static void irecv_posted(struct transfer t)
{
    MPI_Request in = MPI_REQUEST_NULL;
    if (t.me == t.to) MPI_Irecv(buffer, t.room, MPI_BYTE, t.from, TAG, t.comm, &in);
    MPI_Barrier(t.comm);
    if (t.me == t.from) MPI_Send(sent, t.n, MPI_BYTE, t.to, TAG, t.comm);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
}

static void persistent(struct transfer t)
{
    MPI_Request in = MPI_REQUEST_NULL;
    if (t.me == t.to) {
        MPI_Recv_init(buffer, t.room, MPI_BYTE, t.from, TAG, t.comm, &in);
        MPI_Start(&in);
    }
    MPI_Barrier(t.comm);
    if (t.me == t.from) MPI_Ssend(sent, t.n, MPI_BYTE, t.to, TAG, t.comm);
    if (t.me == t.to) {
        MPI_Wait(&in, MPI_STATUS_IGNORE);
        MPI_Request_free(&in);
    }
}

static void matched(struct transfer t)
{
    MPI_Request out = MPI_REQUEST_NULL;
    MPI_Message message;
    if (t.me == t.from) MPI_Isend(sent, t.n, MPI_BYTE, t.to, TAG, t.comm, &out);
    if (t.me == t.to) {
        MPI_Mprobe(t.from, TAG, t.comm, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(buffer, t.room, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&out, MPI_STATUS_IGNORE);
}

static void sendrecv(struct transfer t)
{
    int out = t.me == t.from ? t.to : MPI_PROC_NULL, in = t.me == t.to ? t.from : MPI_PROC_NULL;
    MPI_Sendrecv(sent, t.n, MPI_BYTE, out, TAG, buffer, t.room, MPI_BYTE, in, TAG, t.comm, MPI_STATUS_IGNORE);
}

/* Never a type of size zero, which is another fault (zero_size_receive.c). */
static void derived(struct transfer t)
{
    if (t.room == 0) return;
    MPI_Request in = MPI_REQUEST_NULL;
    MPI_Datatype pieces;
    MPI_Type_contiguous(t.room, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    if (t.me == t.to) MPI_Irecv(buffer, 1, pieces, t.from, TAG, t.comm, &in);
    MPI_Barrier(t.comm);
    if (t.me == t.from) MPI_Send(sent, t.n, MPI_BYTE, t.to, TAG, t.comm);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    MPI_Type_free(&pieces);
}

static void bcast(struct transfer t)
{
    MPI_Bcast(t.me == t.from ? sent : buffer, t.me == t.from ? t.n : t.room, MPI_BYTE, t.from, t.comm);
}

static void ibcast(struct transfer t)
{
    MPI_Request r;
    MPI_Ibcast(t.me == t.from ? sent : buffer, t.me == t.from ? t.n : t.room, MPI_BYTE, t.from, t.comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* The receiving root brings as much as it expects, so that only the other rank disagrees. To itself, it disagrees. */
static void gather(struct transfer t)
{
    int mine = t.me == t.from ? t.n : t.room;
    MPI_Gather(sent, mine, MPI_BYTE, buffer, t.room, MPI_BYTE, t.to, t.comm);
}

static void igather(struct transfer t)
{
    MPI_Request r;
    int mine = t.me == t.from ? t.n : t.room;
    MPI_Igather(sent, mine, MPI_BYTE, buffer, t.room, MPI_BYTE, t.to, t.comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void scatter(struct transfer t)
{
    static unsigned char twice[2 * MOST], own[MOST];
    unsigned char *in = t.me == t.to ? buffer : own;
    MPI_Scatter(twice, t.n, MPI_BYTE, in, t.me == t.to ? t.room : t.n, MPI_BYTE, t.from, t.comm);
}

static void alltoall(struct transfer t)
{
    static unsigned char twice[2 * MOST], own[2 * MOST];
    int mine = t.me == t.to ? t.room : t.n;
    MPI_Alltoall(twice, mine, MPI_BYTE, t.me == t.to ? buffer : own, mine, MPI_BYTE, t.comm);
}

static void allgather(struct transfer t)
{
    static unsigned char own[2 * MOST];
    int mine = t.me == t.to ? t.room : t.n;
    MPI_Allgather(sent, mine, MPI_BYTE, t.me == t.to ? buffer : own, mine, MPI_BYTE, t.comm);
}

static void allreduce(struct transfer t)
{
    static unsigned char own[MOST];
    int mine = t.me == t.to ? t.room : t.n;
    MPI_Allreduce(sent, t.me == t.to ? buffer : own, mine, MPI_BYTE, MPI_BOR, t.comm);
}

static const struct form { const char *name; void (*run)(struct transfer); int collective, rooms; } FORMS[] = {
    /* name, function, whether it is a collective, how many rooms long the receive buffer is */
    { "recv", recv_unexpected, 0, 1 }, { "irecv", irecv_posted, 0, 1 },  { "persistent", persistent, 0, 1 },
    { "mrecv", matched, 0, 1 },        { "sendrecv", sendrecv, 0, 1 },   { "derived", derived, 0, 1 },
    { "bcast", bcast, 1, 1 },          { "ibcast", ibcast, 1, 1 },       { "gather", gather, 1, 2 },
    { "igather", igather, 1, 2 },      { "scatter", scatter, 1, 1 },     { "alltoall", alltoall, 1, 2 },
    { "allgather", allgather, 1, 2 },  { "allreduce", allreduce, 1, 1 },
};
enum { COUNT = sizeof FORMS / sizeof *FORMS };

/* 1 when the canary changed. Each attempt has its own communicator, which a failed collective may leave unusable. */
static int attempt(const struct form *form, int to_self, int n, int room)
{
    MPI_Comm comm;
    struct transfer t = { .n = n, .room = room, .from = 0 };
    MPI_Comm_dup(to_self ? MPI_COMM_SELF : MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &t.me);
    MPI_Comm_size(comm, &t.to);
    t.to -= 1;
    t.comm = comm;
    memset(buffer, CANARY, MOST + MARGIN);
    now_bytes = n;
    now_room = t.me == t.to ? room * (form->rooms) : 0;
    now_form = form->name;
    now_path = to_self ? "self" : "other";
    alarm(4);
    form->run(t);
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(0);
    long changed = damage(now_room);
    if (changed)
        printf("FAULT %s %s: %d bytes into %d: %ld bytes behind changed\n", form->name, now_path, n, room, changed);
    if (!form->collective) MPI_Comm_free(&comm);
    return changed > 0;
}

static int try_sizes(const struct form *form, int to_self, int argc, char **argv)
{
    int damaged = 0;
    for (int i = 0; i < argc; i++) {
        int n = atoi(argv[i]), rooms[] = { 0, 8, n / 2, n - 1 };
        for (int k = 0; k < 4; k++)
            if (rooms[k] < n && (k == 0 ? !form->collective : rooms[k] > rooms[k - 1])) damaged |= attempt(form, to_self, n, rooms[k]);
    }
    return damaged;
}

int main(int argc, char **argv)
{
    int damaged = 0;
    char *all[64], text[64][12];
    int many = 0;
    for (int bits = 0; bits <= 20; bits++)
        for (int off = -1; off <= 1; off++)
            if ((1 << bits) + off >= 1 && (1 << bits) + off <= MOST) {
                snprintf(text[many], 12, "%d", (1 << bits) + off);
                all[many] = text[many];
                many++;
            }
    signal(SIGALRM, stuck);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    /* Some libraries raise the errors of a request on the world, others on the communicator. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    sent = calloc(1, MOST);
    buffer = malloc(MOST + MARGIN);
    for (int f = 0; f < COUNT; f++)
        for (int to_self = 0; to_self < 2; to_self++) {
            int asked = argc < 3 ? !FORMS[f].collective : !strcmp(argv[1], FORMS[f].name) && to_self == !strcmp(argv[2], "self");
            if (asked) damaged |= try_sizes(&FORMS[f], to_self, argc > 3 ? argc - 3 : many, argc > 3 ? argv + 3 : all);
        }
    return verdict(damaged ? FAULT : OK, "overrun");
}
