/* The report of `-d cycles`.

   In: a kernel, nothing applied. Out: a table for each nest of serial loops of a thread. Of two
   loops the outer one is unrolled by 1 to 5, of more each by 2 and 4 and two of them by 2;
   intervals are those of schedules that have been replayed, cycle by cycle and iteration by
   iteration. A fault of a replay would be ours, and is printed as such. */
#include "optimizer/pipeline/cycles.h"
#include "optimizer/pipeline/circuits.h"
#include "optimizer/pipeline/jam.h"
#include "optimizer/pipeline/recurrences.h"
#include <inttypes.h>

enum { REPLAYED = 50, BOX = 4 };

static void operations_print(struct str *out, const struct recurrence *nest)
{
    for (int i = 0; i < nest->n_statements; i++) {
        const struct stmt *s = nest->statements[i];
        str_addf(out, "  S%d: ", i);
        if (s->kind == STMT_IF) {
            str_add(out, "if (");
            expr_print(out, s->value);
            str_add(out, ")\n");
        } else {
            stmt_print(out, s, 0);
        }
    }
}

static const char *vector_text(struct arena *arena, const int64_t *at, int n)
{
    struct str text = str_new(arena);
    for (int k = 0; k < n; k++)
        str_addf(&text, "%s%" PRId64, k ? "," : "", at[k]);
    return text.text;
}

static void arcs_print(struct str *out, const struct recurrence *nest, bool is_real)
{
    const struct modulo_graph *graph = &nest->graph;
    str_add(out, graph->n_arcs ? "  distances:" : "  no iteration waits for another one\n");
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        str_addf(out, "%s S%d -> S%d (%s) ", i ? "," : "", arc->from, arc->to,
                 vector_text(out->arena, arc->distance, graph->n_loops));
        if (is_real && arc->latency != nest->delays[i].cycles)
            str_addf(out, "%s = ", delay_text(out->arena, &nest->delays[i]));
        str_addf(out, "%" PRId64, arc->latency);
    }
    str_add(out, graph->n_arcs ? "\n" : "");
}

static int64_t common_factor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* "4/3" */
static const char *quotient_text(struct arena *arena, int64_t a, int64_t b)
{
    int64_t common = common_factor(a, b);
    if (common == 0)
        return "0";
    if (b == common)
        return arena_printf(arena, "%" PRId64, a / common);
    return arena_printf(arena, "%" PRId64 "/%" PRId64, a / common, b / common);
}

/* The shifts of all copies along each loop where one is not 0: "j 0 1 2 3". */
static const char *shifts_text(struct arena *arena, const struct recurrence *nest,
                               const struct jam *jam)
{
    struct str text = str_new(arena);
    for (int k = 0; k < nest->n_loops; k++) {
        bool is_shifted = false;
        for (int c = 0; c < jam->copies; c++)
            is_shifted |= jam->shifts[c][k] != 0;
        if (!is_shifted)
            continue;
        str_addf(&text, "%s%s", text.length ? ", " : "", nest->loops[k]->var->name);
        for (int c = 0; c < jam->copies; c++)
            str_addf(&text, " %" PRId64, jam->shifts[c][k]);
    }
    return text.length ? text.text : "none";
}

static bool is_replayed(struct arena *arena, const struct jam *jam,
                        const struct modulo_graph *graph, const struct modulo_schedule *schedule)
{
    int64_t cycles;
    return modulo_replay(arena, graph, schedule, REPLAYED, &cycles) &&
           jam_replay(arena, jam, schedule, BOX);
}

static void row_print(struct arena *arena, struct str *out, const struct recurrence *nest,
                      struct jam *jam, const struct modulo_schedule *schedule)
{
    struct modulo_graph graph = jam_graph(arena, jam);
    const char *shifts = jam_shift_inner(arena, jam) ? shifts_text(arena, nest, jam) : "-";
    str_addf(out, "  %-8s%-7s%8" PRId64 "%11" PRId64 "%10" PRId64 "%8s%8" PRId64 "  %s%s%s\n",
             vector_text(arena, jam->unroll, nest->n_loops), jam_is_plain(jam) ? "yes" : "no",
             modulo_recurrence_bound(arena, &graph), modulo_resource_bound(&graph), schedule->ii,
             quotient_text(arena, schedule->ii, jam->copies), schedule->stages, shifts,
             schedule->is_least ? "" : " (search cut short)",
             is_replayed(arena, jam, &graph, schedule) ? "" : " (THE REPLAY FINDS A FAULT)");
}

