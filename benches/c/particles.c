/* The twin of examples/particles. */
#include "timing.h"
#include <math.h>
#include <stddef.h>

typedef struct { double at[3], velocity[3], mass; } Body;
typedef struct {
    Body *mine, *all;
    int len, total, *counts, *displs;
    MPI_Datatype type;
} State;

#define TIME 1e-4
#define SOFT 1e-2

static MPI_Datatype body_type(void) {
    int lengths[3] = {3, 3, 1};
    MPI_Aint places[3] = {offsetof(Body, at), offsetof(Body, velocity), offsetof(Body, mass)};
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE}, fields, type;
    CHECK(MPI_Type_create_struct(3, lengths, places, types, &fields));
    CHECK(MPI_Type_create_resized(fields, 0, sizeof(Body), &type));
    CHECK(MPI_Type_commit(&type));
    CHECK(MPI_Type_free(&fields));
    return type;
}

static void pull(const Body *body, const Body *all, int total, double sum[3]) {
    sum[0] = sum[1] = sum[2] = 0;
    for (int i = 0; i < total; i++) {
        const Body *other = &all[i];
        double x = other->at[0] - body->at[0], y = other->at[1] - body->at[1], z = other->at[2] - body->at[2];
        double square = x * x + y * y + z * z + SOFT;
        double strength = other->mass / (square * sqrt(square));
        sum[0] += strength * x;
        sum[1] += strength * y;
        sum[2] += strength * z;
    }
}

static Array step(MPI_Comm comm, void *input) {
    State *s = input;
    CHECK(MPI_Allgatherv(s->mine, s->len, s->type, s->all, s->counts, s->displs, s->type, comm));
    for (int i = 0; i < s->len; i++) {
        Body *body = &s->mine[i];
        double sum[3];
        pull(body, s->all, s->total, sum);
        for (int k = 0; k < 3; k++) {
            body->velocity[k] += TIME * sum[k];
            body->at[k] += TIME * body->velocity[k];
        }
    }
    Array copy = {NULL, s->len * sizeof(Body) / sizeof(uint64_t)};
    copy.at = room(s->len * sizeof(Body));
    memcpy(copy.at, s->mine, s->len * sizeof(Body));
    return copy;
}

static double number(size_t i) { return (double)(random_number(0, i) >> 11) / (double)(1ull << 53); }

int main(int argc, char **argv) {
    size_t bodies = 100, steps;
    MPI_Comm comm = start(argc, argv, &bodies, &steps);
    int rank, ranks;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &ranks));
    State s = {.total = (int)bodies, .type = body_type()};
    s.counts = room(ranks * sizeof *s.counts);
    s.displs = room(ranks * sizeof *s.displs);
    for (int r = 0; r < ranks; r++) {
        s.counts[r] = (int)bodies / ranks + (r < (int)bodies % ranks);
        s.displs[r] = r > 0 ? s.displs[r - 1] + s.counts[r - 1] : 0;
    }
    s.len = s.counts[rank];
    s.mine = room(s.len * sizeof(Body));
    s.all = room(bodies * sizeof(Body));
    for (int i = 0; i < s.len; i++) {
        double *fields = (double *)&s.mine[i];
        for (size_t k = 0; k < 7; k++) fields[k] = number(7 * (i + s.displs[rank]) + k);
    }
    timed(comm, steps, step, &s);
    CHECK(MPI_Type_free(&s.type));
    free(s.mine);
    free(s.all);
    free(s.counts);
    free(s.displs);
    CHECK(MPI_Finalize());
    return 0;
}
