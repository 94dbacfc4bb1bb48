/* Blocks in place of launches, for the host: tf_serial_NAME.

   In: a region and its tree. Out: the kernels of a leaf as functions of C, block after block, each
   block one thread (emit/blocks.c), and a function that calls them, by which the runtime serves the
   region where it launches nothing. Sums in place then have the bits of every leaf where these
   depend on the order. They are also faster than the region's text: compilers make vectors of the
   threads of a block, and may not of a floating sum in the order of C, nor of its greatest number.
   Blocks are independent, so that a compiler with -fopenmp lets OpenMP's threads share them where a
   region has at least TREEFORK_SHARE points: each block computes the same. Each of these threads
   has its own shared memory, and loops that accumulate in global memory run one at a time. So exact
   sums are made where their leaf has trees or copies in shared memory.
   Regions without sums (maps) run so by OpenMP's threads alone, where they stage nothing: their
   functions are no code without -fopenmp. Threads take ever smaller chunks of a map's blocks, as
   those of a triangle are unlike. Tunables that may be any are what the program gives as
   their defaults then, and rounds of a thread's loops count as points.
   Functions of the C library are those of its vectors (serial_words.c) where the sums' bits depend
   on the order anyway: a device has other last bits, too.
   Partial arrays and shared memory lie on the heap; if there is none, or a block has too many
   threads for the stack, the function says so and the text runs. */
#include "emit/device.h"
#include "emit/serial.h"
#include "ir/own.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include <string.h>

enum { THREADS_MOST = 16384, ROW = 2048, ROW_OF_LANES = 16, ROW_OF_SQUARE = 16,
       ROW_OF_MAP = 64, ROWS_JAMMED = 4, FULL_POINT = 16 };

bool tunable_is_any(const struct region *region, int param)
{
    return region->defaults[param] && region->kernel->params[param]->role == ROLE_TUNABLE &&
           region->automatic.tunables[param] == CHOOSABLE_ALWAYS;
}

/* Does the parameter alone say how long the block's rows, its last axis, are? */
static bool is_row(const struct kernel *k, int param)
{
    const struct expr *extent = k->n_block ? k->block[k->n_block - 1].extent : NULL;
    return extent && extent->kind == EXPR_VAR && extent->var == k->params[param]->var;
}

/* Is the parameter the number of threads in the only row of all blocks, and may it be any? */
static bool is_free_row(const struct region *region, int param)
{
    const struct kernel *k = region->kernel;
    return k->n_block == 1 && k->n_grid == 1 && tunable_is_any(region, param) && is_row(k, param);
}

/* Is it a loop whose rounds the host knows? */
static bool is_known_loop(const struct stmt *s)
{
    return s->kind == STMT_FOR && expr_reads_only_params(s->from) && expr_reads_only_params(s->to);
}

/* The loop in which each thread sums along rows or columns, if its rounds are known on the host;
   NULL if not. */
static const struct stmt *rounds_find(struct arena *arena, const struct kernel *kernel)
{
    const struct stmt *loop = kernel->own_lanes ? kernel_row_sums(arena, kernel)
                                                : kernel_column_sums(arena, kernel);
    return loop && is_known_loop(loop) ? loop : NULL;
}

/* The values of a map's parameters that are known: of tunables that may be any the program's
   defaults. Rows are longer, since memory is read ahead along them, but not the short
   ones of blocks that were made to read down columns. NULL for the others. */
static const char *const *map_values(struct arena *arena, const struct region *region)
{
    const struct kernel *k = region->kernel;
    const char **values = ARENA_ARRAY(arena, const char *, (size_t)k->n_params);
    for (int i = 0; i < k->n_params; i++) {
        int64_t value = region->defaults[i];
        if (!tunable_is_any(region, i) || is_free_row(region, i))
            continue;
        if (k->n_block > 1 && is_row(k, i) && value >= ROW_OF_SQUARE && value < ROW_OF_MAP)
            value = ROW_OF_MAP;
        values[i] = arena_printf(arena, "%lld", (long long)value);
    }
    return values;
}

