/* Folding of digits into numbers (ir/access/numbers.c) against traces: random nests of digits with
   ceiling, exact and free extents, pieces of a serial loop, guards that are implied, triangular or
   equalities, wavefronts over host iterators, arrays of two dimensions and flat ones with pitches.
   Every pair of references with a write is asked every question, both as the system of linear.h
   alone, which other rules would often spare, and as pair_meets answers it; no "never" may meet two
   related executions on one element at the points tried. The seed is printed; arguments: seed,
   number of kernels. */
#include "ir/access/linear.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_judge.h"
#include <ctype.h>

enum { POINTS = 9, TRIES = 30, QUESTIONS = 4 };

struct maker {
    uint64_t state;
    struct str *out;
    bool two, walk, pieces;
    const char *i, *j;
};

/* A number of the nest: i of the first axis, j of the second or of a loop in the thread, k of
   pieces. */
static const char *number(struct maker *m)
{
    const char *second = m->two || m->walk ? "j" : "i", *third = m->pieces ? "k" : second;
    return PICK(&m->state, "i", second, third);
}

static void index_write(struct maker *m)
{
    const char *x = number(m), *y = number(m);
    switch (draw(&m->state, 16)) {
    case 0: str_addf(m->out, "%s + 1", x); break;
    case 1: str_addf(m->out, "%s - 1", x); break;
    case 2: str_addf(m->out, "w - %s", x); break;
    case 3: str_addf(m->out, "w - 4 * %s - 2 * %s", x, y); break;
    case 4: str_addf(m->out, "%s + %s", x, y); break;
    case 5: str_addf(m->out, "2 * %s%s", x, PICK(&m->state, "", " + 1")); break;
    case 6: str_addf(m->out, "N - 1 - %s", x); break;
    case 7: str_add(m->out, PICK(&m->state, "0", "r", "N - 1", "g", "l")); break;
    case 8: str_addf(m->out, "%s + w", x); break;
    case 9: str_addf(m->out, "%s + N%s", x, PICK(&m->state, "", " - B", " - B + 1")); break;
    case 10: str_addf(m->out, "N - B%s", PICK(&m->state, " + 1", " + 2")); break;
    default: str_add(m->out, x); break;
    }
}

static void element(struct maker *m, bool flat)
{
    str_add(m->out, flat ? "c[(" : "a[");
    index_write(m);
    str_add(m->out, flat ? PICK(&m->state, ") * N + ", ") * N + ", ") * M + ", ") * (N + 1) + ",
                                ") * N * 2 + ")
                         : "][");
    index_write(m);
    str_add(m->out, "]");
}

static void guard(struct maker *m)
{
    const char *x = number(m), *y = number(m);
    switch (draw(&m->state, 14)) {
    case 0: str_addf(m->out, "%s <= %s", x, y); break;
    case 1: str_addf(m->out, "%s < %s", x, y); break;
    case 2: str_addf(m->out, "%s + %s < N", x, y); break;
    case 3: str_addf(m->out, "%s + %s == w", x, y); break;
    case 4: str_addf(m->out, "%s == %s", x, PICK(&m->state, "0", "r", "N - 1")); break;
    case 5: str_addf(m->out, "%s > r", x); break;
    case 6: str_addf(m->out, "%s != %s", x, y); break;
    case 7: str_addf(m->out, "%s < M", x); break;
    case 8: str_addf(m->out, "%s", PICK(&m->state, "g >= 1", "l == 0", "l < 2", "g == l")); break;
    case 9: str_addf(m->out, "w - 4 * %s - 2 * %s >= 0", x, y); break;
    case 10:
        str_addf(m->out, "%s", PICK(&m->state, "g >= 1", "l >= 1", "g + 1 < N / B", "l == B - 1"));
        break;
    case 11: str_addf(m->out, "%s %s N - B", x, PICK(&m->state, ">", "<=")); break;
    default: str_addf(m->out, "%s < N", x); break;
    }
}

