/* Loads before arithmetic (ir/llvm/loads.c): random blocks of loads, stores, arithmetic and calls
   over arrays that overlap do the same before and after, as an interpreter of this file runs them;
   and loads that wait for nothing stand together. */
#include "ir/llvm/backend.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir-llvm_test.h"
#include <llvm-c/Analysis.h>

enum {
    CELLS = 64,
    AREA = 8,
    STEPS_MOST = 48,
    SPACE_OF_GLOBAL = 1,
    SPACE_OF_SHARED = 3,
    WORDS_MOST = 16
};

struct program {
    struct backend *backend;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function, touch, shared;
    LLVMTypeRef i32, touch_type;
    VEC(LLVMValueRef) values;
    uint64_t *random;
};

/* --- random blocks --------------------------------------------------------------------------- */

/* void f(ptr noalias a, ptr b, ptr c, i32 x), a block that is still open. */
static struct program program_begin(struct backend *backend, uint64_t *random)
{
    LLVMContextRef context = backend->context;
    struct program p = {
        .backend = backend, .random = random, .i32 = LLVMInt32TypeInContext(context)};
    LLVMTypeRef global = LLVMPointerTypeInContext(context, SPACE_OF_GLOBAL),
                nothing = LLVMVoidTypeInContext(context);
    LLVMTypeRef types[] = {global, global, global, p.i32};
    p.module = LLVMModuleCreateWithNameInContext("loads", context);
    p.touch_type = LLVMFunctionType(nothing, NULL, 0, false);
    p.touch = LLVMAddFunction(p.module, "touch", p.touch_type);
    p.shared =
        LLVMAddGlobalInAddressSpace(p.module, LLVMArrayType2(p.i32, 0), "shared", SPACE_OF_SHARED);
    p.function = LLVMAddFunction(p.module, "f", LLVMFunctionType(nothing, types, 4, false));
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
    LLVMAddAttributeAtIndex(p.function, 1, LLVMCreateEnumAttribute(context, kind, 0));
    p.builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(p.builder,
                             LLVMAppendBasicBlockInContext(context, p.function, "entry"));
    vec_push(backend->ctx->arena, &p.values, LLVMGetParam(p.function, 3));
    return p;
}

static LLVMValueRef value_draw(struct program *p)
{
    if (draw(p->random, 5) == 0)
        return LLVMConstInt(p->i32, draw(p->random, AREA), false);
    size_t last = p->values.count, near = draw(p->random, 2) && last > 6 ? 6 : last;
    return p->values.at[last - 1 - draw(p->random, near)];
}

/* An element of one of the four arrays, by a literal or by a value. */
static LLVMValueRef address_draw(struct program *p)
{
    unsigned array = (unsigned)draw(p->random, 4);
    LLVMValueRef base = array < 3 ? LLVMGetParam(p->function, array) : p->shared;
    LLVMValueRef index =
        LLVMBuildAnd(p->builder, value_draw(p), LLVMConstInt(p->i32, AREA - 1, false), "");
    if (draw(p->random, 2))
        index = LLVMConstInt(p->i32, draw(p->random, AREA), false);
    return LLVMBuildGEP2(p->builder, p->i32, base, &index, 1, "");
}

static LLVMValueRef move_draw(struct program *p)
{
    LLVMValueRef value = value_draw(p);
    LLVMTypeRef type = LLVMFunctionType(p->i32, &p->i32, 1, false);
    static const char text[] = "mov.b32 $0, $1;", constraints[] = "=r,r";
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                         true, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(p->builder, type, code, &value, 1, "");
}

