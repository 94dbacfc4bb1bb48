/* Small sums in place: tf_small_NAME.

   In: a region whose bits depend on the order of floating sums, each in a scalar of the function
   that no pointer leads to. Out: a function of C that serves runs of few points, with the bits of
   every leaf, for some 10 ns. Few are so many that one block has them: then there is one part, and
   a join with nothing but -0.0 changes no number. Each lane adds up its terms in rounds, and the
   tree joins lanes in pairs from the first distance below their number on, since lanes without a
   point are neutral. That needs no memory but the stack, and no arrays that lie apart: the terms
   come in the order of the region's serial reading, and nothing else reaches the sum. Facts of the
   region are asked in a form that never errs to their side. */
#include "constraints/poly.h"
#include "emit/device.h"
#include "emit/fact.h"
#include "emit/host.h"
#include "ir/access/sums.h"
#include "ir/names.h"
#include "ir/reduction.h"
#include "optimizer/strategies/rewrite.h"
#include <inttypes.h>
#include <string.h>

enum { SMALL = 256, SUMS_MOST = 4 };

struct small {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;     /* the region's */
    const struct var *block, *lane, *lanes;   /* the grid's and the block's variable, its extent */
    const struct stmt *let, *guard;  /* the point that a lane does; its condition and statements */
    const struct poly *start;        /* the first point, over a ring of its own */
    const struct poly *number;       /* of points, over the kernel's ring */
    const struct expr *points;
    int64_t rounds;                  /* a part has so many points for each lane at most */
    struct names *names;
    int n_sums;
    const struct array *sums[SUMS_MOST], *terms[SUMS_MOST];
    bool good;
};

/* --- the form of the region ------------------------------------------------------------------- */

/* The number of points whose quotient by the lanes, rounded up, is the extent; NULL of another
   extent. */
static const struct poly *dealt_points(const struct small *s, const struct expr *extent)
{
    const struct kernel *k = s->kernel;
    extent = expr_uncast(extent);
    bool divides = extent->kind == EXPR_BINARY && extent->op == OP_DIV;
    const struct expr *divisor = divides ? expr_uncast(extent->arguments[1]) : NULL;
    const struct poly *dividend = divides ? kernel_expr_poly(k, extent->arguments[0]) : NULL;
    int variable = ring_find(k->ring, s->lanes->name);
    if (!dividend || divisor->kind != EXPR_VAR || divisor->var != s->lanes || variable < 0)
        return NULL;
    const struct poly *lanes = poly_variable(k->ring, variable),
                      *number = poly_sub(poly_add(dividend, poly_integer(k->ring, 1)), lanes);
    return poly_uses(number, variable) ? NULL : number;
}

/* The point less block * lanes + lane, over a ring that has these, too; NULL if the rest uses
   them. */
static const struct poly *start_of(const struct small *s, struct ring *ring)
{
    const struct poly *p = s->let->value ? expr_poly(ring, s->let->value) : NULL;
    int block = ring_variable(ring, s->block->name), lane = ring_variable(ring, s->lane->name),
        lanes = ring_variable(ring, s->lanes->name);
    if (!p)
        return NULL;
    p = poly_sub(p, poly_mul(poly_variable(ring, block), poly_variable(ring, lanes)));
    p = poly_sub(p, poly_variable(ring, lane));
    bool is_point = !poly_uses(p, block) && !poly_uses(p, lane) && !poly_uses(p, lanes);
    return is_point ? p : NULL;
}

/* Does the condition hold for the points from the start on, as many as the extent says? */
static bool has_bound(void *state, const struct expr *condition)
{
    const struct small *s = state;
    struct ring *ring = poly_ring(s->start);
    if (condition->kind != EXPR_BINARY || (condition->op != OP_LT && condition->op != OP_LE))
        return false;
    const struct expr *point = expr_uncast(condition->arguments[0]);
    const struct poly *end = expr_poly(ring, condition->arguments[1]),
                      *number = expr_poly(ring, s->points);
    if (!end || !number || point->kind != EXPR_VAR || point->var != s->let->var)
        return false;
    end = poly_add(end, poly_integer(ring, condition->op == OP_LE));
    return poly_equal(end, poly_add(s->start, number));
}

/* Does each lane do the points start + block * lanes + lane, below the end, and name these three
   variables in nothing else? */
