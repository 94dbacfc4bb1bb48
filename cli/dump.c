/* treefork -d STAGE: what a stage made, in the text form that its reader takes. Stages are rows
   of cli/stage.def. */
#include "cli/cli.h"
#include "cli/gate.h"
#include "emit/device.h"
#include "emit/names.h"
#include "ir/access/rows.h"
#include "cli/lines.h"
#include "mapper/ask/ask.h"
#include "optimizer/pipeline/cycles.h"
#include <limits.h>
#include <string.h>

const struct option_row dump_rows[] = {
    {"--target", "70|75|80|86|89|90", "PTX target of the stages llvm and ptx (default 70)"},
    {"--set", "NAME=VALUE,…", "values bound in the stages lines, llvm and ptx"},
    {"--unroll", "N",
     "loops whose trip count --set makes constant get up to N copies of their body in the stages "
     "llvm and ptx"},
    {"--latency", "N",
     "cycles from an addition to the next one that waits for it, in the stage cycles: of every "
     "operation, unless --machine is there (default 4)"},
    MACHINE_ROW("latencies of memory and of each operation, in the stage cycles"),
    {"--leaf", "N", "leaf N of each region alone, in the stages that print every leaf"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t dump_row_count = sizeof dump_rows / sizeof dump_rows[0];

enum { LATENCY = 4, LATENCY_MOST = 10000 };

struct dump {
    struct ctx *ctx;
    const struct command_line *line;
    struct program *program;
    const struct middle **middles;
    struct str out;
    struct ptx_options ptx;
    struct latencies latencies;      /* of operations, for the stage cycles */
    int64_t leaf;                    /* the number of the leaf that is printed; 0: every leaf */
};

typedef bool (*dump_file)(struct dump *dump);
typedef bool (*dump_region)(struct dump *dump, const struct region *region);
typedef void (*dump_value)(struct dump *dump, const struct middle *middle);
typedef bool (*dump_variant)(struct dump *dump, const struct variant *variant);

struct dump_stage {
    const char *name, *what;
    dump_file file;
    dump_region region;
    dump_value middle;
    dump_variant variant;
};

/* The stages before regions exist. */
static bool dump_ast(struct dump *dump)
{
    struct program_options options = input_options(dump->ctx, dump->line);
    return program_print_ast(dump->ctx, &dump->out, dump->line->positional.at[0], &options);
}

static bool dump_mapping(struct dump *dump, void (*print)(struct str *, const struct plain_file *))
{
    enum exit_code code;
    struct map_choice choice;
    struct ast_unit *unit = input_choice(dump->ctx, dump->line, &choice)
                                ? input_unit(dump->ctx, dump->line, &code)
                                : NULL;
    const struct plain_file *mapping = unit ? mapping_make(dump->ctx, unit, &choice) : NULL;
    if (mapping)
        print(&dump->out, mapping);
    if (unit)
        ast_close(unit);
    return mapping != NULL;
}

static bool dump_scop(struct dump *dump)
{
    return dump_mapping(dump, mapping_print_scops);
}

static bool dump_schedule(struct dump *dump)
{
    return dump_mapping(dump, mapping_print_schedules);
}

static bool dump_mapped(struct dump *dump)
{
    return dump_mapping(dump, mapping_print);
}

static bool dump_replay(struct dump *dump)
{
    enum exit_code code;
    struct map_choice choice;
    struct str text = str_new(dump->ctx->arena);
    struct ast_unit *unit = input_choice(dump->ctx, dump->line, &choice)
                                ? input_unit(dump->ctx, dump->line, &code)
                                : NULL;
    struct gate *gate = unit ? gate_open(dump->ctx, unit) : NULL;
    const struct plain_file *mapping = unit ? mapping_make(dump->ctx, unit, &choice) : NULL;
    bool good = mapping && gate_text(gate, &text, mapping);
    if (good)
        replay_print(&dump->out, gate_report(gate));
    if (unit)
        ast_close(unit);
    return good;
}

static bool dump_metafork(struct dump *dump, const struct region *region)
{
    region_print(dump->ctx, &dump->out, region->kernel);
    return true;
}

static bool dump_access(struct dump *dump, const struct region *region)
{
    access_print(dump->ctx, &dump->out, region->kernel);
    return true;
}

static bool dump_parts(struct dump *dump, const struct region *region)
{
    access_rows_print(dump->ctx, &dump->out, region->kernel);
    return true;
}

static bool dump_cycles(struct dump *dump, const struct region *region)
{
    cycles_print(dump->ctx, &dump->out, region->kernel, &dump->latencies);
    return true;
}

static bool dump_kernel(struct dump *dump, const struct region *region)
{
    kernel_print(&dump->out, region->kernel);
    return true;
}

static void dump_space(struct dump *dump, const struct middle *middle)
{
    space_print(&dump->out, middle->space);
}

static void dump_search(struct dump *dump, const struct middle *middle)
{
    cases_print(&dump->out, middle->found);
}

static void dump_constant(struct dump *dump, const struct middle *middle)
{
    cases_print(&dump->out, middle->constant);
}

static void dump_dominated(struct dump *dump, const struct middle *middle)
{
    cases_print(&dump->out, middle->dominated);
}

static void dump_limited(struct dump *dump, const struct middle *middle)
{
    cases_print(&dump->out, middle->limited);
}

static void dump_merged(struct dump *dump, const struct middle *middle)
{
    cases_print(&dump->out, middle->merged);
}

static void dump_named(struct dump *dump, const struct middle *middle)
{
    tree_print(dump->ctx, &dump->out, middle->named);
}

static void dump_witnessed(struct dump *dump, const struct middle *middle)
{
    tree_print(dump->ctx, &dump->out, middle->witnessed);
}

static void dump_tree(struct dump *dump, const struct middle *middle)
{
    tree_print(dump->ctx, &dump->out, middle->tree);
}

/* A line of the text that follows: the leaf and which of its launches. */
static void dump_place(struct dump *dump, const char *comment, const struct variant *variant,
                       const struct launch *launch)
{
    str_addf(&dump->out, "%s leaf %d%s\n", comment, variant->id,
             launch_place(dump->ctx->arena, variant, launch));
}

static bool dump_leaf(struct dump *dump, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        dump_place(dump, "//", variant, &variant->launches[i]);
        kernel_print(&dump->out, variant->launches[i].kernel);
        if (!variant->launches[i].joined)
            continue;
        const struct launch joined = launch_joined(&variant->launches[i]);
        dump_place(dump, "//", variant, &joined);
        kernel_print(&dump->out, joined.kernel);
    }
    return true;
}

static bool is_bound(const struct dump *dump, const char *name)
{
    for (size_t i = 0; i < dump->ptx.n_bindings; i++)
        if (strcmp(dump->ptx.bindings[i].name, name) == 0)
            return true;
    return false;
}

/* The kernel with private arrays where all their sizes are bound, else the one without. */
static const struct kernel *dump_kernel_of(const struct dump *dump, const struct launch *launch)
{
    const struct kernel *kernel = launch->kernel;
    for (int i = 0; i < kernel->n_params; i++)
        if (device_must_bind(kernel, kernel->params[i]) &&
            !is_bound(dump, kernel->params[i]->var->name))
            return launch->symbolic;
    return kernel;
}

static bool dump_lines(struct dump *dump, const struct variant *variant)
{
    return lines_print(dump->ctx, &dump->out, variant, &dump->ptx);
}

static bool dump_llvm(struct dump *dump, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        const char *text = llvm_text(dump->ctx, dump_kernel_of(dump, launch), &dump->ptx);
        dump_place(dump, ";", variant, launch);
        if (!text)
            return false;
        str_add(&dump->out, text);
    }
    return true;
}

