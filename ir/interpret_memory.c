/* The arrays of a run, and the checks on every access: bounds, values never written, races.

   Races between threads of a block: two accesses of one element by different threads in one epoch
   (no barrier between them), one of them a write. Per element the last write and the first read of
   the epoch, and whether there were more readers, decide this exactly. Races between blocks: two
   grid points touch one element of a global array, one writes; nothing orders blocks, so one such
   pair in the whole run is an error. Arrays the kernel never stores to need neither. Accumulating
   stores of one operator do not race with each other: to the checks they are the writes of one
   thread that is in all blocks and is none of the threads. Where one block alone accumulated, it
   may read behind a barrier. Statements of the last block come behind all other blocks.

   Shared arrays lie at their byte offsets in one buffer, cut into granules that divide all offsets
   and element sizes, so that arrays that overlap are seen to be the same memory. Shared memory is
   without values when a block begins. */
#include "ir/fold.h"
#include "ir/interpret_code.h"
#include "ir/reduction.h"
#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct cell) == INTERPRET_NOTE, "as ir/interpret.h says");

static int64_t extent_of(struct interpreter *run, const struct expr *e, const char *what)
{
    union value value;
    if (!expr_evaluate(run->kernel, e, run->input->params, &value))
        interpret_stop(run, INTERPRET_ARITHMETIC, "the extent '%s' of '%s' has no value",
                       expr_text(run->arena, e), what);
    return value.integer;
}

/* Extents; the number of elements (saturated) where all are known. */
static void open_dims(struct interpreter *run, struct memory *m)
{
    const struct array *a = m->array;
    m->dims = ARENA_ARRAY(run->scratch, int64_t, a->n_dims);
    m->count = 1;
    for (int i = 0; i < a->n_dims; i++) {
        m->dims[i] = a->dims[i] ? extent_of(run, a->dims[i], a->name) : -1;
        if (a->dims[i] && m->dims[i] < 0)
            m->dims[i] = 0;
        if (__builtin_mul_overflow(m->count, m->dims[i] < 0 ? 1 : m->dims[i], &m->count))
            m->count = INT64_MAX;
    }
}

static void *take(struct interpreter *run, int64_t count, int64_t times, size_t size)
{
    int64_t n;
    if (__builtin_mul_overflow(count, times, &n) || n > INTERPRET_NOTES_MOST / (int64_t)size)
        interpret_stop(run, INTERPRET_BUDGET, "too much memory: %lld times %lld", (long long)count,
                       (long long)times);
    return arena_alloc(run->scratch, (size_t)(n ? n : 1) * size);
}

static unsigned greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (unsigned)a;
}

static void open_shared(struct interpreter *run)
{
    const struct kernel *k = run->kernel;
    run->shared_bytes = k->shared_bytes ? extent_of(run, k->shared_bytes, "shared memory") : 0;
    if (run->shared_bytes < 0)
        run->shared_bytes = 0;
    run->granule = 8;
    for (int i = 0; i < k->n_arrays; i++) {
        struct memory *m = &run->memories[i];
        if (m->array->space != SPACE_SHARED)
            continue;
        m->offset = m->array->offset ? extent_of(run, m->array->offset, m->array->name) : 0;
        if (m->offset < 0)
            interpret_stop(run, INTERPRET_BOUNDS, "the shared array '%s' begins at byte %lld",
                           m->array->name, (long long)m->offset);
        run->granule =
            greatest_common_divisor(run->granule,
                                    greatest_common_divisor(m->bytes, (uint64_t)m->offset));
    }
    int64_t n = run->shared_bytes / run->granule + 1;
    run->shared = take(run, run->shared_bytes, 1, 1);
    run->shared_defined = take(run, n, 1, 1);
    run->shared_cells = run->checked ? take(run, n, 1, sizeof(struct cell)) : NULL;
    async_open(run, n);
}

