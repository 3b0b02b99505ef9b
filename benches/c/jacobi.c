/*
 * The C twin of examples/jacobi: the same method, on the same input, with the same calls in the same order.
 * `cargo bench --bench jacobi` builds it and compares the two.
 *
 *     mpicc -O3 -ffp-contract=off -fopenmp-simd jacobi.c -o jacobi -lm
 *     mpiexec -n 2 ./jacobi PLATE.pgm TOLERANCE MAX_STEPS
 *
 * The plate is a binary PGM (P5). Prints "key value" lines; the residual and the fingerprint are the same to
 * the last bit as those of the Rust program, on any number of ranks.
 */
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FREE 0.25

/* Ends the job with one line that says which call failed and why. */
#define CHECK(call) check((call), #call, __LINE__)

static void check(int code, const char *call, int line)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "jacobi.c:%d: %s: %s\n", line, call, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void fail(const char *message)
{
    fprintf(stderr, "jacobi.c: %s\n", message);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL)
        fail("out of memory");
    return memory;
}

/* ---- the plate ---- */

struct plate {
    int rows, cols; /* with the frame */
    int white;
    uint16_t *levels;
};

static struct plate read_pgm(const char *path)
{
    struct plate plate;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("cannot open the image");
    if (fscanf(file, "P5 %d %d %d", &plate.cols, &plate.rows, &plate.white) != 3 || fgetc(file) == EOF)
        fail("the image is not a PGM (P5) file");
    if (plate.rows < 3 || plate.cols < 3 || plate.rows > INT32_MAX / plate.cols || plate.white < 1 ||
        plate.white > 65535)
        fail("the size or the white level of the image is out of range");
    size_t count = (size_t)plate.rows * plate.cols, width = plate.white < 256 ? 1 : 2;
    unsigned char *bytes = allocate(count, width);
    if (fread(bytes, width, count, file) != count)
        fail("the image is cut short");
    plate.levels = allocate(count, sizeof *plate.levels);
    for (size_t i = 0; i < count; i++)
        plate.levels[i] = width == 1 ? bytes[i] : (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    free(bytes);
    fclose(file);
    return plate;
}

static struct plate share_plate(const char *path, int rank, MPI_Comm comm)
{
    struct plate plate = {0};
    if (rank == 0)
        plate = read_pgm(path);
    int head[3] = {plate.rows, plate.cols, plate.white};
    CHECK(MPI_Bcast(head, 3, MPI_INT, 0, comm));
    plate.rows = head[0], plate.cols = head[1], plate.white = head[2];
    if (rank != 0)
        plate.levels = allocate((size_t)plate.rows * plate.cols, sizeof *plate.levels);
    CHECK(MPI_Bcast(plate.levels, plate.rows * plate.cols, MPI_UINT16_T, 0, comm));
    return plate;
}

/* ---- the decomposition ---- */

struct tile {
    int row, col; /* of the first cell, inside the frame */
    int rows, cols;
};

static void share(int cells, int parts, int index, int *start, int *length)
{
    int size = cells / parts, larger = cells % parts;
    *start = index * size + (index < larger ? index : larger);
    *length = size + (index < larger);
}

static struct tile tile_of(const struct plate *plate, const int dims[2], const int coords[2])
{
    struct tile tile;
    share(plate->rows - 2, dims[0], coords[0], &tile.row, &tile.rows);
    share(plate->cols - 2, dims[1], coords[1], &tile.col, &tile.cols);
    return tile;
}

/* ---- the grids of one rank: the tile with a ring of ghosts, row by row ---- */

struct local {
    struct tile tile;
    int stride;
    double *old, *new;
    double *rates; /* of the tile alone */
    double largest_change;
};

static struct local make_local(const struct plate *plate, struct tile tile)
{
    struct local local = {.tile = tile, .stride = tile.cols + 2};
    size_t cells = (size_t)(tile.rows + 2) * local.stride;
    local.old = allocate(cells, sizeof(double));
    local.new = allocate(cells, sizeof(double));
    local.rates = allocate((size_t)tile.rows * tile.cols, sizeof(double));
    for (int row = 0; row < tile.rows + 2; row++)
        for (int col = 0; col < tile.cols + 2; col++) {
            size_t at = (size_t)(tile.row + row) * plate->cols + tile.col + col;
            local.old[(size_t)row * local.stride + col] = (double)plate->levels[at] / plate->white;
            int ghost = row == 0 || col == 0 || row == tile.rows + 1 || col == tile.cols + 1;
            if (!ghost)
                local.rates[(size_t)(row - 1) * tile.cols + col - 1] = plate->levels[at] == 0 ? FREE : 0.0;
        }
    memcpy(local.new, local.old, cells * sizeof(double));
    return local;
}

static void free_local(struct local *local)
{
    free(local->old);
    free(local->new);
    free(local->rates);
}

/* ---- one step ---- */

static inline double larger(double a, double b)
{
    return b > a ? b : a;
}

static inline double change_of(double here, double north, double south, double west, double east, double rate)
{
    return rate * (((north + south) + (west + east)) - 4.0 * here);
}

/* A run of n cells side by side; `here` points at the first of them. Gives the largest change. */
static double relax_row(int n, const double *restrict north, const double *restrict here,
                        const double *restrict south, const double *restrict rates, double *restrict new)
{
    double largest = 0.0;
    /* A maximum does not depend on the order, which the compiler may not know. */
#pragma omp simd reduction(max : largest)
    for (int i = 0; i < n; i++) {
        double change = change_of(here[i], north[i], south[i], here[i - 1], here[i + 1], rates[i]);
        new[i] = here[i] + change;
        double size = fabs(change);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Rows and columns of the tile count from 0. */
static void relax_cells(struct local *local, int row, int col, int n)
{
    size_t at = (size_t)(row + 1) * local->stride + col + 1;
    double largest = relax_row(n, local->old + at - local->stride, local->old + at, local->old + at + local->stride,
                               local->rates + (size_t)row * local->tile.cols + col, local->new + at);
    local->largest_change = larger(local->largest_change, largest);
}

static void relax_interior(struct local *local)
{
    for (int row = 1; row < local->tile.rows - 1; row++)
        relax_cells(local, row, 1, local->tile.cols - 2);
}

static void relax_rim(struct local *local)
{
    int last_row = local->tile.rows - 1, last_col = local->tile.cols - 1;
    for (int row = 0; row <= last_row; row++) {
        if (row == 0 || row == last_row)
            relax_cells(local, row, 1, local->tile.cols - 2);
        relax_cells(local, row, 0, 1);
        relax_cells(local, row, last_col, 1);
    }
}

static double take_largest_change(struct local *local)
{
    double largest = local->largest_change;
    local->largest_change = 0.0;
    return largest;
}

/* ---- the iteration ---- */

enum { NORTH, SOUTH, WEST, EAST };

struct course {
    int64_t iterations;
    double residual, seconds, communication;
};

static struct course iterate(struct local *local, MPI_Comm cart, double tolerance, int64_t max_iterations)
{
    int rows = local->tile.rows, cols = local->tile.cols, stride = local->stride;
    int north, south, west, east;
    CHECK(MPI_Cart_shift(cart, 0, 1, &north, &south));
    CHECK(MPI_Cart_shift(cart, 1, 1, &west, &east));
    MPI_Datatype column;
    CHECK(MPI_Type_vector(rows, 1, stride, MPI_DOUBLE, &column));
    CHECK(MPI_Type_commit(&column));

    struct course course = {0};
    double change = INFINITY, global;
    CHECK(MPI_Barrier(cart));
    double start = MPI_Wtime();
    do {
        MPI_Request receives[4], sends[4], reduction;
        double *old = local->old, *core = old + stride + 1;
        double *last_row = core + (size_t)(rows - 1) * stride;
        double posting = MPI_Wtime();
        /* The change in the step before travels while this step computes. */
        CHECK(MPI_Iallreduce(&change, &global, 1, MPI_DOUBLE, MPI_MAX, cart, &reduction));
        /* A tag says which way a message travels. */
        CHECK(MPI_Irecv(core - stride, cols, MPI_DOUBLE, north, SOUTH, cart, &receives[0]));
        CHECK(MPI_Irecv(last_row + stride, cols, MPI_DOUBLE, south, NORTH, cart, &receives[1]));
        CHECK(MPI_Irecv(core - 1, 1, column, west, EAST, cart, &receives[2]));
        CHECK(MPI_Irecv(core + cols, 1, column, east, WEST, cart, &receives[3]));
        CHECK(MPI_Isend(core, cols, MPI_DOUBLE, north, NORTH, cart, &sends[0]));
        CHECK(MPI_Isend(last_row, cols, MPI_DOUBLE, south, SOUTH, cart, &sends[1]));
        CHECK(MPI_Isend(core, 1, column, west, WEST, cart, &sends[2]));
        CHECK(MPI_Isend(core + cols - 1, 1, column, east, EAST, cart, &sends[3]));
        double posted = MPI_Wtime();
        relax_interior(local);
        double waiting = MPI_Wtime();
        CHECK(MPI_Waitall(4, receives, MPI_STATUSES_IGNORE));
        double arrived = MPI_Wtime();
        relax_rim(local);
        double finishing = MPI_Wtime();
        CHECK(MPI_Wait(&reduction, MPI_STATUS_IGNORE));
        CHECK(MPI_Waitall(4, sends, MPI_STATUSES_IGNORE));
        double finished = MPI_Wtime();
        course.communication += (posted - posting) + (arrived - waiting) + (finished - finishing);

        change = take_largest_change(local);
        local->old = local->new;
        local->new = old;
        course.iterations++;
    } while (global > tolerance && course.iterations < max_iterations);
    course.seconds = MPI_Wtime() - start;

    CHECK(MPI_Allreduce(&change, &course.residual, 1, MPI_DOUBLE, MPI_MAX, cart));
    CHECK(MPI_Allreduce(MPI_IN_PLACE, &course.seconds, 1, MPI_DOUBLE, MPI_MAX, cart));
    CHECK(MPI_Type_free(&column));
    return course;
}

/* ---- the result ---- */

static uint64_t fingerprint(const double *field, size_t cells)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < cells; i++) {
        uint64_t bits;
        memcpy(&bits, &field[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* The whole field on rank 0, NULL elsewhere. */
static double *gather(const struct local *local, const struct plate *plate, const int dims[2], int rank, int size,
                      MPI_Comm cart)
{
    MPI_Datatype part;
    MPI_Request sending;
    CHECK(MPI_Type_vector(local->tile.rows, local->tile.cols, local->stride, MPI_DOUBLE, &part));
    CHECK(MPI_Type_commit(&part));
    CHECK(MPI_Isend(local->old + local->stride + 1, 1, part, 0, 0, cart, &sending));
    double *field = NULL;
    if (rank == 0) {
        size_t cells = (size_t)plate->rows * plate->cols;
        field = allocate(cells, sizeof(double));
        for (size_t i = 0; i < cells; i++)
            field[i] = (double)plate->levels[i] / plate->white;
        for (int peer = 0; peer < size; peer++) {
            int coords[2];
            CHECK(MPI_Cart_coords(cart, peer, 2, coords));
            struct tile tile = tile_of(plate, dims, coords);
            MPI_Datatype place;
            CHECK(MPI_Type_vector(tile.rows, tile.cols, plate->cols, MPI_DOUBLE, &place));
            CHECK(MPI_Type_commit(&place));
            double *first = field + (size_t)(tile.row + 1) * plate->cols + tile.col + 1;
            CHECK(MPI_Recv(first, 1, place, peer, 0, cart, MPI_STATUS_IGNORE));
            CHECK(MPI_Type_free(&place));
        }
    }
    CHECK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    CHECK(MPI_Type_free(&part));
    return field;
}

int main(int argc, char **argv)
{
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (argc != 4)
        fail("usage: jacobi PLATE.pgm TOLERANCE MAX_STEPS");
    int rank, size;
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    struct plate plate = share_plate(argv[1], rank, MPI_COMM_WORLD);

    int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];
    CHECK(MPI_Dims_create(size, 2, dims));
    int shorter = dims[0] < dims[1] ? dims[0] : dims[1], longer = size / shorter;
    dims[0] = plate.rows > plate.cols ? longer : shorter;
    dims[1] = size / dims[0];
    if (dims[0] > plate.rows - 2 || dims[1] > plate.cols - 2)
        fail("too many ranks for this image");
    MPI_Comm cart;
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
    CHECK(MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN));
    CHECK(MPI_Cart_coords(cart, rank, 2, coords));

    struct local local = make_local(&plate, tile_of(&plate, dims, coords));
    struct course course = iterate(&local, cart, strtod(argv[2], NULL), strtoll(argv[3], NULL, 10));
    double *field = gather(&local, &plate, dims, rank, size, cart);
    if (rank == 0) {
        printf("iterations     %" PRId64 "\n", course.iterations);
        printf("residual       %.17g\n", course.residual);
        printf("time           %.6f s\n", course.seconds);
        printf("communication  %.1f %% of the time\n", 100.0 * course.communication / course.seconds);
        printf("fingerprint    %016" PRIx64 "\n", fingerprint(field, (size_t)plate.rows * plate.cols));
    }
    free(field);
    free_local(&local);
    free(plate.levels);
    CHECK(MPI_Comm_free(&cart));
    CHECK(MPI_Finalize());
    return 0;
}
