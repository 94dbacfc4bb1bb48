/* How much isl may do: the same text everywhere, whatever the machine does besides.

   In: a scop whose isl context has just been made, and what other fragments left of the file's
   work. Out: a refusal if isl took more. isl counts operations, of which each walks a tableau of
   rows and columns, with numbers as long as the factors make them. So an operation has a weight:
   rows times columns of the largest tableau that asks for a pair of instances, times bits. Work is
   operations times weight. A unit of work is about a nanosecond: an operation takes 0.2 us in
   products of matrices, 20 below ten loops with bounds of four limits, or with factors of nine
   digits.

   A fragment may take a quarter of what the file has left, whether it is mapped or stopped, and its
   optional searches share that. A fragment that is cut in parts is read several times, and a file
   has hundreds of fragments, but no number of them takes longer than the file may. */
#include "mapper/scop/limit.h"
#include "polyhedra/context.h"

enum { SHARE = 4, FRAGMENT_MAX = 400000, FILE_MILLIONS = 1200 };
/* Calls that a fragment reads in the place of their functions, and the work of one: functions that
   call each other twice double them. */
enum { CALLS_MAX = 100000, CALL_WORK = 500 };
/* Operations for questions about a scop after its plan is made: examples, words, conditions of the
   printed text. Each question may take half of what is left of them. */
enum { QUESTIONS_MAX = 2000000 };
/* A search with fewer operations is not begun. */
enum { SEARCH_LEAST = 1000 };

static const char FILE_KEY[] = "mapper work";

/* The work that the file has left. */
static int64_t *work_left(struct ctx *ctx)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    int64_t *left = map_get(ctx->caches, FILE_KEY);
    if (left)
        return left;
    left = ARENA_NEW(ctx->arena, int64_t);
    *left = FILE_MILLIONS * INT64_C(1000000);
    map_put(ctx->caches, FILE_KEY, left);
    return left;
}

/* --- the weight of an operation --------------------------------------------------------------- */

/* The sizes of the largest tableau of a fragment. */
struct tableau {
    int depth, rows, extra;          /* of a statement: loops, constraints, remainders */
    int subscripts;
    uint64_t factor;                 /* the largest of its forms */
};

static void factors_widen(struct tableau *t, const struct affine *form)
{
    for (int i = 0; i < form->n_terms; i++) {
        int64_t factor = form->terms[i].factor;
        uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
        t->factor = size > t->factor ? size : t->factor;
    }
}

static void stmt_widen(struct tableau *t, const struct scop_stmt *stmt)
{
    int rows = 0, extra = 0;
    for (int i = 0; i < stmt->depth; i++) {
        const struct scop_loop *loop = stmt->loops[i];
        factors_widen(t, &loop->start);
        for (int k = 0; k < loop->n_limits; k++)
            factors_widen(t, &loop->limits[k]);
        rows += 1 + loop->n_limits;
        extra += loop->step != 1 && loop->step != -1;
    }
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        t->subscripts = access->array->n_dims > t->subscripts ? access->array->n_dims
                                                              : t->subscripts;
        for (int k = 0; k < access->array->n_dims; k++)
            if (access->is_affine[k])
                factors_widen(t, &access->subscripts[k]);
    }
    t->depth = stmt->depth > t->depth ? stmt->depth : t->depth;
    t->rows = rows > t->rows ? rows : t->rows;
    t->extra = extra > t->extra ? extra : t->extra;
}

static int64_t weight_of(const struct scop *scop)
{
    struct tableau t = {0};
    int bits = 2;
    for (size_t i = 0; i < scop->stmts.count; i++)
        stmt_widen(&t, scop->stmts.at[i]);
    for (uint64_t rest = t.factor; rest; rest /= 2)
        bits++;
    int64_t rows = 2 * (t.rows + 2 * t.extra) + t.subscripts;
    int64_t columns = 2 * (t.depth + t.extra) + scop->n_params + 1;
    return rows * columns * bits + 1;
}

/* --- brackets --------------------------------------------------------------------------------- */

/* Takes the operations since the last allowance from the scop's and from the file's. */
static void work_count(struct scop *scop)
{
    long taken = polyhedra_taken(scop->isl);
    scop->limit.operations -= taken;
    *work_left(scop->ctx) -= taken * scop->limit.weight;
    scop->ctx->counts.work += (uint64_t)(taken * scop->limit.weight);
}

/* Operations of which the work is a share of what the file has left; at most `most`, at least 1. */
static long operations_of_share(struct scop *scop, long most)
{
    int64_t left = *work_left(scop->ctx) / SHARE / scop->limit.weight;
    if (left > most)
        return most;
    return left < 1 ? 1 : (long)left;
}

void scop_limit_begin(struct scop *scop)
{
    scop->limit.is_planning = true;
    scop->limit.weight = weight_of(scop);
    scop->limit.operations = operations_of_share(scop, FRAGMENT_MAX);
    polyhedra_allow(scop->isl, scop->limit.operations);
}

/* Answers of a stopped isl count for nothing, and neither do refusals that follow from them. */
bool scop_limit_end(struct scop *scop)
{
    if (!scop->limit.is_planning)
        return true;
    bool stopped = polyhedra_is_stopped(scop->isl);
    work_count(scop);
    scop->limit.is_planning = false;
    scop->limit.operations = operations_of_share(scop, QUESTIONS_MAX);
    polyhedra_allow(scop->isl, scop->limit.operations);
    if (!stopped)
        return true;
    scop->refusal.text = NULL;
    return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
}

bool scop_limit_call(struct scop *scop)
{
    *work_left(scop->ctx) -= CALL_WORK;
    scop->ctx->counts.work += CALL_WORK;
    return ++scop->limit.calls <= CALLS_MAX && *work_left(scop->ctx) > 0;
}

bool scop_search_begin(struct scop *scop)
{
    if (polyhedra_is_stopped(scop->isl))
        return false;
    work_count(scop);
    bool begins = scop->limit.operations / 2 >= SEARCH_LEAST;
    polyhedra_allow(scop->isl, begins ? scop->limit.operations / 2 : scop->limit.operations);
    return begins;
}

void scop_search_end(struct scop *scop)
{
    work_count(scop);
    polyhedra_allow(scop->isl, scop->limit.operations);
}

void scop_question_begin(struct scop *scop)
{
    work_count(scop);
    polyhedra_allow(scop->isl, scop->limit.operations / 2 + 1);
}
