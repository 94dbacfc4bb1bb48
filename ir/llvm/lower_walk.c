/* Walks through boxes: bands and the loop over blocks.

   Thread t visits the points t, t + threads, … of a box in row-major order. A walk keeps one
   counter per axis and adds the stride digit by digit with carry, as an odometer does: start and
   stride are divided into digits once, no number of the whole box is formed (it may need more than
   32 bits), and a box of one axis costs one counter. The first axis has no carry out: once its
   counter reaches the extent, the walk is over.

   Why no counter overflows: a counter below its extent < 2^31 plus a digit of the stride < 2^31
   plus a carry fits in 32 bits without sign. A box with 64-bit extents is walked in 64 bits.

   A walk without stride (a plain band) has one point, whose digits are those of the start. */
#include "ir/llvm/lower.h"

struct digits {
    LLVMTypeRef type;
    LLVMValueRef extent[AXES_MAX], start[AXES_MAX], stride[AXES_MAX], counter[AXES_MAX];
    LLVMValueRef nonempty;
};

/* 64 bits where an extent has them, unless it is a small constant. */
static LLVMTypeRef digits_type(struct lowering *l, const struct point_walk *walk,
                               const LLVMValueRef *extents)
{
    LLVMContextRef context = l->backend->context;
    for (int i = 0; i < walk->n_axes; i++) {
        bool small = LLVMIsAConstantInt(extents[i]) &&
                     LLVMConstIntGetSExtValue(extents[i]) < 0x7fffffff;
        if (type_bytes(walk->axes[i].extent->type) == 8 && !small && walk->stride)
            return LLVMInt64TypeInContext(context);
    }
    return LLVMInt32TypeInContext(context);
}

static void digits_split(struct lowering *l, int n, struct digits *d, LLVMValueRef number,
                         LLVMValueRef *digit)
{
    LLVMValueRef rest = LLVMBuildIntCast2(l->builder, number, d->type, false, "");
    for (int i = n - 1; i > 0; i--) {
        digit[i] = LLVMBuildURem(l->builder, rest, d->extent[i], "");
        rest = LLVMBuildUDiv(l->builder, rest, d->extent[i], "");
    }
    digit[0] = rest;
}

static void digits_extents(struct lowering *l, const struct point_walk *walk, struct digits *d)
{
    LLVMValueRef value[AXES_MAX];
    l->in_subscript++;
    for (int i = 0; i < walk->n_axes; i++)
        value[i] = lower_expr(l, walk->axes[i].extent);
    l->in_subscript--;
    d->type = digits_type(l, walk, value);
    for (int i = 0; i < walk->n_axes; i++) {
        bool with_sign = type_is_signed(walk->axes[i].extent->type);
        LLVMValueRef positive = LLVMBuildICmp(l->builder, with_sign ? LLVMIntSGT : LLVMIntNE,
                                              value[i], LLVMConstNull(LLVMTypeOf(value[i])), "");
        d->nonempty = d->nonempty ? LLVMBuildAnd(l->builder, d->nonempty, positive, "") : positive;
        d->extent[i] = LLVMBuildIntCast2(l->builder, value[i], d->type, with_sign, "");
    }
}

/* The axes are what the digits say, each in its own type; a digit is never negative. */
static void axes_define(struct lowering *l, const struct point_walk *walk, LLVMValueRef *digit)
{
    for (int i = 0; i < walk->n_axes; i++) {
        const struct var *var = walk->axes[i].var;
        map_put_pointer(l->values, var,
                        LLVMBuildIntCast2(l->builder, digit[i], lower_type(l, var->type), false,
                                          var->name));
    }
}

/* counter += stride, from the last axis to the first. */
static void counters_advance(struct lowering *l, int n, struct digits *d)
{
    LLVMValueRef carry = NULL;
    for (int i = n - 1; i >= 0; i--) {
        LLVMValueRef sum = LLVMBuildLoad2(l->builder, d->type, d->counter[i], "");
        sum = LLVMBuildNUWAdd(l->builder, sum, d->stride[i], "");
        if (carry)
            sum = LLVMBuildNUWAdd(l->builder, sum, carry, "");
        if (i > 0) {
            LLVMValueRef over = LLVMBuildICmp(l->builder, LLVMIntUGE, sum, d->extent[i], "");
            LLVMValueRef less = LLVMBuildSub(l->builder, sum, d->extent[i], "");
            carry = LLVMBuildZExt(l->builder, over, d->type, "");
            sum = LLVMBuildSelect(l->builder, over, less, sum, "");
        }
        LLVMBuildStore(l->builder, sum, d->counter[i]);
    }
}

