/* Instructions under a guard in the place of branches around them.

   In: the lines of a module. Out: the same program with fewer branches. LLVM's back end for PTX
   knows no guards but those of branches, so that each element of a copy that has an end is two
   branches, one around its load and one around its store. Of

       @!%p1 bra L;  shl %r3, %r2, 3;  add %r4, %r3, %r1;  ld %f5, [%r4];  L:

   what touches memory and what defines a register that is defined elsewhere, too, gets the guard
   @%p1. A register with one definition is read only where that has been run, so that arithmetic
   that makes one is run by all threads: under a guard, whoever reckons with lives of registers
   would have to take its old value for needed. A load into such a register therefore stays behind
   its branch. Only short runs of cheap instructions that cannot fail are taken: a warp whose
   threads all skip them goes through them.

   Then a piece of the text to which there is one jump, and into which nothing falls, stands where
   the jump stood; jumps to the next line and labels that nobody names are dropped. */
#include "ir/llvm/text.h"
#include "base/str.h"
#include <string.h>

enum { GUARDED_MOST = 6 };                /* lines between a branch and its label */

struct guarding {
    struct arena *arena;
    struct line_list *lines;
    size_t begin, end;                    /* the function at hand: its braces */
    struct map *definitions, *references; /* by name of register, of label: int */
    struct line_list out;
};

/* --- what stands in a line -------------------------------------------------------------------- */

static bool is_label(const struct line *line)
{
    return line->length > 1 && line->at[0] == '$' && line->at[line->length - 1] == ':';
}

/* The name of a label, from a line that is one or from what follows a branch's operation. */
static const char *name_at(struct guarding *g, const char *at)
{
    return arena_strndup(g->arena, at, name_length(at));
}

/* Where a branch that is always taken goes; NULL if the line is none. */
static const char *jump_of(struct guarding *g, const struct line *line)
{
    const char *target = line_behind(line, "\tbra.uni \t");
    return target ? name_at(g, target) : NULL;
}

static bool is_end(const struct line *line)
{
    return line_behind(line, "\tbra.uni \t") || line_is(line, "\tret;");
}

static int *number_of(struct guarding *g, struct map *map, const char *name)
{
    return count_of(g->arena, map, name);
}

static void references_note(struct guarding *g)
{
    g->references = map_new(g->arena);
    for (size_t i = g->begin; i < g->end; i++) {
        const struct line *line = &g->lines->at[i];
        if (is_label(line))
            continue;
        const char *end = line->at + line->length, *at = memchr(line->at, '$', line->length);
        for (; at; at = memchr(at + 1, '$', (size_t)(end - at - 1)))
            ++*number_of(g, g->references, name_at(g, at));
    }
}

/* --- guards ----------------------------------------------------------------------------------- */

/* Is each register that the instruction makes made elsewhere, too? */
static bool is_made_elsewhere(struct guarding *g, const struct line *line)
{
    const char *results[RESULTS_MOST];
    int count = line_results(g->arena, line, results);
    bool is = count > 0;
    for (int i = 0; i < count; i++)
        is &= *number_of(g, g->definitions, results[i]) > 1;
    return is;
}

static bool is_cheap(const char *op)
{
    static const char *const cheap[] = {"add.", "sub.", "mul.", "mad.", "fma.", "shl.", "shr.",
                                        "and.b", "or.b", "xor.b", "neg.", "min.", "max.", "cvt.",
                                        "cvta.", "selp.", "mov.b", "mov.u", "mov.s", "mov.f"};
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        if (op_begins(op, cheap[i]))
            return true;
    return false;
}

static bool is_access(const char *op, const char *kind)
{
    static const char *const spaces[] = {"global", "shared", "local"};
    size_t length = strlen(kind);
    if (!op_begins(op, kind))
        return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (op_begins(op + length, spaces[i]))
            return true;
    return false;
}

enum guard { GUARD_NEVER, GUARD_NEEDLESS, GUARD_NEEDED };

static enum guard guard_of(struct guarding *g, const struct line *line)
{
    const char *op = line_operation(line);
    if (!op)
        return GUARD_NEVER;
    if (is_access(op, "st.") || op_begins(op, "cp.async.ca") ||
        op_begins(op, "cp.async.cg"))
        return GUARD_NEEDED;
    bool elsewhere = is_made_elsewhere(g, line);
    if (is_access(op, "ld."))
        return elsewhere ? GUARD_NEEDED : GUARD_NEVER;
    if (!is_cheap(op))
        return GUARD_NEVER;
    return elsewhere ? GUARD_NEEDED : GUARD_NEEDLESS;
}

/* The line under the guard that a branch around it has turned round. */
static struct line line_guarded(struct guarding *g, const struct line *line, const char *guard)
{
    return line_made(g->arena,
                     arena_printf(g->arena, "\t@%s %.*s", guard, (int)line->length - 1,
                                  line->at + 1),
                     line->source);
}

/* The lines at i are a branch, what it leaves out and its end: the number of these lines, the label
   or jump at the end not counted, with the lines under guards in g->out; 0 if they are not. */
