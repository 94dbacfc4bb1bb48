/* Two texts compared, from end to end.

   In: the programs of a source and of a text that was made of it. Out: for each function whose text
   differs, whether it computes the same in a number of trials. A trial in which the source does
   something that C does not define says nothing, nor one with constructs that the replay does not
   know. Where the true numbers of a text take too many steps they stand for small ones in both
   sides; a difference found so counts only if the true numbers show it, too. */
#include "replay/replay.h"
#include "replay/trial.h"
#include <string.h>

enum {
    LONG_ATTEMPTS = 2,               /* trials with sizes beyond a step of the text's loops */
    ENOUGH = 16,                     /* trials that are compared, where each statement of the source
                                        ran often */
    OFTEN = 12,
    STEPS_TRIAL = 30000,             /* of the source in one trial */
    STEPS_LONG = 200000,             /* of the source in one of LONG_ATTEMPTS */
    STEPS_ALL = 400000,              /* of one function in all trials */
    STEPS_FILE = 4000000,            /* of the functions before, from which on there are less: */
    STEPS_LATE = 40000,
    STEPS_TRUE = 60000000,           /* of the trial that decides */
    STEPS_FOLLOW = 1000000, TIMES_FOLLOW = 1000   /* of the mapped text beyond its source */
};

struct check {
    struct trial_room room;
    const struct function_code *functions[2];
    struct replay_result *result;
    int *ran, *made_ran;             /* by mark of source and mapped text: how often it ran */
    bool is_often;                   /* all did */
    bool is_shrunk;
    long limit;                      /* of the function's steps */
    int undefined, unknown, too_long;
    const char *why;                 /* of the last trial that said nothing */
};

/* --- checking a function ---------------------------------------------------------------------- */

static void cover(struct check *check)
{
    const struct function_code *function = check->functions[0];
    struct replay_result *result = check->result;
    result->marks_run = 0;
    result->marks = function->mark_end - function->mark_begin;
    check->is_often = true;
    for (int i = function->mark_begin; i < function->mark_end; i++) {
        check->ran[i] += check->room.marks[0][i];
        result->marks_run += check->ran[i] > 0;
        check->is_often &= check->ran[i] >= OFTEN;
    }
    function = check->functions[1];
    for (int i = function->mark_begin; i < function->mark_end; i++) {
        check->made_ran[i] += check->room.marks[1][i];
        check->is_often &= check->made_ran[i] >= OFTEN;
    }
}

static void say_nothing(struct check *check, const struct run *run)
{
    check->undefined += run->end == RUN_UNDEFINED;
    check->unknown += run->end == RUN_UNKNOWN;
    check->too_long += run->end == RUN_LONG;
    check->why = run->reason;
}

static void different(struct check *check, const struct trial *trial, const char *what,
                      struct loc loc)
{
    struct replay_result *result = check->result;
    const char *sizes = trial_sizes(check->room.ctx->arena, trial);
    result->verdict = REPLAY_DIFFERENT;
    result->loc = loc.source ? loc : check->functions[0]->loc;
    result->difference = arena_printf(check->room.ctx->arena, "%s%s%s", what, *sizes ? ", " : "",
                                      sizes);
}

/* A trial whose sides have both ended, the source's by returning. */
static void judge(struct check *check, struct trial *trial)
{
    const struct run *made = &trial->runs[1];
    struct loc loc = made->at ? made->at->loc : loc_none();
    if (made->end == RUN_UNDEFINED)
        different(check, trial, arena_printf(trial->arena, "in it %s", made->reason), loc);
    else if (made->end == RUN_LONG)
        different(check, trial, "it does not end", loc);
    else if (made->end == RUN_UNKNOWN)
        say_nothing(check, made);
    if (made->end != RUN_RETURNED)
        return;
    struct trial_difference difference = trial_compare(trial);
    check->result->trials++;
    check->result->cells += difference.cells;
    if (difference.what)
        different(check, trial, difference.what, difference.loc);
    cover(check);
}

static void trial_run(struct check *check, int number, int64_t limit)
{
    struct trial trial;
    trial_begin(&trial, &check->room, check->functions, number, check->is_shrunk, limit);
    if (trial.runs[0].end == RUN_RETURNED) {
        trial_follow(&trial, STEPS_FOLLOW + TIMES_FOLLOW * trial.runs[0].steps);
        judge(check, &trial);
    } else {
        say_nothing(check, &trial.runs[0]);
    }
    check->result->steps += (long)(trial.runs[0].steps + trial.runs[1].steps);
    trial_end(&trial);
}

static bool is_enough(const struct check *check)
{
    const struct replay_result *result = check->result;
    if (result->verdict == REPLAY_DIFFERENT || result->steps > check->limit)
        return true;
    if (!result->trials && check->unknown > 3)
        return true;
    return result->trials >= ENOUGH && check->is_often;
}

/* The number of the trial that showed a difference; -1: none did. */
static int trials_run(struct check *check)
{
    int number = 0;
    for (; number < TRIALS_FEW && !is_enough(check); number++)
        trial_run(check, number, STEPS_TRIAL);
    if (check->result->verdict == REPLAY_DIFFERENT)
        return number - 1;
    bool strides = check->functions[1]->stride > check->functions[0]->stride;
    for (int i = 0; i < LONG_ATTEMPTS && strides; i++) {
        trial_run(check, TRIALS_FEW + i, STEPS_LONG);
        if (check->result->verdict == REPLAY_DIFFERENT)
            return TRIALS_FEW + i;
    }
    return -1;
}

