/* From the options that shape case trees, and a program, to the tree of each region. */
#include "base/progress.h"
#include "cli/cli.h"
#include <string.h>

enum {
#define X(symbol, ...) ROW_##symbol,
#include "optimizer/counter.def"
#undef X
    COUNTER_ROWS
};

static bool mode_option(struct ctx *ctx, const struct command_line *line, enum tree_mode *mode)
{
    static const char *const names[] = {"keep", "retract"};
    const char *text = option_text(line, "--mode");
    *mode = TREE_KEEP;
    if (!text || strcmp(text, "keep") == 0)
        return true;
    *mode = TREE_RETRACT;
    if (strcmp(text, "retract") == 0)
        return true;
    option_unknown(ctx, "mode", text, names, 2);
    return false;
}

/* Names of the rows of counter.def of one kind; their number. */
static size_t counters_of(const char **names, const char *kind)
{
    static const struct {
        const char *name, *kind;
    } rows[] = {
#define X(symbol, name, json, unit, limit, kind, ...) {#name, #kind},
#include "optimizer/counter.def"
#undef X
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].kind, kind) == 0)
            names[n++] = rows[i].name;
    return n;
}

/* The name in front of the list and what follows it; false after a usage error. */
static bool counter_next(struct ctx *ctx, const char **list, const char *kind, const char **name)
{
    const char *known[COUNTER_ROWS];
    size_t n = counters_of(known, kind), length = strcspn(*list, ",="), i;
    *name = arena_strndup(ctx->arena, *list, length);
    *list += length;
    for (i = 0; i < n && strcmp(known[i], *name) != 0; i++)
        ;
    if (i == n)
        option_unknown(ctx, strcmp(kind, "TARGET") == 0 ? "target" : "counter", *name, known, n);
    return i < n;
}

/* The greatest value that a target can have: 100 for shares. */
static int64_t target_most(const char *name)
{
    static const struct {
        const char *name, *unit;
    } rows[] = {
#define X(symbol, name, json, unit, ...) {#name, unit},
#include "optimizer/counter.def"
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0 && strncmp(rows[i].unit, "percent", 7) == 0)
            return 100;
    return INT32_MAX;
}

/* "occupancy=60,occupancy" */
static bool targets_option(struct ctx *ctx, const struct command_line *line,
                           struct tree_options *options)
{
    const char *text = option_text(line, "--targets");
    VEC(struct target) list = {0};
    while (text && *text) {
        struct target target = {0};
        if (!counter_next(ctx, &text, "TARGET", &target.counter))
            return false;
        for (size_t i = 0; i < list.count; i++)
            if (strcmp(list.at[i].counter, target.counter) == 0) {
                diag_error(ctx, loc_none(), "--targets: %s stands twice", target.counter);
                return false;
            }
        if (*text == '=') {
            size_t length = strcspn(text + 1, ",");
            target.has_value = true;
            if (!option_integer(ctx, arena_printf(ctx->arena, "--targets %s", target.counter),
                                arena_strndup(ctx->arena, text + 1, length), 1,
                                target_most(target.counter), &target.value))
                return false;
            text += 1 + length;
        }
        vec_push(ctx->arena, &list, target);
        text += *text == ',';
    }
    options->n_targets = list.count;
    options->targets = list.at;
    return true;
}

static bool counters_option(struct ctx *ctx, const struct command_line *line,
                            struct tree_options *options)
{
    const char *text = option_text(line, "--counters");
    if (!text)
        return true;
    VEC(const char *) names = {0};
    while (*text) {
        const char *name;
        if (!counter_next(ctx, &text, "RESOURCE", &name))
            return false;
        vec_push(ctx->arena, &names, name);
        text += *text == ',';
    }
    options->golden = true;
    options->n_counters = names.count;
    options->counters = names.at;
    return true;
}

