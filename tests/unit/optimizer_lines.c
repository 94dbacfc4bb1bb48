/* Closed forms of spec H-23 and H-24 against the counting simulator, on random affine accesses in 1
   to 3 axes with an aligned base. Accesses in general position (large steps are whole lines and
   keep rows apart, small ones of one sign) have to be exact per block, whatever the block, and per
   warp where warps are boxes that begin with a line; the others never below the count. A third of
   the arrays is staged first, so that the same steps go through shared memory: bank conflicts. */
#include "tests/unit/ir_check.h"
#include "tests/unit/optimizer_lines.h"

enum { ALIGNED_MOST = 10000, AXES = 3, WARP = 32, OPEN = INT32_MIN };

struct sample {
    const char *element;
    int64_t bytes, line, step[AXES], extent[AXES], base;
    int n;
    bool general, shared;              /* the access is to a shared copy of the array */
    bool descending;                   /* small steps are negative */
};

static int64_t between(int64_t lo, int64_t hi)
{
    return lo + rand() % (hi - lo + 1);
}

/* Steps per axis, last one fastest. */
static void sample_steps(struct sample *s)
{
    int64_t per_line = s->line / s->bytes, span = 0;
    int sign = rand() % 8 ? 1 : -1;
    for (int i = 0; i < s->n; i++) {
        int kind = rand() % 5;
        s->step[i] = kind == 0 ? 0 : kind < 3 ? sign * between(1, per_line - 1) : OPEN;
        if (kind < 3)
            span += (s->extent[i] - 1) * sign * s->step[i];
    }
    for (int i = s->n - 1; i >= 0; i--) {
        if (s->step[i] != OPEN)
            continue;
        int64_t lines = span / per_line + 1;
        s->step[i] = s->general ? (lines + between(0, 2)) * per_line : between(1, 3 * per_line);
        span += (s->extent[i] - 1) * s->step[i];
    }
    if (!s->general && rand() % 2)
        s->step[rand() % s->n] *= -1;
    for (int i = 0; i < s->n; i++)
        s->base += s->step[i] < 0 ? -s->step[i] * (s->extent[i] - 1) : 0;
    s->descending = sign < 0;
    /* A descending row begins where an ascending one would end: at the last element of a line. */
    if (sign < 0 && s->general)
        s->base = (s->base + per_line) / per_line * per_line - 1;
}

static int64_t sample_threads(const struct sample *s)
{
    int64_t threads = 1;
    for (int i = 0; i < s->n; i++)
        threads *= s->extent[i];
    return threads;
}

/* Is every warp a box of threads? */
static bool warps_boxes(const struct sample *s)
{
    int64_t inner = 1, outer = 1;      /* threads below the axis along which a warp ends, and with
                                          it */
    for (int i = s->n; i-- > 0 && outer < WARP; outer *= s->extent[i])
        inner = outer;
    return outer < WARP || (WARP % inner == 0 && outer % WARP == 0);
}

/* Does every warp begin with a line, or end with one where rows descend? Then H-24 is no bound but
   the count. */
static bool warps_aligned(const struct sample *s)
{
    for (int64_t first = 0; first < sample_threads(s); first += WARP) {
        int64_t rest = first, place = s->base + s->descending;
        for (int i = s->n; i-- > 0; rest /= s->extent[i])
            place += rest % s->extent[i] * s->step[i];
        if (place * s->bytes % s->line)
            return false;
    }
    return warps_boxes(s);
}

static struct sample sample_make(void)
{
    static const char *const ELEMENTS[] = {"float", "double", "signed char", "short"};
    static const int64_t BYTES[] = {4, 8, 1, 2};
    int type = rand() % 5 % 4;
    struct sample s = {.element = ELEMENTS[type],
                       .bytes = BYTES[type],
                       .line = rand() % 4 ? 128 : 64,
                       .general = rand() % 4 != 0,
                       .shared = rand() % 3 == 0};
    bool powers = rand() % 2;
    s.n = (int)between(1, AXES);
    for (int i = 0; i < s.n; i++)
        s.extent[i] = powers ? (int64_t)1 << between(0, 6 - s.n) : between(1, 14);
    sample_steps(&s);
    return s;
}

