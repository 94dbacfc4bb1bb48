/* Walks through boxes: bands and the loop over blocks.

   A launch is a plane or a line. In a plane the last axis of the grid is the launch's first
   dimension and all other axes together are its second one, and there is a block for every point;
   of the block's threads likewise. Then a point is known without a division, and a block has one
   point. In a line one number counts the points, the last axis fastest; every number of blocks will
   do: block b visits the points b, b + blocks, … A launch whose second dimension is 1 is taken for
   a line, which is right for a plane of one row too. What only a line needs is computed where it
   was found to be one.

   Thread t visits the points t, t + threads, … of a strided band's box in row-major order. A walk
   keeps one counter per axis and adds the stride digit by digit with carry, as an odometer does:
   start and stride are divided into digits once, no number of the whole box is formed (it may need
   more than 32 bits), and a box of one axis costs one counter. The first axis has no carry out:
   once its counter reaches the extent, the walk is over.

   Why no counter overflows: a counter below its extent < 2^31 plus a digit of the stride < 2^31
   plus a carry fits in 32 bits without sign. A box with 64-bit extents is walked in 64 bits. */
#include "ir/llvm/lower.h"

struct digits {
    LLVMTypeRef type;
    LLVMValueRef extent[AXES_MAX], start[AXES_MAX], stride[AXES_MAX], counter[AXES_MAX];
    LLVMValueRef nonempty;
};

struct box {
    const struct axis *axes;
    int n;
};

