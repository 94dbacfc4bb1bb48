/* Memory that the printed text allocates, in place of arrays and scalars of the source.

   In: an array or scalar of the source. Out: a new array of the scop, under whose name the source's
   text is printed, and loops that copy elements between the new array and the original. */
#include "frontend/scan.h"
#include "mapper/forms/words.h"
#include "mapper/plan/change.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <isl/aff.h>
#include <string.h>

struct scop_memory *memory_add(struct scop *scop, const struct scop_array *original, int n_dims)
{
    struct scop_memory *memory = ARENA_NEW(scop->arena, struct scop_memory);
    struct scop_array *array = ARENA_NEW(scop->arena, struct scop_array);
    const struct ast_type *element = original->decl->type;
    while (element->element)
        element = element->element;
    array->decl = original->decl;
    array->name = original->name;
    array->n_dims = n_dims;
    array->is_written = true;
    array->memory = memory;
    memory->array = array;
    memory->original = original->decl;
    memory->type = element->canonical;
    vec_push(scop->arena, &scop->arrays, array);
    vec_push(scop->arena, &scop->memories, memory);
    if (!scop->moved)
        scop->moved = map_new(scop->arena);
    return memory;
}

/* --- touched elements ------------------------------------------------------------------------- */

/* May a subscript be below 0? */
static bool is_negative(const struct scop *scop, const struct scop_stmt *stmt,
                        const struct affine *subscript)
{
    struct affine zero = affine_constant(0);
    isl_set *below = isl_aff_lt_set(affine_isl(scop, place_in(stmt), subscript),
                                    affine_isl(scop, place_in(stmt), &zero));
    isl_bool never = isl_set_is_disjoint(stmt->domain, below);
    isl_set_free(below);
    return never != isl_bool_true;
}

/* A bound of a subscript that holds wherever the statement runs. */
struct hull_bound {
    const struct scop_stmt *stmt;
    struct affine form;
};
typedef VEC(struct hull_bound) bound_list;

/* Is the form no bound of the other wherever that one's statement runs? */
static bool is_exceeded(const struct scop *scop, const struct affine *form,
                        const struct hull_bound *other, bool upper)
{
    const struct scop_stmt *stmt = other->stmt;
    if (affine_equal(form, &other->form))
        return false;
    isl_aff *left = affine_isl(scop, place_in(stmt), &other->form);
    isl_aff *right = affine_isl(scop, place_in(stmt), form);
    isl_set *beyond = upper ? isl_aff_gt_set(left, right) : isl_aff_lt_set(left, right);
    isl_bool never = isl_set_is_disjoint(stmt->domain, beyond);
    isl_set_free(beyond);
    return never != isl_bool_true;
}

/* Finds the bound of the list that no other bound exceeds. */
static bool bound_choose(const struct scop *scop, const bound_list *list, bool upper,
                         struct affine *bound)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t k = 0;
        while (k < list->count && !is_exceeded(scop, &list->at[i].form, &list->at[k], upper))
            k++;
        *bound = list->at[i].form;
        if (k == list->count)
            return true;
    }
    return false;
}

static bool extreme_add(const struct scop *scop, const struct scop_stmt *stmt,
                        const struct affine *subscript, bool upper, bound_list *list)
{
    struct hull_bound bound = {.stmt = stmt};
    if (!affine_bound(scop, 0, subscript, upper, &bound.form))
        return false;
    vec_push(scop->arena, list, bound);
    return true;
}

bool names_have(const name_list *names, const struct scop_access *access)
{
    const struct ast *name = access_name(access);
    for (size_t i = 0; i < names->count; i++)
        if (names->at[i] == name)
            return true;
    return false;
}

/* Does the access go by one of the names that are asked for? */
static bool is_asked(const struct scop_access *access, const name_list *names)
{
    return !names || names_have(names, access);
}

