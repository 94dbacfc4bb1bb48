/* Statements to control flow.

   In: the structured body of a kernel. Out: LLVM blocks. Every variable that is assigned lives in a
   slot of the entry block; LLVM's first pass makes them values.

   A loop keeps C's meaning: its bound is evaluated before every iteration (LLVM hoists what does
   not change). Which loops are unrolled is said in lower_loop.c. */
#include "ir/async.h"
#include "ir/llvm/lower.h"
#include "ir/reduction.h"
#include <string.h>

LLVMBasicBlockRef lower_block(struct lowering *l, const char *name)
{
    return LLVMAppendBasicBlockInContext(l->backend->context, l->function, name);
}

LLVMValueRef lower_alloca(struct lowering *l, LLVMTypeRef type, const char *name)
{
    return LLVMBuildAlloca(l->allocas, type, name);
}

static LLVMValueRef slot_of(struct lowering *l, const struct var *var)
{
    LLVMValueRef slot = map_get_pointer(l->slots, var);
    if (!slot) {
        slot = lower_alloca(l, lower_type(l, var->type), var->name);
        map_put_pointer(l->slots, var, slot);
    }
    return slot;
}

LLVMValueRef lower_hidden(struct lowering *l, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_wide = LLVMGetIntTypeWidth(type) == 64;
    const char *move = is_wide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;",
               *constraints = is_wide ? "=l,l" : "=r,r";
    LLVMTypeRef signature = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef code = LLVMGetInlineAsm(signature, move, strlen(move), constraints,
                                         strlen(constraints), true, false,
                                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(l->builder, signature, code, &value, 1, "");
}

static void lower_assignment(struct lowering *l, const struct var *var, const struct expr *value)
{
    if (value && lower_place_set(l, var, value))
        return;
    LLVMValueRef slot = slot_of(l, var);
    if (!value)
        return;
    bool subscript = map_get_pointer(l->subscripts, var);
    l->in_subscript += subscript;
    LLVMValueRef number = lower_convert(l, lower_expr(l, value), value->type, var->type);
    l->in_subscript -= subscript;
    if (l->anew && map_get_pointer(l->anew, var) && !LLVMIsAConstant(number))
        number = lower_hidden(l, number);
    LLVMBuildStore(l->builder, number, slot);
}

static void lower_store(struct lowering *l, const struct stmt *s)
{
    LLVMValueRef value = lower_convert(l, lower_expr(l, s->value), s->value->type,
                                       s->array->element);
    LLVMBuildStore(l->builder, value, lower_address(l, s->array, s->indices, s->loc));
}

/* An accumulating store: nothing else in the kernel depends on its order. */
static void lower_accumulation(struct lowering *l, const struct stmt *s)
{
    bool is_signed = type_is_signed(s->array->element);
    const LLVMAtomicRMWBinOp operations[REDUCE_COUNT] = {
        [REDUCE_ADD] = LLVMAtomicRMWBinOpAdd,
        [REDUCE_AND] = LLVMAtomicRMWBinOpAnd,
        [REDUCE_OR] = LLVMAtomicRMWBinOpOr,
        [REDUCE_XOR] = LLVMAtomicRMWBinOpXor,
        [REDUCE_MIN] = is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin,
        [REDUCE_MAX] = is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax};
    LLVMValueRef value = lower_convert(l, lower_expr(l, s->value), s->value->type,
                                       s->array->element);
    LLVMValueRef place = lower_address(l, s->array, s->indices, s->loc);
    if (!reduction_is_atomic(s->reduction, s->array->element)) {
        diag_error(l->ctx, s->loc, "internal: '%s' on elements of type %s is no atomic operation",
                   reduction_text(s->reduction), type_name(s->array->element));
        l->failed = true;
        return;
    }
    LLVMBuildAtomicRMW(l->builder, operations[s->reduction], place, value,
                       LLVMAtomicOrderingMonotonic, false);
}

/* One side of a vector copy. Private elements are values once LLVM is through, and the host knows
   the alignment of numbers only, not of the caller's memory: there an element's alignment is all
   that is promised. */
static LLVMValueRef vector_align(const struct lowering *l, const struct array *array,
                                 LLVMValueRef access)
{
    bool aligned = !l->host && array->space != SPACE_PRIVATE;
    LLVMSetAlignment(access, aligned ? VECTOR_BYTES : type_bytes(array->element));
    return access;
}

static LLVMTypeRef vector_type(struct lowering *l, const struct stmt *s)
{
    return LLVMVectorType(lower_type(l, s->array->element), (unsigned)s->width);
}

static void vector_store(struct lowering *l, const struct stmt *s, LLVMValueRef value)
{
    LLVMValueRef to = lower_vector_address(l, s->array, s->indices, s->loc, s->width);
    vector_align(l, s->array, LLVMBuildStore(l->builder, value, to));
}

static void lower_vector(struct lowering *l, const struct stmt *s, const struct expr *load)
{
    LLVMValueRef from = lower_vector_address(l, load->array, load->arguments, load->loc, s->width);
    LLVMValueRef value = LLVMBuildLoad2(l->builder, vector_type(l, s), from, "");
    vector_store(l, s, vector_align(l, load->array, value));
}

/* Of a copy under a condition zeros are stored where it fails. */
static void lower_copy(struct lowering *l, const struct stmt *s)
{
    const struct expr *condition, *load = async_load(s->value, &condition);
    if (!condition) {
        lower_vector(l, s, load);
        return;
    }
    LLVMBasicBlockRef inside = lower_block(l, "copy.inside"),
                      outside = lower_block(l, "copy.outside"), end = lower_block(l, "copy.end");
    LLVMBuildCondBr(l->builder, lower_condition(l, condition), inside, outside);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    lower_vector(l, s, load);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, outside);
    vector_store(l, s, LLVMConstNull(vector_type(l, s)));
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* By the instruction that copies without registers: of a copy under a condition it reads nothing
   where that fails, and writes zeros. LLVM's intrinsics want both addresses of one width. */
static void lower_async(struct lowering *l, const struct stmt *s)
{
    const struct expr *condition, *load = async_load(s->value, &condition);
    unsigned element = type_bytes(s->array->element), bytes = s->width ? VECTOR_BYTES : element;
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context), i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef to = lower_vector_address(l, s->array, s->indices, s->loc, s->width),
                 from = lower_vector_address(l, load->array, load->arguments, load->loc, s->width);
    LLVMValueRef size = LLVMConstInt(i32, bytes, false);
    if (condition)
        size = LLVMBuildSelect(l->builder, lower_condition(l, condition), size, LLVMConstNull(i32),
                               "");
    LLVMValueRef arguments[] = {LLVMBuildPtrToInt(l->builder, to, i32, ""),
                                LLVMBuildPtrToInt(l->builder, from, i64, ""), size};
    LLVMTypeRef types[] = {i32, i64, i32};
    const char *copy = arena_printf(l->ctx->arena, "cp.async.%s.shared.global [$0], [$1], %u%s;",
                                    s->width ? "cg" : "ca", bytes, condition ? ", $2" : "");
    LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(context), types,
                                             condition ? 3 : 2, false);
    const char *constraints = condition ? "r,l,r,~{memory}" : "r,l,~{memory}";
    LLVMValueRef code = LLVMGetInlineAsm(signature, copy, strlen(copy), constraints,
                                         strlen(constraints), true, false,
                                         LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(l->builder, signature, code, arguments, condition ? 3 : 2, "");
}

