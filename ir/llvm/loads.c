/* Loads before arithmetic.

   In: a function after the passes. Out: the same with loads of a basic block gathered: behind the
   first of them stand the next ones that neither wait for it nor for a store, with what their
   addresses take, and only then what uses their values. A thread thus waits once for all of them;
   a GPU executes the instructions of a thread in their order, and a text that goes through no other
   scheduler (a simulator's) would wait at each.

   Why it is right: only loads and arithmetic move, inside of a block, behind their operands. No
   load moves over a store that may write what it reads, nor over a call that touches memory (a
   barrier). Distinct address spaces and arguments that are declared not to overlap are apart;
   everything else may be the same. How many loads are gathered is limited by the registers that
   their values take until they are used. */
#include "ir/llvm/backend.h"
#include "base/vec.h"
#include <string.h>

enum { WORDS_MOST = 16, SPACE_OF_GLOBAL = 1, SPACE_OF_SHARED = 3 };

struct place {
    LLVMValueRef value;
    bool is_placed;              /* stands in the new order */
    size_t late;                 /* number of the gathering that it waits for, plus one; 0: none */
};

struct gathering {
    struct backend *backend;
    VEC(struct place) places;    /* the instructions between phis and terminator, as they stood */
    struct map *numbers;         /* instruction -> its number in places, a size_t */
    VEC(LLVMValueRef) order;     /* as they shall stand */
    VEC(LLVMValueRef) stores;    /* passed by the gathering at hand */
    size_t stamp;                /* of the gathering at hand */
    int words;                   /* that its loads take */
};

/* --- memory ----------------------------------------------------------------------------------- */

static bool has_attribute(LLVMValueRef argument, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef function = LLVMGetParamParent(argument);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
    return false;
}

/* What a pointer is computed from. */
static LLVMValueRef pointer_base(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || (LLVMIsAConstantExpr(pointer) &&
                                                 LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool spaces_differ(LLVMValueRef a, LLVMValueRef b)
{
    unsigned p = LLVMGetPointerAddressSpace(LLVMTypeOf(a)),
             q = LLVMGetPointerAddressSpace(LLVMTypeOf(b));
    return (p == SPACE_OF_GLOBAL && q == SPACE_OF_SHARED) ||
           (p == SPACE_OF_SHARED && q == SPACE_OF_GLOBAL);
}

/* Do two pointers certainly never meet? */
static bool pointers_apart(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef p = pointer_base(a), q = pointer_base(b);
    if (spaces_differ(a, b))
        return true;
    return p != q && LLVMIsAArgument(p) && LLVMIsAArgument(q) &&
           (has_attribute(p, "noalias") || has_attribute(q, "noalias"));
}

static bool is_plain(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool is_load(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) && is_plain(value);
}

/* A call of inline assembly is a move, or has no result: an asynchronous copy (lower_stmt.c). */
static bool call_is_pure(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
    LLVMAttributeRef memory = LLVMIsAFunction(callee) ? LLVMGetEnumAttributeAtIndex(
                                  callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind)
                                                      : NULL;
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

/* Does no load move over it? */
static bool is_border(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall: return !call_is_pure(value);
    case LLVMLoad:
    case LLVMStore: return !is_plain(value);
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMVAArg: return true;
    default: return false;
    }
}

/* May it stand wherever its operands do? */
static bool is_arithmetic(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsACmpInst(value) ||
           LLVMIsASelectInst(value) || LLVMIsAGetElementPtrInst(value) ||
           LLVMIsAFreezeInst(value) || LLVMIsAUnaryOperator(value);
}

static int type_words(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return 2;
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) > 32 ? 2 : 1;
    case LLVMVectorTypeKind:
        return (int)LLVMGetVectorSize(type) * type_words(LLVMGetElementType(type));
    default: return 1;
    }
}

/* --- the new order ---------------------------------------------------------------------------- */

/* The instruction of this block that an operand is; NULL if it is none. */
static struct place *place_of(struct gathering *g, LLVMValueRef value)
{
    const size_t *number = map_get_pointer(g->numbers, value);
    return number ? &g->places.at[*number] : NULL;
}

