/* Rows of parts, and axes along which launches are cut, as reports have them (`-d rows`, `explain
   --devices`, tree.json). Casts of expressions say nothing there and are left out. */
#include "ir/access/rows.h"
#include "ir/reduce.h"

static const struct expr *cast_drop(void *state, const struct expr *e)
{
    if (e->kind == EXPR_CAST)
        return e->arguments[0];
    return e->kind == EXPR_INTEGER ? expr_integer(state, TYPE_I32, e->integer) : e;
}

static void print_plain(struct str *out, const struct expr *e)
{
    expr_print(out, expr_rewrite(out->arena, e, cast_drop, out->arena));
}

/* step*name + offset */
static void print_end(struct str *out, const struct part_row *row, const char *name,
                      const struct expr *offset)
{
    int64_t value;
    const struct expr *plain = row->step;
    while (plain->kind == EXPR_CAST)
        plain = plain->arguments[0];
    bool is_sum = plain->kind == EXPR_SELECT ||
                  (plain->kind == EXPR_BINARY && (plain->op == OP_ADD || plain->op == OP_SUB));
    bool is_one = expr_get_integer(row->step, &value) && value == 1;
    if (!is_one) {
        str_add(out, is_sum ? "(" : "");
        print_plain(out, row->step);
        str_add(out, is_sum ? ") * " : " * ");
    }
    str_add(out, name);
    if (expr_get_integer(offset, &value) && value <= 0) {
        if (value)
            str_addf(out, " - %lld", (long long)-value);
        return;
    }
    str_add(out, " + ");
    print_plain(out, offset);
}

static void print_exact(struct str *out, const struct part_row *row)
{
    if (!row->is_exact) {
        str_add(out, ", read before");
        return;
    }
    str_add(out, ", exact");
    for (size_t i = 0; i < row->n_exact; i++) {
        str_add(out, i ? " and " : " where ");
        print_plain(out, row->exact[i]);
    }
}

static void print_bounds(struct str *out, const struct part_row *row)
{
    int64_t value;
    str_addf(out, " dimension %d", row->dimension);
    for (int d = 0; d < row->dimension; d++) {
        if (!row->outer[d])
            continue;
        str_addf(out, " at %d: ", d);
        print_plain(out, row->outer[d]);
    }
    str_add(out, " from ");
    print_end(out, row, "f", row->from);
    str_add(out, " below ");
    print_end(out, row, "t", row->to);
    if (row->least && !(expr_get_integer(row->least, &value) && value == 0)) {
        str_add(out, ", at least ");
        print_plain(out, row->least);
    }
    if (row->most) {
        str_add(out, ", at most ");
        print_plain(out, row->most);
    }
}

static void print_row(struct str *out, const struct part_row *row)
{
    const char *word = row->is_write ? "write" : "read";
    str_addf(out, "  %s %s:", row->reduction ? "accumulate" : word, row->array->name);
    if (row->dimension < 0)
        str_add(out, " all");
    else
        print_bounds(out, row);
    if (row->reduction)
        str_addf(out, ", by %s", reduction_text(row->reduction));
    else if (row->is_write)
        print_exact(out, row);
    if (row->condition) {
        str_add(out, "; if ");
        expr_print(out, row->condition);
    }
    str_add(out, "\n");
}

/* The rows along an axis, or why launches are not cut there. */
static void print_axis_rows(struct str *out, const struct kernel *kernel,
                            const struct part_rows *rows)
{
    str_addf(out, "%s, axis %d", kernel->name, rows->axis);
    if (rows->axis < kernel->n_grid)
        str_addf(out, " (%s)", kernel->grid[rows->axis].var->name);
    str_addf(out, ": %s\n", rows->refusal ? rows->refusal : "blocks f up to t");
    for (size_t i = 0; i < rows->count; i++)
        print_row(out, &rows->at[i]);
}

void access_rows_print(struct ctx *ctx, struct str *out, const struct kernel *kernel)
{
    for (int i = 0; i < 2; i++) {
        int axis = i ? kernel->n_grid - 1 : 0;
        if (i == 1 && kernel->n_grid < 2)
            break;
        struct part_rows rows = access_rows(ctx, kernel, kernel, axis);
        print_axis_rows(out, kernel, &rows);
    }
}

void access_cut_print(struct str *out, const struct kernel *kernel, const struct part_cut *cut)
{
    for (int i = 0; i < cut->n_axes; i++)
        if (i == cut->taken || !cut->is_cut)
            print_axis_rows(out, kernel, &cut->axes[i]);
}

const char *access_part_text(struct arena *arena, const struct expr *e)
{
    struct str text = str_new(arena);
    print_plain(&text, e);
    return text.text;
}
