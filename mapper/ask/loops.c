/* The loop that a question names: by its line, its iterator, or both ("12", "i", "12:i").

   In: the words, and the nests of the file. Out: the loop of a nest; else a diagnostic that says
   which part of the words fits no loop, and which loops there are. A loop is looked for among those
   that are marked or chosen first, then in the whole file. Loops of refused nests are known by
   their text; asked about, they answer with the refusal. */
#include "frontend/header.h"
#include "mapper/ask/report.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS_SHOWN = 30 };

typedef VEC(struct found_loop) found_list;

struct words {
    const char *text;
    unsigned line;                   /* 0: any */
    const char *name;                /* NULL: any */
};

static struct words words_read(const char *text)
{
    char *end = NULL;
    unsigned long number = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    struct words words = {text, 0, text};
    if (!end || (*end && *end != ':'))
        return words;
    words.line = number < UINT32_MAX ? (unsigned)number : UINT32_MAX;
    words.name = *end ? end + 1 : NULL;
    return words;
}

/* --- all loops of nests ----------------------------------------------------------------------- */

static bool is_loop(const struct ast *node)
{
    return node->kind == AST_FOR || node->kind == AST_WHILE || node->kind == AST_DO;
}

static bool is_found(const found_list *list, const struct ast *loop)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].ast == loop)
            return true;
    return false;
}

static const char *iterator_name(const struct ast *loop)
{
    const struct ast *value;
    const struct ast *own = loop->kind == AST_FOR ? header_own(loop, 0) : NULL;
    const struct ast *iterator = own ? header_iterator(own, &value) : NULL;
    return iterator ? iterator->name : NULL;
}

static void add_refused(struct arena *arena, const struct nest *nest, found_list *list)
{
    for (size_t i = 0; i < nest->fragment.n_statements; i++) {
        struct ast_walk walk;
        const struct ast *n = ast_first(&walk, arena, nest->fragment.statements[i]);
        for (; n; n = ast_next(&walk)) {
            struct found_loop one = {nest, NULL, n, is_loop(n) ? iterator_name(n) : NULL};
            if (is_loop(n) && !is_found(list, n))
                vec_push(arena, list, one);
        }
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct found_loop *a = left, *b = right;
    return (a->ast->begin > b->ast->begin) - (a->ast->begin < b->ast->begin);
}

/* Every loop of the nests, by place. A refused nest comes before the nests inside it: what these
   have is theirs, so that the list of nests is gone through from its end. */
static found_list loops_all(struct arena *arena, const nest_list *nests)
{
    found_list all = {0};
    for (size_t i = 0; i < nests->count; i++) {
        const struct scop *scop = nests->at[i]->scop;
        size_t n = scop ? scop->loops.count : 0;
        for (size_t k = 0; k < n; k++) {
            const struct scop_loop *loop = scop->loops.at[k];
            struct found_loop one = {nests->at[i], loop, loop->ast, loop->name};
            vec_push(arena, &all, one);
        }
    }
    for (size_t i = nests->count; i-- > 0;)
        if (!nests->at[i]->scop)
            add_refused(arena, nests->at[i], &all);
    if (all.count)
        qsort(all.at, all.count, sizeof all.at[0], compare_places);
    return all;
}

static found_list loops_of(struct arena *arena, const found_list *all, unsigned line,
                           const char *name)
{
    found_list found = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct found_loop *one = &all->at[i];
        bool match = (!line || loc_line(one->ast->loc) == line) &&
                     (!name || (one->name && strcmp(one->name, name) == 0));
        if (match)
            vec_push(arena, &found, *one);
    }
    return found;
}

/* --- what is named wrongly -------------------------------------------------------------------- */

static void loop_print(struct str *out, const struct found_loop *loop)
{
    str_addf(out, loop->name ? "%u:%s" : "%u", loc_line(loop->ast->loc), loop->name);
}

