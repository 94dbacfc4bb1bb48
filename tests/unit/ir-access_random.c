/* Random loop nests against traces: kernels with one or two grid and block axes, serial loops
   inside and outside the band, guards, uniform branches, flat and two-dimensional arrays, affine
   subscripts that may collide. Whatever access answers must hold at every small parameter point
   tried. The seed is printed; arguments: seed, number of kernels. */
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_judge.h"

enum { KERNELS = 250, POINTS = 12, TRIES = 80 };

struct maker {
    uint64_t state;
    struct str *out;
    bool two, outer, serial, triangle;
    int arrays;
};

/* A position along the first direction, mostly one that keeps blocks and threads apart. */
static const char *row(struct maker *m)
{
    if (m->serial)
        return PICK(&m->state, "(i * s + k) * B + j", "i * s * B + k * B + j",
                    "(i * B + j) * s + k", "(i * s + k) * B + j", "i * B + j",
                    "2 * ((i * s + k) * B + j)", "i * s + k + j", "i * s * B + j * s + k");
    return PICK(&m->state, "i * B + j", "i * B + j", "i * B + j", "2 * (i * B + j)",
                "i * B + (B - 1 - j)", "i + j", "N - 1 - (i * B + j)", "i * B + j / 2",
                "(i * B + j) % N", "(i * B + j) % B");
}

static const char *column(struct maker *m)
{
    if (!m->two)
        return PICK(&m->state, "0", "1", "N - 1");
    return PICK(&m->state, "l * C + h", "l * C + h", "l * C + h", "h", "l + h",
                "l * C + C - 1 - h");
}

static void subscript(struct maker *m, const char *name)
{
    static const char *const shift[] = {"", "", "", " + 1", " + 2", " - 1", " + N", " + M"};
    if (name[0] == 'b')
        str_addf(m->out, "b[%s%s][%s%s]", row(m), shift[draw(&m->state, 6)], column(m),
                 shift[draw(&m->state, 5)]);
    else if (m->two)
        str_addf(m->out, "a[(%s) * %s + %s%s]", row(m), PICK(&m->state, "N", "M"), column(m),
                 shift[draw(&m->state, 6)]);
    else
        str_addf(m->out, "a[%s%s]", row(m), shift[draw(&m->state, 8)]);
}

/* An element of c (or b) of this thread alone, as a rule. */
static const char *own_element(struct maker *m, struct arena *arena)
{
    const char *p = m->serial ? PICK(&m->state, "(i * s + k) * B + j", "i * s * B + k * B + j",
                                     "(i * B + j) * s + k", "i * B + j")
                              : PICK(&m->state, "i * B + j", "i * B + j", "i * B + (B - 1 - j)",
                                     "2 * (i * B + j)");
    if (m->two && draw(&m->state, 3) == 0)
        return arena_printf(arena, "b[%s][l * C + h]", p);
    if (m->two && draw(&m->state, 2))
        return arena_printf(arena, "c[(l * C + h) * %s + %s]", PICK(&m->state, "N", "N", "M"), p);
    return m->two
               ? arena_printf(arena, "c[(%s) * %s + l * C + h]", p, PICK(&m->state, "N", "N", "M"))
               : arena_printf(arena, "c[%s]", p);
}

static void assignment(struct maker *m, int depth)
{
    const char *own = draw(&m->state, 5) ? own_element(m, m->out->arena) : NULL;
    const char *other = own && own[0] == 'c' && m->two && draw(&m->state, 2) ? "b" : "a";
    str_indent(m->out, depth);
    if (own)
        str_add(m->out, own);
    else
        subscript(m, "a");
    str_add(m->out, " = ");
    if (own && draw(&m->state, 3) == 0)
        str_add(m->out, own);
    else
        subscript(m, other);
    for (uint64_t n = draw(&m->state, 3); n > 0; n--) {
        str_add(m->out, " + ");
        subscript(m, other);
    }
    str_add(m->out, ";\n");
}

static void body(struct maker *m, int depth)
{
    uint64_t kind = draw(&m->state, 8);
    if (kind == 0) {
        str_addf(m->out, "%*sif (t %% 2) {\n", depth, "");
        assignment(m, depth + 4);
        str_addf(m->out, "%*s} else {\n", depth, "");
        assignment(m, depth + 4);
        str_addf(m->out, "%*s}\n", depth, "");
    } else if (kind <= 3) {
        const char *guard = m->serial ? PICK(&m->state, "(i * s + k) * B + j < N", "k >= 1",
                                             "(i * s + k) * B + j + 1 < N", "j == 0")
                                      : PICK(&m->state, "i * B + j < N", "j >= 1", "i * B + j < M",
                                             "j == 0", "i > 0");
        str_addf(m->out, "%*sif (%s) {\n", depth, "", guard);
        assignment(m, depth + 4);
        str_addf(m->out, "%*s}\n", depth, "");
    } else {
        assignment(m, depth);
        if (draw(&m->state, 4) == 0)
            assignment(m, depth);
    }
}

