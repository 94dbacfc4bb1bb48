/* Leaves of a function that runs as it stands, host loops and all, inside the generator.

   The user's file is compiled once as a library in which each region calls back first
   (hosted_library.c). For every run a child of the tool opens it, calls the function on data that
   lies in memory shared with the tool, and runs in place of the regions what is wanted (kernels.c);
   a crash or a hang of host code is a result, not an accident, and no run sees what an earlier one
   left in variables. What is expected is what the user's own program leaves: a text that the mapper
   made, or that stands beside its --source, is never compared with itself. That program is a second
   library, and a run with the regions interpreted serially shows whether the text is right. Where
   the file with the regions is the user's own, two runs give what is expected: the regions
   interpreted serially, which finds what is wrong with them, and as the C compiler has them, which
   must be the same.
   Then one run per leaf, in which the other regions take the leaves of their case. As a process
   costs more than many a leaf, a child runs leaf after leaf, each with the library opened anew,
   until one of them ends it. Arguments, arrays and their data are those of the harness
   (harness.c). */
#include "cli/hosted.h"
#include "base/progress.h"
#include "cli/leaves.h"
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

/* --- one run ---------------------------------------------------------------------------------- */

typedef void host_caller(void *const *data, const unsigned long *bytes, void *result,
                         void (*taken)(void *place, unsigned long bytes));

enum { ANOTHER_PROCESS = 94, NOT_OPENED = 95 };

/* As many bytes of memory as functions and sets may keep for the next witness. */
enum { KEPT_MOST = 64 << 20 };

/* Regions of the library call back from now on. */
static void hook_set(struct hosted *h, void *library)
{
    int (**hook)(void *, int, const void *, void *const *);
    void *symbol = dlsym(library, "treefork_hook");
    memcpy(&hook, &symbol, sizeof hook);
    *hook = session_region;
    *(void **)dlsym(library, "treefork_state") = &h->session;
}

/* In the child. */
static int function_call(void *state)
{
    struct hosted *h = state;
    bool is_original = h->session.kind == SESSION_ORIGINAL;
    const char *path = is_original ? h->v->original_library : h->v->library;
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), *symbol;
    host_caller *caller;
    const char *name = arena_printf(h->v->ctx->arena, "treefork_call_%d", h->function);
    if (!library || !(symbol = dlsym(library, name))) {
        fprintf(stderr, "%s\n", dlerror());
        return NOT_OPENED;
    }
    memcpy(&caller, &symbol, sizeof caller);
    if (!is_original)
        hook_set(h, library);
    caller(h->places, h->bytes, h->places[h->n_data], place_take);
    h->session.board->state = BOARD_ENDED;
    dlclose(library);
    return h->is_main ? *(int *)h->places[h->n_data] & 0xff : 0;
}

static void run_begin(struct hosted *h)
{
    h->session.board->state = BOARD_BEGUN;
    h->session.board->launches = h->session.board->cut = 0;
    places_fill(h);
}

static struct child_result function_run(struct hosted *h, enum session_kind kind,
                                        const char **output, size_t *length)
{
    h->session.kind = kind;
    run_begin(h);
    struct child_result end = child_call(h->v, function_call, h, verify_path(h->v, "output"),
                                         verify_path(h->v, "errors"), NULL);
    *output = file_read(h->v->ctx, verify_path(h->v, "output"), length);
    return end;
}

/* The leaves that are asked for: counts them, and lists them where there is room. */
static size_t leaves_list(struct hosted *h)
{
    struct verification *v = h->v;
    size_t n = 0;
    for (size_t r = 0; r < v->program->n_regions; r++) {
        const struct tree *tree = v->trees[r];
        for (size_t i = 0; i < tree->n_variants; i++) {
            if (v->program->regions[r]->function != h->function ||
                (v->only_leaf && tree->variants[i].id != v->only_leaf))
                continue;
            if (h->leaves)
                h->leaves[n] = (struct leaf_run){.region = r, .variant = &tree->variants[i]};
            n++;
        }
    }
    return n;
}

/* --- what is expected ------------------------------------------------------------------------ */

static bool serial_failed(struct hosted *h, const struct child_result *end)
{
    const struct board *board = h->session.board;
    const char *lacked = board->state == BOARD_FAULT || h->is_main ? NULL : child_lacked(end);
    if (lacked && !verify_stopped())
        diag_error(h->v->ctx, loc_none(), "%s: no result of the serial program: %s",
                   h->v->program->functions[h->function].name, lacked);
    else
        serial_blame(h->v, h->function,
                     board->state == BOARD_FAULT ? board->text : child_describe(h->v->ctx, end));
    return false;
}

