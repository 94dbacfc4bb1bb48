/* Program expressions to LLVM values.

   In: typed expressions with explicit conversions. Out: values of the LLVM type of expr->type (a
   _Bool is 8 bits of value 0 or 1, as in memory). Invariant: what C does not evaluate is not
   evaluated: the right side of && and ||, the other branch of ?:, unless evaluating it changes
   nothing (expr_is_total).

   Wrap-around: signed arithmetic of values wraps, as the interpreters do it. Only where a result
   ends in a subscript or counts a loop is it declared not to wrap, so that LLVM can widen it to an
   address. A shift counts modulo its width. Division by zero and INT_MIN / -1 are undefined on the
   GPU; the host checks the first and wraps the second. */
#include "ir/llvm/lower.h"

static bool type_is_integer(enum type type)
{
    return !type_is_floating(type);
}

LLVMTypeRef lower_type(struct lowering *l, enum type type)
{
    LLVMContextRef context = l->backend->context;
    if (type == TYPE_F16)
        return LLVMHalfTypeInContext(context);
    if (type == TYPE_F32)
        return LLVMFloatTypeInContext(context);
    if (type == TYPE_F64)
        return LLVMDoubleTypeInContext(context);
    return LLVMIntTypeInContext(context, 8 * type_bytes(type));
}

static LLVMValueRef lower_truth(struct lowering *l, LLVMValueRef value, enum type type)
{
    LLVMValueRef zero = LLVMConstNull(lower_type(l, type));
    if (type_is_floating(type))
        return LLVMBuildFCmp(l->builder, LLVMRealUNE, value, zero, "");
    return LLVMBuildICmp(l->builder, LLVMIntNE, value, zero, "");
}

LLVMValueRef lower_convert(struct lowering *l, LLVMValueRef value, enum type from, enum type to)
{
    LLVMTypeRef type = lower_type(l, to);
    if (from == to)
        return value;
    if (to == TYPE_BOOL)
        return LLVMBuildZExt(l->builder, lower_truth(l, value, from), type, "");
    if (l->host && (from == TYPE_F16 || to == TYPE_F16))
        return lower_half(l, value, to);
    if (type_is_floating(from) && type_is_floating(to))
        return LLVMBuildFPCast(l->builder, value, type, "");
    if (type_is_floating(from))
        return type_is_signed(to) ? LLVMBuildFPToSI(l->builder, value, type, "")
                                  : LLVMBuildFPToUI(l->builder, value, type, "");
    if (type_is_floating(to))
        return type_is_signed(from) ? LLVMBuildSIToFP(l->builder, value, type, "")
                                    : LLVMBuildUIToFP(l->builder, value, type, "");
    return LLVMBuildIntCast2(l->builder, value, type, type_is_signed(from), "");
}

static LLVMValueRef lower_variable(struct lowering *l, const struct var *var)
{
    LLVMValueRef slot = map_get_pointer(l->slots, var);
    if (slot)
        return LLVMBuildLoad2(l->builder, lower_type(l, var->type), slot, var->name);
    LLVMValueRef value = map_get_pointer(l->values, var);
    if (value)
        return value;
    diag_error(l->ctx, var->loc, "internal: variable '%s' is used before it exists", var->name);
    l->failed = true;
    return LLVMGetUndef(lower_type(l, var->type));
}

static LLVMValueRef lower_unary(struct lowering *l, const struct expr *e)
{
    const struct expr *operand = e->arguments[0];
    if (e->op == OP_NOT) {
        LLVMValueRef truth = LLVMBuildNot(l->builder, lower_condition(l, operand), "");
        return LLVMBuildZExt(l->builder, truth, lower_type(l, e->type), "");
    }
    LLVMValueRef value = lower_convert(l, lower_expr(l, operand), operand->type, e->type);
    if (e->op == OP_COMPLEMENT)
        return LLVMBuildNot(l->builder, value, "");
    return type_is_floating(e->type) ? LLVMBuildFNeg(l->builder, value, "")
                                     : LLVMBuildNeg(l->builder, value, "");
}