static void lower_any_store(struct lowering *l, const struct stmt *s)
{
    if (s->reduction)
        lower_accumulation(l, s);
    else if (s->async && l->has_async)
        lower_async(l, s);
    else if (s->width)
        lower_copy(l, s);
    else
        lower_store(l, s);
}

static void lower_if(struct lowering *l, const struct stmt *s)
{
    bool otherwise = s->n_children > 1 && s->children[1];
    LLVMBasicBlockRef then = lower_block(l, "then"), end = lower_block(l, "if.end");
    LLVMBasicBlockRef other = otherwise ? lower_block(l, "else") : end;
    LLVMBuildCondBr(l->builder, lower_condition(l, s->value), then, other);
    LLVMPositionBuilderAtEnd(l->builder, then);
    lower_stmt(l, s->children[0]);
    LLVMBuildBr(l->builder, end);
    if (otherwise) {
        bool was_rare = l->is_rare;
        LLVMPositionBuilderAtEnd(l->builder, other);
        l->is_rare |= s->rare;
        lower_stmt(l, s->children[1]);
        l->is_rare = was_rare;
        LLVMBuildBr(l->builder, end);
    }
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* var < to, in the common type of both. */
static LLVMValueRef for_condition(struct lowering *l, const struct stmt *s, LLVMValueRef var)
{
    enum type type = type_common(s->var->type, s->to->type);
    LLVMValueRef a = lower_convert(l, var, s->var->type, type);
    LLVMValueRef b = lower_convert(l, lower_expr(l, s->to), s->to->type, type);
    return LLVMBuildICmp(l->builder, type_is_signed(type) ? LLVMIntSLT : LLVMIntULT, a, b, "");
}

static void lower_for(struct lowering *l, const struct stmt *s)
{
    LLVMTypeRef type = lower_type(l, s->var->type);
    bool has_bands = stmt_contains(s->children[0], STMT_BAND);
    LLVMBasicBlockRef head = lower_block(l, "for"), body = lower_block(l, "for.body"),
                      end = lower_block(l, "for.end");
    lower_assignment(l, s->var, s->from);
    LLVMValueRef slot = slot_of(l, s->var);
    LLVMBuildBr(l->builder, head);
    LLVMPositionBuilderAtEnd(l->builder, head);
    LLVMBuildCondBr(l->builder,
                    for_condition(l, s, LLVMBuildLoad2(l->builder, type, slot, s->var->name)), body,
                    end);
    LLVMPositionBuilderAtEnd(l->builder, body);
    l->band_loops += has_bands;
    lower_stmt(l, s->children[0]);
    l->band_loops -= has_bands;
    l->is_behind_loop |= has_bands;
    LLVMValueRef step = lower_convert(l, lower_expr(l, s->step), s->step->type, s->var->type);
    LLVMValueRef var = LLVMBuildLoad2(l->builder, type, slot, s->var->name);
    var = type_is_signed(s->var->type) ? LLVMBuildNSWAdd(l->builder, var, step, "")
                                       : LLVMBuildAdd(l->builder, var, step, "");
    LLVMBuildStore(l->builder, var, slot);
    lower_loop_mark(l, LLVMBuildBr(l->builder, head), lower_unroll(l, s));
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* Never unrolled: nobody knows how many rounds there are. */
static void lower_while(struct lowering *l, const struct stmt *s)
{
    LLVMBasicBlockRef head = lower_block(l, "while"), body = lower_block(l, "while.body"),
                      end = lower_block(l, "while.end");
    LLVMBuildBr(l->builder, head);
    LLVMPositionBuilderAtEnd(l->builder, head);
    LLVMBuildCondBr(l->builder, lower_condition(l, s->value), body, end);
    LLVMPositionBuilderAtEnd(l->builder, body);
    lower_stmt(l, s->children[0]);
    lower_loop_mark(l, LLVMBuildBr(l->builder, head), 1);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

LLVMValueRef lower_sreg(struct lowering *l, enum sreg sreg)
{
    static const struct {
        const char *intrinsic;
        size_t offset;
        unsigned lo, hi;
    } rows[] = {
        {"llvm.nvvm.read.ptx.sreg.tid.x", offsetof(struct lane, thread[0]), 0, 1024},
        {"llvm.nvvm.read.ptx.sreg.tid.y", offsetof(struct lane, thread[1]), 0, 1024},
        {"llvm.nvvm.read.ptx.sreg.ntid.x", offsetof(struct lane, threads[0]), 1, 1025},
        {"llvm.nvvm.read.ptx.sreg.ntid.y", offsetof(struct lane, threads[1]), 1, 1025},
        {"llvm.nvvm.read.ptx.sreg.ctaid.x", offsetof(struct lane, block[0]), 0, 0x7fffffff},
        {"llvm.nvvm.read.ptx.sreg.ctaid.y", offsetof(struct lane, block[1]), 0, 0xffff},
        {"llvm.nvvm.read.ptx.sreg.nctaid.x", offsetof(struct lane, blocks[0]), 1, 0x80000000},
        {"llvm.nvvm.read.ptx.sreg.nctaid.y", offsetof(struct lane, blocks[1]), 1, 0x10000},
    };
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    if (!l->host) {
        LLVMValueRef value = lower_intrinsic(l, rows[sreg].intrinsic, NULL, NULL, 0);
        LLVMMetadataRef range[2] = {LLVMValueAsMetadata(LLVMConstInt(i32, rows[sreg].lo, false)),
                                    LLVMValueAsMetadata(LLVMConstInt(i32, rows[sreg].hi, false))};
        LLVMSetMetadata(value, LLVMGetMDKindIDInContext(context, "range", 5),
                        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, range, 2)));
        return value;
    }
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), rows[sreg].offset, false);
    LLVMValueRef slot = LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), l->lane, &offset,
                                      1, "");
    return LLVMBuildLoad2(l->builder, i32, slot, "");
}

