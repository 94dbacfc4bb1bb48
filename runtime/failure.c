/* Failures of regions as values, for callers that raise exceptions: interpreters of other
   languages, which neither read standard error nor may end with abort().

   In: the status and name of a region that fails (trace.c). Out: per thread the first failure since
   the last one was taken, and whether results are lost. Nothing unwinds: the function ends as after
   any failure, by its serial code, and the caller asks afterwards. So no lock is left behind and no
   memory is lost. Where results cannot be brought back the serial code works on the host's arrays,
   which are whole but old, and the caller is told that the results mean nothing. */
#include "runtime/internal.h"
#include <stdatomic.h>
#include <string.h>

static atomic_int keeps;
static _Thread_local struct treefork_failure kept;

int treefork_failures_keep(int keep)
{
    return atomic_exchange(&keeps, keep != 0);
}

int treefork_failure_take(struct treefork_failure *failure)
{
    *failure = kept;
    kept = (struct treefork_failure){.status = TREEFORK_OK};
    return failure->status;
}

bool treefork_failure_keep(const char *region, int status, bool is_lost)
{
    if (!atomic_load_explicit(&keeps, memory_order_relaxed))
        return false;
    bool is_news = kept.status == TREEFORK_OK || (is_lost && !kept.is_lost);
    if (is_news)
        snprintf(kept.text, sizeof kept.text, "%s: %s: %s", region, treefork_status_name(status),
                 treefork_message());
    if (is_news)
        kept.status = status;
    kept.is_lost |= is_lost;
    return true;
}
