#ifndef TESTS_UNIT_IR_ACCESS_JUDGE_H
#define TESTS_UNIT_IR_ACCESS_JUDGE_H
#include "ir/walk.h"
#include "ir/access/access.h"
#include "tests/unit/ir-access_trace.h"
#include "tests/unit/ir_check.h"
#include <stdlib.h>

/* Compares the answers of ir/access about a kernel with what a trace shows at one parameter
   point. One file: all judges read one trace by the same walk. */

enum { JUDGE_BANDS = 4, JUDGE_ARRAYS = 8, JUDGE_LOOPS = 8 };

struct answers {
    const struct kernel *kernel;
    struct legality legality;
    size_t n_loops, n_promotions;
    const struct stmt **loops;
    const struct promotion *promotions;
    int n_bands;
    const struct stmt *bands[JUDGE_BANDS];
    struct tiling tilings[JUDGE_BANDS][JUDGE_ARRAYS];
    bool barriers[JUDGE_BANDS][JUDGE_BANDS];
    const struct expr *extents[JUDGE_ARRAYS];
    struct overwriting *overwritten;  /* by array */
    bool guarded;                     /* it has conditions, remainders or symbolic steps: extents
                                         need not be tight */
};

struct judge {
    struct check *check;
    const struct answers *answers;
    const struct trace *trace;
    const int64_t *point;
    const char *name;
    bool reported;
    size_t tiles, cells;              /* looked at */
};

static inline void judge_that(struct judge *judge, bool ok, const char *what)
{
    if (ok || judge->reported) {
        judge->check->passed += ok;
        return;
    }
    struct str at = str_new(judge->trace->arena), text = str_new(judge->trace->arena);
    const struct ring *ring = judge->answers->kernel->ring;
    for (int v = 0; v < ring_count(ring); v++)
        str_addf(&at, " %s=%lld", ring_name(ring, v), (long long)judge->point[v]);
    kernel_print(&text, judge->answers->kernel);
    check_that(judge->check, false, "%s at%s: %s\n%s", judge->name, at.text, what, text.text);
    judge->reported = true;
}

static inline bool same_element(const struct event *a, const struct event *b)
{
    return a->array == b->array && !memcmp(a->subscripts, b->subscripts, sizeof a->subscripts);
}

static inline int compare_events(const void *x, const void *y)
{
    const struct event *a = *(const struct event *const *)x, *b = *(const struct event *const *)y;
    if (a->array != b->array)
        return a->array < b->array ? -1 : 1;
    int order = memcmp(a->subscripts, b->subscripts, sizeof a->subscripts);
    return order ? order : a < b ? -1 : a > b;
}

static inline bool event_value(const struct event *event, const struct var *var, int64_t *value)
{
    for (int i = 0; i < event->scope.count; i++)
        if (event->scope.vars[i] == var && event->scope.known[i]) {
            *value = event->scope.values[i];
            return true;
        }
    return false;
}

static inline int band_number(const struct answers *answers, const struct stmt *band)
{
    for (int i = 0; i < answers->n_bands; i++)
        if (answers->bands[i] == band)
            return i;
    return -1;
}

/* Two events on one element, at least one a write. */
static inline void judge_pair(struct judge *judge, const struct event *a, const struct event *b)
{
    const struct answers *answers = judge->answers;
    bool proved = answers->legality.verdict == ACCESS_PROVED ||
                  (answers->legality.verdict == ACCESS_PROVED_UNDER &&
                   sas_holds(answers->legality.condition, judge->point) == 1);
    if (a->execution < 0 || b->execution < 0)
        return;
    if (a->block != b->block) {
        judge_that(judge, !proved, "proved, but two blocks meet");
        return;
    }
    if (a->thread != b->thread && a->execution == b->execution)
        judge_that(judge, !proved, "proved, but two threads meet");
    if (a->thread != b->thread && a->execution != b->execution) {
        const struct event *first = a->execution < b->execution ? a : b,
                           *second = first == a ? b : a;
        int x = band_number(answers, judge->trace->executions.at[first->execution].band);
        int y = band_number(answers, judge->trace->executions.at[second->execution].band);
        judge_that(judge, x < 0 || y < 0 || answers->barriers[x][y],
                   "no barrier, but threads of two executions meet");
    }
    for (size_t i = 0; proved && i < answers->n_loops; i++) {
        int64_t k, l;
        if (event_value(a, answers->loops[i]->var, &k) &&
            event_value(b, answers->loops[i]->var, &l))
            judge_that(judge, k == l, "redistributable, but two iterations of the loop meet");
    }
}