/* Adds an instruction, behind those of its operands that are not placed. */
static void place_add(struct gathering *g, struct place *place)
{
    for (int i = 0; i < LLVMGetNumOperands(place->value); i++) {
        struct place *operand = place_of(g, LLVMGetOperand(place->value, (unsigned)i));
        if (operand && !operand->is_placed)
            place_add(g, operand);
    }
    place->is_placed = true;
    vec_push(g->backend->ctx->arena, &g->order, place->value);
}

/* Does it use a value that is waited for, or that is not there? */
static bool is_late(struct gathering *g, LLVMValueRef value)
{
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        const struct place *operand = place_of(g, LLVMGetOperand(value, (unsigned)i));
        if (operand && operand->late == g->stamp)
            return true;
    }
    return false;
}

static bool is_stored_to(const struct gathering *g, LLVMValueRef load)
{
    unsigned kind = LLVMGetMDKindIDInContext(g->backend->context, "invariant.load",
                                             strlen("invariant.load"));
    bool stored = false;
    for (size_t i = 0; i < g->stores.count && !stored; i++)
        stored = !pointers_apart(LLVMGetOperand(g->stores.at[i], 1), LLVMGetOperand(load, 0));
    return stored && !LLVMGetMetadata(load, kind);
}

/* Places the load of that number where the order is now, if that may be. Its value is waited for
   in any case. */
static void load_gather(struct gathering *g, struct place *place)
{
    if (!is_late(g, place->value) && !is_stored_to(g, place->value)) {
        g->words += type_words(LLVMTypeOf(place->value));
        place_add(g, place);
    }
    place->late = g->stamp;
}

/* Places loads behind the one of that number, which was placed last. */
static void loads_gather(struct gathering *g, size_t first)
{
    g->stamp = first + 1;
    g->stores.count = 0;
    g->words = type_words(LLVMTypeOf(g->places.at[first].value));
    g->places.at[first].late = g->stamp;
    for (size_t i = first + 1; i < g->places.count && g->words < WORDS_MOST; i++) {
        struct place *place = &g->places.at[i];
        if (place->is_placed)
            continue;
        if (is_border(place->value))
            return;
        if (LLVMIsAStoreInst(place->value))
            vec_push(g->backend->ctx->arena, &g->stores, place->value);
        else if (is_load(place->value))
            load_gather(g, place);
        else if (!is_arithmetic(place->value) || is_late(g, place->value))
            place->late = g->stamp;
    }
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Notes the instructions of the block. */
static void block_read(struct gathering *g, LLVMBasicBlockRef block)
{
    LLVMValueRef value = LLVMGetFirstInstruction(block);
    for (; value; value = LLVMGetNextInstruction(value)) {
        if (LLVMIsAPHINode(value) || LLVMIsATerminatorInst(value))
            continue;
        size_t *number = ARENA_NEW(g->backend->ctx->arena, size_t);
        *number = g->places.count;
        vec_push(g->backend->ctx->arena, &g->places, ((struct place){.value = value}));
        map_put_pointer(g->numbers, value, number);
    }
}

static void block_reorder(const struct gathering *g, LLVMBasicBlockRef block)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->backend->context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
    LLVMSetCurrentDebugLocation2(builder, NULL);      /* instructions keep their own */
    for (size_t i = 0; i < g->order.count; i++) {
        LLVMInstructionRemoveFromParent(g->order.at[i]);
        LLVMInsertIntoBuilder(builder, g->order.at[i]);
    }
    LLVMDisposeBuilder(builder);
}

static int block_loads(LLVMBasicBlockRef block)
{
    int loads = 0;
    LLVMValueRef value = LLVMGetFirstInstruction(block);
    for (; value; value = LLVMGetNextInstruction(value))
        loads += is_load(value);
    return loads;
}

static void block_gather(struct backend *backend, LLVMBasicBlockRef block)
{
    if (block_loads(block) < 2)
        return;
    struct gathering g = {.backend = backend, .numbers = map_new(backend->ctx->arena)};
    block_read(&g, block);
    for (size_t i = 0; i < g.places.count; i++) {
        if (g.places.at[i].is_placed)
            continue;
        place_add(&g, &g.places.at[i]);
        if (is_load(g.places.at[i].value))
            loads_gather(&g, i);
    }
    block_reorder(&g, block);
}

void loads_first(struct backend *backend, LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetFirstFunction(module);
    for (; function; function = LLVMGetNextFunction(function)) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
        for (; block; block = LLVMGetNextBasicBlock(block))
            block_gather(backend, block);
    }
}
