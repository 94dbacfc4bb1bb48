/* A kernel to an LLVM function.

   In: a kernel and the parameters bound at compile time. Out: in l->module a function of the
   kernel's arguments (parameters in order, then global arrays in order) that runs the body for
   every block of the grid, whether it is launched as a plane or as a line (lower_walk.c).

   GPU: calling convention of a kernel, arrays in address space 1, one dynamic shared buffer in
   address space 3. Host: the same body with a first argument `struct lane *` in place of special
   registers, the counts of the arrays as last arguments for checks, and an entry that unpacks
   64-bit slots; address space 0 throughout.

   Arrays do not overlap, which LLVM is told (noalias) except for arrays that a kernel with barriers
   writes: there another thread may change an element between two accesses, which noalias
   would deny. */
#include "ir/batch.h"
#include "ir/llvm/lower.h"
#include "ir/walk.h"
#include "base/str.h"
#include <string.h>

enum { PTX_KERNEL = 71, SPACE_OF_GLOBAL = 1, SPACE_OF_SHARED = 3, THREADS_MOST = 1024 };

bool lower_binding(const struct lowering *l, const struct var *var, int64_t *value)
{
    for (size_t i = 0; i < l->n_bindings; i++)
        if (!strcmp(l->bindings[i].name, var->name)) {
            *value = l->bindings[i].value;
            return true;
        }
    return false;
}

/* Is e made of literals and bound parameters alone? */
static bool is_bound(const struct lowering *l, const struct expr *e)
{
    int64_t value;
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR)
        return lower_binding(l, e->var, &value);
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_bound(l, e->arguments[i]))
            return false;
    return true;
}

bool lower_constant(struct lowering *l, const struct expr *e, int64_t *value)
{
    if (!is_bound(l, e))
        return false;
    union value *params = ARENA_ARRAY(l->ctx->arena, union value, l->kernel->n_params + 1), result;
    for (int i = 0; i < l->kernel->n_params; i++)
        lower_binding(l, l->kernel->params[i]->var, &params[i].integer);
    if (!expr_evaluate(l->kernel, e, params, &result))
        return false;
    *value = result.integer;
    return true;
}

static void mark_variables(struct map *marked, const struct expr *e)
{
    bool carries = e->kind == EXPR_CAST || e->kind == EXPR_SELECT || e->kind == EXPR_UNARY ||
                   (e->kind == EXPR_BINARY && e->op >= OP_ADD && e->op <= OP_DIV);
    if (e->kind == EXPR_VAR)
        map_put_pointer(marked, e->var, (void *)e->var);
    if (carries)
        for (int i = 0; i < e->n_arguments; i++)
            mark_variables(marked, e->arguments[i]);
}

static void mark_subscripts(struct map *marked, const struct array *array,
                            const struct expr *const *indices)
{
    for (int i = 0; i < array->n_dims; i++)
        mark_variables(marked, indices[i]);
}

static void mark_stmt(struct arena *arena, struct map *marked, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD)
            mark_subscripts(marked, e->array, e->arguments);
    if (s->kind == STMT_STORE)
        mark_subscripts(marked, s->array, s->indices);
    bool defines = s->kind == STMT_LET || s->kind == STMT_SET;
    if (defines && s->value && map_get_pointer(marked, s->var))
        mark_variables(marked, s->value);
}

/* The variables whose sums and products end in a subscript, directly or through other variables. */
static struct map *subscripts_find(struct lowering *l)
{
    struct arena *arena = l->ctx->arena;
    struct map *marked = map_new(arena);
    struct stmt_walk walk;
    size_t before;
    do {
        before = map_count(marked);
        for (const struct stmt *s = stmt_first(&walk, arena, l->body); s;
             s = stmt_next(&walk))
            mark_stmt(arena, marked, s);
    } while (map_count(marked) != before);
    return marked;
}

static struct map *changed_find(struct lowering *l)
{
    struct map *changed = map_new(l->ctx->arena);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, l->ctx->arena, l->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_SET)
            map_put_pointer(changed, s->var, (void *)s->var);
    return changed;
}

/* Has e the same value wherever its variables have theirs? */
static bool is_stable(const struct lowering *l, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
        (e->kind == EXPR_VAR && map_get_pointer(l->changed, e->var)))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_stable(l, e->arguments[i]))
            return false;
    return true;
}

/* What variables stand for that never change. */
static struct map *definitions_find(struct lowering *l)
{
    struct map *definitions = map_new(l->ctx->arena);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, l->ctx->arena, l->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_LET && s->value && s->value->type == s->var->type &&
            !map_get_pointer(l->changed, s->var) && is_stable(l, s->value))
            map_put_pointer(definitions, s->var, (void *)s->value);
    return definitions;
}

