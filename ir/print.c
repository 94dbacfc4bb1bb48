/* Kernels as text; ir/read.c reads it back. The grammar stands in docs/kernel.md.

   In: a kernel; out: its text. Declarations come first (ring, parameters, arrays, facts, shapes),
   then the body in a C-like form in which `let`, `private`, `band` and `barrier` are statements.
   The order of the ring's variables is printed, for the facts' terms follow it.

   Invariant: reading the text and printing what was read gives the same text. */
#include "ir/own.h"
#include "ir/reduction.h"

static void print_axis(struct str *out, const struct axis *axis)
{
    str_add(out, type_name(axis->var->type));
    str_char(out, ' ');
    str_add(out, axis->var->name);
    str_add(out, " < ");
    expr_print(out, axis->extent);
}

static void print_body(struct str *out, const struct stmt *s, int depth);

static void print_assignment(struct str *out, const struct stmt *s)
{
    if (s->kind == STMT_LET) {
        str_add(out, "let ");
        str_add(out, type_name(s->var->type));
        str_char(out, ' ');
    }
    if (s->kind == STMT_STORE && s->async)
        str_add(out, "async ");
    if (s->kind == STMT_STORE && s->width)
        str_addf(out, "vector %d ", s->width);
    if (s->kind == STMT_STORE && s->reduction)
        str_addf(out, "reduce %s ", reduction_text(s->reduction));
    if (s->kind == STMT_STORE && s->end)
        str_add(out, s->end == SUM_END_START ? "reduce start " : "reduce finish ");
    str_add(out, s->kind == STMT_STORE ? s->array->name : s->var->name);
    if (s->kind == STMT_STORE)
        for (int i = 0; i < s->array->n_dims; i++) {
            str_char(out, '[');
            expr_print(out, s->indices[i]);
            str_char(out, ']');
        }
    if (s->value) {
        str_add(out, " = ");
        expr_print(out, s->value);
    }
    str_add(out, ";\n");
}

static void print_if(struct str *out, const struct stmt *s, int depth)
{
    str_add(out, "if (");
    expr_print(out, s->value);
    str_add(out, ") {\n");
    print_body(out, s->children[0], depth + 1);
    str_indent(out, 4 * depth);
    str_add(out, "}");
    if (s->children[1]) {
        str_add(out, s->rare ? " else rare {\n" : " else {\n");
        print_body(out, s->children[1], depth + 1);
        str_indent(out, 4 * depth);
        str_add(out, "}");
    }
    str_add(out, "\n");
}

static void print_for(struct str *out, const struct stmt *s, int depth)
{
    const char *name = s->var->name;
    str_add(out, s->unroll ? "unroll for (" : "for (");
    str_add(out, type_name(s->var->type));
    str_char(out, ' ');
    str_add(out, name);
    str_add(out, " = ");
    expr_print(out, s->from);
    str_add(out, "; ");
    str_add(out, name);
    str_add(out, " < ");
    expr_print(out, s->to);
    str_add(out, "; ");
    str_add(out, name);
    str_add(out, " += ");
    expr_print(out, s->step);
    str_add(out, ") {\n");
    print_body(out, s->children[0], depth + 1);
    str_indent(out, 4 * depth);
    str_add(out, "}\n");
}

static void print_band(struct str *out, const struct stmt *s, int depth)
{
    str_add(out, s->strided ? "strided band " : "band ");
    if (s->batch)
        str_addf(out, "batch %d ", s->batch);
    str_char(out, '(');
    for (int i = 0; i < s->n_axes; i++) {
        str_add(out, i ? ", " : "");
        print_axis(out, &s->axes[i]);
    }
    str_add(out, ") {\n");
    print_body(out, s->children[0], depth + 1);
    str_indent(out, 4 * depth);
    str_add(out, "}\n");
}

static void print_while(struct str *out, const struct stmt *s, int depth)
{
    str_add(out, "while (");
    expr_print(out, s->value);
    str_add(out, ") {\n");
    print_body(out, s->children[0], depth + 1);
    str_indent(out, 4 * depth);
    str_add(out, "}\n");
}

static void print_barrier(struct str *out, const struct stmt *s)
{
    str_add(out, "barrier");
    if (s->waits)
        str_addf(out, " pending %d", s->pending);
    str_add(out, ";\n");
}

static void print_last(struct str *out, const struct stmt *s, int depth)
{
    str_add(out, "last {\n");
    print_body(out, s->children[0], depth + 1);
    str_indent(out, 4 * depth);
    str_add(out, "}\n");
}

