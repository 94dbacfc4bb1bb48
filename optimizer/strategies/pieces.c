/* Pieces: serial loops of threads cut so that what their rounds read can be staged.

   In: a banded kernel whose threads are independent. Out: the same kernel in which
       band { before; for (k = from; k < to; k++) body; after; }
   reads
       band { before; }
       for (p = 0; p < (to - from + PIECE - 1) / PIECE; p++)
           band { for (z = 0; z < min(PIECE, to - from - PIECE*p); z++) body; }
       band { after; }
   and a list of the bands in the middle: there staging.c also puts tiles into shared memory that
   cache(...) does not name, if their threads would go down columns or share elements. Loops are cut
   where such a tile is found; the bounds must be the same for all threads of a block. A loop whose
   rounds are counted by tunables, in a loop at block level, is a piece as it stands. Conditions
   around the loop, and scalars with one value, are evaluated again in each band; other scalars and
   private arrays that outlive a band are declared at block level, where each thread has its own.
   Why it is right: a thread goes through its statements in the same order as before; two threads
   whose accesses meet in different bands would meet in the one band that there was.
   Source: strip mining and loop distribution (Allen and Kennedy), staged by the notes on
   footprints. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

/* Rounds of a piece: as many as elements fill a line of memory, so that a row of a tile is one;
   of small elements as many as loops of threads have room for. Figures of other depths:
   docs/results/quality.md. */
enum { PIECE_BYTES = 128, PIECE_MOST = 32 };

struct loop_cutting {
    struct placement *placement;
    struct arena *arena;
    const struct stmt *band, *loop;
    const struct var *piece;               /* number of the piece */
    int rounds;                            /* of a piece */
    struct stmts fixed;                    /* lets in front of the loop that may be repeated */
    struct stmts kept;                     /* declarations for the block level */
    struct definitions scope;              /* what the lets stand for */
};

/* The statement around the loop cut in three. */
struct band_parts {
    const struct stmt *before, *piece, *after;
};

static bool stmt_holds(const struct stmt *s, const struct stmt *inner)
{
    bool found = s == inner;
    for (int i = 0; i < s->n_children && !found; i++)
        found = s->children[i] && stmt_holds(s->children[i], inner);
    return found;
}

/* --- what may be repeated --------------------------------------------------------------------- */

static bool is_fixed_var(const struct loop_cutting *c, const struct var *var)
{
    if (var->kind != VAR_LOCAL)
        return true;
    for (size_t i = 0; i < c->fixed.count; i++)
        if (c->fixed.at[i]->var == var)
            return true;
    return false;
}

/* Has the expression one value for the whole band, wherever it is evaluated? */
static bool expr_is_fixed(const struct loop_cutting *c, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || (e->kind == EXPR_VAR && !is_fixed_var(c, e->var)))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_is_fixed(c, e->arguments[i]))
            return false;
    return true;
}

/* Lets of floating point are computed once: they may cost more than a register. */
static bool let_is_fixed(const struct loop_cutting *c, const struct stmt *let)
{
    return let->value && !type_is_floating(let->var->type) &&
           !stmt_sets_var(c->band, let->var) && expr_is_fixed(c, let->value);
}

static bool has_effect(const struct stmt *s)
{
    return stmt_contains(s, STMT_STORE) || stmt_contains(s, STMT_SET);
}

/* --- the three parts -------------------------------------------------------------------------- */

/* At block level a scalar has a value from the beginning, so that what is computed for nothing
   behind the loop (speculate.c) reads one. */
static const struct stmt *let_kept(struct loop_cutting *c, const struct var *var)
{
    return stmt_let(c->arena, var, expr_zero(c->arena, var->type));
}

