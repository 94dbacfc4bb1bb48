/* What a region may choose for itself when it runs. In: a region, whose analysis says which
   tunables change nothing (metafork/automatic.c); out: rows for the tables: the tunables with
   their candidates (block extents up to 1024, work of a thread up to 16, lengths of tiles up to
   256), the divisions that must be exact, and the extents that are rounded so that similar sizes
   share a choice.

   The parameter that takes up the rounding of an extent is one that the extent counts up or down
   by one. Where there are several, one that the host's loops change is taken: in `n - k - 1` it
   is k, and n is rounded by itself if it is the size of an array. */
#include "emit/choice.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/walk.h"
#include <string.h>

/* --- tunables -------------------------------------------------------------------------------- */

struct divisions {
    struct arena *arena;
    const struct var *var;
    VEC(const struct expr *) found;
};

static void divisions_in(struct divisions *d, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, d->arena, root); e; e = expr_next(&walk)) {
        bool divides = e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM);
        if (divides && expr_uses_var(e->arguments[1], d->var))
            vec_push(d->arena, &d->found, e);
    }
}

/* The divisions of the region's extents and loop bounds by `var`. */
static struct divisions divisions_by(struct arena *arena, const struct region *region,
                                     const struct var *var)
{
    struct divisions d = {.arena = arena, .var = var};
    const struct kernel *k = region->kernel;
    struct stmt_walk walk;
    for (int i = 0; i < k->n_grid; i++)
        divisions_in(&d, k->grid[i].extent);
    for (int i = 0; i < k->n_block; i++)
        divisions_in(&d, k->block[i].extent);
    for (const struct stmt *s = stmt_first(&walk, arena, k->body); s; s = stmt_next(&walk))
        for (int i = 0; i < stmt_n_exprs(s); i++)
            if (s->kind == STMT_FOR || s->kind == STMT_BAND)
                divisions_in(&d, stmt_expr(s, i));
    return d;
}

/* Is e made of parameters of the kernel that are not tunable? */
static bool is_given(const struct kernel *kernel, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR) {
        const struct param *param = kernel_param(kernel, e->var->name);
        return param && param->role != ROLE_TUNABLE;
    }
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_given(kernel, e->arguments[i]))
            return false;
    return true;
}

static bool is_tunable(const struct region *region, int parameter)
{
    return region->kernel->params[parameter]->role == ROLE_TUNABLE;
}

const char *choice_reason(struct arena *arena, const struct region *region, int parameter)
{
    const struct kernel *k = region->kernel;
    const struct automatic *automatic = &region->automatic;
    if (!is_tunable(region, parameter) ||
        automatic->tunables[parameter] == CHOOSABLE_ALWAYS)
        return NULL;
    if (automatic->tunables[parameter] == CHOOSABLE_NEVER)
        return automatic->reasons[parameter];
    struct divisions d = divisions_by(arena, region, k->params[parameter]->var);
    for (size_t i = 0; i < d.found.count; i++)
        if (!is_given(k, d.found.at[i]->arguments[0]))
            return automatic->reasons[parameter];
    return NULL;
}

static bool is_exact_tunable(struct arena *arena, const struct region *region, int parameter)
{
    return is_tunable(region, parameter) &&
           region->automatic.tunables[parameter] == CHOOSABLE_EXACT &&
           !choice_reason(arena, region, parameter);
}

struct choice_divisions choice_divisions(struct arena *arena, const struct region *region)
{
    const struct kernel *k = region->kernel;
    struct map *seen = map_new(arena);
    VEC(const struct expr *) found = {0};
    for (int i = 0; i < k->n_params; i++) {
        if (!is_exact_tunable(arena, region, i))
            continue;
        struct divisions d = divisions_by(arena, region, k->params[i]->var);
        for (size_t j = 0; j < d.found.count; j++) {
            char *text = expr_text(arena, d.found.at[j]);
            if (!map_get(seen, text))
                vec_push(arena, &found, d.found.at[j]);
            map_put(seen, text, text);
        }
    }
    return (struct choice_divisions){found.count, found.at};
}

struct choice_divisions choice_divisions_by(struct arena *arena, const struct region *region,
                                            int parameter)
{
    if (!is_exact_tunable(arena, region, parameter))
        return (struct choice_divisions){0, NULL};
    struct divisions d =
        divisions_by(arena, region, region->kernel->params[parameter]->var);
    return (struct choice_divisions){d.found.count, d.found.at};
}

