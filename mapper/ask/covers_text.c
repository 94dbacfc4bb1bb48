/* Covers in words.

   In: the answer to `map --covers`. Out: the nests by number; the covers, the plan's marked, each
   with launches, elements moved and predicted time, and its regions; then the nests that no cover
   has in one region, with the array, both places and two iterations that meet. */
#include "mapper/ask/covers.h"

enum { APART_SHOWN = 12 };

/* "{0, 1}": the nests that a step of a cover runs. */
static void nests_print(struct str *out, const struct cover_step *step)
{
    for (size_t i = 0; i < step->nests.count; i++)
        str_addf(out, "%s%zu", i ? ", " : "{", step->nests.at[i]);
    str_char(out, '}');
}

/* "; reads A m*n, p n": of arrays that stay in memory. */
static void arrays_print(struct str *out, const struct cover_step *step, bool writes)
{
    const char *before = writes ? "; writes " : "; reads ";
    for (size_t i = 0; i < step->arrays.count; i++) {
        const struct cover_array *array = &step->arrays.at[i];
        if (array->vanishes || !(writes ? array->is_written : array->is_read))
            continue;
        str_addf(out, "%s%s %s", before, array->name,
                 writes ? array->writes.text : array->reads.text);
        before = ", ";
    }
}

/* "; beside 1024 parts of s; stays in threads: t" */
static void notes_print(struct str *out, const struct cover_step *step)
{
    const char *before = "; beside ";
    for (size_t i = 0; i < step->arrays.count; i++) {
        const struct cover_array *array = &step->arrays.at[i];
        if (!array->has_parts)
            continue;
        str_addf(out, "%s%s%sparts of %s", before, array->parts.is_known ? array->parts.text : "",
                 array->parts.is_known ? " " : "", array->name);
        before = ", ";
    }
    before = "; stays in threads: ";
    for (size_t i = 0; i < step->arrays.count; i++)
        if (step->arrays.at[i].vanishes) {
            str_addf(out, "%s%s", before, step->arrays.at[i].name);
            before = ", ";
        }
}

/* "; 35.2 us: leaf 1, B0 = 16, B1 = 8, s_parts of 1024" */
static void time_print(struct str *out, const struct cover_time *time)
{
    if (!time->is_known)
        return;
    str_addf(out, "; %.1f us", time->nanoseconds / 1000);
    if (!time->leaf)
        return;
    str_addf(out, ": leaf %d%s%s", time->leaf, *time->choice ? ", " : "", time->choice);
    for (size_t i = 0; i < time->n_parts; i++)
        str_addf(out, ", %s of %.15g", time->parts[i].array, time->parts[i].elements);
}

static void cover_print(struct str *out, const struct cover_answer *cover, const char *machine)
{
    str_add(out, cover->is_chosen ? "* " : "  ");
    for (size_t i = 0; i < cover->steps.count; i++) {
        str_add(out, i ? " " : "");
        nests_print(out, &cover->steps.at[i]);
    }
    str_addf(out, ": %d launch%s%s, %s words, ", cover->launches,
             cover->launches == 1 ? "" : "es", cover->has_loops ? " beside loops of the host" : "",
             cover->words.text);
    if (!machine)
        str_addf(out, "%.0f us\n", cover->mapper_nanoseconds / 1000);
    else if (cover->is_timed)
        str_addf(out, "%.1f us%s\n", cover->nanoseconds / 1000,
                 cover->has_host ? " and the host" : "");
    else
        str_add(out, "no time is known\n");
    for (size_t i = 0; i < cover->steps.count; i++) {
        const struct cover_step *step = &cover->steps.at[i];
        str_add(out, "      ");
        nests_print(out, step);
        str_addf(out, " %s", step->shape);
        arrays_print(out, step, false);
        arrays_print(out, step, true);
        notes_print(out, step);
        time_print(out, &step->time);
        str_char(out, '\n');
    }
}

/* "loops.c:24:13 writes t[i]" */
static void cover_place_print(struct str *out, const struct cover_place *place)
{
    str_addf(out, "%s:%u:%u %s %s", place->loc.source ? place->loc.source->path : "",
             place->loc.line, place->loc.column, place->writes ? "writes" : "reads", place->text);
}

static void apart_print(struct str *out, const struct cover_pair *pair)
{
    str_addf(out, "  %zu and %zu do not share a launch: ", pair->first, pair->second);
    str_addf(out, pair->reason && pair->array ? "%s, and one waits for the other " : "%s",
             pair->reason ? pair->reason : "");
    if (pair->array) {
        str_addf(out, "by %s: ", pair->array);
        cover_place_print(out, &pair->places[0]);
        str_add(out, ", ");
        cover_place_print(out, &pair->places[1]);
        str_addf(out, "\n    %s", pair->witness);
    }
    str_char(out, '\n');
}

/* " (times at m = 1000, n = 50, on NVIDIA L4)" */
static void sizes_print(struct str *out, const struct covers_answer *answer, const char *machine)
{
    const char *before = " (times at ";
    for (size_t i = 0; i < answer->sizes.count; i++) {
        str_addf(out, "%s%s = %.15g", before, answer->sizes.at[i].name,
                 answer->sizes.at[i].value);
        before = ", ";
    }
    if (machine)
        str_addf(out, "%s %s", answer->sizes.count ? ", on" : " (times on", machine);
    str_add(out, answer->sizes.count || machine ? ")" : "");
}

static void list_print(struct str *out, const struct covers_answer *answer, const char *machine)
{
    for (size_t i = 0; i < answer->nests.count; i++) {
        const struct cover_nest *nest = &answer->nests.at[i];
        str_addf(out, "  %zu: line %u, %s", i, nest->line, nest->text);
        if (nest->n_statements > 1)
            str_addf(out, " and %zu more", nest->n_statements - 1);
        str_char(out, '\n');
    }
    for (size_t i = 0; i < answer->found.count; i++)
        cover_print(out, &answer->found.at[i], machine);
    if (answer->is_cut)
        str_addf(out, "  and more covers than these %zu\n", answer->found.count);
    for (size_t i = 0; i < answer->apart.count && i < APART_SHOWN; i++)
        apart_print(out, &answer->apart.at[i]);
    if (answer->apart.count > APART_SHOWN)
        str_addf(out, "  and %zu more pairs\n", answer->apart.count - APART_SHOWN);
}

static void end_print(struct str *out, const struct covers_answer *answer)
{
    if (answer->end)
        str_addf(out, "  ends at line %u: %s\n", answer->end_line, answer->end);
}

void covers_print(struct str *out, const struct covers_answer *answer, const char *machine)
{
    str_addf(out, "%s:%u: %s", answer->file, answer->line, answer->function);
    if (answer->refusal && answer->refusal_line)
        str_addf(out, ": refused at line %u", answer->refusal_line);
    if (answer->refusal) {
        str_addf(out, ": %s\n", answer->refusal);
        end_print(out, answer);
        return;
    }
    if (answer->loop)
        str_addf(out, ", in each round of %s of line %u", answer->loop, answer->loop_line);
    sizes_print(out, answer, machine);
    str_char(out, '\n');
    list_print(out, answer, machine);
    end_print(out, answer);
}
