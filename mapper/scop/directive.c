/* OpenMP and OpenACC directives on loops: `#pragma omp parallel for`, `#pragma omp target teams
   distribute parallel for`, `#pragma acc parallel loop`.

   In: such a pragma. Out: which loop it marks, how many nested ones, and what becomes of its
   clauses (clause.def). It is the programmer's word that the loops are independent; the mapper
   looks for itself, and says where it finds otherwise: then the loops run as the source does
   without the directive. */
#include "frontend/scan.h"
#include "mapper/scop/block.h"
#include "mapper/scop/directive.h"
#include <stdlib.h>
#include <string.h>

enum clause { CLAUSE_NONE, CLAUSE_DEPTH, CLAUSE_IDLE, CLAUSE_SUM, CLAUSE_TASK };

static const struct {
    const char *name;
    enum clause clause;
} clauses[] = {
#define X(name, clause) {#name, CLAUSE_##clause},
#include "mapper/scop/clause.def"
#undef X
};

struct reading {
    struct ctx *ctx;
    const struct ast_unit *unit;
    const struct ast_pragma *pragma;
    struct directive *directive;
    struct map *said;
    struct scanner scanner;
    struct token token;
    bool more;                       /* there is a token */
    size_t idle_before;
};

static void token_take(struct reading *r)
{
    do
        r->more = scanner_next(&r->scanner, &r->token);
    while (r->more && (token_equal(&r->token, "\\") || token_equal(&r->token, ",")));
}

static struct loc token_loc(const struct reading *r, const struct token *token)
{
    const struct source *source = r->unit->source;
    size_t at = (size_t)(token->text - source->text), line = at;
    struct loc loc = r->pragma->loc;
    for (size_t i = r->pragma->begin; i < at; i++)
        loc.line += source->text[i] == '\n';
    while (line > 0 && source->text[line - 1] != '\n')
        line--;
    loc.column = (unsigned)(at - line) + 1;
    return loc;
}

/* Skips arguments in parentheses and gives the first token inside; false without parentheses or
   without arguments. */
static bool arguments_skip(struct reading *r, struct token *first)
{
    int depth = 0;
    if (!r->more || !token_equal(&r->token, "("))
        return false;
    token_take(r);
    *first = r->token;
    for (depth = 1; r->more && depth > 0; token_take(r)) {
        depth += token_equal(&r->token, "(");
        depth -= token_equal(&r->token, ")");
    }
    return true;
}

/* Reads `(+: s, t)` to its end; false if the operator is none of sums. */
static bool sums_read(struct reading *r)
{
    int depth = 1;
    if (!r->more || !token_equal(&r->token, "("))
        return false;
    token_take(r);
    bool is_minus = r->more && token_equal(&r->token, "-");
    enum reduce_op reduction =
        is_minus ? REDUCE_ADD : r->more ? reduction_find(r->token.text, r->token.length)
                                        : REDUCE_NONE;
    token_take(r);
    bool good = reduction && r->more && token_equal(&r->token, ":");
    for (; r->more && depth > 0; token_take(r)) {
        depth += token_equal(&r->token, "(") + token_equal(&r->token, "[");
        depth -= token_equal(&r->token, ")") + token_equal(&r->token, "]");
        if (good && depth == 1 && r->token.kind == TOKEN_WORD)
            vec_push(r->ctx->arena, &r->directive->sums,
                     ((struct directive_sum){reduction, r->token.text, r->token.length}));
    }
    return good;
}

/* Does a clause of the directive (NULL: there is none) name the variable with the operator? */
static bool directive_frees(const struct directive *directive, const struct ast *decl,
                     enum reduce_op reduction)
{
    size_t n = directive && decl->name ? directive->sums.count : 0;
    for (size_t i = 0; i < n; i++) {
        const struct directive_sum *sum = &directive->sums.at[i];
        if (sum->reduction == reduction && strlen(decl->name) == sum->length &&
            !strncmp(decl->name, sum->name, sum->length))
            return true;
    }
    return false;
}

