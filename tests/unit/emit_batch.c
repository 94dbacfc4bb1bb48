/* Copies in batches before every witness: random tiles of 1 to 3 axes and every element type,
   extents that divide the block and others, guards, numbers for cells outside (of such tiles the
   cells are read from the end, so that these numbers are seen), longer rows, swapped
   subscripts, vectors that are gathered from rows of the array for a tile that is turned, vectors
   that are loaded under a condition. The thread interpreter, which reads a batch as its points one
   by one, says what comes out; LLVM on the CPU runs batches point by point, PoCL runs them as
   loops. The PTX has all loads of a batch before its stores, and no division in a loop. What a band
   in batches may not hold is refused. */
#include "ir/batch.h"
#include "ir/interpret.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include "tests/unit/ir_check.h"
#include "tests/unit/ir-llvm_test.h"

enum { AXES = 3, PARAMS = 6, BLOCKS = 2, CELLS_MOST = 4096 };

/* B and C: the block; s: a factor; n0, n1, n2: the array's extents. */
struct box {
    int n_axes, batch;
    int64_t at[PARAMS];     /* s, B, C, n0, n1, n2 */
    char extents[AXES][32]; /* of the tile */
    int64_t values[AXES];
    int order[AXES]; /* which axis is which subscript of the array */
    int lanes; /* elements of a vector of the fill; 0: it copies one by one */
    bool moves; /* it loads vectors along the last axis; else it gathers them along axis 0, which
                   the tile has last */
    int halo, longer;
    bool guarded, filled, plain; /* plain: with a plain band, so that the block is B * C threads */
    const char *type;
    int bytes;
};

static int below(uint64_t *state, int n)
{
    return (int)(random_bits(state) % (uint64_t)n);
}

static void extent_choose(struct box *box, int axis, uint64_t *state)
{
    int64_t s = box->at[0], B = box->at[1], C = box->at[2];
    const struct {
        const char *text;
        int64_t value;
    } choices[] = {{"B", B},         {"C", C}, {"s * C", s * C},        {"s * C + 2", s * C + 2},
                   {"B + 2", B + 2}, {"3", 3}, {"B * C + 1", B * C + 1}};
    int most = box->n_axes == 3 ? 6 : 7, i = below(state, most);
    snprintf(box->extents[axis], sizeof box->extents[axis], "%s", choices[i].text);
    box->values[axis] = choices[i].value;
}

/* Elements of 4 and 8 bytes are gathered to vectors of 16, one time in three. */
static void lanes_choose(struct box *box, uint64_t *state)
{
    int64_t cells = box->bytes < 4 ? CELLS_MOST + 1 : 16 / box->bytes;
    for (int i = 0; i < box->n_axes; i++)
        cells *= box->values[i];
    if (below(state, 3) || cells > CELLS_MOST)
        return;
    box->lanes = 16 / box->bytes;
    box->moves = below(state, 2);
    box->values[box->moves ? box->n_axes - 1 : 0] *= box->lanes;
}

/* Rows of the array begin at multiples of 16 bytes where vectors are loaded. */
static void rows_align(struct box *box)
{
    int64_t *row = &box->at[3 + box->n_axes - 1];
    if (!box->moves)
        return;
    *row = (*row + box->lanes - 1) / box->lanes * box->lanes;
    box->halo = 0;
}

static struct box box_choose(uint64_t *state)
{
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"_Bool", 1},          {"signed char", 1}, {"unsigned char", 1}, {"short", 2},
                 {"unsigned short", 2}, {"int", 4},         {"unsigned int", 4},  {"long", 8},
                 {"unsigned long", 8},  {"float", 4},       {"double", 8}};
    int type = below(state, sizeof types / sizeof *types);
    struct box box = {.n_axes = 1 + below(state, AXES),
                      .batch = 1 + below(state, 5),
                      .at = {1 + below(state, 3), 1 + below(state, 4), 1 + below(state, 5)},
                      .halo = below(state, 2),
                      .longer = below(state, 2),
                      .guarded = below(state, 4) > 0,
                      .filled = below(state, 2),
                      .plain = below(state, 3) > 0,
                      .type = types[type].name,
                      .bytes = types[type].bytes};
    for (int i = 0; i < box.n_axes; i++) {
        extent_choose(&box, i, state);
        box.order[i] = i;
    }
    lanes_choose(&box, state);
    if (box.n_axes > 1 && !box.moves && below(state, 3) == 0) {
        box.order[box.n_axes - 1] = box.n_axes - 2;
        box.order[box.n_axes - 2] = box.n_axes - 1;
    }
    for (int i = 0; i < box.n_axes; i++) {
        int64_t reach = box.values[box.order[i]] * (i == 0 ? BLOCKS : 1);
        box.at[3 + i] = box.guarded ? 1 + below(state, (int)reach + 2) : reach;
    }
    if (!box.guarded)
        box.halo = 0;
    rows_align(&box);
    return box;
}

