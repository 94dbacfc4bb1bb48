/* The rows of a region's tables as JSON, for readers that bring the library's code along but no C
   compiler: the page (page/engine/). In: a tree. Out: one object; rows of numbers stand one after
   the other in flat lists, in the order of the members of the structures of treefork-tables.h.

   Beyond what NAME.tf.c has there is what NAME_select asks, as conditions: first what it asks
   before the tree, then what each step asks. */
#include "emit/emit.h"
#include "emit/tables.h"

struct number_list {
    struct str *out;
    size_t count;
};

static struct number_list numbers_begin(struct str *out, const char *name)
{
    str_addf(out, ",\n\"%s\":[", name);
    return (struct number_list){.out = out};
}

static void numbers_add(struct number_list *numbers, int64_t number)
{
    str_addf(numbers->out, numbers->count++ ? ",%lld" : "%lld", (long long)number);
}

static void numbers_end(const struct number_list *numbers)
{
    str_char(numbers->out, ']');
}

static void add_values(const struct tables *t, struct str *out)
{
    const int64_t *constants;
    const char *const *symbols;
    const struct treefork_operation *operations;
    size_t n = code_constants(t->code, &constants);
    str_add(out, ",\n\"constants\":[");
    for (size_t i = 0; i < n; i++)
        str_addf(out, i ? ",\"%lld\"" : "\"%lld\"", (long long)constants[i]);
    str_add(out, "],\n\"machine\":[");
    n = code_machine(t->code, &symbols);
    for (size_t i = 0; i < n; i++)
        str_addf(out, i ? ",\"%s\"" : "\"%s\"", symbols[i]);
    str_char(out, ']');
    struct number_list rows = numbers_begin(out, "operations");
    n = code_operations(t->code, &operations);
    for (size_t i = 0; i < n; i++) {
        numbers_add(&rows, operations[i].code);
        numbers_add(&rows, operations[i].a);
        numbers_add(&rows, operations[i].b);
        numbers_add(&rows, operations[i].c);
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "lists");
    for (size_t i = 0; i < t->lists.count; i++) {
        const struct list_entry *entry = &t->lists.at[i];
        numbers_add(&rows, entry->is_value ? code_number(t->code, entry->number)
                                           : (unsigned)entry->number);
    }
    numbers_end(&rows);
}

static void add_conditions(const struct tables *t, struct str *out)
{
    struct number_list rows = numbers_begin(out, "conditions");
    for (size_t i = 0; i < t->conditions.count; i++) {
        numbers_add(&rows, tables_value(t, t->conditions.at[i].left));
        numbers_add(&rows, (int64_t)t->conditions.at[i].relation);
        numbers_add(&rows, tables_value(t, t->conditions.at[i].right));
    }
    numbers_end(&rows);
    str_add(out, ",\n\"texts\":[");
    for (size_t i = 0; i < t->conditions.count; i++) {
        str_add(out, i ? "," : "");
        str_quote(out, t->conditions.at[i].text);
    }
    str_char(out, ']');
    rows = numbers_begin(out, "asked");
    for (size_t i = 0; i < t->asked.count; i++)
        numbers_add(&rows, t->asked.at[i]);
    numbers_end(&rows);
}

static void add_figures(const struct tables *t, struct str *out)
{
    struct number_list rows = numbers_begin(out, "accesses");
    for (size_t i = 0; i < t->accesses.count; i++) {
        const struct access_row *a = &t->accesses.at[i];
        const struct figure_access *from = a->from;
        const int64_t row[] = {from->bytes,
                               from->is_shared,
                               from->is_affine,
                               from->overlaps,
                               from->address,
                               from->advance,
                               from->in_loop,
                               from->slopes,
                               tables_value(t, a->rounds),
                               tables_value(t, a->waits),
                               a->axes,
                               a->loops};
        for (size_t j = 0; j < sizeof row / sizeof *row; j++)
            numbers_add(&rows, row[j]);
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "figures");
    for (size_t i = 0; i < t->figures.count; i++) {
        const struct figure_row *f = &t->figures.at[i];
        for (size_t j = 0; j < sizeof f->values / sizeof *f->values; j++)
            numbers_add(&rows, tables_value(t, f->values[j]));
        numbers_add(&rows, f->accesses);
    }
    numbers_end(&rows);
}

static void add_leaves(const struct tables *t, struct str *out)
{
    struct number_list rows = numbers_begin(out, "launches");
    for (size_t i = 0; i < t->launches.count; i++) {
        const struct launch_row *l = &t->launches.at[i];
        const int64_t row[] = {(int64_t)l->module,
                               l->grid,
                               l->block,
                               tables_value(t, l->shared),
                               tables_value(t, l->registers),
                               tables_value(t, l->divisor),
                               l->points,
                               l->any_block,
                               tables_row(l->figures),
                               tables_row(l->general),
                               tables_row(l->joined)};
        for (size_t j = 0; j < sizeof row / sizeof *row; j++)
            numbers_add(&rows, row[j]);
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "leaves");
    for (size_t i = 0; i < t->leaves.count; i++) {
        const struct leaf_row *l = &t->leaves.at[i];
        numbers_add(&rows, l->variant->id);
        numbers_add(&rows, l->variant->safe);
        numbers_add(&rows, l->fits);
        numbers_add(&rows, (int64_t)l->first);
        numbers_add(&rows, (int64_t)l->count);
    }
    numbers_end(&rows);
}

