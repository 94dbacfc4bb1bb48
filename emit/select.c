/* NAME_select and tf_fits_NAME. In: a decision tree. Out: plain C that evaluates the systems of the variants in their
   order, each constraint as it is printed, in overflow-checked integers, and fills a trace.

   An unlimited machine parameter decides its comparison whatever the other side is; an overflow anywhere else is an
   error, never a leaf. Bounded auxiliary integers (tree->auxiliaries) are computed first, exactly; one that leaves 64 bits
   counts as unlimited, so that it is an error only where it is compared with a number.
   Before the cases: the initial system (a violated bound of a parameter is TREEFORK_ARGUMENT) and the legality condition
   of the annotation (TREEFORK_ILLEGAL). In mode keep the cases are disjoint, so that order does not matter. */
#include "emit/checked.h"
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
    return sas_uses(tree->region->conditions, variable);
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

static bool is_listed(const struct tree *tree, const struct param *param, bool all)
{
    return all ? host_is_integer(param) && param->role != ROLE_MACHINE : host_selects(tree, param);
}

void host_parameters(struct str *out, const struct tree *tree, bool all)
{
    const struct kernel *k = tree->region->kernel;
    for (int i = 0; i < k->n_params; i++)
        if (is_listed(tree, k->params[i], all))
            str_addf(out, "int64_t %s, ", k->params[i]->var->name);
}

void host_values(struct str *out, const struct tree *tree, bool all)
{
    const struct kernel *k = tree->region->kernel;
    for (int i = 0; i < k->n_params; i++)
        if (is_listed(tree, k->params[i], all))
            str_addf(out, "%s%s, ", k->params[i]->var->type == TYPE_U64 ? "(int64_t)" : "", k->params[i]->var->name);
}

void host_unused(struct str *out, const struct tree *tree, bool all)
{
    const struct kernel *k = tree->region->kernel;
    for (int i = 0; i < k->n_params; i++)
        if (is_listed(tree, k->params[i], all))
            str_addf(out, "    (void)%s;\n", k->params[i]->var->name);
}

void select_prototype(struct str *out, const struct tree *tree, bool header)
{
    const struct kernel *k = tree->region->kernel;
    str_addf(out, "int %s_select(const struct treefork_machine *tf_machine, ", tree->region->name);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        bool keyword = header && name_is_cplusplus(name);
        if (is_listed(tree, k->params[i], false))
            str_addf(out, keyword ? "int64_t /* %s */, " : "int64_t %s, ", name);
    }
    str_add(out, "struct treefork_trace *tf_trace)");
}

static const char *relation_name(enum relation relation)
{
    static const char *const names[] = {[RELATION_EQ] = "TF_EQ", [RELATION_NE] = "TF_NE", [RELATION_LT] = "TF_LT",
                                        [RELATION_LE] = "TF_LE", [RELATION_GT] = "TF_GT", [RELATION_GE] = "TF_GE"};
    return names[relation];
}

/* The machine parameter that p is a multiple of, -1 if none: a multiple of no limit is no limit. */
static int scaled_limit(const struct tree *tree, const struct poly *p)
{
    int64_t factor;
    for (int v = 0; v < ring_count(tree->ring); v++)
        if ((tree->machine >> v & 1) && poly_get_integer(poly_coefficient(p, v, 1), &factor) && factor > 1 &&
            poly_equal(p, poly_scale(poly_variable(tree->ring, v), factor, 1)))
            return v;
    return -1;
}

static void write_side(struct host *host, const struct tree *tree, const struct poly *p)
{
    int v = scaled_limit(tree, p);
    if (v >= 0)
        str_addf(host->out, "tf_limit(%s, ", ring_name(tree->ring, v));
    checked_poly(host->out, p, "&tf.step");
    if (v >= 0)
        str_char(host->out, ')');
}

/* "4*d <= B" to "4*d <= B with d = ceil(B/4)" */
static const char *explained_text(struct host *host, const struct tree *tree, struct constraint c, const char *plain)
{
    struct str text = str_new(host->arena);
    const char *before = " with ";
    str_add(&text, plain);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (poly_uses(c.poly, tree->auxiliaries[i]->variable)) {
            str_addf(&text, "%s%s = %s", before, tree->auxiliaries[i]->name, tree->auxiliaries[i]->text);
            before = ", ";
        }
    return text.text;
}

