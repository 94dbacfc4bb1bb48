/* Covering proofs (docs/certificates.md). In: cells as the search finds them; out: the text of a
   proof. What a proof needs of a cell is copied into the arena of the question, since the cell goes
   when its level is left; proofs of cells that no covering takes stay behind unused. */
#include "constraints/cover/search.h"
#include "base/vec.h"
#include <string.h>

struct number {
    bool infinite;
    const char *value;       /* rational, or NULL: */
    int polynomial;
    size_t index;
};

struct proof {
    const struct proof *next;
    struct number value, lo, hi;
    int hypothesis;
    struct set set;          /* whose signs make the hypothesis false */
    const struct proof *below;
    bool contradiction;
};

static struct number number_of_bound(const struct bound *bound)
{
    if (!bound->end)
        return (struct number){.infinite = true};
    return (struct number){.polynomial = bound->polynomial, .index = bound->index};
}

static struct number number_of_place(struct search *s, const struct place *place)
{
    if (place->end)
        return (struct number){.polynomial = place->end->polynomial, .index = place->end->index};
    char *text = fmpq_get_str(NULL, 10, place->value);
    struct number number = {.value = arena_strdup(s->arena, text)};
    flint_free(text);
    return number;
}

const struct proof *proof_cell(struct search *s, const struct place *place, const struct cell *cell,
                               int hypothesis, const struct proof *below)
{
    struct proof *proof = ARENA_NEW(s->arena, struct proof);
    proof->value = number_of_place(s, place);
    proof->lo = number_of_bound(&cell->lo);
    proof->hi = number_of_bound(&cell->hi);
    proof->hypothesis = hypothesis;
    proof->below = below;
    if (hypothesis >= 0)
        proof->set = set_make(s->arena, cell->set.at, cell->set.count);
    return proof;
}

const struct proof *proof_contradiction(struct search *s, size_t hypothesis)
{
    struct proof *proof = ARENA_NEW(s->arena, struct proof);
    proof->contradiction = true;
    proof->hypothesis = (int)hypothesis;
    return proof;
}

const struct proof *proof_list(struct search *s, struct cell **cells, size_t count)
{
    const struct proof *list = NULL;
    for (size_t i = count; i-- > 0;) {
        struct proof *proof = ARENA_NEW(s->arena, struct proof);
        *proof = *cells[i]->proof;
        proof->next = list;
        list = proof;
    }
    return list;
}

/* --- text ------------------------------------------------------------------------------------ */

struct writer {
    struct search *s;
    struct str *out;
    int *numbers;            /* by polynomial, number in the list + 1 */
    VEC(int) listed;
};

/* As the caller numbers it. */
static size_t covering_hypothesis(const struct search *s, size_t hypothesis)
{
    return s->numbers ? s->numbers[hypothesis] : hypothesis;
}

static int listed_number(struct writer *w, int polynomial)
{
    if (!w->numbers[polynomial]) {
        vec_push(w->out->arena, &w->listed, polynomial);
        w->numbers[polynomial] = (int)w->listed.count;
    }
    return w->numbers[polynomial] - 1;
}

static void write_number(struct writer *w, const struct number *number, const char *infinite)
{
    if (number->infinite)
        str_addf(w->out, " %s", infinite);
    else if (number->value)
        str_addf(w->out, " %s", number->value);
    else
        str_addf(w->out, " (root %d %zu)", listed_number(w, number->polynomial), number->index);
}

static void write_cells(struct writer *w, const struct proof *proof, int depth)
{
    for (; proof; proof = proof->next) {
        str_char(w->out, '\n');
        str_indent(w->out, depth);
        str_add(w->out, "(cell");
        write_number(w, &proof->value, "");
        write_number(w, &proof->lo, "-oo");
        write_number(w, &proof->hi, "oo");
        if (proof->hypothesis >= 0) {
            str_addf(w->out, " (false %zu", covering_hypothesis(w->s, (size_t)proof->hypothesis));
            for (size_t i = 0; i < proof->set.count; i++)
                str_addf(w->out, " %d", listed_number(w, proof->set.at[i]));
            str_add(w->out, "))");
            continue;
        }
        str_add(w->out, " (below");
        write_cells(w, proof->below, depth + 1);
        str_add(w->out, "))");
    }
}

static void write_polynomial(struct search *s, struct str *out, int number)
{
    struct arena *scratch = arena_new();
    str_char(out, '"');
    poly_print(out, table_poly(s->table, scratch, engine_ring(s->engine), number));
    str_char(out, '"');
    arena_free(scratch);
}

const char *covering_text(struct search *s, struct arena *arena, const struct proof *top,
                          const uint64_t *origins)
{
    struct str body = str_new(arena), text = str_new(arena);
    struct writer w = {.s = s, .out = &body, .numbers = ARENA_ARRAY(arena, int, s->table->count)};
    if (top && top->contradiction)
        return arena_printf(arena, "(contradiction %zu)",
                            covering_hypothesis(s, (size_t)top->hypothesis));
    write_cells(&w, top, 1);
    str_add(&text, "(cover (variables");
    for (size_t l = 0; l < s->levels; l++)
        str_addf(&text, " %s", ring_name(engine_ring(s->engine), s->level[l].variable));
    str_add(&text, ") (use");
    for (size_t h = 0; h < s->hypothesis_count; h++)
        if (origins[h / 64] >> h % 64 & 1)
            str_addf(&text, " %zu", covering_hypothesis(s, h));
    str_add(&text, ")\n (polynomials");
    for (size_t i = 0; i < w.listed.count; i++) {
        str_char(&text, ' ');
        write_polynomial(s, &text, w.listed.at[i]);
    }
    str_char(&text, ')');
    str_add_n(&text, body.text, body.length);
    str_char(&text, ')');
    return text.text;
}
