/* Whether the serial program itself is right, where `treefork verify` takes it as the reference.

   The user's file is compiled with a call in front of each region that writes, the first time the
   region is met with a grid that is neither empty nor too large, the values of its parameters and
   the contents of its arrays. The region then runs once more on them in the thread interpreter,
   which finds accesses out of bounds, reads of values never written, and iterations of meta_for
   that race. What could not be checked is said in a line of its own. */
#include "cli/verify.h"
#include "ir/interpret.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKED_POINTS = 100000, CHECKED_STEPS = 20000000 };

/* Linked with the serial program. Arrays are written by the system call itself: their extents come
   from the analysis, and a sanitizer would take a byte beyond the user's memory for a fault of the
   user's. */
static const char meet_runtime[] =
    "#define _GNU_SOURCE\n"
    "#include <fcntl.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <sys/syscall.h>\n"
    "#include <unistd.h>\n"
    "enum { UNMET, LARGE, MET };\n"
    "static unsigned char state[REGIONS];\n"
    "static char path[4096];\n"
    "static int descriptor = -1, failed;\n"
    "static void meet_write(const char *data, size_t size)\n"
    "{\n"
    "    while (size > 0 && !failed) {\n"
    "        long done = syscall(SYS_write, descriptor, data, size);\n"
    "        failed = done <= 0;\n"
    "        data += failed ? 0 : done;\n"
    "        size -= failed ? 0 : (size_t)done;\n"
    "    }\n"
    "}\n"
    "static void meet_open(int region, const char *suffix)\n"
    "{\n"
    "    const char *folder = getenv(\"TREEFORK_MEET\");\n"
    "    snprintf(path, sizeof path, \"%s/meet-%d%s\", folder ? folder : \".\", region, suffix);\n"
    "    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);\n"
    "    failed = descriptor < 0;\n"
    "}\n"
    "void treefork_meet_end(void)\n"
    "{\n"
    "    if (descriptor >= 0 && (close(descriptor) != 0 || failed))\n"
    "        unlink(path);\n"
    "    descriptor = -1;\n"
    "}\n"
    "int treefork_meet(int region, double points)\n"
    "{\n"
    "    if (state[region] == MET || !(points > 0))\n"
    "        return 0;\n"
    "    if (points > POINTS) {\n"
    "        if (state[region] == UNMET) {\n"
    "            meet_open(region, \"-large\");\n"
    "            meet_write((const char *)&points, sizeof points);\n"
    "            treefork_meet_end();\n"
    "        }\n"
    "        state[region] = LARGE;\n"
    "        return 0;\n"
    "    }\n"
    "    state[region] = MET;\n"
    "    meet_open(region, \"\");\n"
    "    return 1;\n"
    "}\n"
    "void treefork_meet_integer(long long value)\n"
    "{\n"
    "    meet_write((const char *)&value, sizeof value);\n"
    "}\n"
    "void treefork_meet_real(double value)\n"
    "{\n"
    "    meet_write((const char *)&value, sizeof value);\n"
    "}\n"
    "void treefork_meet_array(const void *data, long long count, unsigned long size)\n"
    "{\n"
    "    treefork_meet_integer(count);\n"
    "    if (count > 0)\n"
    "        meet_write(data, (size_t)count * size);\n"
    "}\n";

static const char meet_prototypes[] =
    "int treefork_meet(int, double); void treefork_meet_end(void); "
    "void treefork_meet_integer(long long); void treefork_meet_real(double); "
    "void treefork_meet_array(const void *, long long, unsigned long);\n";

const char *check_runtime_text(struct verification *v)
{
    return arena_printf(v->ctx->arena, "#define REGIONS %zu\n#define POINTS %d\n%s",
                        v->program->n_regions, (int)CHECKED_POINTS, meet_runtime);
}

