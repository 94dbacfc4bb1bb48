/* treefork build: everything a program needs to be compiled with libtreefork, in one folder. All
   texts are made first; only then is the folder touched: it holds the old set of files or the
   new one. */
#include "base/progress.h"
#include "cli/page.h"
#include "cli/warm.h"
#include "emit/names.h"
#include "ir/llvm/llvm.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const struct option_row build_rows[] = {
    {"-o", "DIR", "folder for the results, made if missing"},
    {"--target", "70|75|80|86|89|90",
     "PTX target to embed (default 70; higher devices run it too)"},
    {"--timings", NULL,
     "CPU milliseconds of each stage (start: loading the program; registers, ptx: LLVM's part of "
     "tree, emit)"},
    {"--counts", NULL,
     "counts that are the same everywhere: kernels, compilations, questions, bytes"},
    {"--devices", NULL,
     "for several devices: fork on the memory of each; NAME.tree.json says what parts of "
     "launches touch, the program knows it in any case"},
    {"--starpu", NULL,
     "also write NAME.starpu.c: the regions as tasks of StarPU, on one machine or several "
     "(docs/starpu.md)"},
    {"--html", NULL, "also write the tree as a page for browsers, NAME.html"},
    {"--interface", NULL,
     "also write how the file's functions are called from other languages, NAME.interface.json"},
    {"--kernels", NULL, "also write each leaf's kernel as text, NAME_ID.kernel"},
    {"--warm", NULL,
     "also compile what the functions launch at the values of --set, for the device that is there, "
     "into the cache of runs: their first calls then compile nothing"},
    {"--set", "NAME=VALUE,…",
     "with --warm: values of the functions' own scalar arguments; a --set that gives a name again "
     "begins another set"},
    {"--extent", "ARRAY=COUNT,…",
     "with --warm: elements of an array whose length nothing else tells"},
    {"--device", "cuda|opencl[:K]", "with --warm: the device (default: the best there is)"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t build_row_count = sizeof build_rows / sizeof build_rows[0];

struct timings {
    double last, llvm;       /* milliseconds of CPU, of LLVM, when the last stage ended */
    VEC(struct timing { const char *stage; double milliseconds; }) list;
};

static void timing_add(struct ctx *ctx, struct timings *timings, const char *stage,
                       double milliseconds)
{
    struct timing timing = {stage, milliseconds};
    vec_push(ctx->arena, &timings->list, timing);
}

/* A stage ends; LLVM's part of it, if it can have one, is a row of its own. */
static void timing_stage(struct ctx *ctx, struct timings *timings, const char *stage,
                         const char *llvm_part)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    double milliseconds = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6,
           llvm = llvm_seconds(ctx) * 1e3;
    timing_add(ctx, timings, stage, milliseconds - timings->last - (llvm - timings->llvm));
    if (llvm_part)
        timing_add(ctx, timings, llvm_part, llvm - timings->llvm);
    timings->last = milliseconds;
    timings->llvm = llvm;
}

static void timings_print(const struct timings *timings)
{
    double total = 0;
    for (size_t i = 0; i < timings->list.count; i++)
        total += timings->list.at[i].milliseconds;
    for (size_t i = 0; i < timings->list.count; i++)
        printf("time %-9s %8.1f ms %5.1f %%\n", timings->list.at[i].stage,
               timings->list.at[i].milliseconds, 100 * timings->list.at[i].milliseconds / total);
    printf("time %-9s %8.1f ms\n", "total", total);
}

struct output {
    const char *suffix;
    struct str text;
};

static void counts_print(const struct ctx *ctx, const struct output *outputs, size_t n)
{
    const struct ctx_counts *counts = &ctx->counts;
    printf("count kernels %llu\n", (unsigned long long)counts->kernels);
    printf("count samples %llu\n", (unsigned long long)counts->samples);
    printf("count passes %llu\n", (unsigned long long)counts->passes);
    printf("count texts %llu\n", (unsigned long long)counts->texts);
    printf("count questions %llu\n", (unsigned long long)counts->questions);
    for (size_t i = 0; i < n; i++)
        printf("count bytes%s %zu\n", outputs[i].suffix, outputs[i].text.length);
}