static void assignments(struct maker *m)
{
    bool flat = draw(&m->state, 3) == 0;
    for (uint64_t n = draw(&m->state, 3); n > 0 || draw(&m->state, 9) == 0; n = n ? n - 1 : 0) {
        element(m, flat);
        str_add(m->out, " = ");
        element(m, flat);
        str_add(m->out, ";\n");
    }
    element(m, flat);
    str_add(m->out, " = 1;\n");
}

static void guarded(struct maker *m)
{
    uint64_t n = draw(&m->state, 4);
    if (n == 3 || draw(&m->state, 2)) {
        str_add(m->out, "if (i < N");
        str_add(m->out, m->two ? " && j < N" : "");
        str_add(m->out, m->pieces ? " && k < N" : "");
    } else {
        str_add(m->out, "if (");
        guard(m);
    }
    for (; n > 0; n--) {
        str_add(m->out, " && ");
        guard(m);
    }
    str_add(m->out, ") {\n");
    assignments(m);
    str_add(m->out, "}\n");
}

/* One band of the kernel: its numbers, a loop in the thread, a loop over a piece, guarded
   assignments. */
static void band(struct maker *m)
{
    str_addf(m->out, "band (int l < B%s) {\n", m->two ? ", int ll < C" : "");
    str_addf(m->out, "let int i = %s;\n",
             PICK(&m->state, "g * B + l", "g * B + l", "l + B * g + 1", "N - 1 - (g * B + l)",
                  PICK(&m->state, "g + l", "g * C + l", "2 * g * B + l")));
    if (m->two)
        str_addf(m->out, "let int j = %s;\n",
                 PICK(&m->state, "gg * C + ll", "gg * C + ll", "gg * C + ll + i",
                      "C * gg + C - 1 - ll"));
    if (m->walk)
        str_addf(m->out, "for (int j = %s; j < %s; j += %s) {\n",
                 PICK(&m->state, "0", "1", "i", "i + 1"), PICK(&m->state, "N", "i", "N - 1", "M"),
                 PICK(&m->state, "1", "1", "1", "2", "h"));
    if (m->pieces)
        str_add(m->out, "for (int z = 0; z < h; z += 1) {\nlet int k = p * h + z;\n");
    guarded(m);
    if (draw(&m->state, 3) == 0)
        guarded(m);
    str_addf(m->out, "%s%s}\n", m->walk ? "}\n" : "", m->pieces ? "}\n" : "");
}

/* A kernel declares a name once: in the second band the thread's own are i2, j2, k2 and z2. */
static void second_band(struct maker *m)
{
    struct str *out = m->out, text = str_new(out->arena);
    m->out = &text;
    band(m);
    m->out = out;
    for (const char *at = text.text; *at; at++) {
        bool alone =
            (at == text.text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[1]);
        str_char(out, *at);
        if (alone && strchr("ijkz", *at))
            str_char(out, '2');
    }
}

static char *make_kernel(struct arena *arena, struct maker *m)
{
    struct str out = str_new(arena);
    m->out = &out;
    m->two = draw(&m->state, 2);
    m->walk = !m->two && draw(&m->state, 2);
    m->pieces = draw(&m->state, 4) == 0;
    str_add(
        &out,
        "kernel nest {\nring N, M, w, r, B, C, h;\nparam data size int N >= 1;\nparam data size "
        "int M >= 0;\n"
        "param data uniform int w;\nparam data uniform int r;\nparam program tunable int B >= 1;\n"
        "param program tunable int C >= 1;\nparam program tunable int h >= 1;\n"
        "global int a[N + 8][N + 8];\nglobal int c[];\n");
    str_addf(&out, "grid int g < %s;\n",
             PICK(&m->state, "(N + B - 1) / B", "(N + B - 1) / B", "N / B", "(N - 1) / B", "M"));
    if (m->two)
        str_addf(&out, "grid int gg < %s;\n",
                 PICK(&m->state, "(N + C - 1) / C", "N / C", "(M + C - 1) / C"));
    str_addf(&out, "block int l < B;\n%sbody {\n", m->two ? "block int ll < C;\n" : "");
    if (m->pieces)
        str_addf(&out, "for (int p = 0; p < %s; p += 1) {\n",
                 PICK(&m->state, "(N + h - 1) / h", "N / h", "2"));
    band(m);
    if (draw(&m->state, 4) == 0)
        second_band(m);
    str_addf(&out, "%s}\n}\n", m->pieces ? "}\n" : "");
    return out.text;
}