/* The leaf's kernels in C; NULL if one cannot be. */
static const char *kernels_print(struct host *host, const struct tree *tree,
                                 const struct variant *variant, bool is_map)
{
    struct str out = str_new(host->arena);
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        struct device device = {.arena = host->arena,
                                .out = &out,
                                .dialect = &dialect_c,
                                .kernel = kernel,
                                .is_serial = true,
                                .is_shared = is_map,
                                .is_loose = kernel_is_inexact(tree->region->kernel),
                                .values = is_map ? map_values(host->arena, tree->region) : NULL,
                                .step = "    "};
        if (!device_serial(&device, arena_printf(host->arena, "tf_serial_%s_k%zu",
                                                 tree->region->name, i + 1)))
            return NULL;
    }
    return out.text;
}

/* A leaf that runs with any parameters but a free row, and its kernels; without one the leaf is
   NULL. */
struct serial_leaf {
    const struct variant *variant;
    const char *kernels;
    bool is_map;                    /* the region has no sums: only OpenMP's threads run it so */
    int jam;                        /* points of a thread; they divide a free row */
};

/* Do threads accumulate, or sum in lanes? */
static bool kernel_sums(const struct kernel *kernel)
{
    return kernel->own_lanes || kernel_accumulates(kernel);
}

/* Does it pay to run a leaf so? Sums in any order, exact ones by trees or copies in shared memory,
   and maps that stage nothing. */
static bool variant_pays(const struct kernel *kernel, const struct variant *variant)
{
    bool uses_shared = device_uses_shared(variant->launches[0].kernel);
    if (kernel_is_inexact(kernel))
        return true;
    return kernel_accumulates(kernel) ? uses_shared : !uses_shared && variant->n_launches == 1;
}

/* Shared arrays of a leaf's kernels: tiles cost a processor copies, whose caches hold the rest. */
static size_t tiles_count(const struct variant *variant)
{
    size_t count = 0;
    for (size_t i = 0; i < variant->n_launches; i++)
        for (int k = 0; k < variant->launches[i].kernel->n_arrays; k++)
            count += variant->launches[i].kernel->arrays[k]->space == SPACE_SHARED;
    return count;
}

/* How many points each thread of the leaf has, of a kernel whose threads sum along rows of equal
   length: rows read side by side are several streams from memory, and a processor waits less for
   each. 0: the leaf wants more of its parameters than that a free row is cut so. */
static int leaf_jam(struct host *host, const struct region *region, const struct variant *variant)
{
    const struct kernel *own = region->kernel, *kernel = variant->launches[0].kernel;
    if (!kernel->n_divisible)
        return 1;
    if (!own->own_lanes || !rounds_find(host->arena, own) || kernel->n_divisible > 1 ||
        variant->n_launches > 1 || kernel->divisible[0].divisor != ROWS_JAMMED)
        return 0;
    for (int i = 0; i < own->n_params; i++)
        if (is_free_row(region, i) &&
            poly_equal(kernel->divisible[0].value,
                       expr_poly(kernel->ring, own->block[own->n_block - 1].extent)))
            return ROWS_JAMMED;
    return 0;
}

/* Takes the leaf with the least tiles, of these the first with the most points of a thread; the
   safe one last: it has trees in memory. Of exact sums it is the first, whose shared arrays are why
   it pays. */