static bool has_points(struct small *s, const struct stmt *body)
{
    if (body->kind != STMT_SEQUENCE || body->n_children != 2 ||
        body->children[0]->kind != STMT_LET || body->children[1]->kind != STMT_IF)
        return false;
    s->let = body->children[0];
    s->guard = body->children[1];
    s->start = start_of(s, ring_new(s->arena));
    return s->start && s->guard->n_children == 1 &&
           conjuncts_left(s->arena, s->guard->value, has_bound, s) != s->guard->value &&
           !stmt_uses_var(s->guard, s->block) && !stmt_uses_var(s->guard, s->lane) &&
           !stmt_uses_var(s->guard, s->lanes);
}

/* Does every sum have parts of a second kernel, and nothing before or behind it? */
static bool has_parts(struct small *s)
{
    struct sums sums = access_sums(s->ctx, s->kernel);
    bool good = sums.fixed == 1 && sums.n_finishes == 0;
    for (size_t i = 0; i < sums.count; i++)
        good &= sums.at[i].form == SUM_FINISH && !sums.at[i].start && !sums.at[i].is_used;
    s->rounds = good ? sums_least(s->kernel, &sums, 0) : 0;
    return good;
}

static bool has_form(struct small *s)
{
    const struct kernel *k = s->kernel;
    const struct stmt *band = stmt_sole(k->body);
    if (!kernel_is_inexact(k) || k->own_lanes || k->n_divisible || k->n_grid != 1 ||
        k->n_block != 1 || band->kind != STMT_BAND || band->strided ||
        k->block[0].extent->kind != EXPR_VAR)
        return false;
    s->block = k->grid[0].var;
    s->lane = band->axes[0].var;
    s->lanes = k->block[0].extent->var;
    s->number = dealt_points(s, k->grid[0].extent);
    s->points = s->number ? kernel_poly_expr(s->arena, k, s->number, TYPE_I64) : NULL;
    return s->points && has_points(s, band->children[0]) && has_parts(s);
}

/* --- terms in place of sums ------------------------------------------------------------------- */

/* The terms of a sum, an array of the thread's own. */
static const struct array *terms_of(struct small *s, const struct array *sum)
{
    for (int i = 0; i < s->n_sums; i++)
        if (s->sums[i] == sum)
            return s->terms[i];
    if (s->n_sums == SUMS_MOST || !sum->is_scalar || !sum->is_alone ||
        (sum->element != TYPE_F32 && sum->element != TYPE_F64))
        return NULL;
    struct array *terms = ARENA_NEW(s->arena, struct array);
    const struct expr **extent = ARENA_NEW(s->arena, const struct expr *);
    *extent = expr_integer(s->arena, TYPE_I32, SMALL);
    const char *stem = arena_printf(s->arena, "%s_terms", sum->name);
    *terms = (struct array){.name = names_fresh(s->names, stem),
                            .element = sum->element,
                            .space = SPACE_PRIVATE,
                            .n_dims = 1,
                            .dims = extent};
    s->sums[s->n_sums] = sum;
    s->terms[s->n_sums++] = terms;
    return terms;
}

static const struct stmt *term_store(void *state, const struct stmt *stmt)
{
    struct small *s = state;
    bool is_plain = stmt->kind == STMT_SEQUENCE || stmt->kind == STMT_LET ||
                    stmt->kind == STMT_SET || stmt->kind == STMT_IF || stmt->kind == STMT_STORE;
    s->good &= is_plain;
    if (stmt->kind != STMT_STORE)
        return stmt;
    s->good &= !stmt->end && !stmt->width && !stmt->async;
    if (!stmt->reduction)
        return stmt;
    const struct array *terms = stmt->reduction == REDUCE_ADD ? terms_of(s, stmt->array) : NULL;
    s->good &= terms != NULL;
    if (!terms)
        return stmt;
    const struct expr *lane = expr_var(s->arena, s->lane);
    const struct expr *sum = reduction_join(s->arena, REDUCE_ADD,
                                            expr_load(s->arena, terms, &lane, stmt->loc),
                                            stmt->value);
    return stmt_store(s->arena, terms, &lane, sum, stmt->loc);
}

/* The statements of a lane at a point; the loops keep the bound. */
static const struct stmt *point_of(struct small *s)
{
    struct arena *arena = s->arena;
    const struct expr *left = conjuncts_left(arena, s->guard->value, has_bound, s);
    const struct stmt *body = s->guard->children[0];
    return stmt_rewrite(arena, left ? stmt_if(arena, left, body, NULL) : body, term_store, s);
}

