/* tf_predict_NAME: the figures of a leaf at given parameters, and the model's time for them (runtime/predict.c).

   In:  a tree whose variants carry figures. Out: C text that computes every polynomial in checked arithmetic; an overflow
   is an error, never a time. A variant without figures (a loop's rounds depend on data) has no prediction: it takes longer
   than anything, so that it is ranked last. */
#include "emit/checked.h"
#include "emit/host.h"
#include "optimizer/figures.h"

static void write_figure(struct host *host, const char *name, const struct poly *p)
{
    str_addf(host->out, "        tf_figures.%s = ", name);
    checked_poly(host->out, p, "&tf_error");
    str_add(host->out, ";\n");
}

static void write_list(struct host *host, const struct figure_axis *axes, int n, bool steps)
{
    struct str *out = host->out;
    str_add(out, ", {");
    for (int i = 0; i < n; i++) {
        const struct poly *p = steps ? axes[i].step : axes[i].extent;
        str_add(out, i ? ", " : "");
        if (p)
            checked_poly(out, p, "&tf_error");
        else
            str_char(out, '0');
    }
    str_add(out, n ? "}" : "0}");
}

static void write_access(struct host *host, const struct figure_access *access, size_t number)
{
    struct str *out = host->out;
    str_addf(out, "        /* %s */\n        tf_accesses[%zu] = (struct treefork_access){%d, %d, %d, %d, ", access->array->name,
             number, access->bytes, access->is_shared, access->is_affine, access->leader);
    struct str condition = str_new(host->arena);
    if (access->branch && checked_expr(&condition, access->branch, "&tf_error"))
        str_addf(out, "%s(%s) ? 0 : ", access->branch_negated ? "" : "!", condition.text);
    checked_poly(out, access->rounds, "&tf_error");
    str_addf(out, ", %d, %d", access->n_axes, access->n_loops);
    write_list(host, access->axes, access->n_axes, false);
    write_list(host, access->axes, access->n_axes, true);
    write_list(host, access->loops, access->n_loops, false);
    write_list(host, access->loops, access->n_loops, true);
    str_add(out, "};\n");
}

static bool figures_use(const struct figures *figures, int variable);

static bool axes_use(const struct figure_axis *axes, int n, int variable)
{
    for (int i = 0; i < n; i++)
        if (poly_uses(axes[i].extent, variable) || (axes[i].step && poly_uses(axes[i].step, variable)))
            return true;
    return false;
}

static bool auxiliary_needed(const struct figures *figures, size_t index)
{
    int variable = figures->auxiliaries[index]->variable;
    for (size_t i = index + 1; i < figures->n_auxiliaries; i++) {
        const struct auxiliary *a = figures->auxiliaries[i];
        if ((poly_uses(a->numerator, variable) || poly_uses(a->denominator, variable)) && auxiliary_needed(figures, i))
            return true;
    }
    return figures_use(figures, variable);
}

static bool figures_use(const struct figures *figures, int variable)
{
    const struct poly *const all[] = {figures->floats, figures->doubles, figures->integers, figures->special, figures->rounds,
                                      figures->barriers};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (poly_uses(all[i], variable))
            return true;
    for (size_t i = 0; i < figures->n_accesses; i++) {
        const struct figure_access *a = &figures->accesses[i];
        if (poly_uses(a->rounds, variable) || axes_use(a->axes, a->n_axes, variable) || axes_use(a->loops, a->n_loops, variable))
            return true;
    }
    return false;
}

static void write_case(struct host *host, const struct variant *variant)
{
    struct str *out = host->out;
    const struct figures *f = variant->figures;
    str_addf(out, "    case %d: {\n", variant->id);
    for (size_t i = 0; i < f->n_auxiliaries; i++) {
        const struct auxiliary *a = f->auxiliaries[i];
        if (!auxiliary_needed(f, i))
            continue;
        str_addf(out, "        const int64_t %s = tf_figure(", a->name);
        checked_poly(out, a->numerator, "&tf_error");
        str_add(out, ", ");
        checked_poly(out, a->denominator, "&tf_error");
        str_addf(out, ", %lld, %lld, &tf_error);   /* %s */\n", (long long)a->multiple, (long long)a->floor, a->text);
    }
    write_figure(host, "floats", f->floats);
    write_figure(host, "doubles", f->doubles);
    write_figure(host, "integers", f->integers);
    write_figure(host, "special", f->special);
    write_figure(host, "rounds", f->rounds);
    write_figure(host, "barriers", f->barriers);
    str_addf(out, "        tf_figures.n_accesses = %zu;\n", f->n_accesses);
    for (size_t i = 0; i < f->n_accesses; i++)
        write_access(host, &f->accesses[i], i);
    str_add(out, "        break;\n    }\n");
}

static void write_head(struct host *host, const struct tree *tree, size_t most)
{
    struct str *out = host->out;
    const char *name = tree->region->name;
    str_addf(out, "/* Predicted time of leaf tf_variant of %s, launched as planned: a model's number. */\n"
             "static int tf_predict_%s(const struct treefork_machine *tf_machine, ", name, name);
    host_parameters(out, tree, true);
    str_addf(out, "int tf_variant,\n    const struct treefork_launch *tf_launch, struct treefork_prediction *tf_prediction)\n{\n"
             "    struct treefork_figures tf_figures = {0};\n    struct treefork_access tf_accesses[%zu];\n    int tf_error = 0;\n",
             most ? most : 1);
    host_unused(out, tree, true);
}

/* Bytes of all arrays together. */
static void write_footprint(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    int arrays = 0;
    for (int i = 0; i < k->n_arrays; i++)
        arrays += k->arrays[i]->space == SPACE_GLOBAL;
    if (arrays == 0)
        return;
    str_addf(out, "    {\n        int64_t tf_bytes[%d] = {0};\n        size_t tf_i;\n        if (tf_sizes_%s(", arrays, tree->region->name);
    host_values(out, tree, true);
    str_addf(out, "tf_bytes) == TREEFORK_OK)\n            for (tf_i = 0; tf_i < %d; tf_i++)\n"
             "                tf_figures.footprint = treefork_add(tf_figures.footprint, tf_bytes[tf_i], &tf_error);\n    }\n", arrays);
}

void predict_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    size_t most = 0;
    for (size_t v = 0; v < tree->n_variants; v++)
        if (!tree->variants[v].figures->reason && tree->variants[v].figures->n_accesses > most)
            most = tree->variants[v].figures->n_accesses;
    write_head(host, tree, most);
    str_add(out, "    switch (tf_variant) {\n");
    for (size_t v = 0; v < tree->n_variants; v++)
        if (!tree->variants[v].figures->reason)
            write_case(host, &tree->variants[v]);
    str_add(out, "    default:\n        tf_prediction->nanoseconds = 1e300;\n        tf_prediction->bound = \"unknown\";\n"
                 "        return TREEFORK_OK;\n    }\n");
    write_footprint(host, tree);
    str_add(out, "    tf_figures.blocks = tf_launch->blocks;\n    tf_figures.threads = tf_launch->threads;\n"
                 "    tf_figures.registers = tf_launch->registers;\n    tf_figures.shared_bytes = tf_launch->shared_bytes;\n"
                 "    tf_figures.accesses = tf_accesses;\n    if (tf_error)\n        return treefork_fail(TREEFORK_OVERFLOW, "
                 "\"a figure of leaf %d leaves 64 bits\", tf_variant);\n"
                 "    return treefork_predict(tf_machine, &tf_figures, tf_prediction);\n}\n\n");
}
