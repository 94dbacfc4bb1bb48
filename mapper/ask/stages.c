/* The values between a unit and its mapped text, for -d scop and -d schedule. */
#include "mapper/ask/ask.h"
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/print/mapping.h"
#include <stdlib.h>

static void print_scop_loop(struct str *out, const struct scop *scop, const struct scop_loop *loop)
{
    str_indent(out, 2 * loop->depth);
    str_addf(out, "loop %s from %s step %lld limits", loop->name, affine_text(scop, &loop->start),
             (long long)loop->step);
    for (int i = 0; i < loop->n_limits; i++)
        str_addf(out, " %s", affine_text(scop, &loop->limits[i]));
    str_char(out, '\n');
}

static void print_stmt(struct str *out, const struct scop *scop, const struct scop_stmt *stmt)
{
    const struct ast *ast = stmt->ast;
    size_t length = 0;
    while (length < ast->end - ast->begin && scop->unit->source->text[ast->begin + length] != '\n')
        length++;
    char *domain = isl_set_to_str(stmt->domain);
    str_addf(out, "S%d in unit %d: %.*s\n  %s\n", stmt->id, stmt->unit->id, (int)length,
             scop->unit->source->text + ast->begin, domain ? domain : "?");
    free(domain);
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        char *relation = isl_map_to_str(access->relation);
        str_addf(out, "  %s %s%s %s\n", access->is_write ? "writes" : "reads", access->array->name,
                 access->is_may ? " perhaps" : "", relation ? relation : "?");
        free(relation);
    }
}

void mapping_print_scops(struct str *out, const struct plain_file *mapping)
{
    for (size_t i = 0; i < mapping->plans.count; i++) {
        const struct scop *scop = mapping->plans.at[i]->scop;
        str_addf(out, "fragment of %s, line %u\n", scop->fragment->function->name,
                 loc_line(scop->fragment->loc));
        for (size_t k = 0; k < scop->loops.count; k++)
            print_scop_loop(out, scop, scop->loops.at[k]);
        for (size_t k = 0; k < scop->stmts.count; k++)
            print_stmt(out, scop, scop->stmts.at[k]);
    }
}

static void print_members(struct str *out, const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            str_addf(out, " S%d", unit->stmts.at[k]->id);
    }
    str_char(out, '\n');
}

static void print_step(struct str *out, const struct scop *scop, const struct plan_step *step,
                       int indent)
{
    str_indent(out, indent);
    if (step->kind == PLAN_HOST) {
        str_addf(out, "host S%d\n", step->unit->stmts.at[0]->id);
    } else if (step->kind != PLAN_REGION) {
        if (step->kind == PLAN_LOOP)
            str_addf(out, "for %s\n", step->loop->name);
        else if (step->kind == PLAN_CHAIN)
            str_addf(out, "chain up to %lld\n", (long long)step->chain.most);
        else
            str_addf(out, "for %s = %s .. %s\n",
                     affine_text(scop, &step->body.at[0]->region.wave),
                     affine_text(scop, &step->lower), affine_text(scop, &step->upper));
        for (size_t i = 0; i < step->body.count; i++)
            print_step(out, scop, step->body.at[i], indent + 2);
    } else {
        str_addf(out, "%s %dD:", step->region.is_serial ? "on the host" : "region",
                 step->region.n_axes);
        for (int i = 0; i < step->region.n_axes; i++) {
            const struct plan_axis *axis = &step->region.axes[i];
            str_addf(out, " %s in %s .. %s by %lld;", region_loop(&step->region, PART_ALL, i)->name,
                     affine_text(scop, &axis->lower), affine_text(scop, &axis->upper),
                     (long long)axis->extent);
        }
        print_members(out, &step->region);
    }
}

void mapping_print_schedules(struct str *out, const struct plain_file *mapping)
{
    for (size_t i = 0; i < mapping->plans.count; i++) {
        const struct schedule *plan = mapping->plans.at[i];
        str_addf(out, "fragment of %s, line %u: %zu statements, %zu units\n",
                 plan->scop->fragment->function->name, loc_line(plan->scop->fragment->loc),
                 plan->scop->stmts.count, plan->scop->units.count);
        for (size_t k = 0; k < plan->steps.count; k++)
            print_step(out, plan->scop, plan->steps.at[k], 2);
        if (!plan->otherwise)
            continue;
        str_addf(out, "  where not %s:\n", plan_size_text(plan));
        for (size_t k = 0; k < plan->otherwise->steps.count; k++)
            print_step(out, plan->otherwise->scop, plan->otherwise->steps.at[k], 4);
    }
}
