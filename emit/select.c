/* NAME_select: the case tree as nested ifs, the picture that `treefork tree` draws. In: a decision
   tree. Out: plain C that asks each test as it is printed, in overflow-checked integers, and fills
   a trace.

   An unlimited machine parameter decides its comparison whatever the other side is; an overflow
   anywhere else on the path is an error, never a leaf. A bounded auxiliary integer is computed
   where a test on the path needs it first; one that leaves 64 bits counts as unlimited, so that it
   is an error only where it is compared with a number. Before the tree: the initial system (a
   violated bound of a parameter is TREEFORK_ARGUMENT) and the legality condition of the annotation
   (TREEFORK_ILLEGAL). */
#include "emit/checked.h"
#include "emit/code.h"
#include "emit/host.h"
#include "emit/names.h"
#include <string.h>

bool host_is_integer(const struct param *param)
{
    return param->role != ROLE_VALUE && param->variable >= 0 && !type_is_floating(param->var->type);
}

static int tree_variable(const struct tree *tree, const struct param *param)
{
    return ring_find(tree->ring, param->var->name);
}

/* Is it a bound of one parameter alone? */
static bool is_bound(struct constraint c, int *variable)
{
    int used = 0;
    for (int v = 0; v < ring_count(poly_ring(c.poly)); v++)
        if (poly_uses(c.poly, v)) {
            *variable = v;
            used++;
        }
    return used == 1;
}

static bool tests_use(const struct node *node, int variable)
{
    if (!node || node->kind == NODE_LEAF)
        return false;
    return poly_uses(node->constraint.poly, variable) || tests_use(node->accept, variable) ||
           tests_use(node->refuse, variable);
}

static bool conditions_use(const struct tree *tree, int variable)
{
    int bound;
    for (size_t i = 0; i < tree->initial.count; i++)
        if (!is_bound(tree->initial.at[i], &bound) && poly_uses(tree->initial.at[i].poly, variable))
            return true;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        if (sas_uses(variant->fits, variable))
            return true;
        for (size_t s = 0; s < variant->n_systems; s++)
            if (sas_uses(variant->systems[s].minimal, variable))
                return true;
    }
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (auxiliary_uses(tree->auxiliaries[i], variable))
            return true;
    return sas_uses(tree->region->conditions, variable) || tests_use(tree->root, variable);
}

bool host_selects(const struct tree *tree, const struct param *param)
{
    if (!host_is_integer(param) || param->role == ROLE_MACHINE)
        return false;
    if (param->role == ROLE_SIZE || param->role == ROLE_TUNABLE)
        return true;
    int variable = tree_variable(tree, param);
    return variable >= 0 && conditions_use(tree, variable);
}

/* `integer`: the type of its parameters; `header`: for a header that C++ reads too. */
static void write_prototype(struct str *out, const struct tree *tree, const char *integer,
                            bool header)
{
    const struct kernel *k = tree->region->kernel;
    str_addf(out, "int %s_select(const struct treefork_machine *tf_machine, ", tree->region->name);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        bool keyword = header && name_is_cplusplus(name);
        if (host_selects(tree, k->params[i]))
            str_addf(out, keyword ? "%s /* %s */, " : "%s %s, ", integer, name);
    }
    str_add(out, "struct treefork_trace *tf_trace)");
}

void select_prototype(struct str *out, const struct tree *tree)
{
    write_prototype(out, tree, "int64_t", true);
}

/* --- one test -------------------------------------------------------------------------------- */

struct select_writer {
    struct host *host;
    const struct tree *tree;
    struct str *out;
};

/* The auxiliary integers that a path has computed so far, by their number in the tree. */
struct computed {
    bool at[RING_CAPACITY];
};

static char *side_text(const struct select_writer *w, const struct poly *p)
{
    struct str text = str_new(w->host->arena);
    int v = limit_of_multiple(p, w->tree->machine);
    if (v >= 0)
        str_addf(&text, "treefork_limit_multiple(%s, ", ring_name(w->tree->ring, v));
    checked_poly(&text, p);
    if (v >= 0)
        str_char(&text, ')');
    return text.text;
}

/* `treefork_holds(&tf, "2*s*B + 2 <= Z_B", …, TREEFORK_LE, Z_B)`, its lines after the first at
 * `column`. */
