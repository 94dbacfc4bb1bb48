/* Leaves as users get them, run and judged. In: the executable with all leaves of a function, and
   what the serial program left; out: a line per leaf, and the counts.
   Leaves run one after the other in one worker process where they can, because OpenCL's first
   compilation in a process may cost several times as much as the next ones. A leaf counts as run
   there only if its result is equal, it was launched and the runtime complained of nothing. In any
   other case it runs again in a process of its own, and that run alone is judged; hence what is
   printed does not depend on what ran before in the worker. */
#include "cli/leaves.h"
#include "base/progress.h"
#include "emit/choice.h"
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *program_path(struct verification *v, const char *program)
{
    return strchr(program, '/') ? program : arena_printf(v->ctx->arena, "./%s", program);
}

/* Results are as large as all arrays: they are looked at in their file, which may be unlinked
   meanwhile. */
static const char *result_map(struct verification *v, size_t *length)
{
    struct stat status;
    int file = open(verify_path(v, "result"), O_RDONLY);
    void *content = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0)
        content = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    *length = content == MAP_FAILED ? 0 : (size_t)status.st_size;
    return content == MAP_FAILED ? NULL : content;
}

void run_release(struct run_result *run)
{
    if (run->content && run->content != run->output)
        munmap((void *)run->content, run->length);
    run->content = NULL;
}

struct run_result subject_run(struct verification *v, const struct subject *s,
                              const char *executable, const char *const *settings)
{
    const char *result_path = verify_path(v, "result"), *output = verify_path(v, "output"),
               *errors = verify_path(v, "errors");
    struct run_result result = {.content = NULL};
    unlink(result_path);
    VEC(const char *) argv = {0};
    vec_push(v->ctx->arena, &argv, program_path(v, executable));
    size_t n_words = s->whole_program ? v->main_arguments.count : 0;
    if (!s->whole_program)
        vec_push(v->ctx->arena, &argv, result_path);
    for (size_t i = 0; i < n_words; i++)
        vec_push(v->ctx->arena, &argv, v->main_arguments.at[i]);
    vec_push(v->ctx->arena, &argv, NULL);
    result.end = child_run(v, argv.at, settings, output, errors, v->timeout);
    if (result.end.end != CHILD_DONE && !(s->whole_program && result.end.end == CHILD_EXIT))
        return result;
    result.output = file_read(v->ctx, output, &result.output_length);
    result.errors = file_read(v->ctx, errors, &result.errors_length);
    result.content = result.output;
    result.length = result.output_length;
    if (!s->whole_program)
        result.content = result_map(v, &result.length);
    return result;
}

/* The arrays, then the returned number. */
static bool results_equal(struct verification *v, const struct subject *s,
                          const struct run_result *got, struct str *text)
{
    struct datum returned = {.name = "the returned value",
                             .count = 1,
                             .scale = data_scale(v, s->data, s->n_data)};
    bool returns = returns_number(&v->program->functions[s->function], &returned.type);
    const void *const *ordered = sum_record(v, s->function)->ordered;
    size_t at = sizeof(struct result_head);
    for (int i = 0; i < s->n_data + returns; i++) {
        const struct datum *datum = i < s->n_data ? &s->data[i] : &returned;
        size_t size = (size_t)datum->count * type_bytes(datum->type);
        if (i < s->n_data && !datum->is_array)
            continue;
        const void *expected = ordered ? ordered[i] : s->expected.content + at;
        if (!data_compare(v, datum, got->content + at, expected, text))
            return false;
        at += size;
    }
    return true;
}

/* Have leaves that take sums in another order the bits of the first one? */
static bool bits_agree(struct verification *v, const struct subject *s,
                       const struct run_result *run, const char *leaf, struct str *text)
{
    const void **at = ARENA_ARRAY(v->ctx->arena, const void *, s->n_data + 1);
    const char *next = run->content + sizeof(struct result_head);
    for (int i = 0; i <= s->n_data; i++) {
        at[i] = next;
        if (i < s->n_data && s->data[i].is_array)
            next += (size_t)s->data[i].count * type_bytes(s->data[i].type);
    }
    const struct sum_results results = {s->function, s->n_data, s->data, at};
    return s->whole_program || sum_bits_agree(v, sum_record(v, s->function), &results, leaf,
                                              "device", text);
}

