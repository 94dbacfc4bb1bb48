/* Runs a kernel on given data: the frame of both interpreters.

   In: a verified kernel, values of its parameters, the global arrays. Out: the arrays changed, a
   status and a message. The kernel is translated to closures for these parameters
   (ir/interpret_expr.c, _stmt.c), its arrays are laid out (_memory.c), then every grid point is run
   (_block.c). The first fault ends the run by a jump back to here; all memory of a run lies in an
   arena of its own. */
#include "ir/interpret_code.h"
#include <assert.h>

enum { THREADS_MAX = 1 << 20 };
static const uint64_t steps_default = (uint64_t)1 << 32;

const char *interpret_status_name(enum interpret_status status)
{
    static const char *const names[] = {"done",          "race",       "divergence", "bounds",
                                        "uninitialised", "arithmetic", "alignment",  "budget"};
    return names[status];
}

void interpret_stop(struct interpreter *run, enum interpret_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->result.status = status;
    run->result.message = arena_vprintf(run->arena, format, arguments);
    va_end(arguments);
    longjmp(run->stop, 1);
}

const char *interpret_place(struct interpreter *run, struct loc loc)
{
    return loc.source
               ? arena_printf(run->arena, "%s:%u:%u: ", loc.source->path, loc.line, loc.column)
               : "";
}

/* The scalars and arrays of the block level, and whether one of them gets its values in bands. */
struct survey {
    struct map *outer;
    bool in_band, carried;
};

static void find_carried(struct survey *survey, const struct stmt *s)
{
    if (s->kind == STMT_ARRAY && !survey->in_band)
        survey->carried = true;
    if (s->kind == STMT_LET && !survey->in_band)
        map_put_pointer(survey->outer, s->var, (void *)s->var);
    if (s->kind == STMT_SET && survey->in_band && map_get_pointer(survey->outer, s->var))
        survey->carried = true;
    bool outer = survey->in_band;
    survey->in_band |= s->kind == STMT_BAND;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            find_carried(survey, s->children[i]);
    survey->in_band = outer;
}

/* Product of the extents; 0 if one is not positive. */
static int64_t box_size(struct interpreter *run, const struct axis *axes, int n, int64_t *extents)
{
    int64_t product = 1;
    for (int i = 0; i < n; i++) {
        union value value;
        if (!expr_evaluate(run->kernel, axes[i].extent, run->input->params, &value))
            interpret_stop(run, INTERPRET_ARITHMETIC, "the extent '%s' of '%s' has no value",
                           expr_text(run->arena, axes[i].extent), axes[i].var->name);
        extents[i] = value.integer > 0 ? value.integer : 0;
        if (__builtin_mul_overflow(product, extents[i], &product))
            interpret_stop(run, INTERPRET_ARITHMETIC, "more than 2^63 points");
    }
    return product;
}

static void open_frames(struct interpreter *run)
{
    int64_t n = run->n_frames;
    if (n > THREADS_MAX || n * (run->n_slots + 1) > ((int64_t)1 << 27))
        interpret_stop(run, INTERPRET_BUDGET, "%lld threads in a block", (long long)n);
    union value *values = ARENA_ARRAY(run->scratch, union value, n * run->n_slots + 1);
    unsigned char *defined = ARENA_ARRAY(run->scratch, unsigned char, n * run->n_slots + 1);
    run->threads = ARENA_ARRAY(run->scratch, struct thread, n);
    run->order = ARENA_ARRAY(run->scratch, int64_t, n);
    for (int64_t i = 0; i < n; i++) {
        run->order[i] = i;
        run->threads[i] = (struct thread){run, i, values + i * run->n_slots,
                                          defined + i * run->n_slots};
    }
}