static void step_add(struct program *p)
{
    LLVMValueRef made = NULL, value;
    switch (draw(p->random, 12)) {
    case 0: case 1: case 2: case 3:
        made = LLVMBuildLoad2(p->builder, p->i32, address_draw(p), "");
        break;
    case 4: case 5:
        value = value_draw(p);
        LLVMBuildStore(p->builder, value, address_draw(p));
        break;
    case 6:
        if (draw(p->random, 4) == 0)
            LLVMBuildCall2(p->builder, p->touch_type, p->touch, NULL, 0, "");
        break;
    case 7: made = move_draw(p); break;
    case 8: made = LLVMBuildMul(p->builder, value_draw(p), value_draw(p), ""); break;
    default: made = LLVMBuildAdd(p->builder, value_draw(p), value_draw(p), ""); break;
    }
    if (made)
        vec_push(p->backend->ctx->arena, &p->values, made);
}

/* Every value counts in the end. */
static void program_end(struct program *p)
{
    LLVMValueRef sum = LLVMConstInt(p->i32, 1, false), index = LLVMConstInt(p->i32, AREA, false);
    for (size_t i = 0; i < p->values.count; i++) {
        sum = LLVMBuildMul(p->builder, sum, LLVMConstInt(p->i32, 31, false), "");
        sum = LLVMBuildAdd(p->builder, sum, p->values.at[i], "");
    }
    LLVMBuildStore(p->builder, sum,
                   LLVMBuildGEP2(p->builder, p->i32, LLVMGetParam(p->function, 0), &index, 1, ""));
    LLVMBuildRetVoid(p->builder);
    LLVMDisposeBuilder(p->builder);
}

/* --- what a block does ----------------------------------------------------------------------- */

struct machine {
    struct map *values;          /* instruction or argument -> where its value stands */
    struct arena *arena;
    uint32_t cells[CELLS];
};

static void machine_put(struct machine *m, LLVMValueRef value, uint32_t number)
{
    uint32_t *kept = ARENA_NEW(m->arena, uint32_t);
    *kept = number;
    map_put_pointer(m->values, value, kept);
}

/* Of an operand; a literal element of the shared array is a constant of LLVM. */
static uint32_t machine_get(const struct machine *m, LLVMValueRef user, unsigned operand)
{
    LLVMValueRef value = LLVMGetOperand(user, operand);
    const uint32_t *kept = map_get_pointer(m->values, value);
    if (kept)
        return *kept;
    if (LLVMIsAConstantInt(value))
        return (uint32_t)LLVMConstIntGetZExtValue(value);
    return machine_get(m, value, 0) + machine_get(m, value, 1);
}

static void touch(struct machine *m)
{
    for (int i = 0; i < CELLS; i++)
        m->cells[i] = m->cells[i] * 3 + 1;
}

static void machine_step(struct machine *m, const struct program *p, LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd: machine_put(m, at, machine_get(m, at, 0) + machine_get(m, at, 1)); break;
    case LLVMMul: machine_put(m, at, machine_get(m, at, 0) * machine_get(m, at, 1)); break;
    case LLVMAnd: machine_put(m, at, machine_get(m, at, 0) & machine_get(m, at, 1)); break;
    case LLVMGetElementPtr:
        machine_put(m, at, machine_get(m, at, 0) + machine_get(m, at, 1));
        break;
    case LLVMLoad: machine_put(m, at, m->cells[machine_get(m, at, 0)]); break;
    case LLVMStore: m->cells[machine_get(m, at, 1)] = machine_get(m, at, 0); break;
    case LLVMCall:
        if (LLVMGetCalledValue(at) == p->touch)
            touch(m);
        else
            machine_put(m, at, machine_get(m, at, 0));
        break;
    default: break;
    }
}

/* The memory behind the block; b and c overlap from cell to cell. */
static struct machine program_run(const struct program *p, uint32_t c)
{
    struct arena *arena = p->backend->ctx->arena;
    struct machine m = {map_new(arena), arena, {0}};
    for (uint32_t i = 0; i < CELLS; i++)
        m.cells[i] = 7 * i + 3;
    const uint32_t places[] = {0, 16, 16 + c, 5};
    for (unsigned i = 0; i < 4; i++)
        machine_put(&m, LLVMGetParam(p->function, i), places[i]);
    machine_put(&m, p->shared, 40);
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    for (; at; at = LLVMGetNextInstruction(at))
        machine_step(&m, p, at);
    return m;
}