bool runs_equal(struct verification *v, const struct subject *s, const struct run_result *got,
                struct str *text)
{
    const struct sum_record *sums = sum_record(v, s->function);
    const char *output = sums->ordered ? sums->output : s->expected.output;
    size_t printed = sums->ordered ? sums->output_length : s->expected.output_length,
           length = s->whole_program ? printed : s->expected.length;
    if (got->length != length)
        str_addf(text, "%zu bytes of %s, serial %zu", got->length,
                 s->whole_program ? "output" : "results", length);
    else if (got->end.code != s->expected.end.code)
        str_addf(text, "exit status %d, serial %d", got->end.code, s->expected.end.code);
    else if (got->output_length != printed || memcmp(got->output, output, printed) != 0)
        str_add(text, "it prints something else than the serial program");
    else
        return s->whole_program || results_equal(v, s, got, text);
    return false;
}

/* Was the leaf refused because the device cannot hold it, or because what it needs of the
   parameters is not given? */
static bool is_misfit(const char *errors)
{
    return strstr(errors, "does not fit") || strstr(errors, "was forced, but it needs");
}

/* Lines that begin with a text: launches, by the trace that the program wrote. */
static size_t lines_count(const char *text, const char *begin)
{
    size_t count = 0, length = strlen(begin);
    for (const char *line = text; line && *line;) {
        count += strncmp(line, begin, length) == 0;
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return count;
}

/* Is every grid of the function empty? */
static bool nothing_to_do(struct verification *v, const struct subject *s)
{
    bool nothing = true;
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        int64_t extent;
        bool empty = region->function != s->function;
        for (int k = 0; k < region->kernel->n_grid; k++)
            empty |= integer_value(v, region->kernel->grid[k].extent, NULL, &extent) && extent <= 0;
        nothing &= empty;
    }
    return nothing;
}

/* What a run that came to its end shows of the leaf. */
enum leaf_verdict {
    LEAF_EQUAL,            /* to the serial program, with launches of the leaf */
    LEAF_DIFFERENT,
    LEAF_NO_LAUNCH,        /* the result is equal because the serial code ran */
    LEAF_UNREACHED,        /* other regions were launched */
    LEAF_NOTHING_TO_DO,
};

struct judgement {
    enum leaf_verdict verdict;
    struct str text;          /* the difference and its bound */
    size_t launches;          /* of the leaf */
};

/* begin: how the trace of a launch of the leaf begins. An equal result without a launch is the
   serial program's own, unless there was nothing to do. */
static struct judgement run_judge(struct verification *v, const struct subject *s,
                                  const struct run_result *run, const char *begin)
{
    struct judgement j = {.text = str_new(v->ctx->arena)};
    struct result_head got = {0, ULLONG_MAX}, expected = {0, 0};
    if (!s->whole_program && run->length >= sizeof got && s->expected.length >= sizeof expected) {
        memcpy(&got, run->content, sizeof got);
        memcpy(&expected, s->expected.content, sizeof expected);
    }
    j.launches = got.launches ? lines_count(run->errors, begin) : 0;
    if (!runs_equal(v, s, run, &j.text) || (j.launches && !bits_agree(v, s, run, begin, &j.text)))
        j.verdict = LEAF_DIFFERENT;
    else if (!got.launches && expected.changed && !nothing_to_do(v, s))
        j.verdict = LEAF_NO_LAUNCH;
    else if (!got.launches)
        j.verdict = LEAF_NOTHING_TO_DO;
    else
        j.verdict = j.launches ? LEAF_EQUAL : LEAF_UNREACHED;
    return j;
}

void leaf_skip(struct verification *v, const char *lacked)
{
    printf("skipped: no result: %s\n", lacked);
    v->doubted++;
    v->skipped++;
}

void leaf_fail(struct verification *v, int function, const char *fault)
{
    bool is_doubtful = v->is_unchecked && !filler_name(v, function) && index_arrays(v, function);
    if (is_doubtful)
        printf("skipped: not judged on random data, as the region was not checked on them: %s; "
               "give smaller values, or --data\n", fault);
    else
        printf("FAILED: %s\n", fault);
    v->doubted += is_doubtful;
    v->skipped += is_doubtful;
    v->failed += !is_doubtful;
}