static void leaf_find(struct host *host, const struct tree *tree, struct serial_leaf *leaf)
{
    const struct kernel *kernel = tree->region->kernel;
    size_t least = SIZE_MAX;
    bool has_columns = kernel_column_sums(host->arena, kernel) != NULL;
    leaf->is_map = !kernel_sums(kernel) && !has_columns;
    bool is_exact = !leaf->is_map && !kernel_is_inexact(kernel);
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        size_t tiles = variant->safe ? SIZE_MAX - 1 : is_exact ? 0 : tiles_count(variant);
        int jam = leaf_jam(host, tree->region, variant);
        bool is_better = tiles < least || (tiles == least && jam > leaf->jam && !is_exact);
        const char *kernels = jam && is_better && variant_pays(kernel, variant)
                                  ? kernels_print(host, tree, variant, leaf->is_map)
                                  : NULL;
        if (!kernels)
            continue;
        *leaf = (struct serial_leaf){variant, kernels, leaf->is_map, jam};
        least = tiles;
    }
}

static const struct serial_leaf *serial_leaf(struct host *host, const struct tree *tree)
{
    struct serial_leaf *leaf = map_get_pointer(host->serials, tree);
    if (leaf)
        return leaf;
    leaf = ARENA_NEW(host->arena, struct serial_leaf);
    leaf_find(host, tree, leaf);
    map_put_pointer(host->serials, tree, leaf);
    return leaf;
}

bool serial_is_made(struct host *host, const struct tree *tree)
{
    return serial_leaf(host, tree)->variant != NULL;
}

const char *serial_name(struct host *host, const struct tree *tree)
{
    const char *name = arena_printf(host->arena, "tf_serial_%s", tree->region->name);
    return serial_leaf(host, tree)->is_map ? arena_printf(host->arena, "tf_shared_alone(%s)", name)
                                           : name;
}

/* --- memory ----------------------------------------------------------------------------------- */

static bool variant_uses(const struct variant *variant, const struct array *array)
{
    for (size_t i = 0; i < variant->n_launches; i++)
        if (stmt_uses_array(variant->launches[i].kernel->body, array))
            return true;
    return false;
}

const char *serial_expr(struct host *host, const struct kernel *kernel, const struct expr *e)
{
    struct str out = str_new(host->arena);
    struct device device = {.arena = host->arena,
                            .out = &out,
                            .dialect = &dialect_c,
                            .kernel = kernel,
                            .batches = {.kernel = kernel},
                            .is_serial = true};
    device.names = map_new(host->arena);    /* the program's own */
    device_expr(&device, e, 0);
    return out.text;
}

/* Elements of an array, as a product in C. */
static const char *elements(struct host *host, const struct kernel *kernel,
                            const struct array *array)
{
    struct str out = str_new(host->arena);
    for (int d = 0; d < array->n_dims; d++)
        str_addf(&out, " * (size_t)(%s)", serial_expr(host, kernel, array->dims[d]));
    return out.text;
}

/* Where each array lies, in bytes, and the sum of all: "tf_at_2". */
static void places_print(struct host *host, const struct variant *variant)
{
    struct str *out = host->out;
    const struct kernel *k = variant->launches[0].kernel;
    const char *at = "0";
    for (int i = 0; i < k->n_arrays; i++) {
        const struct array *a = k->arrays[i];
        if (!a->is_partial || !variant_uses(variant, a))
            continue;
        str_addf(out, "    const size_t tf_at_%d = %s;\n", i, at);
        str_addf(out, "    const size_t tf_end_%d = (tf_at_%d + sizeof(%s)%s + 15) / 16 * 16;\n",
                 i, i, device_type(a->element), elements(host, k, a));
        at = arena_printf(host->arena, "tf_end_%d", i);
    }
    str_addf(out, "    size_t tf_shared = 0;\n");
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        if (!kernel->shared_bytes)
            continue;
        const char *bytes = serial_expr(host, kernel, kernel->shared_bytes);
        str_addf(out, "    if (tf_shared < (size_t)(%s))\n", bytes);
        str_addf(out, "        tf_shared = (size_t)(%s);\n", bytes);
    }
    str_addf(out, "    char *const tf_memory =\n"
                  "        TREEFORK_TAKE(%s + tf_threads * (tf_shared + 64) + 64);\n", at);
    str_addf(out, "    char *const tf_tiles = tf_line(tf_memory + %s);\n", at);
}