/* Accumulations by one operator may meet: their order changes nothing. */
static inline bool accumulate_alike(const struct event *a, const struct event *b)
{
    if (!a->is_write || !b->is_write)
        return false;
    const struct stmt *first = a->node, *second = b->node;
    return first->reduction && first->reduction == second->reduction;
}

static inline void judge_legality(struct judge *judge)
{
    const struct trace *trace = judge->trace;
    const struct event **order =
        ARENA_ARRAY(trace->arena, const struct event *, trace->events.count + 1);
    for (size_t i = 0; i < trace->events.count; i++)
        order[i] = &trace->events.at[i];
    qsort(order, trace->events.count, sizeof *order, compare_events);
    for (size_t i = 0; i < trace->events.count; i++)
        for (size_t k = i + 1;
             k < trace->events.count && same_element(order[i], order[k]) && k < i + 40; k++)
            if ((order[i]->is_write || order[k]->is_write) &&
                !accumulate_alike(order[i], order[k]))
                judge_pair(judge, order[i], order[k]);
}

/* A tile during one execution of its band. */
struct filling {
    struct judge *judge;
    const struct tile *tile;
    const struct execution *execution;
    int number;
    int64_t extents[8], cells;
    bool *touched, *written;
};

static inline int64_t cell_number(const struct filling *f, const int64_t *place)
{
    int64_t number = 0;
    for (int k = 0; k < f->tile->n_dims; k++) {
        if (place[k] < 0 || place[k] >= f->extents[k])
            return -1;
        number = number * f->extents[k] + place[k];
    }
    return number;
}

static inline struct scope cell_scope(const struct filling *f, const int64_t *place)
{
    struct scope scope = f->execution->scope;
    for (int k = 0; k < f->tile->n_dims; k++)
        scope_set(&scope, f->tile->coordinates[k], true, place[k]);
    return scope;
}

static inline bool holds(const struct scope *scope, const struct expr *e)
{
    int64_t value = 0;
    return !e || (trace_value(scope, e, &value) && value != 0);
}

static inline void judge_reference(struct filling *f, const struct event *event, size_t r)
{
    struct judge *judge = f->judge;
    const struct tile *tile = f->tile;
    int64_t place[8], value;
    for (int k = 0; k < tile->n_dims; k++)
        if (!trace_value(&event->scope, tile->places[r][k], &place[k])) {
            judge_that(judge, false, "a place cannot be evaluated where the reference stands");
            return;
        }
    judge_that(judge, holds(&f->execution->scope, tile->condition),
               "a reference is made although the tile's condition is false");
    int64_t cell = cell_number(f, place);
    judge_that(judge, cell >= 0, "a place lies outside the tile");
    if (cell < 0)
        return;
    struct scope scope = cell_scope(f, place);
    bool equal = true;
    for (int d = 0; d < tile->array->n_dims; d++)
        equal &= trace_value(&scope, tile->element[d], &value) && value == event->subscripts[d];
    judge_that(judge, equal, "the place's element is not the reference's");
    judge_that(judge, event->is_write || holds(&scope, tile->inside),
               "a cell is read that is not filled");
    f->touched[cell] = true;
    f->written[cell] |= event->is_write;
}

static inline int64_t array_top(const struct trace *trace, const struct array *array)
{
    int64_t top = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.at[i].array == array && trace->events.at[i].subscripts[0] >= top)
            top = trace->events.at[i].subscripts[0] + 1;
    return top;
}

/* As many elements as access_extent promises, by which memory is made; what is touched where it
   cannot tell. */
static inline int64_t array_rows(const struct judge *judge, const struct array *array)
{
    const struct kernel *kernel = judge->answers->kernel;
    int64_t extent = 0, top = array_top(judge->trace, array);
    for (int i = 0; i < kernel->n_arrays && array->n_dims == 1; i++)
        if (kernel->arrays[i] == array && judge->answers->extents[i] &&
            trace_value(&judge->trace->scope, judge->answers->extents[i], &extent) && extent > top)
            top = extent;
    return top;
}

