/* What runs in place of a region where a function runs inside the generator: serially, in the
   interpreter; or a leaf, by the thread interpreter (races, divergent barriers, bounds, values
   never written), whole or in parts (parts.c), or by LLVM on the CPU (one fiber per thread). Few
   blocks take all points of the grid, so that each runs several: a missing barrier behind the last
   use of a tile shows only then. Arrays are worked on where they lie. Everything here runs in a
   child (hosted.c). */
#include "cli/hosted.h"
#include "emit/choice.h"
#include "ir/llvm/llvm.h"
#include "ir/own.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { INTERPRETED_BLOCKS = 1, COMPILED_BLOCKS = 3, VECTOR_ALIGNMENT = 16, POISON = 0xa5 };

/* One region as it is met. */
struct bench {
    struct hosted_session *session;
    size_t number;
    const struct region *region;
    union value *params;
    struct interpret_array *arrays;
};

static void session_end(struct hosted_session *session, enum board_state state, const char *text)
{
    session->board->state = state;
    snprintf(session->board->text, sizeof session->board->text, "%s", text);
    _exit(0);
}

/* --- arguments ------------------------------------------------------------------------------- */

static void params_read(struct bench *b, const void *arguments)
{
    const struct kernel *kernel = b->region->kernel;
    struct meeting *meeting = &b->session->board->regions[b->number];
    b->params = ARENA_ARRAY(b->session->v->ctx->arena, union value, kernel->n_params + 1);
    memcpy(b->params, arguments, (size_t)kernel->n_params * sizeof *b->params);
    for (int i = 0; i < kernel->n_params; i++)
        b->params[i] = value_normal(kernel->params[i]->var->type, b->params[i]);
    if (meeting->is_met || kernel->n_params > PARAMS_MOST)
        return;
    memcpy(meeting->params, b->params, (size_t)kernel->n_params * sizeof *b->params);
    tunables_give(b->session->v, b->region, meeting->params);
}

/* A leaf runs with the tunables that --set gives in place of d of meta_tunable(d); serial code, and
   the host's, has d. */
static void params_choose(struct bench *b)
{
    struct arena *arena = b->session->v->ctx->arena;
    union value *given = ARENA_ARRAY(arena, union value, b->region->kernel->n_params + 1);
    memcpy(given, b->params, (size_t)b->region->kernel->n_params * sizeof *given);
    if (!tunables_give(b->session->v, b->region, given))
        return;
    struct choice_divisions divisions = choice_divisions(arena, b->region);
    const struct expr *division = choice_inexact(b->region, divisions, b->params);
    division = division ? division : choice_inexact(b->region, divisions, given);
    if (division)
        session_end(b->session, BOARD_MISFIT,
                    arena_printf(arena, "%s is not exact, so no other tunable may be chosen",
                                 expr_text(arena, division)));
    b->params = given;
}

/* Elements of this size from `data` to the end of the function's array it lies in; -1 if it lies in
   none. */
static int64_t elements_known(const struct hosted_session *session, const char *data, size_t size)
{
    for (size_t i = 0; i < session->n_ranges; i++) {
        uintptr_t begin = (uintptr_t)session->ranges[i].begin, at = (uintptr_t)data;
        if (at >= begin && at - begin <= session->ranges[i].bytes)
            return (int64_t)((session->ranges[i].bytes - (at - begin)) / size);
    }
    return -1;
}

/* As --extent says, else what the runtime takes, within the memory that is known; else that memory.
   -1 if nothing tells. */
static int64_t array_length(const struct bench *b, int index, const void *data)
{
    struct verification *v = b->session->v;
    const struct array *array = b->region->kernel->arrays[index];
    const int64_t *given = assignment_find(&v->extents, array->name);
    const struct expr *extent = v->extents_of[b->number][index];
    int64_t known = elements_known(b->session, data, type_bytes(array->element));
    union value count = {.integer = known};
    if (given)
        count.integer = *given;
    else if (!extent || !expr_evaluate(b->region->kernel, extent, b->params, &count))
        return known;
    if (known >= 0 && known < count.integer)
        return known;
    return count.integer > 0 ? count.integer : 0;
}

