/* Kernels whose threads are better loops, on devices without warps.

   In: a kernel and the body that is printed. Out: its band, the guard around all that the band
   does, and the interval of the last axis in which the guard holds. A compiler of a CPU device runs
   the threads of a block as a loop and vectorises it under masks where a guard cuts threads off;
   masked stores are slow, and a mask is asked for in each row, although only the first and the last
   threads of a row need one. As a loop over the interval the same body has neither (a step of
   heat_3d at n = 40 on PoCL: 72 us instead of 240). A last axis of three colours leaves vectors
   three lanes: where all elements lie as points of one number 3*x + c, the last two axes are one
   row wherever a block has all three (a blur of an image on PoCL: 5 ms instead of 74).
   Taken only where nothing is lost: one plain band; no barriers, tiles; private arrays, and loops
   but short ones of literal length, only where the points of a row become lanes (emit/lanes.c).
   Invariant: the guard holds at a point if and only if the point is in the interval and what is
   left of the guard holds there; points of a plain band are independent of each other. */
#include "emit/blocks.h"
#include "emit/lanes.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

struct rows_search {
    struct arena *arena;
    struct definitions scope;       /* of the guard */
    const struct var *column;       /* the last axis */
    struct thread_rows rows;
    bool is_bounded;
    bool needs_lanes;               /* there are long loops, or arrays of a thread */
    bool fails;                     /* a condition on the last axis is none of an interval */
    bool takes_points;              /* an equality is one of an interval, too */
    const struct axis *inner;       /* axes behind the column: no bound depends on them */
    int n_inner;
};

/* The plain band of a body that has nothing else but scalars before it, which become known, and
   short loops in it; NULL of others. */
static const struct stmt *sole_band(struct rows_search *search, const struct stmt *body)
{
    const struct stmt *band = NULL;
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, search->arena, body); s; s = stmt_next(&walk)) {
        bool is_band = s->kind == STMT_BAND;
        if (is_band && (band || s->strided))
            return NULL;
        bool is_outside = !band && s->kind != STMT_SEQUENCE && s->kind != STMT_LET;
        if ((is_outside && !is_band) || s->kind == STMT_BARRIER || s->width)
            return NULL;
        search->needs_lanes |= s->kind == STMT_ARRAY || lanes_loop_is_long(s);
        if (!band && s->kind == STMT_LET)
            definitions_add(&search->scope, s);
        if (is_band)
            band = s;
    }
    return band;
}

/* The guard behind the scalars of the band, which become known; NULL if there is other work. */
static const struct stmt *guard_find(struct rows_search *search, const struct stmt *s)
{
    const struct stmt *const *children = s->kind == STMT_SEQUENCE ? s->children : &s;
    int n = s->kind == STMT_SEQUENCE ? s->n_children : 1;
    const struct stmt *guard = NULL;
    for (int i = 0; i < n; i++) {
        if (guard || (children[i]->kind != STMT_LET && children[i]->kind != STMT_IF))
            return NULL;
        if (children[i]->kind == STMT_LET)
            definitions_add(&search->scope, children[i]);
        else
            guard = children[i];
    }
    return guard && !guard->children[1] ? guard : NULL;
}

/* The greater (OP_GT) or the lesser (OP_LT) of two numbers. */
static const struct expr *extreme(struct arena *arena, enum op op, const struct expr *a,
                                  const struct expr *b)
{
    return expr_select(arena, expr_binary(arena, op, a, b), a, b);
}

/* Narrows the interval by `coefficient * column + rest[0] op rest[1]`; coefficient 1 or -1. */
static void side_narrow(struct rows_search *search, int coefficient,
                            const struct expr *const *rest, enum op op)
{
    struct arena *arena = search->arena;
    struct thread_rows *rows = &search->rows;
    const struct expr *one = expr_integer(arena, TYPE_I64, 1);
    bool rises = coefficient > 0;
    bool is_below = op == OP_LT || op == OP_LE, is_strict = op == OP_LT || op == OP_GT;
    bool is_upper = is_below == rises;
    const struct expr *at = expr_binary(arena, OP_SUB, rest[rises], rest[!rises]);
    if (is_upper != is_strict)
        at = expr_binary(arena, OP_ADD, at, one);
    if (is_upper)
        rows->to = extreme(arena, OP_LT, rows->to, at);
    else
        rows->from = extreme(arena, OP_GT, rows->from, at);
    search->is_bounded = true;
}

/* Both sides of an equality. */
static void interval_narrow(struct rows_search *search, int coefficient,
                            const struct expr *const *rest, enum op op)
{
    side_narrow(search, coefficient, rest, op == OP_EQ ? OP_LE : op);
    if (op == OP_EQ)
        side_narrow(search, coefficient, rest, OP_GE);
}

