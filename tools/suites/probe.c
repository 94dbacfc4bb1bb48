/* Linked into every program of a suite: the output with all its bits, and a line that tells what
   ran in regions.

   The linker sends fprintf here (--wrap=fprintf). "%0.2f " and "%0.2lf ", by which suites print
   results, become "%a ", so that equal outputs mean equal bits. At the end the line
   "regions N launches N" goes to the file SUITE_COUNTS: how often serial C entered a region
   (metafork.h of this folder), and with -DSUITE_DEVICE how many launches the device made. Standard
   error is buffered by lines: unbuffered, each value would be a call of the system. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SUITE_DEVICE
#include <treefork.h>
#endif

static unsigned long long n_regions;

/* Called by mapped text at the beginning of each region: 1. */
int suite_region(void);
int suite_region(void)
{
    n_regions++;
    return 1;
}

/* The threads that mapped text is told to have. */
int suite_threads(void);
int suite_threads(void)
{
    const char *threads = getenv("SUITE_THREADS");
    return threads ? atoi(threads) : 1;
}

/* The value of a tunable: the environment's, else the text's own. */
int suite_tunable(int value);
int suite_tunable(int value)
{
    const char *block = getenv("SUITE_BLOCK");
    return block ? atoi(block) : value;
}

static const char *format_exact(const char *format)
{
    return strcmp(format, "%0.2f ") == 0 || strcmp(format, "%0.2lf ") == 0 ? "%a " : format;
}

int __wrap_fprintf(FILE *file, const char *format, ...);
int __wrap_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vfprintf(file, format_exact(format), arguments);
    va_end(arguments);
    return n;
}

/* Of the device, up to now. */
unsigned long long suite_launches(void);
unsigned long long suite_launches(void)
{
#ifdef SUITE_DEVICE
    return treefork_statistics(treefork_default()).launches;
#else
    return 0;
#endif
}

static void counts_write(void)
{
    const char *path = getenv("SUITE_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "regions %llu launches %llu\n", n_regions, suite_launches());
    fclose(file);
}

/* The library closes its device when the program ends: what is registered after that is called
   before. */
__attribute__((constructor)) static void probe_begin(void)
{
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    suite_launches();
    atexit(counts_write);
}
