/* Members of structures that loops write: `st->sum += x[i]`, `r.total += …`, `h->bin[p[i]]++`.

   In: the body of a function. Out: such a member is memory of its own, which the mapped text names
   before a fragment that uses it: `st_sum[0]` with `double *st_sum = &st->sum;`, and
   `h_bin[0][p[i]]` with `int (*h_bin)[256] = &h->bin;`. The member keeps its place and is accessed
   by its own type, so that host code may go on naming it. The structure is a variable of the file,
   or a parameter or local variable that is declared before all loops, or what such a pointer means
   that keeps its value and has no subscripts; parts of unions and bit-fields stay. Members that are
   only read are no concern of this form (members.c). */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"

struct written {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *function, *body;
    struct word_list *words;
    VEC(struct ast *) variables;     /* each with the address of its member as value */
};

/* --- members ---------------------------------------------------------------------------------- */

/* The variable that a member is a part of, or that points to its structure; NULL of parts of
   unions, of elements, and of what two pointers lead to. */
static const struct ast *structure_of(const struct ast *member)
{
    const struct ast *at = member;
    bool by_pointer = false;
    while (at->kind == AST_MEMBER && at->n_children == 1 && at->integer >= 0 && !by_pointer) {
        at = at->children[0];
        if (at->kind == AST_CAST && at->is_implicit)
            at = at->children[0];
        by_pointer = at->type && at->type->class == AST_TYPE_POINTER;
        const struct ast_type *whole = by_pointer ? at->type->element : at->type;
        if (!whole || whole->class != AST_TYPE_STRUCT || whole->is_volatile || whole->is_const)
            return NULL;
    }
    bool named = at->kind == AST_REF && at->decl && at->decl->type &&
                 (at->decl->kind == AST_VARIABLE || at->decl->kind == AST_PARAMETER);
    return named && !at->decl->type->is_volatile && !at->decl->is_register ? at->decl : NULL;
}

static bool is_numeric(const struct ast_type *type)
{
    return type && type_is_scalar(type) && type->class != AST_TYPE_BOOL && !type->is_volatile &&
           !type->is_const;
}

/* A member that is a number or an array of numbers. */
static bool is_memory(const struct ast *member)
{
    const struct ast_type *type = member->kind == AST_MEMBER ? member->type : NULL;
    while (type && type->class == AST_TYPE_ARRAY)
        type = type->count > 0 ? type->element : NULL;
    return is_numeric(type);
}

static bool has_subscript(struct arena *arena, const struct ast *body, const struct ast *pointer)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if ((n->kind == AST_INDEX || (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE)) &&
            is_ref_to(ast_strip(n->children[0]), pointer))
            return true;
    return false;
}

/* Is the structure in one place wherever a fragment of the function begins? */
static bool structure_stays(const struct written *w, const struct ast *root)
{
    bool is_pointer = root->type->class == AST_TYPE_POINTER;
    bool early = root->kind == AST_PARAMETER || root->is_global ||
                 form_is_before_loops(w->arena, w->unit, w->function, w->body, root);
    return early && !(is_pointer && (ast_writes(w->body, root) ||
                                     has_subscript(w->arena, w->body, root)));
}

/* --- the variable ----------------------------------------------------------------------------- */

/* "st_sum" */
static const char *pointer_name(const struct written *w, const struct ast *member,
                                const struct ast *root)
{
    const char *name = member->name;
    for (const struct ast *at = ast_strip(member->children[0]); at->kind == AST_MEMBER;
         at = ast_strip(at->children[0]))
        name = *at->name ? arena_printf(w->arena, "%s_%s", at->name, name) : name;
    return words_variable(w->words, arena_printf(w->arena, "%s_%s", root->name, name));
}

static const struct ast_type *address_type(const struct written *w, const struct ast_type *member)
{
    struct ast_type *pointer = ARENA_NEW(w->arena, struct ast_type);
    pointer->class = AST_TYPE_POINTER;
    pointer->text = pointer->canonical = arena_printf(w->arena, "%s *", member->canonical);
    pointer->bytes = sizeof(void *);
    pointer->element = member;
    pointer->count = -1;
    return pointer;
}

