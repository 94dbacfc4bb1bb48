/* Running sums, whose value each round reads: `s += e; b[i] = s;`.

   In: loops in whose body one statement accumulates in a scalar, in an order that is free, and
   others read the scalar; or sums in elements, `x[i + 1] = x[i] + e`. Out: a block for each, which
   takes the place of the loop where the change pays (scop/extract.c). Chunks of the rounds are
   independent once it is known what each begins with:

       for (c = 0; c <= (n - 1) / 256; c++) {                   the sums of the chunks
           double s_part = 0;
           for (k = 0; k < 256; k++)
               if (256 * c + k < n)
                   s_part += e;                                with 256 * c + k for i
           s_parts[c] = s_part;
       }
       for (c = 0; c <= (n - 1) / 256; c++) {                   what each begins with
           double s_next = s + s_parts[c];
           s_parts[c] = s;
           s = s_next;
       }
       for (c = 0; c <= (n - 1) / 256; c++) {                   the source's rounds
           double s_part = s_parts[c];
           for (k = 0; k < 256; k++)
               if (256 * c + k < n) {
                   s_part += e;
                   b[256 * c + k] = s_part;
               }
       }

   The first loop computes e before the rounds store anything, so no round may read for e what
   another one, or an earlier statement of its own, has stored; scalars that the body declares are
   declared anew. */
#include "frontend/ask.h"
#include "frontend/behind.h"
#include "frontend/header.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/plan/scan.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sums.h"
#include "mapper/scop/walk.h"

/* --- reading ---------------------------------------------------------------------------------- */

/* Reads `for (i = start; i < bound; i++)` or its like with `<=` around a block. */
static bool header_is_plain(struct scan_loop *s)
{
    const struct ast *ast = s->loop->ast;
    struct header_comparison c;
    bool plain = !ast->is_macro && header_count(ast, 0) == 1 && header_count(ast, 2) == 1 &&
                 s->loop->step == 1 && s->loop->n_limits == 1 && !s->loop->is_shifted &&
                 scan_body(s);
    if (!plain || !ast->children[1] ||
        !header_compares(ast_strip(ast->children[1]), s->loop->iterator, &c))
        return false;
    s->start = value_given(header_at(ast, 0, 0), s->loop->iterator);
    if (!s->start)
        s->start = value_given(ast->children[0], s->loop->iterator);
    s->bound = c.bound;
    s->is_strict = c.op == AST_OP_LT;
    return s->start && !c.plus && (c.op == AST_OP_LT || c.op == AST_OP_LE) &&
           s->bound->type && s->bound->type->class == s->loop->iterator->type->class &&
           !ast_is_read_behind(s->scop->fragment->body, ast, ast, s->loop->iterator);
}

/* Are there chunks enough, if numbers alone bound the loop? */
static bool may_have_chunks(const struct scan_loop *s)
{
    const struct affine *limit = &s->loop->limits[0];
    return limit->n_terms || limit->constant > CHUNKS_LEAST * CHUNK_ROUNDS;
}

static bool is_in_loop(const struct scan_loop *s, const struct scop_stmt *stmt)
{
    for (int i = 0; i < stmt->depth; i++)
        if (stmt->loops[i] == s->loop)
            return true;
    return false;
}

/* The only statement of the loop that writes the scalar, if it accumulates there and others read
   the scalar; else NULL. */
static const struct scop_stmt *accumulation_of(const struct scan_loop *s,
                                               const struct scop_array *sum)
{
    struct access_walk walk;
    const struct scop_stmt *found = NULL;
    bool is_read = false, good = true;
    for (const struct scop_access *access = access_first(&walk, s->scop, sum); access;
         access = access_next(&walk)) {
        if (!is_in_loop(s, walk.stmt))
            continue;
        bool sums = access->reduction != REDUCE_NONE;
        good &= sums ? !found || found == walk.stmt : !access->is_write;
        found = sums ? walk.stmt : found;
        is_read |= !sums;
    }
    return good && is_read ? found : NULL;
}

/* The number of the body's statement that a statement of the scop is; -1: it stands deeper. */
static int place_in_body(const struct scan_loop *s, const struct ast *ast)
{
    for (int i = 0; i < scan_count(s); i++)
        if (scan_at(s, i) == ast)
            return i;
    return -1;
}

/* May the write have stored what the other statement reads, in the same round or in one before? */
static bool stores_before(const struct scan_loop *s, const struct scop_stmt *writer,
                          const struct scop_access *write, const struct scop_stmt *reader,
                          const struct scop_access *read)
{
    int last = shared_loops(writer, reader) + (writer->id < reader->id);
    bool stores = false;
    for (int level = s->loop->depth + 1; level <= last && !stores; level++) {
        isl_map *pairs = scop_pairs(writer, write, reader, read, level);
        stores = isl_map_is_empty(pairs) != isl_bool_true;
        isl_map_free(pairs);
    }
    return stores;
}