/* main may end by exit with any status. */
static bool has_ended(const struct hosted *h, const struct child_result *end)
{
    if (h->session.board->state == BOARD_FAULT || h->session.board->state == BOARD_MISFIT)
        return false;
    return h->is_main ? end->end == CHILD_DONE || end->end == CHILD_EXIT
                      : end->end == CHILD_DONE && h->session.board->state == BOARD_ENDED;
}

/* Is a fault that the runs so far found of the regions as they are written due to random data, as
   a diagnostic then says? */
static bool checks_lack_data(struct hosted *h)
{
    h->v->is_unchecked = false;
    for (size_t i = 0; i < h->v->program->n_regions; i++) {
        const struct meeting *meeting = &h->session.board->regions[i];
        if (h->v->program->regions[i]->function != h->function)
            continue;
        if (*meeting->fault && filler_lacks(h->v, h->function, meeting->fault))
            return true;
        h->v->is_unchecked |= !meeting->is_checked || *meeting->reason;
    }
    return false;
}

/* Prints all that those runs found. */
static void checks_report(struct hosted *h)
{
    for (size_t i = 0; i < h->v->program->n_regions; i++) {
        const struct meeting *meeting = &h->session.board->regions[i];
        struct region_check check = {.fault = meeting->fault, .reason = meeting->reason};
        if (h->v->program->regions[i]->function != h->function)
            continue;
        if (!meeting->is_checked)
            check.reason = "the serial program does not reach it, or its grid is empty";
        check_report(h->v, i, &check);
    }
}

/* Runs the text that was made of the user's own program. What is wrong with it is printed and
   counted, unless that program has a fault itself: then false after a diagnostic. False as well if
   the text does not end: neither would its leaves. */
static bool text_check(struct hosted *h, enum session_kind kind)
{
    struct verification *v = h->v;
    const struct board *board = h->session.board;
    const char *output;
    size_t length;
    struct str text = str_new(v->ctx->arena);
    struct child_result end = function_run(h, kind, &output, &length);
    bool ended = has_ended(h, &end);
    if (verify_stopped())
        return false;
    if (ended && places_equal(h, &end, output, length, &text))
        return true;
    if (!ended)
        str_add(&text, board->state == BOARD_FAULT ? board->text : child_describe(v->ctx, &end));
    if (!ended && (filler_lacks(v, h->function, text.text) ||
                   !original_is_sound(v, h->function, h->data, h->n_data)))
        return false;
    printf("%s as it is mapped: FAILED: %s\n", v->program->functions[h->function].name, text.text);
    v->failed++;
    h->is_text_wrong = true;
    return end.end != CHILD_TIMEOUT;
}

/* Of a text that was made of another program: what that one leaves. False after a diagnostic. */
static bool original_expect(struct hosted *h)
{
    const char *output;
    size_t length;
    if (!hosted_original(h->v))
        return false;
    struct child_result end = function_run(h, SESSION_ORIGINAL, &output, &length);
    if (!has_ended(h, &end))
        return serial_failed(h, &end);
    return places_keep(h, output, length, &end);
}

/* For devices, which may run when this memory has gone. */
static void ordered_remember(struct hosted *h, const char *output, size_t length)
{
    struct arena *arena = h->v->ctx->arena;
    struct sum_record *record = sum_record(h->v, h->function);
    const void **ordered = ARENA_ARRAY(arena, const void *, h->n_data + 1);
    for (int i = 0; i <= h->n_data; i++) {
        void *copy = arena_alloc(arena, h->bytes[i] + 1);
        memcpy(copy, h->places[i], h->bytes[i]);
        ordered[i] = copy;
    }
    record->ordered = ordered;
    record->output = output;
    record->output_length = length;
}

/* If leaves take floating sums in another order than C's, the results of the function with sums in
   that order are expected from now on. False after a diagnostic. */
static bool ordered_expect(struct hosted *h)
{
    const char *output;
    size_t length;
    if (!sum_record(h->v, h->function)->is_needed)
        return true;
    h->session.witness = "threads";
    struct child_result end = function_run(h, SESSION_ORDERED, &output, &length);
    if (!has_ended(h, &end))
        return serial_failed(h, &end);
    ordered_remember(h, output, length);
    return places_keep(h, output, length, &end);
}

