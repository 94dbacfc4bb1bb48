/* How much isl may do, in operations: the same text everywhere, whatever the machine does besides.

   In: a scop whose isl context has just been made, and what other fragments left of the file's
   operations. Out: a refusal if isl took more. A fragment may take a quarter of what the file has
   left, and what it took counts where it was stopped: a fragment that is cut in parts is read
   several times, and no number of parts takes longer than four fragments may.

   FRAGMENT_MAX: of 232 programs none takes 300,000 operations. An operation is a few microseconds,
   with numbers of many digits some ten. */
#include "mapper/scop/limit.h"
#include "polyhedra/context.h"

enum { SHARE = 4, FRAGMENT_MAX = 400000, FILE_MAX = SHARE * FRAGMENT_MAX };
/* Operations for questions about a scop after reading: examples, words, conditions of the printed
   text. */
enum { QUESTIONS_MAX = 2000000 };
/* The first search takes half of what its fragment may at most, each further one a quarter less;
   what is left for the fragment begins anew behind each, so there is a least search. */
enum { SEARCH_LEAST = 1000 };

/* The operations that the file has left. */
static long *operations_left(struct ctx *ctx)
{
    static const char key[] = "mapper operations";
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    long *left = map_get(ctx->caches, key);
    if (left)
        return left;
    left = ARENA_NEW(ctx->arena, long);
    *left = FILE_MAX;
    map_put(ctx->caches, key, left);
    return left;
}

void scop_limit_begin(struct scop *scop)
{
    scop->operations = *operations_left(scop->ctx) / SHARE + 1;
    scop->searches = scop->operations / 2;
    polyhedra_allow(scop->isl, scop->operations);
}

/* Answers of a stopped isl count for nothing, and neither do refusals that follow from them. */
bool scop_limit_end(struct scop *scop)
{
    bool stopped = scop->operations && polyhedra_is_stopped(scop->isl);
    if (!scop->operations)
        return true;
    long given = scop->operations - 1;
    scop->operations = 0;
    polyhedra_allow(scop->isl, QUESTIONS_MAX);
    if (!stopped)
        return true;
    *operations_left(scop->ctx) -= given;
    scop->refusal.text = NULL;
    return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
}

bool scop_search_begin(struct scop *scop)
{
    if (polyhedra_is_stopped(scop->isl) || scop->searches < SEARCH_LEAST)
        return false;
    polyhedra_allow(scop->isl, scop->searches);
    return true;
}

void scop_search_end(struct scop *scop)
{
    scop->searches -= scop->searches / 4;
    polyhedra_allow(scop->isl, scop->operations);
}