/* Is it the axis of vectors? */
static bool is_along(const struct box *box, int axis)
{
    return box->lanes && axis == (box->moves ? box->n_axes - 1 : 0);
}

/* Points of an axis as text. */
static const char *extent_text(struct ctx *ctx, const struct box *box, int axis)
{
    return is_along(box, axis) ? arena_printf(ctx->arena, "%d * (%s)", box->lanes,
                                                  box->extents[axis])
                                   : box->extents[axis];
}

/* The axis that is subscript `at` of the tile. */
static int tile_axis(const struct box *box, int at)
{
    return box->lanes && !box->moves ? (at + 1) % box->n_axes : at;
}

/* "i * (E) + r0 - 1": subscript `at` of the array. */
static const char *subscript(struct ctx *ctx, const struct box *box, int at, const char *stem)
{
    int axis = box->order[at];
    const char *block = at == 0 ? arena_printf(ctx->arena, "i * (%s) + ",
                                               extent_text(ctx, box, axis))
                                : "",
               *cell = arena_printf(ctx->arena, "%s%d", stem, axis);
    if (is_along(box, axis) && *stem == 'r')
        cell = arena_printf(ctx->arena, "(%d * %s%s)", box->lanes, cell, box->moves ? "" : " + e");
    return arena_printf(ctx->arena, "%s%s - %d", block, cell, box->halo);
}

/* What a point of the fill does where it gathers a vector: `value` is that of an element. */
static void add_gathering(struct str *out, const struct box *box, const char *value,
                          const char *cell)
{
    str_addf(out,
             "            private column;\n            unroll for (int e = 0; e < %d; e += 1) {\n"
             "                column[e] = %s;\n            }\n            vector %d tile%s = "
             "column[0];\n",
             box->lanes, value, box->lanes, cell);
}

/* Where it loads one under a condition. */
static void add_moving(struct str *out, const struct box *box, const char *guard, const char *load,
                       const char *cell)
{
    str_addf(out,
             "            private column;\n            unroll for (int e = 0; e < %d; e += 1) {\n"
             "                column[e] = (%s)0;\n            }\n            if (%s) {\n"
             "                vector %d column[0] = %s;\n            }\n"
             "            vector %d tile%s = column[0];\n",
             box->lanes, box->type, guard, box->lanes, load, box->lanes, cell);
}

/* That a subscript is below the array's extent, in one of four ways of saying so. */
static const char *below_extent(struct ctx *ctx, const struct box *box, int i, const char *stem)
{
    const char *place = subscript(ctx, box, i, stem);
    switch ((box->at[1] + box->at[2] + i) % 4) {
    case 0: return arena_printf(ctx->arena, "%s <= n%d - 1", place, i);
    case 1: return arena_printf(ctx->arena, "n%d > %s", i, place);
    case 2: return arena_printf(ctx->arena, "n%d - 1 >= %s", i, place);
    default: return arena_printf(ctx->arena, "%s < n%d", place, i);
    }
}

