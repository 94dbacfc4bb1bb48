/* Device text of whole programs. In: the trees. Out: NAME.cl, NAME.cu, and the translation unit of
   one variant, which is what the runtime compiles (a text of its own, so that binding and compiling
   one leaf never meets another). In the files, where people read them, each kernel's case stands
   above it: the constraints of its leaves, minimal, with their decision codes. */
#include "emit/device.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "ir/async.h"
#include <stddef.h>
#include <string.h>

/* The macros that asynchronous copies are printed with: plain copies and barriers where there is no
   instruction for them. */
#define COPY_PLAIN(zero)                                                                           \
    "#define TREEFORK_COPY(bytes, to, from, inside) to = (inside) ? from : 0\n"                    \
    "#define TREEFORK_COPY_VECTOR(type, to, from, inside) "                                        \
    "do { if (inside) to = from; else to = " zero "; } while (0)\n"
#define COPY_BEGIN                                                                                 \
    "asm volatile(\"{.reg .u64 to, from; cvta.to.shared.u64 to, %0; "                              \
    "cvta.to.global.u64 from, %1; cp.async."
#define COPY_ADDRESSES " :: \"l\"(&(to)), \"l\"(&(from))"
#define COPIES_CUDA                                                                                \
    "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800\n"                                          \
    "#define TREEFORK_COPY(bytes, to, from, inside) " COPY_BEGIN                                   \
    "ca.shared.global [to], [from], \" #bytes \", %2;}\"" COPY_ADDRESSES                           \
    ", \"r\"((inside) ? bytes : 0) : \"memory\")\n"                                                \
    "#define TREEFORK_COPY_VECTOR(type, to, from, inside) " COPY_BEGIN                             \
    "cg.shared.global [to], [from], 16, %2;}\"" COPY_ADDRESSES                                     \
    ", \"r\"((inside) ? 16 : 0) : \"memory\")\n"                                                   \
    "#define TREEFORK_PENDING(groups) asm volatile(\"cp.async.commit_group; "                      \
    "cp.async.wait_group \" #groups \";\" ::: \"memory\"); __syncthreads()\n"                      \
    "#else\n" COPY_PLAIN("type()")                                                                 \
    "#define TREEFORK_PENDING(groups) __syncthreads()\n#endif\n"
#define COPIES_EITHER                                                                              \
    "#ifdef __OPENCL_VERSION__\n" COPY_PLAIN("(type)(0)")                                          \
    "#define TREEFORK_PENDING(groups) TREEFORK_BARRIER\n#else\n" COPIES_CUDA "#endif\n"

/* The function that asks whether a block is the last one to come there (ir/llvm/lower_last.c says
   how). OpenCL C 1.2 orders no memory between blocks of a launch. */
#define LAST_CUDA                                                                                  \
    "static inline __device__ int tf_is_last(unsigned *counter, int *flag)\n"                      \
    "{\n    __syncthreads();\n"                                                                    \
    "    if (threadIdx.x + threadIdx.y == 0) {\n"                                                  \
    "        unsigned most = gridDim.x * gridDim.y - 1;\n"                                         \
    "        __threadfence();\n"                                                                   \
    "        *flag = atomicInc(counter, most) == most;\n"                                          \
    "        __threadfence();\n    }\n"                                                            \
    "    __syncthreads();\n    int is_last = *flag;\n"                                             \
    "    if (is_last)\n        __syncthreads();\n    return is_last;\n}\n"

/* Halves as 16 bits. OpenCL C can load and store them without the extension for their arithmetic,
   by functions that PoCL computes in integers; where its compiler is clang and the processor has
   the conversions, clang's own functions become these, also in vectors. CUDA C has the type in a
   header that NVRTC may lack, and PTX has the conversions. */
#define HALF_OPENCL(name, type, store)                                                             \
    "static inline tf_half " name "(" type " x)\n"                                                 \
    "{\n    tf_half h;\n    " store "\n    return h;\n}\n"