bool hull_find(struct scop *scop, const struct scop_array *array, const name_list *names, int dim,
               struct affine *lower, struct affine *upper)
{
    struct access_walk walk;
    bound_list ends[2] = {{0}, {0}};
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        const struct affine *subscript = &access->subscripts[dim];
        if (!is_asked(access, names))
            continue;
        if (!access->is_affine[dim] || is_negative(scop, walk.stmt, subscript) ||
            !extreme_add(scop, walk.stmt, subscript, false, &ends[0]) ||
            !extreme_add(scop, walk.stmt, subscript, true, &ends[1]))
            return false;
    }
    return bound_choose(scop, &ends[0], false, lower) && bound_choose(scop, &ends[1], true, upper);
}

struct scop_array *array_find(const struct scop *scop, const struct ast *decl)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->decl == decl)
            return scop->arrays.at[i];
    return NULL;
}

const struct ast *access_name(const struct scop_access *access)
{
    const struct ast *name = access->ast;
    while (name->kind == AST_INDEX)
        name = name->children[0];
    bool names = name->kind == AST_VARIABLE ? name == access->array->decl
                                            : name->kind == AST_REF &&
                                                  name->decl == access->array->decl;
    return names && !access->is_called ? name : NULL;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* A node that stands nowhere in the text. */
static struct ast *ast_add(struct scop *scop, enum ast_kind kind)
{
    struct ast *ast = ARENA_NEW(scop->arena, struct ast);
    ast->kind = kind;
    ast->loc = scop->fragment->loc;
    return ast;
}

struct scop_loop *loop_add(struct scop *scop, const struct scop_loop *like, int depth,
                           const struct affine *lower, const struct affine *upper)
{
    static const struct ast_type number = {.class = AST_TYPE_I32, .text = "int",
                                           .canonical = "int", .bytes = 4, .count = -1};
    struct scop_loop *loop = ARENA_NEW(scop->arena, struct scop_loop);
    struct ast *iterator = ast_add(scop, AST_VARIABLE), *ast = ast_add(scop, AST_FOR);
    const struct ast **children = ARENA_ARRAY(scop->arena, const struct ast *, 4);
    children[3] = ast_add(scop, AST_EMPTY);
    ast->children = children;
    ast->n_children = 4;
    loop->name = like ? like->name : arena_printf(scop->arena, "e%d", depth);
    loop->type = like ? like->type : "int";
    iterator->type = like ? like->iterator->type : &number;
    iterator->name = loop->name;
    loop->id = (int)scop->loops.count;
    loop->depth = depth;
    loop->ast = ast;
    loop->iterator = iterator;
    loop->start = *lower;
    loop->limits[0] = *upper;
    loop->n_limits = 1;
    loop->step = 1;
    vec_push(scop->arena, &scop->loops, loop);
    loop->symbol = affine_symbol_of(scop, loop);
    return loop;
}

/* The source's loop that gives a subscript its values; NULL if there is none. */
static const struct scop_loop *subscript_loop(const struct scop *scop,
                                              const struct scop_array *array,
                                              const name_list *names, int dim)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (is_asked(access, names) && access->subscripts[dim].n_terms > 0 &&
            scop->symbols.at[access->subscripts[dim].terms[0].symbol].loop)
            return scop->symbols.at[access->subscripts[dim].terms[0].symbol].loop;
    return NULL;
}

void box_loops(struct scop *scop, const struct scop_array *array, const name_list *names,
               const struct affine *lower, const struct affine *upper, struct scop_loop **loops)
{
    for (int dim = 0; dim < array->n_dims; dim++) {
        const struct scop_loop *like = subscript_loop(scop, array, names, dim);
        for (int i = 0; i < dim && like; i++)
            if (!strcmp(loops[i]->name, like->name))
                like = NULL;
        loops[dim] = loop_add(scop, like, dim, &lower[dim], &upper[dim]);
    }
}

