#include "frontend/facts.h"
#include "frontend/writes.h"

static void span_add(struct arena *arena, struct map *spans, const struct ast *mention)
{
    struct ast_span *span = map_get_pointer(spans, mention->decl);
    if (!span) {
        span = ARENA_NEW(arena, struct ast_span);
        *span = (struct ast_span){mention->begin, mention->begin};
        map_put_pointer(spans, mention->decl, span);
    }
    if (mention->begin < span->first)
        span->first = mention->begin;
    if (mention->begin > span->last)
        span->last = mention->begin;
}

static void first_put(struct map *nodes, const struct ast *decl, const struct ast *node)
{
    if (decl && !map_get_pointer(nodes, decl))
        map_put_pointer(nodes, decl, (void *)node);
}

static void node_gather(struct arena *arena, struct ast_facts *facts, const struct ast *n)
{
    const struct ast *target = change_target(n);
    if (target && target->kind == AST_REF)
        first_put(facts->changed, target->decl, n);
    first_put(facts->addressed, ast_addressed(n), n);
    if (n->kind == AST_REF)
        span_add(arena, facts->spans, n);
    facts->n_gotos += n->kind == AST_GOTO;
    facts->has_indirect_goto |= n->kind == AST_INDIRECT_GOTO;
    facts->has_hidden_ways |= n->kind == AST_GOTO || n->kind == AST_LABEL ||
                              n->kind == AST_SWITCH || n->kind == AST_INDIRECT_GOTO ||
                              n->kind == AST_STATEMENT_EXPR;
}

const struct ast_facts *ast_facts(const struct ast_unit *unit, const struct ast *body)
{
    struct arena *arena = unit->ctx->arena;
    struct ast_facts *facts = map_get_pointer(unit->facts, body);
    struct ast_walk walk;
    if (facts)
        return facts;
    facts = ARENA_NEW(arena, struct ast_facts);
    facts->changed = map_new(arena);
    facts->addressed = map_new(arena);
    facts->spans = map_new(arena);
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        node_gather(arena, facts, n);
    map_put_pointer(unit->facts, body, facts);
    return facts;
}
