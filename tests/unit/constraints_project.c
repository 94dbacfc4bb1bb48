/* Projection, text in, text out: quantifiers in front ("E x, A y:"), then a disjunction ("|") of conjunctions (";"). The
   result as formula_print writes it; sentences become true or false. Then simplification under a context. */
#include "constraints/project.h"
#include "tests/unit/check.h"
#include <string.h>

static struct check check;

static const struct formula *conjunction_read(struct ring *ring, char *text)
{
    struct arena *arena = ring_arena(ring);
    struct sas sas = sas_empty(ring);
    char *save = NULL;
    for (char *part = strtok_r(text, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        struct constraint c;
        const char *error = "";
        if (check_that(&check, constraint_read(ring, part, &c, &error), "%s: %s", part, error))
            sas = sas_add(arena, sas, c);
    }
    return formula_sas(arena, sas);
}

static const struct formula *disjunction_read(struct ring *ring, const char *text)
{
    struct arena *arena = ring_arena(ring);
    const struct formula *f = formula_false();
    char *copy = arena_strdup(arena, text), *save = NULL;
    for (char *part = strtok_r(copy, "|", &save); part; part = strtok_r(NULL, "|", &save)) {
        const struct formula *both[] = {f, conjunction_read(ring, part)};
        f = formula_or(arena, both, 2);
    }
    return f;
}

/* The last quantifier is the innermost. */
static const struct formula *quantified_read(struct ring *ring, const char *text)
{
    struct arena *arena = ring_arena(ring);
    const char *colon = strchr(text, ':');
    const struct formula *f = disjunction_read(ring, colon ? colon + 1 : text);
    if (!colon)
        return f;
    char *prefix = arena_strndup(arena, text, (size_t)(colon - text)), *save = NULL;
    char *parts[RING_CAPACITY];
    size_t count = 0;
    for (char *part = strtok_r(prefix, ",", &save); part; part = strtok_r(NULL, ",", &save))
        parts[count++] = part + strspn(part, " ");
    while (count-- > 0) {
        int v = ring_variable(ring, parts[count] + 2);
        f = parts[count][0] == 'E' ? formula_exists(arena, v, f) : formula_forall(arena, v, f);
    }
    return f;
}

static const struct {
    const char *text, *expected;
} projections[] = {
#include "tests/unit/constraints_project.def"
};

static void projection_check(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *reason = NULL;
    const struct formula *result = formula_eliminate(arena, ring, quantified_read(ring, text), NULL, &reason);
    struct str out = str_new(arena);
    uint64_t machine = 0;
    for (int v = 0; v < ring_count(ring); v++)
        if (strchr(ring_name(ring, v), '_'))
            machine |= (uint64_t)1 << v;
    if (result)
        formula_print(&out, result, machine);
    else
        str_addf(&out, "undecided: %s", reason);
    check_that(&check, !strcmp(out.text, expected), "%s\n    gives %s\n    not   %s", text, out.text, expected);
    arena_free(arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof projections / sizeof *projections; i++)
        projection_check(projections[i].text, projections[i].expected);
    return check_end(&check, "constraints_project");
}
