/* Short loops: a literal number of rounds, of no more than STATEMENTS together with the short loops
   inside.

   In: the body of a placed kernel. Out: the same, with these loops marked to be unrolled, in every
   text and in the counters: the 27 neighbours of a point, the weights of a window, the elements of
   a local array, which becomes registers by it. Compilers of CUDA C and OpenCL C unroll many of
   them unasked, so that the register estimate was that of another program. Inner loops come first:
   where all rounds together are too many, the outer loop stays. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

enum { STATEMENTS = 128 };

static int64_t literal_rounds(const struct stmt *loop)
{
    int64_t rounds = stmt_literal_rounds(loop);
    return rounds <= STATEMENTS ? rounds : 0;
}

/* Statements that an execution of s makes in straight lines; 0 if it is no such thing or they are
   more than STATEMENTS. */
static int64_t statements_in(const struct stmt *s)
{
    int64_t sum = s->kind == STMT_SEQUENCE ? 0 : 1, rounds = 1;
    if (s->kind == STMT_BAND || s->kind == STMT_BARRIER || s->kind == STMT_WHILE)
        return 0;
    if (s->kind == STMT_FOR && (!s->unroll || !(rounds = literal_rounds(s))))
        return 0;
    for (int i = 0; i < s->n_children; i++) {
        int64_t inner = s->children[i] ? statements_in(s->children[i]) : 1;
        if (!inner)
            return 0;
        sum += inner;
    }
    return sum * rounds <= STATEMENTS ? sum * rounds : 0;
}

static const struct stmt *short_marked(void *state, const struct stmt *s)
{
    struct arena *arena = state;
    if (s->kind != STMT_FOR || s->unroll)
        return s;
    struct stmt *marked = ARENA_NEW(arena, struct stmt);
    *marked = *s;
    marked->unroll = true;
    return statements_in(marked) ? marked : s;
}

const struct stmt *loops_unroll_short(struct arena *arena, const struct stmt *body)
{
    return stmt_rewrite(arena, body, short_marked, arena);
}
