/* Statements of the last block of a launch (stmt_last).

   On a GPU a word counts the blocks that are through. The first thread of each adds one, behind a
   barrier, so that all threads of the block have written, and between two fences: the first fence
   makes visible what the block wrote before it is counted, the second one lets the block that
   counts last see what all others wrote. The count wraps to zero by itself, so that the next launch
   finds it at zero. The first thread tells the others whether their block was the last one by the
   first word of shared memory, which nobody uses any more; the last block waits once more before
   it uses shared memory again. Barriers order memory between threads of a block, fences and the
   count order it between blocks: so what the first thread has ordered is ordered for all threads
   (PTX ISA, "Memory Consistency Model", causality order).

   On the host blocks run one after the other, and the runner marks the last one. */
#include "ir/llvm/lower.h"

static LLVMValueRef word_of(struct lowering *l, unsigned value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(l->backend->context), value, false);
}

/* Counts the block, and says in shared memory whether it was the last one. */
static void block_count(struct lowering *l)
{
    LLVMValueRef most = LLVMBuildMul(l->builder, lower_sreg(l, SREG_BLOCKS_X),
                                     lower_sreg(l, SREG_BLOCKS_Y), "");
    most = LLVMBuildSub(l->builder, most, word_of(l, 1), "");
    LLVMValueRef counter = LLVMGetLastParam(l->function);
    LLVMValueRef arguments[2] = {counter, most};
    lower_intrinsic(l, "llvm.nvvm.membar.gl", NULL, NULL, 0);
    LLVMValueRef before = lower_intrinsic(l, "llvm.nvvm.atomic.load.inc.32", LLVMTypeOf(counter),
                                          arguments, 2);
    LLVMValueRef is_last = LLVMBuildICmp(l->builder, LLVMIntEQ, before, most, "");
    LLVMBuildStore(l->builder, LLVMBuildZExt(l->builder, is_last, LLVMTypeOf(most), ""), l->shared);
    lower_intrinsic(l, "llvm.nvvm.membar.gl", NULL, NULL, 0);
}

/* True in all threads of the last block, false in those of others. */
static LLVMValueRef is_last_block(struct lowering *l)
{
    LLVMContextRef context = l->backend->context;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    const struct stmt *barrier = stmt_barrier(l->ctx->arena);
    LLVMValueRef place = l->shared;
    lower_barrier(l, barrier);
    if (l->host) {
        LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context),
                                           offsetof(struct lane, is_last), false);
        place = LLVMBuildGEP2(l->builder, LLVMInt8TypeInContext(context), l->lane, &offset, 1, "");
    } else {
        LLVMBasicBlockRef first = lower_block(l, "count"), behind = lower_block(l, "counted");
        LLVMValueRef is_first = LLVMBuildICmp(l->builder, LLVMIntEQ, l->thread_number,
                                              LLVMConstNull(LLVMTypeOf(l->thread_number)), "");
        LLVMBuildCondBr(l->builder, is_first, first, behind);
        LLVMPositionBuilderAtEnd(l->builder, first);
        block_count(l);
        LLVMBuildBr(l->builder, behind);
        LLVMPositionBuilderAtEnd(l->builder, behind);
        lower_barrier(l, barrier);
    }
    LLVMValueRef flag = LLVMBuildLoad2(l->builder, i32, place, "last");
    return LLVMBuildICmp(l->builder, LLVMIntNE, flag, word_of(l, 0), "");
}

void lower_last(struct lowering *l, const struct stmt *body)
{
    LLVMBasicBlockRef inside = lower_block(l, "last"), end = lower_block(l, "last.end");
    LLVMBuildCondBr(l->builder, is_last_block(l), inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    if (!l->host)
        lower_barrier(l, stmt_barrier(l->ctx->arena));
    lower_stmt(l, body);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}
