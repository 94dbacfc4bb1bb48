/* The fastest choice beside the region's own. In: two trials that were right, minutes apart,
   perhaps with other work on the machine between. Out: how many times as fast the one is as the
   other, with an interval, from turns in which both run one behind the other, each first in every
   second turn. */
#include "base/progress.h"
#include "cli/tune.h"
#include <math.h>

/* The fewest of which an interval can be told. */
enum { TURNS = 6 };

bool tune_contest(struct tuning *t, struct subject *s, const struct tune_place *place,
                  const struct trial *own, const struct trial *best, struct contest *contest)
{
    double ratios[TURNS];
    *contest = (struct contest){0};
    progress_begin(t->v.ctx, "%s: beside the model's choice", own->region);
    for (int turn = 0; turn < TURNS; turn++) {
        struct trial both[2] = {*own, *best};
        for (int i = 0; i < 2; i++) {
            struct trial *now = &both[(turn + i) % 2];
            if (!tune_measure(t, s, place, INFINITY, now))
                return false;
            if (now->state != TRIAL_CORRECT || !(now->median > 0))
                return true;
        }
        ratios[turn] = both[0].median / both[1].median;
    }
    progress_end(t->v.ctx);
    *contest = (struct contest){TURNS, interval_of(ratios, TURNS)};
    return true;
}