/* A declaration in front of the loop: what takes its place there, with what lives on moved. */
static const struct stmt *declaration_split(struct loop_cutting *c, const struct stmt *s,
                                            bool is_used)
{
    if (s->kind == STMT_LET)
        definitions_add(&c->scope, s);
    if (s->kind == STMT_LET && let_is_fixed(c, s)) {
        vec_push(c->arena, &c->fixed, s);
        return s;
    }
    if (!is_used)
        return s;
    if (s->kind == STMT_ARRAY) {
        vec_push(c->arena, &c->kept, s);
        return NULL;
    }
    vec_push(c->arena, &c->kept, let_kept(c, s->var));
    return s->value ? stmt_set(c->arena, s->var, s->value) : NULL;
}

static bool uses_declared(const struct stmt *s, const struct stmt *declaration)
{
    if (declaration->kind == STMT_ARRAY)
        return stmt_uses_array(s, declaration->array);
    return stmt_uses_var(s, declaration->var) || stmt_sets_var(s, declaration->var);
}

static bool parts_make(struct loop_cutting *c, const struct stmt *s, struct band_parts *parts);

static bool lives_on(const struct stmt *sequence, int from, const struct stmt *declaration)
{
    bool found = false;
    for (int i = from; i < sequence->n_children; i++)
        found |= uses_declared(sequence->children[i], declaration);
    return found;
}

/* What stands in front of child `at` of the sequence: to `before`, and what may be repeated to the
   other two as well. */
static void front_split(struct loop_cutting *c, const struct stmt *s, int at, struct stmts *before,
                        struct stmts *piece, struct stmts *after)
{
    for (int i = 0; i < at; i++) {
        const struct stmt *child = s->children[i];
        size_t fixed = c->fixed.count;
        if (child->kind == STMT_LET || child->kind == STMT_ARRAY)
            child = declaration_split(c, child, lives_on(s, at, child));
        if (child)
            vec_push(c->arena, before, child);
        if (c->fixed.count > fixed) {
            vec_push(c->arena, piece, child);
            vec_push(c->arena, after, child);
        }
    }
}

static bool sequence_split(struct loop_cutting *c, const struct stmt *s, struct band_parts *parts)
{
    struct stmts before = {0}, piece = {0}, after = {0};
    struct band_parts inner;
    int at = 0;
    while (!stmt_holds(s->children[at], c->loop))
        at++;
    front_split(c, s, at, &before, &piece, &after);
    if (!parts_make(c, s->children[at], &inner))
        return false;
    vec_push(c->arena, &before, inner.before);
    vec_push(c->arena, &piece, inner.piece);
    vec_push(c->arena, &after, inner.after);
    for (int i = at + 1; i < s->n_children; i++)
        vec_push(c->arena, &after, s->children[i]);
    parts->before = stmt_sequence(c->arena, before.at, (int)before.count);
    parts->piece = stmt_sequence(c->arena, piece.at, (int)piece.count);
    parts->after = stmt_sequence(c->arena, after.at, (int)after.count);
    return true;
}

/* The statement under the condition, as far as it does anything. */
static const struct stmt *guarded(struct loop_cutting *c, const struct expr *condition,
                                  const struct stmt *s)
{
    return has_effect(s) ? stmt_if(c->arena, condition, s, NULL) : stmt_sequence(c->arena, NULL, 0);
}

/* The branch that does not hold the loop goes with what stands before it. */
static bool branches_split(struct loop_cutting *c, const struct stmt *s, struct band_parts *parts)
{
    struct band_parts inner;
    int branch = stmt_holds(s->children[0], c->loop) ? 0 : 1;
    const struct stmt *other = s->children[1 - branch];
    if (!expr_is_fixed(c, s->value) || !parts_make(c, s->children[branch], &inner))
        return false;
    const struct expr *holds = branch == 0 ? s->value : expr_unary(c->arena, OP_NOT, s->value);
    parts->before = other ? stmt_if(c->arena, holds, inner.before, other)
                          : guarded(c, holds, inner.before);
    parts->piece = stmt_if(c->arena, holds, inner.piece, NULL);
    parts->after = guarded(c, holds, inner.after);
    return true;
}

