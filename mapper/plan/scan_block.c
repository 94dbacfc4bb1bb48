/* The block in place of a loop with a running sum: chunks of its rounds.

   In: a loop, as scan.c read it. Out: a block of three loops over chunks; its nodes have the bytes
   of the loop, or of what they are made of. */
#include "frontend/ask.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/scan.h"

static const struct ast *statement_make(struct scan_loop *s, enum ast_kind kind, int n,
                                        const struct ast *const *children)
{
    return form_make(s->arena, kind, s->loop->ast, NULL, n, children);
}

static const struct ast *ref_to(struct scan_loop *s, const struct ast *decl)
{
    return form_ref(s->arena, s->loop->ast, decl);
}

static const struct ast *literal_of(struct scan_loop *s, const struct ast_type *type,
                                    int64_t value)
{
    return form_convert(s->arena, s->loop->ast, type,
                        form_literal(s->arena, s->loop->ast, form_int(s->arena), value));
}

static const struct ast *binary_make(struct scan_loop *s, enum ast_op op,
                                     const struct ast *a, const struct ast *b)
{
    bool compares = op >= AST_OP_LT && op <= AST_OP_GE;
    const struct ast_type *type = compares || op == AST_OP_LAND ? form_int(s->arena) : a->type;
    return form_binary(s->arena, op, type, s->loop->ast, a, b);
}

static const struct ast *scan_store(struct scan_loop *s, const struct ast *target,
                                    enum ast_op op, const struct ast *value)
{
    return form_assign(s->arena, s->loop->ast, op, target, value);
}

/* The type of a chunk's own sum: a part of a sum of signed numbers may be too great where the whole
   never is, and is computed without a sign, which loses nothing. */
static const struct ast_type *part_type(struct scan_loop *s)
{
    const struct ast_type *type = s->decl->type;
    bool may_grow = s->reduction == REDUCE_ADD || s->reduction == REDUCE_MUL;
    struct ast_type *own = ARENA_NEW(s->arena, struct ast_type);
    if (!may_grow || (type->class != AST_TYPE_I32 && type->class != AST_TYPE_I64))
        return form_plain_type(s->arena, type);
    bool is_long = type->class == AST_TYPE_I64;
    own->class = is_long ? AST_TYPE_U64 : AST_TYPE_U32;
    own->text = own->canonical = is_long ? "unsigned long" : "unsigned int";
    own->bytes = type->bytes;
    own->count = -1;
    return own;
}

/* `T name = value;`, as a statement; the variable goes to `out`. */
static const struct ast *declare_make(struct scan_loop *s, const char *name,
                                      const struct ast_type *type, const struct ast *value,
                                      const struct ast **out)
{
    const struct ast *declare = form_declare(s->arena, s->loop->ast,
                                             s->scop->fragment->function,
                                             words_local(s->words, name), type, value);
    *out = declare->children[0];
    return declare;
}

/* `for (T name = first; condition; name += 1) body`, whose condition is made of the variable. */
static const struct ast *scan_for(struct scan_loop *s, const struct ast *start,
                                   const struct ast *condition, const struct ast *iterator,
                                   const struct ast *body)
{
    const struct ast *step = scan_store(s, ref_to(s, iterator), AST_OP_ADD,
                                        literal_of(s, iterator->type, 1));
    const struct ast *parts[] = {start, condition, step, body};
    return statement_make(s, AST_FOR, 4, parts);
}

static const struct ast *scan_block(struct scan_loop *s, int n,
                                    const struct ast *const *statements)
{
    return statement_make(s, AST_COMPOUND, n, statements);
}

/* "s_part" */
static const char *scan_name(struct scan_loop *s, const char *word)
{
    return arena_printf(s->arena, "%s_%s", s->sum->decl->name, word);
}