/* 64 bits where an extent has them, unless it is a small constant. */
static LLVMTypeRef digits_type(struct lowering *l, struct box box, const LLVMValueRef *extents)
{
    LLVMContextRef context = l->backend->context;
    for (int i = 0; i < box.n; i++) {
        bool small = LLVMIsAConstantInt(extents[i]) &&
                     LLVMConstIntGetSExtValue(extents[i]) < 0x7fffffff;
        if (type_bytes(box.axes[i].extent->type) == 8 && !small)
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

/* The extents, as the digits need them; plain bands have as many points as the block has threads,
   so 32 bits will do for them. */
static void digits_extents(struct lowering *l, struct box box, bool is_strided, struct digits *d)
{
    LLVMValueRef value[AXES_MAX];
    l->in_subscript++;
    for (int i = 0; i < box.n; i++)
        value[i] = lower_expr(l, box.axes[i].extent);
    l->in_subscript--;
    d->type = LLVMInt32TypeInContext(l->backend->context);
    if (is_strided)
        d->type = digits_type(l, box, value);
    d->nonempty = NULL;
    for (int i = 0; i < box.n; i++) {
        bool with_sign = type_is_signed(box.axes[i].extent->type);
        LLVMValueRef positive = LLVMBuildICmp(l->builder, with_sign ? LLVMIntSGT : LLVMIntNE,
                                              value[i], LLVMConstNull(LLVMTypeOf(value[i])), "");
        d->nonempty = d->nonempty ? LLVMBuildAnd(l->builder, d->nonempty, positive, "") : positive;
        d->extent[i] = LLVMBuildIntCast2(l->builder, value[i], d->type, with_sign, "");
    }
}

/* The axes are what the digits say, each in its own type; a digit is never negative. */
static void axes_define(struct lowering *l, struct box box, LLVMValueRef *digit)
{
    for (int i = 0; i < box.n; i++) {
        const struct var *var = box.axes[i].var;
        map_put_pointer(l->values, var,
                        LLVMBuildIntCast2(l->builder, digit[i], lower_type(l, var->type), false,
                                          var->name));
    }
}

static void counters_make(struct lowering *l, int n, struct digits *d)
{
    for (int i = 0; i < n; i++)
        d->counter[i] = lower_alloca(l, d->type, "counter");
}

static void counters_set(struct lowering *l, int n, struct digits *d, LLVMValueRef *digit)
{
    for (int i = 0; i < n; i++)
        LLVMBuildStore(l->builder, digit[i], d->counter[i]);
}

static void counters_read(struct lowering *l, int n, struct digits *d, LLVMValueRef *digit)
{
    for (int i = 0; i < n; i++)
        digit[i] = LLVMBuildLoad2(l->builder, d->type, d->counter[i], "");
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

/* Goes on at `inside` while the first counter is below its extent, else at `end`. */
static LLVMValueRef counters_test(struct lowering *l, struct digits *d, LLVMBasicBlockRef inside,
                                  LLVMBasicBlockRef end)
{
    LLVMValueRef first = LLVMBuildLoad2(l->builder, d->type, d->counter[0], "");
    LLVMValueRef within = LLVMBuildICmp(l->builder, LLVMIntULT, first, d->extent[0], "");
    return LLVMBuildCondBr(l->builder, within, inside, end);
}

/* The points of the box where that is a number at most as large as the block, else 0. LLVM is not
   told that thread numbers are below the size of the block, from which it could find out by itself:
   it then drops the masks of digits (u % 16 + 240 is thread | 240 in a block of 256), and what were
   constant offsets of one address become addresses of their own. */
static int64_t points_within(const struct lowering *l, int n, const struct digits *d)
{
    int64_t points = 1;
    if (l->threads)
        for (int i = 0; i < n; i++) {
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
static void walk_once(struct lowering *l, struct box box, struct digits *d, int64_t points,
                      const struct stmt *body)
{
    LLVMBasicBlockRef inside = lower_block(l, "walk.body"), end = lower_block(l, "walk.end");
    LLVMTypeRef type = LLVMTypeOf(l->thread_number);
    LLVMValueRef most = LLVMConstInt(type, (unsigned long long)points, false);
    LLVMValueRef within = LLVMBuildICmp(l->builder, LLVMIntULT, l->thread_number, most, "");
    if (points == l->threads)
        within = LLVMConstInt(LLVMInt1TypeInContext(l->backend->context), 1, false);
    LLVMBuildCondBr(l->builder, within, inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    digits_split(l, box.n, d, l->thread_number, d->start);
    axes_define(l, box, d->start);
    lower_stmt(l, body);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* The points t, t + threads, … of the box. */
static void walk_strided(struct lowering *l, struct box box, struct digits *d,
                         const struct stmt *body)
{
    LLVMValueRef digit[AXES_MAX] = {NULL};
    LLVMBasicBlockRef first = lower_block(l, "walk.start"), head = lower_block(l, "walk");
    LLVMBasicBlockRef inside = lower_block(l, "walk.body"), end = lower_block(l, "walk.end");
    LLVMBuildCondBr(l->builder, d->nonempty, first, end);
    LLVMPositionBuilderAtEnd(l->builder, first);
    digits_split(l, box.n, d, l->thread_number, d->start);
    digits_split(l, box.n, d, l->thread_count, d->stride);
    counters_make(l, box.n, d);
    counters_set(l, box.n, d, d->start);
    LLVMBuildBr(l->builder, head);
    LLVMPositionBuilderAtEnd(l->builder, head);
    counters_read(l, box.n, d, digit);
    counters_test(l, d, inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    axes_define(l, box, digit);
    lower_stmt(l, body);
    counters_advance(l, box.n, d);
    lower_loop_mark(l, LLVMBuildBr(l->builder, head), 1);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

/* The body where `number` is 0. */
static void walk_point(struct lowering *l, LLVMValueRef number, const struct stmt *body)
{
    LLVMBasicBlockRef inside = lower_block(l, "point"), end = lower_block(l, "point.end");
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(number));
    LLVMBuildCondBr(l->builder, LLVMBuildICmp(l->builder, LLVMIntEQ, number, zero, ""), inside,
                    end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    lower_stmt(l, body);
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
}

static void lower_strided(struct lowering *l, const struct stmt *s)
{
    struct box box = {s->axes, s->n_axes};
    struct digits d = {0};
    if (box.n == 0) {
        walk_point(l, l->thread_number, s->children[0]);
        return;
    }
    digits_extents(l, box, true, &d);
    int64_t points = points_within(l, box.n, &d);
    if (points)
        walk_once(l, box, &d, points, s->children[0]);
    else
        walk_strided(l, box, &d, s->children[0]);
}

/* The point of a plane: the last axis is the column, the others share the row. */
static void plane_split(struct lowering *l, int n, struct digits *d, const LLVMValueRef place[2])
{
    d->start[n - 1] = LLVMBuildIntCast2(l->builder, place[0], d->type, false, "");
    if (n > 1)
        digits_split(l, n - 1, d, place[1], d->start);
}

/* Addresses that a band before a loop over tiles and one behind it have in common would be kept in
   registers that the loop lacks: the second band computes them again. */
static void place_hide(struct lowering *l, LLVMValueRef place[2])
{
    for (int i = 0; i < 2; i++)
        if (!LLVMIsConstant(place[i]))
            place[i] = lower_hidden(l, place[i]);
}

void lower_band(struct lowering *l, const struct stmt *s)
{
    struct box box = {s->axes, s->n_axes};
    struct digits d = {0};
    if (s->strided) {
        lower_strided(l, s);
        return;
    }
    if (box.n > 0) {
        digits_extents(l, box, false, &d);
        LLVMValueRef place[2] = {l->thread_place[0], l->thread_place[1]};
        if (l->is_behind_loop && l->band_loops == 0 && !l->host)
            place_hide(l, place);
        plane_split(l, box.n, &d, place);
        axes_define(l, box, d.start);
    }
    lower_stmt(l, s->children[0]);
}

/* Is the launch's second dimension, of blocks or of threads, more than 1? */
static LLVMValueRef is_plane(struct lowering *l, enum sreg dimension)
{
    LLVMValueRef rows = lower_sreg(l, dimension);
    return LLVMBuildICmp(l->builder, LLVMIntUGT, rows, LLVMConstInt(LLVMTypeOf(rows), 1, false),
                         "");
}

/* The thread's place in the block: as the launch has it in a plane, by division in a line. */
static void place_define(struct lowering *l, LLVMValueRef width)
{
    LLVMBasicBlockRef line = lower_block(l, "line"), end = lower_block(l, "place");
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(l->builder), line};
    LLVMValueRef x = lower_sreg(l, SREG_THREAD_X), y = lower_sreg(l, SREG_THREAD_Y);
    LLVMBuildCondBr(l->builder, is_plane(l, SREG_THREADS_Y), end, line);
    LLVMPositionBuilderAtEnd(l->builder, line);
    LLVMValueRef values[2][2] = {{x, LLVMBuildURem(l->builder, x, width, "")},
                                 {y, LLVMBuildUDiv(l->builder, x, width, "")}};
    LLVMBuildBr(l->builder, end);
    LLVMPositionBuilderAtEnd(l->builder, end);
    for (int i = 0; i < 2; i++) {
        l->thread_place[i] = LLVMBuildPhi(l->builder, LLVMTypeOf(x), "");
        LLVMAddIncoming(l->thread_place[i], values[i], from, 2);
    }
}

void lower_threads(struct lowering *l)
{
    const struct kernel *k = l->kernel;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(l->backend->context);
    bool has_rows = k->n_block > 1 && !kernel_all_strided(k);
    l->thread_number = lower_sreg(l, SREG_THREAD_X);
    l->thread_count = lower_sreg(l, SREG_THREADS_X);
    l->thread_place[0] = l->thread_number;
    l->thread_place[1] = LLVMConstNull(i32);
    if (has_rows) {
        struct digits d = {0};
        digits_extents(l, (struct box){k->block + k->n_block - 1, 1}, false, &d);
        place_define(l, d.extent[0]);
        LLVMValueRef rest = LLVMBuildNUWMul(l->builder, lower_sreg(l, SREG_THREAD_Y), d.extent[0],
                                            "");
        l->thread_number = LLVMBuildNUWAdd(l->builder, rest, lower_sreg(l, SREG_THREAD_X), "");
        l->thread_count = LLVMBuildNUWMul(l->builder, l->thread_count,
                                          lower_sreg(l, SREG_THREADS_Y), "");
    }
    if (l->threads)
        l->thread_count = LLVMConstInt(i32, (unsigned long long)l->threads, false);
}

/* A line's place in the grid: what the counters have beyond their extents is carried to the axis
   before. Goes on at `inside`, at `end` where the first axis is through. */
static void line_settle(struct lowering *l, struct box grid, struct digits *d,
                        LLVMBasicBlockRef inside, LLVMBasicBlockRef end)
{
    LLVMValueRef digit[AXES_MAX];
    digits_extents(l, grid, true, d);
    counters_read(l, grid.n, d, digit);
    for (int i = grid.n - 1; i > 0; i--) {
        LLVMValueRef carry = LLVMBuildUDiv(l->builder, digit[i], d->extent[i], "");
        digit[i] = LLVMBuildURem(l->builder, digit[i], d->extent[i], "");
        digit[i - 1] = LLVMBuildNUWAdd(l->builder, digit[i - 1], carry, "");
    }
    counters_set(l, grid.n, d, digit);
    counters_test(l, d, inside, end);
}

/* The counters of a block that has not begun: its number on the last axis. */
static void line_begin(struct lowering *l, int n, struct digits *d)
{
    LLVMValueRef digit[AXES_MAX];
    for (int i = 0; i < n; i++)
        digit[i] = LLVMConstNull(d->type);
    digit[n - 1] = LLVMBuildIntCast2(l->builder, lower_sreg(l, SREG_BLOCK_X), d->type, false, "");
    counters_set(l, n, d, digit);
}

/* Steps over the points that the other blocks take. */
static void line_step(struct lowering *l, int n, struct digits *d)
{
    LLVMValueRef last = LLVMBuildLoad2(l->builder, d->type, d->counter[n - 1], "");
    LLVMValueRef blocks = LLVMBuildIntCast2(l->builder, lower_sreg(l, SREG_BLOCKS_X), d->type,
                                            false, "");
    LLVMBuildStore(l->builder, LLVMBuildNUWAdd(l->builder, last, blocks, ""), d->counter[n - 1]);
}

static void plane_begin(struct lowering *l, int n, struct digits *d)
{
    LLVMValueRef place[2] = {lower_sreg(l, SREG_BLOCK_X), lower_sreg(l, SREG_BLOCK_Y)};
    plane_split(l, n, d, place);
    counters_set(l, n, d, d->start);
}

void lower_grid(struct lowering *l)
{
    struct box grid = {l->kernel->grid, l->kernel->n_grid};
    struct digits d = {0};
    LLVMValueRef digit[AXES_MAX] = {NULL};
    const struct stmt *body = body_without_last(l->ctx->arena, l->body);
    if (grid.n == 0) {
        walk_point(l, lower_sreg(l, SREG_BLOCK_X), body);
        return;
    }
    LLVMBasicBlockRef plane = lower_block(l, "plane"), line = lower_block(l, "line");
    LLVMBasicBlockRef settle = lower_block(l, "settle"), inside = lower_block(l, "block");
    LLVMBasicBlockRef next = lower_block(l, "next"), end = lower_block(l, "end");
    LLVMValueRef has_rows = LLVMConstNull(LLVMInt1TypeInContext(l->backend->context));
    if (grid.n > 1)
        has_rows = is_plane(l, SREG_BLOCKS_Y);
    LLVMBuildCondBr(l->builder, has_rows, plane, line);
    LLVMPositionBuilderAtEnd(l->builder, plane);
    digits_extents(l, grid, true, &d);
    counters_make(l, grid.n, &d);
    plane_begin(l, grid.n, &d);
    LLVMBuildBr(l->builder, inside);
    LLVMPositionBuilderAtEnd(l->builder, line);
    line_begin(l, grid.n, &d);
    LLVMBuildBr(l->builder, settle);
    LLVMPositionBuilderAtEnd(l->builder, settle);
    line_settle(l, grid, &d, inside, end);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    counters_read(l, grid.n, &d, digit);
    axes_define(l, grid, digit);
    lower_stmt(l, body);
    LLVMBuildCondBr(l->builder, has_rows, end, next);
    LLVMPositionBuilderAtEnd(l->builder, next);
    line_step(l, grid.n, &d);
    lower_loop_mark(l, LLVMBuildBr(l->builder, settle), 1);
    LLVMPositionBuilderAtEnd(l->builder, end);
}