/* The rounds of one piece; the loop's variable becomes a local one. */
static const struct stmt *rounds_make(struct loop_cutting *c)
{
    struct arena *arena = c->arena;
    struct names *names = &c->placement->names;
    const struct stmt *loop = c->loop;
    enum type type = loop->var->type;
    const struct expr *length = expr_integer(arena, type, c->rounds);
    struct var *round = var_new(arena, names_fresh(names, arena_printf(arena, "%s_round",
                                                                       loop->var->name)),
                                type, VAR_ITERATOR);
    struct var *value = var_new(arena, names_fresh(names, loop->var->name), type, VAR_LOCAL);
    const struct expr *begin = expr_binary(arena, OP_MUL, length, expr_var(arena, c->piece)),
                      *left = expr_binary(arena, OP_SUB, loop_trip(arena, loop), begin),
                      *end = expr_minimum(arena, length, left);
    const struct expr *at = expr_binary(arena, OP_ADD, begin, expr_var(arena, round));
    if (!loop_is_normal(loop))
        at = expr_binary(arena, OP_ADD, loop->from, at);
    const struct expr *values[1] = {expr_var(arena, value)};
    struct substitution renaming = {1, &loop->var, values};
    const struct stmt *parts[2] = {stmt_let(arena, value, at),
                                   stmt_replace(arena, loop->children[0], &renaming)};
    return stmt_for(arena, round, expr_integer(arena, type, 0), end, expr_integer(arena, type, 1),
                    stmt_sequence(arena, parts, 2));
}

static bool parts_make(struct loop_cutting *c, const struct stmt *s, struct band_parts *parts)
{
    if (s == c->loop) {
        const struct stmt *nothing = stmt_sequence(c->arena, NULL, 0);
        *parts = (struct band_parts){nothing, rounds_make(c), nothing};
        return true;
    }
    if (s->kind == STMT_SEQUENCE)
        return sequence_split(c, s, parts);
    return s->kind == STMT_IF && branches_split(c, s, parts);
}

/* --- bands ------------------------------------------------------------------------------------ */

/* A band over the points of the one that is cut; unless it is the first, with names of its own for
   the axes and the lets that are repeated. */
static const struct stmt *band_make(struct loop_cutting *c, const struct stmt *body, bool is_first)
{
    struct placement *p = c->placement;
    int n_axes = c->band->n_axes, n = n_axes;
    if (is_first)
        return stmt_band(c->arena, c->band->axes, n_axes, false, body);
    struct axis *axes = ARENA_ARRAY(c->arena, struct axis, n_axes);
    struct substitution of_axes = axes_rename(&p->names, p->kernel, c->band->axes, n_axes, axes);
    const struct var **variables = ARENA_ARRAY(c->arena, const struct var *,
                                               n_axes + (int)c->fixed.count);
    const struct expr **values = ARENA_ARRAY(c->arena, const struct expr *,
                                             n_axes + (int)c->fixed.count);
    for (int i = 0; i < n_axes; i++) {
        variables[i] = of_axes.variables[i];
        values[i] = of_axes.values[i];
    }
    for (size_t i = 0; i < c->fixed.count; i++) {
        const struct var *old = c->fixed.at[i]->var;
        variables[n] = old;
        values[n++] = expr_var(c->arena, var_new(c->arena, names_fresh(&p->names, old->name),
                                                 old->type, VAR_LOCAL));
    }
    struct substitution renaming = {n, variables, values};
    return stmt_band(c->arena, axes, n_axes, false, stmt_replace(c->arena, body, &renaming));
}

/* The loop's rounds over parameters and what all threads of a block share; NULL if they may
   differ. */
static const struct expr *trip_make(struct loop_cutting *c)
{
    const struct expr *trip = definitions_expand(&c->scope, loop_trip(c->arena, c->loop));
    if (!trip)
        return NULL;
    for (int i = 0; i < c->band->n_axes; i++)
        if (expr_uses_var(trip, c->band->axes[i].var))
            return NULL;
    return trip;
}