static void print_body(struct str *out, const struct stmt *s, int depth)
{
    if (s->kind == STMT_SEQUENCE) {
        for (int i = 0; i < s->n_children; i++)
            print_body(out, s->children[i], depth);
        return;
    }
    str_indent(out, 4 * depth);
    switch (s->kind) {
    case STMT_LET:
    case STMT_SET:
    case STMT_STORE: print_assignment(out, s); break;
    case STMT_ARRAY: str_addf(out, "private %s;\n", s->array->name); break;
    case STMT_IF: print_if(out, s, depth); break;
    case STMT_FOR: print_for(out, s, depth); break;
    case STMT_WHILE: print_while(out, s, depth); break;
    case STMT_BAND: print_band(out, s, depth); break;
    case STMT_BARRIER: print_barrier(out, s); break;
    case STMT_LAST: print_last(out, s, depth); break;
    case STMT_SEQUENCE: break;
    }
}

void stmt_print(struct str *out, const struct stmt *s, int depth)
{
    print_body(out, s, depth);
}

static void print_param(struct str *out, const struct param *p)
{
    static const char *const classes[] = {"machine", "program", "data"};
    static const char *const roles[] = {"machine", "size", "tunable", "uniform", "value"};
    const char *const words[] = {"    param", classes[p->class], roles[p->role],
                                 type_name(p->var->type), p->var->name};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        str_add(out, i ? " " : "");
        str_add(out, words[i]);
    }
    if (p->has_lo) {
        str_add(out, " >= ");
        str_integer(out, p->lo);
    }
    str_add(out, ";\n");
}

static void print_array(struct str *out, const struct array *a)
{
    static const char *const spaces[] = {"global", "shared", "private"};
    str_addf(out, "    %s%s%s %s %s", spaces[a->space], a->is_const ? " const" : "",
             a->is_restrict ? " restrict" : "", type_name(a->element), a->name);
    for (int i = 0; i < a->n_dims; i++) {
        str_char(out, '[');
        if (a->dims[i])
            expr_print(out, a->dims[i]);
        str_char(out, ']');
    }
    str_add(out, a->cache ? " cache" : "");
    str_add(out, a->is_partial ? " partial" : "");
    if (a->offset) {
        str_add(out, " at ");
        expr_print(out, a->offset);
    }
    if (a->origin)
        str_addf(out, " of %s", a->origin->name);
    str_add(out, ";\n");
}

static void print_axes(struct str *out, const char *word, const struct axis *axes, int n)
{
    for (int i = 0; i < n; i++) {
        str_addf(out, "    %s ", word);
        print_axis(out, &axes[i]);
        str_add(out, ";\n");
    }
}

static void print_ring(struct str *out, const struct ring *ring)
{
    int n = ring ? ring_count(ring) : 0;
    for (int i = 0; i < n; i++)
        str_addf(out, "%s%s", i ? ", " : "    ring ", ring_name(ring, i));
    str_add(out, n ? ";\n" : "");
}

void kernel_print(struct str *out, const struct kernel *kernel)
{
    str_addf(out, "kernel %s {\n", kernel->name);
    print_ring(out, kernel->ring);
    for (int i = 0; i < kernel->n_params; i++)
        print_param(out, kernel->params[i]);
    for (int i = 0; i < kernel->n_arrays; i++)
        print_array(out, kernel->arrays[i]);
    for (size_t i = 0; i < kernel->facts.count; i++) {
        str_add(out, "    fact ");
        constraint_print(out, kernel->facts.at[i], 0);
        str_add(out, ";\n");
    }
    for (int i = 0; i < kernel->n_divisible; i++) {
        str_add(out, "    divisible ");
        poly_print(out, kernel->divisible[i].value);
        str_addf(out, " by %lld;\n", (long long)kernel->divisible[i].divisor);
    }
    if (kernel->shared_bytes) {
        str_add(out, "    shared_bytes ");
        expr_print(out, kernel->shared_bytes);
        str_add(out, ";\n");
    }
    if (kernel->pressure)
        str_addf(out, "    pressure %d;\n", kernel->pressure);
    if (kernel->own_lanes)
        str_addf(out, "    lanes %d;\n", OWN_LANES);
    print_axes(out, "grid", kernel->grid, kernel->n_grid);
    print_axes(out, "block", kernel->block, kernel->n_block);
    str_add(out, "    body {\n");
    print_body(out, kernel->body, 2);
    str_add(out, "    }\n}\n");
}
