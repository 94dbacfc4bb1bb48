/* The shape of a region: its grid band, the block level below it, its block bands.

   In: a SCHEDULE node. Out: grid and block axes and the body's statements. Loops marked meta_for
   that follow each other without anything between form a band. An uninterrupted band of 2, 4 or 6
   loops is halved into grid and block; of 3, 5 or more than 6, the block begins where an extent
   divides one above it. Where something stands between (a serial loop, a definition, an if), the
   band above it is the grid and every band below it is a block band; all block bands of a region
   have the same extents. */
#include "metafork/lower.h"

enum { GRID_MAX = 6, BLOCK_MAX = 3, BAND_MAX = GRID_MAX + BLOCK_MAX };

struct band {
    int n;
    const struct ast *loops[BAND_MAX + 1];
    const struct ast *body;      /* of the innermost loop */
};

/* Braces around one statement do not count. */
static const struct ast *only_statement(const struct ast *node)
{
    while (node && node->kind == AST_COMPOUND && node->n_children == 1)
        node = node->children[0];
    return node;
}

static struct band band_read(const struct ast *node)
{
    struct band band = {0};
    for (; node && node->kind == AST_FOR && node->is_meta && band.n <= BAND_MAX;
         node = only_statement(node->children[3])) {
        band.loops[band.n++] = node;
        band.body = node->children[3];
    }
    return band;
}

static void shape_refuse(struct lower *l, const struct ast *node, const char *text)
{
    l->ctx->is_internal |= l->ctx->judges;
    diag_error(l->ctx, node->loc, "%s", text);
}

/* Loops first … first + n - 1 as axes. */
static bool axes_lower(struct lower *l, const struct band *band, int first, int n,
                       const struct axis *reuse, struct axis *axes)
{
    for (int i = 0; i < n; i++) {
        struct loop loop = {0};
        const struct ast *node = band->loops[first + i];
        if (!node || !loop_read(l, node, &loop) ||
            !loop_axis(l, &loop, reuse ? &reuse[i] : NULL, &axes[i]))
            return false;
        if (!expr_reads_only_params(axes[i].extent)) {
            shape_refuse(l, node,
                         "the extent of a meta_for must be given by parameters: it may not depend "
                         "on another loop, on an array element or on a variable computed in the "
                         "region; take the greatest extent and put the body under an `if`");
            return false;
        }
    }
    return true;
}

static bool extents_equal(struct lower *l, const struct expr *a, const struct expr *b)
{
    const struct poly *p = expr_poly(l->scratch, a), *q = expr_poly(l->scratch, b);
    return p && q ? poly_equal(p, q) : expr_equal(a, b);
}

static bool blocks_agree(struct lower *l, const struct band *band, int first,
                         const struct axis *axes, int n)
{
    if (n != l->n_block) {
        shape_refuse(l, band->loops[first],
                     "this block band has another number of loops than the first one; "
                     "all block bands of a region must have the same extents");
        return false;
    }
    for (int i = 0; i < n; i++)
        if (!extents_equal(l, axes[i].extent, l->block_axes[i].extent)) {
            diag_error(l->ctx, band->loops[first + i]->loc,
                       "this meta_for has the extent %s, the first block band %s; all block bands "
                       "of a region must have the same extents (put `if (x < extent)` around the "
                       "body of the shorter one)",
                       expr_text(l->arena, axes[i].extent),
                       expr_text(l->arena, l->block_axes[i].extent));
            return false;
        }
    return true;
}