/* The pieces of so many rounds, in 64 bits so that nothing overflows. */
static const struct expr *pieces_of(const struct loop_cutting *c, const struct expr *trip)
{
    struct arena *arena = c->arena;
    const struct expr *up = expr_binary(arena, OP_ADD, expr_cast(arena, TYPE_I64, trip),
                                        expr_integer(arena, TYPE_I64, c->rounds - 1));
    return expr_binary(arena, OP_DIV, up, expr_integer(arena, TYPE_I64, c->rounds));
}

/* The band with its loop cut; *middle: the band of a piece. NULL if something stands in the way. */
static const struct stmt *band_cut(struct loop_cutting *c, const struct stmt **middle)
{
    struct arena *arena = c->arena;
    struct band_parts parts;
    struct stmts all = {0};
    const char *name = arena_printf(arena, "%s_piece", c->loop->var->name);
    enum type type = c->loop->var->type;
    c->piece = var_new(arena, names_fresh(&c->placement->names, name), type, VAR_ITERATOR);
    if (!parts_make(c, c->band->children[0], &parts))
        return NULL;
    const struct expr *trip = trip_make(c);
    if (!trip)
        return NULL;
    *middle = band_make(c, parts.piece, false);
    for (size_t i = 0; i < c->kept.count; i++)
        vec_push(arena, &all, c->kept.at[i]);
    if (has_effect(parts.before))
        vec_push(arena, &all, band_make(c, parts.before, true));
    vec_push(arena, &all, stmt_for(arena, c->piece, expr_integer(arena, type, 0),
                                   pieces_of(c, trip), expr_integer(arena, type, 1), *middle));
    if (has_effect(parts.after))
        vec_push(arena, &all, band_make(c, parts.after, false));
    return stmt_sequence(arena, all.at, (int)all.count);
}

/* --- which loops ------------------------------------------------------------------------------ */

/* Bytes of the largest element in the loop that might be staged: of a global array that is read,
   but not written there, and not staged as things stand; 0 if there is none. */
static int candidate_bytes(const struct placement *p, const struct stmt *loop)
{
    int bytes = 0;
    for (int i = 0; i < p->kernel->n_arrays; i++) {
        const struct array *array = p->kernel->arrays[i];
        bool is_candidate = array->space == SPACE_GLOBAL && !array->cache &&
                            stmt_uses_array(loop, array) && !stmt_stores_to(loop, array);
        if (is_candidate && (int)type_bytes(array->element) > bytes)
            bytes = (int)type_bytes(array->element);
    }
    return bytes;
}

static int rounds_of(const struct placement *p, const struct stmt *loop)
{
    int rounds = PIECE_BYTES / candidate_bytes(p, loop);
    return rounds > PIECE_MOST ? PIECE_MOST : rounds;
}

static bool loop_is_innermost(const struct placement *p, const struct stmt *loop)
{
    return !loop->unroll && !stmt_contains(loop->children[0], STMT_FOR) &&
           candidate_bytes(p, loop) > 0;
}

/* Are the rounds counted by tunables alone, or few? Then the loop is a piece as it stands. */
static bool is_short(const struct placement *p, const struct expr *trip)
{
    struct expr_walk walk;
    int64_t rounds;
    if (expr_get_integer(trip, &rounds))
        return rounds <= PIECE_MOST;
    for (const struct expr *e = expr_first(&walk, p->arena, trip); e; e = expr_next(&walk)) {
        const struct param *param = e->kind == EXPR_VAR ? kernel_param(p->kernel, e->var->name)
                                                        : NULL;
        bool is_tunable = param && param->role == ROLE_TUNABLE;
        if (e->kind == EXPR_LOAD || (e->kind == EXPR_VAR && !is_tunable))
            return false;
    }
    return true;
}

/* May the loop be cut: does it count by 1, to an end of its own type? */
static bool loop_is_plain(const struct stmt *loop)
{
    int64_t step;
    enum type type = loop->var->type;
    return expr_get_integer(loop->step, &step) && step == 1 &&
           (type == TYPE_I32 || type == TYPE_I64) && loop->to->type == type;
}

bool piece_tile_pays(const struct tile *tile)
{
    return !tile->is_written && (tile->is_crossed || tile->is_shared);
}

