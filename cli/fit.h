#ifndef CLI_FIT_H
#define CLI_FIT_H
#include "cli/cli.h"

/* Measures the coefficients of the model of predicted time on a device by small kernels, several
   runs each, within about 20 seconds, and sets them in *machine; what could not be measured in that
   time keeps its value. `report`: a line for each, or NULL. False after a diagnostic. */
bool machine_fit(struct ctx *ctx, struct treefork_device *device, struct treefork_machine *machine,
                 FILE *report);

#endif
