/* Covering proofs; docs/certificates.md has the argument why what is checked suffices. In: the text
   of a covering; out: verified or not. Cells are checked from the innermost outwards: every list of
   cells yields the polynomials, in the variables before its own, on whose signs it rests, and the
   cell around it must not contain a root of them. Nothing of the text is believed: bounds and
   samples are computed from polynomials and indices, projections from the cells below. */
#include "constraints/check/checker.h"

/* Polynomials, each once. */
struct set {
    VEC(const struct item *) at;
};

struct cover {
    struct checker *checker;
    int order[RING_CAPACITY];       /* variables by level */
    size_t levels;
    const struct text *polynomials; /* the head's list */
    size_t loose;                   /* reasons so far with a hypothesis that is not strict */
    struct point point;             /* samples of the enclosing cells */
    struct set listed;              /* the factors on whose signs a cell rests */
};

/* The cells of one list lie on a line: over the point, in one variable. What was computed of it
   stays. */
struct line {
    struct cover *cover;
    struct checker *checker;
    int variable;
    struct map *roots;      /* struct roots by item */
    struct set known;       /* items that are projected */
    struct set *out;
};

/* Infinite if there is no number; a rational sample has no item. */
struct end {
    const struct item *item;
    const qqbar_struct *number;
};

struct cell {
    const struct text *text;
    struct end sample, lower, upper;
    bool section, below, strict;    /* strict: every hypothesis used is, so that their solutions are
                                       open */
    struct set set;
};

static bool set_has(const struct set *set, const struct item *item)
{
    size_t i = 0;
    while (i < set->at.count && set->at.at[i] != item)
        i++;
    return i < set->at.count;
}

/* Adds the irreducible factors. */
static bool set_add(struct checker *checker, struct set *set, const struct item *item)
{
    if (!item || !item_factor(checker, item))
        return false;
    for (size_t i = 0; i < item->factor_count; i++)
        if (!set_has(set, item->factors[i]))
            vec_push(checker->arena, &set->at, item->factors[i]);
    return checker_step(checker, item->factor_count * set->at.count);
}

/* Over the point; an item free of the line's variable has degree 0, or -1 if it is zero there. */
static const struct roots *line_roots(struct line *line, const struct item *item)
{
    struct roots *roots = map_get_pointer(line->roots, item);
    if (roots)
        return roots;
    roots = ARENA_NEW(line->checker->arena, struct roots);
    map_put_pointer(line->roots, item, roots);
    return point_roots(&line->cover->point, item->p, line->variable, roots) ? roots : NULL;
}

/* POLY or its number; its variables are set, or `variable`. */
static const struct item *item_read(struct cover *cover, struct text *text, int variable)
{
    size_t index;
    int sign;
    struct text *source = text_index(text, cover->polynomials->count - 1, &index)
                              ? cover->polynomials->at[index + 1]
                              : text;
    if (source->kind != TEXT_STRING)
        checker_refute(cover->checker, text,
                       "a polynomial in quotes or its number should stand here");
    const struct poly *p = source->item ? NULL : checker_poly(cover->checker, source);
    if (p)
        source->item = item_of(cover->checker, p, &sign);
    if (source->item && !point_sets(&cover->point, source->item, variable))
        checker_refute(cover->checker, text, "%s contains variables of inner cells",
                       source->item->text);
    return cover->checker->outcome == CHECK_VERIFIED ? source->item : NULL;
}

/* A root, the word for the infinite end, or, without such a word, a rational number. */
static bool end_read(struct line *line, const struct text *text, const char *infinite,
                     struct end *end)
{
    size_t index;
    if (infinite && text_is(text, infinite))
        return true;
    if (!infinite && text->kind != TEXT_LIST)
        return (end->number = checker_rational(line->checker, text)) != NULL;
    if (!text_begins(text, "root", 2, 2))
        return checker_refute(line->checker, text, "(root POLY INDEX) should stand here");
    end->item = item_read(line->cover, text->at[1], line->variable);
    const struct roots *roots = end->item ? line_roots(line, end->item) : NULL;
    if (!roots)
        return false;
    if (!text_index(text->at[2], roots->at.count + 1, &index) || !index)
        return checker_refute(line->checker, text, "%s has %zu real roots here", end->item->text,
                              roots->at.count);
    end->number = roots->at.at[index - 1];
    return true;
}

/* The sign of an atom's item from those of the listed factors. */
static int listed_sign(void *context, const struct item *item)
{
    const struct cover *cover = context;
    int sign = item->p->length ? 1 : 0;
    if (!item_factor(cover->checker, item))
        return UNKNOWN_SIGN;
    for (size_t i = 0; sign && i < item->factor_count; i++) {
        bool known = set_has(&cover->listed, item->factors[i]);
        int factor = known ? point_sign(&cover->point, item->factors[i]->p) : UNKNOWN_SIGN;
        if (!factor || factor == UNKNOWN_SIGN)
            sign = factor;
        else if (sign != UNKNOWN_SIGN && item->exponents[i] % 2)
            sign *= factor;
    }
    return sign;
}

