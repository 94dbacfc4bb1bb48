/* The rows of a region's tables as C text (layout: runtime/treefork-tables.h). In: the rows that
   tables.c collected, and the code of their values. Out: one constant array for each kind of row,
   and the region that names them.

   Invariant: arrays of one program with equal text are written once, under the name of the first
   region that has them. */
#include "emit/checked.h"
#include "emit/tables.h"
#include "ir/access/access.h"
#include "ir/walk.h"
#include <string.h>

/* An array, on one line or over as many lines as it needs. */
struct rows {
    struct tables *tables;
    const char *type, *name;
    struct str text;
    size_t column, count;
    bool is_long;
};

enum { ROWS_WIDTH = 120 };

static struct rows rows_begin(struct tables *t, const char *type, const char *name)
{
    const char *head =
        arena_printf(t->arena, "static const %s tf_%s_%s[] = {", type, name, t->tree->region->name);
    return (struct rows){
        .tables = t, .type = type, .name = name, .text = str_new(t->arena), .column = strlen(head)};
}

static void rows_add(struct rows *rows, const char *text)
{
    size_t length = strlen(text);
    if (rows->count++)
        str_add(&rows->text, ",");
    rows->column += length + 2;
    if (rows->column > ROWS_WIDTH) {
        str_add(&rows->text, "\n    ");
        rows->column = length + 6;
        rows->is_long = true;
    } else if (rows->count > 1)
        str_char(&rows->text, ' ');
    str_add(&rows->text, text);
}

/* C has no empty arrays. An array that an earlier region has too is not written again. */
static void rows_end(struct rows *rows, const char *empty)
{
    struct tables *t = rows->tables;
    const char *region = t->tree->region->name, *text = rows->count ? rows->text.text : empty;
    const char *key = arena_printf(t->arena, "%s {%s}", rows->type, text),
               *known = map_get(t->host->arrays, key);
    char *name = arena_printf(t->arena, "tf_%s_%s", rows->name, region);
    if (!known) {
        map_put(t->host->arrays, key, name);
        str_addf(t->host->out, "static const %s %s[] = {%s%s};\n", rows->type, name,
                 rows->is_long && *text != '\n' ? "\n    " : "", text);
    }
    map_put(t->names_of, rows->name, known ? (void *)known : name);
}

static void print_values(struct tables *t)
{
    const int64_t *constants;
    const char *const *symbols;
    const struct treefork_operation *operations;
    size_t n = code_constants(t->code, &constants);
    struct rows rows = rows_begin(t, "treefork_int", "constants");
    for (size_t i = 0; i < n; i++)
        rows_add(&rows, constants[i] == INT64_MIN
                            ? "-9223372036854775807 - 1"
                            : arena_printf(t->arena, "%lld", (long long)constants[i]));
    rows_end(&rows, "0");
    n = code_machine(t->code, &symbols);
    rows = rows_begin(t, "uint16_t", "machine");
    for (size_t i = 0; i < n; i++)
        rows_add(&rows, arena_printf(t->arena, "TREEFORK_%s", symbols[i]));
    rows_end(&rows, "0");
    n = code_operations(t->code, &operations);
    rows = rows_begin(t, "struct treefork_operation", "operations");
    for (size_t i = 0; i < n; i++) {
        const struct treefork_operation *o = &operations[i];
        rows_add(&rows, arena_printf(t->arena, "{%u,%u,%u,%u}", o->code, o->a, o->b, o->c));
    }
    rows_end(&rows, "{0}");
}

static void print_lists(struct tables *t)
{
    struct rows rows = rows_begin(t, "uint16_t", "lists");
    for (size_t i = 0; i < t->lists.count; i++) {
        const struct list_entry *entry = &t->lists.at[i];
        unsigned number =
            entry->is_value ? code_number(t->code, entry->number) : (unsigned)entry->number;
        rows_add(&rows, arena_printf(t->arena, "%u", number));
    }
    rows_end(&rows, "0");
}