static struct ast *pointer_known(const struct written *w, const struct ast *member)
{
    for (size_t i = 0; i < w->variables.count; i++)
        if (ast_equal(w->variables.at[i]->children[0]->children[0], member))
            return w->variables.at[i];
    return NULL;
}

static void pointer_add(struct written *w, const struct ast *member, const struct ast *root)
{
    const struct ast *own = form_copy(w->arena, member);
    struct ast *address = form_make(w->arena, AST_UNARY, member, address_type(w, member->type), 1,
                                    &own);
    address->op = AST_OP_ADDRESS;
    struct ast *variable = form_variable(w->arena, w->function, pointer_name(w, member, root),
                                         address->type, address);
    vec_push(w->arena, &w->variables, variable);
}

/* The members that loops change get variables. */
static void changes_look(struct written *w, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, loop); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        while (target && target->kind == AST_INDEX)
            target = target->children[0];
        const struct ast *root = target && is_memory(target) && !target->is_part
                                     ? structure_of(target) : NULL;
        if (root && !pointer_known(w, target) && structure_stays(w, root))
            pointer_add(w, target, root);
    }
}

static void loops_look(struct written *w)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, w->body); n; n = ast_next(&walk))
        if (ast_is_loop(n)) {
            changes_look(w, n);
            ast_skip(&walk);
        }
}

/* --- uses ------------------------------------------------------------------------------------- */

/* The member becomes `st_sum[0]`, unless a macro wrote it. */
static void member_open(const struct written *w, const struct ast *member)
{
    const struct ast *variable = pointer_known(w, member);
    if (!variable || member->is_macro || member->is_part)
        return;
    const struct ast **children = ARENA_ARRAY(w->arena, const struct ast *, 2);
    struct ast *name = form_ref(w->arena, member, variable);
    name->name = variable->name;
    children[0] = name;
    children[1] = form_literal(w->arena, member, NULL, 0);
    struct ast *node = form_change(member);
    node->kind = AST_INDEX;
    node->op = AST_OP_NONE;
    node->children = children;
    node->n_children = 2;
    node->integer = 0;
    node->is_made = true;
}

/* Below an address the member keeps its name: nobody accesses it there. */
static void uses_open(const struct written *w, const struct ast *ast)
{
    if (!ast || (ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS) || ast->kind == AST_SIZEOF)
        return;
    if (ast->kind == AST_MEMBER && is_memory(ast)) {
        member_open(w, ast);
        return;
    }
    for (int i = 0; i < ast->n_children; i++)
        uses_open(w, ast->children[i]);
}

void written_find(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body)
{
    struct written w = {.arena = arena, .unit = unit, .function = function, .body = body,
                        .words = words_again(arena, words)};
    loops_look(&w);
    if (w.variables.count)
        uses_open(&w, body);
}

const struct ast *written_structure(const struct ast *variable)
{
    const struct ast *value = variable->is_made && variable->n_children ? variable->children[0]
                                                                        : NULL;
    bool is_written = value && value->kind == AST_UNARY && value->op == AST_OP_ADDRESS;
    return is_written ? structure_of(value->children[0]) : NULL;
}

const struct ast *written_meant(const struct ast *ast)
{
    const struct ast *base = ast;
    while (base && base->kind == AST_INDEX)
        base = base->children[0];
    bool is_written = base && base->kind == AST_REF && written_structure(base->decl);
    return is_written ? base->decl->children[0]->children[0] : ast;
}

void written_print(struct str *out, const struct ast_writer *writer, const struct ast *variable)
{
    const struct ast *root = written_structure(variable);
    bool by_pointer = root->type->class == AST_TYPE_POINTER;
    const struct ast_type *type = variable->type->element;
    const char *name = arena_printf(writer->arena, type->class == AST_TYPE_ARRAY ? "(*%s)" : "*%s",
                                    variable->name);
    const char *text = ast_text(writer, variable->children[0]);
    str_addf(out, "%s = ", ast_declarator_text(writer, type, name));
    if (by_pointer)
        str_addf(out, "%s ? %s : 0;\n", root->name, text);
    else
        str_addf(out, "%s;\n", text);
}
