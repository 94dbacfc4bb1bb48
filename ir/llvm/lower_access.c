/* Addresses of array elements.

   In: an array and its subscripts. Out: a pointer to the element in the array's address space. The
   row-major number of the element is computed in 64 bits for global arrays, in 32 for shared and
   private ones, which are smaller than 2^31 bytes; it does not wrap, since elements outside an
   array are not touched. Accesses that lie near each other share what they have in common
   (lower_near.c).

   On the host every access is checked against the number of elements that the caller gave (global),
   the bytes of the block's buffer (shared) or the extents (private), and that of a vector for its
   alignment: a defective kernel is a diagnostic, not a crash. */
#include "ir/llvm/lower.h"

static LLVMValueRef linear_number(struct lowering *l, const struct array *array,
                                  const struct expr *const *indices)
{
    LLVMTypeRef type = LLVMIntTypeInContext(l->backend->context,
                                            array->space == SPACE_GLOBAL ? 64 : 32);
    LLVMValueRef number = NULL;
    l->in_subscript++;
    for (int i = 0; i < array->n_dims; i++) {
        LLVMValueRef index = LLVMBuildIntCast2(l->builder, lower_expr(l, indices[i]), type,
                                               type_is_signed(indices[i]->type), "");
        if (number) {
            LLVMValueRef extent = LLVMBuildIntCast2(l->builder, lower_expr(l, array->dims[i]), type,
                                                    type_is_signed(array->dims[i]->type), "");
            number = LLVMBuildNSWAdd(l->builder, LLVMBuildNSWMul(l->builder, number, extent, ""),
                                     index, "");
        } else {
            number = index;
        }
    }
    l->in_subscript--;
    return number ? number : LLVMConstNull(type);
}

void lower_check(struct lowering *l, LLVMValueRef wrong, struct fault fault, LLVMValueRef index,
                 LLVMValueRef count)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0),
                i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef types[] = {pointer, pointer, i64, i64};
    struct fault *kept = ARENA_NEW(l->ctx->arena, struct fault);
    *kept = fault;
    LLVMValueRef place = LLVMConstInt(i64, (unsigned long long)(uintptr_t)kept, false);
    LLVMValueRef arguments[] = {l->lane, LLVMConstIntToPtr(place, pointer),
                                index ? index : LLVMConstNull(i64),
                                count ? count : LLVMConstNull(i64)};
    LLVMValueRef offset = LLVMConstInt(i64, offsetof(struct lane, trap), false);
    LLVMBasicBlockRef bad = lower_block(l, "bad"), good = lower_block(l, "good");
    LLVMBuildCondBr(l->builder, wrong, bad, good);
    LLVMPositionBuilderAtEnd(l->builder, bad);
    LLVMValueRef slot = LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), l->lane, &offset,
                                      1, "");
    LLVMValueRef trap = LLVMBuildLoad2(l->builder, pointer, slot, "trap");
    LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 4, false);
    LLVMBuildCall2(l->builder, signature, trap, arguments, 4, "");
    LLVMBuildUnreachable(l->builder);
    LLVMPositionBuilderAtEnd(l->builder, good);
}

static LLVMValueRef private_count(struct lowering *l, const struct array *array)
{
    int64_t count = 1, extent = 0;
    for (int i = 0; i < array->n_dims; i++)
        count *= lower_constant(l, array->dims[i], &extent) && extent > 0 ? extent : 0;
    return LLVMConstInt(LLVMInt64TypeInContext(l->backend->context), (unsigned long long)count,
                        false);
}

/* A shared element lies in the buffer if offset + size * number does; a negative number is a
   huge one. */
static LLVMValueRef shared_count(struct lowering *l, const struct array *array, LLVMValueRef offset)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef at = LLVMConstInt(i64, offsetof(struct lane, shared_bytes), false);
    LLVMValueRef slot = LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), l->lane, &at, 1,
                                      "");
    LLVMValueRef bytes = LLVMBuildLoad2(l->builder, i64, slot, "shared.bytes");
    LLVMValueRef rest = LLVMBuildSub(l->builder, bytes, offset, "");
    LLVMValueRef none = LLVMBuildICmp(l->builder, LLVMIntSLT, rest, LLVMConstNull(i64), "");
    rest = LLVMBuildSelect(l->builder, none, LLVMConstNull(i64), rest, "");
    return LLVMBuildUDiv(l->builder, rest, LLVMConstInt(i64, type_bytes(array->element), false),
                         "");
}

/* What the host checks of an access: one of `width` elements from `number` on, or (width 0)
   of one. */