static char *make_kernel(struct arena *arena, struct maker *m)
{
    struct str out = str_new(arena);
    m->out = &out;
    m->two = draw(&m->state, 3) == 0;
    m->outer = draw(&m->state, 5) == 0;
    m->serial = draw(&m->state, 2);
    m->triangle = m->serial && draw(&m->state, 6) == 0;
    str_add(&out,
            "kernel nest {\n    ring N, M, s, B, C, t;\n    param data size int N >= 1;\n    param "
            "data size int M >= 0;\n"
            "    param program tunable int s >= 1;\n    param program tunable int B >= 1;\n"
            "    param program tunable int C >= 1;\n    param data uniform int t;\n"
            "    global int a[];\n    global int b[2 * N + 8][N + 8];\n    global int c[];\n");
    const char *extent = m->serial ? PICK(&m->state, "N / (s * B)", "(N - 2) / (s * B)",
                                          "(N + s * B - 1) / (s * B)", "N / (2 * s * B)")
                                   : PICK(&m->state, "N / B", "(N - 2) / B", "(N + B - 1) / B",
                                          "N / (2 * B)", "M / B");
    str_addf(&out, "    grid int i < %s;\n", extent);
    if (m->two)
        str_addf(&out, "    grid int l < %s;\n",
                 PICK(&m->state, "N / C", "(N - 2) / C", "N / C", "M / C", "(N + C - 1) / C"));
    str_add(&out, "    block int j < B;\n");
    if (m->two)
        str_add(&out, "    block int h < C;\n");
    str_add(&out, "    body {\n");
    if (m->outer)
        str_add(&out, "    for (int o = 0; o < 2; o += 1) {\n");
    str_addf(&out, "        band (int j < B%s) {\n", m->two ? ", int h < C" : "");
    if (m->serial)
        str_addf(&out, "            for (int k = 0; k < %s; k += 1) {\n",
                 m->triangle ? "j + 1" : "s");
    body(m, 16);
    str_addf(&out, "%s        }\n%s    }\n}\n", m->serial ? "            }\n" : "",
             m->outer ? "    }\n" : "");
    return out.text;
}

/* Tiles of the first band that save nothing. */
static int streamed_tiles(const struct answers *answers)
{
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (size_t t = 0; answers->tilings[0][a].possible && t < answers->tilings[0][a].count; t++)
            count += answers->tilings[0][a].tiles[t].is_streamed;
    return count;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 11;
    int kernels = argc > 2 ? atoi(argv[2]) : KERNELS, verdicts[4] = {0}, staged = 0, streamed = 0,
        coarse = 0, promoted = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    struct maker m = {.state = seed};
    for (int n = 0; n < kernels; n++) {
        struct ctx *ctx = check_ctx();
        const char *text = make_kernel(ctx->arena, &m);
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        if (check_that(&check, kernel != NULL, "kernel %d cannot be read: %s\n%s", n, ctx->last,
                       text)) {
            struct answers answers = answers_of(ctx, kernel);
            verdicts[answers.legality.verdict]++;
            staged += answers.tilings[0][0].possible || answers.tilings[0][1].possible ||
                      answers.tilings[0][2].possible;
            streamed += streamed_tiles(&answers);
            coarse += answers.n_loops > 0;
            promoted += answers.n_promotions > 0;
            for (int i = 0, points = 0; i < TRIES && points < POINTS; i++) {
                int64_t point[RING_CAPACITY] = {
                    (int64_t)draw(&m.state, 13), (int64_t)draw(&m.state, 13),
                    (int64_t)draw(&m.state, 4),  (int64_t)draw(&m.state, 4),
                    (int64_t)draw(&m.state, 4),  (int64_t)draw(&m.state, 3)};
                points +=
                    judge_point(&check, arena_printf(ctx->arena, "kernel %d", n), &answers, point);
            }
        }
        ctx_free(ctx);
    }
    printf("%d kernels: %d proved, %d under a condition, %d conflicts, %d unknown", kernels,
           verdicts[ACCESS_PROVED], verdicts[ACCESS_PROVED_UNDER], verdicts[ACCESS_CONFLICT],
           verdicts[ACCESS_UNKNOWN]);
    printf("; %d staged, %d redistributable, %d promoted; %d tiles streamed\n", staged, coarse,
           promoted, streamed);
    check_that(&check,
               verdicts[ACCESS_PROVED] > kernels / 10 && staged > kernels / 10 &&
                   streamed > kernels / 10,
               "hardly anything was proved");
    return check_end(&check, "ir-access_random");
}
