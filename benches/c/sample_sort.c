/* The twin of examples/sample_sort. */
#include "timing.h"

static void swap(uint64_t *a, uint64_t *b) {
    uint64_t x = *a;
    *a = *b;
    *b = x;
}

/* Quicksort with the middle of three, insertion sort at the end: qsort would call a function for each comparison. */
static void sort(uint64_t *a, size_t n) {
    while (n > 24) {
        size_t mid = n / 2, i = 0, j = n - 1;
        if (a[mid] < a[0]) swap(&a[mid], &a[0]);
        if (a[j] < a[0]) swap(&a[j], &a[0]);
        if (a[j] < a[mid]) swap(&a[j], &a[mid]);
        uint64_t pivot = a[mid];
        for (;;) {
            while (a[i] < pivot) i++;
            while (pivot < a[j]) j--;
            if (i >= j) break;
            swap(&a[i++], &a[j--]);
        }
        size_t left = j + 1;
        if (left < n - left) {
            sort(a, left);
            a += left, n -= left;
        } else {
            sort(a + left, n - left);
            n = left;
        }
    }
    for (size_t i = 1; i < n; i++) {
        uint64_t x = a[i];
        size_t j = i;
        for (; j > 0 && x < a[j - 1]; j--) a[j] = a[j - 1];
        a[j] = x;
    }
}

/* How many elements are less. */
static size_t below(const uint64_t *a, size_t n, uint64_t x) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (a[mid] < x) low = mid + 1;
        else high = mid;
    }
    return low;
}

static Array sample_sort(MPI_Comm comm, void *input) {
    Array *data = input, got;
    int ranks, len = (int)data->len;
    CHECK(MPI_Comm_size(comm, &ranks));
    uint64_t *mine = room(len * sizeof *mine);
    memcpy(mine, data->at, len * sizeof *mine);
    sort(mine, len);
    int proposals = 16 * ranks, given = len ? proposals : 0;
    uint64_t *samples = room(proposals * sizeof *samples);
    for (int i = 0; i < given; i++) samples[i] = mine[(size_t)i * len / proposals];
    int *numbers = room(6 * ranks * sizeof *numbers), *send = numbers + ranks, *send_displs = numbers + 2 * ranks;
    int *recv = numbers + 3 * ranks, *recv_displs = numbers + 4 * ranks, *displs = numbers + 5 * ranks;
    CHECK(MPI_Allgather(&given, 1, MPI_INT, numbers, 1, MPI_INT, comm));
    int all_len = 0;
    for (int i = 0; i < ranks; i++) {
        displs[i] = all_len;
        all_len += numbers[i];
    }
    uint64_t *all = room(all_len * sizeof *all);
    CHECK(MPI_Allgatherv(samples, given, MPI_UINT64_T, all, numbers, displs, MPI_UINT64_T, comm));
    sort(all, all_len);
    int end = 0;
    for (int i = 0; i < ranks; i++) {
        send_displs[i] = end;
        end = i + 1 < ranks && all_len ? (int)below(mine, len, all[(size_t)(i + 1) * all_len / ranks]) : len;
        send[i] = end - send_displs[i];
    }
    CHECK(MPI_Alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, comm));
    got.len = 0;
    for (int i = 0; i < ranks; i++) {
        recv_displs[i] = (int)got.len;
        got.len += recv[i];
    }
    got.at = room(got.len * sizeof *got.at);
    CHECK(MPI_Alltoallv(mine, send, send_displs, MPI_UINT64_T, got.at, recv, recv_displs, MPI_UINT64_T, comm));
    sort(got.at, got.len);
    free(mine);
    free(samples);
    free(numbers);
    free(all);
    return got;
}

int main(int argc, char **argv) {
    size_t size = 1000, rounds;
    MPI_Comm comm = start(argc, argv, &size, &rounds);
    int rank;
    CHECK(MPI_Comm_rank(comm, &rank));
    Array mine = {room(size * sizeof(uint64_t)), size};
    for (size_t i = 0; i < size; i++) mine.at[i] = random_number(rank, i);
    timed(comm, rounds, sample_sort, &mine);
    CHECK(MPI_Finalize());
    return 0;
}
