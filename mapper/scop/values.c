/* Variables that a fragment changes or declares, and who else uses them.

   In: a fragment. Out: the scalars and pointers that the fragment changes, with the place of the
   first change; a refusal if code outside needs an iterator's last value, or a variable of an inner
   declaration. */
#include "frontend/facts.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/values.h"
#include <string.h>

static const struct ast *written_scalar(const struct ast *n)
{
    const struct ast *target = change_target(n);
    return target && target->kind == AST_REF ? target->decl : NULL;
}

void written_collect(struct arena *arena, struct map *written, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk)) {
        const struct ast *decl = written_scalar(n);
        if (decl && !map_get_pointer(written, decl))
            map_put_pointer(written, decl, (void *)n);
    }
}

bool sizeof_asks(const struct scop *scop, const struct ast *decl)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_SIZEOF && n->decl && ast_mentions(n->decl, decl))
                return true;
    }
    return false;
}

void declared_collect(struct scop *scop, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_VARIABLE)
            map_put_pointer(scop->is_declared, n, (void *)n);
}

/* A use of a loop's iterator in the fragment, outside loops over it; NULL if there is none. */
static const struct ast *used_inside(const struct scop *scop, const struct ast *iterator)
{
    const struct ast *use = NULL;
    for (size_t i = 0; i < scop->fragment->n_statements && !use; i++)
        use = header_use_outside(scop->fragment->statements[i], iterator);
    return use;
}

/* An earlier loop over the same variable has the same answer. */
static bool iterator_is_live(const struct scop *scop, size_t i)
{
    const struct ast *iterator = scop->loops.at[i]->iterator;
    for (size_t k = 0; k < i; k++)
        if (scop->loops.at[k]->iterator == iterator)
            return scop->loops.at[k]->is_live;
    return variable_is_read_behind(scop, iterator);
}

void iterators_check(struct scop *scop)
{
    for (size_t i = 0; i < scop->loops.count; i++) {
        struct scop_loop *loop = scop->loops.at[i];
        bool inside = map_get_pointer(scop->is_declared, loop->iterator) != NULL;
        if (inside && !last_is_read(scop, loop))
            continue;
        const struct ast *n = used_inside(scop, loop->iterator);
        bool shared = loop->iterator->is_global || loop->iterator->is_static;
        loop->is_live = !inside && iterator_is_live(scop, i);
        if (!n && !inside && !shared && (!loop->is_live || last_is_known(scop, loop)))
            continue;
        scop_refuse_for(scop, REFUSE_ITERATOR_READ, n ? n->loc : loop->ast->loc, loop->name,
                        n ? n : loop->ast);
        return;
    }
}

/* Is anything mentioned outside the fragment that it declares? */
static bool is_used_outside(const struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    const struct ast_facts *facts = ast_facts(scop->unit, f->body);
    struct ast_walk walk;
    for (size_t i = 0; i < f->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, f->statements[i]);
        for (; n; n = ast_next(&walk)) {
            const struct ast_span *span =
                n->kind == AST_VARIABLE ? map_get_pointer(facts->spans, n) : NULL;
            if (span && (span->first < f->begin || span->last >= f->end))
                return true;
        }
    }
    return false;
}

void declarations_check(struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    if (!is_used_outside(scop))
        return;
    for (const struct ast *n = ast_first(&walk, scop->arena, f->body); n; n = ast_next(&walk)) {
        bool outside = n->kind == AST_REF && (n->begin < f->begin || n->begin >= f->end);
        if (!outside || !map_get_pointer(scop->is_declared, n->decl))
            continue;
        scop_refuse_for(scop, REFUSE_DECLARED_INSIDE, n->loc, n->decl->name, n->decl);
        return;
    }
}

/* Does the fragment change the member of a structure that the node stands for? */
static bool member_is_changed(const struct scop *scop, const struct ast *n)
{
    const struct fragment *f = scop->fragment;
    bool changed = false, made = n->kind == AST_REF && n->is_made && n->decl->is_made;
    for (size_t i = 0; i < f->n_statements; i++)
        changed |= made && member_path_change(scop->arena, f->statements[i], n->decl);
    return changed;
}

void members_check(struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    for (size_t i = 0; i < f->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, f->statements[i]);
        for (; n; n = ast_next(&walk)) {
            if (!member_is_changed(scop, n))
                continue;
            scop_refuse(scop, REFUSE_MEMBER, n->loc, NULL);
            return;
        }
    }
}

static bool fragment_mentions(const struct fragment *f, const struct ast *decl)
{
    for (size_t i = 0; i < f->n_statements; i++)
        if (ast_mentions(f->statements[i], decl))
            return true;
    return false;
}

/* The variable that the name of another one means where the fragment stands; NULL: none, the name
   means what it says. */
static const struct ast *hiding(const struct fragment *f, const struct ast *decl)
{
    const struct ast *hides = NULL, *around = f->body, *next;
    for (; around; around = next) {
        next = NULL;
        for (int i = 0; i < around->n_children; i++) {
            const struct ast *child = around->children[i];
            if (!child || ast_is_expression(child) || child->begin >= f->begin)
                continue;
            if (child->end >= f->end)
                next = child;
            if (child->is_made && child->name && !strcmp(child->name, decl->name))
                hides = child;   /* a declaration that is removed within fragments only */
            int n_declared = child->kind == AST_DECLARE ? child->n_children : 0;
            for (int k = 0; k < n_declared; k++) {
                const struct ast *other = child->children[k];
                if (other != decl && !strcmp(other->name, decl->name))
                    hides = other;
                else if (other == decl)
                    hides = NULL;
            }
        }
    }
    return hides;
}

