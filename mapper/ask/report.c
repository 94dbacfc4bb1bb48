/* Answers about loops, in words.

   In: the fragments that a person asks about. Out: a line for each loop, or for one loop what
   blocks it with two iterations that meet. */
#include "mapper/ask/ask.h"
#include "mapper/ask/report.h"
#include "mapper/forms/forms.h"
#include "mapper/plan/inline.h"
#include "mapper/plan/nest.h"
#include "mapper/scop/block.h"
#include <inttypes.h>

enum { PAIRS_SHOWN = 4 };

/* --- the fragments ---------------------------------------------------------------------------- */

bool nests_ask(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice, nest_list *list)
{
    fragment_list none = {0};
    nest_list chosen = {0};
    unit = calls_inline(ctx, unit, choice);
    forms_simplify(ctx, unit);
    if (!fragments_choose(ctx, unit, choice, &chosen))
        return false;
    for (size_t i = 0; i < chosen.count; i++) {
        if (chosen.at[i]->scop)
            vec_push(ctx->arena, list, chosen.at[i]);
        else
            nests_cut(ctx, unit, &chosen.at[i]->fragment, list);
    }
    bool is_whole = !list->count;
    if (is_whole)
        nests_find(ctx, unit, &none, false, list);
    if (!list->count)
        diag_error(ctx, (struct loc){unit->source, 1, 1}, "no function of this file has a `for`");
    if (is_whole && (!list->count || !choice->loop))
        nests_elsewhere(ctx, unit);
    return list->count > 0;
}

/* Does every block come from one statement that updates its element, `x += e`? */
static bool is_reduction(const block_list *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        const struct block *block = &blocks->at[i];
        bool update = block->from->ast->kind == AST_ASSIGN && block->from->ast->op != AST_OP_NONE;
        if (block->from != block->to || !update || !block->first->is_write ||
            block->first->ast != block->from->ast->children[0] ||
            block->second->ast != block->first->ast)
            return false;
    }
    return blocks->count > 0;
}

static int kind_count(const block_list *blocks, enum block_kind kind)
{
    int count = 0;
    for (size_t i = 0; i < blocks->count; i++)
        count += blocks->at[i].kind == kind;
    return count;
}

/* Advice on how the loop could become independent, from the kinds of the blocks. */
static const char *advice_text(const block_list *blocks)
{
    int n = (int)blocks->count;
    if (is_reduction(blocks))
        return "  every iteration updates the same element; C says in which order\n"
               "  `--reassociate`, or a clause `reduction` that names it, lets iterations come in "
               "any order; sums of floating point then round otherwise\n";
    if (!n || kind_count(blocks, BLOCK_FLOW) || kind_count(blocks, BLOCK_LAST))
        return "";
    return kind_count(blocks, BLOCK_ANTI) == n
               ? "  if it read a copy made before the loop, it would be independent\n"
               : "  no value passes between iterations: with memory of its own for each, it would "
                 "be independent\n";
}

/* --- the role of a loop in the plan ----------------------------------------------------------- */

struct roles {
    bool axis, wave, follows, host, block, thread;   /* wave: an axis of a wavefront */
    const struct plan_region *region;   /* a region whose threads run the loop */
    const struct scop_unit *unit;
};

/* The plan may be of another scop than the loop, with changes. */
static bool is_same_loop(const struct scop_loop *a, const struct scop_loop *b)
{
    return a && b && a->ast == b->ast;
}

/* The depth of the loop in the unit, which may have a loop over groups around; -1: the unit lacks
   the loop. */
static int unit_depth_of(const struct scop_unit *unit, const struct scop_loop *loop)
{
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (int at = 0; at < unit->stmts.at[i]->depth; at++)
            if (is_same_loop(unit->stmts.at[i]->loops[at], loop))
                return at;
    return -1;
}