/* Small numbers in place of large ones showed a difference: do the true ones? */
static void decide(struct check *check, int number)
{
    struct replay_result *result = check->result;
    result->verdict = REPLAY_UNCHECKED;
    check->is_shrunk = false;
    trial_run(check, number, STEPS_TRUE);
    if (result->verdict != REPLAY_DIFFERENT)
        result->reason = "with smaller numbers in place of those of the text the two differ, and "
                         "with the true ones the trial is too long or does not show it";
}

static void function_check(struct check *check)
{
    struct replay_result *result = check->result;
    result->verdict = REPLAY_UNCHECKED;
    int number = trials_run(check);
    bool shrinks = number < 0 && check->too_long && !check->is_often;
    if (shrinks) {
        long steps = result->steps;
        result->steps = 0;
        check->is_shrunk = result->is_shrunk = true;
        check->unknown = 0;
        number = trials_run(check);
        result->steps += steps;
    }
    if (shrinks && number >= 0) {
        decide(check, number);
    } else if (number < 0) {
        result->verdict = result->trials ? REPLAY_EQUAL : REPLAY_UNCHECKED;
        result->reason = check->why;
    }
}

static const struct function_code *function_find(const struct replay_program *program,
                                                 const char *name)
{
    for (size_t i = 0; i < program->functions.count; i++)
        if (!strcmp(program->functions.at[i]->name, name))
            return program->functions.at[i];
    return NULL;
}

static bool is_same_text(const struct replay_program *const programs[2],
                         const struct function_code *const functions[2])
{
    size_t lengths[2];
    for (int i = 0; i < 2; i++)
        lengths[i] = functions[i]->end - functions[i]->begin;
    return lengths[0] == lengths[1] &&
           !memcmp(programs[0]->source->text + functions[0]->begin,
                   programs[1]->source->text + functions[1]->begin, lengths[0]);
}

static void room_make(struct trial_room *room, struct ctx *ctx,
                      const struct replay_program *const programs[2])
{
    room->ctx = ctx;
    room->arena = arena_new();
    room->slots = ARENA_ARRAY(room->arena, struct slot, SLOTS_MAX);
    for (int i = 0; i < 2; i++) {
        room->programs[i] = programs[i];
        room->marks[i] = ARENA_ARRAY(room->arena, unsigned char, programs[i]->n_marks + 1);
    }
}

static void result_make(struct ctx *ctx, const struct replay_program *const programs[2],
                        const struct function_code *function, long used,
                        struct replay_result *result)
{
    const struct function_code *twin = function_find(programs[1], function->name);
    const struct function_code *functions[] = {function, twin};
    *result = (struct replay_result){.name = function->name, .loc = function->loc};
    if (!twin) {
        result->verdict = REPLAY_DIFFERENT;
        result->difference = "the function is not there";
        return;
    }
    if (is_same_text(programs, functions))
        return;
    struct check check = {.functions = {function, twin}, .result = result,
                          .limit = used < STEPS_FILE ? STEPS_ALL : STEPS_LATE};
    room_make(&check.room, ctx, programs);
    check.ran = ARENA_ARRAY(check.room.arena, int, programs[0]->n_marks + 1);
    check.made_ran = ARENA_ARRAY(check.room.arena, int, programs[1]->n_marks + 1);
    function_check(&check);
    arena_free(check.room.arena);
}

const struct replay_report *replay_compare(struct ctx *ctx, const struct replay_program *source,
                                           const struct replay_program *made)
{
    struct replay_report *report = ARENA_NEW(ctx->arena, struct replay_report);
    const struct replay_program *programs[] = {source, made};
    size_t n = source->functions.count;
    struct replay_result *results = ARENA_ARRAY(ctx->arena, struct replay_result, n + 1);
    long used = 0;
    for (size_t i = 0; i < n; i++) {
        result_make(ctx, programs, source->functions.at[i], used, &results[i]);
        used += results[i].steps;
    }
    report->results = results;
    report->count = n;
    return report;
}

/* --- the report ------------------------------------------------------------------------------- */

static void result_print(struct str *out, const struct replay_result *result)
{
    static const char *const verdicts[] = {"same text", "equal", "not checked", "DIFFERENT"};
    str_addf(out, "%s: %s", result->name, verdicts[result->verdict]);
    if (result->verdict == REPLAY_DIFFERENT)
        str_addf(out, ": %s", result->difference);
    if (result->verdict == REPLAY_UNCHECKED)
        str_addf(out, ": %s", result->reason ? result->reason : "no trial ended");
    str_addf(out, "; %d trials, %d of %d statements, %ld elements, %ld steps%s", result->trials,
             result->marks_run, result->marks, result->cells, result->steps,
             result->is_shrunk ? ", large numbers shrunk" : "");
    if (result->verdict == REPLAY_EQUAL && result->reason)
        str_addf(out, "; other trials: %s", result->reason);
    str_char(out, '\n');
}

void replay_print(struct str *out, const struct replay_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->results[i].verdict != REPLAY_SAME)
            result_print(out, &report->results[i]);
}

static void judge_say(struct ctx *ctx, const struct replay_result *result, const char *path)
{
    if (path) {
        diag_error(ctx, result->loc, "`%s` of %s computes something else than the source: %s",
                   result->name, path, result->difference);
        return;
    }
    ctx->is_internal = true;
    diag_error(ctx, result->loc,
               "internal error: the mapped text of `%s` computes something else than the source: "
               "%s%s; please report this",
               result->name, result->difference, ctx->yields ? "" : "; nothing is written");
}

bool replay_judge(struct ctx *ctx, const struct replay_report *report, const char *path)
{
    bool good = true;
    for (size_t i = 0; i < report->count; i++) {
        const struct replay_result *result = &report->results[i];
        if (result->verdict != REPLAY_DIFFERENT)
            continue;
        judge_say(ctx, result, path);
        good = false;
    }
    return good;
}