void memory_open(struct interpreter *run)
{
    const struct kernel *k = run->kernel;
    for (int i = 0; i < k->n_arrays; i++) {
        struct memory *m = &run->memories[i];
        open_dims(run, m);
        if (m->array->space == SPACE_GLOBAL) {
            m->data = run->input->arrays[i].data;
            m->count = (int64_t)run->input->arrays[i].count;
            m->may = run->input->part && run->input->part->may ? run->input->part->may[i] : NULL;
            if (run->checked && stmt_stores_to(k->body, m->array))
                m->cells = take(run, m->count, 1, sizeof(struct cell));
            m->reduction = stmt_accumulates_in(k->body, m->array);
            if (m->reduction && !reduction_is_exact(m->reduction, m->array->element))
                m->sums = take(run, m->count, 1, sizeof *m->sums);
        } else if (m->array->space == SPACE_PRIVATE) {
            m->values = take(run, m->count, run->n_frames, sizeof(union value));
            m->defined = take(run, m->count, run->n_frames, 1);
        }
    }
    open_shared(run);
}

void memory_new_block(struct interpreter *run)
{
    memset(run->shared_defined, 0, (size_t)(run->shared_bytes / run->granule));
}

/* "ta[3][4]" */
static const char *element_text(struct interpreter *run, const struct memory *m, int64_t flat)
{
    struct str text = str_new(run->arena);
    int64_t indices[16];
    int n = m->array->n_dims < 16 ? m->array->n_dims : 16;
    for (int i = n - 1; i >= 0; i--) {
        int64_t extent = i ? m->dims[i] : 0;
        indices[i] = extent > 0 ? flat % extent : flat;
        flat = extent > 0 ? flat / extent : 0;
    }
    str_add(&text, m->array->name);
    for (int i = 0; i < n; i++)
        str_addf(&text, "[%lld]", (long long)indices[i]);
    return text.text;
}

static const char *space_text(const struct memory *m)
{
    static const char *const names[] = {"global", "shared", "private"};
    return names[m->array->space];
}

static _Noreturn void stop_bounds(struct thread *t, const struct memory *m, int dimension,
                                  int64_t index, struct loc loc)
{
    struct interpreter *run = t->run;
    if (dimension >= 0 && m->dims[dimension] >= 0)
        interpret_stop(
            run, INTERPRET_BOUNDS,
            "%ssubscript %d of the %s array '%s' is %lld, not in 0..%lld (block %lld, thread %lld)",
            interpret_place(run, loc), dimension + 1, space_text(m), m->array->name,
            (long long)index, (long long)m->dims[dimension] - 1, (long long)run->block,
            (long long)t->number);
    interpret_stop(run, INTERPRET_BOUNDS,
                   "%selement %lld of the %s array '%s' of %lld elements (block %lld, thread %lld)",
                   interpret_place(run, loc), (long long)index, space_text(m), m->array->name,
                   (long long)m->count, (long long)run->block, (long long)t->number);
}

/* The element's number in row-major order, checked against every extent and the whole. */
static inline int64_t locate(const struct memory *m, const struct closure *const *subscripts,
                             struct thread *t, struct loc loc)
{
    int64_t flat = 0;
    for (int i = 0; i < m->array->n_dims; i++) {
        int64_t index = subscripts[i]->run(subscripts[i], t).integer, extent = m->dims[i];
        if (index < 0 || (extent >= 0 && index >= extent))
            stop_bounds(t, m, i, index, loc);
        if (i && (__builtin_mul_overflow(flat, extent, &flat) ||
                  __builtin_add_overflow(flat, index, &flat)))
            stop_bounds(t, m, -1, index, loc);
        flat = i ? flat : index;
    }
    if (flat >= m->count)
        stop_bounds(t, m, -1, flat, loc);
    return flat;
}

static _Noreturn void stop_race(struct thread *t, const struct memory *m, int64_t flat,
                                uint32_t other, const char *what, struct loc loc)
{
    struct interpreter *run = t->run;
    const char *name = other >= ACCUMULATORS(REDUCE_COUNT)
                           ? "several threads"
                           : arena_printf(run->arena, "thread %u", other);
    interpret_stop(
        run, INTERPRET_RACE,
        "%srace on the %s element %s of block %lld: thread %lld %s without a barrier between",
        interpret_place(run, loc), space_text(m), element_text(run, m, flat), (long long)run->block,
        (long long)t->number, arena_printf(run->arena, what, name));
}

static _Noreturn void stop_block_race(struct thread *t, const struct memory *m, int64_t flat,
                                      bool is_write, bool other_wrote, struct loc loc)
{
    interpret_stop(t->run, INTERPRET_RACE,
                   "%srace on the %s element %s between blocks: block %lld (thread %lld) %s what "
                   "another block %s",
                   interpret_place(t->run, loc), space_text(m), element_text(t->run, m, flat),
                   (long long)t->run->block, (long long)t->number, is_write ? "writes" : "reads",
                   other_wrote ? "writes" : "reads");
}