/* `for (T c = 0; c <= (bound - 1 - start) / 256; c += 1)` around what is made of c. */
static const struct ast *chunks_make(struct scan_loop *s, const struct ast *declared,
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
static const struct ast *chunk_start(struct scan_loop *s, const struct ast *chunk)
{
    const struct ast_type *type = s->loop->iterator->type;
    const struct ast *first = ast_strip(s->start);
    const struct ast *product = binary_make(s, AST_OP_MUL, literal_of(s, type, CHUNK_ROUNDS),
                                            ref_to(s, chunk));
    return first->kind == AST_INTEGER && !first->integer
               ? product
               : binary_make(s, AST_OP_ADD, form_copy(s->arena, s->start), product);
}

/* `x_part += e`, and in the last pass `x[i] = x_part` behind it; how many statements these are. */
static int element_add(struct scan_loop *s, struct map *values, bool is_first,
                       const struct ast **list)
{
    const struct ast *part = map_get_pointer(values, s->decl);
    list[0] = scan_store(s, form_copy(s->arena, part),
                         s->subtracts ? AST_OP_SUB : AST_OP_ADD,
                         form_put(s->arena, s->addend, values));
    if (is_first)
        return 1;
    list[1] = scan_store(s, form_put(s->arena, s->element, values), AST_OP_NONE,
                         form_copy(s->arena, part));
    return 2;
}

/* The rounds of a chunk, whose number is a literal: `for (k = 0; k < 256; k += 1) if (i < bound) …`
   with 256 * c + k for i. `values` replace variables in this pass. */
static const struct ast *scan_rounds(struct scan_loop *s, const struct ast *chunk,
                                     struct map *values, bool is_first)
{
    const struct ast *iterator = s->loop->iterator, *round;
    const struct ast **list = ARENA_ARRAY(s->arena, const struct ast *, scan_count(s) + 2);
    int n = 0;
    const struct ast *declared = declare_make(s, scan_name(s, "round"), iterator->type,
                                              literal_of(s, iterator->type, 0), &round);
    map_put_pointer(values, iterator, form_change(binary_make(s, AST_OP_ADD, chunk_start(s, chunk),
                                                              ref_to(s, round))));
    const struct ast *parts[] = {form_put(s->arena, s->loop->ast->children[1], values), NULL};
    for (int i = 0; i < scan_count(s); i++) {
        if (i == s->at && s->element)
            n += element_add(s, values, is_first, list + n);
        else if (!is_first || i == s->at || s->is_needed[i])
            list[n++] = form_put(s->arena, scan_at(s, i), values);
    }
    parts[1] = scan_block(s, n, list);
    const struct ast *guarded = statement_make(s, AST_IF, 2, parts);
    const struct ast *most = literal_of(s, iterator->type, CHUNK_ROUNDS);
    return scan_for(s, declared, binary_make(s, AST_OP_LT, ref_to(s, round), most), round,
                     scan_block(s, 1, &guarded));
}

static const struct ast *parts_at(struct scan_loop *s, const struct ast *chunk)
{
    const struct ast *sides[] = {ref_to(s, s->parts), ref_to(s, chunk)};
    return form_make(s->arena, AST_INDEX, s->loop->ast, s->parts->type->element, 2, sides);
}

/* A chunk's sum begins with the operator's identity, an extreme with the value of the whole one. */
static const struct ast *identity_make(struct scan_loop *s)
{
    const struct ast_type *type = part_type(s);
    switch (s->reduction) {
    case REDUCE_MUL: return literal_of(s, type, 1);
    case REDUCE_AND: return literal_of(s, type, -1);
    case REDUCE_MIN:
    case REDUCE_MAX: return ref_to(s, s->decl);
    default: return literal_of(s, type, 0);
    }
}

/* `s + s_parts[c]`, `s_parts[c] > s ? s_parts[c] : s` */
static const struct ast *joined_make(struct scan_loop *s, const struct ast *chunk)
{
    const struct ast *part = parts_at(s, chunk);
    const struct ast *sum = ref_to(s, s->decl);
    if (sum->type->class != part->type->class)
        sum = form_make(s->arena, AST_CAST, s->loop->ast, part->type, 1, &sum);
    switch (s->reduction) {
    case REDUCE_MUL: return binary_make(s, AST_OP_MUL, sum, part);
    case REDUCE_AND: return binary_make(s, AST_OP_AND, sum, part);
    case REDUCE_OR: return binary_make(s, AST_OP_OR, sum, part);
    case REDUCE_XOR: return binary_make(s, AST_OP_XOR, sum, part);
    case REDUCE_MIN:
    case REDUCE_MAX: {
        enum ast_op op = s->reduction == REDUCE_MAX ? AST_OP_GT : AST_OP_LT;
        const struct ast *sides[] = {binary_make(s, op, part, sum), parts_at(s, chunk),
                                     ref_to(s, s->decl)};
        return form_make(s->arena, AST_CONDITIONAL, s->loop->ast, sum->type, 3, sides);
    }
    default: return binary_make(s, AST_OP_ADD, sum, part);
    }
}

/* The part in the place of the scalar, with the scalar's type: text that names it needs no cast. */
static const struct ast *part_ref(struct scan_loop *s, const struct ast *part)
{
    struct ast *ref = form_ref(s->arena, s->loop->ast, part);
    ref->type = s->decl->type;
    return ref;
}

/* The loop over chunks; its body begins with a variable for the sum, has the rounds, and in the
   first pass stores the sum. */
static const struct ast *pass_make(struct scan_loop *s, bool is_first)
{
    const struct ast *chunk, *part, *list[3];
    struct map *values = map_new(s->arena);
    const struct ast_type *type = is_first ? part_type(s) : s->decl->type;
    const struct ast *declared = declare_make(s, scan_name(s, "chunk"), s->loop->iterator->type,
                                              literal_of(s, s->loop->iterator->type, 0), &chunk);
    list[0] = declare_make(s, scan_name(s, "part"), type,
                           is_first ? identity_make(s) : parts_at(s, chunk), &part);
    map_put_pointer(values, s->decl, form_change(part_ref(s, part)));
    list[1] = scan_rounds(s, chunk, values, is_first);
    list[2] = scan_store(s, parts_at(s, chunk), AST_OP_NONE, ref_to(s, part));
    return chunks_make(s, declared, chunk, scan_block(s, is_first ? 3 : 2, list));
}

/* The loop that gives each chunk its first value. */
static const struct ast *starts_make(struct scan_loop *s)
{
    const struct ast *chunk, *next, *list[3], *sum = s->decl;
    const struct ast *declared = declare_make(s, scan_name(s, "chunk"), s->loop->iterator->type,
                                              literal_of(s, s->loop->iterator->type, 0), &chunk);
    list[0] = declare_make(s, scan_name(s, "next"), sum->type, joined_make(s, chunk), &next);
    list[1] = scan_store(s, parts_at(s, chunk), AST_OP_NONE,
                         form_convert(s->arena, s->loop->ast, s->parts->type->element,
                                      ref_to(s, sum)));
    list[2] = scan_store(s, ref_to(s, sum), AST_OP_NONE, ref_to(s, next));
    return chunks_make(s, declared, chunk, scan_block(s, 3, list));
}

/* `T s_parts[]`, which no statement declares. */
static const struct ast *scan_array(struct scan_loop *s)
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

/* `T x_sum = start < bound ? x[start - 1] : 0;`: a variable for the elements, which begins with the
   one before the first. */
static const struct ast *element_declare(struct scan_loop *s)
{
    const struct ast_type *type = s->element->type;
    struct map *values = map_new(s->arena);
    map_put_pointer(values, s->loop->iterator, form_change(s->start));
    const struct ast *parts[] = {form_put(s->arena, s->loop->ast->children[1], values),
                                 form_put(s->arena, s->before, values),
                                 literal_of(s, type, 0)};
    const struct ast *value = form_make(s->arena, AST_CONDITIONAL, s->loop->ast, type, 3, parts);
    return declare_make(s, scan_name(s, "sum"), type, value, &s->decl);
}

/* Parameters of the loop's bounds, by which it has SIZE_ASSUMED chunks. */
static void sizes_assume(struct scan_loop *s, struct scan *scan)
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

const struct scan *scan_make(struct scan_loop *s)
{
    struct scan *scan = ARENA_NEW(s->arena, struct scan);
    const struct ast *list[4];
    int n = 0;
    s->decl = s->sum->decl;
    if (s->element)
        list[n++] = element_declare(s);
    s->parts = scan->parts = scan_array(s);
    scan->sum = s->sum->decl;
    sizes_assume(s, scan);
    list[n++] = pass_make(s, true);
    list[n++] = starts_make(s);
    list[n++] = pass_make(s, false);
    scan->other = (struct loop_other){s->loop->ast, scan_block(s, n, list)};
    return scan;
}
