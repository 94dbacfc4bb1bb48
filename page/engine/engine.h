#ifndef PAGE_ENGINE_ENGINE_H
#define PAGE_ENGINE_ENGINE_H
/* What page/browser/engine.js calls. Texts end with a NUL; NULL is given with a message. */
#include "runtime/treefork.h"
#include <stdbool.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#else
#define EXPORT(name) name
#endif

/* Lists of numbers of a region, in the order of page/browser/engine.js. */
enum engine_rows {
    ROWS_COUNTS, /* layout, shape, checks, exact, exact_varies */
    ROWS_PARAMETERS,
    ROWS_BYTES,
    ROWS_OPERATIONS,
    ROWS_LISTS,
    ROWS_CONDITIONS,
    ROWS_ASKED,
    ROWS_ACCESSES,
    ROWS_FIGURES,
    ROWS_LAUNCHES,
    ROWS_LEAVES,
    ROWS_STEPS,
    ROWS_ENDS,
    ROWS_VARIES,
    ROWS_TUNABLES,
    ROWS_SIZES,
    ROWS_MOVES,
    ROWS_CUTS,
    ROWS_PARTS,
    ROWS_COUNT
};
/* Lists of texts, each ended by a NUL. */
enum engine_texts {
    TEXTS_NAME,
    TEXTS_FUNCTION,
    TEXTS_NAMES,
    TEXTS_MACHINE,
    TEXTS_CONDITIONS,
    TEXTS_WORDS,
    TEXTS_DIVISIONS,
    TEXTS_COUNT
};

struct engine_region;

/* Room for so many bytes and one more, all 0; the browser fills it in. */
void *EXPORT(engine_bytes)(size_t count);
/* A region from its rows: numbers and texts by the two lists above, entries of each list of numbers
   in `counts`. They are kept. NULL where the rows are none of this library. */
struct engine_region *EXPORT(engine_region)(const uint16_t *const *rows, const uint32_t *counts,
                                            const char *const *texts, const int64_t *constants,
                                            size_t n_constants, size_t n_machine, size_t n_words);
/* A machine file's text; NULL if it is none. */
struct treefork_machine *EXPORT(engine_machine)(const char *text);
/* The number of a machine parameter, -1 if there is none of that name; its value. */
int EXPORT(engine_parameter)(const char *symbol);
int64_t EXPORT(engine_machine_value)(const struct treefork_machine *machine, size_t number);
void EXPORT(engine_machine_set)(struct treefork_machine *machine, size_t number, int64_t value);
/* From now on so many devices, 16 at most, of the same machine may share the region's launches in
   what is said of it. */
void EXPORT(engine_devices)(struct engine_region *region, const struct treefork_machine *machine,
                            size_t count);
/* The same of devices with machines of their own; not for browsers. */
void engine_machines(struct engine_region *region, const struct treefork_machine *machines,
                     size_t count);
/* The explanation's JSON, until the next question; NULL where there is no leaf. `values`: the
   region's integer parameters in order. */
const char *EXPORT(engine_explain)(struct engine_region *region,
                                   const struct treefork_machine *machine, const int64_t *values);
/* The same of what the region would choose for itself there for NAME_auto, whatever `values` has
   for tunables that only NAME_auto chooses; NULL, too, where there is nothing to choose. */
const char *EXPORT(engine_choice)(struct engine_region *region,
                                  const struct treefork_machine *machine, const int64_t *values);
/* engine_choice, as text or JSON; not for browsers. */
const char *engine_choice_told(struct engine_region *region,
                               const struct treefork_machine *machine, const int64_t *values,
                               int format);
/* How these devices share the launches of the leaf, until the next question; NULL with a message.
   Not for browsers. */
struct treefork_explained_devices;
const struct treefork_explained_devices *
engine_devices_told(struct engine_region *region, const struct treefork_machine *machine,
                    const int64_t *values, int leaf);
/* Their time with so many of them on the leaf; false where none is predicted. Not for browsers. */
struct treefork_several_time;
bool engine_devices_time(struct engine_region *region, const struct treefork_machine *machine,
                         const int64_t *values, int leaf, size_t members,
                         struct treefork_several_time *time, double *bytes);
/* The leaf by case, a negative status where there is none. */
int EXPORT(engine_leaf)(struct engine_region *region, const struct treefork_machine *machine,
                        const int64_t *values);
/* The leaf with the least predicted time, 0 where there is none; *nanoseconds becomes its time. */
int EXPORT(engine_fastest)(struct engine_region *region, const struct treefork_machine *machine,
                           const int64_t *values, double *nanoseconds);
/* Sums over all launches of a leaf. */
struct engine_work {
    double bytes;                     /* from device memory, by the model */
    double floats, doubles;           /* instructions on them */
    double instructions;              /* all but accesses and their addresses */
    double nanoseconds;               /* predicted */
};
/* False, with a message, where the leaf does not fit or no time is predicted. */
int EXPORT(engine_work)(struct engine_region *region, const struct treefork_machine *machine,
                        const int64_t *values, int leaf, struct engine_work *work);
/* What was wrong with the last call that failed. */
const char *EXPORT(engine_message)(void);

#endif
