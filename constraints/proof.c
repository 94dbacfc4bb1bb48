/* Proofs as the text of docs/certificates.md. In: the tree of cases that the search left behind;
   out: one certificate, or NULL where a part of it is not found within the budget. A conflict is
   first made small (each member is tried to be left out), then proved by products of its
   constraints, else by a covering recorded for it. Numbers are given while printing, since a
   refutation may have been hoisted out of the cases in which it was found. */
#include "base/vec.h"
#include "constraints/product/product.h"
#include "constraints/ring.h"
#include "constraints/search.h"

struct printer {
    struct search *search;
    struct str out;
    struct hypotheses path;   /* as the checker numbers them here */
};

static void path_push(struct printer *p, struct hypothesis *h)
{
    h->number = p->path.count;
    p->path.at = vec_reserve(p->search->arena, p->path.at, p->path.count, &p->path.capacity,
                             sizeof *p->path.at);
    p->path.at[p->path.count++] = h;
}

static bool covering_print(struct printer *p, struct hypothesis *const *members, size_t count)
{
    struct arena *arena = p->search->arena;
    const struct formula **formulas = ARENA_ARRAY(arena, const struct formula *, count + 1);
    size_t *numbers = ARENA_ARRAY(arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        formulas[i] = members[i]->negated ? formula_not(arena, members[i]->f) : members[i]->f;
        numbers[i] = members[i]->number;
    }
    struct engine_answer answer = coverings_ask(p->search, formulas, count, numbers);
    if (answer.truth || !answer.certificate)
        return false;
    str_add(&p->out, answer.certificate);
    return true;
}

/* Leaves out what the refutation does not need. */
static size_t conflict_reduce(struct printer *p, struct hypothesis **members, size_t count)
{
    struct constraint *at = ARENA_ARRAY(p->search->arena, struct constraint, count + 1);
    for (size_t left_out = count; left_out-- > 0;) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++)
            if (i != left_out)
                at[kept++] = members[i]->constraint;
        if (conjunction_decide(p->search, at, kept).verdict != SAS_EMPTY)
            continue;
        for (size_t i = left_out; i + 1 < count; i++)
            members[i] = members[i + 1];
        count--;
    }
    return count;
}

static bool conflict_print(struct printer *p, const struct proof *proof)
{
    struct arena *arena = p->search->arena;
    struct hypothesis **members = ARENA_ARRAY(arena, struct hypothesis *, proof->count + 1);
    for (size_t i = 0; i < proof->count; i++)
        members[i] = proof->members[i];
    if (proof->count == 1 && members[0]->f->kind != FORMULA_ATOM) {
        str_addf(&p->out, "(contradiction %zu)", members[0]->number);
        return true;
    }
    size_t count = conflict_reduce(p, members, proof->count);
    struct constraint *at = ARENA_ARRAY(arena, struct constraint, count + 1);
    size_t *numbers = ARENA_ARRAY(arena, size_t, count + 1);
    struct ring *view = ring_view(arena, p->search->ring);
    for (size_t i = 0; i < count; i++) {
        at[i] = (struct constraint){poly_view(view, members[i]->constraint.poly),
                                    members[i]->constraint.relation};
        numbers[i] = members[i]->number;
    }
    struct product_question question = {view, at, numbers, count, p->path.count};
    const char *product = product_certificate(arena, &question, &p->search->budget);
    if (product)
        str_add(&p->out, product);
    return product || covering_print(p, members, count);
}

static bool proof_print(struct printer *p, const struct proof *proof)
{
    if (proof->kind == PROOF_CONFLICT)
        return conflict_print(p, proof);
    if (proof->kind == PROOF_COVER)
        return covering_print(p, proof->members, proof->count);
    if (proof->kind == PROOF_CASES)
        str_addf(&p->out, "(cases %zu", proof->disjunction->number);
    else
        str_addf(&p->out, "(branch %s %lld", ring_name(p->search->ring, proof->variable),
                 (long long)proof->floor);
    size_t base = p->path.count;
    for (size_t i = 0; i < proof->count; i++) {
        for (size_t j = 0; j < proof->added[i].count; j++)
            path_push(p, proof->added[i].at[j]);
        str_char(&p->out, ' ');
        bool printed = proof_print(p, proof->branches[i]);
        p->path.count = base;
        if (!printed)
            return false;
    }
    str_char(&p->out, ')');
    return true;
}

const char *refutation_text(struct search *search, const struct hypotheses *roots,
                            const struct proof *proof)
{
    struct printer p = {search, str_new(search->arena), {0}};
    for (size_t i = 0; i < roots->count; i++)
        path_push(&p, roots->at[i]);
    str_add(&p.out, "(unsat ");
    if (!proof_print(&p, proof))
        return NULL;
    str_char(&p.out, ')');
    return p.out.text;
}

const char *witness_text(struct arena *arena, const struct ring *ring,
                         const struct witness *witness)
{
    struct str out = str_new(arena);
    str_add(&out, "(sat");
    for (size_t v = 0; v < witness->count; v++) {
        const struct algebraic *number = witness->algebraic ? witness->algebraic[v] : NULL;
        str_addf(&out, " (%s ", ring_name(ring, (int)v));
        if (number)
            str_addf(&out, "(root \"%s\" %s %s)", number->polynomial, number->lo, number->hi);
        else if (witness->denominator[v] == 1)
            str_addf(&out, "%lld", (long long)witness->numerator[v]);
        else
            str_addf(&out, "%lld/%lld", (long long)witness->numerator[v],
                     (long long)witness->denominator[v]);
        str_char(&out, ')');
    }
    str_char(&out, ')');
    return out.text;
}