/* Memory for a partial array: whatever a launch reads of it, an earlier one has written. */
static void *partial_memory(const struct bench *b, const struct array *array, int64_t length)
{
    size_t bytes = (size_t)length * type_bytes(array->element);
    void *memory = arena_alloc(b->session->v->ctx->arena, bytes + VECTOR_ALIGNMENT);
    memset(memory, POISON, bytes);
    return memory;
}

/* The array whose length nothing tells; NULL if all is well. */
static const struct array *arrays_read(struct bench *b, void *const *arrays)
{
    const struct kernel *kernel = b->region->kernel;
    b->arrays = ARENA_ARRAY(b->session->v->ctx->arena, struct interpret_array,
                            kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++) {
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        int64_t length = array_length(b, i, *arrays);
        if (length < 0)
            return kernel->arrays[i];
        b->arrays[i] = (struct interpret_array){*arrays++, (size_t)length};
        if (kernel->arrays[i]->is_partial)
            b->arrays[i].data = partial_memory(b, kernel->arrays[i], length);
    }
    return NULL;
}

/* Two arrays that share memory, one of them written: the runtime runs such a region serially. */
static bool arrays_overlap(const struct bench *b)
{
    const struct kernel *kernel = b->region->kernel;
    for (int i = 0; i < kernel->n_arrays; i++)
        for (int k = 0; k < i; k++) {
            const char *x = b->arrays[i].data, *y = b->arrays[k].data;
            size_t n = b->arrays[i].count * type_bytes(kernel->arrays[i]->element);
            size_t m = b->arrays[k].count * type_bytes(kernel->arrays[k]->element);
            if (n && m && x < y + m && y < x + n &&
                (stmt_stores_to(kernel->body, kernel->arrays[i]) ||
                 stmt_stores_to(kernel->body, kernel->arrays[k])))
                return true;
        }
    return false;
}

/* --- kernels --------------------------------------------------------------------------------- */

/* Points of the grid and the blocks; 0 where one extent has none, or no value. */
static double points_of(const struct bench *b)
{
    const struct kernel *kernel = b->region->kernel;
    double points = 1;
    union value extent;
    for (int i = 0; i < kernel->n_grid + kernel->n_block; i++) {
        const struct axis *axis = i < kernel->n_grid ? &kernel->grid[i]
                                                     : &kernel->block[i - kernel->n_grid];
        bool known = expr_evaluate(kernel, axis->extent, b->params, &extent);
        points *= known && extent.integer > 0 ? (double)extent.integer : 0;
    }
    return points;
}

/* The safe variant takes any number of threads: the extents' product clamped to what one
   interpretation can hold. */
static int64_t strided_threads(const struct bench *b, const struct kernel *kernel)
{
    int64_t threads = 1;
    union value extent;
    for (int i = 0; i < kernel->n_block; i++)
        if (expr_evaluate(kernel, kernel->block[i].extent, b->params, &extent) &&
            extent.integer > 0 && threads < 256)
            threads *= extent.integer;
    return kernel_all_strided(kernel) ? (threads > 256 ? 256 : threads) : 0;
}

/* Half of the kernels are launched as a plane, the others as a line of a few blocks. */
static int64_t compiled_blocks(const struct kernel *kernel)
{
    return kernel_hash(kernel) % 2 ? 0 : COMPILED_BLOCKS;
}

/* NULL if the run went well, else what was wrong. */
static const char *kernel_run(const struct bench *b, const struct kernel *kernel,
                              const struct interpret_array *arrays)
{
    struct verification *v = b->session->v;
    struct interpret_input input = {.params = b->params,
                                    .arrays = arrays,
                                    .seed = v->seed,
                                    .threads = strided_threads(b, kernel),
                                    .blocks = INTERPRETED_BLOCKS};
    if (b->session->kind != SESSION_ORDERED && strcmp(b->session->witness, "cpu") == 0)
        return llvm_run(v->ctx, kernel, &input, compiled_blocks(kernel)) ? NULL : v->ctx->last;
    bool is_cut = b->session->kind == SESSION_LEAF && strcmp(b->session->witness, "parts") == 0;
    const char *fault = NULL;
    if (is_cut)
        fault = parts_run(v->ctx, kernel, b->region->kernel, &input, &is_cut);
    b->session->board->cut += is_cut && b->number == b->session->region;
    if (is_cut)
        return fault;
    struct arena *arena = arena_new();
    struct interpret_result result = b->session->kind == SESSION_ORDERED
                                         ? interpret_serial(arena, kernel, &input)
                                         : interpret_threads(arena, kernel, &input);
    const char *wrong = NULL;
    if (result.status != INTERPRET_DONE)
        wrong = arena_printf(v->ctx->arena, "%s: %s", interpret_status_name(result.status),
                             result.message);
    arena_free(arena);
    return wrong;
}