/* Ends the group of the thread's asynchronous copies and waits for older ones. */
static void lower_wait(struct lowering *l, const struct stmt *s)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(l->backend->context);
    LLVMValueRef groups = LLVMConstInt(i32, (unsigned)s->pending, false);
    lower_intrinsic(l, "llvm.nvvm.cp.async.commit.group", NULL, NULL, 0);
    lower_intrinsic(l, "llvm.nvvm.cp.async.wait.group", NULL, &groups, 1);
}

void lower_barrier(struct lowering *l, const struct stmt *s)
{
    if (s->waits && l->has_async)
        lower_wait(l, s);
    if (!l->host) {
        lower_intrinsic(l, "llvm.nvvm.barrier0", NULL, NULL, 0);
        return;
    }
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0),
                i32 = LLVMInt32TypeInContext(context);
    LLVMTypeRef types[] = {pointer, i32};
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context),
                                       offsetof(struct lane, barrier), false);
    LLVMValueRef slot = LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), l->lane, &offset,
                                      1, "");
    LLVMValueRef arguments[] = {l->lane, LLVMConstInt(i32, l->n_barriers++, false)};
    LLVMBuildCall2(l->builder, LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false),
                   LLVMBuildLoad2(l->builder, pointer, slot, "barrier"), arguments, 2, "");
}