static inline void note_read(struct thread *t, const struct memory *m, struct cell *cell,
                             int64_t flat, struct loc loc)
{
    struct interpreter *run = t->run;
    uint32_t me = (uint32_t)t->number;
    if (cell->write_epoch == run->epoch && cell->write_thread != me)
        stop_race(t, m, flat, cell->write_thread, "reads what %s wrote", loc);
    if (cell->read_epoch != run->epoch) {
        cell->read_epoch = run->epoch;
        cell->read_thread = me;
    } else if (cell->read_thread != me) {
        cell->read_thread = READER_MANY;
    }
    if (m->array->space != SPACE_GLOBAL || run->is_last)
        return;
    if (cell->write_block && cell->write_block != run->block_ordinal)
        stop_block_race(t, m, flat, false, true, loc);
    if (cell->read_block != run->block_ordinal)
        cell->read_block = cell->read_block ? READER_MANY : run->block_ordinal;
}

static inline void note_write(struct thread *t, const struct memory *m, struct cell *cell,
                              int64_t flat, struct loc loc)
{
    struct interpreter *run = t->run;
    uint32_t me = (uint32_t)t->number;
    bool has_accumulated = cell->write_thread >= ACCUMULATORS(REDUCE_COUNT);
    if (cell->write_epoch == run->epoch && cell->write_thread != me)
        stop_race(t, m, flat, cell->write_thread, "writes what %s wrote", loc);
    if (cell->read_epoch == run->epoch && cell->read_thread != me)
        stop_race(t, m, flat, cell->read_thread, "writes what %s read", loc);
    cell->write_epoch = run->epoch;
    cell->write_thread = me;
    if (m->array->space != SPACE_GLOBAL || run->is_last)
        return;
    if (cell->write_block && (cell->write_block != run->block_ordinal || has_accumulated))
        stop_block_race(t, m, flat, true, true, loc);
    if (cell->read_block && cell->read_block != run->block_ordinal)
        stop_block_race(t, m, flat, true, false, loc);
    cell->write_block = run->block_ordinal;
}

static inline void note_accumulation(struct thread *t, const struct memory *m, struct cell *cell,
                                     int64_t flat, enum reduce_op reduction, struct loc loc)
{
    struct interpreter *run = t->run;
    uint32_t all = ACCUMULATORS(reduction);
    bool has_accumulated = cell->write_thread == all;
    if (cell->write_epoch == run->epoch && cell->write_thread != all)
        stop_race(t, m, flat, cell->write_thread, "accumulates in what %s wrote", loc);
    if (cell->read_epoch == run->epoch)
        stop_race(t, m, flat, cell->read_thread, "accumulates in what %s read", loc);
    cell->write_epoch = run->epoch;
    cell->write_thread = all;
    if (m->array->space != SPACE_GLOBAL || run->is_last)
        return;
    if (cell->write_block && !has_accumulated)
        stop_block_race(t, m, flat, true, true, loc);
    if (cell->read_block)
        stop_block_race(t, m, flat, true, false, loc);
    cell->write_block = cell->write_block && cell->write_block != run->block_ordinal
                            ? all
                            : run->block_ordinal;
}

/* The byte of the block's buffer where the element begins. */
static int64_t shared_place(struct thread *t, const struct memory *m, int64_t flat, struct loc loc)
{
    struct interpreter *run = t->run;
    int64_t begin, size;
    if (__builtin_mul_overflow(flat, (int64_t)m->bytes, &size) ||
        __builtin_add_overflow(size, m->offset, &begin) ||
        begin > run->shared_bytes - (int64_t)m->bytes)
        interpret_stop(run, INTERPRET_BOUNDS,
                       "%s%s lies beyond the %lld bytes of shared memory (block %lld, thread %lld)",
                       interpret_place(run, loc), element_text(run, m, flat),
                       (long long)run->shared_bytes, (long long)run->block, (long long)t->number);
    if ((size_t)begin + m->bytes > run->result.shared_top)
        run->result.shared_top = (size_t)begin + m->bytes;
    return begin;
}

