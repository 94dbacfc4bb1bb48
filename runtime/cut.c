/* The rows of parts, read. In: a launch's rows in the tables of a region, at one point; out: the
   axis that may be cut, and bytes of arrays that blocks touch. A row that leaves 64 bits or its
   array makes the launch run whole: nothing here fails but for memory. */
#include "runtime/cut.h"
#include <stdlib.h>

static treefork_int claim_value(struct treefork_evaluation *e, uint16_t value, int *wrong)
{
    treefork_int number = 0;
    *wrong |= !treefork_evaluation_value(e, value, &number);
    return number;
}

static bool is_exact(struct treefork_evaluation *e, uint16_t list)
{
    const uint16_t *values = e->region->lists + (list == TREEFORK_NONE ? 0 : list);
    int wrong = list == TREEFORK_NONE;
    bool holds = true;
    for (size_t i = 1; i <= values[0]; i++)
        holds = claim_value(e, values[i], &wrong) != 0 && holds;
    return holds && !wrong;
}

static struct treefork_claim claim_read(struct treefork_evaluation *e,
                                        const struct treefork_part_row *row, int *wrong)
{
    struct treefork_claim claim = {.array = row->array,
                                   .writes = row->access & TREEFORK_WRITE,
                                   .is_whole = row->step == TREEFORK_NONE};
    if (claim.is_whole)
        return claim;
    claim.step = claim_value(e, row->step, wrong);
    claim.from = claim_value(e, row->from, wrong);
    claim.to = claim_value(e, row->to, wrong);
    claim.least = claim_value(e, row->least, wrong);
    claim.most = claim_value(e, row->most, wrong);
    claim.unit = claim_value(e, row->unit, wrong);
    claim.base = claim_value(e, row->base, wrong);
    claim.pieces = claim_value(e, row->pieces, wrong);
    claim.pitch = claim_value(e, row->pitch, wrong);
    claim.is_exact = claim.writes && is_exact(e, row->exact);
    return claim;
}

/* Does the row count? One whose condition is not known does. */
static bool is_counted(struct treefork_evaluation *e, const struct treefork_part_row *row)
{
    int wrong = 0;
    return row->condition == TREEFORK_NONE || claim_value(e, row->condition, &wrong) != 0 || wrong;
}

static const char *claims_read(struct treefork_evaluation *e, const struct treefork_cut_row *from,
                               struct treefork_cut *cut)
{
    int wrong = 0;
    for (size_t i = from->first; i < (size_t)from->first + from->count; i++)
        if (is_counted(e, &e->region->parts[i]))
            cut->claims[cut->count++] = claim_read(e, &e->region->parts[i], &wrong);
    return wrong ? "what its parts touch leaves 64 bits" : NULL;
}

int treefork_cut_read(struct treefork_evaluation *e, size_t launch, struct treefork_cut *cut)
{
    const struct treefork_region *region = e->region;
    const struct treefork_cut_row *row = region->cuts ? &region->cuts[launch] : NULL;
    const uint16_t *grid = region->lists + region->launches[launch].grid;
    int wrong = 0;
    *cut = (struct treefork_cut){.reason = "its tables say that it runs whole"};
    if (!row || row->axis == TREEFORK_NONE || row->axis >= grid[0])
        return TREEFORK_OK;
    cut->claims = calloc((size_t)row->count + 1, sizeof *cut->claims);
    if (!cut->claims)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the parts of a launch of %s",
                             region->name);
    cut->is_last = row->axis + 1 == grid[0];
    cut->extent = claim_value(e, grid[1 + row->axis], &wrong);
    cut->reason = claims_read(e, row, cut);
    if (wrong || (!cut->is_last && row->axis > 0))
        cut->reason = "its axis cannot be cut";
    else if (cut->extent < 2)
        cut->reason = "it has a single block along the axis that may be cut";
    return TREEFORK_OK;
}

void treefork_cut_free(struct treefork_cut *cut)
{
    free(cut->claims);
    cut->claims = NULL;
}

static treefork_int larger(treefork_int a, treefork_int b)
{
    return a > b ? a : b;
}

/* begin + bytes of all pieces lie within the array. */
static bool row_set(const struct treefork_claim *c, treefork_int lo, treefork_int hi,
                    size_t bytes, struct treefork_row *row)
{
    int wrong = 0;
    treefork_int begin = treefork_add(c->base, treefork_mul(lo, c->unit, &wrong), &wrong);
    treefork_int length = treefork_mul(hi - lo, c->unit, &wrong);
    treefork_int last = treefork_mul(c->pieces - 1, c->pitch, &wrong);
    treefork_int end = treefork_add(treefork_add(begin, last, &wrong), length, &wrong);
    if (wrong || begin < 0 || c->unit <= 0 || (uint64_t)end > bytes ||
        (c->pieces > 1 && c->pitch < length))
        return false;
    *row = (struct treefork_row){(size_t)begin, (size_t)length, (size_t)c->pitch,
                                 (size_t)c->pieces};
    if (c->pieces == 1 || c->pitch == length)
        *row = treefork_row_of((size_t)begin, (size_t)end);
    return true;
}

bool treefork_claim_row(const struct treefork_claim *claim, treefork_int from, treefork_int to,
                        size_t bytes, struct treefork_row *row)
{
    int wrong = 0;
    *row = treefork_row_of(0, bytes);
    if (claim->is_whole)
        return true;
    treefork_int lo = treefork_add(treefork_mul(claim->step, from, &wrong), claim->from, &wrong);
    treefork_int hi = treefork_add(treefork_mul(claim->step, to, &wrong), claim->to, &wrong);
    lo = larger(lo, claim->least);
    hi = hi < claim->most ? hi : claim->most;
    if (wrong || claim->step <= 0)
        return false;
    *row = treefork_row_of(0, 0);
    return hi <= lo || claim->pieces <= 0 || row_set(claim, lo, hi, bytes, row);
}