/* Takes a condition on the last axis into the interval; false if it is no interval's. */
static bool condition_narrows(struct rows_search *search, const struct expr *e)
{
    struct arena *arena = search->arena;
    bool is_interval = e->kind == EXPR_BINARY &&
                       ((e->op >= OP_LT && e->op <= OP_GE) ||
                        (e->op == OP_EQ && search->takes_points));
    if (!is_interval || type_is_floating(e->arguments[0]->type) ||
        !type_is_signed(e->arguments[0]->type))
        return false;
    int c[2];
    const struct expr *rest[2];
    for (int i = 0; i < 2; i++) {
        if (!expr_split(arena, e->arguments[i], search->column, &c[i], &rest[i]))
            return false;
        rest[i] = rest[i] ? expr_cast(arena, TYPE_I64, rest[i]) : expr_integer(arena, TYPE_I64, 0);
    }
    int coefficient = c[0] - c[1];
    if (coefficient != 1 && coefficient != -1)
        return false;
    interval_narrow(search, coefficient, rest, e->op);
    return true;
}

static bool uses_inner(const struct rows_search *search, const struct expr *e)
{
    for (int i = 0; i < search->n_inner; i++)
        if (expr_uses_var(e, search->inner[i].var))
            return true;
    return false;
}

/* Does the interval say what the conjunct of the guard says? Others are asked at each point. */
static bool conjunct_narrows(void *state, const struct expr *conjunct)
{
    struct rows_search *search = state;
    const struct expr *e = definitions_expand(&search->scope, conjunct);
    if (e && !expr_uses_var(e, search->column))
        return false;
    if (e && uses_inner(search, e))
        return false;
    bool narrows = e && condition_narrows(search, e);
    search->fails |= !narrows;
    return narrows;
}

/* --- two axes as one row ---------------------------------------------------------------------- */

enum { JOINT_MOST = 8 };        /* points of the last axis: a vector has as many */

/* The factor of the variable in a sum of products with literals; false if e is no such sum. */
static bool find_factor(const struct expr *e, const struct var *var, int64_t *factor)
{
    int64_t a, b, times;
    *factor = e->kind == EXPR_VAR;
    if (e->kind == EXPR_VAR && e->var == var)
        return true;
    *factor = 0;
    if (!expr_uses_var(e, var))
        return true;
    if (e->kind == EXPR_CAST)
        return type_is_signed(e->arguments[0]->type) &&
               type_bytes(e->type) >= type_bytes(e->arguments[0]->type) &&
               find_factor(e->arguments[0], var, factor);
    if (e->kind != EXPR_BINARY || !find_factor(e->arguments[0], var, &a) ||
        !find_factor(e->arguments[1], var, &b))
        return false;
    if (e->op == OP_ADD || e->op == OP_SUB)
        *factor = e->op == OP_ADD ? a + b : a - b;
    else if (e->op == OP_MUL && expr_get_integer(e->arguments[a != 0], &times))
        *factor = (a + b) * times;
    else
        return false;
    return *factor >= -JOINT_MOST && *factor <= JOINT_MOST;
}

/* The same of the place of an element. */
static bool find_place_factor(struct rows_search *search, const struct expr *load,
                              const struct var *var, int64_t *factor)
{
    int64_t extent, below = 1;
    *factor = 0;
    for (int d = load->array->n_dims - 1; d >= 0; d--) {
        int64_t steps;
        const struct expr *e = definitions_expand(&search->scope, load->arguments[d]);
        if (!e || !find_factor(e, var, &steps) || (steps != 0 && below == 0))
            return false;
        *factor += steps * below;
        bool is_literal = d > 0 && expr_get_integer(load->array->dims[d], &extent) &&
                          extent <= JOINT_MOST;
        below = is_literal ? below * extent : 0;
    }
    return true;
}

/* Does an element's place depend on the two axes as on joint * outer + last? `joint` 0: not known
   so far. */
static bool is_joint_place(struct rows_search *search, const struct expr *load,
                           const struct var *outer, const struct var *last, int64_t *joint)
{
    int64_t factors[2];
    if (!find_place_factor(search, load, outer, &factors[0]) ||
        !find_place_factor(search, load, last, &factors[1]))
        return false;
    if (factors[0] == 0 && factors[1] == 0)
        return true;
    if (*joint == 0)
        *joint = factors[0];
    return factors[1] == 1 && factors[0] == *joint;
}