/* The fill reads inside the array, and nothing that another block writes. */
static inline void judge_filled(struct filling *f, const struct scope *scope)
{
    const struct trace *trace = f->judge->trace;
    const struct array *array = f->tile->array;
    int64_t element[TRACE_DIMS] = {0}, extent;
    for (int d = 0; d < array->n_dims; d++) {
        bool known = trace_value(scope, f->tile->element[d], &element[d]);
        extent = array_rows(f->judge, array);
        if (array->dims[d])
            known &= trace_value(&trace->scope, array->dims[d], &extent);
        judge_that(f->judge, known && element[d] >= 0 && element[d] < extent,
                   "a fill reads outside the array");
    }
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct event *event = &trace->events.at[i];
        if (event->array == array && event->is_write && event->block != f->execution->block &&
            !memcmp(event->subscripts, element, sizeof element))
            judge_that(f->judge, false, "a fill reads what another block writes");
    }
}

static inline void judge_cells(struct filling *f, int64_t *place, int at)
{
    const struct tile *tile = f->tile;
    if (at < tile->n_dims) {
        for (place[at] = 0; place[at] < f->extents[at]; place[at]++)
            judge_cells(f, place, at + 1);
        return;
    }
    struct scope scope = cell_scope(f, place);
    bool inside = holds(&scope, tile->inside), written = inside && holds(&scope, tile->written);
    int64_t cell = cell_number(f, place);
    f->judge->cells++;
    if (tile->is_read && inside)
        judge_filled(f, &scope);
    if (tile->is_written && tile->write_exact)
        judge_that(f->judge, written == f->written[cell], "written back is not what was written");
}

/* In a tile that is written, one element has one cell. */
static inline void judge_coherent(struct filling *f, const struct event *event, size_t r,
                                  const struct event **by_cell, int64_t *cells, size_t *count)
{
    int64_t place[8] = {0};
    for (int k = 0; k < f->tile->n_dims; k++)
        if (!trace_value(&event->scope, f->tile->places[r][k], &place[k]))
            return;
    for (size_t i = 0; i < *count; i++)
        if (same_element(by_cell[i], event))
            judge_that(f->judge, cells[i] == cell_number(f, place),
                       "one element has two cells in a written tile");
    if (*count < 200) {
        by_cell[*count] = event;
        cells[(*count)++] = cell_number(f, place);
    }
}

/* The axis of the band along which neighbouring threads lie: the last one that is not of one thread
   for certain. */
static inline const struct var *fastest_axis(const struct stmt *band)
{
    int64_t extent;
    int last = band->n_axes - 1;
    while (last > 0 && expr_get_integer(band->axes[last].extent, &extent) && extent == 1)
        last--;
    return band->axes[last].var;
}

/* Do two events of a band differ in the iteration of one of its serial loops? */
static inline bool other_round(const struct judge *judge, const struct stmt *band,
                               const struct event *a, const struct event *b)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, judge->trace->arena, band); s;
         s = stmt_next(&walk)) {
        int64_t x, y;
        if (s->kind == STMT_FOR && event_value(a, s->var, &x) && event_value(b, s->var, &y) &&
            x != y)
            return true;
    }
    return false;
}

/* Is b made by the thread that follows a's along the fastest axis? */
static inline bool next_thread(const struct stmt *band, const struct event *a,
                               const struct event *b)
{
    const struct var *fastest = fastest_axis(band);
    bool next = true;
    for (int i = 0; i < band->n_axes; i++) {
        int64_t x = 0, y = 0;
        next &= event_value(a, band->axes[i].var, &x) && event_value(b, band->axes[i].var, &y) &&
                y - x == (band->axes[i].var == fastest);
    }
    return next;
}

static inline bool tile_holds(const struct tile *tile, const struct event *event)
{
    for (size_t r = 0; r < tile->n_references; r++)
        if (event->node == (event->is_write ? (const void *)tile->references[r].store
                                            : (const void *)tile->references[r].load))
            return true;
    return false;
}

/* Does the event stand in a loop around which its element is promoted? */
static inline bool is_kept(const struct judge *judge, const struct event *event)
{
    int64_t round;
    for (size_t i = 0; i < judge->answers->n_promotions; i++) {
        const struct promotion *promotion = &judge->answers->promotions[i];
        if (promotion->array == event->array && event_value(event, promotion->around->var, &round))
            return true;
    }
    return false;
}

/* A streamed element belongs to one iteration, or to a thread that keeps it; what the next thread
   touches is the next cell of a row. */