static void write_condition(const struct select_writer *w, struct constraint c, int column)
{
    enum { WIDTH = 110 };
    struct sides sides = constraint_sides(w->host->arena, c, w->tree->machine);
    const char *left = side_text(w, sides.left), *right = side_text(w, sides.right);
    const char *relation = relation_symbol(sides.relation);
    str_add(w->out, "treefork_holds(&tf, ");
    str_quote(w->out, sides.text);
    column += (int)strlen("treefork_holds(");
    if (column + strlen(sides.text) + strlen(left) + strlen(relation) + strlen(right) + 16 <=
        WIDTH) {
        str_addf(w->out, ", %s, %s, %s)", left, relation, right);
        return;
    }
    str_add(w->out, ",\n");
    str_indent(w->out, column);
    str_addf(w->out, "%s, %s,", left, relation);
    if (column + strlen(left) + strlen(relation) + strlen(right) + 5 <= WIDTH)
        str_char(w->out, ' ');
    else {
        str_char(w->out, '\n');
        str_indent(w->out, column);
    }
    str_addf(w->out, "%s)", right);
}

static void write_auxiliary(const struct select_writer *w, const struct auxiliary *a, int indent)
{
    struct str *out = w->out;
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *numerator, *denominator;
    auxiliary_quotient(a, &numerator, &denominator);
    str_indent(out, indent);
    str_addf(out, "const treefork_int %s = ", a->name);
    if (a->cap)
        str_add(out, "treefork_least(");
    for (int v = 0; v < ring_count(ring); v++)
        if ((a->machine >> v & 1) && (poly_uses(numerator, v) || poly_uses(denominator, v)) &&
            machine_may_be_unlimited(ring_name(ring, v)))
            str_addf(out, "%s == TREEFORK_UNLIMITED ? %lld : ", ring_name(ring, v),
                     (long long)a->floor);
    str_add(out, "treefork_auxiliary(");
    checked_poly(out, numerator);
    str_add(out, ", ");
    checked_poly(out, denominator);
    str_addf(out, ", %lld, %lld, &tf.step)", (long long)a->multiple, (long long)a->floor);
    if (a->cap) {
        str_add(out, ", ");
        checked_poly(out, a->cap);
        str_char(out, ')');
    }
    str_addf(out, ";   /* %s */\n", a->text);
}

/* Computes auxiliary integer i, those that it uses first. */
static void compute_auxiliary(const struct select_writer *w, size_t i, struct computed *computed,
                              int indent)
{
    const struct tree *tree = w->tree;
    if (computed->at[i])
        return;
    computed->at[i] = true;
    for (size_t j = 0; j < i; j++)
        if (auxiliary_uses(tree->auxiliaries[i], tree->auxiliaries[j]->variable))
            compute_auxiliary(w, j, computed, indent);
    write_auxiliary(w, tree->auxiliaries[i], indent);
}

/* --- the tree -------------------------------------------------------------------------------- */

static void write_leaf(const struct select_writer *w, const struct node *node, int indent)
{
    const struct tree *tree = w->tree;
    str_indent(w->out, indent);
    str_addf(w->out, "return treefork_leaf(&tf, %d);", node->variant);
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        if (variant->id != node->variant || node->system >= variant->n_systems)
            continue;
        const struct leaf_system *system = &variant->systems[node->system];
        str_add(w->out, "   /* ");
        for (size_t c = 0; c < system->n_codes; c++)
            str_addf(w->out, "(%s)", system->codes[c]);
        str_add(w->out, " */");
    }
    str_char(w->out, '\n');
}

/* Nothing is left to try: the safe leaf, if there is one. */
static void write_end(const struct select_writer *w, int indent)
{
    const struct tree *tree = w->tree;
    str_indent(w->out, indent);
    for (size_t v = 0; v < tree->n_variants; v++)
        if (tree->variants[v].safe) {
            str_addf(w->out, "return treefork_leaf(&tf, %d);\n", tree->variants[v].id);
            return;
        }
    str_add(w->out, "return treefork_no_leaf(&tf);\n");
}

static bool is_fork(const struct node *node)
{
    return node && node->kind == NODE_FORK;
}

static bool needs_auxiliary(const struct select_writer *w, const struct node *fork,
                            const struct computed *computed)
{
    for (size_t i = 0; i < w->tree->n_auxiliaries; i++)
        if (!computed->at[i] && poly_uses(fork->constraint.poly, w->tree->auxiliaries[i]->variable))
            return true;
    return false;
}

static void write_fork(const struct select_writer *w, const struct node *fork,
                       struct computed computed, int indent);

