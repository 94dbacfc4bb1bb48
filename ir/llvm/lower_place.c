/* Running numbers of elements, kept as addresses.

   A copy in batches numbers its elements by variables that begin anywhere and go on by sums
   (ir/batch_expand.c, batches.places). In: an assignment to such a variable, or a subscript made of
   one. Out: the address of the element, which is all that is ever asked of the number. A step is
   one addition then, where a number takes a shift and two. LLVM does not see that all steps are the
   same: it would keep their multiples in registers which other code lacks. Only devices: the host
   checks numbers. */
#include "ir/llvm/lower.h"

/* The line that e numbers elements of, where it is such a variable; else NULL. */
static const struct array *line_of(const struct lowering *l, const struct expr *e)
{
    bool may_be = l->places && e->kind == EXPR_VAR;
    return may_be ? map_get_pointer(l->places, e->var) : NULL;
}

static LLVMValueRef place_load(struct lowering *l, const struct expr *e)
{
    LLVMValueRef slot = map_get_pointer(l->slots, e->var);
    return LLVMBuildLoad2(l->builder, LLVMGetAllocatedType(slot), slot, e->var->name);
}

/* The address `step` elements behind. */
static LLVMValueRef place_step(struct lowering *l, const struct array *line, LLVMValueRef address,
                               const struct expr *step)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef type = LLVMIntTypeInContext(context, line->space == SPACE_SHARED ? 32 : 64);
    l->in_subscript++;
    LLVMValueRef number = LLVMBuildIntCast2(l->builder, lower_expr(l, step), type,
                                            type_is_signed(step->type), "");
    l->in_subscript--;
    LLVMValueRef size = LLVMConstInt(type, type_bytes(line->element), false),
                 bytes = LLVMBuildMul(l->builder, number, size, "");
    if (!LLVMIsConstant(bytes))
        bytes = lower_hidden(l, bytes);
    return LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), address, &bytes, 1, "");
}

LLVMValueRef lower_place(struct lowering *l, const struct expr *number)
{
    const struct array *line = line_of(l, number);
    if (line)
        return place_load(l, number);
    if (number->kind != EXPR_BINARY || number->op != OP_ADD)
        return NULL;
    line = line_of(l, number->arguments[0]);
    if (!line)
        return NULL;
    return place_step(l, line, place_load(l, number->arguments[0]), number->arguments[1]);
}

bool lower_place_set(struct lowering *l, const struct var *var, const struct expr *value)
{
    const struct array *line = l->places ? map_get_pointer(l->places, var) : NULL;
    if (!line)
        return false;
    LLVMValueRef address = lower_place(l, value);
    if (!address) {
        l->in_subscript++;
        LLVMValueRef number = lower_convert(l, lower_expr(l, value), value->type, var->type);
        l->in_subscript--;
        address = lower_element(l, line, lower_hidden(l, number));
    }
    LLVMValueRef slot = map_get_pointer(l->slots, var);
    if (!slot) {
        slot = lower_alloca(l, LLVMTypeOf(address), var->name);
        map_put_pointer(l->slots, var, slot);
    }
    LLVMBuildStore(l->builder, address, slot);
    return true;
}
