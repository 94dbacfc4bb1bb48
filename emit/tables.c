/* The tables of a region: what each leaf needs, its launches, the arrays' sizes, the model's
   figures (layout and meaning: runtime/treefork-tables.h). In: a tree. Out: C text of constant
   arrays.

   Rows are collected first and printed (tables_print.c) when all values are known. Equal lists,
   conditions and accesses are one row: leaves of one region differ in a few of them. The order in
   which values are asked for is the order in which they are computed: what a choice asks of every
   candidate stands before what only the model needs. */
#include "emit/checked.h"
#include "emit/names.h"
#include "emit/rows.h"
#include "emit/tables.h"
#include "ir/access/access.h"
#include "ir/walk.h"

/* The row of that text; `next` becomes it if it is new. */
static bool is_new(struct tables *t, const char *key, size_t next, size_t *row)
{
    const size_t *known = map_get(t->known, key);
    if (known) {
        *row = *known;
        return false;
    }
    size_t *number = ARENA_NEW(t->arena, size_t);
    *number = *row = next;
    map_put(t->known, key, number);
    return true;
}

static unsigned add_entries(struct tables *t, const struct list_entry *entries, size_t n)
{
    struct str key = str_new(t->arena);
    size_t row;
    str_add(&key, "list");
    for (size_t i = 0; i < n; i++)
        str_addf(&key, entries[i].is_value ? " =%d" : " %d", entries[i].number);
    if (n == 0)
        return 0;
    if (is_new(t, key.text, t->lists.count, &row)) {
        vec_push(t->arena, &t->lists, ((struct list_entry){(int)n, false}));
        for (size_t i = 0; i < n; i++)
            vec_push(t->arena, &t->lists, entries[i]);
    }
    return (unsigned)row;
}

static unsigned add_list(struct tables *t, const int *numbers, size_t n, bool are_values)
{
    struct list_entry *entries = ARENA_ARRAY(t->arena, struct list_entry, n + 1);
    for (size_t i = 0; i < n; i++)
        entries[i] = (struct list_entry){numbers[i], are_values};
    return add_entries(t, entries, n);
}

unsigned tables_list(struct tables *t, const int *values, size_t n)
{
    return add_list(t, values, n, true);
}

static int expr_value(struct tables *t, const struct expr *e, const char *what)
{
    int value = code_expr(t->code, e);
    if (value >= 0)
        return value;
    diag_error(t->host->ctx, t->tree->region->loc, "the host cannot compute %s of region %s: %s",
               what, t->tree->region->name, expr_text(t->arena, e));
    t->host->failed = true;
    return code_integer(t->code, 0);
}

static int push_condition(struct tables *t, const struct sides *sides, const char *text)
{
    struct condition_row condition = {.text = text, .relation = sides->relation};
    condition.left = code_side(t->code, &t->names, sides->left, t->tree->machine);
    condition.right = code_side(t->code, &t->names, sides->right, t->tree->machine);
    vec_push(t->arena, &t->conditions, condition);
    return (int)t->conditions.count - 1;
}

static int add_condition(struct tables *t, struct constraint c)
{
    struct sides sides = constraint_sides(t->arena, c, t->tree->machine);
    const char *text = constraint_explained(t->arena, t->tree, c);
    size_t row;
    if (is_new(t, arena_printf(t->arena, "condition %s", text), t->conditions.count, &row))
        push_condition(t, &sides, text);
    return (int)row;
}

static unsigned add_fits(struct tables *t, struct sas fits)
{
    int *rows = ARENA_ARRAY(t->arena, int, fits.count + 1);
    for (size_t i = 0; i < fits.count; i++)
        rows[i] = add_condition(t, fits.at[i]);
    return add_list(t, rows, fits.count, false);
}

static unsigned add_extents(struct tables *t, const struct axis *axes, int n)
{
    int *values = ARENA_ARRAY(t->arena, int, n + 1);
    for (int i = 0; i < n; i++)
        values[i] = expr_value(t, axes[i].extent, "an extent");
    return tables_list(t, values, (size_t)n);
}

/* Can the host compute the extents of the band? */
static bool band_is_sized(const struct stmt *band)
{
    for (int i = 0; i < band->n_axes; i++) {
        const struct expr *extent = band->axes[i].extent;
        if (!expr_reads_only_params(extent) || expr_contains(extent, EXPR_CALL))
            return false;
    }
    return true;
}

/* The points of a strided band are counted in int on the device. */
static unsigned add_points(struct tables *t, const struct kernel *k)
{
    VEC(int) lists = {0};
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, t->arena, k->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND && s->strided && band_is_sized(s))
            vec_push(t->arena, &lists, (int)add_extents(t, s->axes, s->n_axes));
    return add_list(t, lists.at, lists.count, false);
}