/* (false H POLY...) */
static bool false_check(struct cover *cover, const struct text *text, struct set *set)
{
    struct checker *checker = cover->checker;
    struct hypothesis h;
    if (!hypothesis_read(checker, text->at[1], &h))
        return false;
    cover->loose += !hypothesis_strict(checker, h);
    for (size_t i = 2; i < text->count; i++)
        if (!set_add(checker, set, item_read(cover, text->at[i], -1)))
            return false;
    cover->listed = *set;
    int truth = hypothesis_truth(checker, h, listed_sign, cover);
    return !truth || checker_refute(checker, text, "the hypothesis is %s here",
                                    truth < 0 ? "not decided" : "true");
}

static bool list_check(struct cover *cover, const struct text *list, size_t first, struct set *out);

static bool reason_check(struct line *line, const struct text *text, struct cell *cell)
{
    if (text_begins(text, "false", 1, SIZE_MAX))
        return false_check(line->cover, text, &cell->set);
    cell->below = text_begins(text, "below", 1, SIZE_MAX);
    if (!cell->below || line->cover->point.count == line->cover->levels)
        return checker_refute(
            line->checker, text,
            "a reason is (false H POLY...) or, while variables are left, (below CELL...)");
    return list_check(line->cover, text, 1, &cell->set);
}

/* Where the end is: -1 before the number, 0 at it, 1 after; `infinite` if it is infinite. */
static int end_compare(const struct end *end, const qqbar_struct *number, int infinite)
{
    return end->number ? qqbar_cmp_re(end->number, number) : infinite;
}

/* No member of the cell's set may have a root in its interior. */
static bool cell_is_free(struct line *line, const struct cell *cell)
{
    for (size_t i = 0; !cell->section && i < cell->set.at.count; i++) {
        const struct roots *roots = line_roots(line, cell->set.at.at[i]);
        if (!roots || !checker_step(line->checker, roots->at.count))
            return false;
        for (size_t k = 0; k < roots->at.count; k++)
            if (end_compare(&cell->lower, roots->at.at[k], -1) < 0 &&
                end_compare(&cell->upper, roots->at.at[k], 1) > 0)
                return checker_refute(line->checker, cell->text, "%s has a root inside the cell",
                                      cell->set.at.at[i]->text);
    }
    return true;
}

static bool cell_check(struct line *line, const struct text *text, struct cell *cell)
{
    struct point *point = &line->cover->point;
    cell->text = text;
    if (!text_begins(text, "cell", 4, 4))
        return checker_refute(line->checker, text, "a cell is (cell SAMPLE LOWER UPPER REASON)");
    if (!checker_step(line->checker, 100) || !end_read(line, text->at[1], NULL, &cell->sample) ||
        !end_read(line, text->at[2], "-oo", &cell->lower) ||
        !end_read(line, text->at[3], "oo", &cell->upper))
        return false;
    const qqbar_struct *sample = cell->sample.number;
    int before = end_compare(&cell->lower, sample, -1),
        after = end_compare(&cell->upper, sample, 1);
    cell->section = !before && !after;
    if (!cell->section && (before >= 0 || after <= 0))
        return checker_refute(line->checker, text, "the sample is not in the cell");
    point_add(point, line->variable, sample);
    size_t loose = line->cover->loose;
    bool ok = reason_check(line, text->at[4], cell);
    cell->strict = line->cover->loose == loose;
    point->count--;
    return ok && cell_is_free(line, cell);
}

/* Does `right` begin before, or where, `left` ends? */
static bool neighbours_check(struct line *line, const struct cell *left, const struct cell *right)
{
    if (!left->upper.number || !right->lower.number)
        return true;
    int order = qqbar_cmp_re(left->upper.number, right->lower.number);
    if (order > 0 || (!order && (left->section || right->section || left->strict || right->strict)))
        return true;
    return checker_refute(line->checker, right->text,
                          order ? "there is a gap before the cell"
                                : "a number is missing before the cell");
}

/* The subresultants up to the first that is not zero over the point. */
static bool project_chain(struct line *line, struct reductum f, struct reductum g)
{
    for (slong k = 0, zero = 1; k < FLINT_MIN(f.degree, g.degree) && zero; k++) {
        const struct item *c = subresultant(line->checker, f, g, line->variable, k);
        if (!set_add(line->checker, line->out, c))
            return false;
        zero = !c->p->length;
        for (size_t i = 0; !zero && i < c->factor_count; i++) {
            const struct roots *roots = line_roots(line, c->factors[i]);
            if (!roots)
                return false;
            zero = roots->degree < 0;
        }
    }
    return true;
}

