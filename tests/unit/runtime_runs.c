/* Where the newest bytes of an array are (runtime/runs.h), against a model that knows a version of
   every byte on every side: random needs, writes, departures and lengths. Every copy brings the
   newest version of bytes that the side lacked, nothing is copied twice, and the runs say exactly
   who has what. Then whole programs cut for three members, by rows written down by hand: bytes
   copied equal the closed forms, and a plan that forgets what was copied before never copies
   less. */
#include "runtime/runs.h"
#include "tests/unit/draw.h"
#include "tests/unit/runtime_test.h"
#include <inttypes.h>

enum { MEMBERS = 5, ALL_SIDES = MEMBERS + 1, BYTES_MAX = 200, OPERATIONS = 1000000 };

struct model {
    struct test *test;
    struct treefork_runs runs;
    uint32_t version[ALL_SIDES][BYTES_MAX];     /* 0: none */
    uint32_t newest[BYTES_MAX];
    uint32_t last;                              /* version given out */
    size_t copied, misplaced;                   /* bytes; of them those that were not needed, or
                                                   came from where they are old */
};

static int side_number(uint64_t side)
{
    int number = 0;
    while (!(side >> number & 1))
        number++;
    return number;
}

static int model_copy(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    struct model *m = state;
    int source = side_number(from), target = side_number(to);
    for (size_t k = 0; k < row->pieces * row->bytes; k++) {
        size_t i = row->begin + k / row->bytes * row->pitch + k % row->bytes;
        m->misplaced += m->version[source][i] != m->newest[i] ||
                        m->version[target][i] == m->newest[i];
        m->version[target][i] = m->version[source][i];
    }
    m->copied += row->pieces * row->bytes;
    return TREEFORK_OK;
}

static bool row_holds(const struct treefork_row *row, size_t at)
{
    if (at < row->begin || row->pieces == 0)
        return false;
    size_t piece = (at - row->begin) / row->pitch;
    return piece < row->pieces && (at - row->begin) % row->pitch < row->bytes;
}

static struct treefork_row row_draw(uint64_t *state, size_t bytes)
{
    struct treefork_row row = {.begin = draw(state, bytes), .pieces = 1};
    size_t room = bytes - row.begin;
    if (draw(state, 12) == 0)
        return treefork_row_of(0, bytes);
    row.bytes = draw(state, room + 1);
    row.pitch = row.bytes + 1;
    if (row.bytes == 0 || draw(state, 2))
        return row;
    row.bytes = 1 + draw(state, row.bytes < 9 ? row.bytes : 9);
    row.pitch = row.bytes + draw(state, 9);
    row.pieces = 1 + draw(state, 1 + (room - row.bytes) / row.pitch);
    return row;
}

static size_t model_stale(const struct model *m, int side, const struct treefork_row *row)
{
    size_t stale = 0;
    for (size_t i = 0; i < m->runs.end; i++)
        stale += row_holds(row, i) && m->version[side][i] != m->newest[i];
    return stale;
}

static void model_need(struct model *m, int side, struct treefork_row row)
{
    size_t stale = model_stale(m, side, &row), before = m->copied;
    int status = treefork_runs_need(&m->runs, (uint64_t)1 << side, row, model_copy, m);
    CHECK(m->test, status == TREEFORK_OK && m->copied - before == stale);
    CHECK(m->test, model_stale(m, side, &row) == 0);
}

static void model_lacking(struct model *m, uint64_t sides, struct treefork_row row)
{
    uint64_t holders = 0, others = 0;
    size_t lacking = 0;
    for (size_t i = 0; i < m->runs.end; i++) {
        uint64_t newest = 0;
        for (int k = 0; k < ALL_SIDES; k++)
            newest |= (uint64_t)(m->version[k][i] == m->newest[i]) << k;
        bool is_elsewhere = row_holds(&row, i) && !(newest & sides);
        lacking += is_elsewhere;
        holders |= is_elsewhere ? newest : 0;
    }
    CHECK(m->test, treefork_runs_lacking(&m->runs, sides, row, &others) == lacking);
    CHECK(m->test, others == holders);
}

static void model_wrote(struct model *m, int side, struct treefork_row row)
{
    CHECK(m->test, treefork_runs_wrote(&m->runs, (uint64_t)1 << side, row) == TREEFORK_OK);
    m->last++;
    for (size_t i = 0; i < m->runs.end; i++)
        if (row_holds(&row, i))
            m->newest[i] = m->version[side][i] = m->last;
}