/* `tf_holds(&tf, "2*s*B + 2 <= Z_B", …, TF_LE, Z_B)` */
static void write_condition(struct host *host, const struct tree *tree, struct constraint c, bool explained)
{
    struct str *out = host->out;
    struct sides sides = constraint_sides(host->arena, c, tree->machine);
    str_add(out, "tf_holds(&tf, ");
    str_quote(out, explained ? explained_text(host, tree, c, sides.text) : sides.text);
    str_add(out, ", ");
    write_side(host, tree, sides.left);
    str_addf(out, ", %s, ", relation_name(sides.relation));
    write_side(host, tree, sides.right);
    str_char(out, ')');
}

static void write_conditions(struct host *host, const struct tree *tree, struct sas sas, bool explained, const char *between)
{
    for (size_t i = 0; i < sas.count; i++) {
        str_add(host->out, i ? between : "");
        write_condition(host, tree, sas.at[i], explained);
    }
    if (sas.count == 0)
        str_char(host->out, '1');
}

/* Does a leaf's case, or what it needs itself, mention the variable? */
static bool leaves_use(const struct tree *tree, int variable, bool fits)
{
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        if (fits && sas_uses(variant->fits, variable))
            return true;
        for (size_t s = 0; !fits && s < variant->n_systems; s++)
            if (sas_uses(variant->systems[s].minimal, variable))
                return true;
    }
    return false;
}

static bool uses_auxiliary(const struct tree *tree, size_t index, bool fits)
{
    int variable = tree->auxiliaries[index]->variable;
    if (leaves_use(tree, variable, fits))
        return true;
    for (size_t i = index + 1; i < tree->n_auxiliaries; i++)
        if (auxiliary_uses(tree->auxiliaries[i], variable) && uses_auxiliary(tree, i, fits))
            return true;
    return false;
}

static bool uses_machine(const struct tree *tree, int variable, bool fits)
{
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (uses_auxiliary(tree, i, fits) && auxiliary_uses(tree->auxiliaries[i], variable))
            return true;
    return leaves_use(tree, variable, fits);
}

/* Does machine.def leave it unlimited where a device does not tell? */
static bool may_be_unlimited(const char *symbol)
{
    static const struct {
        const char *symbol;
        int64_t missing;
    } rows[] = {
#define TREEFORK_UNLIMITED INT64_MAX
#define X(symbol, key, unit, lo, hi, cuda, opencl, missing) {#symbol, missing},
#include "runtime/machine.def"
#undef X
#undef TREEFORK_UNLIMITED
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].symbol, symbol) == 0)
            return rows[i].missing == INT64_MAX;
    return false;
}

static void write_auxiliary(struct host *host, const struct auxiliary *a)
{
    struct str *out = host->out;
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *numerator = a->numerator, *denominator = a->denominator;
    int64_t scale = poly_denominator(numerator), other = poly_denominator(denominator);
    numerator = poly_scale(poly_scale(numerator, scale ? scale : 1, 1), other ? other : 1, 1);
    denominator = poly_scale(poly_scale(denominator, scale ? scale : 1, 1), other ? other : 1, 1);
    str_addf(out, "    const int64_t %s = ", a->name);
    if (a->cap)
        str_add(out, "tf_least(");
    for (int v = 0; v < ring_count(ring); v++)
        if ((a->machine >> v & 1) && (poly_uses(numerator, v) || poly_uses(denominator, v)) && may_be_unlimited(ring_name(ring, v)))
            str_addf(out, "%s == TREEFORK_UNLIMITED ? %lld : ", ring_name(ring, v), (long long)a->floor);
    str_add(out, "tf_auxiliary(");
    checked_poly(out, numerator, "&tf.step");
    str_add(out, ", ");
    checked_poly(out, denominator, "&tf.step");
    str_addf(out, ", %lld, %lld, &tf.step)", (long long)a->multiple, (long long)a->floor);
    if (a->cap) {
        str_add(out, ", ");
        checked_poly(out, a->cap, "&tf.step");
        str_char(out, ')');
    }
    str_addf(out, ";   /* %s */\n", a->text);
}

/* The machine parameters and auxiliary integers of the cases (or of the fits) as local constants. */
static void write_constants(struct host *host, const struct tree *tree, bool fits)
{
    for (int v = 0; v < ring_count(tree->ring); v++)
        if ((tree->machine >> v & 1) && uses_machine(tree, v, fits)) {
            const char *name = ring_name(tree->ring, v);
            str_addf(host->out, "    const int64_t %s = tf_machine->value[TREEFORK_%s];\n", name, name);
        }
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (uses_auxiliary(tree, i, fits))
            write_auxiliary(host, tree->auxiliaries[i]);
}

/* `return -treefork_fail(…)` with the constraint and, where it speaks of one parameter, its value.
   `place`, if there is one, is what `say` names before the constraint. */