/* The region's arrays as every kernel of the variant has them: the global ones are the same, at the
   same places. A device's arrays begin at multiples of 16 bytes: what does not is copied. */
static struct interpret_array *variant_arrays(const struct bench *b, const struct variant *variant)
{
    const struct kernel *base = b->region->kernel;
    struct arena *arena = b->session->v->ctx->arena;
    int most = base->n_arrays;
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        int n_arrays = launch->joined ? launch->joined->n_arrays : launch->kernel->n_arrays;
        most = n_arrays > most ? n_arrays : most;
    }
    struct interpret_array *arrays = ARENA_ARRAY(arena, struct interpret_array, most + 1);
    for (int i = 0; i < base->n_arrays; i++) {
        size_t bytes = b->arrays[i].count * type_bytes(base->arrays[i]->element);
        arrays[i] = b->arrays[i];
        if ((uintptr_t)arrays[i].data % VECTOR_ALIGNMENT == 0)
            continue;
        char *room = arena_alloc(arena, bytes + VECTOR_ALIGNMENT);
        arrays[i].data = room + (VECTOR_ALIGNMENT - (uintptr_t)room % VECTOR_ALIGNMENT);
        memcpy(arrays[i].data, b->arrays[i].data, bytes);
    }
    return arrays;
}

static bool grid_is_empty(const struct kernel *kernel, const union value *params)
{
    union value extent;
    for (int i = 0; i < kernel->n_grid; i++)
        if (!expr_evaluate(kernel, kernel->grid[i].extent, params, &extent) || extent.integer <= 0)
            return true;
    return false;
}

/* Does the last block of the launch do what the next launch would? As in runtime/launches.c, and
   never in parts. */
static bool launch_joins(const struct bench *b, const struct launch *launch)
{
    bool is_cut = b->session->kind == SESSION_LEAF && strcmp(b->session->witness, "parts") == 0;
    return launch->joined && !is_cut && !grid_is_empty(launch->kernel, b->params);
}

static size_t launches_count(const struct bench *b, const struct variant *variant)
{
    size_t count = 0;
    for (size_t i = 0; i < variant->n_launches; count++)
        i += launch_joins(b, &variant->launches[i]) ? 2 : 1;
    return count;
}

/* Runs the launches one after another. NULL if they went well, else what was wrong. */
static const char *variant_run(const struct bench *b, const struct variant *variant)
{
    const struct kernel *base = b->region->kernel;
    struct interpret_array *arrays = variant_arrays(b, variant);
    const char *wrong = NULL;
    size_t taken = 0;
    for (size_t i = 0; i < variant->n_launches && !wrong; i += taken) {
        const struct launch *launch = &variant->launches[i];
        bool joins = launch_joins(b, launch);
        wrong = kernel_run(b, joins ? launch->joined : launch->kernel, arrays);
        taken = joins ? 2 : 1;
    }
    for (int i = 0; i < base->n_arrays; i++)
        if (arrays[i].data != b->arrays[i].data && stmt_stores_to(base->body, base->arrays[i]))
            memcpy(b->arrays[i].data, arrays[i].data,
                   arrays[i].count * type_bytes(base->arrays[i]->element));
    return wrong;
}

const struct divisible *variant_indivisible(const struct variant *variant,
                                                   const union value *params)
{
    const struct divisible *fact = NULL;
    for (size_t i = 0; i < variant->n_launches && !fact; i++)
        fact = kernel_indivisible(variant->launches[i].kernel, params);
    return fact;
}

/* The variant that a machine without limits takes. Where that cannot run, it is the safe leaf of a
   region whose sums have an order of their own, which the host's loops have not; else NULL. */
