/* --set: names and values. */
#include "cli/cli.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers up to here are doubles. */
static const double EXACT_MOST = 9007199254740992.0;

/* A whole number from INT64_MAX to UINT64_MAX. */
static bool large_parse(const char *text, struct assignment *assignment)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || !isdigit((unsigned char)*text) || *end || value < INT64_MAX)
        return false;
    assignment->is_whole = false;
    assignment->is_large = true;
    assignment->value = (int64_t)value;
    assignment->real = (double)value;
    return true;
}

static bool assignment_parse(struct ctx *ctx, const char *text, struct assignment *assignment)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        diag_error(ctx, loc_none(), "--set: '%s' is not NAME=VALUE", text);
        return false;
    }
    *assignment =
        (struct assignment){.name = arena_strndup(ctx->arena, text, (size_t)(equals - text)),
                            .is_whole = true};
    if (strpbrk(equals + 1, ".eE")) {
        char *end;
        assignment->is_real = true;
        assignment->real = strtod(equals + 1, &end);
        assignment->is_whole = fabs(assignment->real) <= EXACT_MOST &&
                               floor(assignment->real) == assignment->real;
        assignment->value = assignment->is_whole ? (int64_t)assignment->real : 0;
        if (*end == 0 && end > equals + 1)
            return true;
        diag_error(ctx, loc_none(), "--set %s: '%s' is no number", assignment->name, equals + 1);
        return false;
    }
    if (large_parse(equals + 1, assignment))
        return true;
    return option_integer(ctx, arena_printf(ctx->arena, "--set %s", assignment->name), equals + 1,
                          INT64_MIN + 1, INT64_MAX - 1, &assignment->value);
}

/* Blanks around an item are no part of it: "s=8, B=256". */
static const char *without_blanks(struct arena *arena, const char *text, size_t length)
{
    size_t begin = strspn(text, " \t");
    while (length > begin && strchr(" \t", text[length - 1]))
        length--;
    return begin < length ? arena_strndup(arena, text + begin, length - begin) : "";
}

bool assignments_parse(struct ctx *ctx, const struct command_line *line, struct assignments *out)
{
    *out = (struct assignments){0};
    for (size_t i = 0; i < line->options.count; i++) {
        const char *text = line->options.at[i].text;
        if (strcmp(line->options.at[i].row->name, "--set") != 0)
            continue;
        while (*text) {
            size_t length = strcspn(text, ",");
            struct assignment assignment;
            if (!assignment_parse(ctx, without_blanks(ctx->arena, text, length), &assignment))
                return false;
            if (assignment_get(out, assignment.name)) {
                diag_error(ctx, loc_none(), "--set: %s is given twice", assignment.name);
                return false;
            }
            vec_push(ctx->arena, &out->list, assignment);
            text += length + (text[length] == ',');
        }
    }
    return true;
}

const struct assignment *assignment_get(const struct assignments *set, const char *name)
{
    for (size_t i = set->list.count; i-- > 0;)
        if (strcmp(set->list.at[i].name, name) == 0)
            return &set->list.at[i];
    return NULL;
}

const int64_t *assignment_find(const struct assignments *set, const char *name)
{
    const struct assignment *assignment = assignment_get(set, name);
    return assignment && assignment->is_whole ? &assignment->value : NULL;
}

bool assignment_whole(struct ctx *ctx, const struct assignments *set, const char *name, bool large)
{
    const struct assignment *assignment = assignment_get(set, name);
    if (!assignment || assignment->is_whole || (assignment->is_large && large))
        return true;
    if (assignment->is_large) {
        diag_error(ctx, loc_none(),
                   "--set %s: %llu is too large; only a uint64_t that is used as a value takes it",
                   name, (unsigned long long)assignment->value);
        return false;
    }
    diag_error(ctx, loc_none(), "--set %s: a whole number is needed, not %.17g", name,
               assignment->real);
    return false;
}

bool assignments_known(struct ctx *ctx, const struct assignments *set, const char *const *names,
                       size_t n_names)
{
    for (size_t i = 0; i < set->list.count; i++) {
        size_t j;
        for (j = 0; j < n_names && strcmp(names[j], set->list.at[i].name) != 0; j++)
            ;
        if (j == n_names) {
            option_unknown(ctx, "parameter", set->list.at[i].name, names, n_names);
            return false;
        }
    }
    return true;
}