static size_t model_alone(const struct model *m, int side)
{
    size_t alone = 0;
    for (size_t i = 0; i < m->runs.end; i++) {
        int holders = 0;
        for (int k = 0; k < ALL_SIDES; k++)
            holders += m->version[k][i] == m->newest[i];
        alone += holders == 1 && m->version[side][i] == m->newest[i];
    }
    return alone;
}

static void model_leave(struct model *m, int side)
{
    size_t alone = model_alone(m, side), before = m->copied;
    int status = treefork_runs_leave(&m->runs, (uint64_t)1 << side, model_copy, m);
    CHECK(m->test, status == TREEFORK_OK && m->copied - before == alone);
    memset(m->version[side], 0, sizeof m->version[side]);
}

static void model_resize(struct model *m, size_t bytes)
{
    size_t old = m->runs.end;
    CHECK(m->test, treefork_runs_resize(&m->runs, bytes, SIDE_OF_HOST) == TREEFORK_OK);
    m->last++;
    for (size_t i = old; i < bytes; i++) {
        for (int k = 1; k < ALL_SIDES; k++)
            m->version[k][i] = 0;
        m->newest[i] = m->version[0][i] = m->last;
    }
}

/* Do the runs say exactly which side has the newest version of every byte? */
static bool model_agrees(const struct model *m)
{
    const struct treefork_runs *runs = &m->runs;
    uint64_t all = ~(uint64_t)0, any = 0;
    size_t run = 0;
    for (size_t i = 0; i < runs->end; i++) {
        uint64_t sides = 0;
        while (run + 1 < runs->count && runs->at[run + 1].begin <= i)
            run++;
        for (int k = 0; k < ALL_SIDES; k++)
            sides |= (uint64_t)(m->version[k][i] == m->newest[i]) << k;
        if (sides != (runs->count == 1 ? runs->all : runs->at[run].sides))
            return false;
        all &= sides;
        any |= sides;
    }
    for (size_t i = 1; runs->count > 1 && i < runs->count; i++)
        if (runs->at[i].sides == runs->at[i - 1].sides ||
            runs->at[i].begin <= runs->at[i - 1].begin)
            return false;
    return all == runs->all && any == runs->any && run + 1 == runs->count;
}

static void model_step(struct model *m, uint64_t *state)
{
    int side = (int)draw(state, ALL_SIDES);
    struct treefork_row row = row_draw(state, m->runs.end);
    switch (draw(state, 16)) {
    case 0: model_leave(m, 1 + side % MEMBERS); break;
    case 1: model_resize(m, 1 + draw(state, BYTES_MAX)); break;
    case 2: case 3: case 4: case 5: case 6: model_wrote(m, side, row); break;
    case 7: model_lacking(m, draw(state, (uint64_t)1 << ALL_SIDES), row); break;
    default: model_need(m, side, row);
    }
}

static void random_operations(struct test *test, uint64_t *state)
{
    struct model m = {.test = test, .runs = treefork_runs_of(SIDE_OF_HOST, BYTES_MAX / 2)};
    size_t most = 0;
    check_test(&test->count);
    m.last = 1;
    for (size_t i = 0; i < BYTES_MAX; i++)
        m.newest[i] = m.version[0][i] = m.last;
    for (int i = 0; i < OPERATIONS; i++) {
        model_step(&m, state);
        most = m.runs.count > most ? m.runs.count : most;
        if (i % 16 == 0)
            CHECK(test, model_agrees(&m));
    }
    CHECK(test, m.misplaced == 0 && m.copied > 0 && most > 20);
    treefork_runs_free(&m.runs);
}

/* --- one member: the runs that buffers have had ----------------------------------------------- */

static int copy_count(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    size_t *copied = state;
    (void)from, (void)to;
    copied[0] += row->pieces * row->bytes;
    copied[1]++;
    return TREEFORK_OK;
}

static int copy_refuse(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    (void)state, (void)from, (void)to, (void)row;
    return TREEFORK_LOST;
}