static struct scop_node *node_add(struct scop *scop, enum scop_node_kind kind, int n_children)
{
    struct scop_node *node = ARENA_NEW(scop->arena, struct scop_node);
    node->kind = kind;
    node->ast = ast_add(scop, AST_EMPTY);
    node->n_children = n_children;
    node->children = ARENA_ARRAY(scop->arena, struct scop_node *, n_children + 1);
    return node;
}

/* Puts a statement and the nest that it stands in before or behind all others. */
static void stmt_place(struct scop *scop, struct scop_stmt *stmt, struct scop_node *nest,
                       bool behind)
{
    struct scop_node *root = scop->root;
    struct scop_node **children = ARENA_ARRAY(scop->arena, struct scop_node *,
                                              root->n_children + 1);
    memcpy(children + !behind, root->children, sizeof *children * (size_t)root->n_children);
    children[behind ? root->n_children : 0] = nest;
    nest->parent = root;
    root->children = children;
    root->n_children++;
    vec_push(scop->arena, &scop->stmts, stmt);
    if (!behind) {
        memmove(scop->stmts.at + 1, scop->stmts.at,
                (scop->stmts.count - 1) * sizeof *scop->stmts.at);
        scop->stmts.at[0] = stmt;
    }
    for (size_t i = 0; i < scop->stmts.count; i++)
        scop->stmts.at[i]->id = (int)i;
}

/* The access of a copy has no text of its own, but its element's type. */
static struct ast *element_ast(struct scop *scop, const struct scop_array *array)
{
    struct ast *ast = ast_add(scop, AST_EMPTY);
    const struct ast_type *type = array->decl->type;
    while (type->element)
        type = type->element;
    ast->type = type;
    return ast;
}

void copy_add(struct scop *scop, bool behind, struct scop_loop *const *loops, int depth,
              struct scop_access from, struct scop_access to)
{
    struct scop_stmt *stmt = ARENA_NEW(scop->arena, struct scop_stmt);
    struct scop_node *node = node_add(scop, SCOP_LEAF, 0);
    from.ast = element_ast(scop, from.array);
    to.ast = element_ast(scop, to.array);
    to.is_write = true;
    to.array->is_written = true;
    memset(from.is_affine, true, sizeof from.is_affine);
    memset(to.is_affine, true, sizeof to.is_affine);
    vec_push(scop->arena, &stmt->accesses, from);
    vec_push(scop->arena, &stmt->accesses, to);
    stmt->domain = scop_keep_set(
        scop, loops_set(scop, place_below((const struct scop_loop *const *)loops, depth)));
    stmt->ast = node->ast;
    stmt->node = node;
    stmt->depth = depth;
    node->stmt = stmt;
    node->is_copy = true;
    for (int i = depth; i-- > 0;) {
        struct scop_node *around = node_add(scop, SCOP_LOOP, 1);
        around->loop = loops[i];
        around->children[0] = node;
        node->parent = around;
        node = around;
        stmt->loops[i] = loops[i];
    }
    stmt_place(scop, stmt, node, behind);
}

/* --- the text --------------------------------------------------------------------------------- */

const char *memory_text(const struct scop *scop, const struct scop_memory *memory)
{
    struct str out = str_new(scop->arena);
    str_add(&out, memory->name);
    for (int i = 0; i < memory->n_loops; i++) {
        struct affine subscript = affine_iterator(memory->loops[i]);
        affine_add(&subscript, &memory->starts[i], -1);
        str_addf(&out, "[%s]", affine_text(scop, &subscript));
    }
    return out.text;
}

/* "double (*)[nq][np]", or a declarator with a name in its place. */
static const char *pointer_text(const struct scop *scop, const struct scop_memory *memory,
                                const char *name)
{
    struct str out = str_new(scop->arena);
    int n = memory->array->n_dims;
    if (n == 1)
        return arena_printf(scop->arena, "%s *%s", memory->type, name);
    str_addf(&out, "%s (*%s)", memory->type, name);
    for (int i = 1; i < n; i++)
        str_addf(&out, "[%s]", affine_text(scop, &memory->extents[i]));
    return out.text;
}