static void call_print(struct host *host, const struct tree *tree, const struct serial_leaf *leaf,
                       size_t launch)
{
    struct str *out = host->out;
    const struct variant *variant = leaf->variant;
    const struct kernel *k = variant->launches[launch].kernel;
    const char *comma = "";
    int global = 0;
    str_addf(out, "    tf_serial_%s_k%zu(", tree->region->name, launch + 1);
    for (int i = 0; i < k->n_params; i++, comma = ", ")
        str_addf(out, "%s%s", comma, k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++) {
        const struct array *a = k->arrays[i];
        if (a->space != SPACE_GLOBAL)
            continue;
        if (!a->is_partial)
            str_addf(out, "%s(%s *)tf_arrays[%d]", comma, device_type(a->element), global);
        else if (variant_uses(variant, a))
            str_addf(out, "%s(%s *)(tf_memory + tf_at_%d)", comma, device_type(a->element), i);
        else
            str_addf(out, "%s0", comma);
        comma = ", ";
        global++;
    }
    str_addf(out, "%s%s);\n", device_uses_shared(k) ? ", tf_tiles" : "",
             leaf->is_map ? "" : ", tf_points");
}

/* --- the functions ---------------------------------------------------------------------------- */

static void argument_print(struct str *out, const struct region *region, int param)
{
    const struct var *var = region->kernel->params[param]->var;
    const char *member = type_is_signed(var->type) ? "i" : "u";
    member = type_is_floating(var->type) ? "f" : member;
    str_addf(out, "    %s%s %s = (%s)tf_arguments[%d].value.%s;\n",
             is_free_row(region, param) ? "" : "const ", type_name(var->type), var->name,
             type_name(var->type), param, member);
}

void serial_arguments(struct str *out, const struct region *region)
{
    for (int i = 0; i < region->kernel->n_params; i++)
        argument_print(out, region, i);
    str_add(out, "    (void)tf_arguments;\n");
}

/* The arguments of a map: those that are known are constants, for the program's compiler. */
static void map_arguments(struct host *host, const struct region *region)
{
    const char *const *values = map_values(host->arena, region);
    for (int i = 0; i < region->kernel->n_params; i++) {
        const struct var *var = region->kernel->params[i]->var;
        if (values[i])
            str_addf(host->out, "    const %s %s = %s;\n", type_name(var->type), var->name,
                     values[i]);
        else
            argument_print(host->out, region, i);
    }
    str_add(host->out, "    (void)tf_arguments;\n");
}

/* The product of the extents of axes, as a double. */
static void extents_print(struct host *host, const struct kernel *kernel, const struct axis *axes,
                          int n)
{
    for (int i = 0; i < n; i++)
        str_addf(host->out, "%s(double)(%s)", i ? " * " : "",
                 serial_expr(host, kernel, axes[i].extent));
}

/* A free row is long, since a block begins and ends with work of its own, for each of its threads,
   so that there are no more threads than points; short where each thread has a row of numbers to
   sum, and a whole number of its points; where threads sum columns, each of OpenMP's threads gets a
   row. Not near the greatest number of points that the region's conditions allow with the given
   one. */
static void row_print(struct host *host, const struct region *region, int param, int jam)
{
    const struct kernel *k = region->kernel;
    const char *name = k->params[param]->var->name;
    str_add(host->out, "    if (tf_points < 1e9)\n");
    if (!kernel_column_sums(host->arena, k)) {
        int row = k->own_lanes ? ROW_OF_LANES : ROW;
        const char *points = "(int)tf_points";
        if (jam > 1)
            points = arena_printf(host->arena, "(%s + %d) / %d * %d", points, jam - 1, jam, jam);
        str_addf(host->out, "        %s = tf_points >= 1 && tf_points < %d ? %s : %d;\n", name, row,
                 points, row);
        if (jam > 1)
            str_addf(host->out, "    if (%s %% %d)\n        return 0;\n", name, jam);
        return;
    }
    str_addf(host->out, "        %s = (int)((", name);
    extents_print(host, k, k->grid, k->n_grid);
    str_addf(host->out, " * %s / tf_threads + 63) / 64) * 64;\n", name);
    str_addf(host->out, "    if (%s > %d)\n        %s = %d;\n", name, THREADS_MOST, name,
             THREADS_MOST);
}