/* What is expected, and what the regions are met with. False after a diagnostic. */
static bool expected_make(struct hosted *h)
{
    const char *output;
    size_t length;
    struct str text = str_new(h->v->ctx->arena);
    if (verify_has_original(h->v))
        return (h->expected || original_expect(h)) && text_check(h, SESSION_INTERPRETED);
    struct child_result end = function_run(h, SESSION_INTERPRETED, &output, &length);
    if (!has_ended(h, &end))
        return serial_failed(h, &end);
    if (!places_keep(h, output, length, &end))
        return false;
    end = function_run(h, SESSION_COMPILED, &output, &length);
    if (!has_ended(h, &end))
        return serial_failed(h, &end);
    if (!places_equal(h, &end, output, length, &text)) {
        diag_error(h->v->ctx, loc_none(),
                   "%s: the compiled serial program differs from the interpreted one: %s",
                   h->v->program->functions[h->function].name, text.text);
        return false;
    }
    return places_keep(h, output, length, &end);
}

/* --- leaves ---------------------------------------------------------------------------------- */

static void leaf_say(struct leaf_run *leaf, int verdict, const char *text)
{
    leaf->verdict = verdict;
    snprintf(leaf->text, sizeof leaf->text, "%s", text);
}

/* Has a region of the function points? */
static bool is_any_met(const struct hosted *h)
{
    bool any = false;
    for (size_t i = 0; i < h->v->program->n_regions; i++)
        any |= h->v->program->regions[i]->function == h->function &&
               h->session.board->regions[i].is_met;
    return any;
}

/* Have leaves that take sums in another order the bits of the first one? */
static bool bits_agree(struct hosted *h, const struct leaf_run *leaf, struct str *text)
{
    struct board *board = h->session.board;
    const struct sum_results results = {h->function, h->n_data, h->data,
                                        (const void *const *)h->places};
    const char *name = arena_printf(h->v->ctx->arena, "%s leaf %d (%s)",
                                    h->v->program->regions[leaf->region]->name, leaf->variant->id,
                                    h->session.witness);
    return !board->launches || h->is_main ||
           sum_bits_agree(h->v, &board->sums, &results, name, h->session.witness, text);
}

/* ", 4 in parts": of the launches of a leaf that is run so. */
static const char *cut_text(const struct hosted *h, struct arena *arena)
{
    return strcmp(h->session.witness, "parts") == 0
               ? arena_printf(arena, ", %lu in parts", h->session.board->cut)
               : "";
}

/* What the last run showed of the leaf. */
static void leaf_judge(struct hosted *h, struct leaf_run *leaf, const struct child_result *end,
                       const char *output, size_t length)
{
    struct arena *arena = h->v->ctx->arena;
    const struct board *board = h->session.board;
    struct str text = str_new(arena);
    if (board->state == BOARD_MISFIT)
        leaf_say(leaf, LEAF_SKIPPED, arena_printf(arena, "skipped: does not fit: %s", board->text));
    else if (!has_ended(h, end))
        leaf_say(leaf, LEAF_FAILED,
                 board->state == BOARD_FAULT ? board->text : child_describe(h->v->ctx, end));
    else if (!places_equal(h, end, output, length, &text) || !bits_agree(h, leaf, &text))
        leaf_say(leaf, LEAF_FAILED, text.text);
    else if (board->launches)
        leaf_say(leaf, LEAF_PASSED,
                 arena_printf(arena, "equals serial;%s %lu launch%s%s", text.text, board->launches,
                              board->launches == 1 ? "" : "es", cut_text(h, arena)));
    else if (board->regions[leaf->region].is_met)
        leaf_say(leaf, LEAF_SKIPPED,
                 "skipped: equals serial, but the region's conditions do not hold at these values, "
                 "so it runs serially");
    else if (is_any_met(h))
        leaf_say(leaf, LEAF_SKIPPED, "skipped: equals serial, but the region was not reached");
    else
        leaf_say(leaf, LEAF_IDLE, "equals serial; nothing to do, 0 launches");
}

/* What the runs of the serial program tell of the leaf already: then it is not run. They may have
   ended early where the text is wrong. */