static bool dump_launch_ptx(struct dump *dump, const struct variant *variant,
                            const struct launch *launch)
{
    const char *text = llvm_ptx(dump->ctx, dump_kernel_of(dump, launch), &dump->ptx);
    dump_place(dump, "//", variant, launch);
    if (text)
        str_add(&dump->out, text);
    return text;
}

static bool dump_ptx(struct dump *dump, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i], joined = launch_joined(launch);
        if (!dump_launch_ptx(dump, variant, launch) ||
            (launch->joined && !dump_launch_ptx(dump, variant, &joined)))
            return false;
    }
    return true;
}

static const struct dump_stage stages[] = {
#define X(name, what, file, region, middle, variant) {#name, what, file, region, middle, variant},
#include "cli/stage.def"
#undef X
};
enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

void dump_stages_print(FILE *out, bool with_text)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (with_text)
            fprintf(out, "  %-10s %s\n", stages[i].name, stages[i].what);
        else
            fprintf(out, "%s%s", i ? ", " : "", stages[i].name);
    }
}

const char *dump_stage_name(size_t i)
{
    return i < STAGE_COUNT ? stages[i].name : NULL;
}

static const struct dump_stage *stage_find(struct ctx *ctx, const char *word)
{
    const char *names[STAGE_COUNT];
    for (int i = 0; i < STAGE_COUNT; i++) {
        names[i] = stages[i].name;
        if (strcmp(word, names[i]) == 0)
            return &stages[i];
    }
    option_unknown(ctx, "stage", word, names, STAGE_COUNT);
    return NULL;
}