static void lower_sequence(struct lowering *l, const struct stmt *s)
{
    for (int i = 0; i < s->n_children; i++)
        lower_stmt(l, s->children[i]);
}

static void lower_private(struct lowering *l, const struct array *array)
{
    int64_t count = 1, extent = 0;
    for (int i = 0; i < array->n_dims && !l->failed; i++) {
        if (!lower_constant(l, array->dims[i], &extent) || extent > 1 << 20 || count > 1 << 20) {
            diag_error(l->ctx, array->loc,
                       "private array '%s' of kernel '%s' needs a constant size: bind the "
                       "parameters in '%s'",
                       array->name, l->kernel->name, expr_text(l->ctx->arena, array->dims[i]));
            l->failed = true;
        }
        count *= extent > 0 ? extent : 1;
    }
    LLVMTypeRef type = LLVMArrayType2(lower_type(l, array->element),
                                      (uint64_t)(l->failed ? 1 : count));
    if (!map_get_pointer(l->slots, array))
        map_put_pointer(l->slots, array, lower_alloca(l, type, array->name));
}

void lower_stmt(struct lowering *l, const struct stmt *s)
{
    if (!s || l->failed)
        return;
    unsigned around = lower_origin_begin(l, s);
    switch (s->kind) {
    case STMT_SEQUENCE:
        lower_sequence(l, s);
        break;
    case STMT_LET:
        lower_assignment(l, s->var, s->value);
        break;
    case STMT_SET:
        lower_assignment(l, s->var, s->value);
        break;
    case STMT_ARRAY:
        lower_private(l, s->array);
        break;
    case STMT_STORE:
        lower_any_store(l, s);
        break;
    case STMT_IF:
        lower_if(l, s);
        break;
    case STMT_FOR:
        lower_for(l, s);
        break;
    case STMT_WHILE:
        lower_while(l, s);
        break;
    case STMT_BAND:
        lower_band(l, s);
        break;
    case STMT_BARRIER:
        lower_barrier(l, s);
        break;
    case STMT_LAST:
        break;
    }
    lower_origin_end(l, around);
}