static void roles_of_region(const struct plan_step *step, bool in_chain,
                            const struct scop_loop *loop, struct roles *roles)
{
    const struct plan_region *region = &step->region;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        bool axis = false;
        int depth = unit_depth_of(member->unit, loop);
        bool host = region->common && member->common == depth;
        if (depth < step->depth)
            continue;
        for (int k = 0; k < region->n_axes; k++)
            axis |= member->axes[k] == depth;
        if (is_same_loop(region->follows, loop)) {
            roles->follows = true;
            continue;
        }
        roles->axis |= axis && !region->follows;
        roles->wave |= axis && region->follows;
        roles->host |= host && !in_chain;
        roles->block |= host && in_chain;
        roles->thread |= !axis && !host;
        if (!axis && !host) {
            roles->region = region;
            roles->unit = member->unit;
        }
    }
}

static void roles_find(const plan_list *steps, bool in_chain, const struct scop_loop *loop,
                       struct roles *roles)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        bool own = step->kind == PLAN_LOOP && is_same_loop(step->loop, loop);
        roles->host |= own && !in_chain;
        roles->block |= own && in_chain;
        if (step->kind == PLAN_REGION)
            roles_of_region(step, in_chain, loop, roles);
        bool has_rounds = step->kind == PLAN_CHAIN && !step->chain.is_round;
        roles_find(&step->body, in_chain || has_rounds, loop, roles);
    }
}

/* The private scalar for whose sake one thread runs the loop; NULL if there is none. */
static const char *private_of(const struct roles *roles, const struct scop_loop *loop)
{
    const struct scop_unit *unit = roles->unit;
    if (unit->depth > unit_depth_of(unit, loop))
        return NULL;
    for (size_t i = 0; i < unit->stmts.count; i++) {
        const struct scop_stmt *stmt = unit->stmts.at[i];
        for (size_t k = 0; k < stmt->accesses.count; k++)
            if (stmt->accesses.at[k].array->is_private)
                return stmt->accesses.at[k].array->name;
    }
    return NULL;
}

static const char *role_text(const struct nest *nest, const struct scop_loop *loop)
{
    struct arena *arena = nest->scop->arena;
    struct roles roles = {0};
    struct str out = str_new(arena);
    if (!nest->plan)
        return "stays as it is";
    roles_find(&nest->plan->steps, false, loop, &roles);
    const struct {
        bool holds;
        const char *words;
    } rows[] = {{roles.axis, "becomes an axis"},
                {roles.wave, "becomes an axis of a wavefront"},
                {roles.follows, "is what a wavefront advances"},
                {roles.host, "stays on the host"},
                {roles.block, "runs in one block"},
                {roles.thread, "runs in threads"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].holds)
            str_addf(&out, "%s%s", out.length ? ", " : "", rows[i].words);
    return out.length ? out.text : "is empty";
}

/* Why an independent loop is no axis; "" if nothing is to be said. */
static const char *role_reason(const struct nest *nest, const struct scop_loop *loop)
{
    struct arena *arena = nest->scop->arena;
    struct roles roles = {0};
    bool has_phase = loop->phase.n_terms || loop->phase.constant;
    if (nest->plan)
        roles_find(&nest->plan->steps, false, loop, &roles);
    else if (has_phase)
        return arena_printf(arena, " as its steps of %lld have no common start",
                            (long long)loop->step);
    if (roles.axis || roles.wave || !roles.thread)
        return "";
    if (loop->step < -1)
        return arena_printf(arena, " as its step is %lld", (long long)loop->step);
    const char *name = private_of(&roles, loop);
    if (name)
        return arena_printf(arena, " as its iterations share `%s`", name);
    if (loop->step > 1)
        return arena_printf(arena, " as its steps of %lld have no common start",
                            (long long)loop->step);
    return roles.region->n_axes == AXES_MAX ? " as the region has six axes" : "";
}

/* The array or scalar whose sum, which the plan takes in any order, is all that blocks the loop;
   NULL if there is none. */