static void mark_noalias(struct lowering *l, const struct array *array, unsigned index)
{
    LLVMContextRef context = l->backend->context;
    if (!kernel_array_is_restrict(l->kernel, array))
        return;
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
    LLVMAddAttributeAtIndex(l->function, index + 1, LLVMCreateEnumAttribute(context, kind, 0));
}

static int count_global(const struct kernel *kernel)
{
    int n = 0;
    for (int i = 0; i < kernel->n_arrays; i++)
        n += kernel->arrays[i]->space == SPACE_GLOBAL;
    return n;
}

static void define_parameters(struct lowering *l, unsigned first)
{
    for (int i = 0; i < l->kernel->n_params; i++) {
        const struct var *var = l->kernel->params[i]->var;
        LLVMValueRef value = LLVMGetParam(l->function, first + (unsigned)i);
        LLVMTypeRef type = lower_type(l, var->type);
        int64_t bound;
        LLVMSetValueName2(value, var->name, strlen(var->name));
        if (lower_binding(l, var, &bound))
            value = type_is_floating(var->type)
                        ? LLVMConstReal(type, (double)bound)
                        : LLVMConstInt(type, (unsigned long long)bound, true);
        map_put_pointer(l->values, var, value);
    }
}

static void define_arrays(struct lowering *l, unsigned first)
{
    unsigned at = first, n = (unsigned)count_global(l->kernel);
    for (int i = 0; i < l->kernel->n_arrays; i++) {
        const struct array *array = l->kernel->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        LLVMValueRef pointer = LLVMGetParam(l->function, at);
        LLVMSetValueName2(pointer, array->name, strlen(array->name));
        mark_noalias(l, array, at);
        map_put_pointer(l->addresses, array, pointer);
        if (l->host)
            map_put_pointer(l->counts, array, LLVMGetParam(l->function, at + n));
        at++;
    }
}

/* lane (host), parameters, array pointers, array counts (host), the word that counts blocks (GPU,
   if the last one does something). */
static LLVMTypeRef signature_make(struct lowering *l)
{
    LLVMContextRef context = l->backend->context;
    int n_params = l->kernel->n_params, n_global = count_global(l->kernel), n = 0;
    LLVMTypeRef *types = ARENA_ARRAY(l->ctx->arena, LLVMTypeRef, n_params + 2 * n_global + 2);
    if (l->host)
        types[n++] = LLVMPointerTypeInContext(context, 0);
    for (int i = 0; i < n_params; i++)
        types[n++] = lower_type(l, l->kernel->params[i]->var->type);
    for (int i = 0; i < n_global; i++)
        types[n++] = LLVMPointerTypeInContext(context, l->host ? 0 : SPACE_OF_GLOBAL);
    if (l->host)
        for (int i = 0; i < n_global; i++)
            types[n++] = LLVMInt64TypeInContext(context);
    else if (body_last(l->kernel->body))
        types[n++] = LLVMPointerTypeInContext(context, SPACE_OF_GLOBAL);
    return LLVMFunctionType(LLVMVoidTypeInContext(context), types, (unsigned)n, false);
}

static void define_shared(struct lowering *l)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef byte = LLVMInt8TypeInContext(context);
    if (l->host) {
        LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context),
                                           offsetof(struct lane, shared), false);
        LLVMValueRef slot = LLVMBuildGEP2(l->builder, byte, l->lane, &offset, 1, "");
        l->shared = LLVMBuildLoad2(l->builder, LLVMPointerTypeInContext(context, 0), slot,
                                   "shared");
        return;
    }
    l->shared = LLVMGetNamedGlobal(l->module, "treefork_shared");
    if (l->shared)
        return;
    l->shared = LLVMAddGlobalInAddressSpace(l->module, LLVMArrayType2(byte, 0), "treefork_shared",
                                            SPACE_OF_SHARED);
    LLVMSetLinkage(l->shared, LLVMExternalLinkage);
    LLVMSetAlignment(l->shared, 16);
}

/* entry(lane, slots) calls the kernel with the slots unpacked. */
static void entry_make(struct lowering *l, LLVMTypeRef signature, const char *name)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0),
                i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef types[] = {pointer, pointer};
    unsigned n = LLVMCountParamTypes(signature);
    LLVMTypeRef *inner = ARENA_ARRAY(l->ctx->arena, LLVMTypeRef, n);
    LLVMValueRef *arguments = ARENA_ARRAY(l->ctx->arena, LLVMValueRef, n);
    LLVMGetParamTypes(signature, inner);
    LLVMValueRef entry =
        LLVMAddFunction(l->module, arena_printf(l->ctx->arena, "%s.entry", name),
                        LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false));
    LLVMPositionBuilderAtEnd(l->builder, LLVMAppendBasicBlockInContext(context, entry, "entry"));
    arguments[0] = LLVMGetParam(entry, 0);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMConstInt(i64, i - 1, false);
        LLVMValueRef slot = LLVMBuildGEP2(l->builder, i64, LLVMGetParam(entry, 1), &index, 1, "");
        arguments[i] = LLVMBuildLoad2(l->builder, inner[i], slot, "");
    }
    LLVMBuildCall2(l->builder, signature, l->function, arguments, n, "");
    LLVMBuildRetVoid(l->builder);
    LLVMSetLinkage(l->function, LLVMInternalLinkage);
}

