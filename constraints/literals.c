/* Numbers of atoms. An atom seen before (the same node) is found by its address, another one by
   comparing it with those numbered: equal after division by a positive constant, as
   constraint_equal has it, or the negation of that. */
#include "constraints/literals.h"
#include "base/map.h"
#include "base/vec.h"

struct known {
    size_t literal;
};

struct literals {
    struct arena *arena;
    struct map *known;                /* formula to struct known */
    VEC(struct constraint) distinct;  /* number 2 i; its negation is 2 i + 1 */
};

struct literals *literals_new(struct arena *arena)
{
    struct literals *literals = ARENA_NEW(arena, struct literals);
    literals->arena = arena;
    literals->known = map_new(arena);
    return literals;
}

static size_t number_of(struct literals *literals, struct constraint c)
{
    for (size_t i = 0; i < literals->distinct.count; i++) {
        if (constraint_equal(c, literals->distinct.at[i]))
            return 2 * i;
        if (constraint_equal(constraint_negate(c), literals->distinct.at[i]))
            return 2 * i + 1;
    }
    vec_push(literals->arena, &literals->distinct, c);
    return 2 * literals->distinct.count - 2;
}

size_t literal_of(struct literals *literals, const struct formula *f, bool negated)
{
    struct known *known = map_get_pointer(literals->known, f);
    if (!known) {
        known = ARENA_NEW(literals->arena, struct known);
        known->literal = number_of(literals, f->constraint);
        map_put_pointer(literals->known, f, known);
    }
    return known->literal ^ negated;
}

size_t literals_limit(const struct literals *literals)
{
    return 2 * literals->distinct.count;
}
