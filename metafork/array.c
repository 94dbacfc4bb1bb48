/* Arrays: those that the region works on, and small local ones.

   In: declarations of arrays and pointers, INDEX chains. Out: struct array with its extents as
   expressions over parameters, and the subscripts of an element, one per dimension. `T a[N][M]`, `T
   (*a)[M]` and `T *a` differ only in the first extent, which the last two leave open. */
#include "metafork/lower.h"
#include <string.h>

static bool element_is_supported(struct lower *l, const struct ast *use,
                                 const struct ast_type *element, enum type *type)
{
    if (element->class == AST_TYPE_POINTER) {
        refuse(l, use, "a pointer to pointers", "use one array, `T (*a)[M]` or `T a[N][M]`");
        return false;
    }
    if (element->class == AST_TYPE_VOID) {
        refuse(l, use, "an array without a known element type (`void *`)",
               "give the pointer its element type");
        return false;
    }
    if (!type_of(element, type)) {
        refuse_type(l, use, element);
        return false;
    }
    return true;
}

/* An extent as written, or its constant value; variables in it must keep the value that they had at
   the declaration. */
static const struct expr *extent_lower(struct lower *l, const struct ast *decl,
                                       const struct ast *use, const struct ast_type *layer)
{
    if (!layer->extent)
        return layer->count >= 0
                   ? expr_integer(l->arena, layer->count > INT32_MAX ? TYPE_I64 : TYPE_I32,
                                  layer->count)
                   : NULL;
    enum level level = l->level;
    l->level = LEVEL_HOST;
    const struct expr *e = expression_lower(l, layer->extent);
    l->level = level;
    if (e && (type_is_floating(e->type) || !expr_reads_only_params(e))) {
        refuse(l, use, arena_printf(l->arena, "the extent of `%s`", decl->name),
               "give it in terms of integer parameters");
        return NULL;
    }
    return e;
}

/* A use of a variable in an extent of the array that changes in the function behind the array's
   declaration; NULL if there is none. */
static const struct ast *changing_in(struct lower *l, const struct ast *array,
                                     const struct ast *extent)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, extent); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl && writes_of(l->writes, n->decl) > 0 &&
            !definition_of(l, n->decl) && !ast_keeps_extent(l->body, array, n->decl))
            return n;
    return NULL;
}

/* An outermost extent that the region cannot compute (a[p->n]) or that changes says nothing: what
   the region touches of the array is what it needs, as of a pointer. */
static bool is_left_out(struct lower *l, const struct ast *decl, const struct ast_type *layer)
{
    return layer == decl->type && layer->class == AST_TYPE_ARRAY && layer->extent &&
           (!ast_is_plain_extent(layer->extent) || changing_in(l, decl, layer->extent));
}

/* NULL: open. */
static const struct expr *dimension_lower(struct lower *l, const struct ast *decl,
                                          const struct ast *use, const struct ast_type *layer)
{
    if (is_left_out(l, decl, layer))
        return NULL;
    return layer->class == AST_TYPE_POINTER ? allocation_extent(l, decl)
                                            : extent_lower(l, decl, use, layer);
}

static bool extents_lower(struct lower *l, const struct ast *decl, const struct ast *use,
                          struct array *array)
{
    const struct expr **dims = ARENA_ARRAY(l->arena, const struct expr *, AXES_MAX);
    const struct ast_type *layer = decl->type;
    unsigned errors = l->ctx->errors;
    int n = 0;
    for (;
         layer && (layer->class == AST_TYPE_ARRAY || (layer->class == AST_TYPE_POINTER && n == 0));
         layer = layer->element) {
        if (n == AXES_MAX) {
            refuse(l, use, "an array of more than 8 dimensions", "join dimensions");
            return false;
        }
        const struct ast *changing = n ? changing_in(l, decl, layer->extent) : NULL;
        if (changing) {
            refuse(l, use,
                   arena_printf(l->arena,
                                "the array `%s`, whose extent `%s` changes in this function,",
                                decl->name, changing->decl->name),
                   "leave the variables of extents unchanged");
            return false;
        }
        dims[n] = dimension_lower(l, decl, use, layer);
        if (n && !dims[n] && l->ctx->errors == errors)
            refuse(l, use,
                   arena_printf(l->arena, "the array `%s` with an open inner extent", decl->name),
                   "give the extent");
        if (l->ctx->errors > errors)
            return false;
        n++;
    }
    array->n_dims = n;
    array->dims = dims;
    return layer &&
           element_is_supported(l, use, layer, &array->element);
}

