/* The twin of examples/bfs. */
#include "timing.h"

#define DEGREE 8
#define FAR UINT64_MAX

typedef struct {
    size_t per_rank, first, len; /* this rank's vertices */
    size_t *starts;
    uint64_t *targets;
} Graph;

static Array bfs(MPI_Comm comm, void *input) {
    Graph *graph = input;
    int rank, ranks;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &ranks));
    Array distances = {room(graph->len * sizeof(uint64_t)), graph->len};
    for (size_t v = 0; v < graph->len; v++) distances.at[v] = FAR;
    int *send = room(5 * ranks * sizeof *send), *send_displs = send + ranks;
    int *recv = send + 2 * ranks, *recv_displs = send + 3 * ranks, *filled = send + 4 * ranks;
    size_t frontier_len = graph->first == 0 && graph->len > 0;
    uint64_t *frontier = room(sizeof *frontier);
    frontier[0] = 0;
    for (uint64_t distance = 0;; distance++) {
        uint64_t mine = frontier_len, all;
        CHECK(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, comm));
        if (all == 0) break;
        /* Which vertices are new, and how many edges lead to each rank. */
        memset(send, 0, ranks * sizeof *send);
        size_t new_len = 0;
        for (size_t i = 0; i < frontier_len; i++) {
            size_t v = frontier[i] - graph->first;
            if (distances.at[v] != FAR) continue;
            distances.at[v] = distance;
            frontier[new_len++] = v;
            for (size_t e = graph->starts[v]; e < graph->starts[v + 1]; e++) send[graph->targets[e] / graph->per_rank]++;
        }
        int total = 0;
        for (int i = 0; i < ranks; i++) {
            send_displs[i] = filled[i] = total;
            total += send[i];
        }
        uint64_t *next = room(total * sizeof *next);
        for (size_t i = 0; i < new_len; i++) {
            size_t v = frontier[i];
            for (size_t e = graph->starts[v]; e < graph->starts[v + 1]; e++) {
                uint64_t to = graph->targets[e];
                next[filled[to / graph->per_rank]++] = to;
            }
        }
        CHECK(MPI_Alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, comm));
        frontier_len = 0;
        for (int i = 0; i < ranks; i++) {
            recv_displs[i] = (int)frontier_len;
            frontier_len += recv[i];
        }
        free(frontier);
        frontier = room(frontier_len * sizeof *frontier);
        CHECK(MPI_Alltoallv(next, send, send_displs, MPI_UINT64_T, frontier, recv, recv_displs, MPI_UINT64_T, comm));
        free(next);
    }
    free(frontier);
    free(send);
    return distances;
}

int main(int argc, char **argv) {
    size_t vertices = 1000, rounds;
    MPI_Comm comm = start(argc, argv, &vertices, &rounds);
    int rank, ranks;
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &ranks));
    Graph graph;
    graph.per_rank = (vertices + ranks - 1) / ranks;
    if (graph.per_rank == 0) graph.per_rank = 1;
    graph.first = rank * graph.per_rank < vertices ? rank * graph.per_rank : vertices;
    graph.len = graph.first + graph.per_rank < vertices ? graph.per_rank : vertices - graph.first;
    graph.starts = room((graph.len + 1) * sizeof *graph.starts);
    graph.targets = room(graph.len * DEGREE * sizeof *graph.targets);
    for (size_t v = 0; v <= graph.len; v++) graph.starts[v] = v * DEGREE;
    for (size_t e = 0; e < graph.len * DEGREE; e++) graph.targets[e] = random_number(1, graph.first * DEGREE + e) % vertices;
    timed(comm, rounds, bfs, &graph);
    CHECK(MPI_Finalize());
    return 0;
}