static void judgement_report(struct verification *v, int function, const struct judgement *j)
{
    if (j->verdict != LEAF_UNREACHED)
        verify_note(v, function, j->verdict == LEAF_NOTHING_TO_DO);
    switch (j->verdict) {
    case LEAF_EQUAL:
        v->passed++;
        printf("equals serial;%s %zu launch%s\n", j->text.text, j->launches,
               j->launches == 1 ? "" : "es");
        break;
    case LEAF_DIFFERENT:
        leaf_fail(v, function, j->text.text);
        break;
    case LEAF_NO_LAUNCH:
        v->failed++;
        printf("FAILED: no launch, although the serial program changes its arrays\n");
        break;
    case LEAF_UNREACHED:
        v->skipped++;
        printf("skipped: equals serial, but the region was not reached\n");
        break;
    case LEAF_NOTHING_TO_DO:
        v->passed++;
        printf("equals serial; nothing to do, 0 launches\n");
        break;
    }
}

const char *child_refused(struct verification *v, const char *errors)
{
    const char *end = strstr(errors, " (TREEFORK_ON_ERROR=abort)"),
               *begin = end ? strstr(errors, ": ") : NULL;
    begin = begin && begin < end ? strstr(begin + 2, ": ") : NULL;
    return begin && begin < end ? arena_strndup(v->ctx->arena, begin + 2, (size_t)(end - begin) - 2)
                                : NULL;
}

/* --- one leaf ------------------------------------------------------------------------------ */

struct leaf {
    const struct tree *tree;
    const struct variant *variant;
    const char *force;        /* "REGION=LEAF" */
    const char *begin;        /* of the trace of its launches */
};

enum { SETTINGS_MOST = 19 };

/* The environment of a process that runs leaves; the rest of the array stays NULL. What is judged
   is compiled anew. */
static void leaf_settings(const struct verification *v, const struct subject *s,
                          const char *force, const char *on_error,
                          const char *settings[static SETTINGS_MOST])
{
    const char *all[SETTINGS_MOST] = {"TREEFORK_FORCE",    force,
                                      "TREEFORK_ON_ERROR", on_error,
                                      "TREEFORK_TRACE",    "1",
                                      "TREEFORK_QUIET",    "0",
                                      "TREEFORK_CHECKED",  "1",
                                      "TREEFORK_CACHE_DIR", "none",
                                      "TREEFORK_SET",      tunables_setting(v, s->function),
                                      "ASAN_OPTIONS",      "detect_leaks=0",
                                      v->device ? "TREEFORK_DEVICE" : NULL,
                                      v->device};
    memcpy(settings, all, sizeof all);
}

static void leaf_head_print(const struct leaf *leaf)
{
    printf("%s leaf %d%s: ", leaf->tree->region->name, leaf->variant->id,
           leaf->variant->safe ? " (safe)" : "");
}

/* In a process of its own. False if no leaf can run here. */
static bool leaf_verify_alone(struct verification *v, const struct subject *s,
                              const struct leaf *leaf)
{
    const char *settings[SETTINGS_MOST];
    leaf_settings(v, s, leaf->force, "abort", settings);
    struct run_result run = subject_run(v, s, s->leaf, settings);
    progress_end(v->ctx);
    const char *refused = !run.content ? child_refused(v, run.end.errors) : NULL;
    if (refused && !strncmp(refused, "no device: ", 11)) {
        diag_error(v->ctx, loc_none(),
                   "no device to run leaves on: %s; --witness threads and --witness cpu need none",
                   refused + 11);
        v->no_device = true;
        return false;
    }
    leaf_head_print(leaf);
    if (!run.content && is_misfit(run.end.errors)) {
        v->skipped++;
        printf("skipped: %s\n", refused ? refused : run.end.errors);
    } else if (!run.content && child_lacked(&run.end)) {
        leaf_skip(v, child_lacked(&run.end));
    } else if (!run.content) {
        leaf_fail(v, s->function,
                  refused ? arena_printf(v->ctx->arena, "refused: %s", refused)
                          : child_describe(v->ctx, &run.end));
    } else {
        struct judgement judgement = run_judge(v, s, &run, leaf->begin);
        judgement_report(v, s->function, &judgement);
    }
    run_release(&run);
    return true;
}

/* --- in the worker --------------------------------------------------------------------------- */