static void name_check(struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    bool is_seen = !decl->owner || decl->owner == f->function;
    bool is_outside = decl->name && !decl->is_made && is_seen &&
                      !map_get_pointer(scop->is_declared, decl);
    const struct ast *hides = is_outside ? hiding(f, decl) : NULL;
    if (hides)
        scop_refuse_for(scop, REFUSE_HIDDEN, hides->loc, decl->name, NULL);
}

static void extents_check(struct scop *scop, const struct ast_type *type)
{
    struct ast_walk walk;
    for (; type; type = type->element) {
        const struct ast *n = ast_first(&walk, scop->arena, type->extent);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_REF && n->decl)
                name_check(scop, n->decl);
    }
}

void names_check(struct scop *scop)
{
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (!scop->symbols.at[i].loop && scop->symbols.at[i].decl)
            name_check(scop, scop->symbols.at[i].decl);
    for (size_t i = 0; i < scop->arrays.count; i++) {
        name_check(scop, scop->arrays.at[i]->decl);
        extents_check(scop, scop->arrays.at[i]->decl->type);
    }
}

/* A statement of the fragment behind a loop that needs the last value of a number which the loop
   moves, or changes what the value is made of; the loop itself if it stands in another loop; NULL
   if the fragment has no such statement. */
static const struct ast *last_user(const struct scop *scop, const struct ast_moved *moved)
{
    const struct fragment *f = scop->fragment;
    const struct ast *user = moved->loop;
    struct ast_walk walk;
    for (size_t i = 0; i < f->n_statements; i++) {
        const struct ast *statement = f->statements[i];
        if (statement == moved->loop)
            user = NULL;
        if (statement->begin < moved->loop->end)
            continue;
        if (ast_mentions(statement, moved->variable))
            return statement;
        const struct ast *n = ast_first(&walk, scop->arena, moved->last);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_REF && ast_writes(statement, n->decl))
                return statement;
    }
    return user;
}

void moved_check(struct scop *scop)
{
    static const enum refusal rows[] = {
        [MOVING_POINTER] = REFUSE_POINTER_MOVES, [MOVING_ROUND] = REFUSE_ROUND_BEFORE,
        [MOVING_MEMBER] = REFUSE_LOOP_MEMBER, [MOVING_NUMBER] = REFUSE_ROUND_BEFORE,
        [MOVING_STEP] = REFUSE_STEP,
        [MOVING_VALUE] = REFUSE_VALUE_PART};
    const struct fragment *f = scop->fragment;
    for (const struct ast_moved *m = scop->unit->moved; m; m = m->next) {
        bool meets = m->loop->begin < f->end && m->loop->end > f->begin;
        bool is_whole = m->loop->begin >= f->begin && m->loop->end <= f->end;
        const struct ast *user = is_whole && m->last ? last_user(scop, m) : NULL;
        if (meets && !is_whole &&
            (m->kind == MOVING_POINTER || m->kind == MOVING_VALUE ||
             fragment_mentions(f, m->variable)))
            scop_refuse_for(scop, rows[m->kind], m->loop->loc, m->variable->name, NULL);
        if (user)
            scop_refuse_for(scop, REFUSE_LAST_VALUE, user->loc, m->variable->name, NULL);
    }
}

void removed_check(struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    for (size_t i = 0; i < f->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, f->statements[i]);
        for (; n; n = ast_next(&walk))
            if (((n->is_made && n->kind == AST_EMPTY) || n->kind == AST_DECLARE) &&
                n->integer > (int64_t)f->end)
                scop_refuse_for(scop, n->name ? REFUSE_DECLARED_INSIDE : REFUSE_CONTINUE, n->loc,
                                n->name, n);
    }
}

/* Does a tree mean something by the name, itself or by the values of variables that are names?
   Iterators of the loops do not count. `declares`: declarations in the tree do. */
static bool tree_means(const struct scop *scop, const struct ast *root, const char *name,
                       const struct scop_loop *const *loops, int n_loops, bool declares)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl
                                 : declares && n->kind == AST_VARIABLE ? n : NULL;
        bool counts = decl && decl->name;
        for (int i = 0; i < n_loops && counts; i++)
            counts = decl != loops[i]->iterator;
        if (counts && !strcmp(decl->name, name))
            return true;
        const struct ast *value = n->kind == AST_REF && decl && is_named(scop, decl)
                                      ? named_value(scop, decl)
                                      : NULL;
        if (value && tree_means(scop, value, name, loops, n_loops, declares))
            return true;
    }
    return false;
}

bool stmt_means_other(const struct scop *scop, const struct scop_stmt *stmt, const char *name,
                      const struct scop_loop *loop)
{
    for (int at = 0; at < stmt->depth; at++)
        if (stmt->loops[at] != loop && !strcmp(stmt->loops[at]->name, name))
            return true;
    return tree_means(scop, stmt->ast, name, &loop, loop ? 1 : 0, true);
}

bool stmt_needs(const struct scop *scop, const struct scop_stmt *stmt, int depth, const char *name)
{
    for (int at = 0; at < depth; at++)
        if (!strcmp(stmt->loops[at]->name, name))
            return true;
    return tree_means(scop, stmt->ast, name, stmt->loops + depth, stmt->depth - depth, false);
}
