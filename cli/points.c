/* treefork explain --points: many points in one process, for programs that check other
   implementations of the tree against this one. In: lines of JSON, each a machine (the name of a
   machine file, or its members) and parameters; out: lines of JSON, for each region one, or an
   error where that region cannot run. An error of a line is its answer, and the lines behind it are
   answered all the same. */
#include "cli/points.h"
#include "base/map.h"
#include "cli/explanation.h"
#include "cli/own_choice.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct points {
    struct ctx *ctx;
    const struct question *question;
    const char *path;
    size_t line, errors;
    struct own_choice *own;   /* NULL: choices are not asked for */
    struct map *machines;     /* name of a file -> struct treefork_machine */
};

/* One line as a question; false after a diagnostic. */
struct point {
    const struct treefork_machine *machine;
    struct assignments set;
};

static bool line_error(struct points *p, const char *what)
{
    diag_error(p->ctx, loc_none(), "%s", what);
    return false;
}

static const struct treefork_machine *machine_named(struct points *p, const char *name)
{
    struct treefork_machine *machine = map_get(p->machines, name);
    if (machine)
        return machine;
    machine = ARENA_NEW(p->ctx->arena, struct treefork_machine);
    if (!machine_find(p->ctx, name, machine))
        return NULL;
    map_put(p->machines, name, machine);
    return machine;
}

static const struct treefork_machine *machine_given(struct points *p, const cJSON *object)
{
    struct treefork_machine *machine = ARENA_NEW(p->ctx->arena, struct treefork_machine);
    char *text = cJSON_PrintUnformatted(object);
    int status = text ? treefork_machine_parse(text, strlen(text), "machine", machine)
                      : TREEFORK_MEMORY;
    cJSON_free(text);
    if (status == TREEFORK_OK)
        return machine;
    line_error(p, treefork_message());
    return NULL;
}

static const struct treefork_machine *point_machine(struct points *p, const cJSON *value)
{
    if (cJSON_IsString(value))
        return machine_named(p, value->valuestring);
    if (cJSON_IsObject(value))
        return machine_given(p, value);
    if (!value && p->question->has_machine)
        return &p->question->machine;
    line_error(p, value ? "\"machine\" is neither a name nor an object"
                        : "there is no \"machine\"");
    return NULL;
}

/* A whole number that a double does not hold is written as a text. */
static bool text_value(struct points *p, const cJSON *member, struct assignment *value)
{
    const char *text = member->valuestring;
    char *end;
    errno = 0;
    value->value = (int64_t)strtoll(text, &end, 10);
    if (end != text && !*end && errno == 0)
        return true;
    return line_error(p, arena_printf(p->ctx->arena, "\"%s\": \"%s\" is no whole number of 64 bits",
                                      member->string, text));
}

static bool point_value(struct points *p, const cJSON *member, struct assignments *set)
{
    struct assignment value = {.name = member->string, .is_whole = true};
    char text[40];
    if (cJSON_IsString(member)) {
        if (!text_value(p, member, &value))
            return false;
        vec_push(p->ctx->arena, &set->list, value);
        return true;
    }
    if (!cJSON_IsNumber(member))
        return line_error(p, arena_printf(p->ctx->arena, "\"%s\" is no number", member->string));
    snprintf(text, sizeof text, "%.17g", member->valuedouble);
    value.value = (int64_t)strtoll(text, NULL, 10);
    if ((double)value.value != member->valuedouble) {
        value.is_whole = false;
        value.is_real = true;
        value.real = member->valuedouble;
    }
    vec_push(p->ctx->arena, &set->list, value);
    return true;
}

/* What the command line gives stands first: the last value of a name counts. */
static bool point_values(struct points *p, const cJSON *values, struct assignments *set)
{
    *set = (struct assignments){0};
    for (size_t i = 0; i < p->question->set.list.count; i++)
        vec_push(p->ctx->arena, &set->list, p->question->set.list.at[i]);
    if (values && !cJSON_IsObject(values))
        return line_error(p, "\"parameters\" is no object");
    const cJSON *member;
    cJSON_ArrayForEach(member, values) {
        if (!point_value(p, member, set))
            return false;
    }
    return true;
}

