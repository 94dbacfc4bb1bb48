/* Rings: names of variables, the FLINT context they share, and the birth and death of polynomials.
   In: an arena; out: a ring that lives as long as the arena. A variable once given a number keeps
   it. The context is made first, hence its clean-up runs last, after those of all polynomials
   (clean-ups run last first). */
#include "constraints/ring.h"
#include <string.h>

static void ring_clear(void *object)
{
    struct ring *ring = object;
    fmpq_mpoly_ctx_clear(ring->ctx);
}

struct ring *ring_new(struct arena *arena)
{
    flint_tame();
    struct ring *ring = ARENA_NEW(arena, struct ring);
    ring->arena = arena;
    fmpq_mpoly_ctx_init(ring->ctx, RING_CAPACITY, ORD_DEGLEX);
    arena_on_free(arena, ring_clear, ring);
    return ring;
}

struct ring *ring_view(struct arena *arena, const struct ring *ring)
{
    struct ring *view = ARENA_NEW(arena, struct ring);
    *view = *ring;
    view->arena = arena;
    view->kept[0] = view->kept[1] = NULL;
    memset(view->variables, 0, sizeof view->variables);
    return view;
}

const struct poly *poly_view(struct ring *view, const struct poly *p)
{
    struct poly *same = ARENA_NEW(view->arena, struct poly);
    *same = (struct poly){{p->value[0]}, view, view->arena, NULL};
    return same;
}

struct arena *ring_arena(const struct ring *ring)
{
    return ring->arena;
}

void ring_count_questions(struct ring *ring, uint64_t *questions)
{
    ring->questions = questions;
}

int ring_find(const struct ring *ring, const char *name)
{
    for (int i = 0; i < ring->count; i++)
        if (!strcmp(ring->names[i], name))
            return i;
    return -1;
}

int ring_variable(struct ring *ring, const char *name)
{
    int found = ring_find(ring, name);
    if (found >= 0 || ring->count == RING_CAPACITY)
        return found;
    ring->names[ring->count] = arena_strdup(ring->arena, name);
    return ring->count++;
}

int ring_count(const struct ring *ring)
{
    return ring->count;
}

const char *ring_name(const struct ring *ring, int variable)
{
    return ring->names[variable];
}

static void poly_clear(void *object)
{
    struct poly *p = object;
    fmpq_mpoly_clear(p->value, p->ring->ctx);
}

struct poly *poly_scratch(struct arena *arena, struct ring *ring)
{
    struct poly *p = ARENA_NEW(arena, struct poly);
    p->ring = ring;
    p->arena = arena;
    fmpq_mpoly_init(p->value, ring->ctx);
    arena_on_free(arena, poly_clear, p);
    return p;
}

struct poly *poly_new(struct ring *ring)
{
    return poly_scratch(ring->arena, ring);
}

struct registered {
    fmpz_mpoly_struct p;
    const fmpz_mpoly_ctx_struct *ctx;
};

static void mpoly_clear(void *object)
{
    struct registered *registered = object;
    fmpz_mpoly_clear(&registered->p, registered->ctx);
}

fmpz_mpoly_struct *mpoly_scratch(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx)
{
    struct registered *registered = ARENA_NEW(arena, struct registered);
    registered->ctx = ctx;
    fmpz_mpoly_init(&registered->p, ctx);
    arena_on_free(arena, mpoly_clear, registered);
    return &registered->p;
}
