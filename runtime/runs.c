/* Sorted runs of bytes with the sides that have the newest of them. In: what sides need and write,
   as rows of bytes; out: the copies that this takes, which are of stale bytes only, and the runs
   afterwards. A change walks once along the runs and the pieces of its row, both sorted, and writes
   the new runs into the spare list. Invariants: runs.h. */
#include "runtime/runs.h"
#include "runtime/treefork.h"
#include <stdlib.h>

static struct treefork_byte_run run_at(const struct treefork_runs *runs, size_t i)
{
    return runs->count == 1 ? (struct treefork_byte_run){0, runs->all} : runs->at[i];
}

static size_t run_end(const struct treefork_runs *runs, size_t i)
{
    return i + 1 < runs->count ? runs->at[i + 1].begin : runs->end;
}

/* --- the stretches of a walk ------------------------------------------------------------------ */

/* Bytes of a run that lie all in the same piece of a row, or all between pieces. */
struct run_stretch {
    size_t begin, end;
    uint64_t sides;
    bool is_inside;
};

struct run_walk {
    const struct treefork_runs *runs;
    struct treefork_row row;
    size_t run, piece;          /* at hand */
    size_t at;                  /* everything before was visited */
};

static size_t piece_begin(const struct treefork_row *row, size_t piece)
{
    return row->begin + piece * row->pitch;
}

/* False at the end. */
static bool walk_next(struct run_walk *walk, struct run_stretch *next)
{
    const struct treefork_row *row = &walk->row;
    if (walk->run == walk->runs->count)
        return false;
    while (walk->piece < row->pieces && piece_begin(row, walk->piece) + row->bytes <= walk->at)
        walk->piece++;
    next->begin = walk->at;
    next->end = run_end(walk->runs, walk->run);
    next->sides = run_at(walk->runs, walk->run).sides;
    next->is_inside = false;
    if (walk->piece < row->pieces) {
        size_t begin = piece_begin(row, walk->piece);
        next->is_inside = begin <= walk->at;
        size_t stop = next->is_inside ? begin + row->bytes : begin;
        next->end = stop < next->end ? stop : next->end;
    }
    walk->at = next->end;
    walk->run += next->end == run_end(walk->runs, walk->run);
    return true;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Appends to the list that a change makes: neighbours that are alike are one run. */
static void run_append(struct treefork_byte_run *list, size_t *n, size_t begin, uint64_t sides)
{
    if (*n == 0 || list[*n - 1].sides != sides)
        list[(*n)++] = (struct treefork_byte_run){begin, sides};
}

static int spare_reserve(struct treefork_runs *runs, size_t count)
{
    if (count <= runs->spare_room)
        return TREEFORK_OK;
    struct treefork_byte_run *larger = count <= SIZE_MAX / 2 / sizeof *larger
                                      ? realloc(runs->spare, 2 * count * sizeof *larger)
                                      : NULL;
    if (!larger)
        return treefork_fail(TREEFORK_MEMORY, "no memory for %zu runs of an array", count);
    runs->spare = larger;
    runs->spare_room = 2 * count;
    return TREEFORK_OK;
}

/* The `n` runs of `list` are those of the array from now on. */
static void runs_sum_up(struct treefork_runs *runs, const struct treefork_byte_run *list, size_t n)
{
    runs->all = runs->any = list[0].sides;
    for (size_t i = 1; i < n; i++) {
        runs->all &= list[i].sides;
        runs->any |= list[i].sides;
    }
    runs->count = n;
}

/* The sides of what is in the row become (sides & kept) | side. */
static int runs_change(struct treefork_runs *runs, struct treefork_row row, uint64_t kept,
                       uint64_t side)
{
    struct run_walk walk = {.runs = runs, .row = row};
    struct run_stretch next;
    size_t n = 0;
    int status = spare_reserve(runs, runs->count + 2 * row.pieces);
    if (status)
        return status;
    while (walk_next(&walk, &next))
        run_append(runs->spare, &n, next.begin,
                   next.is_inside ? (next.sides & kept) | side : next.sides);
    struct treefork_byte_run *list = runs->spare;
    size_t room = runs->spare_room;
    runs->spare = runs->at, runs->spare_room = runs->room;
    runs->at = list, runs->room = room;
    runs_sum_up(runs, list, n);
    return TREEFORK_OK;
}

static bool row_is_empty(const struct treefork_row *row)
{
    return row->pieces == 0 || row->bytes == 0;
}

static bool row_is_all(const struct treefork_runs *runs, const struct treefork_row *row)
{
    return row->begin == 0 && row->bytes >= runs->end;
}

int treefork_runs_wrote(struct treefork_runs *runs, uint64_t side, struct treefork_row row)
{
    if (row_is_empty(&row))
        return TREEFORK_OK;
    if (!row_is_all(runs, &row))
        return runs_change(runs, row, 0, side);
    treefork_runs_set(runs, side);
    return TREEFORK_OK;
}

/* After the copies. */
static int runs_got(struct treefork_runs *runs, uint64_t side, struct treefork_row row)
{
    if (!row_is_all(runs, &row))
        return runs_change(runs, row, ~(uint64_t)0, side);
    treefork_runs_gain(runs, side);
    return TREEFORK_OK;
}

/* Stretches that are to be copied together, as the pieces of a row; a row of no pieces at first. */
struct run_copies {
    treefork_run_copy copy;
    void *state;
    uint64_t from, to;
    struct treefork_row row;
};

static int copies_make(const struct run_copies *c)
{
    return c->row.pieces ? c->copy(c->state, c->from, c->to, &c->row) : TREEFORK_OK;
}

/* Is the stretch the next piece of the row? */
static bool copies_join(struct run_copies *c, const struct run_stretch *next)
{
    struct treefork_row *row = &c->row;
    size_t pitch = row->pieces > 1 ? row->pitch : next->begin - row->begin;
    if (row->pieces == 0 || next->sides != c->from || next->end - next->begin != row->bytes ||
        next->begin != row->begin + row->pieces * pitch)
        return false;
    row->pitch = pitch;
    row->pieces++;
    return true;
}

static int copies_add(struct run_copies *c, const struct run_stretch *next)
{
    if (copies_join(c, next))
        return TREEFORK_OK;
    int status = copies_make(c);
    c->from = next->sides;
    c->row = treefork_row_of(next->begin, next->end);
    return status;
}

int treefork_runs_need(struct treefork_runs *runs, uint64_t side, struct treefork_row row,
                       treefork_run_copy copy, void *state)
{
    struct run_walk walk = {.runs = runs, .row = row};
    struct run_copies copies = {.copy = copy, .state = state, .to = side};
    struct run_stretch next;
    int status = TREEFORK_OK;
    if (treefork_runs_has(runs, side) || row_is_empty(&row))
        return TREEFORK_OK;
    while (!status && walk.piece < row.pieces && walk_next(&walk, &next))
        if (next.is_inside && !(next.sides & side))
            status = copies_add(&copies, &next);
    if (!status)
        status = copies_make(&copies);
    return status || copies.row.pieces == 0 ? status : runs_got(runs, side, row);
}

/* --- changes of all bytes, which need no room ------------------------------------------------- */

void treefork_runs_gain(struct treefork_runs *runs, uint64_t side)
{
    struct treefork_byte_run only = {0, runs->all};
    struct treefork_byte_run *list = runs->count == 1 ? &only : runs->at;
    size_t count = runs->count, n = 0;
    for (size_t i = 0; i < count; i++)
        run_append(list, &n, list[i].begin, list[i].sides | side);
    runs_sum_up(runs, list, n);
}

/* The host gets the bytes that no other side but this one has. */
static int runs_rescue(const struct treefork_runs *runs, uint64_t side, treefork_run_copy copy,
                       void *state)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < runs->count && !status; i++) {
        struct treefork_row row = treefork_row_of(run_at(runs, i).begin, run_end(runs, i));
        if (run_at(runs, i).sides == side)
            status = copy(state, side, SIDE_OF_HOST, &row);
    }
    return status;
}

