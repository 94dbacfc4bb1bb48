/* A warp's instructions, executed: values, memory, and which lanes go where. Lanes that part at a
   branch are ways of a stack: the last one runs until it comes to the instruction where they meet
   (flow.c); lanes that leave are taken out of all ways. */
#include "tests/cycles/warp.h"
#include "tests/cycles/execute.h"
#include <string.h>

static bool warp_fail(const struct world *w, const struct instruction *at, const char *why)
{
    diag_error(w->ctx, (struct loc){NULL, 0, 0}, "%s: %s: %s", w->code->name, at->text, why);
    return false;
}

void warp_start(const struct world *w, struct warp *warp, struct block *block, int number)
{
    int threads = (int)(w->launch->block[0] * w->launch->block[1]),
        left = threads - number * MACHINE_LANES;
    uint32_t lanes = left >= MACHINE_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    size_t registers = (size_t)w->code->n_registers;
    struct warp kept = *warp;
    *warp = (struct warp){.block = block, .number = number, .n_ways = 1,
                          .values = kept.values, .ready = kept.ready, .local = kept.local};
    warp->ways[0] = (struct way){0, w->code->n_instructions, lanes};
    memset(warp->values, 0, registers * MACHINE_LANES * sizeof *warp->values);
    memset(warp->ready, 0, registers * sizeof *warp->ready);
}

const struct instruction *warp_instruction(const struct world *w, const struct warp *warp)
{
    return &w->code->instructions[warp->ways[warp->n_ways - 1].at];
}

static uint64_t special_value(const struct world *w, const struct warp *warp, int number, int lane)
{
    const unsigned *grid = w->launch->grid, *block = w->launch->block;
    unsigned thread = (unsigned)(warp->number * MACHINE_LANES + lane);
    switch ((enum special)number) {
    case TID_X: return thread % block[0];
    case TID_Y: return thread / block[0];
    case NTID_X: return block[0];
    case NTID_Y: return block[1];
    case CTAID_X: return warp->block->at[0];
    case CTAID_Y: return warp->block->at[1];
    case NCTAID_X: return grid[0];
    case NCTAID_Y: return grid[1];
    case LANEID: return (uint64_t)lane;
    case NTID_Z: case NCTAID_Z: return 1;
    default: return 0;
    }
}

static uint64_t operand_value(const struct world *w, const struct warp *warp,
                              const struct operand *operand, int lane)
{
    switch (operand->kind) {
    case OPERAND_REGISTER:
        return warp->values[operand->number * MACHINE_LANES + lane] + operand->value;
    case OPERAND_SPECIAL:
        return special_value(w, warp, operand->number, lane);
    default:
        return operand->value;
    }
}