static const struct ast_type *element_of(const struct ast_type *type)
{
    while (type->element && (type->class == AST_TYPE_ARRAY || type->class == AST_TYPE_POINTER))
        type = type->element;
    return type;
}

/* The array or pointer whose value a local pointer has for good: through definitions that are
   never changed. */
static const struct ast *origin_of(struct lower *l, const struct ast *decl)
{
    for (int depth = 0; depth < 16; depth++) {
        const struct ast *value = decl->n_children ? decl->children[0] : NULL;
        if (decl->kind != AST_VARIABLE || decl->type->class != AST_TYPE_POINTER ||
            writes_of(l->writes, decl) || !value)
            break;
        const struct ast *base = ast_base(ast_strip(value)), *plain = ast_strip(value);
        while (plain->kind == AST_CAST && plain->n_children)
            plain = ast_strip(plain->children[0]);
        bool first = plain->kind == AST_UNARY && plain->op == AST_OP_ADDRESS &&
                     plain->children[0]->kind == AST_INDEX &&
                     plain->children[0]->children[1]->kind == AST_INTEGER &&
                     plain->children[0]->children[1]->integer == 0;
        if (!base || (plain->kind != AST_REF && !first) ||
            (base->decl->type->class == AST_TYPE_POINTER && writes_of(l->writes, base->decl)))
            break;
        decl = base->decl;
    }
    return decl;
}

/* A local pointer that is another array under a second name. Two pointers to `const` elements may
   have one origin: the region writes through neither. What may overlap otherwise (`b = a +
   n`, exchanged pointers) is the program's to know and the runtime's to check. */
static bool is_alias(struct lower *l, const struct ast *decl, const struct ast *use)
{
    for (size_t i = 0; i < l->outer.count; i++) {
        const struct symbol *other = l->outer.at[i];
        bool reads = element_of(decl->type)->is_const && other->kind == SYMBOL_ARRAY &&
                     element_of(other->decl->type)->is_const;
        if (other->kind != SYMBOL_ARRAY || reads ||
            origin_of(l, decl) != origin_of(l, other->decl))
            continue;
        diag_error(l->ctx, use->loc,
                   "`%s` and `%s` are the same memory; use one name for it in the region",
                   decl->name, other->decl->name);
        return true;
    }
    return false;
}

bool name_is_taken(struct lower *l, const struct ast *decl, const struct ast *use)
{
    for (size_t i = 0; i < l->outer.count; i++) {
        const struct ast *other = l->outer.at[i]->decl;
        if (other == decl || strcmp(other->name, decl->name) != 0)
            continue;
        diag_error(l->ctx, use->loc,
                   "the region uses two variables named `%s`, of which one hides the other; "
                   "rename one",
                   decl->name);
        return true;
    }
    if (strncmp(decl->name, "tf_", 3) != 0)
        return false;
    diag_error(l->ctx, use->loc,
               "`%s` may be a name of generated code, as all that begin with tf_; rename the "
               "variable",
               decl->name);
    return true;
}

static struct array *array_begin(struct lower *l, const struct ast *decl, enum space space)
{
    struct array *array = ARENA_NEW(l->arena, struct array);
    array->name = decl->name;
    array->space = space;
    array->loc = decl->loc;
    return array;
}

struct symbol *array_outer(struct lower *l, const struct ast *decl, const struct ast *use)
{
    struct array *array = array_begin(l, decl, SPACE_GLOBAL);
    struct symbol *symbol = symbol_add(l, decl, SYMBOL_BAD);
    if (name_is_taken(l, decl, use))
        return symbol;
    if (decl->type->is_volatile || element_of(decl->type)->is_volatile) {
        refuse_row(l, use, REFUSE_VOLATILE, decl->name);
        return symbol;
    }
    if (is_alias(l, decl, use) || !extents_lower(l, decl, use, array))
        return symbol;
    array->is_const = element_of(decl->type)->is_const;
    array->is_restrict = decl->type->is_restrict;
    symbol->kind = SYMBOL_ARRAY;
    symbol->level = LEVEL_HOST;
    symbol->array = array;
    vec_push(l->arena, &l->outer, symbol);
    return symbol;
}

