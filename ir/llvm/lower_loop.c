/* Which loops are unrolled.

   Fully: loops that the kernel marks (their trip count is a bound constant; private arrays become
   registers by it). By a factor, innermost loops of no more than UNROLL_WEIGHT statements: where
   ptx_options.unroll asks for it, those whose trip count becomes a constant by the bindings, by the
   largest divisor of the trip count up to that factor, so that no rest remains; and in texts that
   bind something at all, those whose trip count stays symbolic, twice, with LLVM's loop for the
   rest: of four copies the second two save a sixth of what the first saves, for as many bytes.
   Loops over groups of elements of tiles are unrolled to eight rounds in every text, and loops of
   few assignments that load from global memory to four, unless in branches that are seldom taken:
   the loads of a sum then wait together. A sum with a single load from global memory in a round, as
   down a column, has as many copies as load 16 words (loads.c gathers no more), those from tiles
   included, but in texts for a lower register pressure.
   All other loops stay as they are, for LLVM and (`.pragma "nounroll"`) for the assembler, so that
   what is estimated is what runs. Loops whose trip count is a literal are among these: they are the
   same in every text of the kernel. */
#include "ir/llvm/lower.h"
#include "ir/walk.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { UNROLL_WEIGHT = 256, GROUPS_WEIGHT = 512, SYMBOLIC_COPIES = 2 };

/* `unroll`: copies of the body; 0 = as many as there are turns, 1 = none. A loop's metadata names
   itself, so that loops stay distinct. */
void lower_loop_mark(struct lowering *l, LLVMValueRef branch, int64_t unroll)
{
    static const char *const properties[] = {"llvm.loop.unroll.full", "llvm.loop.unroll.disable",
                                             "llvm.loop.unroll.count"};
    LLVMContextRef context = l->backend->context;
    const char *property = properties[unroll > 1 ? 2 : unroll];
    LLVMMetadataRef words[2] = {LLVMMDStringInContext2(context, property, strlen(property)), NULL};
    if (unroll > 1)
        words[1] = LLVMValueAsMetadata(
            LLVMConstInt(LLVMInt32TypeInContext(context), (unsigned long long)unroll, false));
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef parts[2] = {self, LLVMMDNodeInContext2(context, words, unroll > 1 ? 2 : 1)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 2);
    LLVMMetadataReplaceAllUsesWith(self, node);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9),
                    LLVMMetadataAsValue(context, node));
}

static bool private_place_uses(const struct array *array, const struct expr *const *indices,
                               const struct var *var)
{
    if (array->space != SPACE_PRIVATE)
        return false;
    for (int i = 0; i < array->n_dims; i++)
        if (expr_uses_var(indices[i], var))
            return true;
    return false;
}

/* Does `var` occur in a subscript of a private array in s itself? */
static bool private_subscript_uses(struct arena *arena, const struct stmt *s, const struct var *var)
{
    struct expr_walk walk;
    if (s->kind == STMT_STORE && private_place_uses(s->array, s->indices, var))
        return true;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && private_place_uses(e->array, e->arguments, var))
            return true;
    return false;
}

/* Unrolling a loop over a private array turns the array into registers, and literal rounds (taps of
   a window) share what they load: an assembler orders those loads as its registers allow. Other
   unrolling is given up first. */
static bool unrolls_fully(struct lowering *l, const struct stmt *s)
{
    if (!s->unroll || stmt_literal_rounds(s))
        return s->unroll;
    l->next_differs = true;
    if (l->attempt < 2)
        return true;
    struct stmt_walk walk;
    struct arena *arena = l->ctx->arena;
    for (const struct stmt *in = stmt_first(&walk, arena, s->children[0]); in;
         in = stmt_next(&walk))
        if (private_subscript_uses(arena, in, s->var))
            return true;
    return false;
}

static bool trip_count(struct lowering *l, const struct stmt *s, int64_t *count)
{
    int64_t from, to, step;
    if (!lower_constant(l, s->from, &from) || !lower_constant(l, s->to, &to) ||
        !lower_constant(l, s->step, &step))
        return false;
    if (step < 1 || from < -INT32_MAX || from > INT32_MAX || to > INT32_MAX)
        return false;
    *count = from < to ? (to - from + step - 1) / step : 0;
    return true;
}

/* Statements that one turn of s runs, those of fully unrolled loops each time; 0 if another loop or
   a band is inside. */
static int64_t turn_weight(struct lowering *l, const struct stmt *s)
{
    int64_t weight = s->kind == STMT_SEQUENCE ? 0 : 1, count = 1;
    if (s->kind == STMT_BAND || s->kind == STMT_BARRIER)
        return 0;
    if (s->kind == STMT_FOR && (!unrolls_fully(l, s) || !trip_count(l, s, &count)))
        return 0;
    for (int i = 0; i < s->n_children; i++) {
        int64_t inner = s->children[i] ? turn_weight(l, s->children[i]) : 1;
        if (!inner)
            return 0;
        weight += inner;
    }
    return count > UNROLL_WEIGHT || weight > UNROLL_WEIGHT ? UNROLL_WEIGHT + 1 : weight * count;
}

static bool is_literal(const struct expr *e)
{
    int64_t value;
    return expr_get_integer(e, &value);
}

/* A text that binds something is one of those that the model puts first (emit/names.c). */
static int64_t symbolic_copies(struct lowering *l, const struct stmt *s, int64_t weight)
{
    int64_t copies = stmt_group_copies(s);
    if (copies > 1 && copies * weight <= GROUPS_WEIGHT)
        return copies;
    copies = stmt_small_copies(s, l->attempt);
    l->next_differs |= copies != stmt_small_copies(s, l->attempt + 1);
    if (copies > 1 && !l->is_rare)
        return copies;
    return l->n_bindings > 0 && SYMBOLIC_COPIES * weight <= UNROLL_WEIGHT ? SYMBOLIC_COPIES : 1;
}

int64_t lower_unroll(struct lowering *l, const struct stmt *s)
{
    int64_t count, weight;
    if (unrolls_fully(l, s))
        return 0;
    if (s->unroll || (is_literal(s->from) && is_literal(s->to)))
        return 1;
    weight = turn_weight(l, s->children[0]);
    if (!weight)
        return 1;
    if (!trip_count(l, s, &count))
        return symbolic_copies(l, s, weight);
    if (count < 2)
        return 1;
    for (int64_t factor = l->unroll; factor > 1; factor--)
        if (count % factor == 0 && factor * weight <= UNROLL_WEIGHT)
            return factor;
    return 1;
}