static inline void judge_streamed(struct filling *f, const struct event *a, const struct event *b,
                                  size_t r)
{
    const struct stmt *band = f->execution->band;
    bool same = a->thread == b->thread && (!other_round(f->judge, band, a, b) ||
                                           (is_kept(f->judge, a) && is_kept(f->judge, b)));
    judge_that(f->judge, same || !same_element(a, b), "two iterations meet in a streamed tile");
    if (a->node != b->node || other_round(f->judge, band, a, b) || !next_thread(band, a, b))
        return;
    for (int k = 0; k < f->tile->n_dims; k++) {
        int64_t x = 0, y = 0, step = k + 1 == f->tile->n_dims;
        bool known = trace_value(&a->scope, f->tile->places[r][k], &x) &&
                     trace_value(&b->scope, f->tile->places[r][k], &y);
        judge_that(f->judge, known && (y - x == step || x - y == step),
                   "neighbours in a streamed tile do not touch neighbours");
    }
}

static inline void judge_tile(struct judge *judge, const struct tile *tile,
                              const struct execution *execution, int number)
{
    struct filling f = {
        .judge = judge, .tile = tile, .execution = execution, .number = number, .cells = 1};
    const struct event *by_cell[200];
    int64_t place[8] = {0}, cells[200], touched = 0;
    size_t count = 0;
    judge->tiles++;
    for (int k = 0; k < tile->n_dims; k++) {
        bool known = poly_evaluate(tile->extents[k], judge->point, &f.extents[k]);
        judge_that(judge, known && f.extents[k] >= 0, "an extent is negative");
        f.cells *= known && f.extents[k] > 0 ? f.extents[k] : 0;
    }
    f.touched = ARENA_ARRAY(judge->trace->arena, bool, f.cells + 1);
    f.written = ARENA_ARRAY(judge->trace->arena, bool, f.cells + 1);
    for (size_t i = 0; i < judge->trace->events.count; i++) {
        const struct event *event = &judge->trace->events.at[i];
        for (size_t r = 0; event->execution == number && r < tile->n_references; r++) {
            const struct reference *reference = &tile->references[r];
            if (event->node !=
                (event->is_write ? (const void *)reference->store : (const void *)reference->load))
                continue;
            judge_reference(&f, event, r);
            if (tile->is_written)
                judge_coherent(&f, event, r, by_cell, cells, &count);
            for (size_t k = 0; tile->is_streamed && k < judge->trace->events.count; k++)
                if (judge->trace->events.at[k].execution == number &&
                    tile_holds(tile, &judge->trace->events.at[k]))
                    judge_streamed(&f, event, &judge->trace->events.at[k], r);
        }
    }
    if (!holds(&execution->scope, tile->condition))
        return;
    judge_cells(&f, place, 0);
    for (int64_t i = 0; i < f.cells; i++)
        touched += f.touched[i];
    if (tile->exact && !judge->answers->guarded)
        judge_that(judge, touched == f.cells, "an exact tile has cells that nothing touches");
}

/* Where a tile is written, no other tile of the array may hold its elements. */
static inline void judge_apart(struct judge *judge, const struct tiling *tiling, int number)
{
    const struct trace *trace = judge->trace;
    for (size_t i = 0; i < trace->events.count; i++)
        for (size_t k = i + 1; k < trace->events.count && k < i + 60; k++) {
            const struct event *a = &trace->events.at[i], *b = &trace->events.at[k];
            if (a->execution != number || b->execution != number || !same_element(a, b) ||
                !(a->is_write || b->is_write))
                continue;
            size_t home[2] = {0, 0};
            for (size_t t = 0; t < tiling->count; t++)
                for (size_t r = 0; r < tiling->tiles[t].n_references; r++) {
                    const struct reference *reference = &tiling->tiles[t].references[r];
                    home[0] =
                        a->node == reference->load || a->node == reference->store ? t : home[0];
                    home[1] =
                        b->node == reference->load || b->node == reference->store ? t : home[1];
                }
            judge_that(judge, home[0] == home[1],
                       "one element lies in two tiles, one of them written");
        }
}

static inline void judge_tilings(struct judge *judge)
{
    const struct answers *answers = judge->answers;
    for (size_t e = 0; e < judge->trace->executions.count && e < 6; e++) {
        const struct execution *execution = &judge->trace->executions.at[e];
        int band = band_number(answers, execution->band);
        for (int a = 0; band >= 0 && a < answers->kernel->n_arrays; a++) {
            const struct tiling *tiling = &answers->tilings[band][a];
            for (size_t t = 0; tiling->possible && t < tiling->count; t++)
                judge_tile(judge, &tiling->tiles[t], execution, (int)e);
            if (tiling->possible)
                judge_apart(judge, tiling, (int)e);
        }
    }
}