/* May a round, before the statement or earlier, have stored what the statement reads? */
static bool reads_what_is_stored(struct scan_loop *s, const struct scop_stmt *reader)
{
    for (size_t i = 0; i < reader->accesses.count; i++) {
        const struct scop_access *read = &reader->accesses.at[i];
        struct access_walk walk;
        if (read->is_write || read->ast == s->before || (!s->element && read->array == s->sum))
            continue;
        for (const struct scop_access *write = access_first(&walk, s->scop, read->array); write;
             write = access_next(&walk)) {
            bool stores = write->is_write && is_in_loop(s, walk.stmt);
            int at = stores ? place_in_body(s, walk.stmt->ast) : -1;
            if (stores && (at < 0 || !s->is_needed[at]) &&
                stores_before(s, walk.stmt, write, reader, read))
                return true;
        }
    }
    return false;
}

/* The statement of the scop that a node is; NULL: none. */
static const struct scop_stmt *stmt_of(const struct scan_loop *s, const struct ast *ast)
{
    for (size_t i = 0; i < s->scop->stmts.count; i++)
        if (s->scop->stmts.at[i]->ast == ast && is_in_loop(s, s->scop->stmts.at[i]))
            return s->scop->stmts.at[i];
    return NULL;
}

/* Marks the declarations before the statement at `before` that a node needs; false if a first pass
   cannot repeat one of them. */
static bool declarations_need(struct scan_loop *s, const struct ast *ast, int before)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk)) {
        int i = n->kind == AST_REF ? 0 : before;
        while (i < before && (scan_at(s, i)->kind != AST_DECLARE ||
                              !ast_declares(scan_at(s, i), n->decl)))
            i++;
        if (i == before || s->is_needed[i])
            continue;
        s->is_needed[i] = true;
        if ((!s->element && ast_mentions(scan_at(s, i), s->sum->decl)) ||
            !declarations_need(s, scan_at(s, i), i))
            return false;
    }
    return true;
}

/* Can the first pass compute what the statement adds? */
static bool sum_is_repeatable(struct scan_loop *s)
{
    s->is_needed = ARENA_ARRAY(s->arena, bool, scan_count(s) + 1);
    for (int i = 0; i < scan_count(s); i++)
        s->is_needed[i] = false;
    if (!declarations_need(s, s->stmt->ast, s->at) ||
        reads_what_is_stored(s, s->stmt))
        return false;
    for (int i = 0; i < s->at; i++) {
        const struct scop_stmt *stmt = s->is_needed[i] ? stmt_of(s, scan_at(s, i)) : NULL;
        if (stmt && reads_what_is_stored(s, stmt))
            return false;
    }
    return true;
}

/* May parts of the sum be joined, by the operator's own result or on the programmer's word? */
static bool sum_joins(const struct scan_loop *s)
{
    return sum_is_exact(s->sum, s->reduction) ||
           (s->reduction == REDUCE_ADD && s->scop->ctx->reassociates);
}

/* Does the statement write nothing but the scalar, and by an operator that joins parts? */
static bool stmt_is_sum(struct scan_loop *s)
{
    const struct scop_stmt *stmt = s->stmt;
    s->reduction = REDUCE_NONE;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        if (access->is_write && access->array != s->sum)
            return false;
        if (access->array == s->sum)
            s->reduction = access->reduction;
    }
    return s->reduction != REDUCE_NONE && sum_joins(s);
}

/* --- elements --------------------------------------------------------------------------------- */

/* Is the expression the other element's array at one subscript less? */
static bool is_element_before(const struct scan_loop *s, const struct ast *ast,
                              const struct ast *element)
{
    int64_t at, before;
    ast = ast_strip(ast);
    return ast->kind == AST_INDEX && ast_equal(ast->children[0], element->children[0]) &&
           side_counts(ast_strip(element->children[1]), s->loop->iterator, &at) &&
           side_counts(ast_strip(ast->children[1]), s->loop->iterator, &before) &&
           before == at - 1;
}

/* Reads `x[i] = x[i - 1] + e`, the operands also exchanged, `x[i] = x[i - 1] - e`, and
   `x[i] += x[i - 1]`. */