static void result_set(struct warp *warp, const struct operand *operand, int lane, uint64_t value)
{
    if (operand->kind == OPERAND_REGISTER)
        warp->values[operand->number * MACHINE_LANES + lane] = value;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Where the bytes at a device address lie for the timing: arrays one behind the other. False if they
   are in none. */
static bool memory_place(const struct world *w, uint64_t address, int bytes, uint64_t *place)
{
    uint64_t base = 0;
    for (int i = 0; i < w->launch->n_memories; i++) {
        const struct cycles_memory *memory = &w->launch->memories[i];
        uint64_t start = (uint64_t)(uintptr_t)memory->data;
        if (address >= start && address + (uint64_t)bytes <= start + memory->bytes) {
            *place = base + (address - start);
            return true;
        }
        base += (memory->bytes + 255) / 256 * 256;
    }
    return false;
}

/* The bytes of this process at an address of a space; NULL if there are none. */
static char *bytes_at(const struct world *w, const struct warp *warp, struct access *access,
                      int lane, uint64_t address)
{
    uint64_t end = address + (uint64_t)access->bytes, place = address;
    char *data = NULL;
    if (access->space == SPACE_PARAMETER && end <= (uint64_t)w->code->param_bytes)
        data = w->params + address;
    else if (access->space == SPACE_BLOCK && end <= (uint64_t)w->shared_bytes)
        data = warp->block->shared + address;
    else if (access->space == SPACE_THREAD && end <= (uint64_t)w->code->local_bytes)
        data = warp->local + (size_t)lane * (size_t)w->code->local_bytes + address;
    else if (access->space == SPACE_MEMORY && memory_place(w, address, access->bytes, &place))
        data = (char *)(uintptr_t)address;
    access->address[lane] = place;
    return data;
}

/* A generic address of a thread's own memory is a small one. */
static enum space space_at(const struct world *w, const struct instruction *at, uint64_t address)
{
    if (at->space != SPACE_GENERIC)
        return at->space;
    return address < (uint64_t)w->code->local_bytes ? SPACE_THREAD : SPACE_MEMORY;
}

static uint64_t extended(struct ptx_type type, uint64_t value)
{
    int above = 64 - type.bits;
    return type.kind == KIND_SIGNED && above ? (uint64_t)((int64_t)(value << above) >> above)
                                             : value;
}

/* One lane's load, store or atomic operation on the bytes at `data`. */
static void lane_access(const struct world *w, struct warp *warp, const struct instruction *at,
                        int lane, char *data)
{
    size_t bytes = (size_t)at->type.bits / 8;
    bool stores = at->op == OP_ST;
    for (int i = 0; i < at->vector && (stores || at->op == OP_LD); i++) {
        const struct operand *operand = &at->operands[stores ? i + 1 : i];
        uint64_t value = stores ? operand_value(w, warp, operand, lane) : 0;
        if (stores) {
            memcpy(data + (size_t)i * bytes, &value, bytes);
            continue;
        }
        memcpy(&value, data + (size_t)i * bytes, bytes);
        result_set(warp, operand, lane, extended(at->type, value));
    }
    if (stores || at->op == OP_LD)
        return;
    uint64_t old = 0, given[2] = {0, 0}, made;
    for (int i = 0; i < 2 && at->n_results + 1 + i < at->n_operands; i++)
        given[i] = operand_value(w, warp, &at->operands[at->n_results + 1 + i], lane);
    memcpy(&old, data, bytes);
    made = at->combined == OP_EXCH ? given[0] : cycles_combine(at->combined, at->type, old, given);
    if (at->combined == OP_CAS)
        made = old == given[0] ? given[1] : old;
    if (at->combined == OP_INC)
        made = old >= given[0] ? 0 : old + 1;
    memcpy(data, &made, bytes);
    if (at->n_results)
        result_set(warp, &at->operands[0], lane, old);
}

static bool memory_execute(const struct world *w, struct warp *warp, const struct instruction *at,
                           uint32_t lanes, struct access *access)
{
    const struct operand *address = &at->operands[at->op == OP_LD ? at->vector : at->n_results];
    *access = (struct access){.space = at->space, .lanes = lanes,
                              .bytes = at->type.bits / 8 * at->vector};
    for (int lane = 0; lane < MACHINE_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        uint64_t where = operand_value(w, warp, address, lane);
        access->space = space_at(w, at, where);
        char *data = bytes_at(w, warp, access, lane, where);
        if (!data || where % (uint64_t)access->bytes)
            return warp_fail(w, at, data ? "the address is not aligned" : "outside of all memory");
        lane_access(w, warp, at, lane, data);
    }
    return true;
}

/* An asynchronous copy: of a lane so many bytes, or as many as the last operand says and zeros for
   the rest. The values are there at once. */
static bool copy_execute(const struct world *w, struct warp *warp, const struct instruction *at,
                         uint32_t lanes, struct access *access)
{
    uint64_t bytes = at->operands[2].value;
    *access = (struct access){.space = SPACE_MEMORY, .bytes = (int)bytes, .into_lanes = lanes};
    for (int lane = 0; lane < MACHINE_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        uint64_t to = operand_value(w, warp, &at->operands[0], lane),
                 from = operand_value(w, warp, &at->operands[1], lane),
                 size = at->n_operands > 3 ? operand_value(w, warp, &at->operands[3], lane)
                                           : bytes;
        bool is_inside = to + bytes <= (uint64_t)w->shared_bytes && to % bytes == 0;
        char *source = size ? bytes_at(w, warp, access, lane, from) : NULL;
        if (!is_inside || size > bytes || (size && (!source || from % bytes)))
            return warp_fail(w, at, "a copy from or to no such place");
        char *target = warp->block->shared + to;
        memset(target, 0, bytes);
        if (size)
            memcpy(target, source, size);
        access->lanes |= (uint32_t)(size > 0) << lane;
        access->into[lane] = to;
    }
    return true;
}

/* --- everything else -------------------------------------------------------------------------- */

/* mov.b64 {a, b}, c and mov.b64 c, {a, b}. */
static void lane_pack(const struct world *w, struct warp *warp, const struct instruction *at,
                      int lane)
{
    int n_sources = at->n_operands - at->n_results, parts = at->n_results * n_sources,
        bits = at->type.bits / parts;
    uint64_t whole = 0;
    for (int i = 0; i < n_sources; i++) {
        uint64_t value = operand_value(w, warp, &at->operands[at->n_results + i], lane);
        whole |= n_sources > 1 ? (value & ((UINT64_C(1) << bits) - 1)) << (i * bits) : value;
    }
    for (int i = 0; i < at->n_results; i++)
        result_set(warp, &at->operands[i], lane,
                   at->n_results > 1 ? whole >> (i * bits) & ((UINT64_C(1) << bits) - 1) : whole);
}

static void lane_compute(const struct world *w, struct warp *warp, const struct instruction *at,
                         int lane)
{
    uint64_t sources[OPERANDS_MAX] = {0};
    if (at->n_operands > 2 && at->op == OP_MOV) {
        lane_pack(w, warp, at, lane);
        return;
    }
    for (int i = at->n_results; i < at->n_operands; i++)
        sources[i - at->n_results] = operand_value(w, warp, &at->operands[i], lane);
    result_set(warp, &at->operands[0], lane,
               cycles_compute(at, sources, &warp->carry[lane]));
}

/* The lanes of the running way of which the guard holds. */
static uint32_t lanes_guarded(const struct warp *warp, const struct instruction *at)
{
    uint32_t lanes = warp->ways[warp->n_ways - 1].lanes, held = 0;
    if (at->guard < 0)
        return lanes;
    const uint64_t *values = warp->values + at->guard * MACHINE_LANES;
    for (int lane = 0; lane < MACHINE_LANES; lane++)
        held |= (uint32_t)((values[lane] & 1) != at->guard_negated) << lane;
    return lanes & held;
}

static void ways_drop(struct warp *warp)
{
    while (warp->n_ways > 0) {
        const struct way *last = &warp->ways[warp->n_ways - 1];
        if (last->lanes && last->at != last->meets)
            return;
        warp->n_ways--;
    }
}

static bool way_add(const struct world *w, struct warp *warp, const struct instruction *at,
                    struct way way)
{
    if (way.at == way.meets || !way.lanes)
        return true;
    if (warp->n_ways == WAYS_MAX)
        return warp_fail(w, at, "its threads part too often");
    warp->ways[warp->n_ways++] = way;
    return true;
}

static bool branch_execute(const struct world *w, struct warp *warp, const struct instruction *at,
                           uint32_t taken)
{
    struct way *way = &warp->ways[warp->n_ways - 1];
    uint32_t stays = way->lanes & ~taken;
    int here = way->at;
    if (!taken || !stays) {
        way->at = taken ? at->target : here + 1;
        return true;
    }
    if (at->meets == way->meets)
        warp->n_ways--;
    else
        way->at = at->meets;
    return way_add(w, warp, at, (struct way){here + 1, at->meets, stays}) &&
           way_add(w, warp, at, (struct way){at->target, at->meets, taken});
}

static void lanes_leave(struct warp *warp, uint32_t lanes)
{
    for (int i = 0; i < warp->n_ways; i++)
        warp->ways[i].lanes &= ~lanes;
}

bool warp_execute(const struct world *w, struct warp *warp, struct access *access)
{
    const struct instruction *at = warp_instruction(w, warp);
    uint32_t lanes = lanes_guarded(warp, at);
    bool done = true;
    access->lanes = access->into_lanes = 0;
    if (at->op == OP_BRA) {
        done = branch_execute(w, warp, at, lanes);
        ways_drop(warp);
        return done;
    }
    warp->ways[warp->n_ways - 1].at++;
    if (at->op == OP_RET || at->op == OP_EXIT)
        lanes_leave(warp, lanes);
    else if (at->op == OP_LD || at->op == OP_ST || at->op == OP_ATOM || at->op == OP_RED)
        done = memory_execute(w, warp, at, lanes, access);
    else if (at->op == OP_CP)
        done = copy_execute(w, warp, at, lanes, access);
    else if (at->unit != UNIT_BRANCH)
        for (int lane = 0; lane < MACHINE_LANES; lane++)
            if (lanes >> lane & 1)
                lane_compute(w, warp, at, lane);
    ways_drop(warp);
    return done;
}