/* The number of points of the region's grid and blocks, as an expression of C. */
static void write_points(struct str *out, const struct kernel *kernel)
{
    str_add(out, "1.0");
    for (int i = 0; i < kernel->n_grid + kernel->n_block; i++) {
        const struct axis *axis = i < kernel->n_grid ? &kernel->grid[i]
                                                     : &kernel->block[i - kernel->n_grid];
        const char *extent = expr_text(out->arena, axis->extent);
        str_addf(out, " * ((%s) > 0 ? (double)(%s) : 0.0)", extent, extent);
    }
}

/* The array without a known length that keeps a region from being checked; NULL if there is
   none. */
static const struct array *unmeasured_array(struct verification *v, const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL &&
            !access_extent(v->ctx, kernel, kernel->arrays[i]))
            return kernel->arrays[i];
    return NULL;
}

/* What stands in front of a region: one line, so that the user's lines keep their numbers. */
static void write_meeting(struct verification *v, struct str *out, size_t region)
{
    const struct kernel *kernel = v->program->regions[region]->kernel;
    if (unmeasured_array(v, kernel))
        return;
    str_addf(out, "if (treefork_meet(%zu, ", region);
    write_points(out, kernel);
    str_add(out, ")) { ");
    for (int i = 0; i < kernel->n_params; i++) {
        const struct var *var = kernel->params[i]->var;
        bool is_real = type_is_floating(var->type);
        str_addf(out,
                 is_real ? "treefork_meet_real((double)(%s)); "
                         : "treefork_meet_integer((long long)(%s)); ",
                 var->name);
    }
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space == SPACE_GLOBAL)
            str_addf(out, "treefork_meet_array((const void *)(%s), (long long)(%s), %uul); ",
                     array->name, expr_text(v->ctx->arena, access_extent(v->ctx, kernel, array)),
                     type_bytes(array->element));
    }
    str_add(out, "treefork_meet_end(); } ");
}

const char *check_source_text(struct verification *v, const char *path)
{
    const struct source *source = v->program->source;
    struct str out = str_new(v->ctx->arena);
    size_t at = 0;
    str_add(&out, meet_prototypes);
    str_addf(&out, "#line 1 \"%s\"\n", path);
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        str_add_n(&out, source->text + at, region->begin - at);
        str_add(&out, "{ ");
        write_meeting(v, &out, i);
        str_add_n(&out, source->text + region->begin, region->end - region->begin);
        str_add(&out, " }");
        at = region->end;
    }
    str_add_n(&out, source->text + at, source->length - at);
    return out.text;
}

/* What a region was met with. */
struct meeting {
    const char *bytes;
    size_t length, at;
};

static bool meeting_take(struct meeting *meeting, void *into, size_t size)
{
    if (meeting->length - meeting->at < size)
        return false;
    memcpy(into, meeting->bytes + meeting->at, size);
    meeting->at += size;
    return true;
}

static bool meeting_read(struct verification *v, const struct kernel *kernel,
                         struct meeting *meeting, struct interpret_input *input)
{
    struct arena *arena = v->ctx->arena;
    union value *params = ARENA_ARRAY(arena, union value, kernel->n_params + 1);
    struct interpret_array *arrays = ARENA_ARRAY(arena, struct interpret_array,
                                                 kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_params; i++)
        if (!meeting_take(meeting, &params[i], sizeof params[i]))
            return false;
    for (int i = 0; i < kernel->n_arrays; i++) {
        int64_t count;
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        if (!meeting_take(meeting, &count, sizeof count) || count < 0)
            return false;
        size_t size = (size_t)count * type_bytes(kernel->arrays[i]->element);
        arrays[i].count = (size_t)count;
        arrays[i].data = arena_alloc(arena, size + 1);
        if (!meeting_take(meeting, arrays[i].data, size))
            return false;
    }
    *input = (struct interpret_input){
        .params = params, .arrays = arrays, .steps = CHECKED_STEPS, .seed = v->seed};
    return true;
}

/* Is the region run by a leaf at all with these parameters? Otherwise it is run serially, and may
   well be no parallel one. */