static const struct variant *variant_by_case(const struct bench *b)
{
    const struct tree *tree = b->session->v->trees[b->number];
    const struct kernel *kernel = b->region->kernel;
    int64_t point[RING_CAPACITY] = {0};
    for (int i = 0; i < ring_count(tree->ring); i++)
        if (tree->machine >> i & 1)
            point[i] = INT64_MAX;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] = b->params[i].integer;
    int index = tree_select(tree, point, NULL);
    const struct variant *variant = index < 0 ? NULL : &tree->variants[index];
    if (variant && !variant_indivisible(variant, b->params))
        return variant;
    return kernel_is_inexact(kernel) ? &tree->variants[tree->n_variants - 1] : NULL;
}

/* --- regions --------------------------------------------------------------------------------- */

static void check_note(const struct bench *b, const struct region_check *check)
{
    struct meeting *meeting = &b->session->board->regions[b->number];
    meeting->is_checked = true;
    snprintf(meeting->fault, sizeof meeting->fault, "%s", check->fault ? check->fault : "");
    snprintf(meeting->reason, sizeof meeting->reason, "%s", check->reason ? check->reason : "");
}

/* Copies of what the region writes, beside what it only reads. */
static struct interpret_array *arrays_copy(const struct bench *b, struct arena *arena)
{
    const struct kernel *kernel = b->region->kernel;
    struct interpret_array *copies = ARENA_ARRAY(arena, struct interpret_array,
                                                 kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++) {
        size_t bytes = b->arrays[i].count * type_bytes(kernel->arrays[i]->element);
        copies[i] = b->arrays[i];
        if (!stmt_stores_to(kernel->body, kernel->arrays[i]))
            continue;
        copies[i].data = arena_alloc(arena, bytes + 1);
        if (bytes)
            memcpy(copies[i].data, b->arrays[i].data, bytes);
    }
    return copies;
}

/* On copies of the arrays, if it is looked at at all. */
static void region_check(const struct bench *b, double points)
{
    struct verification *v = b->session->v;
    struct arena *arena = arena_new();
    struct interpret_array *copies = check_is_large(points) ? NULL : arrays_copy(b, arena);
    struct interpret_input input = {.params = b->params, .arrays = copies, .seed = v->seed};
    struct region_check check = check_region(v, b->number, &input, points);
    check_note(b, &check);
    arena_free(arena);
}

/* The first time that the region has points, and not too many: what the serial program and the CPU
   do not see. */
static void region_meet(const struct bench *b)
{
    struct meeting *meeting = &b->session->board->regions[b->number];
    double points = points_of(b);
    if (points == 0 ||
        (meeting->is_checked && (!meeting->is_large || check_is_large(points))))
        return;
    region_check(b, points);
    meeting->is_large = check_is_large(points);
}

static int region_interpret(struct bench *b)
{
    struct interpret_input input = {.params = b->params, .arrays = b->arrays};
    if (b->session->checks_regions)
        region_meet(b);
    struct arena *arena = arena_new();
    struct interpret_result serial = interpret_serial(arena, b->region->kernel, &input);
    if (serial.status != INTERPRET_DONE)
        session_end(b->session, BOARD_FAULT,
                    arena_printf(arena, "%s: %s", interpret_status_name(serial.status),
                                 serial.message));
    arena_free(arena);
    b->session->board->regions[b->number].is_met |= points_of(b) > 0;
    return 1;
}

/* A region with an array whose length nothing tells: no leaf can run, and nothing is checked. */
static int region_give_up(const struct bench *b, const struct array *array)
{
    struct arena *arena = b->session->v->ctx->arena;
    struct region_check check = {
        .reason = arena_printf(arena, "the length of %s is not known", array->name)};
    if (b->session->kind == SESSION_LEAF && b->number == b->session->region)
        session_end(b->session, BOARD_FAULT,
                    arena_printf(arena, "array %s: neither its type nor the regions tell its "
                                        "length: --extent %s=COUNT", array->name, array->name));
    check_note(b, &check);
    b->session->board->regions[b->number].is_met = true;
    return 0;
}