/* A free row of a map: each thread has four blocks at least, and rows are whole vectors. */
static void map_row_print(struct host *host, const struct region *region, int param)
{
    const char *name = region->kernel->params[param]->var->name;
    str_addf(host->out, "    if (tf_points < 1e9)\n        %s = tf_row(tf_points);\n", name);
}

static void rows_print(struct host *host, const struct region *region,
                       const struct serial_leaf *leaf)
{
    for (int i = 0; i < region->kernel->n_params; i++)
        if (is_free_row(region, i) && leaf->is_map)
            map_row_print(host, region, i);
        else if (is_free_row(region, i))
            row_print(host, region, i, leaf->jam);
}

/* How many threads the region's own kernel has in all blocks. */
static void points_print(struct host *host, const struct kernel *kernel)
{
    str_add(host->out, "    double tf_points = ");
    extents_print(host, kernel, kernel->grid, kernel->n_grid);
    str_add(host->out, kernel->n_grid ? " * " : "");
    extents_print(host, kernel, kernel->block, kernel->n_block);
    str_add(host->out, ";\n");
}

/* The product of the rounds of the known loops around a statement; their number. */
static int loops_print(struct host *host, const struct kernel *kernel, const struct stmt_walk *walk,
                       struct str *product)
{
    int n = 0;
    for (int i = 0; i < walk->depth; i++) {
        if (!is_known_loop(walk->path[i].stmt))
            continue;
        str_addf(product, "%s(double)(%s)", n ? " * " : "",
                 serial_expr(host, kernel, loop_trip(host->arena, walk->path[i].stmt)));
        n++;
    }
    return n;
}