#define HALVES_OPENCL                                                                              \
    "typedef ushort tf_half;\n"                                                                    \
    "#if defined __F16C__ && defined __has_builtin\n"                                              \
    "#if __has_builtin(__builtin_load_halff) && __has_builtin(__builtin_store_halff)\n"            \
    "#define tf_half_load(h) __builtin_load_halff(h)\n"                                            \
    "#define tf_half_store(x, h) __builtin_store_halff(x, h)\n"                                    \
    "#endif\n#endif\n"                                                                             \
    "#ifndef tf_half_load\n"                                                                       \
    "#define tf_half_load(h) vload_half(0, h)\n"                                                   \
    "#define tf_half_store(x, h) vstore_half_rte(x, 0, h)\n"                                       \
    "#endif\n"                                                                                     \
    "static inline float tf_half_float(tf_half h)\n"                                               \
    "{\n    return tf_half_load((const __private half *)&h);\n}\n"                                 \
    HALF_OPENCL("tf_half_of", "float", "tf_half_store(x, (__private half *)&h);")
#define DOUBLES_OPENCL                                                                             \
    HALF_OPENCL("tf_half_of_double", "double", "vstore_half_rte(x, 0, (__private half *)&h);")
#define HALF_CUDA(name, type, suffix, letter)                                                      \
    "static inline __device__ tf_half " name "(" type " x)\n"                                      \
    "{\n    tf_half h;\n    asm(\"cvt.rn.f16." suffix " %0, %1;\" : \"=h\"(h) : \"" letter         \
    "\"(x));\n    return h;\n}\n"
#define HALVES_CUDA                                                                                \
    "typedef unsigned short tf_half;\n"                                                            \
    "static inline __device__ float tf_half_float(tf_half h)\n"                                    \
    "{\n    float x;\n    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h));\n"                  \
    "    return x;\n}\n"                                                                           \
    HALF_CUDA("tf_half_of", "float", "f32", "f")
#define DOUBLES_CUDA HALF_CUDA("tf_half_of_double", "double", "f64", "d")
#define HALVES_C                                                                                   \
    "typedef _Float16 tf_half;\n"                                                                  \
    "#define tf_half_float(h) ((float)(h))\n"                                                      \
    "#define tf_half_of(x) ((_Float16)(x))\n"                                                      \
    "#define tf_half_of_double(x) ((_Float16)(x))\n"

const struct dialect dialect_opencl = {
#define X(field, opencl, cuda, either, c) opencl,
#include "emit/dialect.def"
#undef X
};
const struct dialect dialect_cuda = {
#define X(field, opencl, cuda, either, c) cuda,
#include "emit/dialect.def"
#undef X
};
const struct dialect dialect_either = {
#define X(field, opencl, cuda, either, c) either,
#include "emit/dialect.def"
#undef X
};

const struct dialect dialect_c = {
#define X(field, opencl, cuda, either, c) c,
#include "emit/dialect.def"
#undef X
};

bool device_uses_shared(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_SHARED)
            return true;
    return false;
}

static bool expr_has(const struct expr *e, enum type type)
{
    if (e->type == type)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_has(e->arguments[i], type))
            return true;
    return false;
}

static bool stmt_has(const struct stmt *s, enum type type)
{
    if (s->var && s->var->type == type)
        return true;
    if (s->array && s->array->element == type)
        return true;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_has(stmt_expr(s, i), type))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_has(s->children[i], type))
            return true;
    return false;
}

bool device_uses(const struct kernel *kernel, enum type type)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->var->type == type)
            return true;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->element == type)
            return true;
    return stmt_has(kernel->body, type);
}

struct device_floats device_floats(const struct kernel *kernel)
{
    return (struct device_floats){device_uses(kernel, TYPE_F64), device_uses(kernel, TYPE_F16)};
}

void device_halves(struct str *out, const struct dialect *dialect, struct device_floats uses)
{
    if (uses.is_half)
        str_add(out, dialect->halves);
    if (uses.is_half && uses.is_double)
        str_add(out, dialect->halves_of_doubles);
}

/* Comment text must not end the comment. */
static void add_comment(struct str *out, const char *text)
{
    for (const char *p = text; *p; p++)
        str_addf(out, p[0] == '*' && p[1] == '/' ? "* " : "%c", *p);
}