/* "registers=9,9" */
static bool injection_parse(struct ctx *ctx, const char *text, struct injection *injection)
{
    const char *equals = strchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    if (!comma) {
        diag_error(ctx, loc_none(), "--inject: '%s' is not COUNTER=UNREDUCED,REDUCED", text);
        return false;
    }
    injection->counter = arena_strndup(ctx->arena, text, (size_t)(equals - text));
    const char *first = arena_strndup(ctx->arena, equals + 1, (size_t)(comma - equals - 1));
    return option_integer(ctx, "--inject", first, 0, INT32_MAX, &injection->unreduced) &&
           option_integer(ctx, "--inject", comma + 1, 0, INT32_MAX, &injection->reduced);
}

static bool injections_option(struct ctx *ctx, const struct command_line *line,
                              struct tree_options *options)
{
    VEC(struct injection) list = {0};
    for (size_t i = 0; i < line->options.count; i++) {
        struct injection injection;
        if (strcmp(line->options.at[i].row->name, "--inject") != 0)
            continue;
        if (!injection_parse(ctx, line->options.at[i].text, &injection))
            return false;
        vec_push(ctx->arena, &list, injection);
    }
    options->n_injections = list.count;
    options->injections = list.at;
    return true;
}

static bool leaves_option(struct ctx *ctx, const struct command_line *line,
                          struct tree_options *options)
{
    const char *text = option_text(line, "--max-leaves");
    int64_t most = 0;
    if (text && !option_integer(ctx, "--max-leaves", text, MAX_LEAVES_LEAST, INT32_MAX, &most))
        return false;
    options->max_leaves = (size_t)most;
    return true;
}

static bool jam_option(struct ctx *ctx, const struct command_line *line,
                       struct tree_options *options)
{
    const char *text = option_text(line, "--jam");
    bool is_two = text && strcmp(text, "2") == 0, is_four = text && strcmp(text, "4") == 0;
    if (is_four)
        options->jam = 4;
    else if (is_two)
        options->jam = 2;
    else if (text)
        diag_error(ctx, loc_none(), "--jam: 2 or 4 iterations run at once, not '%s'", text);
    return !text || is_two || is_four;
}

/* Register estimates from a file, and to one. */
static bool estimates_option(struct ctx *ctx, const struct command_line *line,
                             struct tree_options *options)
{
    const char *replay = option_text(line, "--registers");
    if (option_text(line, "--record-registers"))
        options->recorded = estimates_new(ctx->arena);
    if (!replay)
        return true;
    options->replayed = estimates_read(ctx, replay);
    return options->replayed != NULL;
}

const struct middle **input_middles(struct ctx *ctx, const struct command_line *line,
                                    const struct program *program, enum exit_code *code)
{
    struct tree_options *options = ARENA_NEW(ctx->arena, struct tree_options);
    *code = EXIT_USAGE;
    if (!mode_option(ctx, line, &options->mode) || !counters_option(ctx, line, options) ||
        !injections_option(ctx, line, options) || !targets_option(ctx, line, options) ||
        !leaves_option(ctx, line, options) || !jam_option(ctx, line, options))
        return NULL;
    options->stats = option_flag(line, "--stats");
    options->stages = option_flag(line, "--stages");
    options->last_block = option_flag(line, "--last-block");
    *code = EXIT_INPUT;
    if (!estimates_option(ctx, line, options))
        return NULL;
    const struct middle **middles = ARENA_ARRAY(ctx->arena, const struct middle *,
                                                program->n_regions);
    for (size_t i = 0; i < program->n_regions; i++) {
        progress_begin(ctx, "%s", program->regions[i]->name);
        middles[i] = middle_run(ctx, program->regions[i], options);
        progress_end(ctx);
        if (!middles[i])
            return NULL;
    }
    const char *record = option_text(line, "--record-registers");
    if (record && !estimates_write(ctx, options->recorded, record))
        return NULL;
    return middles;
}

const struct tree **input_trees(struct ctx *ctx, const struct command_line *line,
                                const struct program *program, enum exit_code *code)
{
    const struct middle **middles = input_middles(ctx, line, program, code);
    const struct tree **trees = ARENA_ARRAY(ctx->arena, const struct tree *, program->n_regions);
    if (!middles)
        return NULL;
    for (size_t i = 0; i < program->n_regions; i++)
        trees[i] = middles[i]->tree;
    return trees;
}