static bool element_read(struct scan_loop *s, const struct ast *store)
{
    const struct ast *element = store->kind == AST_ASSIGN ? store->children[0] : NULL;
    if (!element || store->is_macro || element->kind != AST_INDEX ||
        element->children[0]->kind != AST_REF)
        return false;
    const struct ast *value = ast_strip(store->children[1]);
    s->element = element;
    s->subtracts = false;
    if (store->op == AST_OP_ADD && is_element_before(s, value, element)) {
        s->before = value;
        s->addend = element;
        return true;
    }
    bool sums = store->op == AST_OP_NONE && value->kind == AST_BINARY &&
                (value->op == AST_OP_ADD || value->op == AST_OP_SUB) && value->type &&
                value->type->class == element->type->class;
    int n_sides = sums ? 1 + (value->op == AST_OP_ADD) : 0;
    for (int side = 0; side < n_sides; side++) {
        s->before = ast_strip(value->children[side]);
        s->addend = value->children[1 - side];
        s->subtracts = value->op == AST_OP_SUB;
        if (is_element_before(s, s->before, element))
            return true;
    }
    return false;
}

/* The array that the statement, and no other one of the loop, stores to; NULL: there is none. */
static const struct scop_array *stored_alone(const struct scan_loop *s)
{
    const struct scop_array *found = NULL;
    struct access_walk walk;
    for (size_t i = 0; i < s->stmt->accesses.count; i++)
        if (s->stmt->accesses.at[i].is_write)
            found = found ? NULL : s->stmt->accesses.at[i].array;
    if (!found || found->n_dims != 1 || found->memory)
        return NULL;
    for (const struct scop_access *access = access_first(&walk, s->scop, found); access;
         access = access_next(&walk))
        if (access->is_write && walk.stmt != s->stmt && is_in_loop(s, walk.stmt))
            return NULL;
    return found;
}

/* Finds a statement of the body that sums in elements. */
static bool elements_find(struct scan_loop *s)
{
    for (s->at = 0; s->at < scan_count(s); s->at++) {
        const struct ast *store = scan_at(s, s->at);
        s->stmt = element_read(s, store) ? stmt_of(s, store) : NULL;
        s->sum = s->stmt ? stored_alone(s) : NULL;
        s->reduction = REDUCE_ADD;
        bool sums = s->sum && sum_type(s->sum) != TYPE_COUNT && sum_joins(s);
        if (sums && sum_is_repeatable(s))
            return true;
    }
    s->element = s->before = NULL;
    return false;
}


/* --- changes ---------------------------------------------------------------------------------- */

/* Is the scalar one that a variable of a chunk can stand for? */
static bool sum_is_good(const struct scop_array *array)
{
    return !array->n_dims && !array->memory && sum_type(array) != TYPE_COUNT &&
           !array->decl->type->is_volatile;
}

/* Finds a statement of the body that sums in one of the first scalars. */
static bool scalars_find(struct scan_loop *s, size_t n_arrays)
{
    s->element = s->before = NULL;
    for (size_t i = 0; i < n_arrays; i++) {
        s->sum = s->scop->arrays.at[i];
        s->stmt = sum_is_good(s->sum) ? accumulation_of(s, s->sum) : NULL;
        s->at = s->stmt ? place_in_body(s, s->stmt->ast) : -1;
        if (s->at >= 0 && stmt_is_sum(s) && sum_is_repeatable(s))
            return true;
    }
    return false;
}

void scans_find(struct scop *scop, struct change_list *list)
{
    struct scan_loop s = {.scop = scop, .arena = scop->arena};
    size_t n_loops = scop->loops.count, n_arrays = scop->arrays.count;
    for (size_t i = 0; i < n_loops; i++) {
        s.loop = scop->loops.at[i];
        if (changes_replace(list, s.loop->ast) || !header_is_plain(&s) || !may_have_chunks(&s))
            continue;
        if (!scalars_find(&s, n_arrays) && !elements_find(&s))
            continue;
        s.words = s.words ? s.words : words_of(scop->arena, scop->unit);
        const struct scan *scan = scan_make(&s);
        vec_push(scop->arena, list,
                 ((struct scop_change){.row = TRANSFORMATION_SCANS, .scan = scan,
                                       .other = &scan->other}));
    }
}

void scan_apply(struct scop *scop, const struct scan *scan)
{
    struct access_walk walk;
    struct affine lower, upper, one = affine_constant(1);
    struct scop_array *array = array_find(scop, scan->parts);
    if (!hull_find(scop, array, NULL, 0, &lower, &upper) || !affine_add(&upper, &one, 1)) {
        scop_refuse(scop, REFUSE_HEADER, scan->other.loop->loc, NULL);
        return;
    }
    struct scop_memory *memory = memory_add(scop, array, 1);
    memory->scanned = scan->sum;
    memory->extents[0] = upper;
    memory->fewest = CHUNKS_LEAST;
    for (struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        map_put_pointer(scop->moved, access_name(access), memory);
        access->array = (struct scop_array *)memory->array;
        access->relation = NULL;
    }
}