static bool project_pair(struct line *line, const struct item *f, const struct item *g)
{
    const struct roots *first = line_roots(line, f), *second = line_roots(line, g);
    if (!first || !second)
        return false;
    return f == g || project_chain(line, (struct reductum){f, first->degree, 0},
                                   (struct reductum){g, second->degree, 0});
}

/* Degree and number of roots stay what they are over the point. */
static bool project_item(struct line *line, const struct item *item)
{
    slong formal = item_degree(line->checker, item, line->variable);
    if (formal <= 0)
        return set_add(line->checker, line->out, item);
    if (set_has(&line->known, item))
        return true;
    vec_push(line->checker->arena, &line->known.at, item);
    const struct roots *roots = line_roots(line, item);
    for (slong k = formal; roots && k >= FLINT_MAX(roots->degree, 0); k--)
        if (!set_add(line->checker, line->out,
                     item_coefficient(line->checker, item, line->variable, k)))
            return false;
    if (!roots || roots->degree < 2)
        return roots;
    return project_chain(line, (struct reductum){item, roots->degree, 0},
                         (struct reductum){item, roots->degree - 1, 1});
}

/* Members with a root on the outer side of the bound, or at it, keep to that side. */
static bool project_bound(struct line *line, const struct cell *cell, const struct end *bound,
                          bool upper)
{
    if (bound->item && !project_item(line, bound->item))
        return false;
    for (size_t i = 0; bound->item && i < cell->set.at.count; i++) {
        const struct roots *roots = line_roots(line, cell->set.at.at[i]);
        if (!roots)
            return false;
        if (!roots->at.count)
            continue;
        int order = upper ? qqbar_cmp_re(bound->number, vec_last(&roots->at))
                          : qqbar_cmp_re(roots->at.at[0], bound->number);
        if (order <= 0 && !project_pair(line, bound->item, cell->set.at.at[i]))
            return false;
    }
    return true;
}

/* What the cell and its predecessor (NULL: none) rest on. */
static bool project(struct line *line, const struct cell *cell, const struct cell *before)
{
    const struct item *lower = cell->lower.item, *upper = cell->upper.item;
    for (size_t i = 0; i < cell->set.at.count; i++)
        if (!project_item(line, cell->set.at.at[i]))
            return false;
    return project_bound(line, cell, &cell->lower, false) &&
           project_bound(line, cell, &cell->upper, true) &&
           (!lower || !upper || !(cell->below || cell->section) ||
            project_pair(line, lower, upper)) &&
           (!lower || !before || !before->upper.item ||
            project_pair(line, before->upper.item, lower));
}

/* The cells of `list` from item `first` on, over the point; out: what they rest on. */
static bool list_check(struct cover *cover, const struct text *list, size_t first, struct set *out)
{
    struct checker *checker = cover->checker;
    struct line line = {.cover = cover,
                        .checker = checker,
                        .variable = cover->order[cover->point.count],
                        .roots = map_new(checker->arena),
                        .out = out};
    size_t count = list->count - first;
    struct cell *cells = ARENA_ARRAY(checker->arena, struct cell, count);
    for (size_t j = 0; j < count; j++)
        if (!cell_check(&line, list->at[first + j], &cells[j]) ||
            (j && !neighbours_check(&line, &cells[j - 1], &cells[j])))
            return false;
    if (!count || cells[0].lower.item || cells[count - 1].upper.item)
        return checker_refute(checker, list, "the cells do not reach from -oo to oo");
    for (size_t j = 0; cover->point.count && j < count; j++)
        if (!project(&line, &cells[j], j ? &cells[j - 1] : NULL))
            return false;
    return true;
}

static bool variables_read(struct cover *cover, const struct text *text)
{
    for (size_t i = 1; i < text->count; i++) {
        int variable = checker_variable(cover->checker, text->at[i]);
        for (size_t k = 0; k < cover->levels; k++)
            if (cover->order[k] == variable)
                checker_refute(cover->checker, text->at[i], "a variable stands twice");
        cover->order[cover->levels++] = variable;
    }
    return cover->checker->outcome == CHECK_VERIFIED;
}

bool cover_check(struct checker *checker, const struct text *proof)
{
    struct cover cover = {
        .checker = checker, .point = {.checker = checker}, .polynomials = proof->at[2]};
    struct set rest = {0};
    size_t at = 3;
    if (!text_begins(proof->at[1], "variables", 1, RING_CAPACITY) ||
        !text_begins(proof->at[2], "use", 0, SIZE_MAX))
        return checker_refute(checker, proof,
                              "a covering begins with (variables NAME...) (use H...)");
    if (at < proof->count && text_begins(proof->at[at], "polynomials", 0, SIZE_MAX))
        cover.polynomials = proof->at[at++];
    return variables_read(&cover, proof->at[1]) && list_check(&cover, proof, at, &rest);
}