static void one_member(struct test *test)
{
    struct treefork_runs runs = treefork_runs_of(SIDE_OF_HOST, 100);
    size_t copied[2] = {0};
    check_test(&test->count);
    treefork_runs_need(&runs, SIDE_OF_MEMBER, treefork_row_of(0, 100), copy_count, copied);
    CHECK(test, copied[0] == 100 && copied[1] == 1 && !runs.at && !runs.spare);
    treefork_runs_set(&runs, SIDE_OF_MEMBER);
    treefork_runs_resize(&runs, 160, SIDE_OF_HOST);
    CHECK(test, runs.count == 2 && !treefork_runs_has(&runs, SIDE_OF_HOST) &&
                    treefork_runs_touches(&runs, SIDE_OF_HOST));
    CHECK(test, treefork_runs_need(&runs, SIDE_OF_MEMBER, treefork_row_of(0, 160), copy_refuse,
                                   NULL) == TREEFORK_LOST && runs.count == 2);
    treefork_runs_need(&runs, SIDE_OF_HOST, treefork_row_of(0, 160), copy_count, copied);
    CHECK(test, copied[0] == 200 && treefork_runs_has(&runs, SIDE_OF_HOST));
    treefork_runs_need(&runs, SIDE_OF_MEMBER, treefork_row_of(0, 160), copy_count, copied);
    CHECK(test, copied[0] == 260 && copied[1] == 3 && runs.count == 1);
    treefork_runs_wrote(&runs, SIDE_OF_MEMBER, treefork_row_of(0, 160));
    treefork_runs_leave(&runs, SIDE_OF_MEMBER, NULL, NULL);
    CHECK(test, runs.all == SIDE_OF_HOST && runs.any == SIDE_OF_HOST);
    treefork_runs_free(&runs);
}

/* --- programs on three members ---------------------------------------------------------------- */

enum { CUT = 3, WORD = 4 };

/* Blocks of the axis that belong to each member. */
static size_t cut_at(size_t blocks, size_t member)
{
    return blocks * member / CUT;
}

static size_t lower_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

struct tally {
    size_t bytes, pieces, copies;
};

static int tally_copy(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    struct tally *tally = state;
    (void)from, (void)to;
    tally->bytes += row->pieces * row->bytes;
    tally->pieces += row->pieces;
    tally->copies++;
    return TREEFORK_OK;
}

static void tally_need(struct treefork_runs *runs, uint64_t side, struct treefork_row row,
                       struct tally *tally)
{
    treefork_runs_need(runs, side, row, tally_copy, tally);
}

/* Two planes of n rows of n words; a block is b rows, as whole rows are written. */
static size_t jacobi_step(struct treefork_runs *runs, size_t n, size_t b, size_t t)
{
    struct tally tally = {0};
    size_t blocks = (n - 2 + b - 1) / b, row = n * WORD, plane = n * row;
    size_t from = t % 2 * plane, to = (1 - t % 2) * plane;
    struct treefork_row written[CUT];
    for (size_t g = 0; g < CUT; g++) {
        size_t first = b * cut_at(blocks, g), end = b * cut_at(blocks, g + 1);
        written[g] = treefork_row_of(to + row * (first + 1), to + row * lower_of(end + 1, n - 1));
        tally_need(runs, 2u << g,
                   treefork_row_of(from + row * first, from + row * lower_of(end + 2, n)), &tally);
        tally_need(runs, 2u << g, written[g], &tally);
    }
    for (size_t g = 0; g < CUT; g++)
        treefork_runs_wrote(runs, 2u << g, written[g]);
    return tally.bytes;
}

static void jacobi(struct test *test)
{
    enum { N = 61, B = 4 };
    size_t bytes = (size_t)2 * N * N * WORD;
    struct treefork_runs runs = treefork_runs_of(SIDE_OF_HOST, bytes);
    struct tally home = {0};
    check_test(&test->count);
    CHECK(test, jacobi_step(&runs, N, B, 0) == 30256);
    CHECK(test, jacobi_step(&runs, N, B, 1) == 1464);
    for (size_t t = 2; t < 20; t++)
        CHECK(test, jacobi_step(&runs, N, B, t) == 976);
    tally_need(&runs, SIDE_OF_HOST, treefork_row_of(0, bytes), &home);
    CHECK(test, home.bytes == 28792);
    treefork_runs_free(&runs);
}