/* "14:i, 16:j" */
static const char *loops_text(struct arena *arena, const found_list *list)
{
    struct str out = str_new(arena);
    for (size_t i = 0; i < list->count && i < LOOPS_SHOWN; i++) {
        str_add(&out, i ? ", " : "");
        loop_print(&out, &list->at[i]);
    }
    if (list->count > LOOPS_SHOWN)
        str_addf(&out, " and %zu more", list->count - LOOPS_SHOWN);
    return out.text;
}

/* The innermost loop in whose text a line stands; NULL if there is none. */
static const struct found_loop *loop_around(const struct ast_unit *unit, const found_list *all,
                                            unsigned line)
{
    const struct found_loop *found = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct ast *loop = all->at[i].ast;
        unsigned last = loc_line(loop->loc);
        for (size_t k = loop->begin; k < loop->end; k++)
            last += unit->source->text[k] == '\n';
        if (loc_line(loop->loc) <= line && line <= last)
            found = &all->at[i];
    }
    return found;
}

static bool is_function(const struct ast_unit *unit, const char *name)
{
    for (size_t i = 0; i < unit->n_declarations; i++)
        if (unit->declarations[i]->kind == AST_FUNCTION &&
            strcmp(unit->declarations[i]->name, name) == 0)
            return true;
    return false;
}

/* Says which of the words fits no loop. */
static void refuse_words(struct ctx *ctx, const struct ast_unit *unit, const found_list *all,
                         const struct words *words, const struct found_loop *around)
{
    found_list of_line = loops_of(ctx->arena, all, words->line, NULL);
    bool is_of_line = words->line && words->name && of_line.count;
    struct str out = str_new(ctx->arena);
    if (is_of_line)
        str_addf(&out, "no loop of line %u counts with `%s`", words->line, words->name);
    else if (words->line)
        str_addf(&out, "no loop begins in line %u", words->line);
    else if (is_function(unit, words->name))
        str_addf(&out, "`%s` is a function, and no loop's iterator", words->name);
    else
        str_addf(&out, "no loop counts with `%s`", words->name);
    if (around && !is_of_line) {
        str_add(&out, ", which stands in the loop ");
        loop_print(&out, around);
    }
    diag_error(ctx, loc_none(), "%s; loops are %s", out.text,
               loops_text(ctx->arena, is_of_line ? &of_line : all));
}

/* --- the loop --------------------------------------------------------------------------------- */

/* The loops that the words may mean, of those that are chosen, else of the file; `all` becomes the
   loops among which they were looked for. */
static found_list loops_meant(struct ctx *ctx, struct ast_unit *unit, const nest_list *chosen,
                              const struct words *words, found_list *all)
{
    fragment_list none = {0};
    nest_list every = {0};
    *all = loops_all(ctx->arena, chosen);
    found_list found = loops_of(ctx->arena, all, words->line, words->name);
    if (found.count)
        return found;
    nests_find(ctx, unit, &none, false, &every);
    *all = loops_all(ctx->arena, &every);
    return loops_of(ctx->arena, all, words->line, words->name);
}

static void refuse_several(struct ctx *ctx, const found_list *found, const struct words *words)
{
    diag_error(ctx, loc_none(), "%zu loops are `%s`; name one of %s", found->count, words->text,
               loops_text(ctx->arena, found));
}

bool loop_named(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                struct found_loop *loop)
{
    nest_list nests = {0};
    found_list all;
    if (!nests_ask(ctx, unit, choice, &nests))
        return false;
    struct words words = words_read(choice->loop);
    found_list found = loops_meant(ctx, unit, &nests, &words, &all);
    const struct found_loop *around = loop_around(unit, &all, words.line);
    bool is_inside = !found.count && around && !around->loop && !words.name;
    if (is_inside)
        vec_push(ctx->arena, &found, *around);
    choice->is_unknown = found.count != 1;
    if (!found.count)
        refuse_words(ctx, unit, &all, &words, around);
    else if (found.count > 1)
        refuse_several(ctx, &found, &words);
    if (found.count != 1)
        return false;
    *loop = found.at[0];
    if (!loop->loop)
        diag_error(ctx, loop->nest->refusal.loc, "%s", loop->nest->refusal.text);
    return loop->loop != NULL;
}