static bool uses(LLVMValueRef at, const LLVMValueRef *pending, int n)
{
    for (int i = 0; i < LLVMGetNumOperands(at); i++)
        for (int k = 0; k < n; k++)
            if (LLVMGetOperand(at, (unsigned)i) == pending[k])
                return true;
    return false;
}

/* How often something waits for loads, all that were begun arriving together. */
static int program_waits(const struct program *p, int *most)
{
    LLVMValueRef pending[STEPS_MOST],
        at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    int n = 0, waits = 0;
    for (; at; at = LLVMGetNextInstruction(at)) {
        if (uses(at, pending, n)) {
            waits++;
            n = 0;
        }
        if (LLVMIsALoadInst(at))
            pending[n++] = at;
        *most = n > *most ? n : *most;
    }
    return waits;
}

/* --- tests ----------------------------------------------------------------------------------- */

static void random_blocks(struct test *test, struct backend *backend)
{
    uint64_t random = 20261123;
    int blocks = test_scale(400, 4000), before = 0, after = 0, most = 0, unused = 0;
    check_test(&test->count);
    for (int i = 0; i < blocks; i++) {
        struct program p = program_begin(backend, &random);
        size_t steps = 8 + draw(&random, STEPS_MOST - 8);
        for (size_t k = 0; k < steps; k++)
            step_add(&p);
        program_end(&p);
        struct machine first[2] = {program_run(&p, 3), program_run(&p, AREA + 1)};
        before += program_waits(&p, &unused);
        loads_first(backend, p.module);
        after += program_waits(&p, &most);
        bool same = !LLVMVerifyModule(p.module, LLVMReturnStatusAction, NULL);
        for (int k = 0; k < 2 && same; k++) {
            struct machine now = program_run(&p, k == 0 ? 3 : AREA + 1);
            same = memcmp(now.cells, first[k].cells, sizeof now.cells) == 0;
        }
        char *text = same ? NULL : LLVMPrintModuleToString(p.module);
        check(test, same, text ? text : "");
        LLVMDisposeMessage(text);
        LLVMDisposeModule(p.module);
    }
    printf("%d waits for loads, %d before; at most %d in flight\n", after, before, most);
    check(test, after * 10 < before * 9, "fewer waits");
}

/* n loads of neighbours, each added to a sum at once. */
static void sum_of_loads(struct test *test, struct backend *backend, int n, int waits)
{
    uint64_t random = 1;
    int most = 0;
    check_test(&test->count);
    struct program p = program_begin(backend, &random);
    LLVMValueRef sum = LLVMGetParam(p.function, 3);
    for (int i = 0; i < n; i++) {
        LLVMValueRef index = LLVMConstInt(p.i32, (unsigned)i % AREA, false);
        LLVMValueRef address =
            LLVMBuildGEP2(p.builder, p.i32, LLVMGetParam(p.function, 1), &index, 1, "");
        sum = LLVMBuildAdd(p.builder, sum, LLVMBuildLoad2(p.builder, p.i32, address, ""), "");
    }
    vec_push(backend->ctx->arena, &p.values, sum);
    program_end(&p);
    loads_first(backend, p.module);
    check(test, program_waits(&p, &most) == waits, "waits for loads that are summed up");
    check(test, most <= WORDS_MOST, "loads in flight");
    LLVMDisposeModule(p.module);
}

int main(void)
{
    struct test test = {.name = "ir-llvm_loads"};
    struct ctx *ctx = ctx_new();
    struct backend *backend = backend_of(ctx);
    random_blocks(&test, backend);
    sum_of_loads(&test, backend, 5, 1);
    sum_of_loads(&test, backend, 16, 1);
    sum_of_loads(&test, backend, 40, 3);
    ctx_free(ctx);
    return test_end(&test);
}