static void set_registers(struct tables *t, struct launch_row *row, const struct poly *registers)
{
    int64_t scale = registers ? poly_denominator(registers) : 0;
    row->registers = row->divisor = -1;
    if (scale == 0)
        return;
    struct code_ring names = code_ring(poly_ring(registers), 0, NULL, false);
    row->registers = code_poly(t->code, &names, poly_scale(registers, scale, 1));
    row->divisor = code_integer(t->code, scale);
}

/* Every launch of the region has a module of its own, in the same order. */
static void add_launch(struct tables *t, const struct launch *launch)
{
    const struct kernel *k = launch->kernel;
    struct launch_row row = {.module = t->launches.count,
                             .any_block = kernel_all_strided(k),
                             .figures = -1,
                             .general = -1,
                             .shared = -1,
                             .joined = -1};
    row.grid = add_extents(t, k->grid, k->n_grid);
    row.block = add_extents(t, k->block, k->n_block);
    set_registers(t, &row, launch->registers);
    if (k->shared_bytes)
        row.shared = expr_value(t, k->shared_bytes, "the shared memory");
    row.points = add_points(t, k);
    vec_push(t->arena, &t->launches, row);
}

/* Modules of joined launches come behind those of all launches. */
static void joined_number(struct tables *t)
{
    int module = (int)t->launches.count;
    for (size_t i = 0; i < t->leaves.count; i++) {
        const struct leaf_row *leaf = &t->leaves.at[i];
        for (size_t k = 0; k < leaf->count; k++)
            if (leaf->variant->launches[k].joined)
                t->launches.at[leaf->first + k].joined = module++;
    }
}

/* The integer parameters but tunables, by which an extent can be declared: "w, h"; NULL if there
   are none. */
static const char *integer_names(struct tables *t)
{
    const struct kernel *k = t->tree->region->kernel;
    struct str names = str_new(t->arena);
    for (int i = 0; i < k->n_params; i++)
        if (!type_is_floating(k->params[i]->var->type) && k->params[i]->role != ROLE_TUNABLE)
            str_addf(&names, "%s%s", names.length ? ", " : "", k->params[i]->var->name);
    return names.length ? names.text : NULL;
}

/* Names the subscript that has no bound and the declaration to write. */
static void report_extent(struct tables *t, const struct array *array)
{
    struct ctx *ctx = t->host->ctx;
    struct extent_fault fault = access_extent_fault(ctx, t->tree->region->kernel, array);
    const char *names = integer_names(t), *advice = "with a constant extent";
    if (fault.guess)
        advice = arena_printf(t->arena, "with its extent, as in `%s %s[%s]` if that is how many it "
                              "has", type_name(array->element), array->name, fault.guess);
    else if (names)
        advice = arena_printf(t->arena, "with its extent in terms of the integers at hand (%s)",
                              names);
    diag_error(ctx, array->loc.source ? array->loc : t->tree->region->loc,
               "the number of elements of %s that region %s touches is not known; declare it %s",
               array->name, t->tree->region->name, advice);
    if (fault.subscript && fault.loc.source)
        diag_note(ctx, fault.loc, "nothing bounds the subscript %s here", fault.subscript);
}

static void add_bytes(struct tables *t, const struct array *array)
{
    const struct kernel *k = t->tree->region->kernel;
    const struct expr *extent = access_extent(t->host->ctx, k, array);
    int count = extent ? code_expr(t->code, extent) : -1;
    if (count < 0) {
        report_extent(t, array);
        t->host->failed = true;
        count = code_integer(t->code, 0);
    }
    int size = code_integer(t->code, type_bytes(array->element));
    vec_push(t->arena, &t->bytes, code_operation(t->code, TREEFORK_OP_MUL, count, size, count));
}

/* Does a region of the function write the array, so that devices that share launches may have to
   hand parts of it on to each other? */
static void add_moving(struct tables *t, const struct array *array)
{
    const struct program *program = t->host->program;
    bool moves = array->is_partial;
    for (size_t i = 0; i < program->n_regions && !moves; i++) {
        const struct region *region = program->regions[i];
        const struct array *same = region->function == t->tree->region->function
                                       ? kernel_array(region->kernel, array->name) : NULL;
        bool is_read = false, is_written = false;
        if (same)
            access_flags(region->kernel, same, &is_read, &is_written);
        moves = is_written;
    }
    vec_push(t->arena, &t->moves, moves);
}

