/* Kernels back as MetaFork C.

   In: a kernel. Out: a C file with one function that any C compiler takes and that means the same;
   for a banded kernel reading it again gives the same kernel, so that printing what was read is the
   identity. What strategies made has no annotation of its own and is shown with comments: shared
   arrays as arrays of the block, strided bands as loops over their box, barriers by name. */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "metafork/lower.h"
#include <math.h>
#include <string.h>

struct printer {
    struct arena *arena;
    struct str *out;
    const struct kernel *kernel;
};

static void line_begin(struct printer *p, int depth)
{
    str_indent(p->out, 4 * depth);
}

/* Is there a call, or an infinity or NaN, which C spells by names of <math.h>? */
static bool needs_math(const struct printer *p)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, p->arena, p->kernel->body); s;
         s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, p->arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_CALL || (e->kind == EXPR_REAL && !isfinite(e->real)))
                return true;
    return false;
}

static void print_param_array(struct printer *p, const struct array *a)
{
    bool open = a->dims[0] == NULL;
    str_addf(p->out, "%s%s ", a->is_const ? "const " : "", type_name(a->element));
    if (open)
        str_addf(p->out, "%s*%s%s%s", a->n_dims > 1 ? "(" : "", a->is_restrict ? "restrict " : "",
                 a->name, a->n_dims > 1 ? ")" : "");
    else
        str_add(p->out, a->name);
    for (int i = open ? 1 : 0; i < a->n_dims; i++) {
        str_add(p->out, i == 0 && a->is_restrict ? "[restrict " : "[");
        expr_print(p->out, a->dims[i]);
        str_char(p->out, ']');
    }
}

static void print_signature(struct printer *p)
{
    const struct kernel *k = p->kernel;
    const char *separator = "";
    str_addf(p->out, "void %s(", k->name);
    for (int i = 0; i < k->n_params; i++, separator = ", ")
        str_addf(p->out, "%s%s %s", separator, type_name(k->params[i]->var->type),
                 k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++) {
        const struct array *array = k->arrays[i];
        bool is_unused = array->is_partial && !stmt_uses_array(k->body, array);
        if (array->space != SPACE_GLOBAL || is_unused)
            continue;
        str_add(p->out, separator);
        print_param_array(p, array);
        separator = ", ";
    }
    str_addf(p->out, "%s)\n", *separator ? "" : "void");
}

static const struct var *lookup(void *state, const char *name)
{
    const struct kernel *kernel = state;
    const struct param *param = kernel_param(kernel, name);
    return param ? param->var : NULL;
}

/* The terms of one sign, made positive. */
static const struct poly *terms_of_sign(const struct poly *poly, bool negative)
{
    struct ring *ring = poly_ring(poly);
    const struct poly *sum = poly_integer(ring, 0);
    for (size_t i = 0; i < poly_terms(poly); i++) {
        int64_t numerator, denominator;
        unsigned exponents[RING_CAPACITY] = {0};
        if (!poly_term(poly, i, &numerator, &denominator, exponents) || (numerator < 0) != negative)
            continue;
        const struct poly *term = poly_rational(ring, negative ? -numerator : numerator,
                                                denominator);
        for (int v = 0; v < ring_count(ring); v++)
            term = poly_mul(term, poly_power(poly_variable(ring, v), exponents[v]));
        sum = poly_add(sum, term);
    }
    return sum;
}

static bool is_bound(const struct kernel *kernel, struct constraint c)
{
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        if (p->has_lo && p->variable >= 0 &&
            constraint_equal(c, constraint_make(poly_variable(kernel->ring, p->variable),
                                                RELATION_GE, poly_integer(kernel->ring, p->lo))))
            return true;
    }
    return false;
}

static enum type fact_type(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0 && kernel->params[i]->var->type != TYPE_I32)
            return TYPE_I64;
    return TYPE_I32;
}

/* Facts that come from asserts; false if there is none. */
static bool print_facts(struct printer *p, bool print)
{
    static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};
    const struct kernel *k = p->kernel;
    bool any = false;
    for (size_t i = 0; i < k->facts.count; i++) {
        struct constraint c = k->facts.at[i];
        enum type type = fact_type(k);
        const struct expr *left = poly_expr(p->arena, terms_of_sign(c.poly, false), type, lookup,
                                            (void *)k);
        const struct expr *right = poly_expr(p->arena, terms_of_sign(c.poly, true), type, lookup,
                                             (void *)k);
        if (is_bound(k, c) || !left || !right)
            continue;
        any = true;
        if (print)
            str_addf(p->out, "    assert(%s %s %s);\n", expr_text(p->arena, left),
                     relations[c.relation], expr_text(p->arena, right));
    }
    return any;
}

static void print_statement(struct printer *p, const struct stmt *s, int depth);