/* A branch as the statement behind `if (…)` or `else`, which stands without a line's end so far. */
static void write_branch(const struct select_writer *w, const struct node *node,
                         struct computed computed, int indent)
{
    if (!is_fork(node)) {
        str_char(w->out, '\n');
        if (node)
            write_leaf(w, node, indent + 4);
        else
            write_end(w, indent + 4);
        return;
    }
    str_add(w->out, " {\n");
    for (size_t i = 0; i < w->tree->n_auxiliaries; i++)
        if (poly_uses(node->constraint.poly, w->tree->auxiliaries[i]->variable))
            compute_auxiliary(w, i, &computed, indent + 4);
    str_indent(w->out, indent + 4);
    write_fork(w, node, computed, indent + 4);
    str_indent(w->out, indent);
    str_add(w->out, "}");
}

/* The fork at `indent`, where the line stands; its auxiliary integers are computed. */
static void write_fork(const struct select_writer *w, const struct node *fork,
                       struct computed computed, int indent)
{
    const struct node *if_false = fork->refuse;
    str_add(w->out, "if (");
    write_condition(w, fork->constraint, indent + 4);
    str_char(w->out, ')');
    write_branch(w, fork->accept, computed, indent);
    if (is_fork(fork->accept))
        str_char(w->out, ' ');
    else
        str_indent(w->out, indent);
    str_add(w->out, "else");
    if (is_fork(if_false) && !needs_auxiliary(w, if_false, &computed)) {
        str_char(w->out, ' ');
        write_fork(w, if_false, computed, indent);
        return;
    }
    write_branch(w, if_false, computed, indent);
    if (is_fork(if_false))
        str_char(w->out, '\n');
}

static void write_root(const struct select_writer *w)
{
    struct computed computed = {{false}};
    if (!is_fork(w->tree->root)) {
        if (w->tree->root)
            write_leaf(w, w->tree->root, 4);
        else
            write_end(w, 4);
        return;
    }
    for (size_t i = 0; i < w->tree->n_auxiliaries; i++)
        if (poly_uses(w->tree->root->constraint.poly, w->tree->auxiliaries[i]->variable))
            compute_auxiliary(w, i, &computed, 4);
    str_indent(w->out, 4);
    write_fork(w, w->tree->root, computed, 4);
}

/* --- what stands before it ------------------------------------------------------------------- */

static bool all_selected(const struct tree *tree, struct constraint c)
{
    bool known = true;
    for (int v = 0; v < ring_count(tree->ring); v++) {
        const char *name = ring_name(tree->ring, v);
        const struct param *param =
            poly_uses(c.poly, v) ? kernel_param(tree->region->kernel, name) : NULL;
        known &= !poly_uses(c.poly, v) || (param && host_selects(tree, param));
    }
    return known;
}

static bool is_condition(struct sas conditions, struct constraint c)
{
    for (size_t i = 0; i < conditions.count; i++)
        if (constraint_equal(conditions.at[i], c))
            return true;
    return false;
}

/* A breach is the caller's error; where the fact speaks of one parameter, its value is told. */
static void write_fact(const struct select_writer *w, struct constraint c)
{
    int variable = 0;
    str_add(w->out, "    if (!");
    write_condition(w, c, 9);
    str_addf(w->out,
             ")\n        return -treefork_fail(TREEFORK_ARGUMENT, \"%%s does not hold%s\", ",
             is_bound(c, &variable) ? " (%s = %lld)" : "");
    str_quote(w->out, constraint_text(w->host->arena, c, w->tree->machine));
    if (is_bound(c, &variable)) {
        const char *name = ring_name(w->tree->ring, variable);
        str_addf(w->out, ", \"%s\", (long long)%s", name, name);
    }
    str_add(w->out, ");\n");
}

/* Condition number i of the annotations' legality. */
static void write_legality(const struct select_writer *w, size_t i)
{
    const struct region *region = w->tree->region;
    struct constraint c = region->conditions.at[i];
    int variable = 0;
    str_add(w->out, "    if (!");
    write_condition(w, c, 9);
    str_addf(
        w->out,
        ")\n        return -treefork_fail(TREEFORK_ILLEGAL, \"the iterations that touch %%s are "
        "proved "
        "independent only where %%s%s\", ",
        is_bound(c, &variable) ? " (%s = %lld)" : "");
    str_quote(w->out, region_condition_place(w->host->arena, region, i));
    str_add(w->out, ", ");
    str_quote(w->out, constraint_text(w->host->arena, c, w->tree->machine));
    if (is_bound(c, &variable)) {
        const char *name = ring_name(w->tree->ring, variable);
        str_addf(w->out, ", \"%s\", (long long)%s", name, name);
    }
    str_add(w->out, ");\n");
}

/* The conditions of the annotations' legality are among the facts of the tree, and asked behind the
   others. */