static void transpose(struct test *test)
{
    enum { N = 46, S = 6, ROWS = 44, BLOCKS = 7 };
    struct treefork_runs a = treefork_runs_of(SIDE_OF_HOST, (size_t)N * N * WORD), c = a;
    struct tally read = {0}, written = {0};
    check_test(&test->count);
    for (size_t g = 0; g < CUT; g++) {
        size_t first = S * cut_at(BLOCKS, g), end = S * cut_at(BLOCKS, g + 1);
        tally_need(&a, 2u << g,
                   (struct treefork_row){first * WORD, (end - first) * WORD, N * WORD, ROWS},
                   &read);
        tally_need(&c, 2u << g, treefork_row_of(N * first * WORD, N * end * WORD), &written);
    }
    CHECK(test, read.bytes == 7392 && read.pieces == 132 && read.copies == CUT);
    CHECK(test, written.bytes == 7728 && written.copies == CUT);
    treefork_runs_free(&a);
    treefork_runs_free(&c);
}

/* An array that all members read: the second and third may have it from the first. */
static int copy_from(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    size_t *bytes = state;      /* from the host alone, from members */
    (void)to;
    bytes[(from & ~(uint64_t)SIDE_OF_HOST) != 0] += row->pieces * row->bytes;
    return TREEFORK_OK;
}

static void product(struct test *test)
{
    enum { N = 50, B = 4 };
    size_t all = (size_t)N * N * WORD, blocks = (N + B - 1) / B, bytes[2] = {0}, rows[2] = {0};
    struct treefork_runs a = treefork_runs_of(SIDE_OF_HOST, all), b = a;
    check_test(&test->count);
    for (size_t g = 0; g < CUT; g++) {
        size_t first = B * cut_at(blocks, g), end = lower_of(B * cut_at(blocks, g + 1), N);
        treefork_runs_need(&a, 2u << g, treefork_row_of(N * first * WORD, N * end * WORD),
                           copy_from, rows);
        treefork_runs_need(&b, 2u << g, treefork_row_of(0, all), copy_from, bytes);
    }
    CHECK(test, rows[0] == 10000 && rows[1] == 0);
    CHECK(test, bytes[0] == 10000 && bytes[1] == 20000);
    treefork_runs_free(&a);
    treefork_runs_free(&b);
}

/* --- a plan without memory -------------------------------------------------------------------- */

/* Bytes of `a` that are not in `b`. */
static size_t row_beyond(struct treefork_row a, struct treefork_row b)
{
    size_t end = a.begin + a.bytes, from = b.begin > a.begin ? b.begin : a.begin;
    size_t to = lower_of(end, b.begin + b.bytes);
    return a.bytes - (to > from ? to - from : 0);
}

/* Steps of a random stencil on one array of a program: reads reach further than writes, cuts move
   from step to step. The plan copies in every step what a member reads and did not write itself
   in the step before. */
static void plan_is_no_better(struct test *test, uint64_t *state)
{
    size_t blocks = 6 + draw(state, 20), block = 1 + draw(state, 9), halo = draw(state, 2 * block);
    size_t bytes = blocks * block, planned = 0;
    struct treefork_runs runs = treefork_runs_of(SIDE_OF_HOST, bytes);
    struct treefork_row own[CUT] = {{0}};
    struct tally tally = {0};
    for (int step = 0; step < 12; step++) {
        size_t move = draw(state, 2) * draw(state, 2);
        for (size_t g = 0; g < CUT; g++) {
            size_t first = block * (cut_at(blocks, g) + (g > 0) * move);
            size_t end = block * (cut_at(blocks, g + 1) + (g + 1 < CUT) * move);
            size_t from = first < halo ? 0 : first - halo;
            struct treefork_row read = treefork_row_of(from, lower_of(end + halo, bytes));
            planned += row_beyond(read, own[g]);
            tally_need(&runs, 2u << g, read, &tally);
            own[g] = treefork_row_of(first, end);
        }
        for (size_t g = 0; g < CUT; g++)
            treefork_runs_wrote(&runs, 2u << g, own[g]);
    }
    CHECK(test, tally.bytes <= planned);
    treefork_runs_free(&runs);
}

int main(int argc, char **argv)
{
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 34;
    struct test test = {.name = "runtime_runs"};
    printf("runtime_runs: seed %" PRIu64 "\n", state);
    random_operations(&test, &state);
    one_member(&test);
    jacobi(&test);
    transpose(&test);
    product(&test);
    check_test(&test.count);
    for (int i = 0; i < 300; i++)
        plan_is_no_better(&test, &state);
    return test_end(&test);
}