static void print_body(struct printer *p, const struct stmt *s, int depth)
{
    if (s->kind == STMT_SEQUENCE)
        for (int i = 0; i < s->n_children; i++)
            print_statement(p, s->children[i], depth);
    else
        print_statement(p, s, depth);
}

static void print_block(struct printer *p, const struct stmt *s, int depth)
{
    str_add(p->out, " {\n");
    print_body(p, s, depth + 1);
    line_begin(p, depth);
    str_add(p->out, "}");
}

static void print_assign(struct printer *p, const struct stmt *s)
{
    if (s->kind == STMT_LET)
        str_addf(p->out, "%s ", type_name(s->var->type));
    str_add(p->out, s->kind == STMT_STORE ? s->array->name : s->var->name);
    if (s->kind == STMT_STORE)
        for (int i = 0; i < s->array->n_dims; i++)
            str_addf(p->out, "[%s]", expr_text(p->arena, s->indices[i]));
    if (s->value)
        str_addf(p->out, " = %s", expr_text(p->arena, s->value));
    str_add(p->out, ";\n");
}

/* An accumulating store in the form that the clause meta_reduce reads. */
static void print_accumulated(struct printer *p, const struct stmt *s)
{
    const struct expr *element = expr_load(p->arena, s->array, s->indices, s->loc);
    const char *place = expr_text(p->arena, element), *value = expr_text(p->arena, s->value);
    if (s->reduction == REDUCE_MIN || s->reduction == REDUCE_MAX)
        str_addf(p->out, "if ((%s) %s %s) %s = %s;\n", value,
                 s->reduction == REDUCE_MIN ? "<" : ">", place, place, value);
    else
        str_addf(p->out, "%s %s= %s;\n", place, reduction_text(s->reduction), value);
}

/* A vector copy, element by element. */
static void print_copy(struct printer *p, const struct stmt *s, int depth)
{
    const struct expr *load = s->value;
    for (int i = 0; i < s->width; i++) {
        const struct array *arrays[2] = {s->array, load->array};
        const struct expr *const *indices[2] = {s->indices, load->arguments};
        if (i)
            line_begin(p, depth);
        for (int k = 0; k < 2; k++) {
            str_addf(p->out, "%s%s", k ? " = " : "", arrays[k]->name);
            for (int d = 0; d < arrays[k]->n_dims; d++) {
                const struct expr *e = indices[k][d], *shift = expr_integer(p->arena, e->type, i);
                e = d == arrays[k]->n_dims - 1 ? expr_binary(p->arena, OP_ADD, e, shift) : e;
                str_addf(p->out, "[%s]", expr_text(p->arena, e));
            }
        }
        str_add(p->out, ";\n");
    }
}

static void print_array(struct printer *p, const struct array *a, const char *note)
{
    str_addf(p->out, "%s%s %s", note, type_name(a->element), a->name);
    for (int i = 0; i < a->n_dims; i++)
        str_addf(p->out, "[%s]", expr_text(p->arena, a->dims[i]));
    str_add(p->out, ";\n");
}

/* An operand of `<`: sums and products need no parentheses there. */
static const char *bound_text(struct printer *p, const struct expr *e)
{
    bool bare = e->kind == EXPR_BINARY ? e->op >= OP_ADD && e->op <= OP_REM
                                       : e->kind != EXPR_SELECT;
    return bare ? expr_text(p->arena, e) : arena_printf(p->arena, "(%s)", expr_text(p->arena, e));
}

static void print_for(struct printer *p, const struct stmt *s, int depth)
{
    const char *name = s->var->name;
    int64_t step;
    str_addf(p->out, "for (%s %s = %s; %s < %s; ", type_name(s->var->type), name,
             expr_text(p->arena, s->from), name, bound_text(p, s->to));
    if (expr_get_integer(s->step, &step) && step == 1)
        str_addf(p->out, "%s++)", name);
    else
        str_addf(p->out, "%s += %s)", name, expr_text(p->arena, s->step));
    print_block(p, s->children[0], depth);
    str_char(p->out, '\n');
}

static void print_axis(struct printer *p, const char *word, const struct axis *axis)
{
    str_addf(p->out, "%s (%s %s = 0; %s < %s; %s++)", word, type_name(axis->var->type),
             axis->var->name, axis->var->name, bound_text(p, axis->extent), axis->var->name);
}

/* Loops over all axes, the statement in the innermost one. */
static void print_axes(struct printer *p, const char *word, const struct axis *axes, int n,
                       int depth)
{
    for (int i = 0; i < n; i++) {
        if (i) {
            str_char(p->out, '\n');
            line_begin(p, depth + i);
        }
        print_axis(p, word, &axes[i]);
    }
}

