/* The independent checker: certificates written by hand, right ones and wrong ones with the place
   and the reason that must be named. A question is text: strings are constraints, lists are (and
   …), (or …), (not …), (xor …), (exists x …); names that begin with "n" range over the integers. */
#include "constraints/check/checker.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

static const struct formula *formula_build(struct arena *arena, struct ring *ring,
                                           const struct text *text)
{
    struct constraint c;
    const char *error = NULL;
    if (text->kind == TEXT_STRING) {
        if (!constraint_read(ring, text->word, &c, &error)) {
            printf("%s: %s\n", text->word, error);
            exit(2);
        }
        return formula_atom(arena, c);
    }
    if (text->kind == TEXT_WORD)
        return !strcmp(text->word, "true") ? formula_true() : formula_false();
    const struct formula **at = ARENA_ARRAY(arena, const struct formula *, text->count);
    for (size_t i = 1; i < text->count && !text_is(text->at[0], "exists"); i++)
        at[i - 1] = formula_build(arena, ring, text->at[i]);
    if (text_is(text->at[0], "and"))
        return formula_and(arena, at, text->count - 1);
    if (text_is(text->at[0], "exists"))
        return formula_exists(arena, ring_variable(ring, text->at[1]->word),
                              formula_build(arena, ring, text->at[2]));
    if (text_is(text->at[0], "or"))
        return formula_or(arena, at, text->count - 1);
    return text_is(text->at[0], "xor") ? formula_xor(arena, at[0], at[1])
                                       : formula_not(arena, at[0]);
}

static enum check_outcome outcome_of(struct arena *arena, const char *question,
                                     const char *certificate, uint64_t steps, const char **why)
{
    struct ring *ring = ring_new(arena);
    struct text *text = text_read(arena, question, why);
    const struct formula **assertions = ARENA_ARRAY(arena, const struct formula *, text->count + 1);
    bool integer[RING_CAPACITY] = {false};
    for (size_t i = 0; i < text->count; i++)
        assertions[i] = formula_build(arena, ring, text->at[i]);
    int variables = ring_count(ring);
    for (int v = 0; v < variables; v++)
        integer[v] = ring_name(ring, v)[0] == 'n';
    struct check_question asked = {ring, assertions, text->count, integer, steps};
    enum check_outcome outcome = check_certificate(arena, &asked, certificate, why);
    if (ring_count(ring) != variables) {
        printf("the checker changed the ring\n");
        exit(1);
    }
    return outcome;
}

/* why NULL: verified; "?…": unchecked; else refuted with that text. */
struct row {
    const char *question, *certificate, *why;
};

/* Rows stand in a file of their own. */
static const struct row rows[] = {
#include "constraints_check.def"
};

static void row_check(struct check *check, const struct row *row)
{
    check_test(check);
    struct arena *arena = arena_new();
    const char *why = NULL, *expected = row->why ? row->why : "";
    enum check_outcome outcome = outcome_of(arena, row->question, row->certificate, 0, &why);
    enum check_outcome wanted = !row->why          ? CHECK_VERIFIED
                                : *expected == '?' ? CHECK_UNCHECKED
                                                   : CHECK_REFUTED;
    bool ok =
        outcome == wanted &&
        (outcome == CHECK_VERIFIED ? !why : why && strstr(why, expected + (*expected == '?')));
    check_that(check, ok, "%s\n  %s\n  outcome %d (%s), wanted %d (%s)", row->question,
               row->certificate, outcome, why ? why : "", wanted, expected);
    arena_free(arena);
}

/* With every budget the answer is verified or unchecked, and with enough of it verified. */
static void budgets_check(struct check *check, const struct row *row)
{
    check_test(check);
    bool verified = false;
    for (uint64_t steps = 1; steps < 10000000 && !row->why; steps = steps * 3 / 2 + 1) {
        struct arena *arena = arena_new();
        const char *why = NULL;
        enum check_outcome outcome =
            outcome_of(arena, row->question, row->certificate, steps, &why);
        verified = outcome == CHECK_VERIFIED;
        if (!check_that(check, outcome != CHECK_REFUTED, "%s: refuted with %lu steps: %s",
                        row->certificate, (unsigned long)steps, why))
            steps = 10000000;
        arena_free(arena);
    }
    if (!row->why)
        check_that(check, verified, "%s: not verified with 10000000 steps", row->certificate);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row_check(&check, &rows[i]);
        budgets_check(&check, &rows[i]);
    }
    flint_cleanup();
    return check_end(&check, "constraints_check");
}