const struct expr *choice_inexact(const struct region *region, struct choice_divisions divisions,
                                  const union value *params)
{
    const struct kernel *k = region->kernel;
    for (size_t i = 0; i < divisions.count; i++) {
        union value dividend, divisor;
        const struct expr *e = divisions.at[i];
        if (!expr_evaluate(k, e->arguments[0], params, &dividend) ||
            !expr_evaluate(k, e->arguments[1], params, &divisor) || divisor.integer == 0 ||
            dividend.integer % divisor.integer != 0)
            return e;
    }
    return NULL;
}

int choice_count(const struct region *region, const struct param *param)
{
    enum { BLOCK = 11, WORK = 5, TILE = 9 };
    const struct kernel *k = region->kernel;
    enum type type = param->var->type;
    int most = 8 * (int)type_bytes(type) - type_is_signed(type), choices = TILE;
    for (size_t i = 0; i < region->n_coarse; i++)
        if (expr_uses_var(region->coarse[i]->to, param->var))
            choices = WORK;
    for (int i = 0; i < k->n_block; i++)
        if (expr_uses_var(k->block[i].extent, param->var))
            choices = BLOCK;
    return choices < most ? choices : most;
}

struct collection {
    struct host *host;
    struct arena *arena;
    const struct tree *tree;
    const struct region *region;
    struct host_code *code;
    VEC(struct choice_tunable) tunables;
    VEC(struct choice_size) sizes;
};

static void collect_dividends(struct collection *c, struct choice_tunable *row)
{
    struct choice_divisions d = choice_divisions_by(c->arena, c->region, row->parameter);
    int *values = ARENA_ARRAY(c->arena, int, d.count + 1);
    for (size_t i = 0; i < d.count; i++) {
        int value = code_expr(c->code, d.at[i]->arguments[0]);
        if (value >= 0)
            values[row->n_dividends++] = value;
    }
    row->dividends = values;
}

/* Tunables of the function's arguments are chosen for NAME_auto only. */
static void collect_tunables(struct collection *c)
{
    const struct kernel *k = c->region->kernel;
    bool has_auto = auto_chooses(c->host, c->tree);
    for (int i = 0; i < k->n_params; i++) {
        const struct param *param = k->params[i];
        bool is_argument = auto_tunable(c->host, c->region->function, param->var->name);
        struct choice_tunable row = {.parameter = i, .is_always = c->region->defaults[i] > 0};
        if (!is_tunable(c->region, i) || choice_reason(c->arena, c->region, i) ||
            !(row.is_always || (has_auto && is_argument)))
            continue;
        row.choices = choice_count(c->region, param);
        collect_dividends(c, &row);
        vec_push(c->arena, &c->tunables, row);
    }
}

/* --- sizes ----------------------------------------------------------------------------------- */

static bool is_moved(const struct collection *c, int integer)
{
    for (size_t i = 0; i < c->sizes.count; i++)
        if (c->sizes.at[i].integer == integer)
            return true;
    return false;
}

/* The parameter that takes up the rounding of p, of those that vary or of the others; -1: none. */
static int moved_parameter(const struct collection *c, const struct poly *p, bool varies)
{
    const struct kernel *k = c->region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        int v = k->params[i]->variable;
        int64_t coefficient;
        if (v >= 0 && c->region->varies[i] == varies && poly_degree(p, v) == 1 &&
            poly_get_integer(poly_coefficient(p, v, 1), &coefficient) &&
            (coefficient == 1 || coefficient == -1) &&
            !is_moved(c, code_integer_parameter(k, k->params[i]->var->name)))
            return i;
    }
    return -1;
}

static bool uses_tunable(const struct kernel *k, const struct poly *p)
{
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i]->role == ROLE_TUNABLE && poly_uses(p, k->params[i]->variable))
            return true;
    return false;
}

static bool uses_varying(const struct region *region, const struct poly *p)
{
    for (int i = 0; i < region->kernel->n_params; i++)
        if (region->varies[i] && region->kernel->params[i]->variable >= 0 &&
            poly_uses(p, region->kernel->params[i]->variable))
            return true;
    return false;
}