static void walk_strided(struct lowering *l, const struct point_walk *walk, struct digits *d,
                         const struct stmt *body)
{
    int n = walk->n_axes;
    LLVMValueRef digit[AXES_MAX] = {NULL};
    LLVMBasicBlockRef first = lower_block(l, "walk.start"), head = lower_block(l, "walk");
    LLVMBasicBlockRef inside = lower_block(l, "walk.body"), end = lower_block(l, "walk.end");
    LLVMBuildCondBr(l->builder, d->nonempty, first, end);
    LLVMPositionBuilderAtEnd(l->builder, first);
    digits_split(l, n, d, walk->start, d->start);
    digits_split(l, n, d, walk->stride, d->stride);
    for (int i = 0; i < n; i++) {
        d->counter[i] = lower_alloca(l, d->type, "counter");
        LLVMBuildStore(l->builder, d->start[i], d->counter[i]);
    }
    LLVMBuildBr(l->builder, head);
    LLVMPositionBuilderAtEnd(l->builder, head);
    for (int i = 0; i < n; i++)
        digit[i] = LLVMBuildLoad2(l->builder, d->type, d->counter[i], "");
    LLVMBuildCondBr(l->builder, LLVMBuildICmp(l->builder, LLVMIntULT, digit[0], d->extent[0], ""),
                    inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    axes_define(l, walk, digit);
    lower_stmt(l, body);
    counters_advance(l, n, d);
    lower_loop_mark(l, LLVMBuildBr(l->builder, head), 1);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* A box without axes has one point, the start's if that is number 0 or has no stride. */
static void walk_point(struct lowering *l, const struct point_walk *walk, const struct stmt *body)
{
    LLVMBasicBlockRef inside = lower_block(l, "point"), end = lower_block(l, "point.end");
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(walk->start));
    LLVMValueRef first = walk->stride ? walk->start : zero;
    LLVMBuildCondBr(l->builder, LLVMBuildICmp(l->builder, LLVMIntEQ, first, zero, ""), inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    lower_stmt(l, body);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* The points of the box where that is a number at most as large as the block, else 0. LLVM is not
   told that thread numbers are below the size of the block, from which it could find out by itself:
   it then drops the masks of digits (u % 16 + 240 is thread | 240 in a block of 256), and what were
   constant offsets of one address become addresses of their own. */
static int64_t points_within(const struct lowering *l, const struct point_walk *walk,
                             const struct digits *d)
{
    int64_t points = 1;
    if (l->threads)
        for (int i = 0; i < walk->n_axes; i++) {
            int64_t extent = LLVMIsAConstantInt(d->extent[i])
                                 ? LLVMConstIntGetSExtValue(d->extent[i])
                                 : 0;
            if (extent < 1 || extent > l->threads / points)
                return 0;
            points *= extent;
        }
    return l->threads ? points : 0;
}

/* A strided walk of one round: the first threads of the block have a point each. */
static void walk_once(struct lowering *l, const struct point_walk *walk, struct digits *d,
                      int64_t points, const struct stmt *body)
{
    LLVMBasicBlockRef inside = lower_block(l, "walk.body"), end = lower_block(l, "walk.end");
    LLVMValueRef most = LLVMConstInt(LLVMTypeOf(walk->start), (unsigned long long)points, false);
    LLVMValueRef within = LLVMBuildICmp(l->builder, LLVMIntULT, walk->start, most, "");
    if (points == l->threads)
        within = LLVMConstInt(LLVMInt1TypeInContext(l->backend->context), 1, false);
    LLVMBuildCondBr(l->builder, within, inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    digits_split(l, walk->n_axes, d, walk->start, d->start);
    axes_define(l, walk, d->start);
    lower_stmt(l, body);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

void lower_walk(struct lowering *l, const struct point_walk *walk, const struct stmt *body)
{
    struct digits d = {0};
    if (walk->n_axes == 0) {
        walk_point(l, walk, body);
        return;
    }
    digits_extents(l, walk, &d);
    int64_t points = walk->is_band ? points_within(l, walk, &d) : 0;
    if (points) {
        walk_once(l, walk, &d, points, body);
        return;
    }
    if (walk->stride) {
        walk_strided(l, walk, &d, body);
        return;
    }
    digits_split(l, walk->n_axes, &d, walk->start, d.start);
    axes_define(l, walk, d.start);
    lower_stmt(l, body);
}