/* The rounds of a block over its points, and its lanes in each: block counts the points of the
   rounds before. */
static const struct stmt *loops_make(struct small *s)
{
    struct arena *arena = s->arena;
    enum type type = s->let->var->type;
    const struct expr *lanes = expr_var(arena, s->lanes), *block = expr_var(arena, s->block),
                      *points = expr_cast(arena, s->block->type, s->points),
                      *left = expr_binary(arena, OP_SUB, points, block),
                      *start = kernel_poly_expr(arena, s->kernel, s->start, type);
    s->good = start != NULL;
    const struct stmt *body = s->good ? point_of(s) : NULL;
    if (!s->good)
        return NULL;
    const struct expr *point = expr_binary(arena, OP_ADD, block, expr_var(arena, s->lane));
    point = expr_binary(arena, OP_ADD, start, point);
    const struct stmt *const both[] = {
        stmt_let(arena, s->let->var, expr_cast(arena, type, point)), body};
    const struct stmt *round = stmt_for(arena, s->lane, expr_integer(arena, s->lane->type, 0),
                                        expr_minimum(arena, lanes, left),
                                        expr_integer(arena, s->lane->type, 1),
                                        stmt_sequence(arena, both, 2));
    return stmt_for(arena, s->block, expr_integer(arena, s->block->type, 0), points, lanes, round);
}

/* --- the text --------------------------------------------------------------------------------- */

/* The facts hold, and one part has all points; NULL if C cannot ask that. */
static const char *conditions_text(struct host *host, const struct small *s,
                                   const struct tree *tree)
{
    struct str out = str_new(s->arena);
    const char *points = serial_expr(host, s->kernel, s->points);
    str_addf(&out, "%s <= %d && %s >= 1 && %s <= %" PRId64 " * (long)%s", s->lanes->name, SMALL,
             points, points, s->rounds, s->lanes->name);
    for (size_t i = 0; i < tree->initial.count; i++)
        if (select_asks_first(tree, tree->initial.at[i]) &&
            !fact_print(s->kernel, &out, tree->initial.at[i]))
            return NULL;
    return tree->region->conditions.count ? NULL : out.text;
}

/* The region's kernel with the loop in place of its blocks. */
static const struct kernel *kernel_of(const struct small *s, const struct stmt *loop)
{
    struct kernel *kernel = kernel_copy(s->arena, s->kernel);
    const struct array **arrays =
        ARENA_ARRAY(s->arena, const struct array *, kernel->n_arrays + s->n_sums);
    for (int i = 0; i < kernel->n_arrays; i++)
        arrays[i] = kernel->arrays[i];
    for (int i = 0; i < s->n_sums; i++)
        arrays[kernel->n_arrays + i] = s->terms[i];
    kernel->arrays = arrays;
    kernel->n_arrays += s->n_sums;
    kernel->n_grid = kernel->n_block = 0;
    kernel->body = loop;
    return kernel;
}

static void head_print(struct device *device, const struct kernel *region)
{
    struct str *out = device->out;
    const char *comma = "";
    for (int i = 0; i < region->n_params; i++, comma = ", ") {
        const struct var *var = region->params[i]->var;
        str_addf(out, "%s%s %s", comma, device_type(var->type), device_name(device, var->name));
    }
    for (int i = 0; i < region->n_arrays; i++)
        if (array_is_given(region->arrays[i])) {
            const struct array *a = region->arrays[i];
            str_addf(out, "%s%s%s *%s", comma, a->is_const ? "const " : "",
                     device_type(a->element), device_name(device, a->name));
            comma = ", ";
        }
}