static inline bool is_promoted(const struct promotion *promotion, const struct event *event)
{
    return event->is_write ? promotion_has(promotion, NULL, event->node)
                           : promotion_has(promotion, event->node, NULL);
}

/* Stands the event's load or store in the loop? Its scope says what was the last round, too. */
static inline bool is_inside(struct arena *arena, const struct stmt *loop,
                             const struct event *event)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, loop); s; s = stmt_next(&walk))
        if (s == event->node || stmt_holds_expr(s, event->node))
            return true;
    return false;
}

static inline void judge_promotion(struct judge *judge, const struct promotion *promotion)
{
    const struct trace *trace = judge->trace;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct event *a = &trace->events.at[i];
        int64_t value;
        if (!is_promoted(promotion, a) || !event_value(a, promotion->around->var, &value))
            continue;
        for (int d = 0; d < promotion->array->n_dims; d++)
            judge_that(judge,
                       trace_value(&a->scope, promotion->subscript[d], &value) &&
                           value == a->subscripts[d],
                       "a promoted reference has another subscript");
        judge_that(judge, holds(&a->scope, promotion->guard),
                   "a promoted reference is made although the guard is false");
        for (size_t k = 0; k < trace->events.count; k++) {
            const struct event *b = &trace->events.at[k];
            bool same = true, inside = event_value(b, promotion->around->var, &value);
            bool is_other = inside && !is_promoted(promotion, b);
            if (k == i || (inside && k < i && !is_other) ||
                !(promotion->is_written || b->is_write) || !same_element(a, b))
                continue;
            judge_that(judge, !is_other || !is_inside(trace->arena, promotion->around, b),
                       "another reference in the loop touches a promoted element");
            judge_that(judge, a->block == b->block && a->thread == b->thread,
                       "a promoted element is touched by two threads");
            for (int l = 0; inside && l < promotion->n_iterators; l++) {
                int64_t x = 0, y = 0;
                event_value(a, promotion->loops[l]->var, &x);
                event_value(b, promotion->loops[l]->var, &y);
                same &= x == y;
            }
            judge_that(judge, same, "two private entries stand for one element");
        }
    }
}

static inline void judge_extents(struct judge *judge)
{
    const struct answers *answers = judge->answers;
    for (int i = 0; i < answers->kernel->n_arrays; i++) {
        const struct array *array = answers->kernel->arrays[i];
        int64_t extent, top = array_top(judge->trace, array);
        if (!answers->extents[i] || array->dims[0] || array->n_dims > 1 || judge->trace->maybe)
            continue;
        bool known = trace_value(&judge->trace->scope, answers->extents[i], &extent);
        judge_that(judge, known && extent >= top, "the extent is less than what is touched");
        judge_that(judge, !known || answers->guarded || extent == top,
                   "the extent is more than what is touched");
    }
}

/* Has this very thread written the element before? */
static inline bool is_prepared(const struct trace *trace, size_t read)
{
    const struct event *a = &trace->events.at[read];
    for (size_t i = 0; i < read; i++) {
        const struct event *b = &trace->events.at[i];
        if (b->is_write && same_element(a, b) && a->block == b->block && a->thread == b->thread)
            return true;
    }
    return false;
}

/* How many elements of the array are written. */
static inline int64_t elements_written(const struct trace *trace, const struct array *array)
{
    const struct event **order =
        ARENA_ARRAY(trace->arena, const struct event *, trace->events.count + 1);
    size_t n = 0;
    int64_t count = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.at[i].is_write && trace->events.at[i].array == array)
            order[n++] = &trace->events.at[i];
    qsort(order, n, sizeof *order, compare_events);
    for (size_t i = 0; i < n; i++)
        count += i == 0 || !same_element(order[i], order[i - 1]);
    return count;
}

/* Is it shown, and do the conditions hold? */
static inline bool is_overwritten_there(const struct judge *judge,
                                        const struct overwriting *overwriting)
{
    bool is_there = overwriting->is_shown;
    for (size_t i = 0; i < overwriting->n_conditions && is_there; i++) {
        int64_t value;
        is_there =
            trace_value(&judge->trace->scope, overwriting->conditions[i], &value) && value != 0;
    }
    return is_there;
}

/* Where anything is launched at all and no condition depends on data. The program stays in its
   arrays, so that as many elements as there are means all of them. */