/* What was answered about one pair and one question. */
struct answer_to {
    const struct access *a, *b;
    int question;
    bool never[3];                    /* by the system as it is, with numbers, by pair_meets */
    bool under;                       /* pair_meets: never where the condition holds */
    struct sas condition;
};

struct interview {
    struct analysis *analysis;
    const struct stmt *loop;          /* the innermost serial loop of the thread; or NULL */
    VEC(struct answer_to) answers;
};

struct totals {
    unsigned questions, plain, folded, met, under;
};

static void ask(struct interview *interview, struct totals *totals, const struct access *a,
                const struct access *b, int question)
{
    static const struct meeting_question questions[] = {
        {DIFFERENT, ANY, ANY, ANY, 0, NULL},
        {SAME, SAME, DIFFERENT, ANY, 0, NULL},
        {SAME, ANY, DIFFERENT, ANY, 0, NULL},
        {SAME, ANY, ANY, ANY, 0, NULL},
    };
    struct analysis *analysis = interview->analysis;
    struct meeting_question asked = questions[question];
    if (question == 3) {
        asked.n_loops = 1;
        asked.loops = &interview->loop;
    }
    struct answer_to answer = {a, b, question, {false, false, false}, false, {0}};
    struct linear_set *linear =
        linear_meeting(analysis, pair_context(analysis, a, b), a, b, &asked);
    if (linear->rows.count) {
        answer.never[0] = linear_empty(linear, NULL);
        numbers_fold(linear);
        numbers_split(linear);
        answer.never[1] = linear_empty(linear, NULL);
    }
    struct meeting_result result = pair_meets(analysis, a, b, &asked);
    answer.never[2] = result.meeting == MEETING_NO;
    answer.under = result.meeting == MEETING_NO_UNDER;
    answer.condition = result.condition;
    totals->questions++;
    totals->plain += answer.never[0];
    totals->folded += answer.never[1] && !answer.never[0];
    totals->met += answer.never[2];
    totals->under += answer.under;
    vec_push(analysis->arena, &interview->answers, answer);
}

static void ask_all(struct interview *interview, struct totals *totals)
{
    const struct analysis *analysis = interview->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++)
        for (size_t k = i; k < analysis->accesses.count; k++) {
            const struct access *a = analysis->accesses.at[i], *b = analysis->accesses.at[k];
            if (a->reference.array == b->reference.array &&
                (a->reference.is_write || b->reference.is_write))
                for (int q = 0; q < QUESTIONS - !interview->loop; q++)
                    ask(interview, totals, a, b, q);
        }
}

static const void *node_of(const struct access *access)
{
    return access->reference.load ? (const void *)access->reference.load
                                  : (const void *)access->reference.store;
}

/* Are two executions related as the question says? */
static bool is_related(const struct interview *interview, int question, const struct event *x,
                       const struct event *y)
{
    int64_t k = 0, l = 0;
    if (question == 0)
        return x->block != y->block;
    if (x->block != y->block)
        return false;
    if (question == 1)
        return x->thread != y->thread && x->execution == y->execution;
    if (question == 2)
        return x->thread != y->thread;
    return event_value(x, interview->loop->var, &k) && event_value(y, interview->loop->var, &l) &&
           k != l;
}

/* Two events on one element: every answer about their references is judged. */
static void judge_answers(struct judge *judge, const struct interview *interview,
                          const struct event *x, const struct event *y)
{
    static const char *const what[] = {"never by linear arithmetic", "never by numbers",
                                       "never by pair_meets"};
    for (size_t i = 0; i < interview->answers.count; i++) {
        const struct answer_to *answer = &interview->answers.at[i];
        bool straight = node_of(answer->a) == x->node && node_of(answer->b) == y->node,
             crossed = node_of(answer->a) == y->node && node_of(answer->b) == x->node;
        if ((!straight && !crossed) || !is_related(interview, answer->question, x, y))
            continue;
        for (int k = 0; k < 3; k++)
            if (answer->never[k])
                judge_that(judge, false,
                           arena_printf(judge->trace->arena, "%s, question %d, lines %u and %u",
                                        what[k], answer->question, answer->a->reference.loc.line,
                                        answer->b->reference.loc.line));
        judge_that(judge, !answer->under || sas_holds(answer->condition, judge->point) != 1,
                   "never under its condition");
    }
}