int treefork_runs_leave(struct treefork_runs *runs, uint64_t side, treefork_run_copy copy,
                        void *state)
{
    struct treefork_byte_run only = {0, runs->all};
    struct treefork_byte_run *list = runs->count == 1 ? &only : runs->at;
    size_t count = runs->count, n = 0;
    int status = copy ? runs_rescue(runs, side, copy, state) : TREEFORK_OK;
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        uint64_t others = list[i].sides & ~side;
        run_append(list, &n, list[i].begin, others ? others : SIDE_OF_HOST);
    }
    runs_sum_up(runs, list, n);
    return TREEFORK_OK;
}

static void runs_cut(struct treefork_runs *runs, size_t bytes)
{
    size_t n = runs->count;
    while (n > 1 && runs->at[n - 1].begin >= bytes)
        n--;
    if (n < runs->count)
        runs_sum_up(runs, runs->at, n);
    runs->end = bytes;
}

int treefork_runs_resize(struct treefork_runs *runs, size_t bytes, uint64_t side)
{
    size_t old = runs->end;
    if (bytes <= old) {
        runs_cut(runs, bytes);
        return TREEFORK_OK;
    }
    runs->end = bytes;
    if (runs->all == side && runs->any == side)
        return TREEFORK_OK;
    int status = runs_change(runs, treefork_row_of(old, bytes), 0, side);
    if (status)
        runs->end = old;
    return status;
}

size_t treefork_runs_lacking(const struct treefork_runs *runs, uint64_t sides,
                             struct treefork_row row, uint64_t *others)
{
    struct run_walk walk = {.runs = runs, .row = row};
    struct run_stretch next;
    size_t bytes = 0;
    while (walk_next(&walk, &next)) {
        if (!next.is_inside || next.sides & sides)
            continue;
        bytes += next.end - next.begin;
        *others |= next.sides;
    }
    return bytes;
}

void treefork_runs_free(struct treefork_runs *runs)
{
    free(runs->at);
    free(runs->spare);
}
