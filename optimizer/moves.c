/* In: a finished tree and a leaf. Out: for each launch the lines of the source whose stores it
   makes, the arrays that it reads from memory and writes, and their words; then the arrays that
   vanished. A box of an array that is read and written counts twice, as a launch moves it twice. */
#include "optimizer/moves.h"
#include "base/vec.h"
#include "ir/access/access.h"
#include "ir/walk.h"
#include <stdlib.h>
#include <string.h>

typedef VEC(unsigned) number_list;
typedef VEC(const char *) name_list;

static int unsigned_compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

/* Does a statement of the kernel stand at the place? */
static bool has_place(struct arena *arena, const struct kernel *kernel, struct loc place)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (s->loc.source == place.source && s->loc.line == place.line &&
            s->loc.column == place.column)
            return true;
    return false;
}

/* Does the kernel make sums in the array, or parts of them? */
static bool sums_in(const struct kernel *kernel, const struct array *array)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *own = kernel->arrays[i];
        const struct array *summed = own->is_partial ? own->origin : own;
        if (summed && strcmp(summed->name, array->name) == 0 && stmt_stores_to(kernel->body, own))
            return true;
    }
    return false;
}

/* The lines of those stores of the region that a launch makes. */
static void lines_find(struct arena *arena, const struct kernel *region,
                       const struct kernel *kernel, number_list *lines)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, region->body); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_STORE)
            continue;
        bool is_sum = stmt_accumulates_in(region->body, s->array);
        bool is_skipped = is_sum ? !sums_in(kernel, s->array) : !has_place(arena, kernel, s->loc);
        unsigned line = loc_origin(s->loc).line;
        for (size_t i = 0; i < lines->count && !is_skipped; i++)
            is_skipped = lines->at[i] == line;
        if (!is_skipped)
            vec_push(arena, lines, line);
    }
    if (lines->count)
        qsort(lines->at, lines->count, sizeof *lines->at, unsigned_compare);
}

/* Answers of a region that hold for all its launches. */
struct moves_search {
    struct ctx *ctx;
    const struct kernel *region;
    const struct poly **words;          /* an entry for each array; NULL as in launch_move */
};

/* 4-byte words of all elements of the array. */
static const struct poly *array_words(struct ctx *ctx, const struct kernel *region,
                                      const struct array *array)
{
    const struct expr *extent = access_extent(ctx, region, array);
    const struct poly *elements = extent ? expr_poly(region->ring, extent) : NULL;
    return elements ? poly_scale(elements, type_bytes(array->element), 4) : NULL;
}

/* --- a launch --------------------------------------------------------------------------------- */

typedef VEC(struct launch_move) move_list;

/* NULL where a move counts whose words no polynomial says. */
static const struct poly *moves_words(struct ring *ring, const move_list *moves)
{
    const struct poly *words = poly_integer(ring, 0);
    for (size_t i = 0; i < moves->count && words; i++) {
        const struct launch_move *move = &moves->at[i];
        int times = move->is_partial ? 0 : move->is_read + move->is_written;
        if (times)
            words = move->words ? poly_add(words, poly_scale(move->words, times, 1)) : NULL;
    }
    return words;
}

static struct launch_moves launch_moves_find(const struct moves_search *search,
                                       const struct kernel *kernel)
{
    struct arena *arena = search->ctx->arena;
    const struct kernel *region = search->region;
    struct array_moves *moved = ARENA_ARRAY(arena, struct array_moves, kernel->n_arrays + 1);
    number_list lines = {0};
    move_list moves = {0};
    access_moved(search->ctx, kernel, moved);
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_GLOBAL || (!moved[i].is_read && !moved[i].is_written))
            continue;
        struct launch_move move = {array->name, moved[i].is_read, moved[i].is_written,
                                   array->is_partial, i < region->n_arrays ? search->words[i]
                                                                           : NULL};
        vec_push(arena, &moves, move);
    }
    lines_find(arena, region, kernel, &lines);
    return (struct launch_moves){lines.count, lines.at, moves.count, moves.at,
                                 moves_words(region->ring, &moves)};
}

/* --- leaves ----------------------------------------------------------------------------------- */

static bool is_sequence(const struct tree *tree)
{
    const struct kernel *kernel = tree->region->kernel;
    int n_stored = 0;
    for (int i = 0; i < kernel->n_arrays; i++)
        n_stored += stmt_stores_to(kernel->body, kernel->arrays[i]);
    bool is_sequence = n_stored > 1 || kernel_accumulates(kernel);
    for (size_t i = 0; i < tree->n_variants; i++)
        is_sequence = is_sequence || tree->variants[i].n_launches > 1;
    return is_sequence;
}

static bool is_moved(const struct leaf_moves *moves, size_t n_launches, const char *name)
{
    for (size_t i = 0; i < n_launches; i++)
        for (size_t k = 0; k < moves->launches[i].n_moves; k++)
            if (strcmp(moves->launches[i].moves[k].name, name) == 0)
                return true;
    return false;
}

static struct leaf_moves leaf_moves_find(const struct moves_search *search,
                                   const struct variant *variant)
{
    struct arena *arena = search->ctx->arena;
    const struct kernel *region = search->region;
    struct launch_moves *launches = ARENA_ARRAY(arena, struct launch_moves, variant->n_launches);
    struct leaf_moves moves = {.launches = launches, .words = poly_integer(region->ring, 0)};
    name_list vanished = {0};
    for (size_t i = 0; i < variant->n_launches; i++) {
        launches[i] = launch_moves_find(search, variant->launches[i].kernel);
        moves.words = moves.words && launches[i].words
                          ? poly_add(moves.words, launches[i].words)
                          : NULL;
    }
    for (int i = 0; i < region->n_arrays; i++)
        if (stmt_stores_to(region->body, region->arrays[i]) &&
            !is_moved(&moves, variant->n_launches, region->arrays[i]->name))
            vec_push(arena, &vanished, region->arrays[i]->name);
    moves.n_vanished = vanished.count;
    moves.vanished = vanished.at;
    return moves;
}

const struct leaf_moves *tree_moves(struct ctx *ctx, const struct tree *tree)
{
    const struct kernel *region = tree->region->kernel;
    if (!is_sequence(tree))
        return NULL;
    struct moves_search search = {ctx, region,
                                  ARENA_ARRAY(ctx->arena, const struct poly *,
                                              region->n_arrays + 1)};
    struct leaf_moves *all = ARENA_ARRAY(ctx->arena, struct leaf_moves, tree->n_variants + 1);
    for (int i = 0; i < region->n_arrays; i++)
        search.words[i] = array_words(ctx, region, region->arrays[i]);
    for (size_t i = 0; i < tree->n_variants; i++)
        all[i] = leaf_moves_find(&search, &tree->variants[i]);
    return all;
}