static void print_case(struct ctx *ctx, struct str *out, const struct tree *tree,
                       const struct variant *variant, const struct launch *launch)
{
    struct str text = str_new(ctx->arena);
    str_addf(&text, "%s, leaf %d of %zu%s%s", tree->region->name, variant->id, tree->n_variants,
             launch_place(ctx->arena, variant, launch),
             variant->safe ? ": the safe one, for any block on any device" : "");
    for (size_t i = 0; i < variant->n_systems; i++) {
        const struct leaf_system *system = &variant->systems[i];
        str_add(&text, "\n   case ");
        sas_describe(ctx->arena, &text, system->minimal, tree->machine);
        str_add(&text, "; codes ");
        for (size_t c = 0; c < system->n_codes; c++)
            str_addf(&text, "(%s)", system->codes[c]);
    }
    if (variant->fits.count) {
        str_add(&text, "\n   fits ");
        sas_describe(ctx->arena, &text, variant->fits, tree->machine);
    }
    if (variant->n_strategies) {
        str_add(&text, "\n   by ");
        for (size_t i = 0; i < variant->n_strategies; i++)
            str_addf(&text, "%s%s", i ? ", " : "", variant->strategies[i]->name);
    }
    str_add(out, "/* ");
    add_comment(out, text.text);
    str_add(out, " */\n");
}

static void print_prologue(const struct ctx *ctx, struct str *out, const struct dialect *dialect,
                           struct device_floats uses)
{
    str_add(out, ctx->contract ? dialect->contraction : dialect->no_contraction);
    if (uses.is_double)
        str_add(out, dialect->enable_double);
    device_halves(out, dialect, uses);
    str_add(out, dialect->index);
}

/* "#define TREEFORK_KERNEL __kernel void" for each word that is a macro in a text for either. */
static void print_words(struct str *out, const struct dialect *dialect)
{
    static const size_t fields[] = {
#define X(field, opencl, cuda, either, c) offsetof(struct dialect, field),
#include "emit/dialect.def"
#undef X
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *macro = *(const char *const *)((const char *)&dialect_either + fields[i]);
        const char *word = *(const char *const *)((const char *)dialect + fields[i]);
        size_t length = strspn(macro, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        bool is_plain = !strcmp(macro + length, "") || !strcmp(macro + length, " ");
        if (length && is_plain)
            str_addf(out, "#define %.*s %s\n", (int)length, macro, word);
    }
}

/* The part form of a text: two more arguments, added to the block's coordinates in the plane, and
   in OpenCL C the bytes of each array that lie before its memory. */
static void print_parts(struct str *out)
{
    str_add(out, "#ifdef TREEFORK_PART\n"
                 "#undef TREEFORK_BLOCK\n"
                 "#undef TREEFORK_BLOCK_ROW\n"
                 "#undef TREEFORK_PARTS\n"
                 "#ifdef __OPENCL_VERSION__\n");
    str_addf(out, "#define TREEFORK_BLOCK (%s + treefork_part_x)\n", dialect_opencl.block_number);
    str_addf(out, "#define TREEFORK_BLOCK_ROW (%s + treefork_part_y)\n",
             dialect_opencl.block_row);
    str_add(out, "#define TREEFORK_FROM(array) , long treefork_from_##array\n"
                 "#define TREEFORK_WINDOW(type, array) array = (__global type *)"
                 "((__global const char *)array - treefork_from_##array);\n"
                 "#else\n");
    str_addf(out, "#define TREEFORK_BLOCK (%s + treefork_part_x)\n", dialect_cuda.block_number);
    str_addf(out, "#define TREEFORK_BLOCK_ROW (%s + treefork_part_y)\n", dialect_cuda.block_row);
    str_add(out, "#endif\n"
                 "#define TREEFORK_PARTS , int treefork_part_x, int treefork_part_y\n"
                 "#endif\n"
                 "#ifndef TREEFORK_FROM\n"
                 "#define TREEFORK_FROM(array)\n"
                 "#define TREEFORK_WINDOW(type, array)\n"
                 "#endif\n");
}

void device_words(const struct ctx *ctx, struct str *out)
{
    str_add(out, "#ifdef __OPENCL_VERSION__\n");
    str_add(out, ctx->contract ? dialect_opencl.contraction : dialect_opencl.no_contraction);
    print_words(out, &dialect_opencl);
    str_add(out, "#define TREEFORK_FLOAT(function) function\n#else\n");
    str_add(out, ctx->contract ? dialect_cuda.contraction : dialect_cuda.no_contraction);
    print_words(out, &dialect_cuda);
    str_add(out, "#define TREEFORK_FLOAT(function) function##f\n#endif\n");
    print_parts(out);
    str_add(out, dialect_opencl.index);
}

/* How a launch is printed. */
struct printing {
    const struct dialect *dialect;
    const char *step;           /* of indentation */
    struct origin_marks *marks;        /* where the text comes from; NULL: nobody asks */
};

static void print_launch(struct ctx *ctx, struct str *out, const struct printing *printing,
                         const struct tree *tree, const struct variant *variant,
                         const struct launch *launch)
{
    struct device device = {.arena = ctx->arena,
                            .out = out,
                            .dialect = printing->dialect,
                            .kernel = launch->kernel,
                            .step = printing->step,
                            .marks = printing->marks};
    device_kernel(&device, launch_entry(ctx->arena, tree, variant, launch));
}

void device_unit(struct ctx *ctx, struct str *out, const struct dialect *dialect,
                 const struct tree *tree, const struct variant *variant,
                 const struct launch *launch)
{
    print_prologue(ctx, out, dialect, device_floats(launch->kernel));
    if (kernel_accumulates(launch->kernel))
        str_add(out, dialect->atomics);
    if (kernel_has_async(ctx->arena, launch->kernel))
        str_add(out, dialect->copies);
    if (body_last(launch->kernel->body))
        str_add(out, dialect->last);
    const struct printing printing = {.dialect = dialect, .step = "\t"};
    print_launch(ctx, out, &printing, tree, variant, launch);
}

static bool variant_has_async(struct arena *arena, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++)
        if (kernel_has_async(arena, variant->launches[i].kernel))
            return true;
    return false;
}

