/* What the header of a `for` says.

   In: a loop's parts. Out: the nodes of them that its readers make affine forms (mapper/scop) or
   expressions of the IR (metafork) of. Nothing is said of what the body does. */
#include "frontend/header.h"
#include "frontend/writes.h"

const struct ast *header_iterator(const struct ast *start, const struct ast **value)
{
    if (start && start->kind == AST_DECLARE && start->n_children == 1)
        start = start->children[0];
    if (start && start->kind == AST_VARIABLE && start->n_children) {
        *value = start->children[0];
        return start;
    }
    if (start && start->kind == AST_ASSIGN && start->op == AST_OP_NONE &&
        start->children[0]->kind == AST_REF) {
        *value = start->children[1];
        return start->children[0]->decl;
    }
    return NULL;
}

/* --- headers with several assignments --------------------------------------------------------- */

static bool is_comma(const struct ast *part)
{
    return part->kind == AST_BINARY && part->op == AST_OP_COMMA;
}

int header_count(const struct ast *loop, int part)
{
    const struct ast *at = loop->children[part];
    int n = at ? 1 : 0;
    if (at && at->kind == AST_DECLARE)
        return at->n_children;
    for (; at && is_comma(at); at = ast_strip(at->children[0]))
        n++;
    return n;
}

const struct ast *header_at(const struct ast *loop, int part, int number)
{
    const struct ast *at = loop->children[part];
    int n = header_count(loop, part);
    if (at && at->kind == AST_DECLARE)
        return n == 1 ? at : at->children[number];
    for (int i = n - 1; i > number && at; i--)
        at = ast_strip(at->children[0]);
    return number && at ? ast_strip(at->children[1]) : at;
}

/* Does an assignment or a declarator of a part give the variable a value? */
static bool is_of(const struct ast *element, const struct ast *decl)
{
    const struct ast *target = change_target(element);
    bool declares = element->kind == AST_DECLARE && element->n_children == 1 &&
                    element->children[0] == decl;
    return element == decl || declares || (target && is_ref_to(target, decl));
}

static const struct ast *header_of(const struct ast *loop, int part, const struct ast *decl)
{
    const struct ast *own = NULL;
    for (int i = 0; i < header_count(loop, part); i++) {
        const struct ast *element = header_at(loop, part, i);
        if (!own && is_of(element, decl))
            own = element;
        else if (is_of(element, decl) || ast_mentions(element, decl))
            return NULL;
    }
    return own;
}

/* The variable that a loop with several assignments in its header counts: the first one that the
   header sets, compares and steps. */
static const struct ast *counted_variable(const struct ast *loop)
{
    const struct ast *value;
    for (int i = 0; i < header_count(loop, 0); i++) {
        const struct ast *decl = header_iterator(header_at(loop, 0, i), &value);
        bool counts = decl && loop->children[1] && ast_mentions(loop->children[1], decl) &&
                      (loop->children[2] ? header_of(loop, 2, decl) != NULL
                                         : header_counted(loop, decl) != NULL);
        if (counts)
            return decl;
    }
    return NULL;
}