static void add_band(struct ctx *ctx, struct str *out, const struct box *box, const char *stem,
                     bool is_fill)
{
    struct str place = str_new(ctx->arena), cell = str_new(ctx->arena), guard = str_new(ctx->arena);
    if (box->batch)
        str_addf(out, "        strided band batch %d (", box->batch);
    else
        str_add(out, "        strided band (");
    for (int i = 0; i < box->n_axes; i++) {
        int axis = tile_axis(box, i);
        str_addf(out, "%sint %s%d < %s", i ? ", " : "", stem, i,
                 is_fill ? box->extents[i] : extent_text(ctx, box, i));
        if (is_along(box, axis) && is_fill)
            str_addf(&cell, "[%d * %s%d]", box->lanes, stem, axis);
        else if (!is_fill && box->guarded && box->filled && !box->lanes)
            str_addf(&cell, "[%s - 1 - %s%d]", box->extents[i], stem, i);
        else
            str_addf(&cell, "[%s%d]", stem, axis);
        str_addf(&place, "[%s]", subscript(ctx, box, i, stem));
        str_addf(&guard, "%s%s >= 0 && %s", i ? " && " : "", subscript(ctx, box, i, stem),
                 below_extent(ctx, box, i, stem));
    }
    str_add(out, ") {\n");
    const char *load = is_fill ? arena_printf(ctx->arena, "x%s", place.text)
                               : arena_printf(ctx->arena, "tile%s", cell.text);
    const char *to = is_fill ? arena_printf(ctx->arena, "tile%s", cell.text)
                             : arena_printf(ctx->arena, "y%s", place.text);
    const char *value = arena_printf(ctx->arena, "(%s)(%s ? %s : (%s)7)", box->type, guard.text,
                                     load, box->type);
    if (box->moves && is_fill)
        add_moving(out, box, guard.text, load, cell.text);
    else if (box->lanes && is_fill)
        add_gathering(out, box, box->guarded ? value : load, cell.text);
    else if (box->guarded && box->filled && is_fill)
        str_addf(out, "            %s = %s;\n", to, value);
    else if (box->guarded)
        str_addf(out, "            if (%s) {\n                %s = %s;\n            }\n",
                 guard.text, to, load);
    else
        str_addf(out, "            %s = %s;\n", to, load);
    str_add(out, "        }\n");
}

static const char *box_text(struct ctx *ctx, const struct box *box)
{
    struct str out = str_new(ctx->arena);
    int64_t bytes = box->bytes;
    str_add(&out, "kernel tiles {\n    ring s, B, C, n0, n1, n2;\n");
    for (int i = 0; i < PARAMS; i++)
        str_addf(&out, "    param %s int %s >= 1;\n", i < 3 ? "program tunable" : "data size",
                 (const char *const[]){"s", "B", "C", "n0", "n1", "n2"}[i]);
    for (int array = 0; array < 2; array++) {
        str_addf(&out, "    global %s%s %s", array ? "" : "const ", box->type, array ? "y" : "x");
        for (int i = 0; i < box->n_axes; i++)
            str_addf(&out, "[n%d]", i);
        str_add(&out, ";\n");
    }
    str_addf(&out, "    shared %s tile", box->type);
    for (int i = 0; i < box->n_axes; i++) {
        int longer = i + 1 == box->n_axes ? box->longer * (box->lanes ? box->lanes : 1) : 0;
        str_addf(&out, "[%s + %d]", extent_text(ctx, box, tile_axis(box, i)), longer);
        bytes *= box->values[tile_axis(box, i)] + longer;
    }
    str_add(&out, " at 0 of x;\n");
    if (box->lanes)
        str_addf(&out, "    private %s column[%d];\n", box->type, box->lanes);
    str_addf(&out,
             "    shared_bytes %lld;\n    grid int i < %d;\n    block int v < B;\n    "
             "block int u < C;\n    body {\n",
             (long long)bytes, BLOCKS);
    add_band(ctx, &out, box, "r", true);
    str_add(&out, "        barrier;\n");
    if (box->plain)
        str_add(&out, "        band (int v < B, int u < C) {\n            let int q = v * C + u;\n "
                      "       }\n");
    add_band(ctx, &out, box, "w", false);
    str_add(&out, "        barrier;\n    }\n}\n");
    return out.text;
}

struct run {
    union value params[PARAMS];
    char *x, *y;
    size_t cells;
    struct interpret_array arrays[4];
    struct interpret_input input;
};