static void annotate_kernel(struct lowering *l)
{
    LLVMContextRef context = l->backend->context;
    LLVMMetadataRef parts[3] = {
        LLVMValueAsMetadata(l->function), LLVMMDStringInContext2(context, "kernel", 6),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), 1, false))};
    LLVMAddNamedMetadataOperand(l->module, "nvvm.annotations",
                                LLVMMetadataAsValue(context,
                                                    LLVMMDNodeInContext2(context, parts, 3)));
    LLVMSetFunctionCallConv(l->function, PTX_KERNEL);
}

/* The threads of a block: the product of the block's extents, where all are bound; a kernel of
   strided bands runs with any number. What LLVM gains: a strided band over as many points as there
   are threads is no loop. */
static int64_t constant_threads(struct lowering *l)
{
    int64_t threads = 1, extent;
    for (int i = 0; i < l->kernel->n_block; i++) {
        if (!lower_constant(l, l->kernel->block[i].extent, &extent) || extent < 1 ||
            extent > THREADS_MOST)
            return 0;
        threads *= extent;
        if (threads > THREADS_MOST)
            return 0;
    }
    return kernel_all_strided(l->kernel) ? 0 : threads;
}

static void maps_make(struct lowering *l)
{
    struct arena *arena = l->ctx->arena;
    l->values = map_new(arena);
    l->slots = map_new(arena);
    l->addresses = map_new(arena);
    l->counts = map_new(arena);
    l->subscripts = subscripts_find(l);
    l->changed = changed_find(l);
    l->definitions = definitions_find(l);
    l->deep = map_new(arena);
    l->apart = map_new(arena);
    l->in_subscript = 0;
    l->band_loops = 0;
    l->is_behind_loop = false;
    l->n_barriers = 0;
    l->threads = constant_threads(l);
    l->failed = false;
}

/* Numbers of threads, the arrays as lines, and what is computed before the first block. */
static void lower_batches(struct lowering *l, const struct batches *batches)
{
    for (size_t i = 0; i < batches->lines.count; i++) {
        const struct batch_line *line = &batches->lines.at[i];
        map_put_pointer(l->addresses, line->line, map_get_pointer(l->addresses, line->array));
        map_put_pointer(l->counts, line->line, map_get_pointer(l->counts, line->array));
    }
    l->anew = l->host ? NULL : batches->anew;
    l->places = l->host ? NULL : batches->places;
    if (!batches->begin)
        return;
    map_put_pointer(l->values, batches->thread, l->thread_number);
    map_put_pointer(l->values, batches->threads, l->thread_count);
    lower_stmt(l, batches->begin);
}

/* Does the text bind something to more than 1? Threads of one point have a budget of registers in
   which the assembler would spill what is loaded ahead. */
static bool binds_several(const struct lowering *l)
{
    bool several = false;
    for (size_t i = 0; i < l->n_bindings; i++)
        several |= l->bindings[i].value > 1;
    return several;
}

bool lower_kernel(struct lowering *l, const char *name)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef signature = signature_make(l);
    struct batch_options options = {.unrolls = true,
                                    .ahead = l->attempt == 0 && binds_several(l)};
    struct batches batches = batches_expand(l->ctx->arena, l->kernel, options);
    l->body = batches.kernel->body;
    l->body = lower_rounds(l, subscripts_find(l));
    maps_make(l);
    l->function = LLVMAddFunction(l->module, name, signature);
    l->lane = l->host ? LLVMGetParam(l->function, 0) : NULL;
    l->builder = LLVMCreateBuilderInContext(context);
    l->allocas = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef entry = lower_block(l, "entry"), start = lower_block(l, "start");
    LLVMPositionBuilderAtEnd(l->allocas, entry);
    LLVMPositionBuilderAtEnd(l->builder, start);
    lower_origins(l, name);
    define_parameters(l, l->host);
    define_arrays(l, (unsigned)(l->host + l->kernel->n_params));
    define_shared(l);
    lower_near_begin(l);
    lower_threads(l);
    lower_batches(l, &batches);
    lower_grid(l);
    if (body_last(l->body))
        lower_last(l, body_last(l->body)->children[0]);
    LLVMBuildRetVoid(l->builder);
    LLVMBuildBr(l->allocas, start);
    if (l->host)
        entry_make(l, signature, name);
    else
        annotate_kernel(l);
    LLVMDisposeBuilder(l->allocas);
    LLVMDisposeBuilder(l->builder);
    return !l->failed;
}