/* Signed division on the host, defined everywhere but at zero: x / -1 is computed as 0 - x. */
static LLVMValueRef divide_host(struct lowering *l, const struct expr *e, LLVMValueRef a,
                                LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(b);
    struct fault fault = {FAULT_DIVISION, NULL, e->loc};
    lower_check(l, LLVMBuildICmp(l->builder, LLVMIntEQ, b, LLVMConstNull(type), ""), fault, NULL,
                NULL);
    if (!type_is_signed(e->type))
        return e->op == OP_DIV ? LLVMBuildUDiv(l->builder, a, b, "")
                               : LLVMBuildURem(l->builder, a, b, "");
    LLVMValueRef minus = LLVMBuildICmp(l->builder, LLVMIntEQ, b, LLVMConstAllOnes(type), "");
    LLVMValueRef divisor = LLVMBuildSelect(l->builder, minus, LLVMConstInt(type, 1, false), b, "");
    if (e->op == OP_DIV)
        return LLVMBuildSelect(l->builder, minus, LLVMBuildNeg(l->builder, a, ""),
                               LLVMBuildSDiv(l->builder, a, divisor, ""), "");
    return LLVMBuildSelect(l->builder, minus, LLVMConstNull(type),
                           LLVMBuildSRem(l->builder, a, divisor, ""), "");
}

static LLVMValueRef divide(struct lowering *l, const struct expr *e, LLVMValueRef a, LLVMValueRef b)
{
    bool tame = LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) &&
                LLVMConstIntGetSExtValue(b) != -1;
    if (l->host && !tame)
        return divide_host(l, e, a, b);
    if (e->op == OP_DIV)
        return type_is_signed(e->type) ? LLVMBuildSDiv(l->builder, a, b, "")
                                       : LLVMBuildUDiv(l->builder, a, b, "");
    return type_is_signed(e->type) ? LLVMBuildSRem(l->builder, a, b, "")
                                   : LLVMBuildURem(l->builder, a, b, "");
}

static LLVMValueRef lower_arithmetic(struct lowering *l, const struct expr *e, LLVMValueRef a,
                                     LLVMValueRef b)
{
    if (type_is_floating(e->type)) {
        static const LLVMOpcode opcodes[] = {
            [OP_ADD] = LLVMFAdd, [OP_SUB] = LLVMFSub, [OP_MUL] = LLVMFMul, [OP_DIV] = LLVMFDiv};
        LLVMValueRef value = LLVMBuildBinOp(l->builder, opcodes[e->op], a, b, "");
        if (l->contract && LLVMIsAInstruction(value))
            LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
        return value;
    }
    bool exact = l->in_subscript && type_is_signed(e->type);
    switch (e->op) {
    case OP_ADD:
        return exact ? LLVMBuildNSWAdd(l->builder, a, b, "") : LLVMBuildAdd(l->builder, a, b, "");
    case OP_SUB:
        return exact ? LLVMBuildNSWSub(l->builder, a, b, "") : LLVMBuildSub(l->builder, a, b, "");
    case OP_MUL:
        return exact ? LLVMBuildNSWMul(l->builder, a, b, "") : LLVMBuildMul(l->builder, a, b, "");
    case OP_AND:
        return LLVMBuildAnd(l->builder, a, b, "");
    case OP_OR:
        return LLVMBuildOr(l->builder, a, b, "");
    case OP_XOR:
        return LLVMBuildXor(l->builder, a, b, "");
    default:
        return divide(l, e, a, b);
    }
}

