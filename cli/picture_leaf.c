/* One leaf in full (`treefork tree --leaf K`), and its kernel beside that of the first leaf, which
   the tree takes where nothing is refused. */
#include "cli/picture.h"
#include "cli/sequence.h"
#include "emit/device.h"
#include "emit/names.h"
#include "base/vec.h"
#include <string.h>

/* --- lines that differ ------------------------------------------------------------------------ */

typedef VEC(const char *) line_list;

static line_list lines_of(struct arena *arena, const char *text)
{
    line_list lines = {0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        vec_push(arena, &lines, arena_strndup(arena, text, length));
        text += length + (text[length] == '\n');
    }
    return lines;
}

/* longest[i * (m + 1) + k]: how many lines two texts have in common from lines i and k on. */
static unsigned *common_lengths(struct arena *arena, const line_list *a, const line_list *b)
{
    size_t n = a->count, m = b->count;
    unsigned *longest = ARENA_ARRAY(arena, unsigned, (n + 1) * (m + 1));
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            unsigned below = longest[(i + 1) * (m + 1) + k], beside = longest[i * (m + 1) + k + 1];
            unsigned best = below > beside ? below : beside;
            if (strcmp(a->at[i], b->at[k]) == 0)
                best = longest[(i + 1) * (m + 1) + k + 1] + 1;
            longest[i * (m + 1) + k] = best;
        }
    return longest;
}

/* One line of the difference: ' ', '-' or '+'. */
struct diff_line {
    char sign;
    const char *text;
};
typedef VEC(struct diff_line) diff_list;

static diff_list diff_make(struct arena *arena, const line_list *a, const line_list *b)
{
    const unsigned *longest = common_lengths(arena, a, b);
    size_t i = 0, k = 0, m = b->count;
    diff_list lines = {0};
    while (i < a->count || k < m) {
        bool both = i < a->count && k < m, same = both && strcmp(a->at[i], b->at[k]) == 0;
        bool is_old = i < a->count &&
                      (k == m || longest[(i + 1) * (m + 1) + k] >= longest[i * (m + 1) + k + 1]);
        struct diff_line line = {'+', k < m ? b->at[k] : NULL};
        if (same || is_old)
            line = (struct diff_line){same ? ' ' : '-', a->at[i]};
        k += same || !is_old;
        i += same || is_old;
        vec_push(arena, &lines, line);
    }
    return lines;
}

/* Is there a difference at most so many lines away? */
static bool is_near(const diff_list *lines, size_t at)
{
    enum { AROUND = 2 };
    size_t first = at > AROUND ? at - AROUND : 0;
    for (size_t i = first; i < lines->count && i <= at + AROUND; i++)
        if (lines->at[i].sign != ' ')
            return true;
    return false;
}

void lines_diff(struct str *out, const char *before, const char *after,
                const struct picture_style *style)
{
    struct arena *scratch = arena_new();
    line_list a = lines_of(scratch, before), b = lines_of(scratch, after);
    diff_list lines = diff_make(scratch, &a, &b);
    bool skipped = false;
    for (size_t i = 0; i < lines.count; i++) {
        const char *colour = lines.at[i].sign == '-' ? "\033[31m" : "\033[32m";
        bool paints = style->colour && lines.at[i].sign != ' ';
        if (!is_near(&lines, i)) {
            skipped = true;
            continue;
        }
        str_add(out, skipped ? "  ...\n" : "");
        skipped = false;
        str_addf(out, "%s%c %s%s\n", paints ? colour : "", lines.at[i].sign, lines.at[i].text,
                 paints ? "\033[0m" : "");
    }
    arena_free(scratch);
}

/* --- the leaf --------------------------------------------------------------------------------- */

/* The CUDA C of one launch, under the region's name, whatever its number. */
static const char *launch_text(struct ctx *ctx, const struct tree *tree,
                               const struct launch *launch)
{
    struct str out = str_new(ctx->arena);
    struct device device = {.arena = ctx->arena,
                            .out = &out,
                            .dialect = &dialect_cuda,
                            .kernel = launch->kernel,
                            .step = "    "};
    device_kernel(&device, tree->region->name);
    return out.text;
}

static const char *kernel_text(struct ctx *ctx, const struct tree *tree,
                               const struct variant *variant)
{
    struct str out = str_new(ctx->arena);
    for (size_t i = 0; i < variant->n_launches; i++)
        str_add(&out, launch_text(ctx, tree, &variant->launches[i]));
    return out.text;
}

static void counters_print(struct str *out, const struct variant *variant)
{
    str_add(out, "\ncounters\n");
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_result *result = &variant->counters[i];
        const struct counter_value *value = &result->value;
        str_addf(out, "  %s, %s:", counter_words(result->counter->name), result->counter->unit);
        if (value->count == 0)
            str_addf(out, " unknown (%s)", value->reason ? value->reason : "not evaluated");
        for (size_t k = 0; k < value->count && k < 1; k++) {
            const struct counter_piece *piece = &value->pieces[k];
            str_addf(out, " %s", poly_text(out->arena, piece->numerator));
            if (piece->denominator)
                str_addf(out, " divided by %s", poly_text(out->arena, piece->denominator));
            str_addf(out, " (%s)", exactness_name(piece->exactness));
        }
        if (value->count > 1)
            str_addf(out, ", and %zu more (--reported)", value->count - 1);
        str_char(out, '\n');
    }
}

/* Does the variable stand in a case of the leaf, or in what it needs to run? */
static bool variant_speaks_of(const struct tree *tree, const struct variant *variant, int variable)
{
    bool used = sas_uses(variant->fits, variable);
    for (size_t i = 0; i < variant->n_systems; i++)
        used |= sas_uses(variant->systems[i].minimal, variable);
    for (size_t i = 0; i < tree->n_auxiliaries; i++) {
        int other = tree->auxiliaries[i]->variable;
        used |= other != variable && auxiliary_uses(tree->auxiliaries[i], variable) &&
                variant_speaks_of(tree, variant, other);
    }
    return used;
}

bool picture_leaf(struct ctx *ctx, struct str *out, const struct tree *tree, int id,
                  const struct picture_style *style)
{
    const struct variant *found = NULL, *first = &tree->variants[0];
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].id == id)
            found = &tree->variants[i];
    if (!found)
        return false;
    str_addf(out, "%s, ", tree->region->name);
    picture_variant(out, tree, found, style, NULL);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (variant_speaks_of(tree, found, tree->auxiliaries[i]->variable))
            str_addf(out, "  where %s = %s\n", tree->auxiliaries[i]->name,
                     tree->auxiliaries[i]->text);
    const struct leaf_moves *moves = tree_moves(ctx, tree);
    str_add(out, moves ? "\n" : "");
    if (moves)
        sequence_print(out, &moves[found - tree->variants], found->n_launches, NULL, 2);
    counters_print(out, found);
    const char *text = kernel_text(ctx, tree, found);
    str_addf(out, "\nkernel, in CUDA C\n%s", text);
    if (found == first)
        return true;
    str_addf(out, "\nwhat differs from leaf %d (%s)\n", first->id,
             "the base kernel: the one that is taken where nothing is refused");
    lines_diff(out, kernel_text(ctx, tree, first), text, style);
    return true;
}