static void write_refusal(struct host *host, const struct tree *tree, struct constraint c,
                          const char *status, const char *say, const char *place)
{
    struct str *out = host->out;
    int variable = 0;
    bool bound = is_bound(c, &variable);
    str_addf(out, ")\n        return -treefork_fail(%s, \"%s%s\", ", status, say, bound ? " (%s = %lld)" : "");
    if (place) {
        str_quote(out, place);
        str_add(out, ", ");
    }
    str_quote(out, constraint_text(host->arena, c, tree->machine));
    if (bound)
        str_addf(out, ", \"%s\", (long long)%s", ring_name(tree->ring, variable), ring_name(tree->ring, variable));
    str_add(out, ");\n");
}

static bool all_selected(const struct tree *tree, struct constraint c)
{
    bool known = true;
    for (int v = 0; v < ring_count(tree->ring); v++) {
        const struct param *param = poly_uses(c.poly, v) ? kernel_param(tree->region->kernel, ring_name(tree->ring, v)) : NULL;
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

/* What must hold before any case is asked: facts, whose breach is the caller's error, and then the
   conditions of the annotations' legality, which are among the facts of the tree too. */
static void write_checks(struct host *host, const struct tree *tree)
{
    struct sas conditions = tree->region->conditions;
    for (size_t i = 0; i < tree->initial.count; i++) {
        struct constraint fact = tree->initial.at[i];
        if (!all_selected(tree, fact) || is_condition(conditions, fact))
            continue;
        str_add(host->out, "    if (!");
        write_condition(host, tree, fact, false);
        write_refusal(host, tree, fact, "TREEFORK_ARGUMENT", "%s does not hold", NULL);
    }
    for (size_t i = 0; i < conditions.count; i++) {
        str_add(host->out, "    if (!");
        write_condition(host, tree, conditions.at[i], false);
        write_refusal(host, tree, conditions.at[i], "TREEFORK_ILLEGAL",
                      "the iterations that touch %s are proved independent only where %s",
                      region_condition_place(host->arena, tree->region, i));
    }
}

static void write_cases(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct variant *safe = NULL;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        if (variant->safe)
            safe = variant;
        for (size_t s = 0; s < variant->n_systems; s++) {
            const struct leaf_system *system = &variant->systems[s];
            str_addf(out, "    /* leaf %d, codes ", variant->id);
            for (size_t c = 0; c < system->n_codes; c++)
                str_addf(out, "(%s)", system->codes[c]);
            str_add(out, " */\n    if (");
            write_conditions(host, tree, system->minimal, false, " &&\n        ");
            str_addf(out, ")\n        return tf_chosen(&tf, %d);\n", variant->id);
        }
    }
    if (safe)
        str_addf(out, "    return tf_chosen(&tf, %d);\n", safe->id);
    else
        str_add(out, "    if (tf.error)\n        return tf_chosen(&tf, 0);\n"
                     "    return -treefork_fail(TREEFORK_NO_LEAF, \"no case holds\");\n");
}

static void write_fits(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    str_addf(out, "/* Has leaf tf_variant of %s what it needs itself? The last entry of the trace says what it lacks. */\n"
             "static int tf_fits_%s(const struct treefork_machine *tf_machine, ", tree->region->name, tree->region->name);
    host_parameters(out, tree, false);
    str_add(out, "int tf_variant,\n    struct treefork_trace *tf_trace)\n{\n    struct tf_state tf = {tf_trace, 0, 0};\n");
    write_constants(host, tree, true);
    str_add(out, "    (void)tf_machine;\n    (void)tf;\n");
    host_unused(out, tree, false);
    str_add(out, "    switch (tf_variant) {\n");
    for (size_t v = 0; v < tree->n_variants; v++) {
        str_addf(out, "    case %d:\n        return ", tree->variants[v].id);
        write_conditions(host, tree, tree->variants[v].fits, true, " &&\n               ");
        str_add(out, tree->variants[v].fits.count ? " && !tf.error;\n" : ";\n");
    }
    str_add(out, "    }\n    return 0;\n}\n\n");
}

void select_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    str_addf(out, "/* The leaf of region %s for a machine and parameters, or a negative treefork_status. */\n",
             tree->region->name);
    const struct function *function = &host->program->functions[tree->region->function];
    if (!function->is_static) {
        select_prototype(out, tree, false);
        str_add(out, ";\n");
    }
    str_add(out, function->is_static ? "static " : "");
    select_prototype(out, tree, false);
    str_add(out, "\n{\n    struct tf_state tf = {tf_trace, 0, 0};\n");
    write_constants(host, tree, false);
    str_add(out, "    (void)tf_machine;\n");
    host_unused(out, tree, false);
    write_checks(host, tree);
    write_cases(host, tree);
    str_add(out, "}\n\n");
    write_fits(host, tree);
}
