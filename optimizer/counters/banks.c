/* Bank conflicts of shared memory: times that a warp's instruction would ask the banks without
   conflicts, against the times it has to, in percent, weighed by the threads that make it.
   A target.

   32 banks of 4 bytes; threads that ask for the same word are served at once; 8-byte elements are
   served by half warps, 16-byte vectors by quarters, so that conflict-free always means 128 bytes
   at a time. Threads along one axis with a step of a elements need gcd(a, 32 * 4 / bytes) rounds;
   along several axes at most that times the number of rows. Steps are literal, or odd or even by a
   case each: for an even step that is not literal the worst stands. Cases besides: how the warp
   lies in the block, and whether its shape is regular (warp.h). What the tree forks on is an
   estimate without these cases, for warps that lie along one axis. */
#include "optimizer/counters/warp.h"

enum { BANKS = 32, BANK_BYTES = 4, PARITIES_MAX = 3 };

struct banks {
    struct scope *scope;
    struct warp warp;
    const struct poly *line;                         /* 128: every step but 0 is known by its
                                                        own value */
    const struct list_access *list;
    size_t count;
    int n_parities;
    const struct poly *parities[PARITIES_MAX];       /* sums of monomials; a piece says which
                                                        are odd */
    /* Of the piece being made: */
    int k;
    bool regular;
    bool along_axis;                                 /* for the tree: no cases but parities */
    unsigned odd;                                    /* bit set by parity */
    struct total asked, served;
    const struct poly *condition;
};

/* The part of p (steps) that decides on its parity together with the integer *literal; NULL if it
   cannot be told. */
static const struct poly *parity_of(const struct poly *p, int64_t *literal)
{
    struct ring *ring = poly_ring(p);
    const struct poly *sum = poly_integer(ring, 0);
    unsigned exponents[RING_CAPACITY];
    *literal = 0;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        bool constant = true;
        if (!poly_term(p, i, &n, &d, exponents) || d != 1)
            return NULL;
        const struct poly *monomial = poly_integer(ring, 1);
        for (int v = 0; v < ring_count(ring); v++)
            if (exponents[v]) {
                monomial = poly_mul(monomial, poly_power(poly_variable(ring, v), exponents[v]));
                constant = false;
            }
        if (constant)
            *literal = n;
        else if (n % 2)
            sum = poly_add(sum, monomial);
    }
    return sum;
}

/* Step of the fastest axis along which the threads move; NULL if there is none. */
static const struct poly *moving_step(const struct list_access *access)
{
    int64_t one;
    if (access->is_affine)
        for (int i = access->n_axes; i-- > 0;) {
            const struct list_axis *axis = &access->axes[i];
            bool single = axis->extent && poly_get_integer(axis->extent, &one) && one == 1;
            if (!single && !poly_is_zero(axis->coefficient))
                return poly_scale(axis->coefficient, 1, access->width);
        }
    return NULL;
}

static void parities_collect(struct banks *b)
{
    for (size_t i = 0; i < b->count; i++) {
        int64_t literal;
        const struct poly *step = access_is_global(&b->list[i]) ? NULL : moving_step(&b->list[i]);
        const struct poly *parity = step ? parity_of(step, &literal) : NULL;
        bool known = !parity || poly_is_zero(parity) || b->n_parities == PARITIES_MAX;
        for (int p = 0; p < b->n_parities && !known; p++)
            known = poly_equal(b->parities[p], parity);
        if (!known)
            b->parities[b->n_parities++] = parity;
    }
}