bool region_is_parallel(const struct tree *tree, const union value *params)
{
    int64_t point[RING_CAPACITY] = {0};
    const struct kernel *kernel = tree->region->kernel;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] = params[i].integer;
    return tree_system_holds(tree, kernel->facts, point) == 1 &&
           tree_system_holds(tree, tree->region->conditions, point) == 1 &&
           !kernel_indivisible(kernel, params);
}

static const char *too_large(struct verification *v, double points)
{
    return arena_printf(
        v->ctx->arena,
        "it has %.0f points here, and at most %d are checked: give smaller values, too", points,
        (int)CHECKED_POINTS);
}

struct region_check check_region(struct verification *v, size_t region,
                                 const struct interpret_input *input, double points)
{
    const struct kernel *kernel = v->program->regions[region]->kernel;
    struct interpret_input checked = *input;
    checked.steps = CHECKED_STEPS;
    if (points > CHECKED_POINTS)
        return (struct region_check){.reason = too_large(v, points)};
    if (!region_is_parallel(v->trees[region], input->params))
        return (struct region_check){
            .reason = "its conditions do not hold at these values, so it runs serially"};
    struct interpret_result result = interpret_threads(v->ctx->arena, kernel, &checked);
    if (result.status == INTERPRET_BUDGET)
        return (struct region_check){.reason = arena_printf(
                                         v->ctx->arena, "it takes more than %d steps",
                                         (int)CHECKED_STEPS)};
    if (result.status == INTERPRET_DONE)
        return (struct region_check){0};
    return (struct region_check){
        .fault = arena_printf(v->ctx->arena, "%s: %s", interpret_status_name(result.status),
                              result.message)};
}

void check_report(struct verification *v, size_t region, const struct region_check *check)
{
    const char *name = v->program->regions[region]->name;
    if (check->fault && *check->fault)
        printf("%s as it is written: FAILED: %s\n", name, check->fault);
    else if (check->reason && *check->reason)
        printf("%s as it is written: not checked for bounds, values never written and races: %s\n",
               name, check->reason);
    v->failed += check->fault && *check->fault;
}

/* The content of what the serial program left about a region; NULL if there is no such file. */
static const char *meeting_file(struct verification *v, size_t region, const char *suffix,
                                size_t *length)
{
    const char *path = arena_printf(v->ctx->arena, "%s/meet-%zu%s", v->folder, region, suffix);
    bool quiet = v->ctx->quiet;
    unsigned errors = v->ctx->errors;
    v->ctx->quiet = true;
    const char *text = file_read(v->ctx, path, length);
    v->ctx->quiet = quiet;
    v->ctx->errors = errors;
    remove(path);
    return text;
}

static struct region_check region_check(struct verification *v, size_t region)
{
    const struct kernel *kernel = v->program->regions[region]->kernel;
    const struct array *unmeasured = unmeasured_array(v, kernel);
    struct meeting meeting = {0};
    struct interpret_input input;
    struct region_check check = {0};
    size_t length = 0;
    double points;
    const char *large = meeting_file(v, region, "-large", &length);
    meeting.bytes = meeting_file(v, region, "", &meeting.length);
    if (unmeasured)
        check.reason = arena_printf(v->ctx->arena, "the length of %s is not known",
                                    unmeasured->name);
    else if (meeting.bytes && meeting_read(v, kernel, &meeting, &input))
        check = check_region(v, region, &input, 0);
    else if (large && length == sizeof points) {
        memcpy(&points, large, sizeof points);
        check.reason = too_large(v, points);
    } else
        check.reason = meeting.bytes
                           ? "its data could not be written"
                           : "the serial program does not reach it, or its grid is empty";
    return check;
}

void check_regions(struct verification *v, int function)
{
    for (size_t i = 0; i < v->program->n_regions; i++) {
        if (v->program->regions[i]->function != function)
            continue;
        struct region_check check = region_check(v, i);
        check_report(v, i, &check);
    }
}