struct checked_access {
    const struct array *array;
    struct loc loc;
    int width;
    LLVMValueRef number, offset, count;   /* offset: bytes before the array, NULL = none */
};

/* A vector begins at a multiple of its bytes; so if its last element's number is in bounds, its
   first one's is. */
static void check_reach(struct lowering *l, const struct checked_access *reach)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(l->backend->context);
    LLVMValueRef first = LLVMBuildSExt(l->builder, reach->number, i64, ""), last = first;
    if (reach->width) {
        LLVMValueRef bytes = LLVMConstInt(i64, type_bytes(reach->array->element), false);
        LLVMValueRef begin = LLVMBuildMul(l->builder, first, bytes, "");
        begin = reach->offset ? LLVMBuildAdd(l->builder, begin, reach->offset, "") : begin;
        LLVMValueRef rest = LLVMBuildAnd(l->builder, begin,
                                         LLVMConstInt(i64, VECTOR_BYTES - 1, false), "");
        lower_check(l, LLVMBuildICmp(l->builder, LLVMIntNE, rest, LLVMConstNull(i64), ""),
                    (struct fault){FAULT_ALIGNMENT, reach->array, reach->loc}, first, reach->count);
        last = LLVMBuildAdd(l->builder, first,
                            LLVMConstInt(i64, (unsigned long long)reach->width - 1, false), "");
    }
    lower_check(l, LLVMBuildICmp(l->builder, LLVMIntUGE, last, reach->count, ""),
                (struct fault){FAULT_BOUNDS, reach->array, reach->loc}, last, reach->count);
}

static LLVMValueRef lower_offset(struct lowering *l, const struct array *array)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(l->backend->context);
    if (!array->offset)
        return LLVMConstNull(i64);
    l->in_subscript++;
    LLVMValueRef offset = LLVMBuildIntCast2(l->builder, lower_expr(l, array->offset), i64,
                                            type_is_signed(array->offset->type), "");
    l->in_subscript--;
    return offset;
}

LLVMValueRef lower_address(struct lowering *l, const struct array *array,
                           const struct expr *const *indices, struct loc loc)
{
    return lower_vector_address(l, array, indices, loc, 0);
}

/* Where the array begins; the bytes before it in the block's buffer go to *offset. NULL after a
   diagnostic. */
static LLVMValueRef base_of(struct lowering *l, const struct array *array, LLVMValueRef *offset)
{
    LLVMValueRef base;
    *offset = NULL;
    if (array->space == SPACE_SHARED) {
        *offset = lower_offset(l, array);
        return LLVMBuildInBoundsGEP2(l->builder, LLVMInt8TypeInContext(l->backend->context),
                                     l->shared, offset, 1, array->name);
    }
    base = map_get_pointer(array->space == SPACE_PRIVATE ? l->slots : l->addresses, array);
    if (!base) {
        diag_error(l->ctx, array->loc, "internal: array '%s' is used before it exists",
                   array->name);
        l->failed = true;
    }
    return base;
}

/* The elements of the array, as the host knows it. */
static LLVMValueRef count_of(struct lowering *l, const struct array *array, LLVMValueRef offset)
{
    if (array->space == SPACE_SHARED)
        return shared_count(l, array, offset);
    return array->space == SPACE_PRIVATE ? private_count(l, array)
                                         : map_get_pointer(l->counts, array);
}

LLVMValueRef lower_element(struct lowering *l, const struct array *array, LLVMValueRef number)
{
    LLVMValueRef offset, base = base_of(l, array, &offset);
    if (!base)
        return LLVMGetUndef(LLVMPointerTypeInContext(l->backend->context, 0));
    return LLVMBuildInBoundsGEP2(l->builder, lower_type(l, array->element), base, &number, 1, "");
}

LLVMValueRef lower_vector_address(struct lowering *l, const struct array *array,
                                  const struct expr *const *indices, struct loc loc, int width)
{
    LLVMValueRef place = array->n_dims == 1 ? lower_place(l, indices[0]) : NULL;
    if (place)
        return place;
    LLVMValueRef number = linear_number(l, array, indices), offset,
                 base = base_of(l, array, &offset);
    if (!base)
        return LLVMGetUndef(LLVMPointerTypeInContext(l->backend->context, 0));
    if (l->host) {
        LLVMValueRef count = count_of(l, array, offset);
        check_reach(l, &(struct checked_access){array, loc, width, number, offset, count});
    }
    LLVMValueRef near = NULL;
    if (array->space != SPACE_PRIVATE)
        near = lower_near_address(l, array, base, indices);
    if (near)
        return near;
    return LLVMBuildInBoundsGEP2(l->builder, lower_type(l, array->element), base, &number, 1, "");
}
