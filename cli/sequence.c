/* Which loops of the source share the launches of leaves.

   In: a tree and its moves (optimizer/moves.h), perhaps values of its parameters. Out: for every
   leaf its words, as a polynomial and a number, the arrays that vanished, and for each launch the
   lines of the source that it runs and the arrays that it moves. */
#include "cli/sequence.h"
#include "base/vec.h"
#include "emit/json_moves.h"
#include <inttypes.h>
#include <string.h>

/* "lines 10-12, 14" */
static void lines_print(struct str *out, const struct launch_moves *launch)
{
    str_add(out, launch->n_lines == 1 ? "line" : "lines");
    for (size_t i = 0; i < launch->n_lines; i++) {
        size_t last = i;
        while (last + 1 < launch->n_lines && launch->lines[last + 1] == launch->lines[last] + 1)
            last++;
        str_addf(out, "%s%u", i ? ", " : " ", launch->lines[i]);
        if (last > i)
            str_addf(out, "-%u", launch->lines[last]);
        i = last;
    }
}

/* "; reads A m*n, p n": one direction of a launch. */
static void moves_print(struct str *out, const struct launch_moves *launch, bool writes)
{
    const char *before = writes ? "; writes " : "; reads ";
    for (size_t i = 0; i < launch->n_moves; i++) {
        const struct launch_move *move = &launch->moves[i];
        if (writes ? !move->is_written : !move->is_read)
            continue;
        const char *words = move->words ? poly_text(out->arena, move->words) : "?";
        str_addf(out, "%s%s", before, move->name);
        if (!move->is_partial)
            str_addf(out, " %s", words);
        before = ", ";
    }
}

/* Does the polynomial have a value at the point? */
static bool words_value(const struct poly *words, const int64_t *point, int64_t *value)
{
    return words && point && poly_evaluate(words, point, value);
}

void sequence_print(struct str *out, const struct leaf_moves *moves, size_t n_launches,
                    const int64_t *point, int indent)
{
    int64_t value;
    str_addf(out, "moves at most %s",
             moves->words ? poly_text(out->arena, moves->words) : "an unknown number of");
    if (words_value(moves->words, point, &value))
        str_addf(out, " = %" PRId64, value);
    str_add(out, " words of 4 bytes");
    for (size_t i = 0; i < moves->n_vanished; i++)
        str_addf(out, "%s%s", i ? ", " : "; without memory: ", moves->vanished[i]);
    str_char(out, '\n');
    for (size_t i = 0; i < n_launches; i++) {
        str_indent(out, indent);
        str_addf(out, "launch %zu: ", i + 1);
        lines_print(out, &moves->launches[i]);
        moves_print(out, &moves->launches[i], false);
        moves_print(out, &moves->launches[i], true);
        str_char(out, '\n');
    }
}

static const char *sequence_text(struct arena *arena, const struct leaf_moves *moves,
                                 size_t n_launches, const int64_t *point)
{
    struct str out = str_new(arena);
    sequence_print(&out, moves, n_launches, point, 6);
    return out.text;
}

/* "leaf 1, 2: …": a leaf with its text, and all later leaves with the same text, whose texts are
   then dropped. */
static void leaves_print(struct str *out, const struct tree *tree, const char **texts,
                         size_t first)
{
    const char *text = texts[first];
    str_addf(out, "    leaf %d", tree->variants[first].id);
    for (size_t i = first + 1; i < tree->n_variants; i++)
        if (texts[i] && !strcmp(texts[i], text)) {
            str_addf(out, ", %d", tree->variants[i].id);
            texts[i] = NULL;
        }
    str_addf(out, ": %s", text);
}

void sequences_print(struct ctx *ctx, struct str *out, const struct tree *tree,
                     const int64_t *point, const bool *shown)
{
    const struct leaf_moves *moves = tree_moves(ctx, tree);
    const char **texts = ARENA_ARRAY(ctx->arena, const char *, tree->n_variants + 1);
    if (!moves)
        return;
    str_add(out, "  lines that share launches, and what these move:\n");
    for (size_t i = 0; i < tree->n_variants; i++)
        if (!shown || shown[tree->variants[i].id])
            texts[i] = sequence_text(ctx->arena, &moves[i], tree->variants[i].n_launches, point);
    for (size_t i = 0; i < tree->n_variants; i++)
        if (texts[i])
            leaves_print(out, tree, texts, i);
}

static cJSON *sequence_json(struct arena *arena, const struct variant *variant,
                            const struct leaf_moves *moves, const int64_t *point)
{
    cJSON *object = leaf_moves_json(arena, moves);
    int64_t value;
    cJSON_AddNumberToObject(object, "leaf", variant->id);
    if (words_value(moves->words, point, &value))
        cJSON_AddNumberToObject(object, "value", (double)value);
    cJSON *launches = cJSON_AddArrayToObject(object, "launches");
    for (size_t i = 0; i < variant->n_launches; i++)
        cJSON_AddItemToArray(launches, launch_moves_json(arena, &moves->launches[i]));
    return object;
}

const char *sequences_json(struct ctx *ctx, const struct tree *tree, const int64_t *point)
{
    const struct leaf_moves *moves = tree_moves(ctx, tree);
    cJSON *list = moves ? cJSON_CreateArray() : NULL;
    if (!list)
        return NULL;
    for (size_t i = 0; i < tree->n_variants; i++)
        cJSON_AddItemToArray(list, sequence_json(ctx->arena, &tree->variants[i], &moves[i], point));
    char *text = cJSON_PrintUnformatted(list);
    const char *copy = arena_strdup(ctx->arena, text);
    cJSON_free(text);
    cJSON_Delete(list);
    return copy;
}