static void print_band(struct printer *p, const struct stmt *s, int depth)
{
    if (s->strided) {
        str_add(p->out, "/* shared out among the threads of the block */\n");
        line_begin(p, depth);
    }
    print_axes(p, s->strided ? "for" : "meta_for", s->axes, s->n_axes, depth);
    print_block(p, s->children[0], depth + s->n_axes - 1);
    str_char(p->out, '\n');
}

static void print_if(struct printer *p, const struct stmt *s, int depth)
{
    str_addf(p->out, "if (%s)", expr_text(p->arena, s->value));
    print_block(p, s->children[0], depth);
    if (s->n_children > 1 && s->children[1]) {
        str_add(p->out, " else");
        print_block(p, s->children[1], depth);
    }
    str_char(p->out, '\n');
}

static void print_while(struct printer *p, const struct stmt *s, int depth)
{
    str_addf(p->out, "while (%s)", expr_text(p->arena, s->value));
    print_block(p, s->children[0], depth);
    str_char(p->out, '\n');
}

static void print_statement(struct printer *p, const struct stmt *s, int depth)
{
    line_begin(p, depth);
    switch (s->kind) {
    case STMT_SEQUENCE: print_body(p, s, depth); break;
    case STMT_LET:
    case STMT_SET:
    case STMT_STORE:
        if (s->width)
            print_copy(p, s, depth);
        else if (s->reduction)
            print_accumulated(p, s);
        else
            print_assign(p, s);
        break;
    case STMT_ARRAY: print_array(p, s->array, ""); break;
    case STMT_IF: print_if(p, s, depth); break;
    case STMT_FOR: print_for(p, s, depth); break;
    case STMT_WHILE: print_while(p, s, depth); break;
    case STMT_BAND: print_band(p, s, depth); break;
    case STMT_BARRIER: str_add(p->out, "/* barrier */\n"); break;
    case STMT_LAST: break;
    }
}

static const struct stmt *only_band(const struct stmt *s)
{
    while (s->kind == STMT_SEQUENCE && s->n_children == 1)
        s = s->children[0];
    return s->kind == STMT_BAND && !s->strided ? s : NULL;
}

static bool has_shared(const struct kernel *k)
{
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_SHARED)
            return true;
    return false;
}

/* The grid band around the block level. A lone block band follows it directly if halving finds
   it again. */
static void print_grid(struct printer *p)
{
    const struct kernel *k = p->kernel;
    const struct stmt *band = only_band(k->body);
    int depth = 2 + k->n_grid - 1;
    line_begin(p, 2);
    print_axes(p, "meta_for", k->grid, k->n_grid, 2);
    if (band && !has_shared(k) && k->n_grid == k->n_block) {
        str_char(p->out, '\n');
        print_statement(p, band, depth + 1);
        return;
    }
    str_add(p->out, " {\n");
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_SHARED) {
            line_begin(p, depth + 1);
            print_array(p, k->arrays[i], "/* shared */ ");
        }
    if (band) {
        line_begin(p, depth + 1);
        str_add(p->out, ";\n");
    }
    print_body(p, k->body, depth + 1);
    line_begin(p, depth);
    str_add(p->out, "}\n");
}

/* " cache(a, b)", " meta_reduce(+, s)": the arrays that a clause names; nothing if there are none.
   */
static void print_clause(struct printer *p, const char *begin, enum reduce_op reduction)
{
    bool is_begun = false;
    for (int i = 0; i < p->kernel->n_arrays; i++) {
        const struct array *array = p->kernel->arrays[i];
        enum reduce_op own = stmt_accumulates_in(p->kernel->body, array);
        if (reduction ? own != reduction : !array->cache)
            continue;
        str_addf(p->out, "%s%s", is_begun ? ", " : begin, array->name);
        is_begun = true;
    }
    str_add(p->out, is_begun ? ")" : "");
}

static void print_clauses(struct printer *p)
{
    print_clause(p, " cache(", REDUCE_NONE);
    for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++)
        print_clause(p, arena_printf(p->arena, " meta_reduce(%s, ", reduction_text(r)), r);
}

void region_print(struct ctx *ctx, struct str *out, const struct kernel *kernel)
{
    struct printer p = {ctx->arena, out, kernel};
    str_add(out, print_facts(&p, false) ? "#include <assert.h>\n" : "");
    str_add(out, needs_math(&p) ? "#include <math.h>\n#include <stdlib.h>\n" : "");
    str_add(out, "#include <metafork.h>\n\n");
    print_signature(&p);
    str_add(out, "{\n");
    print_facts(&p, true);
    str_add(out, "    meta_schedule");
    print_clauses(&p);
    str_add(out, " {\n");
    print_grid(&p);
    str_add(out, "    }\n}\n");
}