/* Has the granule of the block's buffer a value? */
static inline void check_defined(struct thread *t, const struct memory *m, int64_t granule,
                                 int64_t flat, struct loc loc)
{
    struct interpreter *run = t->run;
    if (!run->shared_defined[granule])
        interpret_stop(run, INTERPRET_UNINITIALISED,
                       "%sthe shared element %s is read but has no value (block %lld, thread %lld)",
                       interpret_place(run, loc), element_text(run, m, flat), (long long)run->block,
                       (long long)t->number);
}

/* May the granule be touched, or is a copy to it under way? */
static inline void check_arrived(struct thread *t, const struct memory *m, int64_t granule,
                                 int64_t flat, struct loc loc)
{
    struct interpreter *run = t->run;
    if (run->shared_flying && run->shared_flying[granule])
        interpret_stop(run, INTERPRET_RACE,
                       "%srace on the shared element %s of block %lld: thread %lld touches it "
                       "while an asynchronous copy to it is under way",
                       interpret_place(run, loc), element_text(run, m, flat), (long long)run->block,
                       (long long)t->number);
}

static union value shared_load(const struct memory *m, int64_t flat, struct thread *t,
                               struct loc loc)
{
    struct interpreter *run = t->run;
    int64_t begin = shared_place(t, m, flat, loc), first = begin / run->granule;
    for (unsigned i = 0; i < m->bytes / run->granule; i++) {
        check_arrived(t, m, first + i, flat, loc);
        if (run->shared_cells)
            note_read(t, m, &run->shared_cells[first + i], flat, loc);
        check_defined(t, m, first + i, flat, loc);
    }
    return value_load(m->array->element, run->shared + begin);
}

static union value private_load(const struct memory *m, int64_t flat, struct thread *t,
                                struct loc loc)
{
    int64_t at = (t - t->run->threads) * m->count + flat;
    if (!m->defined[at])
        interpret_stop(
            t->run, INTERPRET_UNINITIALISED,
            "%sthe private element %s is read but has no value (block %lld, thread %lld)",
            interpret_place(t->run, loc), element_text(t->run, m, flat), (long long)t->run->block,
            (long long)t->number);
    return m->values[at];
}

/* Tells whoever listens of an access to `count` elements from `flat` on; the caller states node,
   place and direction. */
static void report_access(struct thread *t, const struct memory *m, struct interpret_access access,
                          int64_t flat, int count)
{
    struct interpreter *run = t->run;
    if (!run->input->trace || !run->checked || m->array->space == SPACE_PRIVATE)
        return;
    access.array = m->array;
    access.byte = m->offset + flat * m->bytes;
    access.bytes = (unsigned)count * m->bytes;
    access.block = run->block;
    access.thread = t->number;
    access.execution = run->execution;
    access.pass = run->pass;
    access.rounds = run->rounds;
    run->input->trace->access(run->input->trace->state, &access);
}

/* A closure, as an action, is made for each place of the kernel, whatever expressions share. */
static void report_load(struct thread *t, const struct closure *load, int64_t flat, int count)
{
    struct interpret_access access = {.node = load->source, .place = load};
    report_access(t, load->memory, access, flat, count);
}

static void report_store(struct thread *t, const struct action *store, int64_t flat, int count)
{
    struct interpret_access access = {.node = store->source, .place = store, .is_write = true};
    report_access(t, store->memory, access, flat, count);
}

/* Does the access belong to the part that runs? */
static inline void check_part(struct thread *t, const struct memory *m, int64_t flat, int access,
                              struct loc loc)
{
    if (m->may && !(m->may[flat] & access))
        interpret_stop(t->run, INTERPRET_BOUNDS,
                       "%sthe part from block %lld to %lld of axis %d %s %s, which is in none of "
                       "its rows", interpret_place(t->run, loc),
                       (long long)t->run->input->part->from, (long long)t->run->input->part->to,
                       t->run->input->part->axis,
                       access == INTERPRET_MAY_READ ? "reads" : "writes",
                       element_text(t->run, m, flat));
}

/* `is_end`: what begins or ends sums reads elements among their accumulations, which reduce.c puts
   in order. */