/* Are the two axes used in places of elements alone? */
static bool expr_is_joint(struct rows_search *search, const struct expr *e,
                          const struct var *outer, const struct var *last, int64_t *joint)
{
    const struct expr *known = definitions_replace(&search->scope, e);
    struct expr_walk walk;
    for (e = expr_first(&walk, search->arena, known); e; e = expr_next(&walk)) {
        if (e->kind == EXPR_VAR && (e->var == outer || e->var == last))
            return false;
        if (e->kind != EXPR_LOAD)
            continue;
        if (!is_joint_place(search, e, outer, last, joint))
            return false;
        expr_skip(&walk);
    }
    return true;
}

static bool stmt_is_joint(struct rows_search *search, const struct stmt *s,
                          const struct var *outer, const struct var *last, int64_t *joint)
{
    bool is_scalar = s->kind == STMT_LET && s->value && !type_is_floating(s->var->type) &&
                     definitions_expand(&search->scope, expr_var(search->arena, s->var));
    if (s->kind == STMT_STORE) {
        const struct expr *place = expr_load(search->arena, s->array, s->indices, s->loc);
        return is_joint_place(search, place, outer, last, joint) &&
               expr_is_joint(search, s->value, outer, last, joint);
    }
    int n = is_scalar ? 0 : stmt_n_exprs(s);
    for (int i = 0; i < n; i++)
        if (!expr_is_joint(search, stmt_expr(s, i), outer, last, joint))
            return false;
    return true;
}

/* Finds out whether the last two axes may be one row. */
static void join_axes(struct rows_search *search)
{
    struct thread_rows *rows = &search->rows;
    int n = rows->band->n_axes;
    if (n < 2)
        return;
    const struct axis *axes = rows->band->axes + n - 2;
    const struct var *outer = axes[0].var, *last = axes[1].var;
    struct rows_search narrowed = *search;
    int64_t joint = 0;
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, search->arena, rows->guard->children[0]); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_LET)
            definitions_add(&search->scope, s);
    for (const struct stmt *s = stmt_first(&walk, search->arena, rows->guard->children[0]); s;
         s = stmt_next(&walk))
        if (!stmt_is_joint(search, s, outer, last, &joint))
            return;
    narrowed.column = outer;
    narrowed.rows.from = expr_integer(search->arena, TYPE_I64, 0);
    narrowed.rows.to = expr_cast(search->arena, TYPE_I64, axes[0].extent);
    const struct expr *left = rows->left;
    if (left)
        left = conjuncts_left(search->arena, left, conjunct_narrows, &narrowed);
    if (narrowed.fails || joint < 2 || outer->type != TYPE_I32)
        return;
    rows->joint = joint;
    rows->outer_from = narrowed.rows.from;
    rows->outer_to = narrowed.rows.to;
    rows->left = left;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static bool has_tiles(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_SHARED)
            return true;
    return false;
}

/* Finds the guard of the band and what it says of the last axis. */
static bool find_guard(struct rows_search *search, const struct stmt *band)
{
    struct arena *arena = search->arena;
    struct thread_rows *rows = &search->rows;
    const struct axis *last = &band->axes[band->n_axes - 1];
    search->column = last->var;
    rows->band = band;
    rows->guard = guard_find(search, band->children[0]);
    rows->from = expr_integer(arena, TYPE_I64, 0);
    rows->to = expr_cast(arena, TYPE_I64, last->extent);
    if (!rows->guard || last->var->type != TYPE_I32)
        return false;
    rows->left = conjuncts_left(arena, rows->guard->value, conjunct_narrows, search);
    return search->is_bounded;
}

/* The bounds of an axis by those conjuncts of the guard that inner axes have left. */
static void axis_narrow(struct rows_search *search, const struct axis *axis,
                        struct axis_bounds *bounds, const struct expr **left)
{
    struct thread_rows *rows = &search->rows;
    *bounds = (struct axis_bounds){NULL, NULL};
    if (!*left || axis->var->type != TYPE_I32)
        return;
    search->column = axis->var;
    search->is_bounded = false;
    rows->from = expr_integer(search->arena, TYPE_I64, 0);
    rows->to = expr_cast(search->arena, TYPE_I64, axis->extent);
    *left = conjuncts_left(search->arena, *left, conjunct_narrows, search);
    if (search->is_bounded)
        *bounds = (struct axis_bounds){rows->from, rows->to};
}

const struct stmt *rows_narrow(const struct definitions *scope, const struct stmt *band,
                               struct axis_bounds *bounds, const struct expr **left)
{
    struct rows_search search = {.arena = scope->arena, .scope = *scope, .takes_points = true};
    const struct stmt *guard = guard_find(&search, band->children[0]);
    *left = guard ? guard->value : NULL;
    for (int i = band->n_axes - 1; i >= 0; i--) {
        axis_narrow(&search, &band->axes[i], &bounds[i], left);
        search.inner = &band->axes[i];
        search.n_inner = band->n_axes - i;
    }
    return guard;
}