static void add_size(struct collection *c, const struct poly *p, int parameter)
{
    const struct kernel *k = c->region->kernel;
    struct code_ring names = code_ring(k->ring, 0, NULL, false);
    int64_t coefficient = 0;
    poly_get_integer(poly_coefficient(p, k->params[parameter]->variable, 1), &coefficient);
    struct choice_size size = {
        .value = code_poly(c->code, &names, p),
        .integer = code_integer_parameter(k, k->params[parameter]->var->name),
        .falls = coefficient < 0,
        .varies = uses_varying(c->region, p)};
    vec_push(c->arena, &c->sizes, size);
}

/* Extents that loops of the host change, or the others. */
static void collect_extents(struct collection *c, bool varies)
{
    const struct automatic *automatic = &c->region->automatic;
    for (size_t i = 0; i < automatic->n_extents; i++) {
        const struct poly *p = automatic->extents[i];
        p = poly_scale(p, poly_denominator(p), 1);
        int parameter = uses_tunable(c->region->kernel, p) ||
                                uses_varying(c->region, p) != varies
                            ? -1
                            : moved_parameter(c, p, varies);
        if (parameter >= 0)
            add_size(c, p, parameter);
    }
}

/* Sizes of arrays that no extent takes up. */
static void collect_array_sizes(struct collection *c)
{
    const struct kernel *k = c->region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        const struct param *param = k->params[i];
        int integer = code_integer_parameter(k, param->var->name);
        if (param->role == ROLE_SIZE && param->variable >= 0 && !c->region->varies[i] &&
            integer >= 0 && !is_moved(c, integer))
            add_size(c, poly_variable(k->ring, param->variable), i);
    }
}

/* --- all ------------------------------------------------------------------------------------- */

static void collect_exact(struct collection *c, struct choice_rows *rows)
{
    struct choice_divisions divisions = choice_divisions(c->arena, c->region);
    struct str text = str_new(c->arena);
    int *values = ARENA_ARRAY(c->arena, int, divisions.count + 1);
    for (size_t i = 0; i < divisions.count; i++) {
        int dividend = code_expr(c->code, divisions.at[i]->arguments[0]),
            divisor = code_expr(c->code, divisions.at[i]->arguments[1]);
        str_addf(&text, "%s%s", text.length ? ", " : "", expr_text(c->arena, divisions.at[i]));
        for (int k = 0; k < c->region->kernel->n_params; k++)
            rows->exact_varies |=
                c->region->varies[k] && expr_uses_var(divisions.at[i]->arguments[0],
                                                      c->region->kernel->params[k]->var);
        if (dividend >= 0 && divisor >= 0)
            values[rows->n_exact++] =
                code_operation(c->code, TREEFORK_OP_REM, dividend, divisor, dividend);
    }
    rows->exact = values;
    rows->divisions = text.text;
}

static bool is_chosen(struct host *host, const struct tree *tree)
{
    bool any = auto_chooses(host, tree);
    for (int i = 0; i < tree->region->kernel->n_params; i++)
        any |= tree->region->defaults[i] > 0;
    return any;
}

void choice_warn(struct host *host, const struct tree *tree)
{
    const struct automatic *automatic = &tree->region->automatic;
    if (!is_chosen(host, tree))
        return;
    for (size_t i = 0; i < automatic->n_truncations; i++) {
        const struct truncation *t = &automatic->truncations[i];
        bool simple = !strpbrk(t->divisor, " *");
        diag_warning(host->ctx, t->loc.source ? t->loc : tree->region->loc,
                     "%s truncates, so region %s chooses among the divisors of %s only, and "
                     "there may be none but 1; for any size write the bound as (%s + %s - 1) / "
                     "%s%s%s and guard the body by `if (%s)`",
                     t->division, tree->region->name, t->dividend, t->dividend, t->divisor,
                     simple ? "" : "(", t->divisor, simple ? "" : ")", t->guard);
    }
}

struct choice_rows choice_collect(struct host *host, const struct tree *tree,
                                  struct host_code *code)
{
    struct collection c = {.host = host,
                           .arena = host->arena,
                           .tree = tree,
                           .region = tree->region,
                           .code = code};
    struct choice_rows rows = {.divisions = ""};
    collect_tunables(&c);
    if (c.tunables.count == 0)
        return rows;
    collect_extents(&c, false);
    collect_array_sizes(&c);
    collect_extents(&c, true);
    collect_exact(&c, &rows);
    rows.n_tunables = c.tunables.count;
    rows.tunables = c.tunables.at;
    rows.n_sizes = c.sizes.count;
    rows.sizes = c.sizes.at;
    return rows;
}