/* The loops from `first` on are a block band around `body`. */
static void block_lower(struct lower *l, const struct band *band, int first)
{
    struct axis axes[BLOCK_MAX];
    int n = band->n - first;
    if (n > BLOCK_MAX) {
        shape_refuse(l, band->loops[first], "a block band has at most three meta_for");
        return;
    }
    bool again = l->n_bands > 0;
    if (!axes_lower(l, band, first, n, again && n == l->n_block ? l->block_axes : NULL, axes))
        return;
    if (again && !blocks_agree(l, band, first, axes, n))
        return;
    if (!again)
        for (int i = 0; i < n; i++) {
            if (!expr_poly(l->scratch, axes[i].extent)) {
                diag_error(l->ctx, band->loops[first + i]->loc,
                           "the block extent %s is no polynomial in the parameters; name it by a "
                           "parameter of its own",
                           expr_text(l->arena, axes[i].extent));
                return;
            }
            l->block_axes[i] = axes[i];
        }
    l->n_block = n;
    l->n_bands++;
    l->level = LEVEL_THREAD;
    const struct stmt *body = body_nested(l, band->body);
    l->level = LEVEL_BLOCK;
    emit(l, stmt_band(l->arena, l->block_axes, n, false, body));
}

void band_lower(struct lower *l, const struct ast *node)
{
    if (l->level != LEVEL_BLOCK || l->frame) {
        shape_refuse(l, node,
                     l->frame
                         ? "a meta_for inside an inlined function; write it in the region itself"
                         : "a third level of meta_for: the loops of a thread are plain `for`");
        return;
    }
    struct band band = band_read(node);
    if (band.n > BLOCK_MAX)
        shape_refuse(l, node, "a block band has at most three meta_for");
    else if (ast_has_meta(band.body))
        shape_refuse(
            l, node,
            "a third level of meta_for below a block band: the loops of a thread are plain `for`");
    else
        block_lower(l, &band, 0);
}

/* Lowers the definitions that stand in the region before the grid band. */
static const struct ast *grid_statement(struct lower *l)
{
    const struct ast *body = only_statement(l->schedule->children[0]), *grid = NULL;
    int n = body->kind == AST_COMPOUND ? body->n_children : 1;
    for (int i = 0; i < n; i++) {
        const struct ast *s = body->kind == AST_COMPOUND ? only_statement(body->children[i]) : body;
        if (s->kind == AST_EMPTY || (s->kind == AST_DECLARE && !grid))
            continue;
        if (grid && ast_has_meta(s)) {
            shape_refuse(l, s,
                         "a second grid band in one region; give it a meta_schedule of its own");
            return NULL;
        }
        if (s->kind != AST_FOR || !s->is_meta || grid) {
            if (grid || ast_has_meta(s) == false)
                shape_refuse(l, s,
                             grid ? "a statement after the grid band; move it behind the region"
                                  : "a region begins with its grid band of meta_for; move this "
                                    "before the region");
            else
                shape_refuse(l, s,
                             "a region begins with its grid band of meta_for; put the annotation "
                             "inside this statement");
            return NULL;
        }
        grid = s;
    }
    if (!grid)
        shape_refuse(l, l->schedule,
                     "a meta_schedule without meta_for; mark the loops whose iterations may run "
                     "concurrently");
    return grid;
}

enum { DEFINITIONS_DEEP = 8 };

/* Does a division by `decl` occur in the bound, or in what its variables are defined by (`depth`
   definitions deep)? */
static bool divides_by(struct lower *l, const struct ast *bound, const struct ast *decl, int depth)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, bound); n; n = ast_next(&walk)) {
        if (n->kind == AST_BINARY && n->op == AST_OP_DIV && ast_mentions(n->children[1], decl))
            return true;
        if (n->kind == AST_REF && n->decl && depth > 0 &&
            divides_by(l, definition_of(l, n->decl), decl, depth - 1))
            return true;
    }
    return false;
}

static const struct ast *bound_of(const struct ast *loop)
{
    const struct ast *c = loop->children[1];
    return c && c->kind == AST_BINARY ? ast_strip(c->children[1]) : NULL;
}

/* In a band that cannot be halved the block begins where an extent divides one above it: n / B,
   then B. */
static int uneven_split(struct lower *l, const struct band *band)
{
    for (int first = 1; first < band->n && first <= GRID_MAX; first++) {
        const struct ast *bound = bound_of(band->loops[first]);
        if (!bound || bound->kind != AST_REF || !bound->decl || band->n - first > BLOCK_MAX)
            continue;
        for (int i = 0; i < first; i++)
            if (divides_by(l, bound_of(band->loops[i]), bound->decl, DEFINITIONS_DEEP))
                return first;
    }
    return 0;
}