/* Those of the paper, with one latency for all, or with --machine real ones. */
static bool latencies_read(struct dump *dump)
{
    struct treefork_machine machine;
    const char *cycles = option_text(dump->line, "--latency");
    dump->latencies = (struct latencies){.addition = LATENCY};
    if (cycles && !option_integer(dump->ctx, "--latency", cycles, 1, LATENCY_MOST,
                                  &dump->latencies.addition))
        return false;
    if (!option_text(dump->line, "--machine"))
        return true;
    if (!machine_option(dump->ctx, dump->line, &machine))
        return false;
    dump->latencies.is_real = true;
    dump->latencies.shared = machine.value[TREEFORK_Y_S];
    dump->latencies.global = machine.value[TREEFORK_Y_G];
    return true;
}

static bool bindings_make(struct dump *dump)
{
    struct assignments set;
    if (!assignments_parse(dump->ctx, dump->line, &set))
        return false;
    struct binding *bindings = ARENA_ARRAY(dump->ctx->arena, struct binding, set.list.count + 1);
    for (size_t i = 0; i < set.list.count; i++) {
        if (!assignment_whole(dump->ctx, &set, set.list.at[i].name, false))
            return false;
        bindings[i] = (struct binding){set.list.at[i].name, set.list.at[i].value};
    }
    dump->ptx.bindings = bindings;
    dump->ptx.n_bindings = set.list.count;
    int64_t target = 70;
    const char *text = option_text(dump->line, "--target");
    if (text && !option_integer(dump->ctx, "--target", text, 70, 90, &target))
        return false;
    dump->ptx.target = (int)target;
    const char *copies = option_text(dump->line, "--unroll");
    int64_t unroll = 0;
    if (copies && !option_integer(dump->ctx, "--unroll", copies, 0, 64, &unroll))
        return false;
    dump->ptx.unroll = (int)unroll;
    if (!latencies_read(dump))
        return false;
    const char *leaf = option_text(dump->line, "--leaf");
    if (leaf && !option_integer(dump->ctx, "--leaf", leaf, 1, INT_MAX, &dump->leaf))
        return false;
    dump->ptx.contract = option_flag(dump->line, "--contract");
    return true;
}

static bool dump_regions(struct dump *dump, const struct dump_stage *stage)
{
    for (size_t i = 0; i < dump->program->n_regions; i++)
        if (!stage->region(dump, dump->program->regions[i]))
            return false;
    return true;
}

static bool dump_variants(struct dump *dump, const struct dump_stage *stage)
{
    for (size_t i = 0; i < dump->program->n_regions; i++)
        for (size_t j = 0; j < dump->middles[i]->tree->n_variants; j++) {
            const struct variant *variant = &dump->middles[i]->tree->variants[j];
            if ((!dump->leaf || variant->id == dump->leaf) && !stage->variant(dump, variant))
                return false;
        }
    return true;
}

static bool dump_middles(struct dump *dump, const struct dump_stage *stage)
{
    for (size_t i = 0; i < dump->program->n_regions; i++)
        stage->middle(dump, dump->middles[i]);
    return true;
}

static enum exit_code dump_stage(struct dump *dump, const struct dump_stage *stage)
{
    enum exit_code code;
    bool done;
    if (stage->file)
        return stage->file(dump) ? EXIT_DONE : EXIT_INPUT;
    dump->program = input_program(dump->ctx, dump->line, INPUT_WHOLE, &code);
    if (!dump->program)
        return code;
    if (stage->region)
        return dump_regions(dump, stage) ? EXIT_DONE : EXIT_INPUT;
    dump->middles = input_middles(dump->ctx, dump->line, dump->program, &code);
    if (!dump->middles)
        return code;
    done = stage->variant ? dump_variants(dump, stage) : dump_middles(dump, stage);
    return done ? EXIT_DONE : EXIT_INPUT;
}

enum exit_code command_dump(struct ctx *ctx, const struct command_line *line)
{
    struct dump dump = {.ctx = ctx, .out = str_new(ctx->arena)};
    struct command_line rest = *line;
    if (line->positional.count != 2) {
        diag_error(ctx, loc_none(), "usage: treefork -d STAGE FILE.c");
        return EXIT_USAGE;
    }
    const struct dump_stage *stage = stage_find(ctx, line->positional.at[0]);
    rest.positional.at++;
    rest.positional.count--;
    dump.line = &rest;
    if (!stage || !bindings_make(&dump))
        return EXIT_USAGE;
    enum exit_code code = dump_stage(&dump, stage);
    fputs(dump.out.text, stdout);
    return code;
}