/* The runtime is not to abort: a leaf that does not fit must not cost the process. What it says of
   each failure instead stands in the trace. */
static bool leaves_begin(struct verification *v, struct subject *s)
{
    const char *settings[SETTINGS_MOST];
    const char *const argv[] = {program_path(v, s->leaf), verify_path(v, "result"),
                                arena_printf(v->ctx->arena, "%d", WORKER_SOCKET), NULL};
    leaf_settings(v, s, "", "0", settings);
    s->output_read = s->errors_read = 0;
    return worker_start(&s->worker, argv, settings, verify_path(v, "worker.output"),
                        verify_path(v, "worker.errors"));
}

void leaves_end(struct verification *v, struct subject *s)
{
    if (!s->worker.pid)
        return;
    struct child_result result = worker_end(v, &s->worker);
    if (result.end == CHILD_DONE || verify_stopped())
        return;
    v->failed++;
    printf("%s: FAILED: the process that ran its leaves: %s\n",
           v->program->functions[s->function].name, child_describe(v->ctx, &result));
}

/* What a file has gained since *read bytes of it were read. */
static const char *file_gain(struct verification *v, const char *name, size_t *read,
                             size_t *length)
{
    const char *text = file_read(v->ctx, verify_path(v, name), length);
    size_t before = *read < *length ? *read : *length;
    *read = *length;
    *length -= before;
    return text ? text + before : NULL;
}

struct run_result worker_run_read(struct verification *v, struct subject *s)
{
    struct run_result run = {.content = NULL};
    run.output = file_gain(v, "worker.output", &s->output_read, &run.output_length);
    run.errors = file_gain(v, "worker.errors", &s->errors_read, &run.errors_length);
    if (run.output && run.errors)
        run.content = result_map(v, &run.length);
    return run;
}

/* Runs the leaf in the worker, of which a new one is begun if there is none. Prints a line only if
   the leaf counts as run; otherwise returns false, and the leaf is to run alone. */
static bool leaf_verify_in_worker(struct verification *v, struct subject *s,
                                  const struct leaf *leaf)
{
    if (!s->worker.pid && !leaves_begin(v, s))
        return false;
    unlink(verify_path(v, "result"));
    if (!worker_ask(v, &s->worker, arena_printf(v->ctx->arena, "%s\n", leaf->force))) {
        worker_kill(&s->worker);
        return false;
    }
    struct run_result run = worker_run_read(v, s);
    struct judgement judgement = {.verdict = LEAF_NO_LAUNCH};
    if (run.content && !lines_count(run.errors, "treefork: "))
        judgement = run_judge(v, s, &run, leaf->begin);
    run_release(&run);
    if (judgement.verdict != LEAF_EQUAL)
        return false;
    progress_end(v->ctx);
    leaf_head_print(leaf);
    judgement_report(v, s->function, &judgement);
    return true;
}

/* After a leaf that ran alone because its run in the worker did not count. If it is right alone,
   calls of the function depend on earlier ones, or there is nothing to launch, and the other leaves
   run alone, too. If it is wrong, it may have spoilt the worker's memory. If it does not fit, the
   worker goes on. */
static void worker_reconsider(struct subject *s, bool has_passed, bool has_failed)
{
    if (has_passed)
        s->shares_process = false;
    if ((has_passed || has_failed) && s->worker.pid)
        worker_kill(&s->worker);
}

bool leaf_verify(struct verification *v, struct subject *s, const struct tree *tree,
                 const struct variant *variant)
{
    const char *region = tree->region->name;
    struct leaf leaf = {.tree = tree, .variant = variant};
    leaf.force = arena_printf(v->ctx->arena, "%s=%d", region, variant->id);
    leaf.begin = arena_printf(v->ctx->arena, "%s: leaf %d on ", region, variant->id);
    progress_begin(v->ctx, "leaf %d of %s on %s", variant->id, region,
                   v->device ? v->device : "the device");
    bool fine = true;
    if (!s->shares_process || !leaf_verify_in_worker(v, s, &leaf)) {
        size_t passed = v->passed, failed = v->failed;
        fine = leaf_verify_alone(v, s, &leaf);
        worker_reconsider(s, v->passed > passed, v->failed > failed);
    }
    fflush(stdout);
    return fine;
}