static const char *function_text(struct host *host, struct small *s, const struct tree *tree,
                           const struct stmt *loop)
{
    struct str out = str_new(s->arena);
    struct device device = {.arena = s->arena,
                            .out = &out,
                            .dialect = &dialect_c,
                            .kernel = kernel_of(s, loop),
                            .is_serial = true,
                            .is_loose = true,
                            .step = "    "};
    const char *conditions = conditions_text(host, s, tree),
               *points = serial_expr(host, s->kernel, s->points);
    if (!conditions)
        return NULL;
    device.batches = (struct batches){.kernel = device.kernel};
    device_names(&device);
    device.depth = 1;
    str_addf(&out, "/* Region %s on the host where it is small; 0: it did not run. */\n"
                   "static int tf_small_%s(", tree->region->name, tree->region->name);
    head_print(&device, s->kernel);
    str_add(&out, ")\n{\n");
    for (int i = 0; i < s->n_sums; i++)
        str_addf(&out, "    %s %s[%d];\n", device_type(s->terms[i]->element),
                 device_name(&device, s->terms[i]->name), SMALL);
    str_addf(&out, "    if (!(%s))\n        return 0;\n", conditions);
    str_addf(&out, "    const int tf_lanes = (int)(%s < %s ? %s : %s);\n", points, s->lanes->name,
             points, s->lanes->name);
    for (int i = 0; i < s->n_sums; i++)
        str_addf(&out, "    tf_begin_%s(%s, tf_lanes);\n", device_type(s->terms[i]->element),
                 device_name(&device, s->terms[i]->name));
    str_add(&out, "    ");
    device_stmt(&device, loop);
    str_char(&out, '\n');
    for (int i = 0; i < s->n_sums; i++)
        str_addf(&out, "    tf_join_%s(%s, %s, tf_lanes);\n", device_type(s->terms[i]->element),
                 device_name(&device, s->sums[i]->name),
                 device_name(&device, s->terms[i]->name));
    str_add(&out, "    return 1;\n}\n\n");
    return out.text;
}

/* The function of a region, and the number of points by which it is asked for. */
struct small_text {
    const char *text, *points;       /* NULL: there is none */
};

static void text_find(struct host *host, const struct tree *tree, struct small_text *made)
{
    const struct kernel *kernel = tree->region->kernel;
    struct names names = names_new(host->arena, kernel);
    struct small s = {
        .ctx = host->ctx, .arena = host->arena, .kernel = kernel, .names = &names};
    const struct stmt *loop = has_form(&s) ? loops_make(&s) : NULL;
    made->text = loop && s.n_sums ? function_text(host, &s, tree, loop) : NULL;
    made->points = made->text ? serial_expr(host, s.kernel, s.points) : NULL;
}

static const struct small_text *small_text(struct host *host, const struct tree *tree)
{
    struct small_text *made = map_get_pointer(host->smalls, tree);
    if (made)
        return made;
    made = ARENA_NEW(host->arena, struct small_text);
    text_find(host, tree, made);
    map_put_pointer(host->smalls, tree, made);
    return made;
}

const char *small_points(struct host *host, const struct tree *tree)
{
    return small_text(host, tree)->points;
}

void small_write(struct host *host, const struct tree *tree)
{
    const struct small_text *made = small_text(host, tree);
    if (made->text)
        str_add(host->out, made->text);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Terms up to a power of two, and their join with the sum in the order of a block's tree. */
static const char WORDS[] =
    "static void tf_begin_TYPE(TYPE *x, int n)\n{\n"
    "    int end = 16;\n"
    "    while (end < n)\n        end *= 2;\n"
    "    for (int t = 0; t < end; t++)\n        x[t] = -0.0;\n}\n"
    "static void tf_join_TYPE(TYPE *sum, TYPE *x, int n)\n{\n"
    "    const TYPE old = *sum;\n"
    "    int far = 8;\n"
    "    while (2 * far < n)\n        far *= 2;\n"
    "    for (; far > 8; far /= 2)\n"
    "        for (int t = 0; t < far; t++)\n            x[t] = x[t] + x[t + far];\n"
    "    for (int t = 0; t < 8; t++)\n        x[t] = x[t] + x[t + 8];\n"
    "    for (int t = 0; t < 4; t++)\n        x[t] = x[t] + x[t + 4];\n"
    "    x[0] = x[0] + x[2];\n"
    "    x[1] = x[1] + x[3];\n"
    "    x[0] = x[0] + x[1];\n"
    "    if (old == old)\n        *sum = old + x[0];\n}\n";

static void words_print(struct str *out, const char *type)
{
    const char *at = WORDS, *next;
    for (; (next = strstr(at, "TYPE")); at = next + strlen("TYPE"))
        str_addf(out, "%.*s%s", (int)(next - at), at, type);
    str_add(out, at);
}

void small_begin(struct host *host)
{
    static const char *const types[] = {"float", "double"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *call = arena_printf(host->arena, "tf_join_%s(", types[i]);
        bool is_used = false;
        for (size_t r = 0; r < host->program->n_regions && !is_used; r++) {
            const char *text = small_text(host, host->trees[r])->text;
            is_used = text && strstr(text, call);
        }
        if (is_used)
            words_print(host->out, types[i]);
    }
}