/* The first clause that is an error is said, or else the first one that is a note. */
static void reject(struct reading *r, const struct token *clause, const char *why)
{
    struct directive *d = r->directive;
    if (d->refusal.text && !d->refusal.is_note)
        return;
    d->refusal.is_note = false;
    d->refusal.text = arena_printf(r->ctx->arena, "the clause `%.*s` %s", (int)clause->length,
                                   clause->text, why);
    d->refusal.loc = token_loc(r, clause);
}

/* Why a sum stays in the source's order, as a note. */
static struct scop_refusal sum_refusal(const struct reading *r, const struct token *clause)
{
    return (struct scop_refusal){
        .is_note = true,
        .text = arena_printf(r->ctx->arena,
                             "the clause `%.*s` is not used: the loop stays as it is, and its sum "
                             "in the source's order",
                             (int)clause->length, clause->text),
        .loc = token_loc(r, clause)};
}

static void clause_read(struct reading *r)
{
    struct token name = r->token, first = name;
    size_t i = 0, n = sizeof clauses / sizeof *clauses;
    while (i < n && !token_equal(&name, clauses[i].name))
        i++;
    token_take(r);
    if (i < n && clauses[i].clause == CLAUSE_SUM && sums_read(r)) {
        if (!r->directive->unused.text)
            r->directive->unused = sum_refusal(r, &name);
        return;
    }
    bool has_arguments = arguments_skip(r, &first);
    if (i == n) {
        reject(r, &name, "is not known; leave it out, or mark the loop by `#pragma target`");
    } else if (clauses[i].clause == CLAUSE_SUM || clauses[i].clause == CLAUSE_TASK) {
        if (!r->directive->refusal.text)
            r->directive->refusal = sum_refusal(r, &name);
    } else if (clauses[i].clause == CLAUSE_IDLE && !map_get(r->said, clauses[i].name)) {
        map_put(r->said, clauses[i].name, r);
        diag_warning(r->ctx, token_loc(r, &name),
                     "the clause `%s` is not used; each region chooses its place, blocks and order",
                     clauses[i].name);
    } else if (clauses[i].clause == CLAUSE_DEPTH) {
        r->directive->depth = has_arguments ? atoi(first.text) : 0;
        if (r->directive->depth < 1)
            reject(r, &name, "needs a number from 1 on");
    }
}

static bool is_part(const struct token *token)
{
    static const char *const parts[] = {"omp",      "acc", "target", "teams", "distribute",
                                        "parallel", "for", "simd",   "loop",  "kernels",
                                        "data"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (token_equal(token, parts[i]))
            return true;
    return false;
}

/* Reads the words of a pragma, and returns their end. The reader's token is then the first
   clause. */
static const char *words_read(struct reading *r, const struct ast_pragma *pragma)
{
    const char *text = r->unit->source->text + pragma->begin, *end = text;
    r->pragma = pragma;
    r->scanner = scanner_make(text + 1, pragma->end - pragma->begin - 1);
    token_take(r);
    for (token_take(r); r->more && is_part(&r->token); token_take(r))
        end = r->token.text + r->token.length;
    return end;
}

void directive_read(struct ctx *ctx, const struct ast_unit *unit, const struct ast_pragma *pragma,
                    struct map *said, struct directive *directive)
{
    struct reading r = {.ctx = ctx, .unit = unit, .said = said, .directive = directive};
    size_t top = directives_above(unit, pragma->begin);
    *directive = (struct directive){.pragma = pragma, .depth = 1};
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        bool is_above = unit->pragmas[i].begin >= top && unit->pragmas[i].begin <= pragma->begin;
        if (!is_above || unit->pragmas[i].kind == PRAGMA_ADVICE)
            continue;
        words_read(&r, &unit->pragmas[i]);
        while (r.more)
            clause_read(&r);
    }
}