static void run_begin(struct ctx *ctx, struct run *run, const struct box *box, uint64_t seed)
{
    run->cells = 1;
    for (int i = 0; i < PARAMS; i++)
        run->params[i].integer = box->at[i];
    for (int i = 0; i < box->n_axes; i++)
        run->cells *= (size_t)box->at[3 + i];
    run->x = ARENA_ARRAY(ctx->arena, char, run->cells *(size_t)box->bytes);
    run->y = ARENA_ARRAY(ctx->arena, char, run->cells *(size_t)box->bytes);
    memset(run->y, 0, run->cells * (size_t)box->bytes);
    for (size_t i = 0; i < run->cells * (size_t)box->bytes; i++)
        run->x[i] = (char)(strcmp(box->type, "_Bool") ? 1 + i % 61 : i % 3 % 2);
    run->arrays[0] = (struct interpret_array){run->x, (int64_t)run->cells};
    run->arrays[1] = (struct interpret_array){run->y, (int64_t)run->cells};
    run->arrays[2] = (struct interpret_array){NULL, 0};
    run->input =
        (struct interpret_input){.params = run->params, .arrays = run->arrays, .seed = seed};
}

static bool run_opencl(struct opencl *cl, struct ctx *ctx, const struct box *box,
                       const struct kernel *kernel, struct run *run, size_t shared)
{
    int params[PARAMS];
    struct opencl_value values[PARAMS + 2];
    size_t bytes = run->cells * (size_t)box->bytes;
    for (int i = 0; i < PARAMS; i++) {
        params[i] = (int)box->at[i];
        values[i] = (struct opencl_value){4, &params[i], false};
    }
    values[PARAMS] = (struct opencl_value){bytes, run->x, true};
    values[PARAMS + 1] = (struct opencl_value){bytes, run->y, true};
    cl_program program = opencl_build(cl, unit_text(ctx, kernel, &dialect_opencl), "");
    if (!program)
        return false;
    size_t threads = (size_t)(box->at[1] * box->at[2]);
    cl_int status = opencl_run(cl, program, "tiles_1", values, PARAMS + 2, shared,
                               (struct opencl_shape){{BLOCKS, 1}, {threads, 1}});
    CL_CALL(cl, clReleaseProgram)(program);
    return status == CL_SUCCESS;
}

static void check_box(struct check *check, struct opencl *cl, uint64_t *state)
{
    struct ctx *ctx = check_ctx();
    struct box box = box_choose(state);
    struct run expected, run;
    const char *text = box_text(ctx, &box);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (!check_that(check, kernel && kernel_verify(ctx, kernel), "%s\n%s", ctx->last, text)) {
        ctx_free(ctx);
        return;
    }
    run_begin(ctx, &expected, &box, 1);
    run_begin(ctx, &run, &box, 2);
    size_t bytes = expected.cells * (size_t)box.bytes;
    struct interpret_result r = interpret_threads(ctx->arena, kernel, &expected.input);
    check_that(check, r.status == INTERPRET_DONE, "%s\n%s", r.message, text);
    check_that(check, llvm_run(ctx, kernel, &run.input, 0) && memcmp(expected.y, run.y, bytes) == 0,
               "LLVM: %s, s %d B %d C %d n %d %d %d\n%s", ctx->last, (int)box.at[0], (int)box.at[1],
               (int)box.at[2], (int)box.at[3], (int)box.at[4], (int)box.at[5], text);
    if (cl) {
        run_begin(ctx, &run, &box, 2);
        bool ran = run_opencl(cl, ctx, &box, kernel, &run, (size_t)r.shared_top + 16);
        check_that(check, ran && memcmp(expected.y, run.y, bytes) == 0,
                   "OpenCL: %s, s %d B %d C %d n %d %d %d\n%s\n%s", cl->log, (int)box.at[0],
                   (int)box.at[1], (int)box.at[2], (int)box.at[3], (int)box.at[4], (int)box.at[5],
                   text, unit_text(ctx, kernel, &dialect_opencl));
    }
    ctx_free(ctx);
}

static void check_boxes(struct check *check)
{
    struct opencl cl;
    uint64_t state = 20261123;
    bool has_opencl = opencl_open(&cl);
    int boxes = test_scale(100, 3000), compiled = test_scale(6, 400);
    check_test(check);
    for (int i = 0; i < boxes; i++)
        check_box(check, NULL, &state);
    check_test(check);
    check->skipped += !has_opencl;
    for (int i = 0; i < compiled && has_opencl; i++)
        check_box(check, &cl, &state);
    if (has_opencl)
        opencl_close(&cl);
}

