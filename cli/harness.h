#ifndef CLI_HARNESS_H
#define CLI_HARNESS_H
#include "cli/verify.h"

/* C text of the program that makes the data, calls the function and writes whether an array changed
   and the number of launches (8 bytes each), the arrays, and what is returned. */
const char *harness_text(struct verification *v, int function, const struct datum *data,
                         int n_data);

/* The parts of such a program. The text before any function: TREEFORK_SOURCE is included, the file
   of --data behind it, and helpers. */
void harness_begin(const struct verification *v, struct str *out);
/* The data of the seed, as the file of --data changes them: v0, v1, …; `harness_before`, a hash of
   all arrays. */
void harness_data(struct verification *v, struct str *out, int function, const struct datum *data,
                  int n_data);
/* "v0, (void *)v1", without the arguments i with skip[i] (NULL: all). */
void harness_arguments(struct verification *v, struct str *out, int function,
                       const struct datum *data, const bool *skip);
/* A call of the function, or with `skip` of NAME_auto without those arguments; what it returns goes
   into `result`, which harness_result declares where something is returned. */
void harness_result(struct verification *v, struct str *out, int function,
                    const struct datum *data);
void harness_call(struct verification *v, struct str *out, int function, const struct datum *data,
                  const bool *skip);
/* Releases device copies, writes the results to the file `harness_path`, frees the data and ends
   the function. `result`: a variable with what was returned, NULL: nothing that is compared. */
void harness_results(struct str *out, const struct datum *data, int n_data, const char *result);

/* The loop that answers orders by harness_obey(path, order), which stands before it, 0 or an exit
   status; main, which calls harness_run(path) where there is no socket. */
void harness_end(struct str *out);

#endif