/* The kernel's body up to the statements of the last block, which are *last (NULL: none). */
static const struct action *open_run(struct interpreter *run, const struct action **last)
{
    const struct kernel *k = run->kernel;
    const struct stmt *end = body_last(k->body);
    int64_t extents[AXES_MAX];
    run->n_threads = box_size(run, k->block, k->n_block, extents);
    if (run->input->threads)
        run->n_threads = run->input->threads;
    struct survey survey = {.outer = map_new(run->scratch)};
    find_carried(&survey, k->body);
    run->n_frames = run->checked || survey.carried ? run->n_threads : 1;
    if (run->n_frames < 1)
        return NULL;
    for (int i = 0; i < k->n_arrays; i++) {
        run->memories[i].array = k->arrays[i];
        run->memories[i].bytes = type_bytes(k->arrays[i]->element);
        map_put_pointer(run->arrays, k->arrays[i], &run->memories[i]);
    }
    const struct action *body = action_make(run, body_without_last(run->scratch, k->body));
    *last = end ? action_make(run, end->children[0]) : NULL;
    open_frames(run);
    memory_open(run);
    return body;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* All grid points; a seed visits the blocks by steps that are prime to their number. */
static void run_blocks(struct interpreter *run, const struct action *body, int64_t points)
{
    int64_t given = run->checked ? run->input->blocks : 0,
            blocks = given > 0 && given < points ? given : points;
    int64_t begin = 0, stride = 1;
    if (run->input->seed && blocks > 2) {
        begin = (int64_t)(run->input->seed % (uint64_t)blocks);
        stride = 1 + (int64_t)((run->input->seed >> 8) * 2654435761u % (uint64_t)(blocks - 1));
        while (common_divisor(blocks, stride) != 1)
            stride = stride % (blocks - 1) + 1;
    }
    int64_t block = begin;
    for (int64_t i = 0; i < blocks; i++) {
        block_begin(run);
        run->block = block;
        block_run(run, body);
        while (run->block < points - blocks) {
            run->block += blocks;
            block_run(run, body);
        }
        block = block >= blocks - stride ? block - (blocks - stride) : block + stride;
    }
}

/* The blocks of the part alone. */
static int64_t part_size(struct interpreter *run, int64_t blocks)
{
    const struct interpret_part *part = run->input->part;
    if (!part || blocks == 0)
        return blocks;
    int64_t extent = run->grid_extents[part->axis];
    int64_t from = part->from > 0 ? part->from : 0, to = part->to < extent ? part->to : extent;
    run->grid_begin[part->axis] = from;
    run->grid_extents[part->axis] = to > from ? to - from : 0;
    return blocks / extent * run->grid_extents[part->axis];
}

/* A launch whose last block does something has no parts. */
static void run_kernel(struct interpreter *run)
{
    const struct kernel *k = run->kernel;
    assert(!run->input->part || !body_last(k->body));
    const struct divisible *fact = kernel_indivisible(k, run->input->params);
    if (fact)
        interpret_stop(run, INTERPRET_ARITHMETIC, "the kernel needs %s to be divisible by %lld",
                       poly_text(run->arena, fact->value), (long long)fact->divisor);
    int64_t blocks = part_size(run, box_size(run, k->grid, k->n_grid, run->grid_extents));
    const struct action *last = NULL, *body = blocks ? open_run(run, &last) : NULL;
    if (body)
        run_blocks(run, body, blocks);
    if (last)
        block_run_last(run, last);
}

static struct interpret_result interpret(struct arena *arena, const struct kernel *kernel,
                                         const struct interpret_input *input, bool checked)
{
    struct arena *scratch = arena_new();
    struct interpreter *run = ARENA_NEW(scratch, struct interpreter);
    run->arena = arena;
    run->scratch = scratch;
    run->kernel = kernel;
    run->input = input;
    run->checked = checked;
    run->result.message = "";
    run->steps = input->steps ? input->steps : steps_default;
    run->random = input->seed;
    run->counts = input->counts;
    run->slots = map_new(scratch);
    run->arrays = map_new(scratch);
    run->memories = ARENA_ARRAY(scratch, struct memory, kernel->n_arrays);
    run->grid = ARENA_ARRAY(scratch, union value, kernel->n_grid);
    if (!setjmp(run->stop))
        run_kernel(run);
    struct interpret_result result = run->result;
    arena_free(scratch);
    return result;
}

struct interpret_result interpret_serial(struct arena *arena, const struct kernel *kernel,
                                         const struct interpret_input *input)
{
    return interpret(arena, kernel, input, false);
}

struct interpret_result interpret_threads(struct arena *arena, const struct kernel *kernel,
                                          const struct interpret_input *input)
{
    return interpret(arena, kernel, input, true);
}