static bool judge_numbers(struct check *check, const char *name, const struct kernel *kernel,
                          const struct interview *interview, const int64_t *point)
{
    struct arena *arena = arena_new();
    struct answers answers = {.kernel = kernel};
    struct judge judge = {.check = check, .answers = &answers, .point = point, .name = name};
    struct trace *trace = trace_run(arena, kernel, point);
    judge.trace = trace;
    const struct event **order = ARENA_ARRAY(arena, const struct event *, trace->events.count + 1);
    for (size_t i = 0; i < trace->events.count; i++)
        order[i] = &trace->events.at[i];
    qsort(order, trace->events.count, sizeof *order, compare_events);
    for (size_t i = 0; i < trace->events.count; i++)
        for (size_t k = i + 1;
             k < trace->events.count && same_element(order[i], order[k]) && k < i + 24; k++)
            judge_answers(&judge, interview, order[i], order[k]);
    bool usable = trace->events.count > 0 && trace->events.count < trace->limit;
    arena_free(arena);
    return usable;
}

static const struct stmt *inner_loop(struct arena *arena, const struct stmt *body)
{
    struct stmt_walk walk;
    const struct stmt *found = NULL;
    bool inside = false;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk)) {
        inside |= s->kind == STMT_BAND;
        if (inside && s->kind == STMT_FOR)
            found = s;
    }
    return found;
}

static void run_kernel(struct check *check, struct maker *m, int n, struct totals *totals)
{
    struct ctx *ctx = check_ctx();
    const char *text = make_kernel(ctx->arena, m);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (!check_that(check, kernel != NULL, "kernel %d cannot be read: %s\n%s", n, ctx->last,
                    text)) {
        ctx_free(ctx);
        return;
    }
    struct interview interview = {
        analysis_new(ctx, kernel), inner_loop(ctx->arena, kernel->body), {0}};
    ask_all(&interview, totals);
    for (int i = 0, points = 0; i < TRIES && points < POINTS; i++) {
        int64_t point[RING_CAPACITY] = {
            1 + (int64_t)draw(&m->state, 6), (int64_t)draw(&m->state, 6),
            (int64_t)draw(&m->state, 12),    (int64_t)draw(&m->state, 6),
            1 + (int64_t)draw(&m->state, 3), 1 + (int64_t)draw(&m->state, 3),
            1 + (int64_t)draw(&m->state, 3)};
        points += judge_numbers(check, arena_printf(ctx->arena, "kernel %d", n), kernel, &interview,
                                point);
    }
    analysis_free(interview.analysis);
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct totals totals = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 5;
    int kernels = argc > 2 ? atoi(argv[2]) : test_scale(16, 700);
    struct maker m = {.state = seed};
    printf("seed %llu\n", (unsigned long long)seed);
    for (int n = argc > 3 ? atoi(argv[3]) : 0; n < (argc > 3 ? atoi(argv[3]) + 1 : kernels); n++) {
        m.state = seed * 1000003 + (uint64_t)n;
        draw(&m.state, 1);
        run_kernel(&check, &m, n, &totals);
    }
    printf("%d kernels, %u questions: %u never by linear arithmetic, %u more by numbers; "
           "pair_meets: %u never, %u under a "
           "condition\n",
           kernels, totals.questions, totals.plain, totals.folded, totals.met, totals.under);
    check_that(&check, totals.folded > totals.questions / 12,
               "hardly anything was proved by numbers");
    check_that(&check, totals.met >= totals.plain + totals.folded,
               "pair_meets knows less than numbers");
    return check_end(&check, "ir-access_numbers");
}
