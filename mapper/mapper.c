/* Plain C to MetaFork C, as a list of calls.

   In: a unit, and the choice of fragments. Out: a file with mapped fragments. `nest_read`
   (plan/nest.c) is the list of calls for one nest; nests_make calls nest_read for each part of a
   fragment. The caller has the printed text judged (`mapping_judge`), and prints it again. */
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/mapper.h"
#include "mapper/plan/inline.h"
#include "mapper/plan/nest.h"
#include "mapper/print/mapping.h"

struct plain_file *mapping_make(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice)
{
    unsigned errors = ctx->errors;
    nest_list chosen = {0}, nests = {0};
    unit = calls_inline(ctx, unit, choice);
    forms_simplify(ctx, unit);
    if (!fragments_choose(ctx, unit, choice, &chosen))
        return NULL;
    if (!chosen.count && !choice->may_be_none)
        return fragments_suggest(ctx, unit, choice);
    if (!words_check(ctx, unit))
        return NULL;
    for (size_t i = 0; i < chosen.count; i++)
        nests_make(ctx, unit, chosen.at[i], &nests);
    nests_keep_called(ctx, unit, &nests);
    nests_check(ctx, &nests);
    struct plain_file *file = file_make(ctx, unit, &nests, &chosen, choice);
    bool lacks_all = mapping_is_empty(file) && !choice->may_be_none;
    nests_refuse(ctx, &nests, ctx->strict || lacks_all);
    calls_refuse(ctx, unit, &nests, ctx->strict || ctx->errors > errors);
    return ctx->errors == errors ? file : NULL;
}
