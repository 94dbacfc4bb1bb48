/* The programmer's word on sums in the body of a called function: the clause `reduction`.

   In: a loop of the function, perhaps under directives of OpenMP and OpenACC. Out: the directive
   `omp simd reduction(+ : s)` for the same loop in the caller. All else that the directives say is
   found out anew by the mapper. */
#include "frontend/scan.h"
#include "mapper/forms/inlining.h"
#include <string.h>

/* The first directive behind which, but for other directives, the loop stands. */
static size_t first_above(const struct ast_unit *unit, const struct ast *loop)
{
    size_t i = unit->n_pragmas, begin = loop->begin;
    while (i > 0 && unit->pragmas[i - 1].begin >= loop->begin)
        i--;
    for (; i > 0; i--) {
        const struct ast_pragma *pragma = &unit->pragmas[i - 1];
        struct scanner between = scanner_make(unit->source->text + pragma->end,
                                              begin - pragma->end);
        struct token token;
        if (pragma->kind < PRAGMA_LOOP || scanner_next(&between, &token))
            break;
        begin = pragma->begin;
    }
    return i;
}

static bool is_named(const struct token *token, const struct ast *decl)
{
    return decl && decl->name && strlen(decl->name) == token->length &&
           !strncmp(decl->name, token->text, token->length);
}

/* The variable that the loop names so; NULL if there is none. */
static const struct ast *variable_named(struct inlining *in, const struct ast *loop,
                                        const struct token *token)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, loop); n; n = ast_next(&walk))
        if (n->kind == AST_REF && is_named(token, n->decl))
            return n->decl;
    return NULL;
}

/* The name that the variable has in the caller; NULL if an expression stands for it. */
static const char *name_in_caller(struct inlining *in, const struct ast *decl)
{
    const struct ast *value = map_get_pointer(in->values, decl);
    return !value ? decl->name : value->kind == AST_REF ? value->decl->name : NULL;
}

/* `(+ : s, t)`: a clause for each variable. */
static void clause_keep(struct inlining *in, struct str *out, const struct ast *loop,
                        struct scanner *scanner)
{
    struct token operator, token;
    bool good = scanner_next(scanner, &token) && token_equal(&token, "(") &&
                scanner_next(scanner, &operator) && scanner_next(scanner, &token) &&
                token_equal(&token, ":");
    while (good && scanner_next(scanner, &token) && !token_equal(&token, ")")) {
        const struct ast *decl = token.kind == TOKEN_WORD ? variable_named(in, loop, &token) : NULL;
        const char *name = decl ? name_in_caller(in, decl) : NULL;
        if (name)
            str_addf(out, " reduction(%.*s : %s)", (int)operator.length, operator.text, name);
    }
}

const char *inlining_words(struct inlining *in, const struct ast *loop)
{
    const struct ast_unit *unit = in->unit;
    struct str out = str_new(in->arena);
    size_t first = loop->end ? first_above(unit, loop) : unit->n_pragmas;
    for (size_t i = first; i < unit->n_pragmas && unit->pragmas[i].begin < loop->begin; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        struct scanner scanner = scanner_make(unit->source->text + pragma->begin + 1,
                                              pragma->end - pragma->begin - 1);
        struct token token;
        while (scanner_next(&scanner, &token))
            if (token_equal(&token, "reduction"))
                clause_keep(in, &out, loop, &scanner);
    }
    return out.length ? arena_printf(in->arena, "omp simd%s", out.text) : NULL;
}