static const char fixed[] =
    "kernel tiles {\n"
    "    ring n, B, C;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int B >= 1;\n"
    "    param program tunable int C >= 1;\n"
    "    global const float x[n][n];\n"
    "    global float y[n];\n"
    "    shared float tile[B + 2][C + 2] at 0 of x;\n"
    "    shared_bytes 4L * ((long)B + 2L) * ((long)C + 2L);\n"
    "    grid int i < n / B;\n"
    "    block int v < B;\n"
    "    block int u < C;\n"
    "    body {\n"
    "        for (int k = 0; k < n; k += C) {\n"
    "            strided band batch 4 (int r < B + 2, int c < C + 2) {\n"
    "                let int row = i * B + r;\n"
    "                tile[r][c] = row < n && k + c < n ? x[row][k + c] : 0.0f;\n"
    "            }\n"
    "            barrier;\n"
    "            band (int v < B, int u < C) {\n"
    "                y[v * C + u] = tile[v + 2][u + 2];\n"
    "            }\n"
    "            barrier;\n"
    "        }\n"
    "    }\n"
    "}\n";

static int count_before(const char *text, const char *what, const char *end)
{
    int n = 0;
    for (const char *at = strstr(text, what); at && at < end; at = strstr(at + 1, what))
        n++;
    return n;
}

/* All loads of a batch before its first store; nothing is divided behind the first label of a loop
 * that the PTX marks. */
static void check_ptx(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct ptx_options options = {.target = 80, .libdevice = ""};
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, fixed));
    const char *ptx = kernel && kernel_verify(ctx, kernel) ? llvm_ptx(ctx, kernel, &options) : NULL;
    if (check_that(check, ptx != NULL, "%s", ctx->last)) {
        const char *loops = strstr(ptx, "nounroll"), *store = strstr(ptx, "st.shared");
        check_that(check, store && count_before(ptx, "ld.global", store) == 4,
                   "loads and stores take turns:\n%s", ptx);
        const char *inner = loops ? strstr(loops + 1, "nounroll") : NULL;
        check_that(check, inner && !strstr(inner, "\tdiv.") && !strstr(inner, "\trem."),
                   "a loop divides:\n%s", ptx);
        check_that(check, !strstr(ptx, ".local") && !strstr(ptx, "inline asm"), "not tidy:\n%s",
                   ptx);
    }
    check_that(check, strcmp(check_print(ctx, kernel), fixed) == 0, "printed as\n%s",
               check_print(ctx, kernel));
    ctx_free(ctx);
}

static const char *const refused[][2] = {
    {"tile[r][c] = row", "tile[r][r * c] = row"},
    {"x[row][k + c] :", "x[row][(k + c) % 2] :"},
    {"x[row][k + c] :", "x[row][k + c] * x[row][0] :"},
    {"x[row][k + c] :", "tile[r][0] :"},
    {"x[row][k + c] :", "1.0f :"},
    {"? x[row][k + c]", "? x[row / (k + 1)][k + c]"},
    {"tile[r][c] = row", "tile[0][0] = 1.0f;\n                tile[r][c] = row"},
    {"int c < C + 2)", "unsigned int c < (unsigned int)(C + 2))"},
    {"batch 4 (int r", "batch 4 (int r_2 < 1, int r"},
};

/* A vector is gathered down the rows of x. */
static const char gathering[] =
    "kernel columns {\n"
    "    ring n, B;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int B >= 1;\n"
    "    global const float x[n][n];\n"
    "    global float y[n];\n"
    "    shared float tile[B + 2][12] at 0 of x;\n"
    "    private float column[4];\n"
    "    shared_bytes 48L * ((long)B + 2L);\n"
    "    grid int i < n / B;\n"
    "    block int v < B;\n"
    "    body {\n"
    "        strided band batch 1 (int q < 2, int c < B + 2) {\n"
    "            private column;\n"
    "            let int row = 4 * q;\n"
    "            unroll for (int e = 0; e < 4; e += 1) {\n"
    "                column[e] = row + e < n ? x[row + e][c] : 0.0f;\n"
    "            }\n"
    "            vector 4 tile[c][row] = column[0];\n"
    "        }\n"
    "        barrier;\n"
    "        band (int v < B) {\n"
    "            y[v] = tile[v + 2][0];\n"
    "        }\n"
    "        barrier;\n"
    "    }\n"
    "}\n";

