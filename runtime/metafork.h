#ifndef METAFORK_H
#define METAFORK_H
/* The marks of MetaFork in a C file:

       meta_schedule { … }          a region to be offloaded
       meta_schedule meta_cache(a, b) { … }    the same, with arrays to be staged in shared memory
       meta_for (…)                 a loop whose iterations may all run at once
       meta_threads()               in host code: the threads that the device runs at once; 1
                                    without one
       if (meta_pays(1.0 * n * n, 3)) { … regions … } else { … loops … } meta_paid();
                                    in host code: both compute the same, and what takes less time
                                    is measured; the loops have at most n * n rounds, and the
                                    regions' order takes 3 times as long on one core. 1 without a
                                    device
       const int B = meta_tunable(16);   a number that each region may choose for itself where that
                                    changes nothing that it computes; 16 everywhere else

   Under an ordinary compiler the marks disappear, and the file is its own serial reference.
   `treefork` reads the same file with __TREEFORK__ defined and takes the marks' meaning from a
   header of its own, which exists only in its memory.

   `cache(…)` is the short form of `meta_cache(…)`. As every macro with arguments it also erases the
   call of a function of that name, so `treefork` refuses a file with such a function. Where other
   code needs the name, write

       #define METAFORK_LONG_NAMES
       #include <metafork.h>

   and the short form does not exist. */

#ifdef __TREEFORK__
#include <metafork_marks.h>
#else
#define meta_schedule
#define meta_for for
#define meta_tunable(d) (d)
#ifndef meta_threads
#define meta_threads() 1
#endif
#ifndef meta_pays
#define meta_pays(rounds, times) 1
#define meta_paid() ((void)0)
#endif
#define meta_cache(...)
#ifndef METAFORK_LONG_NAMES
#define cache(...)
#endif
#endif

#endif