static LLVMValueRef lower_shift(struct lowering *l, const struct expr *e)
{
    LLVMTypeRef type = lower_type(l, e->type);
    LLVMValueRef a = lower_convert(l, lower_expr(l, e->arguments[0]), e->arguments[0]->type,
                                   e->type);
    LLVMValueRef count = LLVMBuildIntCast2(l->builder, lower_expr(l, e->arguments[1]), type,
                                           type_is_signed(e->arguments[1]->type), "");
    count = LLVMBuildAnd(l->builder, count, LLVMConstInt(type, 8 * type_bytes(e->type) - 1, false),
                         "");
    if (e->op == OP_SHL)
        return LLVMBuildShl(l->builder, a, count, "");
    return type_is_signed(e->type) ? LLVMBuildAShr(l->builder, a, count, "")
                                   : LLVMBuildLShr(l->builder, a, count, "");
}

static LLVMValueRef lower_comparison(struct lowering *l, const struct expr *e)
{
    enum type type = e->arguments[0]->type;
    LLVMValueRef a = lower_expr(l, e->arguments[0]), b = lower_expr(l, e->arguments[1]);
    b = lower_convert(l, b, e->arguments[1]->type, type);
    static const LLVMRealPredicate real[] = {
        [OP_LT] = LLVMRealOLT, [OP_LE] = LLVMRealOLE, [OP_GT] = LLVMRealOGT,
        [OP_GE] = LLVMRealOGE, [OP_EQ] = LLVMRealOEQ, [OP_NE] = LLVMRealUNE};
    static const LLVMIntPredicate with_sign[] = {
        [OP_LT] = LLVMIntSLT, [OP_LE] = LLVMIntSLE, [OP_GT] = LLVMIntSGT,
        [OP_GE] = LLVMIntSGE, [OP_EQ] = LLVMIntEQ, [OP_NE] = LLVMIntNE};
    static const LLVMIntPredicate without_sign[] = {
        [OP_LT] = LLVMIntULT, [OP_LE] = LLVMIntULE, [OP_GT] = LLVMIntUGT,
        [OP_GE] = LLVMIntUGE, [OP_EQ] = LLVMIntEQ, [OP_NE] = LLVMIntNE};
    if (type_is_floating(type))
        return LLVMBuildFCmp(l->builder, real[e->op], a, b, "");
    return LLVMBuildICmp(l->builder, type_is_signed(type) ? with_sign[e->op] : without_sign[e->op],
                         a, b, "");
}

struct choice {
    LLVMValueRef value[2];
    LLVMBasicBlockRef from[2], join;
};

static LLVMValueRef choice_join(struct lowering *l, struct choice *choice)
{
    LLVMPositionBuilderAtEnd(l->builder, choice->join);
    LLVMValueRef phi = LLVMBuildPhi(l->builder, LLVMTypeOf(choice->value[0]), "");
    LLVMAddIncoming(phi, choice->value, choice->from, 2);
    return phi;
}

/* The second operand of && or || is reached only where the first leaves the result open. */
static LLVMValueRef lower_logical(struct lowering *l, const struct expr *e)
{
    bool is_and = e->op == OP_LAND;
    LLVMValueRef first = lower_condition(l, e->arguments[0]);
    if (expr_is_total(e->arguments[1])) {
        LLVMValueRef second = lower_condition(l, e->arguments[1]);
        return is_and ? LLVMBuildAnd(l->builder, first, second, "")
                      : LLVMBuildOr(l->builder, first, second, "");
    }
    struct choice choice = {.join = lower_block(l, "logical.end")};
    LLVMBasicBlockRef right = lower_block(l, "logical.right");
    choice.from[0] = LLVMGetInsertBlock(l->builder);
    choice.value[0] = LLVMConstInt(LLVMInt1TypeInContext(l->backend->context), !is_and, false);
    LLVMBuildCondBr(l->builder, first, is_and ? right : choice.join, is_and ? choice.join : right);
    LLVMPositionBuilderAtEnd(l->builder, right);
    choice.value[1] = lower_condition(l, e->arguments[1]);
    choice.from[1] = LLVMGetInsertBlock(l->builder);
    LLVMBuildBr(l->builder, choice.join);
    return choice_join(l, &choice);
}

