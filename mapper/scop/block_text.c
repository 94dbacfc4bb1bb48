/* The accesses that block a loop, in words and with numbers.

   In: a pair of accesses (block.c). Out: a line that names both, and one with two iterations that
   meet at an element. */
#include "mapper/scop/block.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

const char *access_text(const struct scop *scop, const struct scop_access *access)
{
    const struct ast *ast = access->ast;
    struct str out = str_new(scop->arena);
    if (!access->array->n_dims || !ast->end)
        return access->array->name;
    for (size_t i = ast->begin; i < ast->end; i++) {
        char c = scop->unit->source->text[i];
        if (!isspace((unsigned char)c))
            str_char(&out, c);
        else if (out.length && out.text[out.length - 1] != ' ')
            str_char(&out, ' ');
    }
    return out.text;
}

static unsigned access_line(const struct scop_access *access)
{
    return loc_line(access->ast->loc);
}

/* "line 7 writes C[i][j], which a later iteration reads" */
const char *block_text(const struct scop *scop, const struct block *block)
{
    static const char *const words[][2] = {{"writes", "a later iteration reads"},
                                           {"writes", "a later iteration writes again"},
                                           {"reads", "a later iteration overwrites"},
                                           {"writes", "is read behind the loop"}};
    const char *first = access_text(scop, block->first);
    const char *second = access_text(scop, block->second);
    bool same = access_line(block->first) == access_line(block->second);
    struct str out = str_new(scop->arena);
    str_addf(&out, "line %u %s%s %s, which %s", access_line(block->first),
             block->first->is_may ? "perhaps " : "", words[block->kind][0], first,
             words[block->kind][1]);
    if (strcmp(first, second) != 0)
        str_addf(&out, " as %s", second);
    if (!same)
        str_addf(&out, " in line %u", access_line(block->second));
    return out.text;
}

static int64_t affine_value(const struct affine *form, const int64_t *values)
{
    int64_t sum = form->constant;
    for (int i = 0; i < form->n_terms; i++)
        sum += form->terms[i].factor * values[form->terms[i].symbol];
    return sum;
}

/* "C[0][2]"; a subscript that is known on one side only is taken from there. */
static const char *example_element(const struct scop *scop, const struct block *block,
                                   const struct block_example *example)
{
    struct str out = str_new(scop->arena);
    str_add(&out, block->first->array->name);
    for (int i = 0; i < block->first->array->n_dims; i++) {
        if (block->first->is_affine[i])
            str_addf(&out, "[%" PRId64 "]",
                     affine_value(&block->first->subscripts[i], example->first));
        else if (block->second->is_affine[i])
            str_addf(&out, "[%" PRId64 "]",
                     affine_value(&block->second->subscripts[i], example->second));
        else
            str_add(&out, "[?]");
    }
    return out.text;
}

/* "i = 0, k = 1" */
static void print_iteration(struct str *out, const struct scop_stmt *stmt, const int64_t *values)
{
    for (int i = 0; i < stmt->depth; i++)
        str_addf(out, "%s%s = %" PRId64, i ? ", " : "", stmt->loops[i]->name,
                 values[stmt->loops[i]->symbol]);
}

static bool is_unknown_element(const struct block *block)
{
    for (int i = 0; i < block->first->array->n_dims; i++)
        if (!block->first->is_affine[i] || !block->second->is_affine[i])
            return true;
    return false;
}

/* "with n = 2: i = 0 writes a[0], and i = 1 reads it" */
void block_example_print(struct str *out, struct scop *scop, const struct block *block)
{
    static const char *const verbs[][2] = {
        {"writes", "reads"}, {"writes", "writes"}, {"reads", "overwrites"}, {"writes", "reads"}};
    struct block_example example;
    if (!example_find(scop, block, &example)) {
        str_add(out, "    no two iterations were found by numbers\n");
        return;
    }
    const char *before = "    with ";
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].param >= 0) {
            str_addf(out, "%s%s = %" PRId64, before, scop->symbols.at[i].text, example.first[i]);
            before = ", ";
        }
    str_add(out, before[0] == ',' ? ": " : "    ");
    print_iteration(out, block->from, example.first);
    str_addf(out, " %s%s %s, and ", block->first->is_may ? "perhaps " : "",
             verbs[block->kind][0], example_element(scop, block, &example));
    print_iteration(out, block->to, example.second);
    str_addf(out, " %s%s it\n",
             block->second->is_may || is_unknown_element(block) ? "perhaps " : "",
             verbs[block->kind][1]);
}

void block_print(struct str *out, struct scop *scop, const struct block *block)
{
    str_addf(out, "  %s\n", block_text(scop, block));
    block_example_print(out, scop, block);
}