bool directives_free(struct ctx *ctx, const struct ast_unit *unit, const struct fragment *fragment,
                     const struct ast *node, const struct ast *decl, enum reduce_op reduction)
{
    bool in_block;
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        struct directive directive = {.pragma = pragma};
        struct reading r = {.ctx = ctx, .unit = unit, .directive = &directive};
        bool is_inside = pragma->kind >= PRAGMA_LOOP && pragma->begin >= fragment->begin &&
                         pragma->begin < node->begin && node->end <= fragment->end;
        const struct ast *const *loop =
            is_inside ? statement_behind(ctx->arena, fragment->body, pragma->end, &in_block) : NULL;
        if (!loop || (*loop)->begin > node->begin || (*loop)->end < node->end)
            continue;
        words_read(&r, pragma);
        while (r.more) {
            bool is_sum = token_equal(&r.token, "reduction");
            token_take(&r);
            if (is_sum)
                sums_read(&r);
        }
        if (directive_frees(&directive, decl, reduction))
            return true;
    }
    return directive_frees(fragment->directive, decl, reduction);
}

/* --- directives above and around -------------------------------------------------------------- */

/* Do comments and directives alone stand between two bytes? */
static bool is_bare(const struct ast_unit *unit, size_t from, size_t to)
{
    struct scanner between = scanner_make(unit->source->text + from, to - from);
    struct token token;
    return !scanner_next(&between, &token);
}

size_t directives_above(const struct ast_unit *unit, size_t offset)
{
    size_t top = offset;
    for (size_t i = unit->n_pragmas; i-- > 0;) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        if (pragma->begin >= top)
            continue;
        bool tells = pragma->kind >= PRAGMA_LOOP && pragma->kind != PRAGMA_HINT;
        if (!tells || !is_bare(unit, pragma->end, top))
            break;
        top = pragma->begin;
    }
    return top;
}

bool directive_is_above(const struct ast_unit *unit, const struct ast_pragma *pragma,
                        size_t offset)
{
    bool is_alone = pragma->kind == PRAGMA_LOOP || pragma->kind == PRAGMA_SIMD ||
                    pragma->kind == PRAGMA_ADVICE;
    size_t top = directives_above(unit, offset);
    return is_alone && pragma->begin < top && is_bare(unit, pragma->end, top);
}

bool directive_begins_around(struct arena *arena, const struct ast_unit *unit,
                             const struct ast_pragma *pragma, const struct ast *body,
                             size_t offset)
{
    bool in_block, begins = pragma->kind == PRAGMA_LOOP || pragma->kind == PRAGMA_REGION;
    if (!begins || pragma->begin < body->begin || pragma->begin >= directives_above(unit, offset))
        return false;
    const struct ast *const *found = statement_behind(arena, body, pragma->end, &in_block);
    return found && (*found)->begin <= offset && (*found)->end > offset;
}

/* Does a pragma that is not `chosen`'s own have several threads run the fragment? */
static bool shares_out(struct arena *arena, const struct ast_unit *unit,
                       const struct ast_pragma *pragma, const struct fragment *fragment,
                       const struct fragment *chosen)
{
    size_t top = chosen->directive ? directives_above(unit, chosen->begin) : chosen->begin;
    bool is_own = chosen->directive && pragma->begin >= top && pragma->begin <= chosen->begin;
    is_own |= directive_is_above(unit, pragma, chosen->begin);
    bool is_block = chosen->directive && pragma->kind == PRAGMA_REGION;
    return !is_own && !is_block && pragma->begin < directives_above(unit, fragment->begin) &&
           directive_begins_around(arena, unit, pragma, fragment->body,
                                   fragment->statements[0]->begin);
}

bool directive_has_team(struct arena *arena, const struct ast_unit *unit,
                        const struct ast_pragma *pragma, const struct ast *body)
{
    for (size_t i = 0; i < ast_n_pragmas(unit); i++)
        if (directive_begins_around(arena, unit, ast_pragma_at(unit, i), body, pragma->begin))
            return true;
    return false;
}

