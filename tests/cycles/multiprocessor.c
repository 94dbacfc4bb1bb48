/* The multiprocessor: blocks come and go, four schedulers issue an instruction each in a cycle, in
   the order of each warp's text, when its registers are ready and its unit is free. In: a launch;
   out: the arrays as it leaves them, and cycles. When an instruction is issued its result's time is
   known, since every unit and cache is a queue in the order of issue; so nothing else has to be
   remembered, and cycles in which nothing happens are left out. */
#include "ir/ptx/ptx.h"
#include "tests/cycles/cache.h"
#include "tests/cycles/warp.h"
#include <string.h>

struct scheduler {
    int n_warps, last;          /* the warp that went last */
    struct warp **warps;
    int64_t unit_free[N_UNITS];
};

struct multiprocessor {
    struct world world;
    struct scheduler schedulers[MACHINE_SCHEDULERS];
    struct caches *caches;
    int64_t now, port_free;     /* of loads and stores */
    int64_t n_blocks, next_block;
    int live;                   /* blocks that run */
    struct cycles_result *result;
};

/* --- blocks ----------------------------------------------------------------------------------- */

static void block_start(struct multiprocessor *m, struct block *block)
{
    unsigned width = m->world.launch->grid[0];
    block->at[0] = (unsigned)(m->next_block % width);
    block->at[1] = (unsigned)(m->next_block / width);
    m->next_block++;
    m->live++;
    block->n_live = block->n_warps;
    block->n_waiting = 0;
    for (int i = 0; i < block->n_warps; i++) {
        warp_start(&m->world, &block->warps[i], block, i);
        block->warps[i].next = m->now;
    }
}

static void block_release(struct multiprocessor *m, struct block *block)
{
    if (block->n_waiting == 0 || block->n_waiting < block->n_live)
        return;
    block->n_waiting = 0;
    for (int i = 0; i < block->n_warps; i++)
        if (block->warps[i].waits) {
            block->warps[i].waits = false;
            block->warps[i].next = m->now + MACHINE_BARRIER_LATENCY;
        }
}

static void warp_end(struct multiprocessor *m, struct block *block)
{
    block->n_live--;
    block_release(m, block);
    if (block->n_live > 0)
        return;
    m->live--;
    if (m->next_block == m->n_blocks)
        return;
    block_start(m, block);
    for (int i = 0; i < block->n_warps; i++)
        block->warps[i].next = m->now + MACHINE_BLOCK_LATENCY;
}

static struct block *block_new(struct arena *arena, const struct world *w)
{
    int threads = (int)(w->launch->block[0] * w->launch->block[1]);
    struct block *made = ARENA_NEW(arena, struct block);
    size_t registers = (size_t)w->code->n_registers;
    made->n_warps = (threads + MACHINE_LANES - 1) / MACHINE_LANES;
    made->warps = ARENA_ARRAY(arena, struct warp, made->n_warps);
    made->shared = arena_alloc(arena, (size_t)w->shared_bytes + 1);
    for (int i = 0; i < made->n_warps; i++) {
        struct warp *warp = &made->warps[i];
        warp->values = ARENA_ARRAY(arena, uint64_t, registers * MACHINE_LANES + 1);
        warp->ready = ARENA_ARRAY(arena, int64_t, registers + 1);
        warp->local = arena_alloc(arena, (size_t)w->code->local_bytes * MACHINE_LANES + 1);
    }
    return made;
}

/* --- time ------------------------------------------------------------------------------------- */

static const int unit_cycles[N_UNITS] = {
    [UNIT_FLOAT] = MACHINE_FLOAT_CYCLES,     [UNIT_DOUBLE] = MACHINE_DOUBLE_CYCLES,
    [UNIT_INTEGER] = MACHINE_INTEGER_CYCLES, [UNIT_SPECIAL] = MACHINE_SPECIAL_CYCLES,
    [UNIT_MEMORY] = 1,                       [UNIT_BRANCH] = MACHINE_BRANCH_CYCLES,
};

/* The distinct numbers among `n`, in place; how many. */
static int distinct(uint64_t *numbers, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < kept && numbers[k] != numbers[i])
            k++;
        numbers[k] = numbers[i];
        kept += k == kept;
    }
    return kept;
}

enum { WORDS_MAX = 4 * MACHINE_LANES, BANKS = 32 };

