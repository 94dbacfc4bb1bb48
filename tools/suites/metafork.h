/* metafork.h of the runtime for mapped text as serial C, where each region counts that it was
   entered and the environment gives the number of threads and the tunables (probe.c). */
#ifndef SUITE_METAFORK_H
#define SUITE_METAFORK_H

int suite_region(void), suite_threads(void), suite_tunable(int value);
#define meta_threads() suite_threads()
#include "../../runtime/metafork.h"
#undef meta_schedule
#undef meta_tunable
#define meta_tunable(value) suite_tunable(value)
#define meta_schedule for (int suite_once = suite_region(); suite_once; suite_once = 0)

#endif