static int region_run(struct bench *b)
{
    struct hosted_session *session = b->session;
    struct arena *arena = session->v->ctx->arena;
    struct meeting *meeting = &session->board->regions[b->number];
    bool is_asked = b->number == session->region;
    const struct variant *variant = is_asked ? session->variant : variant_by_case(b);
    meeting->is_met |= points_of(b) > 0;
    if (!variant || points_of(b) == 0 ||
        !region_is_parallel(session->v->trees[b->number], b->params) || arrays_overlap(b))
        return 0;
    const struct divisible *fact = variant_indivisible(variant, b->params);
    if (fact)
        session_end(session, BOARD_MISFIT,
                    arena_printf(arena, "%lld does not divide %s", (long long)fact->divisor,
                                 poly_text(arena, fact->value)));
    const char *wrong = variant_run(b, variant);
    if (wrong && is_asked)
        session_end(session, BOARD_FAULT, wrong);
    if (wrong)
        session_end(session, BOARD_FAULT,
                    arena_printf(arena, "%s, which runs leaf %d beside it: %s", b->region->name,
                                 variant->id, wrong));
    if (is_asked)
        session->board->launches += launches_count(b, variant);
    return 1;
}

/* Does the region set elements of the array to what it makes of its sums before it ends? */
static bool is_finished(struct arena *arena, const struct kernel *kernel, const struct array *array)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_STORE && s->end == SUM_END_FINISH && s->array == array)
            return true;
    return false;
}

static bool depends_on_order(const struct kernel *kernel, const struct array *array)
{
    enum reduce_op reduction = stmt_accumulates_in(kernel->body, array);
    return reduction && !reduction_is_exact(reduction, array->element);
}

/* The region as it is written, from the arrays as they are; of one array finishes read the sums
   with their error added (NULL: of none). */
static struct interpret_array *serial_run(const struct bench *b, struct arena *arena,
                                          const struct array *shifted, double *error)
{
    struct interpret_array *arrays = arrays_copy(b, arena);
    struct interpret_input input = {.params = b->params, .arrays = arrays, .shifted = shifted};
    *error = interpret_serial(arena, b->region->kernel, &input).sum_error;
    return arrays;
}

/* Adds to the errors of an array's elements (NULL: none yet) how far those of a second run lie from
   the first. NULL of integers. */
static double *differences_add(struct arena *arena, enum type type,
                               const struct interpret_array *first,
                               const struct interpret_array *second, double *errors)
{
    bool is_new = !errors && type_is_floating(type);
    if (is_new)
        errors = ARENA_ARRAY(arena, double, first->count + 1);
    for (size_t k = 0; k < first->count && errors; k++)
        errors[k] = (is_new ? 0 : errors[k]) +
                    fabs(data_element(type, second->data, (int64_t)k) -
                         data_element(type, first->data, (int64_t)k));
    return errors;
}

/* How far each element of an array that finishes set may lie from the serial one as the sums that
   they read do: the sum, over the arrays of these sums, of what the error of each changes. NULL of
   other arrays. */
static double *finish_errors(const struct bench *b, struct arena *arena,
                             const struct interpret_array *serial, int number)
{
    const struct kernel *kernel = b->region->kernel;
    enum type type = kernel->arrays[number]->element;
    if (!type_is_floating(type) || !is_finished(arena, kernel, kernel->arrays[number]))
        return NULL;
    double *errors = differences_add(arena, type, &serial[number], &serial[number], NULL), unused;
    for (int i = 0; i < kernel->n_arrays; i++) {
        if (!depends_on_order(kernel, kernel->arrays[i]))
            continue;
        struct interpret_array *arrays = serial_run(b, arena, kernel->arrays[i], &unused);
        differences_add(arena, type, &serial[number], &arrays[number], errors);
    }
    return errors;
}

/* An element that is made of sums is a smooth function of them: what their error changes is known
   in the first order, and each operation rounds by itself. */
enum { MADE_SLACK = 2, MADE_ROUNDINGS = 16 };

/* An element of a sum, or of what the region makes of it, that lies farther from the serial one
   than another order explains; NULL if there is none. */