const struct ast *header_own(const struct ast *loop, int part)
{
    if (header_count(loop, 0) < 2 && header_count(loop, 2) < 2)
        return loop->children[part];
    const struct ast *decl = counted_variable(loop);
    return decl && header_of(loop, 0, decl) ? header_of(loop, part, decl) : NULL;
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool unary_sign(const struct ast *step, int *sign)
{
    bool up = step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_POST_INCREMENT;
    *sign = up ? 1 : -1;
    return up || step->op == AST_OP_PRE_DECREMENT || step->op == AST_OP_POST_DECREMENT;
}

bool header_amount(const struct ast *step, const struct ast *iterator, int *sign,
                   const struct ast **amount)
{
    *amount = NULL;
    *sign = 1;
    if (!step || !step->n_children || !is_ref_to(step->children[0], iterator))
        return false;
    if (step->kind == AST_UNARY)
        return unary_sign(step, sign);
    if (step->kind != AST_ASSIGN)
        return false;
    const struct ast *value = step->children[1];
    enum ast_op op = step->op;
    if (op == AST_OP_NONE) {
        value = ast_plain(value);
        op = value->kind == AST_BINARY ? value->op : AST_OP_NONE;
        bool left = op && is_ref_to(value->children[0], iterator);
        bool right = op == AST_OP_ADD && is_ref_to(value->children[1], iterator);
        if (!left && !right)
            return false;
        value = value->children[left ? 1 : 0];
    }
    *sign = op == AST_OP_SUB ? -1 : 1;
    *amount = value;
    return op == AST_OP_ADD || op == AST_OP_SUB;
}

int64_t header_step(const struct ast *step, const struct ast *iterator)
{
    int sign;
    const struct ast *amount;
    if (!header_amount(step, iterator, &sign, &amount))
        return 0;
    amount = amount ? ast_plain(amount) : NULL;
    if (amount && (amount->kind != AST_INTEGER || amount->integer < 1 ||
                   amount->integer >= INT32_MAX))
        return 0;
    return amount ? sign * amount->integer : sign;
}

bool side_counts(const struct ast *side, const struct ast *iterator, int64_t *plus)
{
    *plus = 0;
    side = ast_plain(side);
    bool sums = side->kind == AST_BINARY && (side->op == AST_OP_ADD || side->op == AST_OP_SUB);
    if (!sums)
        return is_ref_to(side, iterator);
    bool swaps = side->op == AST_OP_ADD && is_ref_to(side->children[1], iterator);
    const struct ast *amount = ast_plain(side->children[swaps ? 0 : 1]);
    if (amount->kind != AST_INTEGER || amount->integer < 0 || amount->integer > INT16_MAX ||
        !is_ref_to(side->children[swaps ? 1 : 0], iterator))
        return false;
    *plus = side->op == AST_OP_SUB ? -amount->integer : amount->integer;
    return true;
}

bool is_comparison(const struct ast *node)
{
    return node && node->kind == AST_BINARY &&
           ((node->op >= AST_OP_LT && node->op <= AST_OP_GE) || node->op == AST_OP_NE);
}

enum ast_op op_exchanged(enum ast_op op)
{
    switch (op) {
    case AST_OP_LT: return AST_OP_GT;
    case AST_OP_GT: return AST_OP_LT;
    case AST_OP_LE: return AST_OP_GE;
    case AST_OP_GE: return AST_OP_LE;
    default: return op;
    }
}

enum ast_op op_opposite(enum ast_op op)
{
    switch (op) {
    case AST_OP_LT: return AST_OP_GE;
    case AST_OP_GT: return AST_OP_LE;
    case AST_OP_LE: return AST_OP_GT;
    case AST_OP_GE: return AST_OP_LT;
    default: return op;
    }
}

bool header_compares(const struct ast *condition, const struct ast *iterator,
                     struct header_comparison *comparison)
{
    if (!is_comparison(condition))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct ast *side = condition->children[i], *bound = condition->children[1 - i];
        enum ast_op op = i ? op_exchanged(condition->op) : condition->op;
        *comparison = (struct header_comparison){.op = op, .side = side, .bound = bound};
        if (side_counts(side, iterator, &comparison->plus))
            return true;
    }
    return false;
}

bool header_begins_anew(const struct ast *node, const struct ast *variable)
{
    const struct ast *value = NULL;
    return node->kind == AST_FOR && header_iterator(header_own(node, 0), &value) == variable &&
           !ast_mentions(value, variable);
}

const struct ast *header_use_outside(const struct ast *node, const struct ast *variable)
{
    const struct ast *use = NULL;
    if (!node || header_begins_anew(node, variable))
        return NULL;
    if (node->kind == AST_REF && node->decl == variable)
        return node;
    for (int i = 0; i < node->n_children && !use; i++)
        use = header_use_outside(node->children[i], variable);
    return use;
}

const struct ast *header_counted(const struct ast *loop, const struct ast *iterator)
{
    const struct ast *condition = loop->children[1];
    bool compares = condition && condition->kind == AST_BINARY &&
                    (condition->op == AST_OP_GT || condition->op == AST_OP_NE);
    const struct ast *old = compares ? ast_plain(condition->children[0]) : condition;
    bool counts = old && old->kind == AST_UNARY && old->op == AST_OP_POST_DECREMENT &&
                  is_ref_to(old->children[0], iterator);
    return counts && !loop->children[2] ? old : NULL;
}