static const char *const not_gathered[][2] = {
    {"e < 4;", "e < 3;"},
    {"e += 1", "e += 2"},
    {"unroll for", "for"},
    {"column[e] =", "column[3 - e] ="},
    {"= column[0]", "= column[1]"},
    {"x[row + e]", "x[row * e]"},
    {"x[row + e][c] :", "x[row + e][c] + column[0] :"},
    {"= column[0];", "= column[0];\n            tile[c][row] = 0.0f;"},
    {"            vector 4 tile",
     "            if (c < n) {\n                vector 4 column[0] = x[row][4 * c];\n"
     "            }\n"
     "            vector 4 tile"},
};

/* With the edit the text breaks the rule of batches. */
static void check_refused(struct check *check, const char *text, const char *const edit[2])
{
    struct ctx *ctx = check_ctx();
    char *edited = check_edit(ctx, text, edit[0], edit[1]);
    const struct kernel *kernel = edited ? kernel_read(ctx, check_source(ctx, edited)) : NULL;
    check_that(check,
               kernel && !kernel_verify(ctx, kernel) && strstr(ctx->last, "the rule 'batch'"),
               "'%s': %s", edit[1], ctx->last);
    ctx_free(ctx);
}

/* Of a vector that is loaded under a condition nothing else is loaded in any text. */
static void check_moving(struct check *check)
{
    struct ctx *ctx = check_ctx();
    char *text = check_edit(ctx, gathering, "row + e < n ? x[row + e][c] : 0.0f", "0.0f");
    text = check_edit(ctx, text, "            vector 4 tile",
                      "            if (c < n) {\n                vector 4 column[0] = x[c][row];\n"
                      "            }\n            vector 4 tile");
    const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
    if (check_that(check, kernel && kernel_verify(ctx, kernel), "%s", ctx->last)) {
        const char *cuda = unit_text(ctx, kernel, &dialect_cuda),
                   *load = strstr(cuda, "*(float4 *)&held[0] = *(const float4 *)&x[from];"),
                   *guard = strstr(cuda, "if (copied < copy_end) {");
        check_that(check, strstr(cuda, "int copy_end = copy_at < n ? 2 : 0;"), "no end:\n%s", cuda);
        check_that(check, load && guard && guard < load && load - guard < 64, "no guard:\n%s",
                   cuda);
    }
    ctx_free(ctx);
}

static void check_gathering(struct check *check)
{
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, gathering));
    check_test(check);
    check_that(check, kernel && kernel_verify(ctx, kernel), "%s", ctx->last);
    check_that(check, kernel && strcmp(check_print(ctx, kernel), gathering) == 0, "printed else");
    const char *cuda = unit_text(ctx, kernel, &dialect_cuda);
    check_that(check, strstr(cuda, "((float4 *)tile)[(unsigned int)("), "no vector:\n%s", cuda);
    for (size_t i = 0; i < sizeof not_gathered / sizeof *not_gathered; i++)
        check_refused(check, gathering, not_gathered[i]);
    ctx_free(ctx);
    check_moving(check);
}

static void check_rules(struct check *check)
{
    static const char *const unread[][2] = {{"batch 4", "batch 0"},
                                            {"batch 4", "batch 17"},
                                            {"batch 4", "batch x"},
                                            {"            band (", "            band batch 4 ("}};
    check_test(check);
    for (size_t i = 0; i + 1 < sizeof refused / sizeof *refused; i++)
        check_refused(check, fixed, refused[i]);
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        struct ctx *ctx = check_ctx();
        char *text = check_edit(ctx, fixed, unread[i][0], unread[i][1]);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        check_that(check, !kernel || !kernel_verify(ctx, kernel), "'%s' is taken", unread[i][1]);
        ctx_free(ctx);
    }
}

int main(void)
{
    struct check check = {0};
    check_boxes(&check);
    check_ptx(&check);
    check_rules(&check);
    check_gathering(&check);
    return check_end(&check, "emit_batch");
}