static bool folder_make(struct ctx *ctx, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0)
        return true;
    if (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    diag_error(ctx, loc_none(), "cannot make the folder '%s': %s", folder, strerror(errno));
    return false;
}

typedef VEC(struct file_text) file_list;

/* An output that is empty this time is removed, so that it does not stay from an earlier build. */
static void outputs_list(struct arena *arena, const char *folder, const char *stem,
                         const struct output *outputs, size_t n, file_list *files)
{
    for (size_t i = 0; i < n; i++) {
        const char *path = arena_printf(arena, "%s/%s%s", folder, stem, outputs[i].suffix);
        struct file_text file = {path, NULL, outputs[i].text.length};
        if (file.length)
            file.text = outputs[i].text.text;
        vec_push(arena, files, file);
    }
}

/* The kernel of every launch of a leaf, in a file named after its entry. */
static void launches_list(struct arena *arena, const char *folder, const struct tree *tree,
                          const struct variant *variant, file_list *files)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        struct str text = str_new(arena);
        kernel_print(&text, launch->kernel);
        const char *path = arena_printf(arena, "%s/%s.kernel", folder,
                                        launch_entry(arena, tree, variant, launch));
        vec_push(arena, files, ((struct file_text){path, text.text, text.length}));
    }
}

static void kernels_list(struct arena *arena, const char *folder, const struct program *program,
                         const struct tree **trees, file_list *files)
{
    for (size_t i = 0; i < program->n_regions; i++)
        for (size_t j = 0; j < trees[i]->n_variants; j++)
            launches_list(arena, folder, trees[i], &trees[i]->variants[j], files);
}