/* Is there a tile in the band that pays? */
static bool piece_pays(struct placement *p, const struct kernel *kernel, const struct stmt *band)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_GLOBAL || array->cache || !stmt_uses_array(band, array) ||
            stmt_stores_to(band, array))
            continue;
        struct tiling tiling = access_tiles(p->ctx, kernel, band, array);
        for (size_t k = 0; tiling.possible && k < tiling.count; k++)
            if (piece_tile_pays(&tiling.tiles[k]))
                return true;
    }
    return false;
}

struct exchange {
    const struct stmt *old, *new;
};

static const struct stmt *exchange_stmt(void *state, const struct stmt *s)
{
    const struct exchange *exchange = state;
    return s == exchange->old ? exchange->new : s;
}

/* The kernel with the loop of the band cut, if that pays. */
static bool loop_cut(struct placement *p, const struct stmt *band, const struct stmt *loop)
{
    struct loop_cutting c = {.placement = p, .arena = p->arena, .band = band, .loop = loop,
                             .rounds = rounds_of(p, loop),
                             .scope = {.arena = p->arena, .body = p->kernel->body}};
    const struct stmt *middle;
    struct exchange exchange = {band, band_cut(&c, &middle)};
    if (!exchange.new)
        return false;
    struct kernel *cut = kernel_copy(p->arena, p->kernel);
    cut->body = stmt_rewrite(p->arena, p->kernel->body, exchange_stmt, &exchange);
    if (!piece_pays(p, cut, middle))
        return false;
    p->kernel = cut;
    vec_push(p->arena, &p->pieces, middle);
    return true;
}

/* Cuts one loop of the band, an outermost one, or takes the band as it is for one of pieces that
   were made by hand; `repeats`: a loop at block level stands around it. */
static bool band_pieces(struct placement *p, const struct stmt *band, bool repeats)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, p->arena, band); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_FOR)
            continue;
        bool is_candidate = loop_is_innermost(p, s),
             is_piece = is_candidate && is_short(p, loop_trip(p->arena, s));
        if (is_piece && repeats && piece_pays(p, p->kernel, band)) {
            vec_push(p->arena, &p->pieces, band);
            return true;
        }
        if (is_candidate && !is_piece && loop_is_plain(s) && loop_cut(p, band, s))
            return true;
        stmt_skip(&walk);
    }
    return false;
}

bool placement_is_piece(const struct placement *p, const struct stmt *band)
{
    for (size_t i = 0; i < p->pieces.count; i++)
        if (p->pieces.at[i] == band)
            return true;
    return false;
}

/* Does a loop stand around the statement given last? */
static bool walk_repeats(const struct stmt_walk *walk)
{
    bool found = false;
    for (int i = 0; i < walk->depth; i++)
        found |= walk->path[i].stmt->kind == STMT_FOR;
    return found;
}

void pieces_plan(struct placement *p)
{
    struct stmt_walk walk;
    if (!p->options.pieces || !p->options.stage)
        return;
    const struct stmt *s = stmt_first(&walk, p->arena, p->kernel->body);
    while (s) {
        bool is_plain = s->kind == STMT_BAND && !s->strided && !placement_is_piece(p, s);
        if (is_plain && band_pieces(p, s, walk_repeats(&walk)))
            s = stmt_first(&walk, p->arena, p->kernel->body);
        else
            s = stmt_next(&walk);
    }
}

bool strategy_can_cut(struct ctx *ctx, const struct kernel *kernel)
{
    struct placement p = {.ctx = ctx,
                          .arena = ctx->arena,
                          .kernel = kernel,
                          .names = names_new(ctx->arena, kernel),
                          .options = {.stage = UINT64_MAX, .pieces = true}};
    pieces_plan(&p);
    return p.pieces.count > 0;
}

bool strategy_has_pieces(const struct kernel *kernel)
{
    bool found = false;
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        found |= array->space == SPACE_SHARED && array->origin && !array->origin->cache;
    }
    return found;
}