struct symbol *array_of_scalar(struct lower *l, const struct ast *decl, const struct ast *use,
                               enum type type)
{
    struct array *array = array_begin(l, decl, SPACE_GLOBAL);
    struct symbol *symbol = symbol_add(l, decl, SYMBOL_BAD);
    if (name_is_taken(l, decl, use))
        return symbol;
    if (decl->is_register) {
        diag_error(l->ctx, use->loc,
                   "`%s` is declared `register` and has no address, by which it comes home; "
                   "declare it without",
                   decl->name);
        return symbol;
    }
    const struct expr **one = ARENA_NEW(l->arena, const struct expr *),
                      **first = ARENA_NEW(l->arena, const struct expr *);
    *one = expr_integer(l->arena, TYPE_I32, 1);
    *first = expr_integer(l->arena, TYPE_I32, 0);
    array->element = type;
    array->is_scalar = true;
    array->is_alone = decl->owner == l->function && !decl->is_static && !decl->is_extern &&
                      !decl->is_global && !ast_takes_address(l->body, decl);
    array->n_dims = 1;
    array->dims = one;
    symbol->kind = SYMBOL_ARRAY;
    symbol->level = LEVEL_HOST;
    symbol->array = array;
    symbol->prefix = first;
    symbol->n_prefix = 1;
    vec_push(l->arena, &l->outer, symbol);
    return symbol;
}

struct filling {
    struct lower *l;
    const struct array *array;
    int64_t next, end;
};

static void fill_element(struct filling *f, const struct expr *value, struct loc loc)
{
    const struct expr *indices[AXES_MAX];
    int64_t rest = f->next++, extent;
    for (int i = f->array->n_dims - 1; i >= 0; i--) {
        if (!expr_get_integer(f->array->dims[i], &extent))
            return;
        indices[i] = expr_integer(f->l->arena, TYPE_I32, rest % extent);
        rest /= extent;
    }
    emit(f->l, stmt_store(f->l->arena, f->array, indices, value, loc));
}

/* The elements of one list, which covers `size` of them: braces may be left out. */
static void fill_list(struct filling *f, const struct ast *list, int dim, int64_t size)
{
    struct lower *l = f->l;
    int64_t begin = f->next, extent;
    for (int i = 0; i < list->n_children; i++) {
        const struct ast *child = list->children[i];
        if (child->kind == AST_LIST && dim + 1 < f->array->n_dims &&
            expr_get_integer(f->array->dims[dim], &extent)) {
            fill_list(f, child, dim + 1, size / extent);
            continue;
        }
        const struct expr *value = child->kind == AST_ZERO ? expr_integer(l->arena, TYPE_I32, 0)
                                                           : expression_lower(l, child);
        if (!value || f->next >= f->end)
            return;
        fill_element(f, value, child->loc);
    }
    while (f->next < begin + size && f->next < f->end)
        fill_element(f, expr_integer(l->arena, f->array->element, 0), list->loc);
}

void array_local(struct lower *l, const struct ast *decl)
{
    struct symbol *symbol = symbol_add(l, decl, SYMBOL_BAD);
    struct array *array = array_begin(l, decl, SPACE_PRIVATE);
    int64_t size = 1, extent;
    for (const struct ast_type *t = decl->type; t && t->class == AST_TYPE_ARRAY; t = t->element)
        if (t->count < 0) {
            refuse(l, decl, "a local array of variable length",
                   "give it a constant size, or declare it before the region");
            return;
        }
    if (!extents_lower(l, decl, decl, array))
        return;
    for (int i = 0; i < array->n_dims; i++)
        size = expr_get_integer(array->dims[i], &extent) && extent > 0 && size <= LOCAL_ELEMENTS_MAX
                   ? size * extent
                   : 0;
    if (size < 1 || size > LOCAL_ELEMENTS_MAX || (decl->n_children && size > LOCAL_FILL_MAX)) {
        refuse(l, decl, decl->n_children ? "an initialised local array of more than 256 elements"
                                         : "a local array of more than 4096 elements (or none)",
               "declare it before the region");
        return;
    }
    vec_push(l->arena, &l->privates, array);
    symbol->kind = SYMBOL_ARRAY;
    symbol->array = array;
    emit(l, stmt_array(l->arena, array));
    if (!decl->n_children)
        return;
    if (decl->children[0]->kind != AST_LIST) {
        refuse_kind(l, decl->children[0]);
        return;
    }
    struct filling filling = {l, array, 0, size};
    fill_list(&filling, decl->children[0], 0, size);
}