/* Rounds of loops count as points: of the deepest nest of loops that the host knows. */
static void map_rounds_print(struct host *host, const struct kernel *kernel)
{
    struct stmt_walk walk;
    const char *product = NULL;
    int most = 0;
    for (const struct stmt *s = stmt_first(&walk, host->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        struct str text = str_new(host->arena);
        int n = loops_print(host, kernel, &walk, &text);
        product = n > most ? text.text : product;
        most = n > most ? n : most;
    }
    if (product)
        str_addf(host->out, "    tf_points *= %s;\n", product);
}

/* The bytes that a statement of a thread loads and stores, itself alone; -1 if it does more than
   move and add: it calls a function, or is a loop. */
static int statement_bytes(struct arena *arena, const struct stmt *s)
{
    int bytes = s->kind == STMT_STORE ? (int)type_bytes(s->array->element) : 0;
    struct expr_walk walk;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        for (const struct expr *e = expr_first(&walk, arena, stmt_expr(s, i)); e;
             e = expr_next(&walk)) {
            if (e->kind == EXPR_CALL)
                return -1;
            bytes += e->kind == EXPR_LOAD ? (int)type_bytes(e->type) : 0;
        }
    return s->kind == STMT_FOR ? -1 : bytes;
}

/* A point that moves a few bytes is not worth one of FULL_POINT bytes: of a copy of bytes an
   eighth. Waking threads costs more than a core takes for many of these. */
static void map_weight_print(struct host *host, const struct kernel *kernel)
{
    struct stmt_walk walk;
    int bytes = 0;
    for (const struct stmt *s = stmt_first(&walk, host->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        int own = statement_bytes(host->arena, s);
        if (own < 0)
            return;
        bytes += own;
    }
    if (bytes < FULL_POINT)
        str_addf(host->out, "    tf_points *= %d / %d.0;\n", bytes, FULL_POINT);
}

/* Rounds in which threads sum count as points when blocks are shared. */
static void rounds_print(struct host *host, const struct kernel *kernel)
{
    const struct stmt *loop = rounds_find(host->arena, kernel);
    if (loop)
        str_addf(host->out, "    tf_points *= (double)(%s);\n",
                 serial_expr(host, kernel, loop_trip(host->arena, loop)));
}

/* A block's arrays of its threads lie on the stack. */
static void threads_print(struct host *host, const struct variant *variant)
{
    const struct kernel *first = variant->launches[0].kernel;
    str_add(host->out, "    if (");
    extents_print(host, first, first->block, first->n_block);
    str_addf(host->out, " > %d)\n        return 0;\n", THREADS_MOST);
}

/* The body of a function for sums. It takes memory for partial arrays and for what the threads
   share, and calls the kernels. */
static void sums_write(struct host *host, const struct tree *tree, const struct serial_leaf *leaf)
{
    struct str *out = host->out;
    const struct variant *variant = leaf->variant;
    serial_arguments(out, tree->region);
    str_add(out, "    if (!tf_arrays)\n        return 1;\n");
    points_print(host, tree->region->kernel);
    rows_print(host, tree->region, leaf);
    rounds_print(host, tree->region->kernel);
    threads_print(host, variant);
    places_print(host, variant);
    str_add(out, "    if (!tf_memory)\n        return 0;\n");
    for (size_t i = 0; i < variant->n_launches; i++)
        call_print(host, tree, leaf, i);
    str_add(out, "    TREEFORK_GIVE(tf_memory);\n    return 1;\n");
}

/* The body of a function for a map. */
static void map_write(struct host *host, const struct tree *tree, const struct serial_leaf *leaf)
{
    struct str *out = host->out;
    map_arguments(host, tree->region);
    points_print(host, tree->region->kernel);
    rows_print(host, tree->region, leaf);
    map_rounds_print(host, tree->region->kernel);
    map_weight_print(host, tree->region->kernel);
    str_add(out, "    if (!tf_shares(2, tf_points))\n        return 0;\n"
                 "    if (!tf_arrays)\n        return 1;\n");
    threads_print(host, leaf->variant);
    call_print(host, tree, leaf, 0);
    str_add(out, "    return 1;\n");
}

void serial_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct serial_leaf *leaf = serial_leaf(host, tree);
    if (!leaf->variant)
        return;
    str_addf(out, "%s%s/* Region %s on the host, with the bits of leaf %d; 0: it did not run. */\n",
             leaf->is_map ? "#ifdef _OPENMP\n" : "", leaf->kernels, tree->region->name,
             leaf->variant->id);
    str_addf(out,
             "static int tf_serial_%s(const struct treefork_argument *tf_arguments,\n"
             "    const void *const *tf_arrays)\n{\n",
             tree->region->name);
    if (leaf->is_map)
        map_write(host, tree, leaf);
    else
        sums_write(host, tree, leaf);
    str_addf(out, "}\n%s\n", leaf->is_map ? "#endif\n" : "");
}

/* --- questions of the whole file -------------------------------------------------------------- */

bool serial_any(struct host *host, bool of_sums)
{
    bool any = false;
    for (size_t r = 0; r < host->program->n_regions && !any; r++) {
        const struct serial_leaf *leaf = serial_leaf(host, host->trees[r]);
        any = leaf->variant && leaf->is_map != of_sums;
    }
    return any;
}

bool serial_calls(struct host *host, const char *name)
{
    const char *call = arena_printf(host->arena, "%s(", name);
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct serial_leaf *leaf = serial_leaf(host, host->trees[r]);
        if (leaf->variant && strstr(leaf->kernels, call))
            return true;
    }
    return false;
}
