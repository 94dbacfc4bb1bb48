/* Calls of the functions of ir/function.def.

   Most of the first rows are instructions of every target (LLVM intrinsics). The others are
   libdevice's __nv_NAME on the GPU (linked by libdevice.c) and the C library's functions on the
   host, so that the host computes what serial C does. */
#include "ir/function.h"
#include "ir/llvm/lower.h"
#include <string.h>

static const struct {
    const char *name, *intrinsic;
} intrinsics[] = {
    {"sqrt", "llvm.sqrt"}, {"fabs", "llvm.fabs"},         {"floor", "llvm.floor"},
    {"ceil", "llvm.ceil"}, {"trunc", "llvm.trunc"},       {"round", "llvm.round"},
    {"rint", "llvm.rint"}, {"fmin", "llvm.minnum"},       {"fmax", "llvm.maxnum"},
    {"fma", "llvm.fma"},   {"copysign", "llvm.copysign"},
};

LLVMValueRef lower_intrinsic(struct lowering *l, const char *name, LLVMTypeRef type,
                             LLVMValueRef *arguments, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(l->module, id, &type, type ? 1 : 0);
    LLVMTypeRef signature = LLVMIntrinsicGetType(l->backend->context, id, &type, type ? 1 : 0);
    return LLVMBuildCall2(l->builder, signature, function, arguments, n, "");
}

/* The intrinsic that is the function of this row, NULL if there is none; "sqrtf" is "sqrt"
   of floats. */
static const char *intrinsic_of(const struct function_row *row)
{
    size_t length = strlen(row->name) - (row->type == TYPE_F32);
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strlen(intrinsics[i].name) == length && !strncmp(intrinsics[i].name, row->name, length))
            return intrinsics[i].intrinsic;
    return NULL;
}

/* A call of a function that the module declares, whose result has the type. */
static LLVMValueRef call_external(struct lowering *l, const char *name, LLVMTypeRef type,
                                  LLVMValueRef *arguments, unsigned n)
{
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef signature = LLVMFunctionType(type, types, n, false);
    LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
    if (!function)
        function = LLVMAddFunction(l->module, name, signature);
    return LLVMBuildCall2(l->builder, signature, function, arguments, n, "");
}

/* The host converts by base/half.h: LLVM would call functions of a compiler's library, which this
   process need not have. */
LLVMValueRef lower_half(struct lowering *l, LLVMValueRef value, enum type to)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef bits = LLVMInt16TypeInContext(context), word = LLVMInt32TypeInContext(context);
    LLVMTypeRef number = LLVMDoubleTypeInContext(context);
    if (to == TYPE_F16) {
        value = LLVMBuildFPCast(l->builder, value, number, "");
        value = call_external(l, "half_bits", word, &value, 1);
        value = LLVMBuildTrunc(l->builder, value, bits, "");
        return LLVMBuildBitCast(l->builder, value, lower_type(l, to), "");
    }
    value = LLVMBuildBitCast(l->builder, value, bits, "");
    value = LLVMBuildZExt(l->builder, value, word, "");
    value = call_external(l, "half_value", number, &value, 1);
    return LLVMBuildFPCast(l->builder, value, lower_type(l, to), "");
}

static LLVMValueRef call_refused(struct lowering *l, const struct expr *e)
{
    diag_error(l->ctx, e->loc, "internal: function '%s' is not in ir/function.def", e->function);
    l->failed = true;
    return LLVMGetUndef(lower_type(l, e->type));
}

LLVMValueRef lower_call(struct lowering *l, const struct expr *e)
{
    LLVMTypeRef type = lower_type(l, e->type);
    LLVMValueRef arguments[3];
    const struct function_row *row = function_find(e->function);
    if (!row || row->n_arguments != e->n_arguments || row->type != e->type)
        return call_refused(l, e);
    for (int i = 0; i < e->n_arguments; i++)
        arguments[i] = lower_convert(l, lower_expr(l, e->arguments[i]), e->arguments[i]->type,
                                     function_argument(row, i));
    if (!strcmp(e->function, "abs") || !strcmp(e->function, "labs")) {
        arguments[1] = LLVMConstNull(LLVMInt1TypeInContext(l->backend->context));
        return lower_intrinsic(l, "llvm.abs", type, arguments, 2);
    }
    const char *intrinsic = intrinsic_of(row), *prefix = l->host ? "" : "__nv_";
    if (intrinsic)
        return lower_intrinsic(l, intrinsic, type, arguments, (unsigned)e->n_arguments);
    return call_external(l, arena_printf(l->ctx->arena, "%s%s", prefix, row->name), type, arguments,
                         (unsigned)e->n_arguments);
}