static void leaf_foresee(struct hosted *h, struct leaf_run *leaf)
{
    const struct kernel *kernel = h->v->program->regions[leaf->region]->kernel;
    struct board *board = h->session.board;
    const struct meeting *meeting = &board->regions[leaf->region];
    const struct divisible *fact = NULL;
    if (h->is_text_wrong)
        return;
    if (meeting->is_met && kernel->n_params <= PARAMS_MOST)
        fact = variant_indivisible(leaf->variant, meeting->params);
    board->state = fact ? BOARD_MISFIT : BOARD_ENDED;
    board->launches = board->cut = 0;
    if (fact)
        snprintf(board->text, sizeof board->text, "%lld does not divide %s",
                 (long long)fact->divisor, poly_text(h->v->ctx->arena, fact->value));
    if (fact || !meeting->is_met)
        leaf_judge(h, leaf, &h->end, h->output, h->output_length);
}

static void leaf_choose(struct hosted *h, const struct leaf_run *leaf)
{
    h->session.kind = SESSION_LEAF;
    h->session.region = leaf->region;
    h->session.variant = leaf->variant;
}

/* In a child: the leaves from the current one on. A failure counts only in a process that has run
   nothing before, since libraries may remember what ran. */
static int leaves_call(void *state)
{
    struct hosted *h = state;
    struct board *board = h->session.board;
    struct child_result end = {CHILD_DONE, 0, ""};
    for (size_t first = board->current; board->current < h->n_leaves; board->current++) {
        struct leaf_run *leaf = &h->leaves[board->current];
        if (leaf->verdict != LEAF_OPEN)
            continue;
        leaf_choose(h, leaf);
        run_begin(h);
        end.code = function_call(h);
        if (h->is_main || board->state != BOARD_ENDED)
            return end.code;
        size_t length;
        fflush(stdout);
        const char *output = file_read(h->v->ctx, verify_path(h->v, "output"), &length);
        leaf_judge(h, leaf, &end, output, length);
        if (leaf->verdict == LEAF_FAILED && board->current > first) {
            leaf->verdict = LEAF_OPEN;
            return ANOTHER_PROCESS;
        }
        if (ftruncate(STDOUT_FILENO, 0) != 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) != 0)
            return ANOTHER_PROCESS;
    }
    return 0;
}

/* Runs leaves until one ends the child; that one is judged here. */
static void leaves_continue(struct hosted *h)
{
    struct board *board = h->session.board;
    size_t first = board->current, length;
    struct child_result end = child_call(h->v, leaves_call, h, verify_path(h->v, "output"),
                                         verify_path(h->v, "errors"), &board->current);
    if (board->current >= h->n_leaves)
        return;
    struct leaf_run *leaf = &h->leaves[board->current];
    bool again = end.end == CHILD_EXIT && end.code == ANOTHER_PROCESS && !h->is_main;
    if (leaf->verdict != LEAF_OPEN || (again && board->current > first))
        return;
    const char *output = file_read(h->v->ctx, verify_path(h->v, "output"), &length);
    leaf_judge(h, leaf, &end, output, length);
}

static void leaf_print(struct hosted *h, const struct leaf_run *leaf)
{
    struct verification *v = h->v;
    printf("%s leaf %d%s (%s): ", v->program->regions[leaf->region]->name, leaf->variant->id,
           leaf->variant->safe ? " (safe)" : "", h->session.witness);
    if (leaf->verdict == LEAF_FAILED)
        leaf_fail(v, h->function, leaf->text);
    else
        printf("%s\n", leaf->text);
    v->passed += leaf->verdict == LEAF_PASSED || leaf->verdict == LEAF_IDLE;
    v->skipped += leaf->verdict == LEAF_SKIPPED;
    if (leaf->verdict != LEAF_SKIPPED)
        verify_note(v, h->function, leaf->verdict == LEAF_IDLE);
}

static void leaves_run(struct hosted *h)
{
    struct verification *v = h->v;
    struct board *board = h->session.board;
    size_t printed = 0;
    for (size_t i = 0; i < h->n_leaves; i++) {
        h->leaves[i].verdict = LEAF_OPEN;
        leaf_foresee(h, &h->leaves[i]);
        if (h->leaves[i].verdict != LEAF_OPEN)
            continue;
        leaf_choose(h, &h->leaves[i]);
        session_prepare(&h->session);
    }
    for (board->current = 0; board->current < h->n_leaves && !verify_stopped();) {
        progress_begin(v->ctx, "leaves of %s by %s", v->program->functions[h->function].name,
                       h->session.witness);
        if (h->leaves[board->current].verdict == LEAF_OPEN)
            leaves_continue(h);
        progress_end(v->ctx);
        while (board->current < h->n_leaves && h->leaves[board->current].verdict != LEAF_OPEN)
            board->current++;
        for (; printed < board->current && !verify_stopped(); printed++)
            leaf_print(h, &h->leaves[printed]);
        fflush(stdout);
    }
}