/* "np > 1": there are more than so many elements along an axis. */
static const char *above_text(const struct scop *scop, const struct affine *extent, int64_t fewest)
{
    struct affine terms = *extent;
    int64_t constant = extent->n_names ? 0 : extent->constant, least = fewest - constant;
    terms.constant -= constant;
    return arena_printf(scop->arena, "%s > %lld", affine_text(scop, &terms), (long long)least);
}

/* "nr > 0 && np > 1 && sizeof(double) * (double)nr * (np - 1) < …": there is something to allocate,
   and its size is no more than an object may have. */
static const char *size_condition(const struct scop *scop, const struct scop_memory *memory)
{
    struct str out = str_new(scop->arena), size = str_new(scop->arena);
    for (int i = 0; i < memory->array->n_dims; i++) {
        const struct affine *extent = &memory->extents[i];
        str_addf(&size, "%s%s", i ? " * " : "", affine_operand_text(scop, extent));
        bool known = false;
        for (int k = 0; k < i; k++)
            known |= affine_equal(&memory->extents[k], extent);
        if (extent->n_terms && !known)
            str_addf(&out, "%s && ", above_text(scop, extent, memory->fewest));
    }
    str_addf(&out, "sizeof(%s) * (double)%s < (double)((size_t)-1 / 4)", memory->type, size.text);
    return out.text;
}

static const char *size_text(const struct scop *scop, const struct scop_memory *memory)
{
    struct str out = str_new(scop->arena);
    str_addf(&out, "sizeof(%s)", memory->type);
    for (int i = 0; i < memory->array->n_dims; i++)
        str_addf(&out, " * %s", affine_operand_text(scop, &memory->extents[i]));
    return out.text;
}

/* Prints the declaration and allocation of the pointer, or of the block from which a pointer with
   extents in the type is made. The `if` of memories_open tests this variable. */
static void memory_allocate(struct str *out, const struct scop *scop, struct scop_memory *memory,
                            struct word_list *words, const char *condition, int indent)
{
    const char *base = arena_printf(scop->arena, "%s_", memory->original->name);
    memory->name = words_fresh(words, base, 0);
    memory->block = memory->array->n_dims > 1 ? words_fresh(words, base, 0) : memory->name;
    str_indent(out, indent);
    str_addf(out, "%s *%s =\n", memory->type, memory->block);
    str_indent(out, indent + 4);
    str_addf(out, "%s%s%s\n", condition ? condition : "", condition ? " && " : "",
             size_condition(scop, memory));
    str_indent(out, indent + 8);
    str_addf(out, "? malloc(%s)\n", size_text(scop, memory));
    str_indent(out, indent + 8);
    str_add(out, ": 0;\n");
}

void memories_open(struct str *out, struct scop *scop, struct word_list *words,
                   const char *condition, int indent)
{
    for (size_t i = 0; i < scop->memories.count; i++) {
        memory_allocate(out, scop, scop->memories.at[i], words, condition, indent);
        condition = scop->memories.at[i]->block;
    }
    condition = rows_test(out, scop, words, condition, indent);
    str_indent(out, indent);
    str_addf(out, "if (%s) {\n", condition);
    for (size_t i = 0; i < scop->memories.count; i++) {
        const struct scop_memory *memory = scop->memories.at[i];
        if (memory->array->n_dims == 1)
            continue;
        str_indent(out, indent + 4);
        str_addf(out, "%s = (%s)%s;\n", pointer_text(scop, memory, memory->name),
                 pointer_text(scop, memory, ""), memory->block);
    }
    rows_copy(out, scop, words, false, indent + 4);
}