static char *sample_text(struct ctx *ctx, const struct sample *s)
{
    struct str text = str_new(ctx->arena), axes = str_new(ctx->arena),
               subscript = str_new(ctx->arena);
    int64_t top = s->base;
    for (int i = 0; i < s->n; i++) {
        str_addf(&axes, "%sint u%d < %lld", i ? ", " : "", i, (long long)s->extent[i]);
        if (s->step[i] < 0)
            str_addf(&subscript, " - %lld * u%d", -(long long)s->step[i], i);
        else
            str_addf(&subscript, " + %lld * u%d", (long long)s->step[i], i);
        top += s->step[i] > 0 ? s->step[i] * (s->extent[i] - 1) : 0;
    }
    str_addf(&text,
             "kernel k {\n    ring N;\n    param data size int N >= 1;\n    global %s a[%lld];\n",
             s->element, (long long)top + 1);
    if (s->shared)
        str_addf(&text, "    shared %s t[%lld] at 0 of a;\n    shared_bytes %lldL;\n", s->element,
                 (long long)top + 1, (long long)((top + 1) * s->bytes + 3) / 4 * 4);
    str_add(&text, "    grid int g < 2;\n");
    for (int i = 0; i < s->n; i++)
        str_addf(&text, "    block int u%d < %lld;\n", i, (long long)s->extent[i]);
    str_add(&text, "    body {\n");
    if (s->shared)
        str_addf(&text,
                 "        strided band (int r < %lld) {\n            t[r] = a[r];\n        }\n     "
                 "   barrier;\n",
                 (long long)top + 1);
    str_addf(&text,
             "        band (%s) {\n            let %s x = %c[%lld%s];\n        }\n    }\n}\n",
             axes.text, s->element, s->shared ? 't' : 'a', (long long)s->base, subscript.text);
    return text.text;
}

struct tally {
    int exact[LINES_COUNTERS], all, global, aligned;
};

static void check_sample(struct check *check, struct tally *tally, const struct sample *s)
{
    struct ctx *ctx = check_ctx();
    const char *text = sample_text(ctx, s);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (check_that(check, kernel && kernel_verify(ctx, kernel), "cannot be read: %s\n%s", ctx->last,
                   text)) {
        struct region region = {.name = "k", .kernel = kernel};
        struct store *store = store_bare(ctx, &region);
        union value params[1] = {{.integer = 1}};
        struct lines_point at = {params, s->line};
        struct simulation simulation = simulate_at(ctx, kernel, at, 0);
        double counted[LINES_COUNTERS];
        simulation_values(&simulation, counted);
        check_that(check, simulation.result.status == INTERPRET_DONE, "%s\n%s",
                   simulation.result.message, text);
        tally->all++;
        tally->global += !s->shared;
        bool general = s->general && !s->shared, aligned = general && warps_aligned(s);
        tally->aligned += aligned;
        for (int i = 0; i < LINES_COUNTERS; i++) {
            struct counter_value value = counter_table(LINES_SYMBOLS[i])->evaluate(store, kernel);
            struct comparison c = value_at(&value, kernel, at);
            tally->exact[i] += c.valued && c.exactness == COUNTER_EXACT;
            check_that(check, c.valued && comparison_holds(c, counted[i]),
                       "%s is %g (%s), counted %g, line %lld\n%s",
                       counter_table(LINES_SYMBOLS[i])->name, c.value, exactness_name(c.exactness),
                       counted[i], (long long)s->line, text);
            if ((i == 0 && general) || (i == 1 && aligned))
                check_that(check, c.exactness == COUNTER_EXACT,
                           "%s are not exact in general position, line %lld\n%s",
                           counter_table(LINES_SYMBOLS[i])->name, (long long)s->line, text);
        }
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct tally tally = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 41;
    printf("seed %u\n", seed);
    srand(seed);
    while (tally.aligned < test_scale(1000, ALIGNED_MOST) && check.failed < 5) {
        struct sample s = sample_make();
        check_sample(&check, &tally, &s);
    }
    printf("%d accesses, %d of global memory, %d in aligned warps; exact: lines %d, transactions "
           "%d, coalescing %d, banks %d\n",
           tally.all, tally.global, tally.aligned, tally.exact[0], tally.exact[1], tally.exact[2],
           tally.exact[3]);
    return check_end(&check, "optimizer_lines");
}