static void hosted_drop(struct verification *v, size_t index)
{
    places_release(v->hosted.at[index]);
    v->hosted.at[index] = vec_pop(&v->hosted);
}

void hosted_end(struct verification *v)
{
    while (v->hosted.count)
        hosted_drop(v, v->hosted.count - 1);
}

/* Is there too much memory to keep, `more` bytes and their results counted in? Then it goes, and is
   made again if a further witness needs it. */
static bool hosted_is_trimmed(struct verification *v, size_t more)
{
    size_t bytes = 2 * more;
    for (size_t i = 0; i < v->hosted.count; i++)
        bytes += 2 * v->hosted.at[i]->shared_bytes;
    if (bytes > KEPT_MOST)
        hosted_end(v);
    return bytes > KEPT_MOST;
}

static size_t data_bytes(const struct datum *data, int n_data)
{
    size_t bytes = 0;
    for (int i = 0; i < n_data; i++)
        bytes += (size_t)data[i].count * type_bytes(data[i].type);
    return bytes;
}

/* The function at the set at hand, with what is expected; NULL after a diagnostic. */
static struct hosted *hosted_new(struct verification *v, int function)
{
    struct hosted *h = ARENA_NEW(v->ctx->arena, struct hosted);
    *h = (struct hosted){.v = v,
                         .set = v->set,
                         .function = function,
                         .is_main = v->program->functions[function].is_main,
                         .session = {.v = v}};
    if (!h->is_main && !data_plan(v, function, &h->data, &h->n_data)) {
        least_values_note(v, function);
        return NULL;
    }
    h->session.checks_regions = v->checks_regions || (!filler_name(v, function) &&
                                                      index_arrays(v, function));
    h->n_leaves = leaves_list(h);
    hosted_is_trimmed(v, data_bytes(h->data, h->n_data));
    if (!room_suffices(v, function, h->data, h->n_data, ROOM_GENERATOR) || !hosted_library(v) ||
        !places_make(h))
        return NULL;
    leaves_list(h);
    vec_push(v->ctx->arena, &v->hosted, h);
    return h;
}

/* Each set is made once for all witnesses. */
static struct hosted *hosted_find(struct verification *v, int function)
{
    for (size_t i = 0; i < v->hosted.count; i++)
        if (v->hosted.at[i]->function == function && v->hosted.at[i]->set.list.at == v->set.list.at)
            return v->hosted.at[i];
    return hosted_new(v, function);
}

static bool hosted_verify(struct verification *v, int function, const char *witness)
{
    struct hosted *h = hosted_find(v, function);
    if (!h || (!h->is_interpreted && (!expected_make(h) || !ordered_expect(h))))
        return false;
    h->is_interpreted = true;
    h->session.witness = witness;
    if (checks_lack_data(h))
        return false;
    if (strcmp(witness, "cpu") == 0)
        checks_report(h);
    struct sum_record *record = sum_record(v, function);
    h->session.board->sums = *record;
    leaves_run(h);
    *record = h->session.board->sums;
    return true;
}

bool hosted_check(struct verification *v, int function, const struct run_result *original)
{
    const char *output;
    size_t length;
    struct hosted *h = hosted_find(v, function);
    if (!h)
        return false;
    if (verify_has_original(v) && !h->is_interpreted) {
        places_expect(h, original);
        if (!text_check(h, SESSION_CHECKED))
            return false;
    } else if (!h->is_interpreted) {
        function_run(h, SESSION_CHECKED, &output, &length);
    }
    if (checks_lack_data(h))
        return false;
    checks_report(h);
    if (!h->is_interpreted && !ordered_expect(h))
        return false;
    return hosted_is_trimmed(v, 0) || !h->expected || places_own(h);
}

bool verify_hosted(struct verification *v, const char *witness)
{
    bool fine = true;
    for (size_t i = 0; i < v->program->n_functions && fine; i++)
        if (verify_takes_function(v, (int)i))
            fine = hosted_verify(v, (int)i, witness);
    return fine;
}