/* The conditions under which the array is overwritten. One that the host cannot compute never
   holds. */
static void add_overwriting(struct tables *t, struct overwriting *overwriting)
{
    int *values = ARENA_ARRAY(t->arena, int, overwriting->n_conditions + 1);
    for (size_t i = 0; i < overwriting->n_conditions; i++) {
        values[i] = code_expr(t->code, overwriting->conditions[i]);
        overwriting->is_shown &= values[i] >= 0;
    }
    size_t n = overwriting->is_shown ? overwriting->n_conditions : 0;
    vec_push(t->arena, &t->overwrites, tables_list(t, values, n));
}

/* What the region chooses stands first, so that a remembered choice costs few operations. */
static void add_choice(struct tables *t)
{
    t->choice = choice_collect(t->host, t->tree, t->code);
    t->exact = tables_list(t, t->choice.exact, t->choice.n_exact);
    for (size_t i = 0; i < t->choice.n_tunables; i++) {
        const struct choice_tunable *row = &t->choice.tunables[i];
        vec_push(t->arena, &t->dividends, tables_list(t, row->dividends, row->n_dividends));
    }
}

/* Extents (rounds) and steps of axes or loops; the step of an access that is not affine is 0. */
static unsigned add_pairs(struct tables *t, struct code_ring *names, const struct figure_axis *axes,
                          int n)
{
    int *values = ARENA_ARRAY(t->arena, int, 2 * n + 1);
    for (int i = 0; i < n; i++) {
        values[2 * i] = code_poly(t->code, names, axes[i].extent);
        values[2 * i + 1] =
            axes[i].step ? code_poly(t->code, names, axes[i].step) : code_integer(t->code, 0);
    }
    return tables_list(t, values, (size_t)n * 2);
}

static int rounds_value(struct tables *t, struct code_ring *names,
                        const struct figure_access *access)
{
    int rounds = code_poly(t->code, names, access->rounds),
        condition = access->branch ? code_expr(t->code, access->branch) : -1;
    int none = code_integer(t->code, 0);
    if (condition < 0)
        return rounds;
    if (access->branch_negated)
        return code_operation(t->code, TREEFORK_OP_SELECT, condition, none, rounds);
    return code_operation(t->code, TREEFORK_OP_SELECT, condition, rounds, none);
}

static int add_access(struct tables *t, struct code_ring *names, const struct figure_access *from)
{
    struct access_row access = {.from = from, .rounds = rounds_value(t, names, from)};
    access.waits = from->waits ? code_poly(t->code, names, from->waits) : code_integer(t->code, 0);
    size_t row;
    access.axes = add_pairs(t, names, from->axes, from->n_axes);
    access.loops = add_pairs(t, names, from->loops, from->n_loops);
    const char *key =
        arena_printf(t->arena, "access %d %d %d %d %d %d %d %d %d %d %u %u", from->bytes,
                     from->is_shared, from->is_affine, from->overlaps, from->address,
                     from->advance, from->in_loop, from->slopes, access.rounds, access.waits,
                     access.axes, access.loops);
    if (is_new(t, key, t->accesses.count, &row))
        vec_push(t->arena, &t->accesses, access);
    return (int)row;
}

static int distance_value(struct tables *t, struct code_ring *names,
                          const struct figure_access *access)
{
    return access->distance ? code_poly(t->code, names, access->distance)
                            : code_integer(t->code, 0);
}

/* The number of their row; -1 if they are not known. */
static int add_figures(struct tables *t, const struct figures *figures,
                       const struct kernel *kernel)
{
    if (!figures || figures->reason)
        return -1;
    struct code_ring names =
        code_ring(figures->ring, figures->n_auxiliaries, figures->auxiliaries, false);
    const struct poly *const polys[] = {figures->floats, figures->doubles, figures->instructions,
                                        figures->barriers, figures->alone};
    struct figure_row own = {.accesses = 0};
    struct list_entry *entries = ARENA_ARRAY(t->arena, struct list_entry,
                                             4 * figures->n_accesses + 1);
    int n = sizeof polys / sizeof *polys;
    for (int i = 0; i < n; i++)
        own.values[i] = code_poly(t->code, &names, polys[i]);
    own.values[n] = code_integer(t->code, rows_loops(t->arena, kernel));
    for (size_t i = 0; i < figures->n_accesses; i++) {
        const struct figure_access *access = &figures->accesses[i];
        entries[4 * i].number = add_access(t, &names, access);
        entries[4 * i + 1].number = access->leader;
        entries[4 * i + 2].number = access->phase;
        entries[4 * i + 3] = (struct list_entry){distance_value(t, &names, access), true};
    }
    own.accesses = add_entries(t, entries, 4 * figures->n_accesses);
    vec_push(t->arena, &t->figures, own);
    return (int)t->figures.count - 1;
}