/* The number of an uninterrupted band's loops that form the grid; 0 after a diagnostic. */
static int grid_split(struct lower *l, const struct ast *at, const struct band *band)
{
    if (ast_has_meta(band->body)) {
        if (band->n <= GRID_MAX)
            return band->n;
        shape_refuse(l, at, "a grid band has at most six meta_for");
    } else if (band->n == 1)
        shape_refuse(l, at,
                     "a grid band without a block band: split the loop in two, `meta_for (i < n / "
                     "B) meta_for (j < B)`, so that the inner one gives the threads of a block");
    else if (band->n > BAND_MAX)
        shape_refuse(l, at, "more than six meta_for for the grid and three for the block");
    else if (band->n % 2 == 0 && band->n <= 2 * BLOCK_MAX)
        return band->n / 2;
    else if (uneven_split(l, band))
        return uneven_split(l, band);
    else
        shape_refuse(l, at,
                     "a band of meta_for that cannot be halved, of which no extent divides one "
                     "above it: where does the block begin? Separate grid and block by a statement "
                     "(a definition or `;`)");
    return 0;
}

/* Definitions before the grid band: integers made of parameters are substituted, the rest is
   computed by each block. */
static void definitions_lower(struct lower *l, const struct ast *grid)
{
    const struct ast *body = only_statement(l->schedule->children[0]);
    if (body->kind == AST_COMPOUND)
        for (int i = 0; i < body->n_children; i++) {
            const struct ast *s = body->children[i];
            if (s->kind == AST_DECLARE && s->begin < grid->begin)
                for (int k = 0; k < s->n_children; k++)
                    if (s->children[k]->kind != AST_VARIABLE ||
                        !symbol_is_derived(l, s->children[k]))
                        declaration_lower(l, s->children[k]);
        }
}

static bool is_grid_loop(const struct lower *l, const struct band *grid, const struct ast *loop)
{
    for (int i = 0; i < l->n_grid; i++)
        if (grid->loops[i] == loop)
            return true;
    return false;
}

/* So do sizes in guards and pitches: below `if (i < w)` and in a[i * w + j], with w = width / 2, w
   is a number of its own. */
static void sizes_keep(struct lower *l, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_REF)
            extent_names_keep(l, n);
}

/* In values of a thread's variables only choices do: `int i = bound0 + b * B0 + t`. */
static void choices_keep(struct lower *l, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_REF)
            choice_name_keep(l, n);
}

/* The extents of the bands inside the grid keep the names that the source gives them. */
static void names_keep(struct lower *l, const struct ast *grid, const struct band *band)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, grid); n; n = ast_next(&walk))
        if (n->kind == AST_FOR && n->is_meta && bound_of(n) && !is_grid_loop(l, band, n))
            extent_names_keep(l, bound_of(n));
        else if (n->kind == AST_INDEX)
            sizes_keep(l, n->children[1]);
        else if (n->kind == AST_VARIABLE && n->n_children)
            choices_keep(l, n->children[0]);
        else if (n->kind == AST_IF)
            sizes_keep(l, n->children[0]);
}

bool region_lower(struct lower *l)
{
    const struct ast *grid = grid_statement(l);
    if (!grid)
        return false;
    struct band band = band_read(grid);
    l->n_grid = grid_split(l, grid, &band);
    if (!l->n_grid)
        return false;
    names_keep(l, grid, &band);
    l->level = LEVEL_BLOCK;
    definitions_lower(l, grid);
    if (!axes_lower(l, &band, 0, l->n_grid, NULL, l->grid))
        return false;
    if (l->n_grid < band.n)
        block_lower(l, &band, l->n_grid);
    else
        body_lower(l, band.body);
    if (l->ctx->errors == l->errors && !l->n_bands)
        shape_refuse(l, grid,
                     "a grid band without a block band: write the loops over the threads of a "
                     "block as meta_for, too");
    return l->ctx->errors == l->errors;
}