/* The first directive of the function that shares a loop out to threads which another function
   begins; NULL: there is none. */
static const struct ast_pragma *orphan_of(struct arena *arena, const struct ast_unit *unit,
                                          const struct ast *body)
{
    for (size_t i = 0; i < ast_n_pragmas(unit); i++) {
        const struct ast_pragma *pragma = ast_pragma_at(unit, i);
        if (pragma->kind == PRAGMA_SHARE && pragma->begin >= body->begin &&
            pragma->begin < body->end && !directive_has_team(arena, unit, pragma, body))
            return pragma;
    }
    return NULL;
}

/* The whole function may run in each thread of a team then. */
static struct scop_refusal orphan_refusal(struct ctx *ctx, const struct ast_unit *unit,
                                          const struct fragment *fragment)
{
    const struct ast_pragma *orphan = orphan_of(ctx->arena, unit, fragment->body);
    if (!orphan)
        return (struct scop_refusal){0};
    struct reading r = {.ctx = ctx, .unit = unit};
    const char *end = words_read(&r, orphan), *words = unit->source->text + orphan->begin;
    return (struct scop_refusal){
        .text = arena_printf(ctx->arena,
                             "a loop of a function that threads of another one run cannot be "
                             "mapped, as each would start it as a whole: `%.*s` of line %u shares "
                             "a loop out to them; write `#pragma omp parallel for` on the loop",
                             (int)(end - words), words, orphan->loc.line),
        .loc = fragment->statements[0]->loc,
    };
}

struct scop_refusal directive_around(struct ctx *ctx, const struct ast_unit *unit,
                                     const struct fragment *fragment,
                                     const struct fragment *chosen)
{
    for (size_t i = 0; i < ast_n_pragmas(unit); i++) {
        const struct ast_pragma *pragma = ast_pragma_at(unit, i);
        if (!shares_out(ctx->arena, unit, pragma, fragment, chosen))
            continue;
        struct reading r = {.ctx = ctx, .unit = unit};
        const char *end = words_read(&r, pragma), *words = unit->source->text + pragma->begin;
        return (struct scop_refusal){
            .text = arena_printf(
                ctx->arena,
                "a loop in what threads of `%.*s` of line %u run cannot be mapped, as each would "
                "start it as a whole; %sleave that directive out and write one on the loop, as "
                "`#pragma omp parallel for`",
                (int)(end - words), words, pragma->loc.line,
                ast_is_skipped(unit, pragma->begin) ? "give -fopenmp, so that it is read, or "
                                                    : ""),
            .loc = fragment->statements[0]->loc,
        };
    }
    return chosen->directive ? (struct scop_refusal){0} : orphan_refusal(ctx, unit, fragment);
}

/* --- the programmer's word -------------------------------------------------------------------- */

/* The only loop inside `outer`; the outermost loop if `outer` is NULL. */
static const struct scop_loop *loop_in(const struct scop *scop, const struct scop_loop *outer)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i]->outer == outer)
            return scop->loops.at[i];
    return NULL;
}

void directive_check(struct ctx *ctx, const struct directive *directive, struct scop *scop)
{
    const struct scop_loop *loop = NULL;
    for (int i = 0; i < directive->depth; i++) {
        block_list blocks = {0};
        loop = loop_in(scop, loop);
        if (!loop)
            return;
        loop_blocks(scop, loop, &blocks);
        if (!blocks.count)
            continue;
        struct str out = str_new(ctx->arena);
        block_print(&out, scop, &blocks.at[0]);
        out.text[strlen(out.text) - 1] = 0;
        diag_warning(ctx, directive->pragma->loc,
                     "the directive says that the iterations of `%s` are independent, but they are "
                     "not; they keep the source's order\n%s",
                     loop->name, out.text);
        return;
    }
}