bool select_asks_first(const struct tree *tree, struct constraint c)
{
    return all_selected(tree, c) && !is_condition(tree->region->conditions, c);
}

size_t select_checks(const struct tree *tree)
{
    size_t n = tree->region->conditions.count;
    for (size_t i = 0; i < tree->initial.count; i++)
        n += select_asks_first(tree, tree->initial.at[i]);
    return n;
}

/* What must hold before any case is asked. */
static void write_checks(const struct select_writer *w)
{
    const struct tree *tree = w->tree;
    struct sas conditions = tree->region->conditions;
    for (size_t i = 0; i < tree->initial.count; i++)
        if (select_asks_first(tree, tree->initial.at[i]))
            write_fact(w, tree->initial.at[i]);
    for (size_t i = 0; i < conditions.count; i++)
        write_legality(w, i);
}

/* The machine parameters that `body` mentions as local constants; `(void)x;` for arguments that it
 * does not mention. */
static void write_constants(struct host *host, const struct tree *tree, const char *body)
{
    const struct kernel *k = tree->region->kernel;
    struct str list = str_new(host->arena);
    int count = 0;
    for (int v = 0; v < ring_count(tree->ring); v++) {
        const char *name = ring_name(tree->ring, v);
        if (!(tree->machine >> v & 1) || !text_mentions(body, name))
            continue;
        if (count)
            str_add(&list, count % 4 ? ", " : ",\n                       ");
        str_addf(&list, "%s = tf_limit[TREEFORK_%s]", name, name);
        count++;
    }
    if (count)
        str_addf(
            host->out,
            "    const treefork_int *const tf_limit = tf_machine->value;\n    const treefork_int "
            "%s;\n",
            list.text);
    else
        str_add(host->out, "    (void)tf_machine;\n");
    for (int i = 0; i < k->n_params; i++)
        if (host_selects(tree, k->params[i]) && !text_mentions(body, k->params[i]->var->name))
            str_addf(host->out, "    (void)%s;\n", k->params[i]->var->name);
}

static const char *parameter_names(struct host *host, const struct tree *tree)
{
    const struct kernel *k = tree->region->kernel;
    struct str names = str_new(host->arena);
    for (int i = 0; i < k->n_params; i++)
        if (host_selects(tree, k->params[i]))
            str_addf(&names, "%s, ", k->params[i]->var->name);
    return names.text;
}

/* The whole tree, or where an earlier region of the file has the same tree a call of its
 * NAME_select. */
static void write_body(struct host *host, const struct tree *tree)
{
    struct str body = str_new(host->arena);
    struct select_writer w = {.host = host, .tree = tree, .out = &body};
    const char *names = parameter_names(host, tree), *key, *same;
    write_checks(&w);
    write_root(&w);
    key = arena_printf(host->arena, "select %s\n%s", names, body.text);
    same = map_get(host->arrays, key);
    if (same) {
        str_addf(host->out, "    return %s_select(tf_machine, %stf_trace);   /* the same tree */\n",
                 same, names);
        return;
    }
    map_put(host->arrays, key, (void *)tree->region->name);
    str_add(host->out, "    struct treefork_walk tf = {tf_trace, 0, 0};\n");
    write_constants(host, tree, body.text);
    str_add(host->out, body.text);
}

void select_write(struct host *host, const struct tree *tree)
{
    const struct function *function = &host->program->functions[tree->region->function];
    str_addf(
        host->out,
        "/* The leaf of region %s for a machine and parameters, or a negative treefork_status. "
        "*/\n",
        tree->region->name);
    if (!function->is_static) {
        write_prototype(host->out, tree, "treefork_int", false);
        str_add(host->out, ";\n");
    }
    str_add(host->out, function->is_static ? "static " : "");
    write_prototype(host->out, tree, "treefork_int", false);
    str_add(host->out, "\n{\n");
    write_body(host, tree);
    str_add(host->out, "}\n\n");
}

void select_write_arithmetic(struct str *out, const char *text)
{
    static const char *const operations[] = {"add", "sub", "mul"};
    bool any = false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!text_mentions(text, arena_printf(out->arena, "tf_%s", operations[i])))
            continue;
        str_addf(out, "#define tf_%s(a, b) treefork_%s(a, b, &tf.step)\n", operations[i],
                 operations[i]);
        any = true;
    }
    if (text_mentions(text, "tf_too_large")) {
        str_add(out, "#define tf_too_large() treefork_too_large(&tf.step)\n");
        any = true;
    }
    str_add(out, any ? "\n" : "");
}
