/* The registers of a function's lines: where they are made, and copies of them.

   In: the lines of a function as LLVM prints them. Out: how often each register is made; and the
   same function without copies: of a move between two registers that are made once each, the
   readers of the copy read the original. LLVM prints no such moves but those that hide numbers from
   its passes (lower_hidden). Right, since what is made once is made before it is read: LLVM's
   values dominate their uses. */
#include "base/str.h"
#include "ir/llvm/text.h"
#include <ctype.h>
#include <string.h>

bool op_begins(const char *text, const char *with)
{
    return str_begins(text, with);
}

const char *line_operation(const struct line *line)
{
    bool is = line->length > 2 && line->at[0] == '\t' && islower((unsigned char)line->at[1]);
    return is ? line->at + 1 : NULL;
}

int *count_of(struct arena *arena, struct map *counts, const char *name)
{
    int *count = map_get(counts, name);
    if (!count) {
        count = ARENA_NEW(arena, int);
        *count = 0;
        map_put(counts, name, count);
    }
    return count;
}

static bool has_result(const char *op)
{
    static const char *const without[] = {"st.", "red.", "bra", "bar", "call", "ret", "prefetch",
                                          "cp.async"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (op_begins(op, without[i]))
            return false;
    return true;
}

/* The operands of the line's instruction, behind its guard and operation; NULL if it is none. */
static const char *operands_of(const struct line *line)
{
    const char *op = line_operation(line), *guard = line_behind(line, "\t@"),
               *end = line->at + line->length;
    if (guard) {
        const char *space = memchr(guard, ' ', (size_t)(end - guard));
        op = space ? space + 1 : NULL;
    }
    if (!op || !has_result(op))
        return NULL;
    while (op < end && *op != ' ' && *op != '\t' && *op != ';')
        op++;
    while (op < end && (*op == ' ' || *op == '\t'))
        op++;
    return op;
}

int line_results(struct arena *arena, const struct line *line, const char *names[RESULTS_MOST])
{
    const char *at = operands_of(line), *end = line->at + line->length;
    bool is_list = at && at < end && *at == '{';
    int count = 0;
    if (is_list)
        at++;
    while (at && at < end && *at == '%' && count < RESULTS_MOST) {
        size_t length = name_length(at);
        names[count++] = arena_strndup(arena, at, length);
        at += length;
        if (*at != '|' && !(is_list && *at == ','))
            return count;
        at++;
        while (at < end && *at == ' ')
            at++;
    }
    return count;
}

struct map *definitions_count(struct arena *arena, const struct line_list *lines, size_t begin,
                              size_t end)
{
    struct map *counts = map_new(arena);
    const char *names[RESULTS_MOST];
    for (size_t i = begin; i < end; i++)
        for (int k = line_results(arena, &lines->at[i], names); k-- > 0;)
            ++*count_of(arena, counts, names[k]);
    return counts;
}

/* --- copies ----------------------------------------------------------------------------------- */

struct copy_search {
    struct arena *arena;
    struct line_list *lines;
    struct map *definitions, *originals;  /* by name of register: int, a name */
};

static bool is_made_once(struct copy_search *c, const struct line *name, const char **found)
{
    *found = arena_strndup(c->arena, name->at, name->length);
    return *count_of(c->arena, c->definitions, *found) == 1;
}

/* Notes what the line copies, if it is all that it does. */
static bool copy_note(struct copy_search *c, const struct line *line)
{
    struct move move;
    const char *to, *from, *original;
    if (!move_read(line, &move) || !is_made_once(c, &move.to, &to) ||
        !is_made_once(c, &move.from, &from))
        return false;
    original = map_get(c->originals, from);
    map_put(c->originals, to, (void *)(original ? original : from));
    return true;
}

/* The line with originals in the place of copies. */
static struct line line_renamed(struct copy_search *c, struct line line)
{
    struct str out = {0};
    const char *end = line.at + line.length, *rest = line.at;
    const char *name = memchr(rest, '%', line.length);
    while (name) {
        size_t length = name_length(name);
        const char *original = map_get(c->originals, arena_strndup(c->arena, name, length));
        if (original) {
            if (!out.text)
                out = str_new(c->arena);
            str_add_n(&out, rest, (size_t)(name - rest));
            str_add(&out, original);
            rest = name + length;
        }
        name += length;
        name = memchr(name, '%', (size_t)(end - name));
    }
    if (!out.text)
        return line;
    str_add_n(&out, rest, (size_t)(end - rest));
    return (struct line){out.text, out.length, line.source};
}

void copies_drop(struct arena *arena, struct line_list *lines, size_t begin, size_t *end,
                 struct map *definitions)
{
    struct copy_search c = {.arena = arena,
                            .lines = lines,
                            .definitions = definitions,
                            .originals = map_new(arena)};
    size_t kept = begin;
    for (size_t i = begin; i < *end; i++)
        if (!copy_note(&c, &lines->at[i]))
            lines->at[kept++] = lines->at[i];
    *end = kept;
    for (size_t i = begin; i < kept && map_count(c.originals); i++)
        lines->at[i] = line_renamed(&c, lines->at[i]);
}
