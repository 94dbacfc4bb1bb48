#ifndef CLI_FIT_H
#define CLI_FIT_H
#include "runtime/treefork.h"
#include <stdbool.h>
#include <stdio.h>

/* Measures the coefficients of the model of predicted time on a device by small kernels, several
   runs each, within about 20 seconds, and sets them in *machine; what could not be measured in that
   time keeps its value. `report`: a line for each, or NULL. False, with
   treefork_message(), where a kernel cannot be run; the device is to be closed then. Needs
   libtreefork alone. */
bool machine_fit(struct treefork_device *device, struct treefork_machine *machine, FILE *report);

#endif