static int64_t divisor(int64_t a, int64_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* Rounds for elements of less than a word with a literal step: words differ only every
   few threads. */
static int64_t degree_small(int64_t step, int64_t bytes)
{
    int64_t most = 1;
    for (int64_t phase = 0; phase < BANK_BYTES; phase += bytes) {
        int64_t count[BANKS] = {0}, last = -1;
        for (int64_t lane = 0; lane < BANKS; lane++) {
            int64_t word = (phase + lane * step * bytes) / BANK_BYTES;
            if (word == last)
                continue;
            last = word;
            if (++count[word % BANKS] > most)
                most = count[word % BANKS];
        }
    }
    return most;
}

/* Rounds that threads along an axis need; *exact unless it is the worst case. */
static int64_t axis_degree(const struct banks *b, const struct reach *reach, int axis, bool *exact)
{
    int64_t step, literal,
        lanes = BANKS * BANK_BYTES / (reach->bytes > BANK_BYTES ? reach->bytes : BANK_BYTES);
    const struct poly *p = reach->axes[axis].step;
    if (p && poly_get_integer(p, &step) && step < INT32_MAX)
        return reach->bytes < BANK_BYTES ? degree_small(step, reach->bytes) : divisor(step, lanes);
    const struct poly *parity = p && reach->bytes >= BANK_BYTES ? parity_of(p, &literal) : NULL;
    bool known = parity && poly_is_zero(parity), odd = false;
    if (parity)
        for (int i = 0; i < b->n_parities; i++)
            if (poly_equal(parity, b->parities[i])) {
                known = true;
                odd = b->odd >> i & 1;
            }
    if (known && odd != (literal % 2 != 0))
        return 1;
    *exact = false;
    return lanes;
}

/* Do the threads of a warp differ along axis i, and ask for different elements then? */
static bool axis_moves(const struct banks *b, const struct reach *reach,
                       const struct warp_part *part, int i)
{
    if (reach->axes[i].kind == REACH_ZERO)
        return false;
    if (b->along_axis)
        return i == 0;
    return reach->access->is_strided || part->shape != WARP_BOX || reach->axes[i].first <= b->k;
}

/* Rounds of threads along the one axis on which they differ: what the step says, or as many as they
   are, if that is less than the worst. */
static struct ratio lane_degree(const struct banks *b, const struct reach *reach,
                                const struct warp_part *part, int axis, bool *exact)
{
    struct ring *ring = b->scope->ring;
    bool known = true, box = part->shape == WARP_BOX && !b->along_axis;
    int64_t degree = axis_degree(b, reach, axis, &known);
    *exact &= known && degree == 1;      /* else the axis may be too short for so many */
    if (!known && box && (axis > 0 || b->k > 0))
        return part->extents[axis];
    if (!known && !box && !b->along_axis && axis > 0)
        return ratio_of(part->rows);
    bool wraps = !box && !b->along_axis && axis + 1 < reach->n;
    *exact &= !wraps;
    return ratio_of(poly_integer(ring, wraps ? 2 * degree : degree));
}

/* Rounds of one instruction of a warp, at most. */
static struct ratio part_degree(const struct banks *b, const struct reach *reach,
                                const struct warp_part *part, bool *exact)
{
    struct ring *ring = b->scope->ring;
    struct ratio rows = ratio_of(poly_integer(ring, 1));
    int base = -1, n_moving = 0;
    if (!reach->is_known) {
        *exact = false;
        return ratio_of(
            poly_integer(ring, BANKS * BANK_BYTES /
                                   (reach->bytes > BANK_BYTES ? reach->bytes : BANK_BYTES)));
    }
    for (int i = reach->n - 1; i >= 0; i--)
        if (axis_moves(b, reach, part, i)) {
            base = i;
            n_moving++;
        }
    if (n_moving == 0)
        return rows;
    if (n_moving == 1)
        return lane_degree(b, reach, part, base, exact);
    *exact = false;
    if (part->shape != WARP_BOX && base > 0)
        return ratio_of(part->rows);
    if (part->shape == WARP_BOX)
        for (int i = 0; i < reach->n; i++)
            if (i != base && axis_moves(b, reach, part, i))
                rows = ratio_mul(rows, part->extents[i]);
    if (part->shape != WARP_BOX)
        rows = ratio_of(part->rows);
    return ratio_mul(rows, ratio_of(poly_integer(ring, axis_degree(b, reach, base, exact))));
}

/* The number of threads that make the access. */
static const struct poly *access_threads(const struct banks *b, const struct list_access *access)
{
    const struct poly *threads = access_rounds(b->scope, access);
    if (!access->is_strided)
        return b->warp.any_size && !access->band ? threads
                                                 : poly_mul(threads, b->warp.products[b->warp.n]);
    for (int i = 0; i < access->n_axes; i++)
        threads = access->axes[i].extent ? poly_mul(threads, access->axes[i].extent) : threads;
    return threads;
}

static void access_count(struct banks *b, const struct list_access *access)
{
    struct reach reach = reach_make(access, 0, b->line);
    bool exact = true;
    if (reach.is_known && b->regular && !b->along_axis)
        b->condition = poly_add(b->condition, warp_irregularity(&b->warp, &reach, b->k));
    struct warp_part part = {.shape = WARP_BOX};
    if (!b->along_axis)
        part = warp_part(&b->warp, &reach, b->k, b->regular);
    struct ratio degree = part_degree(b, &reach, &part, &exact),
                 threads = ratio_of(access_threads(b, access));
    total_add(&b->asked, access, threads, exact);
    total_add(&b->served, access, ratio_mul(degree, threads), exact);
}

/* When case k holds with these parities. */
static struct sas banks_guard(const struct banks *b)
{
    struct arena *arena = b->scope->store->ctx->arena;
    struct sas guard = b->along_axis ? sas_empty(b->scope->ring) : warp_guard(&b->warp, b->k);
    for (int i = 0; i < b->n_parities; i++) {
        const struct poly *rest = rest_of(b->scope, b->parities[i],
                                          poly_integer(b->scope->ring, 2));
        const struct poly *one = poly_integer(b->scope->ring, 1);
        guard = sas_add(arena, guard,
                        constraint_make(rest, b->odd >> i & 1 ? RELATION_GE : RELATION_LT, one));
    }
    return guard;
}

/* Makes the piece; false if it holds whatever the shape. */
static bool banks_piece(struct banks *b, struct pieces *pieces)
{
    struct scope *scope = b->scope;
    const struct poly *zero = poly_integer(scope->ring, 0), *one = poly_integer(scope->ring, 1);
    struct sas guard = banks_guard(b);
    size_t before = guard.count;
    b->asked = total_new(scope);
    b->served = total_new(scope);
    b->condition = zero;
    for (size_t i = 0; i < b->count; i++)
        if (!access_is_global(&b->list[i]))
            access_count(b, &b->list[i]);
    if (b->condition && !poly_is_zero(b->condition))
        guard = sas_add(scope->store->ctx->arena, guard,
                        constraint_make(b->condition, RELATION_LE, zero));
    struct ratio asked = total_sum(&b->asked), served = total_sum(&b->served),
                 value = ratio_of(poly_integer(scope->ring, 100));
    if (served.numerator && asked.numerator && !poly_equal(asked.numerator, served.numerator)) {
        const struct poly *numerator = poly_scale(asked.numerator, 100, 1);
        value.numerator = served.denominator ? poly_mul(numerator, served.denominator) : numerator;
        value.denominator = asked.denominator ? poly_mul(served.numerator, asked.denominator)
                                              : served.numerator;
    }
    if (value.denominator && poly_equal(value.denominator, one))
        value.denominator = NULL;
    enum exactness exactness = b->served.exactness;
    if (!served.numerator)
        value.numerator = NULL;
    else if (!value.denominator)
        exactness = COUNTER_EXACT;
    else if (exactness == COUNTER_UPPER)
        exactness = b->served.is_guarded || b->along_axis ? COUNTER_ESTIMATE : COUNTER_LOWER;
    piece_add(scope, pieces, guard, value, exactness);
    return guard.count > before;
}

struct counter_value counter_banks(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_BANKS);
    struct banks b = {.scope = &scope,
                      .warp = warp_new(&scope),
                      .line = poly_integer(scope.ring, BANKS * BANK_BYTES)};
    struct pieces pieces = {0};
    b.count = scope_accesses(&scope, &b.list);
    parities_collect(&b);
    b.along_axis = !scope.is_private;
    for (b.k = 0; b.k < (b.along_axis ? 1 : b.warp.n_cases) && !scope.reason; b.k++)
        for (b.odd = 0; b.odd >> b.n_parities == 0; b.odd++) {
            b.regular = true;
            if (banks_piece(&b, &pieces)) {
                b.regular = false;
                (void)banks_piece(&b, &pieces);
            }
        }
    return scope.reason ? scope_none(scope.reason)
                        : scope_value(&scope, pieces.list.count, pieces.list.at);
}