static bool variant_has_last(const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++)
        if (variant->launches[i].joined)
            return true;
    return false;
}

static void variant_add_floats(const struct variant *variant, struct device_floats *uses)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        struct device_floats one = device_floats(variant->launches[i].kernel);
        uses->is_double |= one.is_double;
        uses->is_half |= one.is_half;
    }
}

static void print_variant(struct ctx *ctx, struct str *out, const struct printing *printing,
                          const struct tree *tree, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        print_case(ctx, out, tree, variant, launch);
        print_launch(ctx, out, printing, tree, variant, launch);
        str_char(out, '\n');
        if (!launch->joined || !*printing->dialect->last)
            continue;
        const struct launch joined = launch_joined(launch);
        print_case(ctx, out, tree, variant, &joined);
        print_launch(ctx, out, printing, tree, variant, &joined);
        str_char(out, '\n');
    }
}

static void print_program(struct ctx *ctx, struct str *out, const struct printing *printing,
                          const struct program *program, const struct tree *const *trees)
{
    const struct dialect *dialect = printing->dialect;
    struct device_floats uses = {false, false};
    bool has_async = false, has_last = false;
    for (size_t r = 0; r < program->n_regions; r++)
        for (size_t v = 0; v < trees[r]->n_variants; v++) {
            variant_add_floats(&trees[r]->variants[v], &uses);
            has_async |= variant_has_async(ctx->arena, &trees[r]->variants[v]);
            has_last |= variant_has_last(&trees[r]->variants[v]);
        }
    str_addf(out,
             "/* Kernels of %s in %s, generated by treefork. Parameters may be bound with "
             "-DTREEFORK_BIND_name=value. */\n",
             program->stem, dialect->language);
    print_prologue(ctx, out, dialect, uses);
    if (has_async)
        str_add(out, dialect->copies);
    if (has_last)
        str_add(out, dialect->last);
    for (size_t r = 0; r < program->n_regions; r++)
        for (size_t v = 0; v < trees[r]->n_variants; v++)
            print_variant(ctx, out, printing, trees[r], &trees[r]->variants[v]);
}

/* The program's file in a language, and if `lines` is not NULL where its lines come from. */
static void print_file(struct ctx *ctx, struct str *out, struct line_origins *lines,
                       const struct dialect *dialect, const struct program *program,
                       const struct tree *const *trees)
{
    struct origin_marks marks = {.source = source_own(program->source)};
    const struct printing printing = {dialect, "    ", lines ? &marks : NULL};
    print_program(ctx, out, &printing, program, trees);
    if (lines)
        marks_lines(ctx->arena, &marks, out, lines);
}

void emit_opencl(struct ctx *ctx, struct str *out, struct line_origins *lines,
                 const struct program *program, const struct tree *const *trees)
{
    print_file(ctx, out, lines, &dialect_opencl, program, trees);
}

void emit_cuda(struct ctx *ctx, struct str *out, struct line_origins *lines,
               const struct program *program, const struct tree *const *trees)
{
    print_file(ctx, out, lines, &dialect_cuda, program, trees);
}
