#ifndef CLI_AUTOMATIC_H
#define CLI_AUTOMATIC_H
#include "cli/verify.h"
#include "emit/host.h"

/* Functions as a generated program calls them: by NAME_auto, without the tunables, where there is
   one (emit/auto.c). */

/* The program, for the questions of emit/. */
struct host verify_host(const struct verification *v);
/* Has the function a region? */
bool automatic_concerns(const struct verification *v, int function);
/* True for each argument of the function that is a tunable, which NAME_auto lacks. */
const bool *automatic_skip(const struct verification *v, int function);
/* The given values, with 1 for the arguments of `skip` (NULL: none), as the serial program has. */
struct assignments automatic_values(const struct verification *v, int function, const bool *skip,
                                    const struct assignments *given);

#endif