static const char *sums_differ(const struct bench *b, const struct interpret_array *serial,
                               double *const *made, double sum_error)
{
    const struct kernel *kernel = b->region->kernel;
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        bool is_sum = depends_on_order(kernel, array);
        double eps = type_epsilon(array->element);
        size_t n = is_sum || made[i] ? serial[i].count : 0;
        for (size_t k = 0; k < n; k++) {
            double got = data_element(array->element, b->arrays[i].data, (int64_t)k),
                   want = data_element(array->element, serial[i].data, (int64_t)k),
                   error = is_sum ? sum_error : 0;
            if (made[i])
                error += MADE_SLACK * made[i][k] + MADE_ROUNDINGS * eps * fabs(want);
            if (!(fabs(got - want) <= error) && isfinite(want) && isfinite(error))
                return arena_printf(b->session->v->ctx->arena,
                                    "the sum %s[%zu] is %.9g in the order of the leaves, %.9g in "
                                    "C's, and rounding explains %.2g",
                                    array->name, k, got, want, error);
        }
    }
    return NULL;
}

/* A thread's own sums in lanes: what the error of each changes of everything that the region makes
   of it is added to the errors of the arrays. */
static void own_errors_add(const struct bench *b, struct arena *arena,
                           const struct interpret_array *serial, double **errors)
{
    const struct kernel *kernel = b->region->kernel, *shifted = NULL;
    if (!kernel->own_lanes)
        return;
    for (int number = 0; (shifted = own_sum_shifted(arena, kernel, number)); number++) {
        struct interpret_array *arrays = arrays_copy(b, arena);
        struct interpret_input input = {.params = b->params, .arrays = arrays};
        interpret_serial(arena, shifted, &input);
        for (int i = 0; i < kernel->n_arrays; i++)
            errors[i] = differences_add(arena, kernel->arrays[i]->element, &serial[i], &arrays[i],
                                        errors[i]);
    }
}

/* Runs the safe leaf, whose order all leaves have, and beside it the region as it is written. */
static int region_order(const struct bench *b)
{
    const struct tree *tree = b->session->v->trees[b->number];
    const struct kernel *kernel = b->region->kernel;
    if (!kernel_is_inexact(kernel) || points_of(b) == 0 ||
        !region_is_parallel(tree, b->params) || arrays_overlap(b))
        return 0;
    struct arena *arena = arena_new();
    double error, **made = ARENA_ARRAY(arena, double *, kernel->n_arrays + 1);
    struct interpret_array *serial = serial_run(b, arena, NULL, &error);
    for (int i = 0; i < kernel->n_arrays; i++)
        made[i] = finish_errors(b, arena, serial, i);
    own_errors_add(b, arena, serial, made);
    const char *wrong = variant_run(b, &tree->variants[tree->n_variants - 1]);
    wrong = wrong ? wrong : sums_differ(b, serial, made, error);
    if (wrong)
        session_end(b->session, BOARD_FAULT, wrong);
    arena_free(arena);
    return 1;
}

int session_region(void *state, int region, const void *arguments, void *const *arrays)
{
    struct hosted_session *session = state;
    struct bench b = {.session = session,
                      .number = (size_t)region,
                      .region = session->v->program->regions[region]};
    if (session->kind == SESSION_COMPILED)
        return 0;
    params_read(&b, arguments);
    const struct array *unmeasured = arrays_read(&b, arrays);
    if (unmeasured)
        return region_give_up(&b, unmeasured);
    if (session->kind == SESSION_CHECKED) {
        region_meet(&b);
        return 0;
    }
    if (session->kind == SESSION_INTERPRETED)
        return region_interpret(&b);
    params_choose(&b);
    return session->kind == SESSION_ORDERED ? region_order(&b) : region_run(&b);
}

void session_prepare(const struct hosted_session *session)
{
    const struct kernel *base = session->v->program->regions[session->region]->kernel;
    const struct meeting *meeting = &session->board->regions[session->region];
    if (strcmp(session->witness, "cpu") != 0 || !meeting->is_met || base->n_params > PARAMS_MOST ||
        variant_indivisible(session->variant, meeting->params))
        return;
    for (size_t i = 0; i < session->variant->n_launches; i++) {
        const struct launch *launch = &session->variant->launches[i];
        llvm_prepare(session->v->ctx, launch->joined ? launch->joined : launch->kernel,
                     meeting->params);
    }
}
