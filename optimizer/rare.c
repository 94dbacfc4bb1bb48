/* Branches that are seldom taken, and those of them that are not.

   In: any kernel. Out: the kernel with one branch of every `if (...) ... else rare`, as a rule the
   usual one. A condition on the parameters alone goes, too: where it does not hold, the other
   branch does the same, and its accesses must not be lost. Where the points of a thread lie apart
   (coarsen.c) and what they ask compares two axes, a share of the threads takes the rare branch:
   the distance of the points over the extent of the longer axis.
   Source: docs/counters.md. */
#include "optimizer/rare.h"

static bool has_rare(const struct stmt *s)
{
    return s->kind == STMT_IF && s->rare;
}

static const struct stmt *usual_stmt(struct arena *arena, const struct stmt *s,
                                     const struct stmt *slow)
{
    if (s == slow)
        return usual_stmt(arena, s->children[1], NULL);
    int n = has_rare(s) ? 1 : s->n_children;
    const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, n + 1);
    bool same = true;
    for (int i = 0; i < n; i++) {
        children[i] = s->children[i] ? usual_stmt(arena, s->children[i], slow) : NULL;
        same &= children[i] == s->children[i];
    }
    if (has_rare(s))
        return expr_reads_only_params(s->value) ? children[0]
                                                : stmt_if(arena, s->value, children[0], NULL);
    return same ? s : stmt_rebuild(arena, s, children);
}

const struct kernel *kernel_usual(struct arena *arena, const struct kernel *kernel,
                                  const struct stmt *slow)
{
    const struct stmt *body = usual_stmt(arena, kernel->body, slow);
    if (body == kernel->body)
        return kernel;
    struct kernel *usual = kernel_copy(arena, kernel);
    usual->body = body;
    return usual;
}

/* Do threads whose points differ take the rare branch of s? */
static bool straddles(struct scope *scope, const struct stmt *s, struct list_straddle *straddle)
{
    const struct kernel *whole = scope->kernel;
    if (!has_rare(s) || expr_reads_only_params(s->value))
        return false;
    scope->kernel = kernel_usual(scope->store->ctx->arena, whole, s);
    bool found = scope_straddle(scope, straddle);
    scope->kernel = whole;
    return found;
}

static const struct stmt *straddling_in(struct scope *scope, const struct stmt *s,
                                        struct list_straddle *straddle)
{
    int n = has_rare(s) ? 1 : s->n_children;
    for (int i = 0; i < n; i++) {
        const struct stmt *found = s->children[i] ? straddling_in(scope, s->children[i], straddle)
                                                  : NULL;
        if (found)
            return found;
    }
    return straddles(scope, s, straddle) ? s : NULL;
}

const struct stmt *rare_straddling(struct scope *scope, struct list_straddle *straddle)
{
    return straddling_in(scope, scope->kernel->body, straddle);
}