static bool target_option(struct ctx *ctx, const struct command_line *line, int *target)
{
    static const char *const names[] = {"70", "75", "80", "86", "89", "90"};
    static const int values[] = {TARGET_LOWEST, 75, 80, 86, 89, 90};
    const char *text = option_text(line, "--target");
    *target = values[0];
    for (size_t i = 0; text && i < sizeof values / sizeof values[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            *target = values[i];
            return true;
        }
    if (text)
        option_unknown(ctx, "target", text, names, sizeof values / sizeof values[0]);
    return !text;
}

enum {
    OUT_SOURCE,
    OUT_TEXTS,
    OUT_HEADER,
    OUT_CUDA,
    OUT_OPENCL,
    OUT_PTX,
    OUT_JSON,
    OUT_HTML,
    OUT_STARPU,
    OUT_INTERFACE,
    OUT_COUNT
};

static const char *const suffixes[OUT_COUNT] = {".tf.c",      ".texts.h",       ".tf.h",
                                                ".cu",        ".cl",             ".ptx",
                                                ".tree.json", ".html",          ".starpu.c",
                                                ".interface.json"};

/* A program without regions: its own text, which needs no libtreefork, and a header without a
   declaration. */
static void serial_make(struct ctx *ctx, const struct program *program, struct output *out)
{
    const struct source *source = program->source;
    for (int i = 0; i < OUT_COUNT; i++)
        out[i] = (struct output){suffixes[i], str_new(ctx->arena)};
    str_addf(&out[OUT_SOURCE].text, "/* Written by treefork from %s, of which no loop runs on a "
             "device: it is as it stands. */\n#line 1 \"%s\"\n", source->path, source->path);
    str_add_n(&out[OUT_SOURCE].text, source->text, source->length);
    str_addf(&out[OUT_HEADER].text, "/* No loop of %s runs on a device. */\n", source->path);
}

/* Outputs that an option asks for. */
struct extras {
    bool page, starpu;
};

static bool outputs_make(struct ctx *ctx, const struct program *program, const struct tree **trees,
                         int target, struct extras extras, struct output *out)
{
    for (int i = 0; i < OUT_COUNT; i++)
        out[i] = (struct output){suffixes[i], str_new(ctx->arena)};
    const struct kernel_texts texts = kernel_texts_make(ctx, program, trees, target);
    out[OUT_CUDA].text = texts.cuda;
    out[OUT_OPENCL].text = texts.opencl;
    out[OUT_PTX].text = texts.ptx;
    emit_json(ctx, &out[OUT_JSON].text, program, trees, true);
    struct host_texts host = host_texts_new(ctx->arena);
    bool made = emit_host(ctx, &host, program, trees,
                          out[OUT_PTX].text.length ? out[OUT_PTX].text.text : NULL);
    out[OUT_SOURCE].text = host.source;
    out[OUT_TEXTS].text = host.texts;
    out[OUT_HEADER].text = host.header;
    if (extras.starpu)
        emit_starpu(ctx, &out[OUT_STARPU].text, program, trees);
    if (!made || !extras.page)
        return made;
    const struct told_texts told = told_texts_make(ctx, program, trees, target,
                                                   texts.ptx.length > 0);
    return page_make(ctx, &out[OUT_HTML].text, program, trees, &told, &(struct page_extras){0});
}

/* Of the file as the user wrote it, whatever became of its loops. */
static bool interface_make(struct ctx *ctx, const struct command_line *line,
                           const struct program *program, const struct tree **trees,
                           struct output *out)
{
    struct program_options options = input_options(ctx, line);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    const struct exported *exported;
    size_t count;
    if (!option_flag(line, "--interface"))
        return true;
    source->path = line->positional.at[0];
    source->text = ast_text_read(ctx, source->path, &source->length);
    if (!source->text || !program_exported(ctx, source, &options, &count, &exported))
        return false;
    emit_interface(ctx, &out->text, program, trees, exported, count);
    return true;
}

static bool outputs_write(struct ctx *ctx, const char *folder, const struct program *program,
                          const struct output *outputs, file_list *files)
{
    outputs_list(ctx->arena, folder, program->stem, outputs, OUT_COUNT, files);
    return folder_make(ctx, folder) && files_write(ctx, files->at, files->count);
}

enum exit_code command_build(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    int target;
    const char *folder = option_text(line, "-o");
    struct warming warming;
    struct timings timings = {0};
    timing_stage(ctx, &timings, "start", NULL);
    if (!folder) {
        diag_error(ctx, loc_none(), "no folder given: -o DIR");
        return EXIT_USAGE;
    }
    if (!target_option(ctx, line, &target) || !warm_read(ctx, line, &warming))
        return EXIT_USAGE;
    struct program *program = input_program(ctx, line, INPUT_OR_SERIAL, &code);
    if (!program)
        return code;
    timing_stage(ctx, &timings, "read", NULL);
    struct output outputs[OUT_COUNT];
    file_list files = {0};
    if (!program->n_regions) {
        serial_make(ctx, program, outputs);
        if (!interface_make(ctx, line, program, NULL, &outputs[OUT_INTERFACE]))
            return EXIT_INPUT;
        return outputs_write(ctx, folder, program, outputs, &files) ? EXIT_DONE : EXIT_INPUT;
    }
    const struct tree **trees = input_trees(ctx, line, program, &code);
    if (!trees)
        return code;
    timing_stage(ctx, &timings, "tree", "registers");
    progress_begin(ctx, "%s: texts of kernels", program->stem);
    struct extras extras = {option_flag(line, "--html"), option_flag(line, "--starpu")};
    bool made = outputs_make(ctx, program, trees, target, extras, outputs) &&
                interface_make(ctx, line, program, trees, &outputs[OUT_INTERFACE]);
    progress_end(ctx);
    if (!made)
        return EXIT_INPUT;
    timing_stage(ctx, &timings, "emit", "ptx");
    if (option_flag(line, "--kernels"))
        kernels_list(ctx->arena, folder, program, trees, &files);
    if (!outputs_write(ctx, folder, program, outputs, &files))
        return EXIT_INPUT;
    timing_stage(ctx, &timings, "write", NULL);
    if (option_flag(line, "--timings"))
        timings_print(&timings);
    if (option_flag(line, "--counts"))
        counts_print(ctx, outputs, OUT_COUNT);
    return warm_programs(&warming, line, program, trees, folder) ? EXIT_DONE : EXIT_INPUT;
}