static LLVMValueRef lower_select(struct lowering *l, const struct expr *e)
{
    LLVMValueRef condition = lower_condition(l, e->arguments[0]);
    if (expr_is_total(e->arguments[1]) && expr_is_total(e->arguments[2])) {
        LLVMValueRef a = lower_convert(l, lower_expr(l, e->arguments[1]), e->arguments[1]->type,
                                       e->type);
        LLVMValueRef b = lower_convert(l, lower_expr(l, e->arguments[2]), e->arguments[2]->type,
                                       e->type);
        return LLVMBuildSelect(l->builder, condition, a, b, "");
    }
    struct choice choice = {.join = lower_block(l, "select.end")};
    LLVMBasicBlockRef branch[2] = {lower_block(l, "select.then"), lower_block(l, "select.else")};
    LLVMBuildCondBr(l->builder, condition, branch[0], branch[1]);
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(l->builder, branch[i]);
        choice.value[i] = lower_convert(l, lower_expr(l, e->arguments[1 + i]),
                                        e->arguments[1 + i]->type, e->type);
        choice.from[i] = LLVMGetInsertBlock(l->builder);
        LLVMBuildBr(l->builder, choice.join);
    }
    return choice_join(l, &choice);
}

LLVMValueRef lower_condition(struct lowering *l, const struct expr *e)
{
    if (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR))
        return lower_logical(l, e);
    if (e->kind == EXPR_BINARY && e->op >= OP_LT && e->op <= OP_NE)
        return lower_comparison(l, e);
    if (e->kind == EXPR_UNARY && e->op == OP_NOT)
        return LLVMBuildNot(l->builder, lower_condition(l, e->arguments[0]), "");
    return lower_truth(l, lower_expr(l, e), e->type);
}

static LLVMValueRef lower_operator(struct lowering *l, const struct expr *e)
{
    if (e->op >= OP_LT)
        return LLVMBuildZExt(l->builder, lower_condition(l, e), lower_type(l, e->type), "");
    if (e->op == OP_SHL || e->op == OP_SHR)
        return lower_shift(l, e);
    LLVMValueRef a = lower_convert(l, lower_expr(l, e->arguments[0]), e->arguments[0]->type,
                                   e->type);
    LLVMValueRef b = lower_convert(l, lower_expr(l, e->arguments[1]), e->arguments[1]->type,
                                   e->type);
    return lower_arithmetic(l, e, a, b);
}

/* Beyond + - * / nothing is known of an operand's range: hashing in a subscript may wrap. */
static LLVMValueRef lower_binary(struct lowering *l, const struct expr *e)
{
    int in_subscript = l->in_subscript;
    if (e->op > OP_DIV)
        l->in_subscript = 0;
    LLVMValueRef value = lower_operator(l, e);
    l->in_subscript = in_subscript;
    return value;
}

static LLVMValueRef lower_load(struct lowering *l, const struct expr *e)
{
    LLVMValueRef address = lower_address(l, e->array, e->arguments, e->loc);
    LLVMValueRef value = LLVMBuildLoad2(l->builder, lower_type(l, e->array->element), address, "");
    return lower_convert(l, value, e->array->element, e->type);
}

LLVMValueRef lower_expr(struct lowering *l, const struct expr *e)
{
    switch (e->kind) {
    case EXPR_INTEGER:
        if (type_is_integer(e->type))
            return LLVMConstInt(lower_type(l, e->type), (unsigned long long)e->integer, true);
        return LLVMConstReal(lower_type(l, e->type), (double)e->integer);
    case EXPR_REAL:
        return LLVMConstReal(lower_type(l, e->type), e->real);
    case EXPR_VAR:
        return lower_variable(l, e->var);
    case EXPR_LOAD:
        return lower_load(l, e);
    case EXPR_UNARY:
        return lower_unary(l, e);
    case EXPR_BINARY:
        return lower_binary(l, e);
    case EXPR_CAST:
        return lower_convert(l, lower_expr(l, e->arguments[0]), e->arguments[0]->type, e->type);
    case EXPR_SELECT:
        return lower_select(l, e);
    case EXPR_CALL:
        return lower_call(l, e);
    }
    return NULL;
}