static inline void judge_overwritten(struct judge *judge)
{
    const struct trace *trace = judge->trace;
    for (int a = 0; a < judge->answers->kernel->n_arrays; a++) {
        const struct array *array = judge->answers->kernel->arrays[a];
        int64_t extent = 0;
        if (!is_overwritten_there(judge, &judge->answers->overwritten[a]) || trace->maybe ||
            trace->executions.count == 0)
            continue;
        bool known = a < JUDGE_ARRAYS && judge->answers->extents[a] &&
                     trace_value(&trace->scope, judge->answers->extents[a], &extent);
        judge_that(judge, known && elements_written(trace, array) == extent,
                   "an array is said to be overwritten that is not written everywhere");
        for (size_t i = 0; i < trace->events.count; i++)
            if (trace->events.at[i].array == array && !trace->events.at[i].is_write)
                judge_that(judge, is_prepared(trace, i),
                           "an array is said to be overwritten that is read first");
    }
}

static inline void find_parts(struct arena *arena, struct answers *answers, const struct stmt *body)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, arena, body); s; s = stmt_next(&stmts)) {
        if (s->kind == STMT_BAND && answers->n_bands < JUDGE_BANDS)
            answers->bands[answers->n_bands++] = s;
        int64_t step;
        answers->guarded |=
            s->kind == STMT_IF || (s->kind == STMT_FOR && !expr_get_integer(s->step, &step));
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            answers->guarded |= e->kind == EXPR_BINARY && e->op == OP_REM;
    }
}

static inline struct answers answers_of(struct ctx *ctx, const struct kernel *kernel)
{
    struct answers answers = {.kernel = kernel};
    find_parts(ctx->arena, &answers, kernel->body);
    answers.legality = access_parallel(ctx, kernel);
    answers.n_loops = access_coarse_loops(ctx, kernel, &answers.loops);
    answers.n_promotions = access_promotions(ctx, kernel, &answers.promotions);
    for (int i = 0; i < kernel->n_arrays && i < JUDGE_ARRAYS; i++) {
        answers.extents[i] = access_extent(ctx, kernel, kernel->arrays[i]);
        for (int b = 0; b < answers.n_bands; b++)
            answers.tilings[b][i] = access_tiles(ctx, kernel, answers.bands[b], kernel->arrays[i]);
    }
    answers.overwritten = ARENA_ARRAY(ctx->arena, struct overwriting, kernel->n_arrays + 1);
    access_overwritten(ctx, kernel, answers.overwritten);
    for (int a = 0; a < answers.n_bands; a++)
        for (int b = 0; b < answers.n_bands; b++)
            answers.barriers[a][b] =
                access_needs_barrier(ctx, kernel, answers.bands[a], answers.bands[b]);
    return answers;
}

/* Does the program itself stay in its arrays? */
static inline bool trace_in_bounds(const struct trace *trace)
{
    for (size_t i = 0; i < trace->events.count; i++)
        for (int d = 0; d < trace->events.at[i].array->n_dims; d++) {
            const struct event *event = &trace->events.at[i];
            int64_t extent = INT64_MAX;
            if (event->array->dims[d] &&
                !trace_value(&trace->scope, event->array->dims[d], &extent))
                return false;
            if (event->subscripts[d] < 0 || event->subscripts[d] >= extent)
                return false;
        }
    return true;
}

/* False if the point violates the kernel's facts, the trace is too long or leaves the arrays. */
static inline bool judge_point(struct check *check, const char *name, const struct answers *answers,
                               const int64_t *point)
{
    for (int i = 0; i < answers->kernel->n_params; i++) {
        const struct param *param = answers->kernel->params[i];
        if (param->variable >= 0 && param->has_lo && point[param->variable] < param->lo)
            return false;
    }
    if (sas_holds(answers->kernel->facts, point) != 1)
        return false;
    struct arena *arena = arena_new();
    struct judge judge = {.check = check, .answers = answers, .point = point, .name = name};
    judge.trace = trace_run(arena, answers->kernel, point);
    bool ok = judge.trace->events.count < judge.trace->limit && trace_in_bounds(judge.trace);
    if (ok) {
        judge_legality(&judge);
        /* The rest is asked only where the dispatcher would launch. */
        bool legal = answers->legality.verdict != ACCESS_PROVED_UNDER ||
                     sas_holds(answers->legality.condition, point) == 1;
        if (legal)
            judge_tilings(&judge);
        for (size_t i = 0; legal && i < answers->n_promotions; i++)
            judge_promotion(&judge, &answers->promotions[i]);
        if (legal)
            judge_extents(&judge);
        if (legal)
            judge_overwritten(&judge);
    }
    arena_free(arena);
    return ok;
}

#endif
