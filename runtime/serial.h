#ifndef TREEFORK_SERIAL_H
#define TREEFORK_SERIAL_H
/* The serial code of a region on the host, beside a launch of a leaf: where the device has the
   host's memory, running the code in place costs no launch. Both times are a model's numbers. */
#include "runtime/tables.h"

#pragma GCC visibility push(hidden)

/* Nanoseconds that one core of the host takes for what the launch computes; `launch` is what the
   model predicts for it. 0: the machine is no CPU, whose cores are the host's. */
double treefork_serial_time(const struct treefork_machine *machine,
                            const struct treefork_figures *figures,
                            const struct treefork_prediction *launch);
/* Does a code that takes `serial` (0: not known) cost so little beside the launch by itself,
   without its work, that it is run? */
bool treefork_serial_pays(double serial, const struct treefork_prediction *launch);
/* The same time of all launches of a leaf at the evaluation's point; 0 where it is not known. */
double treefork_evaluation_serial(struct treefork_evaluation *e,
                                  const struct treefork_leaf_row *leaf);

#pragma GCC visibility pop
#endif