static size_t run_guard(struct guarding *g, size_t i)
{
    const struct line *lines = g->lines->at, *line = &lines[i];
    const char *behind = line_behind(line, "\t@"), *bra = behind ? strstr(behind, " bra \t") : NULL;
    if (!bra || bra >= line->at + line->length)
        return 0;
    const char *condition = arena_strndup(g->arena, behind, (size_t)(bra - behind)),
               *guard = *condition == '!' ? condition + 1
                                          : arena_printf(g->arena, "!%s", condition),
               *target = name_at(g, bra + strlen(" bra \t"));
    struct line_list made = {0};
    size_t at = i + 1;
    if (is_label(&lines[at]) && !*number_of(g, g->references, name_at(g, lines[at].at)))
        at++;
    for (; at < g->end && made.count <= GUARDED_MOST; at++) {
        enum guard kind = guard_of(g, &lines[at]);
        if (kind == GUARD_NEVER)
            break;
        vec_push(g->arena, &made,
                 kind == GUARD_NEEDED ? line_guarded(g, &lines[at], guard) : lines[at]);
    }
    if (at >= g->end)
        return 0;
    const char *end = is_label(&lines[at]) ? name_at(g, lines[at].at) : jump_of(g, &lines[at]);
    if (!made.count || made.count > GUARDED_MOST || !end || strcmp(end, target) != 0)
        return 0;
    --*number_of(g, g->references, target);
    for (size_t k = 0; k < made.count; k++)
        vec_push(g->arena, &g->out, made.at[k]);
    return at - i;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* The lines of the piece that begins with the label, up to a jump or the end of the function; 0 if
   something falls into it or it does not end so. */
static size_t piece_length(struct guarding *g, size_t label)
{
    struct line *lines = g->out.at;
    if (!label || !is_end(&lines[label - 1]))
        return 0;
    for (size_t i = label; i < g->out.count; i++)
        if (is_end(&lines[i]))
            return i + 1 - label;
    return 0;
}

static size_t label_find(struct guarding *g, const char *name)
{
    size_t i = 0;
    while (i < g->out.count && !(is_label(&g->out.at[i]) &&
                                 strcmp(name_at(g, g->out.at[i].at), name) == 0))
        i++;
    return i;
}

static void lines_add(struct guarding *g, struct line_list *list, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        vec_push(g->arena, list, g->out.at[i]);
}

/* Puts the piece that the jump at *at goes to, if it is the only one, in its place. */
static bool piece_move(struct guarding *g, size_t at)
{
    struct line_list moved = {0};
    const char *target = jump_of(g, &g->out.at[at]);
    if (!target || *number_of(g, g->references, target) != 1)
        return false;
    size_t label = label_find(g, target), length = label < g->out.count ? piece_length(g, label)
                                                                       : 0;
    if (!length || (at >= label && at < label + length))
        return false;
    *number_of(g, g->references, target) = 0;
    for (size_t i = 0; i < g->out.count; i++) {
        if (i == at)
            lines_add(g, &moved, label + 1, label + length);
        else if (i < label || i >= label + length)
            lines_add(g, &moved, i, i + 1);
    }
    g->out = moved;
    return true;
}

/* Is the jump one to the label behind it? */
static bool is_idle(struct guarding *g, size_t i)
{
    const char *target = jump_of(g, &g->out.at[i]);
    size_t behind = i + 1;
    while (target && behind < g->out.count && is_label(&g->out.at[behind])) {
        if (strcmp(name_at(g, g->out.at[behind].at), target) == 0)
            return true;
        behind++;
    }
    return false;
}

static void idle_drop(struct guarding *g)
{
    struct line_list kept = {0};
    for (size_t i = 0; i < g->out.count; i++) {
        const char *target = jump_of(g, &g->out.at[i]);
        if (target && is_idle(g, i))
            --*number_of(g, g->references, target);
        else
            vec_push(g->arena, &kept, g->out.at[i]);
    }
    g->out.count = 0;
    for (size_t i = 0; i < kept.count; i++)
        if (!is_label(&kept.at[i]) || *number_of(g, g->references, name_at(g, kept.at[i].at)))
            vec_push(g->arena, &g->out, kept.at[i]);
}

/* --- functions -------------------------------------------------------------------------------- */

static void function_guard(struct guarding *g)
{
    g->definitions = definitions_count(g->arena, g->lines, g->begin, g->end);
    copies_drop(g->arena, g->lines, g->begin, &g->end, g->definitions);
    references_note(g);
    for (size_t i = g->begin; i < g->end;) {
        size_t done = run_guard(g, i);
        if (!done)
            vec_push(g->arena, &g->out, g->lines->at[i]);
        i += done ? done : 1;
    }
    for (size_t i = 0; i < g->out.count; i++)
        if (piece_move(g, i))
            i = 0;
    idle_drop(g);
}

/* Where the function ends that begins at line i, with the brace that closes it; i if none does. */
static size_t function_end(const struct line_list *lines, size_t i)
{
    if (!line_is(&lines->at[i], "{"))
        return i;
    for (size_t end = i; end < lines->count; end++)
        if (line_is(&lines->at[end], "}"))
            return end;
    return i;
}

void lines_guard(struct arena *arena, struct line_list *lines)
{
    struct guarding g = {.arena = arena, .lines = lines};
    struct line_list all = {0};
    for (size_t i = 0; i < lines->count; i++) {
        size_t end = function_end(lines, i);
        g.begin = i;
        g.end = end;
        g.out = (struct line_list){0};
        if (end > i)
            function_guard(&g);
        for (size_t k = 0; k < g.out.count; k++)
            vec_push(arena, &all, g.out.at[k]);
        vec_push(arena, &all, lines->at[end]);
        i = end;
    }
    *lines = all;
}
