#ifndef TESTS_UNIT_CONSTRAINTS_REAL_H
#define TESTS_UNIT_CONSTRAINTS_REAL_H
#include "check.h"
#include "constraints/real/sample.h"

/* What the tests of constraints/real share: a sample over the variables a, b, c, d, x with its
   arena, context and budget; polynomials read and printed; pseudo-random numbers. */

enum { VARIABLES = 5, STEPS = 400000000, X = 4 };

struct bench {
    struct check *check;
    uint64_t state;
    struct arena *arena;
    fmpz_mpoly_ctx_t ctx;
    struct budget budget;
    struct sample *sample;
    arb_ptr point;                                   /* by variable: an oracle's coordinates */
    const fmpz_mpoly_struct *vanishing[VARIABLES];   /* polynomials that vanish at the point */
    size_t vanish;
};

static inline int below(struct bench *b, int n)
{
    b->state = b->state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((b->state >> 33) % (uint64_t)n);
}

static inline void bench_start(struct bench *b)
{
    b->arena = arena_new();
    b->budget = (struct budget){STEPS, false, NULL};
    fmpz_mpoly_ctx_init(b->ctx, VARIABLES, ORD_DEGLEX);
    b->sample = sample_new(b->arena, b->ctx, &b->budget);
    b->point = _arb_vec_init(VARIABLES);
    b->vanish = 0;
}

static inline void bench_end(struct bench *b)
{
    _arb_vec_clear(b->point, VARIABLES);
    arena_free(b->arena);
    fmpz_mpoly_ctx_clear(b->ctx);
}

static inline void mpoly_free(void *object)
{
    const fmpz_mpoly_ctx_struct **held = object;
    fmpz_mpoly_clear((fmpz_mpoly_struct *)(held + 1), *held);
}

static inline fmpz_mpoly_struct *mpoly_new(struct bench *b)
{
    const fmpz_mpoly_ctx_struct **held =
        arena_alloc(b->arena, sizeof *held + sizeof(fmpz_mpoly_struct));
    *held = b->ctx;
    fmpz_mpoly_init((fmpz_mpoly_struct *)(held + 1), b->ctx);
    arena_on_free(b->arena, mpoly_free, held);
    return (fmpz_mpoly_struct *)(held + 1);
}

static inline fmpz_mpoly_struct *mpoly_read(struct bench *b, const char *text)
{
    const char *names[VARIABLES] = {"a", "b", "c", "d", "x"};
    fmpz_mpoly_struct *p = mpoly_new(b);
    if (fmpz_mpoly_set_str_pretty(p, text, names, b->ctx) != 0)
        check_that(b->check, false, "cannot read %s", text);
    return p;
}

static inline const char *text_of(struct bench *b, const fmpz_mpoly_struct *p)
{
    const char *names[VARIABLES] = {"a", "b", "c", "d", "x"};
    char *text = fmpz_mpoly_get_str_pretty(p, names, b->ctx), *copy = arena_strdup(b->arena, text);
    flint_free(text);
    return copy;
}

#endif
