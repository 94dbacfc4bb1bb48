/* Running sums, whose value each round reads: `s += e; b[i] = s;`.

   In: loops in whose body one statement accumulates in a scalar, in an order that is free, and other
   statements read the scalar. Out: a block for each, which takes the place of the loop where the
   change pays (scop/extract.c). Chunks of the rounds are independent once it is known what each
   begins with:

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
#include "mapper/plan/change.h"
#include "mapper/plan/cost.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sums.h"
#include "mapper/scop/walk.h"

/* Fewer chunks are too few threads. */
enum { CHUNK_ROUNDS = 256, CHUNKS_LEAST = 64 };

/* A loop with a running sum, and the block that is written for it. */
struct scan_search {
    struct scop *scop;
    struct arena *arena;
    const struct scop_loop *loop;
    const struct ast *start, *bound; /* the iterator's first value, and its limit */
    bool is_strict;                  /* `i < bound` */
    const struct scop_array *sum;    /* the scalar */
    const struct scop_stmt *stmt;    /* the accumulation */
    enum reduce_op reduction;
    int at;                          /* the statement's number in the body */
    bool *is_needed;                 /* by number: declarations that the statement needs */
    struct word_list *words;
    const struct ast *parts;         /* the array of what chunks begin with */
};

static const struct ast *body_of(const struct scan_search *s)
{
    return s->loop->ast->children[3];
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Reads `for (i = start; i < bound; i++)` or its like with `<=` around a block. */
static bool header_is_plain(struct scan_search *s)
{
    const struct ast *ast = s->loop->ast;
    struct header_comparison c;
    bool plain = !ast->is_macro && header_count(ast, 0) == 1 && header_count(ast, 2) == 1 &&
                 s->loop->step == 1 && s->loop->n_limits == 1 && !s->loop->is_shifted &&
                 body_of(s) && body_of(s)->kind == AST_COMPOUND;
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

static bool is_in_loop(const struct scan_search *s, const struct scop_stmt *stmt)
{
    for (int i = 0; i < stmt->depth; i++)
        if (stmt->loops[i] == s->loop)
            return true;
    return false;
}

/* The only statement of the loop that writes the scalar, if it accumulates there and others read
   the scalar; else NULL. */
static const struct scop_stmt *accumulation_of(const struct scan_search *s,
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
static int place_in_body(const struct scan_search *s, const struct ast *ast)
{
    const struct ast *body = body_of(s);
    for (int i = 0; i < body->n_children; i++)
        if (body->children[i] == ast)
            return i;
    return -1;
}

/* May the write have stored what the other statement reads, in the same round or in one before? */
static bool stores_before(const struct scan_search *s, const struct scop_stmt *writer,
                          const struct scop_access *write, const struct scop_stmt *reader,
                          const struct scop_access *read)
{
    int last = shared_loops(writer, reader) + (writer->id < reader->id);
    bool stores = writer == reader;
    for (int level = s->loop->depth + 1; level <= last && !stores; level++) {
        isl_map *pairs = scop_pairs(writer, write, reader, read, level);
        stores = isl_map_is_empty(pairs) != isl_bool_true;
        isl_map_free(pairs);
    }
    return stores;
}

/* May a round, before the statement or earlier, have stored what the statement reads? */
static bool reads_what_is_stored(struct scan_search *s, const struct scop_stmt *reader)
{
    for (size_t i = 0; i < reader->accesses.count; i++) {
        const struct scop_access *read = &reader->accesses.at[i];
        struct access_walk walk;
        if (read->array == s->sum || read->is_write)
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
static const struct scop_stmt *stmt_of(const struct scan_search *s, const struct ast *ast)
{
    for (size_t i = 0; i < s->scop->stmts.count; i++)
        if (s->scop->stmts.at[i]->ast == ast && is_in_loop(s, s->scop->stmts.at[i]))
            return s->scop->stmts.at[i];
    return NULL;
}

/* Marks the declarations before the statement at `before` that a node needs; false if a first pass
   cannot repeat one of them. */
static bool declarations_need(struct scan_search *s, const struct ast *ast, int before)
{
    struct ast_walk walk;
    const struct ast *body = body_of(s);
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk)) {
        int i = n->kind == AST_REF ? 0 : before;
        while (i < before && (body->children[i]->kind != AST_DECLARE ||
                              !ast_declares(body->children[i], n->decl)))
            i++;
        if (i == before || s->is_needed[i])
            continue;
        s->is_needed[i] = true;
        if (ast_mentions(body->children[i], s->sum->decl) ||
            !declarations_need(s, body->children[i], i))
            return false;
    }
    return true;
}

/* Can the first pass compute what the statement adds? */
static bool sum_is_repeatable(struct scan_search *s)
{
    const struct ast *body = body_of(s);
    s->is_needed = ARENA_ARRAY(s->arena, bool, body->n_children + 1);
    for (int i = 0; i < body->n_children; i++)
        s->is_needed[i] = false;
    if (!declarations_need(s, s->stmt->ast, s->at) ||
        reads_what_is_stored(s, s->stmt))
        return false;
    for (int i = 0; i < s->at; i++) {
        const struct scop_stmt *stmt = s->is_needed[i] ? stmt_of(s, body->children[i]) : NULL;
        if (stmt && reads_what_is_stored(s, stmt))
            return false;
    }
    return true;
}

/* Does the statement write nothing but the scalar, and by an operator that joins parts? */
static bool stmt_is_sum(struct scan_search *s)
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
    bool is_real = s->sum->decl->type->class == AST_TYPE_F32 ||
                   s->sum->decl->type->class == AST_TYPE_F64;
    bool joins = !is_real || s->reduction == REDUCE_MIN || s->reduction == REDUCE_MAX ||
                 (s->reduction == REDUCE_ADD && s->scop->ctx->reassociates);
    return s->reduction != REDUCE_NONE && joins;
}

/* --- the block -------------------------------------------------------------------------------- */

static const struct ast *statement_make(struct scan_search *s, enum ast_kind kind, int n,
                                        const struct ast *const *children)
{
    return form_make(s->arena, kind, s->loop->ast, NULL, n, children);
}

static const struct ast *ref_to(struct scan_search *s, const struct ast *decl)
{
    return form_ref(s->arena, s->loop->ast, decl);
}

static const struct ast *literal_of(struct scan_search *s, const struct ast_type *type,
                                    int64_t value)
{
    const struct ast *literal = form_literal(s->arena, s->loop->ast, form_int(s->arena), value);
    if (type->class == AST_TYPE_I32)
        return literal;
    struct ast *cast = form_make(s->arena, AST_CAST, s->loop->ast, type, 1, &literal);
    cast->is_implicit = true;
    return cast;
}

static const struct ast *binary_make(struct scan_search *s, enum ast_op op,
                                     const struct ast *a, const struct ast *b)
{
    bool compares = op >= AST_OP_LT && op <= AST_OP_GE;
    const struct ast_type *type = compares || op == AST_OP_LAND ? form_int(s->arena) : a->type;
    return form_binary(s->arena, op, type, s->loop->ast, a, b);
}

static const struct ast *scan_store(struct scan_search *s, const struct ast *target,
                                    enum ast_op op, const struct ast *value)
{
    const struct ast *sides[] = {target, value};
    struct ast *store = form_make(s->arena, AST_ASSIGN, s->loop->ast, target->type, 2, sides);
    store->op = op;
    return store;
}

/* The type without its words and without `const`. */
static const struct ast_type *plain_type(struct scan_search *s, const struct ast_type *type)
{
    struct ast_type *own = ARENA_NEW(s->arena, struct ast_type);
    *own = *type;
    own->is_const = false;
    own->text = type->canonical;
    return own;
}

static const struct ast *cast_make(struct scan_search *s, const struct ast_type *type,
                                   const struct ast *value, bool is_implicit)
{
    if (value->type->class == type->class)
        return value;
    struct ast *cast = form_make(s->arena, AST_CAST, s->loop->ast, type, 1, &value);
    cast->is_implicit = is_implicit;
    return cast;
}

/* The type of a chunk's own sum: a part of a sum of signed numbers may be too great where the whole
   never is, and is computed without a sign, which loses nothing. */
static const struct ast_type *part_type(struct scan_search *s)
{
    const struct ast_type *type = s->sum->decl->type;
    bool may_grow = s->reduction == REDUCE_ADD || s->reduction == REDUCE_MUL;
    struct ast_type *own = ARENA_NEW(s->arena, struct ast_type);
    if (!may_grow || (type->class != AST_TYPE_I32 && type->class != AST_TYPE_I64))
        return plain_type(s, type);
    bool is_long = type->class == AST_TYPE_I64;
    own->class = is_long ? AST_TYPE_U64 : AST_TYPE_U32;
    own->text = own->canonical = is_long ? "unsigned long" : "unsigned int";
    own->bytes = type->bytes;
    own->count = -1;
    return own;
}

/* `T name = value;`, as a statement; the variable goes to `out`. */
static const struct ast *declare_make(struct scan_search *s, const char *name,
                                      const struct ast_type *type, const struct ast *value,
                                      const struct ast **out)
{
    struct ast *variable = form_variable(s->arena, s->scop->fragment->function,
                                         words_local(s->words, name), plain_type(s, type),
                                         cast_make(s, type, value, true));
    variable->is_made = false;
    *out = variable;
    return statement_make(s, AST_DECLARE, 1, out);
}

/* `for (T name = first; condition; name += 1) body`, whose condition is made of the variable. */
static const struct ast *scan_for(struct scan_search *s, const struct ast *start,
                                   const struct ast *condition, const struct ast *iterator,
                                   const struct ast *body)
{
    const struct ast *step = scan_store(s, ref_to(s, iterator), AST_OP_ADD,
                                        literal_of(s, iterator->type, 1));
    const struct ast *parts[] = {start, condition, step, body};
    return statement_make(s, AST_FOR, 4, parts);
}

static const struct ast *scan_block(struct scan_search *s, int n,
                                    const struct ast *const *statements)
{
    return statement_make(s, AST_COMPOUND, n, statements);
}

/* "s_part" */
static const char *scan_name(struct scan_search *s, const char *word)
{
    return arena_printf(s->arena, "%s_%s", s->sum->decl->name, word);
}

/* `for (T c = 0; c <= (bound - 1 - start) / 256; c += 1)` around what is made of c. */
static const struct ast *chunks_make(struct scan_search *s, const struct ast *declared,
                                     const struct ast *chunk, const struct ast *body)
{
    const struct ast_type *type = s->loop->iterator->type;
    const struct ast *last = form_copy(s->arena, s->bound);
    if (s->is_strict)
        last = binary_make(s, AST_OP_SUB, last, literal_of(s, type, 1));
    const struct ast *first = ast_strip(s->start);
    if (first->kind != AST_INTEGER || first->integer)
        last = binary_make(s, AST_OP_SUB, last, form_copy(s->arena, s->start));
    last = binary_make(s, AST_OP_DIV, last, literal_of(s, type, CHUNK_ROUNDS));
    return scan_for(s, declared, binary_make(s, AST_OP_LE, ref_to(s, chunk), last), chunk, body);
}

/* `256 * c`, or `start + 256 * c` */
static const struct ast *chunk_start(struct scan_search *s, const struct ast *chunk)
{
    const struct ast_type *type = s->loop->iterator->type;
    const struct ast *first = ast_strip(s->start);
    const struct ast *product = binary_make(s, AST_OP_MUL, literal_of(s, type, CHUNK_ROUNDS),
                                            ref_to(s, chunk));
    return first->kind == AST_INTEGER && !first->integer
               ? product
               : binary_make(s, AST_OP_ADD, form_copy(s->arena, s->start), product);
}

/* `for (k = 0; k < 256; k += 1) if (i < bound) { … }` with 256 * c + k for i: the rounds of a chunk,
   whose number is a literal. `values`: of the variables that the pass has others for. */
static const struct ast *scan_rounds(struct scan_search *s, const struct ast *chunk,
                                     struct map *values, bool is_first)
{
    const struct ast *body = body_of(s), *iterator = s->loop->iterator, *round;
    const struct ast **list = ARENA_ARRAY(s->arena, const struct ast *, body->n_children + 1);
    int n = 0;
    const struct ast *declared = declare_make(s, scan_name(s, "round"), iterator->type,
                                              literal_of(s, iterator->type, 0), &round);
    map_put_pointer(values, iterator, form_change(binary_make(s, AST_OP_ADD, chunk_start(s, chunk),
                                                              ref_to(s, round))));
    const struct ast *parts[] = {form_put(s->arena, s->loop->ast->children[1], values), NULL};
    for (int i = 0; i < body->n_children; i++)
        if (!is_first || i == s->at || s->is_needed[i])
            list[n++] = form_put(s->arena, body->children[i], values);
    parts[1] = scan_block(s, n, list);
    const struct ast *guarded = statement_make(s, AST_IF, 2, parts);
    const struct ast *most = literal_of(s, iterator->type, CHUNK_ROUNDS);
    return scan_for(s, declared, binary_make(s, AST_OP_LT, ref_to(s, round), most), round,
                     scan_block(s, 1, &guarded));
}

static const struct ast *parts_at(struct scan_search *s, const struct ast *chunk)
{
    const struct ast *sides[] = {ref_to(s, s->parts), ref_to(s, chunk)};
    return form_make(s->arena, AST_INDEX, s->loop->ast, s->parts->type->element, 2, sides);
}

/* A chunk's sum begins with the operator's identity, an extreme with the value of the whole one. */
static const struct ast *identity_make(struct scan_search *s)
{
    const struct ast_type *type = part_type(s);
    switch (s->reduction) {
    case REDUCE_MUL: return literal_of(s, type, 1);
    case REDUCE_AND: return literal_of(s, type, -1);
    case REDUCE_MIN:
    case REDUCE_MAX: return ref_to(s, s->sum->decl);
    default: return literal_of(s, type, 0);
    }
}

/* `s + s_parts[c]`, `s_parts[c] > s ? s_parts[c] : s` */
static const struct ast *joined_make(struct scan_search *s, const struct ast *chunk)
{
    const struct ast *part = parts_at(s, chunk);
    const struct ast *sum = cast_make(s, part->type, ref_to(s, s->sum->decl), false);
    switch (s->reduction) {
    case REDUCE_MUL: return binary_make(s, AST_OP_MUL, sum, part);
    case REDUCE_AND: return binary_make(s, AST_OP_AND, sum, part);
    case REDUCE_OR: return binary_make(s, AST_OP_OR, sum, part);
    case REDUCE_XOR: return binary_make(s, AST_OP_XOR, sum, part);
    case REDUCE_MIN:
    case REDUCE_MAX: {
        enum ast_op op = s->reduction == REDUCE_MAX ? AST_OP_GT : AST_OP_LT;
        const struct ast *sides[] = {binary_make(s, op, part, sum), parts_at(s, chunk),
                                     ref_to(s, s->sum->decl)};
        return form_make(s->arena, AST_CONDITIONAL, s->loop->ast, sum->type, 3, sides);
    }
    default: return binary_make(s, AST_OP_ADD, sum, part);
    }
}

/* The part in the place of the scalar, with the scalar's type: text that names it needs no cast. */
static const struct ast *part_ref(struct scan_search *s, const struct ast *part)
{
    struct ast *ref = form_ref(s->arena, s->loop->ast, part);
    ref->type = s->sum->decl->type;
    return ref;
}

/* The loop over chunks; its body begins with a variable for the sum, has the rounds, and in the first
   pass stores the sum. */
static const struct ast *pass_make(struct scan_search *s, bool is_first)
{
    const struct ast *chunk, *part, *list[3];
    struct map *values = map_new(s->arena);
    const struct ast_type *type = is_first ? part_type(s) : s->sum->decl->type;
    const struct ast *declared = declare_make(s, scan_name(s, "chunk"), s->loop->iterator->type,
                                              literal_of(s, s->loop->iterator->type, 0), &chunk);
    list[0] = declare_make(s, scan_name(s, "part"), type,
                           is_first ? identity_make(s) : parts_at(s, chunk), &part);
    map_put_pointer(values, s->sum->decl, form_change(part_ref(s, part)));
    list[1] = scan_rounds(s, chunk, values, is_first);
    list[2] = scan_store(s, parts_at(s, chunk), AST_OP_NONE, ref_to(s, part));
    return chunks_make(s, declared, chunk, scan_block(s, is_first ? 3 : 2, list));
}

/* The loop that gives each chunk its first value. */
static const struct ast *starts_make(struct scan_search *s)
{
    const struct ast *chunk, *next, *list[3], *sum = s->sum->decl;
    const struct ast *declared = declare_make(s, scan_name(s, "chunk"), s->loop->iterator->type,
                                              literal_of(s, s->loop->iterator->type, 0), &chunk);
    list[0] = declare_make(s, scan_name(s, "next"), sum->type, joined_make(s, chunk), &next);
    list[1] = scan_store(s, parts_at(s, chunk), AST_OP_NONE,
                         cast_make(s, s->parts->type->element, ref_to(s, sum), true));
    list[2] = scan_store(s, ref_to(s, sum), AST_OP_NONE, ref_to(s, next));
    return chunks_make(s, declared, chunk, scan_block(s, 3, list));
}

/* `T s_parts[]`, which no statement declares. */
static const struct ast *scan_array(struct scan_search *s)
{
    struct ast_type *type = ARENA_NEW(s->arena, struct ast_type);
    const struct ast_type *element = part_type(s);
    type->class = AST_TYPE_ARRAY;
    type->text = type->canonical = arena_printf(s->arena, "%s[]", element->text);
    type->element = element;
    type->count = -1;
    struct ast *variable = form_make(s->arena, AST_VARIABLE, s->loop->ast, type, 0, NULL);
    variable->name = words_local(s->words, scan_name(s, "parts"));
    variable->owner = s->scop->fragment->function;
    variable->is_made = false;
    return variable;
}

/* Parameters of the loop's bounds, by which it has SIZE_ASSUMED chunks. */
static void sizes_assume(struct scan_search *s, struct scan *scan)
{
    const struct affine *limit = &s->loop->limits[0];
    struct map_size *sizes = ARENA_ARRAY(s->arena, struct map_size, limit->n_terms + 1);
    for (int i = 0; i < limit->n_terms; i++) {
        const struct affine_symbol *symbol = &s->scop->symbols.at[limit->terms[i].symbol];
        if (!symbol->loop)
            sizes[scan->n_sizes++] =
                (struct map_size){symbol->text, (double)CHUNK_ROUNDS * SIZE_ASSUMED};
    }
    scan->sizes = sizes;
}

static const struct scan *scan_make(struct scan_search *s)
{
    struct scan *scan = ARENA_NEW(s->arena, struct scan);
    s->parts = scan->parts = scan_array(s);
    scan->sum = s->sum->decl;
    sizes_assume(s, scan);
    const struct ast *passes[] = {pass_make(s, true), starts_make(s), pass_make(s, false)};
    scan->other = (struct loop_other){s->loop->ast, scan_block(s, 3, passes)};
    return scan;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Is the scalar one that a variable of a chunk can stand for? */
static bool sum_is_good(const struct scop_array *array)
{
    return !array->n_dims && !array->memory && sum_type(array) != TYPE_COUNT &&
           !array->decl->type->is_volatile;
}

void scans_find(struct scop *scop, struct change_list *list)
{
    struct scan_search s = {.scop = scop, .arena = scop->arena};
    size_t n_loops = scop->loops.count, n_arrays = scop->arrays.count;
    for (size_t i = 0; i < n_loops; i++) {
        s.loop = scop->loops.at[i];
        if (changes_replace(list, s.loop->ast) || !header_is_plain(&s))
            continue;
        for (size_t k = 0; k < n_arrays; k++) {
            s.sum = scop->arrays.at[k];
            s.stmt = sum_is_good(s.sum) ? accumulation_of(&s, s.sum) : NULL;
            s.at = s.stmt ? place_in_body(&s, s.stmt->ast) : -1;
            if (s.at < 0 || !stmt_is_sum(&s) || !sum_is_repeatable(&s))
                continue;
            s.words = s.words ? s.words : words_of(scop->arena, scop->unit);
            const struct scan *scan = scan_make(&s);
            vec_push(scop->arena, list,
                     ((struct scop_change){.row = TRANSFORMATION_SCANS, .scan = scan,
                                           .other = &scan->other}));
            break;
        }
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