static const char *summed_of(const struct nest *nest, const struct scop_loop *loop,
                             const block_list *blocks)
{
    struct scop *planned = nest->plan ? nest->plan->scop : nest->scop;
    block_list rest = {0};
    for (size_t i = 0; i < planned->loops.count; i++)
        if (is_same_loop(planned->loops.at[i], loop))
            loop_blocks(planned, planned->loops.at[i], &rest);
    if (rest.count || !blocks->count)
        return NULL;
    for (size_t i = 0; i < planned->arrays.count; i++)
        if (planned->arrays.at[i]->is_summed &&
            planned->arrays.at[i]->decl == blocks->at[0].first->array->decl)
            return planned->arrays.at[i]->name;
    return NULL;
}

/* --- the list --------------------------------------------------------------------------------- */

static void print_place(struct str *out, const struct ast_unit *unit, struct loc loc)
{
    str_addf(out, "%s:%u: ", unit->source->path, loc_line(loc));
}

static void print_roles(struct str *out, const struct ast_unit *unit, const struct nest *nest,
                        const struct scop_loop *loop)
{
    block_list blocks = {0};
    loop_blocks(nest->scop, loop, &blocks);
    print_place(out, unit, loop->ast->loc);
    str_indent(out, 2 * loop->depth);
    const char *summed = summed_of(nest, loop, &blocks);
    str_addf(out, "%s: %s, %s", loop->name, blocks.count ? "not independent" : "independent",
             role_text(nest, loop));
    if (!blocks.count)
        str_add(out, role_reason(nest, loop));
    else if (summed)
        str_addf(out, ": iterations accumulate in %s, in any order", summed);
    else
        str_addf(out, ": %s", block_text(nest->scop, &blocks.at[0]));
    if (blocks.count > 1 && !summed)
        str_addf(out, " (and %zu more)", blocks.count - 1);
    str_char(out, '\n');
}

bool mapping_list_loops(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice)
{
    nest_list nests = {0};
    if (!nests_ask(ctx, unit, choice, &nests))
        return false;
    for (size_t i = 0; i < nests.count; i++) {
        const struct nest *nest = nests.at[i];
        const char *function = nest->fragment.function->name;
        print_place(out, unit, nest->fragment.loc);
        str_addf(out, "%s: ", function);
        if (!nest->scop) {
            str_addf(out, "refused at line %u: %s\n", loc_line(nest->refusal.loc),
                     nest->refusal.text);
            continue;
        }
        str_addf(out, "%s\n", nest->plan ? nest_shape(ctx->arena, nest->plan)
                                         : "no loop is independent");
        for (size_t k = 0; k < nest->scop->loops.count; k++)
            print_roles(out, unit, nest, nest->scop->loops.at[k]);
    }
    return true;
}

static void explain(struct str *out, const struct ast_unit *unit, const struct found_loop *found)
{
    struct scop *scop = found->nest->scop;
    block_list blocks = {0};
    loop_blocks(scop, found->loop, &blocks);
    print_place(out, unit, found->loop->ast->loc);
    str_addf(out, "loop %s is %sindependent; it %s%s\n", found->loop->name,
             blocks.count ? "not " : "", role_text(found->nest, found->loop),
             blocks.count ? "" : role_reason(found->nest, found->loop));
    const char *summed = summed_of(found->nest, found->loop, &blocks);
    if (summed) {
        str_addf(out, "  iterations accumulate in %s, in any order\n", summed);
        return;
    }
    for (size_t i = 0; i < blocks.count && i < PAIRS_SHOWN; i++) {
        block_print(out, scop, &blocks.at[i]);
    }
    if (blocks.count > PAIRS_SHOWN)
        str_addf(out, "  and %zu more pairs\n", blocks.count - PAIRS_SHOWN);
    str_add(out, advice_text(&blocks));
}

bool mapping_explain_loop(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                          struct map_choice *choice)
{
    struct found_loop found;
    if (!loop_named(ctx, unit, choice, &found))
        return false;
    explain(out, unit, &found);
    return true;
}