static bool members_known(struct points *p, const cJSON *line)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, line) {
        if (strcmp(member->string, "machine") != 0 && strcmp(member->string, "parameters") != 0)
            return line_error(p, arena_printf(p->ctx->arena,
                                              "\"%s\" is neither \"machine\" nor \"parameters\"",
                                              member->string));
    }
    return true;
}

static bool point_read(struct points *p, const cJSON *line, struct point *point)
{
    if (!cJSON_IsObject(line))
        return line_error(p, "the line is no JSON object");
    if (!members_known(p, line))
        return false;
    point->machine = point_machine(p, cJSON_GetObjectItemCaseSensitive(line, "machine"));
    return point->machine &&
           point_values(p, cJSON_GetObjectItemCaseSensitive(line, "parameters"), &point->set) &&
           question_has_names(p->ctx, p->question, &point->set);
}

/* The last error as a member, in place of what it prevented. */
static void error_print(const struct points *p)
{
    struct treefork_text message = {0};
    treefork_json_string(&message, p->ctx->last);
    printf("\"error\": %s}\n", message.text ? message.text : "\"\"");
    free(message.text);
}

/* A line of what a region would choose for itself; an error is its answer. */
static void choice_print(struct points *p, const struct point *point, size_t region)
{
    const char *told = own_choice_told(p->ctx, p->own, region, point->machine, &point->set,
                                       TREEFORK_JSON);
    if (told) {
        printf("%.*s\n", (int)strcspn(told, "\n"), told);
        return;
    }
    putchar('{');
    error_print(p);
}

/* One region's line, with its choice behind; an error where it cannot run. */
static bool region_explain(struct points *p, const struct point *point, size_t region)
{
    const struct tree *tree = p->question->trees[region];
    struct treefork_explanation e;
    if (!question_suits_region(p->ctx, tree->region, &point->set) ||
        !explanation_make(p->ctx, p->question->store, tree, point->machine, &point->set, &e)) {
        printf("{\"line\": %zu, \"region\": \"%s\", ", p->line, tree->region->name);
        error_print(p);
        return false;
    }
    puts(explanation_json(p->ctx, &e));
    if (p->own)
        choice_print(p, point, region);
    return true;
}

static void line_answer(struct points *p, const char *text)
{
    struct point point;
    cJSON *line = cJSON_Parse(text);
    bool is_answered = point_read(p, line, &point);
    size_t n_regions = is_answered ? p->question->program->n_regions : 0;
    if (!is_answered) {
        printf("{\"line\": %zu, ", p->line);
        error_print(p);
    }
    for (size_t i = 0; i < n_regions; i++)
        is_answered &= region_explain(p, &point, i);
    p->errors += !is_answered;
    cJSON_Delete(line);
}

enum exit_code explain_points(struct ctx *ctx, const struct question *question, const char *path,
                              bool with_choices)
{
    struct points p = {.ctx = ctx, .question = question, .path = path,
                       .machines = map_new(ctx->arena)};
    size_t length;
    char *text = file_read(ctx, path, &length);
    if (text && with_choices)
        p.own = own_choice_new(ctx, question->program, question->trees);
    if (!text || (with_choices && !p.own))
        return EXIT_INPUT;
    bool was_quiet = ctx->quiet;
    ctx->quiet = true;
    while (*text) {
        size_t n = strcspn(text, "\n");
        char *next = text + n + (text[n] == '\n');
        text[n] = 0;
        p.line++;
        if (text[strspn(text, " \t\r")])
            line_answer(&p, text);
        text = next;
    }
    ctx->quiet = was_quiet;
    if (p.errors == 0)
        return EXIT_DONE;
    diag_error(ctx, loc_none(), "%s: %zu of %zu lines have an error in place of an answer", path,
               p.errors, p.line);
    return EXIT_INPUT;
}