static union value element_load(const struct memory *m, int64_t flat, bool is_end, struct thread *t,
                                struct loc loc)
{
    if (t->run->counts)
        t->run->counts->loads[m - t->run->memories]++;
    if (m->array->space == SPACE_SHARED)
        return shared_load(m, flat, t, loc);
    if (m->array->space == SPACE_PRIVATE)
        return private_load(m, flat, t, loc);
    check_part(t, m, flat, INTERPRET_MAY_READ, loc);
    if (m->cells && !(is_end && m->reduction))
        note_read(t, m, &m->cells[flat], flat, loc);
    return value_load(m->array->element, m->data + flat * m->bytes);
}

/* Any order of n terms is wrong by at most (n - 1) * eps / 2 of the sum of their absolute values, a
   product by as much of itself (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). */
static double error_of(const struct memory *m, int64_t flat)
{
    double eps = type_epsilon(m->array->element);
    return m->sums[flat].count * eps * m->sums[flat].magnitude;
}

union value memory_load(const struct closure *c, struct thread *t)
{
    struct loc loc = c->source->loc;
    const struct memory *m = c->memory;
    int64_t flat = locate(m, c->operands, t, loc);
    report_load(t, c, flat, 1);
    union value value = element_load(m, flat, c->in_end, t, loc);
    if (c->in_end && m->sums && m->array == t->run->input->shifted) {
        double shifted = value.real + error_of(m, flat);
        value.real = real_round(m->array->element, shifted);
    }
    return value;
}

/* The byte of the block's buffer where a thread writes the element. */
static int64_t shared_write(const struct memory *m, int64_t flat, struct thread *t, struct loc loc)
{
    struct interpreter *run = t->run;
    int64_t begin = shared_place(t, m, flat, loc), first = begin / run->granule;
    for (unsigned i = 0; i < m->bytes / run->granule; i++) {
        check_arrived(t, m, first + i, flat, loc);
        if (run->shared_cells)
            note_write(t, m, &run->shared_cells[first + i], flat, loc);
    }
    return begin;
}

static void shared_store(const struct memory *m, int64_t flat, union value value, struct thread *t,
                         struct loc loc)
{
    struct interpreter *run = t->run;
    int64_t begin = shared_write(m, flat, t, loc);
    memset(run->shared_defined + begin / run->granule, 1, m->bytes / run->granule);
    value_store(m->array->element, run->shared + begin, value);
}

/* The store of an asynchronous copy; a serial reading makes a plain store. */
static void shared_start(const struct memory *m, int64_t flat, union value value, struct thread *t,
                         struct loc loc)
{
    unsigned char data[sizeof(union value)];
    if (!t->run->shared_flying) {
        shared_store(m, flat, value, t, loc);
        return;
    }
    value_store(m->array->element, data, value);
    async_begin(t->run, shared_write(m, flat, t, loc), m->bytes, data);
}

/* A store that begins or ends sums counts as one more accumulation. */
static void element_store(const struct memory *m, int64_t flat, const struct stmt *source,
                          union value value, struct thread *t)
{
    struct loc loc = source->loc;
    if (t->run->counts)
        t->run->counts->stores[m - t->run->memories]++;
    if (m->array->space == SPACE_SHARED) {
        (source->async ? shared_start : shared_store)(m, flat, value, t, loc);
    } else if (m->array->space == SPACE_PRIVATE) {
        int64_t at = (t - t->run->threads) * m->count + flat;
        m->values[at] = value;
        m->defined[at] = 1;
    } else {
        check_part(t, m, flat, INTERPRET_MAY_WRITE, loc);
        if (m->cells && source->end && m->reduction)
            note_accumulation(t, m, &m->cells[flat], flat, m->reduction, loc);
        else if (m->cells)
            note_write(t, m, &m->cells[flat], flat, loc);
        value_store(m->array->element, m->data + flat * m->bytes, value);
    }
}

void memory_store(const struct action *s, struct thread *t)
{
    struct loc loc = s->source->loc;
    interpret_step(t->run);
    union value value = s->value->run(s->value, t);
    int64_t flat = locate(s->memory, s->operands, t, loc);
    report_store(t, s, flat, 1);
    element_store(s->memory, flat, s->source, value, t);
}

static void note_term(struct interpreter *run, const struct memory *m, int64_t flat,
                      enum reduce_op reduction, double term, double result)
{
    struct summed *sum = &m->sums[flat];
    double begin = sum->count ? sum->magnitude : fabs(result - term);
    sum->magnitude = reduction == REDUCE_MUL ? fabs(result) : begin + fabs(term);
    sum->count++;
    double error = error_of(m, flat);
    if (error > run->result.sum_error)
        run->result.sum_error = error;
}