/* In the `else` the last block is not there, unless rows were tested, too. */
void memories_close(struct str *out, const struct scop *scop, struct word_list *words,
                    bool is_else, int indent)
{
    bool tests = false;
    for (size_t i = 0; i < scop->memories.count; i++)
        tests |= scop->memories.at[i]->is_rows;
    if (!is_else)
        rows_copy(out, scop, words, true, indent);
    for (size_t i = scop->memories.count - (is_else && !tests ? 1 : 0); i-- > 0;) {
        const struct scop_memory *memory = scop->memories.at[i];
        str_indent(out, indent);
        str_addf(out, "free(%s);\n", is_else ? memory->block : memory->name);
    }
}

/* --- the library's functions ------------------------------------------------------------------ */

/* Does a directive name one of them? */
static bool is_directed(const struct source *source)
{
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    scanner.gives_directives = true;
    while (scanner_next(&scanner, &token)) {
        struct scanner inner = scanner_make(token.text + 1, token.length - 1);
        bool directive = token.kind == TOKEN_DIRECTIVE;
        while (directive && scanner_next(&inner, &token))
            if (token.kind == TOKEN_WORD &&
                ((token.length == 6 && !strncmp(token.text, "malloc", 6)) ||
                 (token.length == 4 && !strncmp(token.text, "free", 4)) ||
                 (token.length == 6 && !strncmp(token.text, "size_t", 6))))
                return true;
    }
    return false;
}

/* Does the function declare something under one of these names? */
static bool is_hidden(struct arena *arena, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if ((n->kind == AST_VARIABLE || n->kind == AST_PARAMETER) && n->name &&
            (!strcmp(n->name, "malloc") || !strcmp(n->name, "free") ||
             !strcmp(n->name, "size_t")))
            return true;
    return false;
}

/* The calls in a function that stands behind the file, with the header that the printed text
   includes before its functions: both must be the library's. */
static bool calls_library(struct ctx *ctx, const struct ast_unit *unit)
{
    static const char function[] =
        "\nvoid treefork_probe_memory(void);\n"
        "void treefork_probe_memory(void) { void *at = malloc((size_t)1); free(at); }\n";
    struct str text = str_new(ctx->arena);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    size_t place = include_place(unit->source, unit->source->length);
    str_add_n(&text, unit->source->text, place);
    str_add(&text, "#include <stdlib.h>\n");
    str_add_n(&text, unit->source->text + place, unit->source->length - place);
    str_add(&text, function);
    *source = (struct source){unit->source->path, text.text, text.length, NULL};
    struct ast_unit *probe = ast_parse(ctx, source, unit->arguments, unit->n_arguments);
    int n_calls = 0;
    if (!probe)
        return false;
    const struct ast *last = probe->declarations[probe->n_declarations - 1];
    struct ast_walk walk;
    const struct ast *body = ast_body(probe, last);
    for (const struct ast *n = ast_first(&walk, ctx->arena, body); n; n = ast_next(&walk)) {
        bool library = n->kind == AST_CALL && n->decl && !n->is_macro && !n->decl->has_body &&
                       !n->decl->is_static;
        n_calls += library && (!strcmp(n->decl->name, "malloc") || !strcmp(n->decl->name, "free"));
    }
    ast_close(probe);
    return n_calls == 2;
}

bool memory_is_available(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment)
{
    static const char key[] = "mapper memory";
    static const char *const answers[] = {"no", "yes"};
    if (is_hidden(ctx->arena, fragment->function) || is_hidden(ctx->arena, fragment->body))
        return false;
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    const char *known = map_get(ctx->caches, key);
    if (!known) {
        unsigned errors = ctx->errors, warnings = ctx->warnings;
        bool quiet = ctx->quiet;
        ctx->quiet = true;
        known = answers[!is_directed(unit->source) && calls_library(ctx, unit)];
        ctx->quiet = quiet;
        ctx->errors = errors;
        ctx->warnings = warnings;
        map_put(ctx->caches, key, (void *)known);
    }
    return known == answers[1];
}