/* Rows of a body as it stands, in groups of so many lanes (0: that suit vectors). */
static struct thread_rows find_rows(struct arena *arena, const struct kernel *kernel,
                                    const struct stmt *body, int64_t lanes_most)
{
    struct thread_rows none = {0};
    struct rows_search search = {.arena = arena,
                                 .scope = {.arena = arena, .body = body},
                                 .rows = {.lanes_most = lanes_most}};
    const struct stmt *band = has_tiles(kernel) ? NULL : sole_band(&search, body);
    if (!band)
        return none;
    struct thread_rows *rows = &search.rows;
    if (!find_guard(&search, band) || search.fails)
        return none;
    rows->lanes = search.needs_lanes ? lanes_make(arena, kernel, rows) : NULL;
    if (!search.needs_lanes)
        join_axes(&search);
    return search.needs_lanes && !rows->lanes ? none : *rows;
}

/* Is s a loop of a thread that is written out, but longer than those that always are? */
static bool is_written_out(const struct stmt *s)
{
    int64_t from, to;
    return s->kind == STMT_FOR && s->unroll && expr_get_integer(s->from, &from) &&
           expr_get_integer(s->to, &to) && to - from > LANES_SHORT_LOOP;
}

/* How many such loops there are, alternatives that are seldom taken left out. */
static int count_written_out(const struct stmt *s)
{
    int n = is_written_out(s), n_children = s->kind == STMT_IF && s->rare ? 1 : s->n_children;
    for (int i = 0; i < n_children; i++)
        if (s->children[i])
            n += count_written_out(s->children[i]);
    return n;
}

static const struct stmt *loop_of_copies(void *arena, const struct stmt *s)
{
    if (!is_written_out(s))
        return s;
    return stmt_for(arena, s->var, s->from, s->to, s->step, s->children[0]);
}

/* The only loop that is written out may as well be one whose rounds vectors run: then nothing of
   its copies is loaded before the points of a row, which fills the registers (products of
   16 by 16 matrices on PoCL: 2.3 ms instead of 3). */
struct thread_rows rows_find(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body)
{
    struct thread_rows rows = find_rows(arena, kernel, body, 0);
    if (!rows.band)
        blocks_make(arena, kernel, &rows);
    if (!rows.band || rows.lanes || count_written_out(rows.band) != 1)
        return rows;
    struct thread_rows loops =
        find_rows(arena, kernel, stmt_rewrite(arena, body, loop_of_copies, arena), 0);
    if (!loops.lanes || !loops.vectors)
        return rows;
    rows.lanes = loops.lanes;
    rows.vectors = loops.vectors;
    return rows;
}

/* For stmt_rewrite: the work of a row in place of its band. */
static const struct stmt *row_in_step(void *state, const struct stmt *s)
{
    const struct thread_rows *rows = state;
    return s == rows->band ? rows->lanes : s;
}

const struct stmt *rows_in_step(struct arena *arena, const struct kernel *kernel, int64_t most)
{
    struct thread_rows rows = find_rows(arena, kernel, kernel->body, most);
    if (!rows.lanes || rows.band->n_axes != 1)
        return NULL;
    const struct stmt *body = stmt_rewrite(arena, kernel->body, row_in_step, &rows);
    return loops_jam(arena, kernel, body, rows.lane_count);
}

/* --- for the model ---------------------------------------------------------------------------- */

static bool touches_array(const struct stmt *s)
{
    if (s->kind == STMT_STORE)
        return true;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_contains(stmt_expr(s, i), EXPR_LOAD))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && touches_array(s->children[i]))
            return true;
    return false;
}

/* Is there a long loop in a band that touches no array? */
static bool has_bare_loop(const struct stmt *s, bool in_band)
{
    if (in_band && lanes_loop_is_long(s) && !touches_array(s))
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && has_bare_loop(s->children[i], in_band || s->kind == STMT_BAND))
            return true;
    return false;
}

int rows_loops(struct arena *arena, const struct kernel *kernel)
{
    const struct thread_rows rows = rows_find(arena, kernel, kernel->body);
    if (rows.block)
        return TREEFORK_LOOPS_BLOCK;
    if (rows.lanes)
        return TREEFORK_LOOPS_LANES;
    if (rows.joint > 0)
        return TREEFORK_LOOPS_JOINT + (int)rows.joint;
    if (rows.band && count_written_out(rows.band) > 0)
        return TREEFORK_LOOPS_LANES;
    return has_bare_loop(kernel->body, false) ? TREEFORK_LOOPS_BARE : TREEFORK_LOOPS_TOLD;
}