/* A row without outer shifts, and one for each choice of them that has a smaller interval or fewer
   stages than the rows before. */
static void rows_print(struct arena *arena, struct str *out, const struct recurrence *nest,
                       const int64_t *unroll)
{
    struct modulo_schedule schedule, best = {.ii = INT64_MAX};
    struct jam jam;
    if (!jam_make(&jam, &nest->graph, unroll))
        return;
    for (int choice = 0; choice < jam_choices(&jam); choice++) {
        bool has = jam_choose(arena, &jam, choice, &schedule);
        if (has && (schedule.ii < best.ii ||
                    (schedule.ii == best.ii && schedule.stages < best.stages))) {
            best = schedule;
            row_print(arena, out, nest, &jam, &schedule);
        } else if (!has && !choice) {
            str_addf(out, "  %-8s%-7sno schedule without shifts of outer loops\n",
                     vector_text(arena, unroll, nest->n_loops), jam_is_plain(&jam) ? "yes" : "no");
        }
    }
}

/* May the loop be unrolled around the others? */
static bool is_unrolled(const struct recurrence *nest, int loop)
{
    return !nest->bound && loop + 1 < nest->n_loops && loop >= nest->n_loops - nest->perfect;
}

static void table_print(struct arena *arena, struct str *out, const struct recurrence *nest)
{
    int64_t unroll[MODULO_LOOPS] = {1, 1, 1, 1};
    int most = nest->n_loops == 2 ? 5 : 4, step = nest->n_loops == 2 ? 1 : 2;
    str_add(out, "  unroll  plain  circuits  resources  interval  cycles  stages  shifts\n");
    rows_print(arena, out, nest, unroll);
    for (int k = 0; k < nest->n_loops; k++) {
        int last = is_unrolled(nest, k) ? most : 1;
        for (int u = 2; u <= last; u += step) {
            unroll[k] = u;
            rows_print(arena, out, nest, unroll);
        }
        unroll[k] = 1;
    }
    for (int k = 0; k + 1 < nest->n_loops; k++)
        if (is_unrolled(nest, k) && is_unrolled(nest, k + 1)) {
            unroll[k] = unroll[k + 1] = 2;
            rows_print(arena, out, nest, unroll);
            unroll[k] = unroll[k + 1] = 1;
        }
}

static void nest_print(struct arena *arena, struct str *out, const struct kernel *kernel,
                       const struct recurrence *nest, const struct latencies *latencies)
{
    str_addf(out, "%s: loops", kernel->name);
    for (int k = 0; k < nest->n_loops; k++)
        str_addf(out, "%s %s", k ? "," : "", nest->loops[k]->var->name);
    str_add(out, " of a thread\n");
    operations_print(out, nest);
    if (nest->open) {
        str_addf(out, "  no schedule: %s\n", nest->open);
        return;
    }
    arcs_print(out, nest, latencies->is_real);
    if (latencies->is_real)
        circuits_print(arena, out, nest, latencies);
    if (nest->bound)
        str_addf(out, "  the innermost loop alone: %s\n", nest->bound);
    else if (nest->perfect < nest->n_loops)
        str_addf(out, "  the innermost %s alone: others hold more than a loop\n",
                 nest->perfect == 1 ? "loop" : "loops");
    table_print(arena, out, nest);
}

void cycles_print(struct ctx *ctx, struct str *out, const struct kernel *kernel,
                  const struct latencies *latencies)
{
    struct recurrence *nests;
    size_t n = recurrences_find(ctx, kernel, &nests);
    for (size_t i = 0; i < n; i++) {
        recurrence_connect(ctx, kernel, latencies, &nests[i]);
        nest_print(ctx->arena, out, kernel, &nests[i], latencies);
    }
    if (!n)
        str_addf(out, "%s: no serial loop of a thread\n", kernel->name);
}
