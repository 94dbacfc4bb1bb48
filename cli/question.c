/* A question about a point: the machine of --machine, the values of --set, the trees of the file,
   and whether they suit each other. */
#include "cli/question.h"
#include "cli/measured.h"

/* Names that --set may give: parameters of the regions and arguments of their functions, so that
   the same values serve `verify`. */
static bool names_known(struct ctx *ctx, const struct question *q, const struct assignments *set)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < q->program->n_functions; i++)
        for (int j = 0; j < q->program->functions[i].n_arguments; j++)
            vec_push(ctx->arena, &names, q->program->functions[i].arguments[j].name);
    for (size_t i = 0; i < q->program->n_regions; i++) {
        const struct kernel *kernel = q->trees[i]->region->kernel;
        for (int j = 0; j < kernel->n_params; j++)
            vec_push(ctx->arena, &names, kernel->params[j]->var->name);
        for (int v = 0; v < ring_count(q->trees[i]->ring); v++)
            vec_push(ctx->arena, &names, ring_name(q->trees[i]->ring, v));
    }
    return assignments_known(ctx, set, names.at, names.count);
}

/* Integers get whole numbers. */
static bool values_whole(struct ctx *ctx, const struct region *region,
                         const struct assignments *set)
{
    for (int i = 0; i < region->kernel->n_params; i++) {
        const struct param *param = region->kernel->params[i];
        const struct var *var = param->var;
        bool large = var->type == TYPE_U64 && param->role == ROLE_VALUE;
        if (!type_is_floating(var->type) && !assignment_whole(ctx, set, var->name, large))
            return false;
    }
    return true;
}

bool question_suits_region(struct ctx *ctx, const struct region *region,
                           const struct assignments *set)
{
    for (int i = 0; i < region->kernel->n_params; i++) {
        const struct param *p = region->kernel->params[i];
        const int64_t *value = assignment_find(set, p->var->name);
        if (p->variable < 0 || !p->has_lo || !value || *value >= p->lo)
            continue;
        diag_error(ctx, loc_none(), "region %s needs %s >= %lld, and it is %lld", region->name,
                   p->var->name, (long long)p->lo, (long long)*value);
        return false;
    }
    return true;
}

bool question_has_names(struct ctx *ctx, const struct question *question,
                        const struct assignments *set)
{
    if (!names_known(ctx, question, set))
        return false;
    for (size_t i = 0; i < question->program->n_regions; i++)
        if (!values_whole(ctx, question->program->regions[i], set))
            return false;
    return true;
}

/* Do the values suit the trees of the question? */
static enum exit_code question_suits(struct ctx *ctx, const struct question *question,
                                     const struct assignments *set)
{
    if (!question_has_names(ctx, question, set))
        return EXIT_USAGE;
    for (size_t i = 0; i < question->program->n_regions; i++)
        if (!question_suits_region(ctx, question->program->regions[i], set))
            return EXIT_INPUT;
    return EXIT_DONE;
}

enum exit_code question_read(struct ctx *ctx, const struct command_line *line, bool needs_machine,
                             struct question *question)
{
    enum exit_code code;
    *question = (struct question){.has_machine = option_text(line, "--machine") != NULL};
    if (!assignments_parse(ctx, line, &question->set))
        return EXIT_USAGE;
    if ((needs_machine || question->has_machine) &&
        !machines_option(ctx, line, &question->machines, &question->machine))
        return question->has_machine ? EXIT_INPUT : EXIT_USAGE;
    question->program = input_program(ctx, line, INPUT_WHOLE, &code);
    question->trees = question->program ? input_trees(ctx, line, question->program, &code) : NULL;
    question->store = measured_read(ctx);
    return question->trees ? question_suits(ctx, question, &question->set) : code;
}