static void shared_accumulate(const struct memory *m, int64_t flat, union value value,
                              const struct stmt *source, struct thread *t)
{
    struct interpreter *run = t->run;
    struct loc loc = source->loc;
    int64_t begin = shared_place(t, m, flat, loc), first = begin / run->granule;
    for (unsigned i = 0; i < m->bytes / run->granule; i++) {
        check_arrived(t, m, first + i, flat, loc);
        if (run->shared_cells)
            note_accumulation(t, m, &run->shared_cells[first + i], flat, source->reduction, loc);
        check_defined(t, m, first + i, flat, loc);
    }
    unsigned char *place = run->shared + begin;
    enum type type = m->array->element;
    value_store(type, place,
              reduction_apply(source->reduction, type, value_load(type, place), value));
}

void memory_accumulate(const struct action *s, struct thread *t)
{
    const struct memory *m = s->memory;
    enum type type = m->array->element;
    enum reduce_op reduction = s->source->reduction;
    struct loc loc = s->source->loc;
    interpret_step(t->run);
    union value value = s->value->run(s->value, t);
    int64_t flat = locate(m, s->operands, t, loc);
    report_store(t, s, flat, 1);
    if (t->run->counts)
        t->run->counts->stores[m - t->run->memories]++;
    if (m->array->space == SPACE_SHARED) {
        shared_accumulate(m, flat, value, s->source, t);
        return;
    }
    unsigned char *place = m->data + flat * m->bytes;
    check_part(t, m, flat, INTERPRET_MAY_READ, loc);
    check_part(t, m, flat, INTERPRET_MAY_WRITE, loc);
    if (m->cells)
        note_accumulation(t, m, &m->cells[flat], flat, reduction, loc);
    union value result = reduction_apply(reduction, type, value_load(type, place), value);
    value_store(type, place, result);
    if (m->sums)
        note_term(t->run, m, flat, reduction, value.real, result.real);
}

/* The first of `width` elements in one row, at a multiple of the vector's bytes. */
static int64_t locate_vector(const struct memory *m, const struct closure *const *subscripts,
                             int width, struct thread *t, struct loc loc)
{
    int64_t flat = locate(m, subscripts, t, loc), last = flat + width - 1;
    int64_t row = m->array->n_dims ? m->dims[m->array->n_dims - 1] : -1;
    if (last >= m->count || (row > 0 && flat % row + width > row))
        stop_bounds(t, m, -1, last, loc);
    int64_t begin = m->array->space == SPACE_SHARED ? shared_place(t, m, flat, loc)
                                                    : flat * (int64_t)m->bytes;
    if (begin % (width * (int64_t)m->bytes) != 0)
        interpret_stop(
            t->run, INTERPRET_ALIGNMENT,
            "%sa vector of %d elements begins at byte %lld of the %s, %s (block %lld, thread %lld)",
            interpret_place(t->run, loc), width, (long long)begin,
            m->array->space == SPACE_SHARED ? "shared memory" : "array",
            element_text(t->run, m, flat), (long long)t->run->block, (long long)t->number);
    return flat;
}

void memory_copy(const struct action *s, struct thread *t)
{
    bool is_guarded = s->source->value->kind == EXPR_SELECT;
    const struct closure *load = is_guarded ? s->value->b : s->value;
    const struct memory *to = s->memory, *from = load->memory;
    struct loc loc = s->source->loc;
    int width = s->source->width;
    union value values[VECTOR_BYTES] = {{0}};
    interpret_step(t->run);
    bool is_inside = !is_guarded || s->value->a->run(s->value->a, t).integer;
    int64_t target = locate_vector(to, s->operands, width, t, loc);
    if (is_inside) {
        int64_t source = locate_vector(from, load->operands, width, t, load->source->loc);
        report_load(t, load, source, width);
        for (int i = 0; i < width; i++)
            values[i] = element_load(from, source + i, false, t, loc);
    }
    report_store(t, s, target, width);
    for (int i = 0; i < width; i++)
        element_store(to, target + i, s->source, values[i], t);
}

void memory_create(const struct action *s, struct thread *t)
{
    const struct memory *m = s->memory;
    interpret_step(t->run);
    memset(m->defined + (t - t->run->threads) * m->count, 0, (size_t)m->count);
}