/* The rows of parts of launches. */
static void add_parts(const struct tables *t, struct str *out)
{
    struct number_list rows = numbers_begin(out, "cuts");
    for (size_t i = 0; i < t->cuts.count; i++) {
        numbers_add(&rows, tables_row(t->cuts.at[i].axis));
        numbers_add(&rows, (int64_t)t->cuts.at[i].first);
        numbers_add(&rows, (int64_t)t->cuts.at[i].count);
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "parts");
    for (size_t i = 0; i < t->parts.count; i++) {
        const struct part_values *p = &t->parts.at[i];
        const int values[] = {p->condition, p->step, p->from, p->to, p->least,
                              p->most, p->unit, p->base, p->pieces, p->pitch};
        numbers_add(&rows, p->array);
        numbers_add(&rows, p->is_write ? TREEFORK_ACCUMULATE(p->reduction) : TREEFORK_READ);
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            numbers_add(&rows, tables_value(t, values[j]));
        numbers_add(&rows, p->exact);
    }
    numbers_end(&rows);
}

static void add_steps(const struct tables *t, struct str *out)
{
    struct number_list rows = numbers_begin(out, "steps");
    for (size_t i = 0; i < t->steps.count; i++) {
        const struct step_row *row = &t->steps.at[i];
        numbers_add(&rows, row->counter);
        numbers_add(&rows, row->accept);
        numbers_add(&rows, row->refuse);
        numbers_add(&rows, tables_place(t, row->on_accept));
        numbers_add(&rows, tables_place(t, row->on_refuse));
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "ends");
    for (size_t i = 0; i < t->ends.count; i++) {
        numbers_add(&rows, t->ends.at[i].leaf);
        numbers_add(&rows, t->ends.at[i].codes);
    }
    numbers_end(&rows);
    str_add(out, ",\n\"words\":[");
    for (size_t i = 0; i < t->words.count; i++) {
        str_add(out, i ? "," : "");
        str_quote(out, t->words.at[i]);
    }
    str_char(out, ']');
}

/* What the region may choose for itself. */
static void add_choice(const struct tables *t, struct str *out)
{
    const struct region *region = t->tree->region;
    struct number_list rows = numbers_begin(out, "varies");
    for (int i = 0; i < region->kernel->n_params; i++)
        numbers_add(&rows, region->varies[i]);
    numbers_end(&rows);
    rows = numbers_begin(out, "tunables");
    for (size_t i = 0; i < t->choice.n_tunables; i++) {
        const struct choice_tunable *row = &t->choice.tunables[i];
        numbers_add(&rows, row->parameter);
        numbers_add(&rows, row->choices);
        numbers_add(&rows, row->is_always);
        numbers_add(&rows, t->dividends.at[i]);
    }
    numbers_end(&rows);
    rows = numbers_begin(out, "sizes");
    for (size_t i = 0; i < t->choice.n_sizes; i++) {
        const struct choice_size *row = &t->choice.sizes[i];
        numbers_add(&rows, tables_value(t, row->value));
        numbers_add(&rows, row->integer);
        numbers_add(&rows, row->falls);
        numbers_add(&rows, row->varies);
    }
    numbers_end(&rows);
    str_addf(out, ",\n\"exact\":%u,\"exact_varies\":%d,\"divisions\":", t->exact,
             t->choice.exact_varies);
    str_quote(out, t->choice.divisions);
}

/* Names and numbers of parameters and arrays. */
static void add_arguments(const struct tables *t, struct str *out)
{
    const struct kernel *k = t->tree->region->kernel;
    struct str names = str_new(t->arena);
    struct number_list rows = numbers_begin(out, "parameters");
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        str_addf(&names, i ? ",\"%s\"" : "\"%s\"", name);
        numbers_add(&rows, tables_row(code_integer_parameter(k, name)));
    }
    numbers_end(&rows);
    str_addf(out, ",\n\"names\":[%s]", names.length ? names.text : "");
    rows = numbers_begin(out, "bytes");
    for (size_t i = 0; i < t->bytes.count; i++)
        numbers_add(&rows, tables_value(t, t->bytes.at[i]));
    numbers_end(&rows);
    rows = numbers_begin(out, "moves");
    for (size_t i = 0; i < t->moves.count; i++)
        numbers_add(&rows, t->moves.at[i]);
    numbers_end(&rows);
}

static void add_region(const struct tables *t, struct str *out)
{
    const struct tree *tree = t->tree;
    str_add(out, "{\"name\":");
    str_quote(out, tree->region->name);
    str_add(out, ",\"function\":");
    str_quote(out, t->host->program->functions[tree->region->function].name);
    str_addf(out, ",\"layout\":%d,\"shape\":%zu,\"checks\":%zu", TREEFORK_TABLES, t->n_shape,
             select_checks(tree));
    add_arguments(t, out);
    add_values(t, out);
    add_conditions(t, out);
    add_figures(t, out);
    add_leaves(t, out);
    add_parts(t, out);
    add_steps(t, out);
    add_choice(t, out);
    str_char(out, '}');
}

bool emit_tables_json(struct ctx *ctx, struct str *out, const struct program *program,
                      const struct tree *const *trees)
{
    struct host host = {.ctx = ctx,
                        .arena = ctx->arena,
                        .program = program,
                        .trees = trees,
                        .arrays = map_new(ctx->arena)};
    str_char(out, '[');
    for (size_t r = 0; r < program->n_regions; r++) {
        struct tables t;
        if (!tables_collect(&t, &host, trees[r], true))
            return false;
        str_add(out, r ? ",\n" : "");
        add_region(&t, out);
    }
    str_char(out, ']');
    return true;
}