static void print_conditions(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_condition", "conditions");
    for (size_t i = 0; i < t->conditions.count; i++) {
        const struct condition_row *c = &t->conditions.at[i];
        struct str text = str_new(t->arena);
        str_char(&text, '{');
        str_quote(&text, c->text);
        str_addf(&text, ", %u, %s, %u}", tables_value(t, c->left), relation_symbol(c->relation),
                 tables_value(t, c->right));
        rows_add(&rows, text.text);
    }
    rows_end(&rows, "{0}");
}

static void print_figures(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_access_row", "accesses");
    for (size_t i = 0; i < t->accesses.count; i++) {
        const struct access_row *a = &t->accesses.at[i];
        const struct figure_access *from = a->from;
        rows_add(&rows, arena_printf(t->arena, "{%d,%d,%d,%d,%d,%d,%d,%d,%u,%u,%u,%u}", from->bytes,
                                     from->is_shared, from->is_affine, from->overlaps,
                                     from->address, from->advance, from->in_loop, from->slopes,
                                     tables_value(t, a->rounds), tables_value(t, a->waits), a->axes,
                                     a->loops));
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_figure_row", "figures");
    for (size_t i = 0; i < t->figures.count; i++) {
        const struct figure_row *f = &t->figures.at[i];
        struct str text = str_new(t->arena);
        str_char(&text, '{');
        for (size_t j = 0; j < sizeof f->values / sizeof *f->values; j++)
            str_addf(&text, "%u,", tables_value(t, f->values[j]));
        str_addf(&text, "%u}", f->accesses);
        rows_add(&rows, text.text);
    }
    rows_end(&rows, "{0}");
}

static void print_leaves(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_launch_row", "launches");
    for (size_t i = 0; i < t->launches.count; i++) {
        const struct launch_row *l = &t->launches.at[i];
        struct str text = str_new(t->arena);
        str_addf(&text, "{%zu,%u,%u,%u,%u,%u,", l->module, l->grid, l->block,
                 tables_value(t, l->shared), tables_value(t, l->registers),
                 tables_value(t, l->divisor));
        str_addf(&text, "%u,%d,%u,%u,%u}", l->points, l->any_block, tables_row(l->figures),
                 tables_row(l->general), tables_row(l->joined));
        rows_add(&rows, text.text);
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_leaf_row", "leaves");
    for (size_t i = 0; i < t->leaves.count; i++) {
        const struct leaf_row *l = &t->leaves.at[i];
        rows_add(&rows, arena_printf(t->arena, "{%d,%d,%u,%zu,%zu}", l->variant->id,
                                     l->variant->safe, l->fits, l->first, l->count));
    }
    rows_end(&rows, "{0}");
}

static const char *access_symbol(const struct kernel *kernel, const struct array *array,
                                 bool is_overwritten)
{
    bool is_read, is_written;
    if (array->is_partial)
        return "TREEFORK_PARTIAL";
    access_flags(kernel, array, &is_read, &is_written);
    if (!is_written)
        return "TREEFORK_READ";
    return is_overwritten ? "TREEFORK_WRITE | TREEFORK_OVERWRITE"
                          : "TREEFORK_READ | TREEFORK_WRITE";
}

static bool rows_use(const struct tables *t, unsigned number)
{
    for (size_t i = 0; i < t->lists.count; i++)
        if (t->lists.at[i].is_value && code_number(t->code, t->lists.at[i].number) == number)
            return true;
    for (size_t i = 0; i < t->conditions.count; i++)
        if (tables_value(t, t->conditions.at[i].left) == number ||
            tables_value(t, t->conditions.at[i].right) == number)
            return true;
    for (size_t i = 0; i < t->launches.count; i++)
        if (tables_value(t, t->launches.at[i].shared) == number ||
            tables_value(t, t->launches.at[i].registers) == number)
            return true;
    for (size_t i = 0; i < t->bytes.count; i++)
        if (tables_value(t, t->bytes.at[i]) == number)
            return true;
    return false;
}

/* Does NAME_select or anything computed before a launch depend on the parameter, integer number
   `integer`? Values of parameters are numbered behind the constants. */
static bool decides(const struct tables *t, const struct param *param, int integer)
{
    const int64_t *constants;
    const struct treefork_operation *operations;
    unsigned number = (unsigned)code_constants(t->code, &constants) + (unsigned)integer;
    code_operations(t->code, &operations);
    if (host_selects(t->tree, param) || host_binds(t->tree, param->var->name))
        return true;
    for (size_t i = 0; i < t->n_shape; i++)
        if (operations[i].a == number || operations[i].b == number || operations[i].c == number)
            return true;
    for (size_t i = 0; i < t->choice.n_sizes; i++)
        if (t->choice.sizes[i].integer == integer)
            return true;
    return rows_use(t, number);
}

static void print_arguments(struct tables *t)
{
    const struct kernel *k = t->tree->region->kernel;
    size_t array = 0;
    struct rows rows = rows_begin(t, "struct treefork_parameter_row", "parameters");
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        int number = code_integer_parameter(k, name);
        bool is_deciding = number >= 0 && decides(t, k->params[i], number);
        rows_add(&rows, arena_printf(t->arena, "{\"%s\", %u, %d, %d, %d}", name,
                                     number < 0 ? TREEFORK_NONE : (unsigned)number,
                                     host_binds(t->tree, name), t->tree->region->varies[i],
                                     is_deciding));
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_array_row", "arrays");
    for (int i = 0; i < k->n_arrays; i++) {
        if (k->arrays[i]->space != SPACE_GLOBAL)
            continue;
        rows_add(&rows, arena_printf(t->arena, "{\"%s\", %u, %s%s%s%s, %u, %d}", k->arrays[i]->name,
                                     tables_value(t, t->bytes.at[array]),
                                     access_symbol(k, k->arrays[i], t->overwritten[i].is_shown),
                                     t->tree->region->is_scratch[i] ? " | TREEFORK_SCRATCH" : "",
                                     t->tree->region->may_be_null[i] ? " | TREEFORK_OPTIONAL" : "",
                                     k->arrays[i]->is_scalar ? " | TREEFORK_HOME" : "",
                                     t->overwrites.at[array], t->moves.at[array]));
        array++;
    }
    rows_end(&rows, "{0}");
}

static void print_choice(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_tunable_row", "tunables");
    for (size_t i = 0; i < t->choice.n_tunables; i++) {
        const struct choice_tunable *row = &t->choice.tunables[i];
        rows_add(&rows, arena_printf(t->arena, "{%d, %d, %d, %u}", row->parameter, row->choices,
                                     row->is_always, t->dividends.at[i]));
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_size_row", "sizes");
    for (size_t i = 0; i < t->choice.n_sizes; i++) {
        const struct choice_size *row = &t->choice.sizes[i];
        rows_add(&rows, arena_printf(t->arena, "{%u, %d, %d, %d}", tables_value(t, row->value),
                                     row->integer, row->falls, row->varies));
    }
    rows_end(&rows, "{0}");
}

static const char *row_access_text(bool is_write, enum treefork_reduction reduction)
{
#define TEXT(name) [TREEFORK_REDUCE_##name] = "TREEFORK_ACCUMULATE(TREEFORK_REDUCE_" #name ")"
    static const char *const texts[] = {TEXT(ADD), TEXT(AND), TEXT(OR), TEXT(XOR), TEXT(MIN),
                                        TEXT(MAX), TEXT(UNSIGNED_MIN), TEXT(UNSIGNED_MAX)};
#undef TEXT
    if (reduction)
        return texts[reduction];
    return is_write ? "TREEFORK_WRITE" : "TREEFORK_READ";
}

/* Without a launch that is cut there are no rows. */
static void print_part_rows(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_cut_row", "cuts");
    if (t->parts.count == 0) {
        map_put(t->names_of, "cuts", "0");
        map_put(t->names_of, "parts", "0");
        return;
    }
    for (size_t i = 0; i < t->cuts.count; i++) {
        const struct cut_values *cut = &t->cuts.at[i];
        rows_add(&rows, arena_printf(t->arena, "{%u,%zu,%zu}", tables_row(cut->axis), cut->first,
                                     cut->count));
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_part_row", "parts");
    for (size_t i = 0; i < t->parts.count; i++) {
        const struct part_values *p = &t->parts.at[i];
        const int values[] = {p->condition, p->step, p->from, p->to, p->least,
                              p->most, p->unit, p->base, p->pieces, p->pitch};
        struct str text = str_new(t->arena);
        str_addf(&text, "{%d,%s", p->array, row_access_text(p->is_write, p->reduction));
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            str_addf(&text, ",%u", tables_value(t, values[j]));
        str_addf(&text, ",%u}", p->exact);
        rows_add(&rows, text.text);
    }
    rows_end(&rows, "{0}");
}

static void print_steps(struct tables *t)
{
    struct rows rows = rows_begin(t, "struct treefork_step_row", "steps");
    for (size_t i = 0; i < t->steps.count; i++) {
        const struct step_row *row = &t->steps.at[i];
        rows_add(&rows, arena_printf(t->arena, "{%u,%u,%u,%u,%u}", row->counter, row->accept,
                                     row->refuse, tables_place(t, row->on_accept),
                                     tables_place(t, row->on_refuse)));
    }
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "struct treefork_end_row", "ends");
    for (size_t i = 0; i < t->ends.count; i++)
        rows_add(&rows, arena_printf(t->arena, "{%d,%u}", t->ends.at[i].leaf, t->ends.at[i].codes));
    rows_end(&rows, "{0}");
    rows = rows_begin(t, "char *const", "words");
    for (size_t i = 0; i < t->words.count; i++) {
        struct str text = str_new(t->arena);
        str_quote(&text, t->words.at[i]);
        rows_add(&rows, text.text);
    }
    rows_end(&rows, "\"\"");
}

/* The initialiser of the region's site. */
static const char *site_text(struct tables *t)
{
    bool calls = stmt_calls_library(t->arena, t->tree->region->kernel->body);
    if (!serial_is_made(t->host, t->tree))
        return calls ? " = {.calls_library = 1}" : "";
    return arena_printf(t->arena, " = {.serial = %s%s}", serial_name(t->host, t->tree),
                        calls ? ", .calls_library = 1" : "");
}

static void print_region(struct tables *t)
{
    struct str *out = t->host->out;
    const struct kernel *k = t->tree->region->kernel;
    const int64_t *constants;
    const char *const *symbols, *name = t->tree->region->name;
    const struct treefork_operation *operations;
    size_t integers = 0;
    for (int i = 0; i < k->n_params; i++)
        integers += code_integer_parameter(k, k->params[i]->var->name) >= 0;
    str_addf(out, "static struct treefork_site tf_site_%s%s;\n", name, site_text(t));
    str_addf(
        out,
        "static const struct treefork_region tf_region_%s = {\n    TREEFORK_TABLES, \"%s\", "
        "\"%s\", \"%s\", tf_select_%s, TREEFORK_CHECKED_REGION,\n",
        name, name, t->host->program->functions[t->tree->region->function].name,
        t->choice.divisions, name);
    str_addf(out,
             "    %d, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %u, %d, %zu, %zu, "
             "%zu,\n",
             k->n_params, integers,
             t->bytes.count, code_constants(t->code, &constants), code_machine(t->code, &symbols),
             code_operations(t->code, &operations), t->leaves.count, t->n_shape, t->n_figures,
             t->accesses.count, t->choice.n_tunables, t->choice.n_sizes, t->exact,
             t->choice.exact_varies, select_checks(t->tree), t->steps.count, t->ends.count);
    static const char *const members[] = {"parameters", "arrays",   "constants",  "machine",
                                          "operations", "lists",    "conditions", "accesses",
                                          "figures",    "launches", "leaves",     "modules",
                                          "tunables",   "sizes",    "steps",      "ends",
                                          "words",      "cuts",     "parts"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *written = map_get(t->names_of, members[i]);
        str_add(out, i % 4 ? " " : "    ");
        if (written)
            str_add(out, written);
        else
            str_addf(out, "tf_%s_%s", members[i], name);
        str_add(out, i % 4 == 3 ? ",\n" : ",");
    }
    str_addf(out, " &tf_site_%s};\n\n", name);
}

void tables_print(struct tables *t)
{
    str_addf(t->host->out, "/* Region %s: %zu leaves. */\n", t->tree->region->name,
             t->tree->n_variants);
    print_arguments(t);
    print_values(t);
    print_lists(t);
    print_conditions(t);
    print_figures(t);
    print_leaves(t);
    print_choice(t);
    print_part_rows(t);
    print_steps(t);
    print_region(t);
}
