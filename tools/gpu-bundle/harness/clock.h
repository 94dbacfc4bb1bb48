#ifndef BUNDLE_CLOCK_H
#define BUNDLE_CLOCK_H

/* Seconds: of the monotonic clock, and of all processors that the process has used. */
double seconds_now(void);
double seconds_of_process(void);

#endif