/* Numbers of the pieces of `size` bytes that the lanes touch, without repetition. */
static int pieces_of(const struct access *access, int size, uint64_t *numbers)
{
    int n = 0;
    for (int lane = 0; lane < MACHINE_LANES; lane++) {
        uint64_t at = access->address[lane], end = at + (uint64_t)access->bytes;
        for (uint64_t piece = at / (uint64_t)size;
             access->lanes >> lane & 1 && piece * (uint64_t)size < end; piece++)
            numbers[n++] = piece;
    }
    return distinct(numbers, n);
}

/* Different words of one bank are served one after the other. */
static int64_t wavefronts_of(const struct access *access, int64_t *least)
{
    uint64_t words[WORDS_MAX];
    int count[BANKS] = {0}, most = 1, n = pieces_of(access, 4, words);
    for (int i = 0; i < n; i++) {
        int bank = ++count[words[i] % BANKS];
        most = bank > most ? bank : most;
    }
    *least = (n + BANKS - 1) / BANKS;
    return most;
}

/* Lanes of an atomic operation that meet at an address go one after the other. */
static int64_t meeting_of(const struct access *access)
{
    int64_t most = 1;
    for (int i = 0; i < MACHINE_LANES; i++) {
        int64_t count = 0;
        for (int k = 0; k < MACHINE_LANES; k++)
            count += access->lanes >> k & 1 && access->address[k] == access->address[i];
        most = count > most && access->lanes >> i & 1 ? count : most;
    }
    return most;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When the port takes the access, for so many cycles. */
static int64_t port_enter(struct multiprocessor *m, int64_t cycles)
{
    int64_t start = m->port_free > m->now ? m->port_free : m->now;
    m->port_free = start + cycles;
    return start;
}

static int64_t shared_time(struct multiprocessor *m, const struct access *access, bool is_atomic)
{
    int64_t least, wavefronts = wavefronts_of(access, &least),
                   again = is_atomic ? (meeting_of(access) - 1) * MACHINE_ATOMIC_LATENCY : 0;
    m->result->shared_wavefronts += wavefronts;
    m->result->shared_extra += wavefronts > least ? wavefronts - least : 0;
    return port_enter(m, wavefronts + again) + wavefronts - 1 + again + MACHINE_SHARED_LATENCY;
}

/* A cycle of the port for each line; its sectors follow when their line is served. */
static int64_t global_time(struct multiprocessor *m, const struct access *access, bool loads)
{
    uint64_t lines[WORDS_MAX], sectors[WORDS_MAX];
    int n_lines = pieces_of(access, MACHINE_LINE_BYTES, lines),
        n_sectors = pieces_of(access, MACHINE_SECTOR_BYTES, sectors);
    int64_t start = port_enter(m, n_lines), last = start;
    m->result->lines += n_lines;
    for (int line = 0; line < n_lines; line++)
        for (int i = 0; i < n_sectors; i++) {
            if (sectors[i] / (MACHINE_LINE_BYTES / MACHINE_SECTOR_BYTES) != lines[line])
                continue;
            int64_t there = loads ? caches_load(m->caches, start + line, sectors[i])
                                  : caches_store(m->caches, start + line, sectors[i]);
            last = there > last ? there : last;
        }
    return last;
}

/* Shared memory is written by the same port when the words are there: its cycles are charged at
   once. */
static void copy_begin(struct multiprocessor *m, struct warp *warp, const struct access *access)
{
    struct access into = {.lanes = access->into_lanes, .bytes = access->bytes};
    int64_t there = access->lanes ? global_time(m, access, true) : m->now;
    memcpy(into.address, access->into, sizeof into.address);
    int64_t least, wavefronts = into.lanes ? wavefronts_of(&into, &least) : 0;
    if (into.lanes) {
        m->result->shared_wavefronts += wavefronts;
        m->result->shared_extra += wavefronts > least ? wavefronts - least : 0;
        there = larger(there, port_enter(m, wavefronts)) + wavefronts;
    }
    warp->arrives = larger(warp->arrives, there);
}

static void group_end(struct warp *warp)
{
    memmove(warp->groups + 1, warp->groups, sizeof warp->groups - sizeof *warp->groups);
    warp->groups[0] = warp->arrives;
    warp->arrives = 0;
}

/* When all groups but the newest `pending` ones are there. */
static int64_t groups_time(const struct warp *warp, uint64_t pending)
{
    int64_t last = 0;
    for (uint64_t i = pending; i < GROUPS_MAX; i++)
        last = larger(last, warp->groups[i]);
    return last;
}

/* When the result of the access is there. */
static int64_t access_time(struct multiprocessor *m, const struct instruction *at,
                           const struct access *access)
{
    bool is_atomic = at->op == OP_ATOM || at->op == OP_RED;
    if (!access->lanes)
        return m->now + 1;
    if (access->space == SPACE_BLOCK)
        return shared_time(m, access, is_atomic);
    if (access->space == SPACE_THREAD)
        return port_enter(m, at->vector) + MACHINE_L1_LATENCY;
    int64_t there = global_time(m, access, at->op == OP_LD);
    return is_atomic ? there + (meeting_of(access) - 1) * MACHINE_ATOMIC_LATENCY : there;
}

/* --- issue ------------------------------------------------------------------------------------ */

static void warp_next(struct multiprocessor *m, struct warp *warp, int64_t least)
{
    if (warp->n_ways == 0)
        return;
    const struct instruction *at = warp_instruction(&m->world, warp);
    for (int i = 0; i < at->n_registers; i++)
        if (warp->ready[at->registers[i]] > least)
            least = warp->ready[at->registers[i]];
    warp->next = least;
}

static void barrier_reach(struct multiprocessor *m, struct warp *warp)
{
    warp->waits = true;
    warp->block->n_waiting++;
    block_release(m, warp->block);
}

static bool is_barrier(const struct instruction *at)
{
    return at->op == OP_BAR || at->op == OP_BARRIER;
}

static bool warp_issue(struct multiprocessor *m, struct scheduler *s, struct warp *warp)
{
    const struct instruction *at = warp_instruction(&m->world, warp);
    struct access access = {.lanes = 0};
    int64_t least = at->op == OP_WAIT ? groups_time(warp, at->operands[0].value) : 0;
    m->result->issued++;
    if (!warp_execute(&m->world, warp, &access))
        return false;
    s->unit_free[at->unit] = m->now + (int64_t)at->slots * unit_cycles[at->unit];
    int64_t ready = m->now + at->latency;
    if (at->op == OP_CP)
        copy_begin(m, warp, &access);
    else if (at->op == OP_COMMIT)
        group_end(warp);
    else if (at->unit == UNIT_MEMORY)
        ready = access_time(m, at, &access);
    for (int i = 0; i < at->n_results; i++)
        if (at->operands[i].kind == OPERAND_REGISTER)
            warp->ready[at->operands[i].number] = ready;
    warp_next(m, warp, larger(least, m->now + (at->op == OP_BRA ? MACHINE_BRANCH_LATENCY
                                                                : at->slots)));
    if (warp->n_ways == 0)
        warp_end(m, warp->block);
    else if (is_barrier(at))
        barrier_reach(m, warp);
    return true;
}

/* The first cycle in which the warp may go on. */
static int64_t warp_earliest(const struct multiprocessor *m, const struct scheduler *s,
                             const struct warp *warp)
{
    if (warp->n_ways == 0 || warp->waits)
        return INT64_MAX;
    enum unit unit = warp_instruction(&m->world, warp)->unit;
    int64_t at = warp->next, port = m->port_free - MACHINE_QUEUE_CYCLES;
    at = s->unit_free[unit] > at ? s->unit_free[unit] : at;
    return unit == UNIT_MEMORY && port > at ? port : at;
}

/* The next warp in turn that can. When the scheduler may go on otherwise enters *next. */
static bool scheduler_step(struct multiprocessor *m, struct scheduler *s, int64_t *next)
{
    for (int i = 1; i <= s->n_warps; i++) {
        int number = (s->last + i) % s->n_warps;
        int64_t at = warp_earliest(m, s, s->warps[number]);
        if (at <= m->now) {
            s->last = number;
            *next = m->now + 1;
            return warp_issue(m, s, s->warps[number]);
        }
        *next = at < *next ? at : *next;
    }
    return true;
}

static bool multiprocessor_run(struct multiprocessor *m)
{
    while (m->live > 0) {
        int64_t next = INT64_MAX;
        for (int i = 0; i < MACHINE_SCHEDULERS; i++)
            if (!scheduler_step(m, &m->schedulers[i], &next))
                return false;
        if (m->live > 0 && next == INT64_MAX) {
            diag_error(m->world.ctx, (struct loc){NULL, 0, 0}, "%s: its threads wait for ever",
                       m->world.code->name);
            return false;
        }
        m->now = next > m->now ? next : m->now + 1;
    }
    return true;
}

/* --- a launch --------------------------------------------------------------------------------- */

static int rounded(int value, int unit)
{
    return (value + unit - 1) / unit * unit;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Blocks at once. Registers are handed out to warps in units of 256, shared memory in units of 256
   bytes. */
static int resident_of(int threads, int registers, int shared)
{
    int warps = rounded(threads, MACHINE_LANES) / MACHINE_LANES,
        of_warp = rounded(registers * MACHINE_LANES, 256),
        by_registers = MACHINE_REGISTERS / MACHINE_SCHEDULERS / of_warp * MACHINE_SCHEDULERS / warps,
        by_shared = shared ? MACHINE_SHARED_BYTES / rounded(shared, 256) : MACHINE_BLOCKS;
    return least(least(MACHINE_WARPS / warps, by_registers), least(by_shared, MACHINE_BLOCKS));
}

/* What the resident blocks' shared memory leaves of the first cache: that comes in these steps. */
static int64_t first_cache_bytes(int shared)
{
    static const int steps[] = {0, 8, 16, 32, 64, 96};
    int i = 0;
    while (steps[i] * 1024 < shared && steps[i] < 96)
        i++;
    return (int64_t)(MACHINE_L1_KIB - steps[i]) * 1024;
}

static char *params_pack(struct arena *arena, const struct code *code, void *const *arguments)
{
    char *packed = arena_alloc(arena, (size_t)code->param_bytes + 1);
    for (int i = 0; i < code->n_params; i++)
        memcpy(packed + code->params[i].offset, arguments[i], (size_t)code->params[i].bytes);
    return packed;
}

static void blocks_place(struct multiprocessor *m, struct arena *arena, int resident)
{
    int slot = 0;
    for (int b = 0; b < resident && m->next_block < m->n_blocks; b++) {
        struct block *block = block_new(arena, &m->world);
        for (int i = 0; i < block->n_warps; i++, slot++) {
            struct scheduler *s = &m->schedulers[slot % MACHINE_SCHEDULERS];
            if (!s->warps)
                s->warps = ARENA_ARRAY(arena, struct warp *, MACHINE_WARPS);
            s->warps[s->n_warps++] = &block->warps[i];
        }
        block_start(m, block);
    }
}

static void result_finish(const struct multiprocessor *m)
{
    struct caches_counts counts = caches_counted(m->caches);
    int64_t idle = caches_idle(m->caches);
    m->result->cycles = idle > m->now ? idle : m->now;
    m->result->sectors_l2 = counts.sectors;
    m->result->bytes_memory = counts.bytes;
}

bool cycles_run(struct ctx *ctx, const struct cycles_launch *launch, struct cycles_result *result)
{
    struct code *code = cycles_code(ctx, launch->ptx, launch->entry);
    if (!code)
        return false;
    int shared = code->shared_bytes + (int)launch->dynamic_bytes,
        threads = (int)(launch->block[0] * launch->block[1]),
        registers = launch->registers ? launch->registers
                                      : ptx_registers(launch->ptx, launch->entry);
    int resident = registers > 0 ? resident_of(threads, registers, shared) : 0;
    if (resident < 1) {
        diag_error(ctx, (struct loc){NULL, 0, 0}, "%s: a block of %d threads, %d registers does not fit",
                   code->name, threads, registers);
        return false;
    }
    *result = (struct cycles_result){.resident = resident, .registers = registers};
    struct multiprocessor m = {
        .world = {ctx, code, launch, params_pack(ctx->arena, code, launch->arguments), shared},
        .n_blocks = (int64_t)launch->grid[0] * launch->grid[1], .result = result};
    if (resident > m.n_blocks)
        resident = (int)m.n_blocks;
    m.caches = caches_new(ctx->arena, first_cache_bytes(resident * shared));
    blocks_place(&m, ctx->arena, resident);
    if (!multiprocessor_run(&m))
        return false;
    result_finish(&m);
    return true;
}