static void add_times(struct tables *t, struct launch_row *row, const struct launch *launch)
{
    row->figures = add_figures(t, launch->figures, launch->kernel);
    row->general = add_figures(t, launch->general, launch->symbolic);
}

/* Plain texts: a path shows what it asks as the tree does. */
static int add_asked(struct tables *t, struct constraint c)
{
    struct sides sides = constraint_sides(t->arena, c, t->tree->machine);
    return push_condition(t, &sides, sides.text);
}

/* In the order in which NAME_select asks. */
static void add_select(struct tables *t)
{
    struct sas initial = t->tree->initial, legality = t->tree->region->conditions;
    for (size_t i = 0; i < initial.count; i++)
        if (select_asks_first(t->tree, initial.at[i]))
            vec_push(t->arena, &t->asked, add_asked(t, initial.at[i]));
    for (size_t i = 0; i < legality.count; i++)
        vec_push(t->arena, &t->asked, add_asked(t, legality.at[i]));
    for (size_t i = 0; i < t->steps.count; i++)
        vec_push(t->arena, &t->asked, add_asked(t, t->steps.at[i].fork->constraint));
}

static void collect(struct tables *t)
{
    const struct tree *tree = t->tree;
    const struct kernel *k = tree->region->kernel;
    vec_push(t->arena, &t->lists, ((struct list_entry){0, false}));
    add_choice(t);
    size_t first = 0;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        struct leaf_row leaf = {.variant = variant,
                                .fits = add_fits(t, variant->fits),
                                .first = first,
                                .count = variant->n_launches};
        vec_push(t->arena, &t->leaves, leaf);
        first += variant->n_launches;
    }
    for (size_t v = 0; v < tree->n_variants; v++)
        for (size_t i = 0; i < tree->variants[v].n_launches; i++)
            add_launch(t, &tree->variants[v].launches[i]);
    joined_number(t);
    t->overwritten = ARENA_ARRAY(t->arena, struct overwriting, k->n_arrays + 1);
    access_overwritten(t->host->ctx, k, t->overwritten);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL) {
            add_bytes(t, k->arrays[i]);
            add_moving(t, k->arrays[i]);
            add_overwriting(t, &t->overwritten[i]);
        }
    t->n_shape = code_operation_count(t->code);
    for (size_t v = 0; v < tree->n_variants; v++)
        for (size_t i = 0; i < tree->variants[v].n_launches; i++)
            add_times(t, &t->launches.at[t->leaves.at[v].first + i],
                      &tree->variants[v].launches[i]);
    t->n_figures = code_operation_count(t->code);
    steps_collect(t);
}

unsigned tables_value(const struct tables *t, int value)
{
    return value < 0 ? TREEFORK_NONE : code_number(t->code, value);
}

unsigned tables_row(int row)
{
    return row < 0 ? TREEFORK_NONE : (unsigned)row;
}

unsigned tables_place(const struct tables *t, int place)
{
    return place < 0 ? (unsigned)t->steps.count + (unsigned)(-1 - place) : (unsigned)place;
}

/* Makes all rows, with those of parts or without. False if they need more values or list entries
   than the tables can number. */
static bool rows_make(struct tables *t, struct host *host, const struct tree *tree, bool are_told,
                      bool has_parts)
{
    *t = (struct tables){.host = host,
                         .arena = host->arena,
                         .tree = tree,
                         .code = code_new(host->arena, tree->region->kernel),
                         .known = map_new(host->arena),
                         .names_of = map_new(host->arena),
                         .names =
                             code_ring(tree->ring, tree->n_auxiliaries, tree->auxiliaries, true)};
    collect(t);
    if (are_told)
        add_select(t);
    if (has_parts)
        parts_collect(t);
    return code_end(t->code) && t->lists.count < TREEFORK_NONE;
}

bool tables_collect(struct tables *t, struct host *host, const struct tree *tree, bool are_told)
{
    if (rows_make(t, host, tree, are_told, true) || rows_make(t, host, tree, are_told, false))
        return !host->failed;
    diag_error(host->ctx, tree->region->loc,
               "region %s needs more than 65,000 values or list entries in its tables",
               tree->region->name);
    host->failed = true;
    return false;
}

void tables_write(struct host *host, const struct tree *tree)
{
    struct tables t;
    if (!tables_collect(&t, host, tree, false))
        return;
    choice_warn(host, tree);
    tables_print(&t);
}
