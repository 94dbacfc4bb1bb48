#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include "cli/cli.h"
#include "ir/interpret.h"
#include <sys/types.h>

/* The parts of `treefork verify`. */

/* How one argument, file-scope array or region array gets its data. */
struct datum {
    const char *name;
    enum type type;
    bool is_array;
    bool is_file_array;       /* at file scope: filled where it lies */
    bool is_file_pointer;     /* at file scope: pointed to memory of the harness */
    bool is_file_scalar;      /* at file scope: as --set says, else left (count 0) */
    int64_t count;            /* elements; 1 for a scalar */
    bool has_range;           /* values in [lo, hi]: used as a subscript, or given by --set */
    int64_t lo, hi;
    bool is_given;            /* scalar with the value of --set */
    double real;              /* given floating scalar */
    double scale;             /* the bound of its differences is relative to this magnitude, or to
                                 its own largest if that is larger */
};

/* Values at which leaves run: one --set, or one line of a --sets file with one --set. */
struct verify_set {
    const char *function;     /* the only one it is for; NULL = every function */
    const char *text;         /* as it is printed */
    struct assignments values;
};

struct verify_sets {
    size_t count, capacity;
    struct verify_set *at;
};
/* The sets of --set and --sets, in the order given. False after a usage error. */
bool verify_sets_read(struct ctx *ctx, const struct command_line *line, struct verify_sets *sets);

/* Which leaves run on a device: every one at every set, every one at the first set that it fits, or
   the first of each region once. */
enum device_runs { DEVICE_RUNS_ALL, DEVICE_RUNS_ONCE, DEVICE_RUNS_FIRST };

/* The sums of a function at a set (sums.c). */
struct sum_record {
    int function;
    const void *set;          /* the values of the set */
    bool is_needed;           /* leaves take floating sums in another order than the text */
    bool is_of_library;       /* functions that each witness has its own bits of are called */
    const void *const *ordered;   /* results with sums in that order: each array, then the returned
                                     number; NULL: not known */
    const char *output;       /* the text printed with them */
    size_t output_length;
    bool has_bits;
    uint64_t bits;            /* of the results of the first leaf that ran */
    char first[64], witness[16];   /* leaf and witness by name */
};

struct hosted;

struct verification {
    struct ctx *ctx;
    const struct program *program;
    const struct tree **trees;
    struct assignments set, extents;   /* set: the values of the run at hand */
    int only_leaf;            /* 0: all leaves */
    const char *only_function;   /* NULL: all functions */
    enum device_runs device_runs;
    bool **device_done;       /* by region and index of the leaf: a device has verified it */
    bool is_generated;        /* the program with the leaves lies in the folder */
    bool interprets_threads;  /* the interpreter of threads is a witness */
    double arrays_said;       /* bytes of the arrays that a line last said the needs of */
    bool checks_regions;      /* a witness asks what is wrong with regions as they are written */
    const char *library;      /* the program as host code; NULL = not made yet */
    const char *original_library;   /* the user's own file as it stands; the same */
    VEC(struct hosted *) hosted;   /* its functions at the sets so far, as far as they are kept */
    size_t shares;            /* files of memory that children share, so far */
    bool keeps_files;         /* --keep */
    pid_t keeper;             /* the process that removes the folder once keeper_pipe is closed */
    int keeper_pipe;
    const struct expr ***extents_of;   /* of its arrays, by region and array: access_extent */
    uint64_t seed;
    double tolerance;         /* < 0: the default of the element type */
    int64_t timeout;          /* seconds per child, and per order to a worker */
    const char *folder;       /* where sources, programs and results lie */
    const char *source_path;  /* the user's file */
    const char *original;     /* the program that results are compared with; NULL: that file */
    VEC(const char *) main_arguments;   /* words of main, behind its name */
    const char *filler_path, *filler_text;   /* the file of --data; NULL: none */
    const char *device;       /* value for TREEFORK_DEVICE, NULL = the best */
    struct program_options flags;   /* of the C compiler, as given */
    VEC(struct sum_record *) sums;   /* so far */
    bool sums_lie_apart;      /* floating sums of leaves are compared with serial ones: `tune` */
    size_t passed, failed, skipped;
    size_t doubted;           /* skipped, but that is no success: see leaf_fail */
    bool is_unchecked;        /* a region of the function at hand, as it is written, on its data */
    struct function_runs {
        size_t runs, idle;    /* leaves that launched or failed; that had nothing to do */
    } *functions;             /* by function; NULL: not counted */
    bool no_device;           /* leaves cannot be run here */
    bool no_sanitizers;       /* the C compiler has none */
};

/* Has the reader of the output gone, or was the tool interrupted? Then what runs ends soon, and the
   temporary folder is removed before the tool ends by the same signal. */
bool verify_stopped(void);

/* The exit status of a child whose program cannot be executed. */
enum { CHILD_NOT_FOUND = 127 };
/* What became of one child process. */
enum child_end { CHILD_DONE, CHILD_EXIT, CHILD_SIGNAL, CHILD_TIMEOUT, CHILD_NONE };
struct child_result {
    enum child_end end;
    int code;                 /* exit status or signal */
    const char *errors;       /* the last line it wrote to standard error */
};
/* Runs work(state) in a child, whose exit status it returns. The limit of time begins anew when
   *step, which the child changes in shared memory, has changed (NULL: never). */
struct child_result child_call(struct verification *v, int (*work)(void *state), void *state,
                               const char *output, const char *errors, const size_t *step);
/* Runs argv[0] with additional environment settings (name, value, name, value, …, NULL), output and
   errors into the two files. limit: its seconds, 0 = none. */
struct child_result child_run(struct verification *v, const char *const *argv,
                              const char *const *settings, const char *output, const char *errors,
                              int64_t limit);
const char *child_describe(struct ctx *ctx, const struct child_result *result);
/* How a harness ends that has no memory for arrays, or no room for results. */
enum { HARNESS_NO_MEMORY = 98, HARNESS_NO_FILE = 99 };
/* The reason why a harness, or a child in its place, came to no end if that is lack of memory or of
   room, and so nobody's fault; else NULL. */
const char *child_lacked(const struct child_result *result);

/* A child that works on order: each is a line, and is answered with a byte when it is done. */
struct worker {
    pid_t pid;                /* 0: there is none */
    int socket;
    const char *errors;       /* file of its standard error */
};
/* The descriptor at which a worker finds its orders and writes its answers. */
enum { WORKER_SOCKET = 3 };
/* As child_run, but does not wait. False if there can be no child. */
bool worker_start(struct worker *worker, const char *const *argv, const char *const *settings,
                  const char *output, const char *errors);
/* Gives an order, which ends with a newline, and waits for the answer. False if there was none
   within the time limit of a child, or if the worker has ended; then it is to be killed. */
bool worker_ask(struct verification *v, struct worker *worker, const char *order);
/* No order follows: waits for the worker's end, which is returned. */
struct child_result worker_end(struct verification *v, struct worker *worker);
void worker_kill(struct worker *worker);

/* The value of an integer expression over named values; false (a diagnostic if `what` is given)
   when a name is missing or the value leaves 64 bits. */
bool integer_value(struct verification *v, const struct expr *e, const char *what, int64_t *value);

/* Data of every argument of a function, then of the file-scope arrays of its regions: *n_data.
   False after a diagnostic. */
bool data_plan(struct verification *v, int function, struct datum **data, int *n_data);
/* room.c: is there memory, and room in v->folder, for a run of the function with these arrays, on a
   device, by `tune`, or inside the generator? False after a diagnostic. If there is and the arrays
   are large, a line says what the run takes. */
enum room_kind { ROOM_DEVICE, ROOM_TUNE, ROOM_GENERATOR };
bool room_suffices(struct verification *v, int function, const struct datum *data, int n_data,
                   enum room_kind kind);
/* Puts the values that --set gives for meta_tunables which the region may choose into its
   parameters (by kernel->params index); false if there are none. */
bool tunables_give(const struct verification *v, const struct region *region, union value *params);
/* The same for the generated program of a function: the value of TREEFORK_SET. */
const char *tunables_setting(const struct verification *v, int function);
/* "region f needs B >= 1, and it is 0", NULL if the value that --set gives is large enough. */
const char *data_below_least(struct verification *v, const struct region *region,
                             const struct param *p);
/* The type of what a function returns; false if that is no number: then it is not compared. */
bool returns_number(const struct function *f, enum type *type);
/* Fills memory as the harness does: the same generator. */
void data_fill(const struct datum *datum, uint64_t *state, void *memory);

/* What differences of a result of this type may be, relative to a magnitude. */
double data_bound(const struct verification *v, enum type type);
/* The least magnitude that they are relative to. */
double data_scale(const struct verification *v, const struct datum *data, int n_data);
/* An element of floating numbers, which may lie anywhere. */
double data_element(enum type type, const void *memory, int64_t i);
/* Compares two results; text says the largest difference and the bound. */
bool data_compare(struct verification *v, const struct datum *datum, const void *got,
                  const void *expected, struct str *text);

/* sums.c: the record of the function at the set at hand. */
struct sum_record *sum_record(struct verification *v, int function);
/* The results of a run: each array, then the returned number. */
struct sum_results {
    int function, n_data;
    const struct datum *data;
    const void *const *at;
};
/* Has the leaf the bits of the first one, where functions are called of the first one by this
   witness? Else the text says so. */
bool sum_bits_agree(struct verification *v, struct sum_record *record,
                    const struct sum_results *results, const char *leaf, const char *witness,
                    struct str *text);

/* The serial program itself (serial.c): one region as it is written, of so many points, on given
   data, which it changes. */
struct region_check {
    const char *fault;        /* NULL or "": none was found */
    const char *reason;       /* why it was not checked; NULL or "": it was */
};
struct region_check check_region(struct verification *v, size_t region,
                                 const struct interpret_input *input, double points);
/* Are these too many points? */
bool check_is_large(double points);
/* Prints a fault, which is counted, or the reason. */
void check_report(struct verification *v, size_t region, const struct region_check *check);
/* Is the region run by a leaf at all with these parameters? Otherwise it is run serially, and may
   well be no parallel one. */
bool region_is_parallel(const struct tree *tree, const union value *params);

/* Does the text name this word? */
bool text_has_word(const char *text, const char *word);

/* The path of a file in the folder of the run. */
const char *verify_path(struct verification *v, const char *name);

/* The absolute path of the program that results are compared with. */
const char *verify_original(struct verification *v);
/* Is the program's text another one than that: the mapper's, or one that --source was given for?
   Then the text itself has to prove equal, too. */
bool verify_has_original(const struct verification *v);

/* Makes a program or a library of C text by the C compiler; both sides of a comparison get the same
   flags. False after a diagnostic. */
struct compilation {
    const char *source;      /* text to compile: the harness, or a whole program */
    const char *included;    /* value of TREEFORK_SOURCE, NULL for a whole program */
    const char *program;     /* executable or library to make */
    bool with_runtime;
    bool is_checked;         /* with the compiler's sanitizers */
    bool is_library;         /* to be opened by the tool */
    bool is_of_users;        /* nothing is compared: it takes the ways that users' programs take */
};
bool verify_compile(struct verification *v, const struct compilation *c);
bool verify_write(struct verification *v, const char *name, const char *text);
/* The serial program of a function failed: a diagnostic says so, or that it needs data, and which
   values of --set no region takes. */
void serial_blame(struct verification *v, int function, const char *fault);
void least_values_note(struct verification *v, int function);

/* Options that `tune` has, too: --seed, --timeout, --tolerance and --leaf (0: none); --extent.
   False after a usage error. */
bool verify_numbers_parse(struct verification *v, const struct command_line *line, int64_t *leaf);
bool verify_extents_parse(struct ctx *ctx, const struct command_line *line,
                          struct assignments *extents);
/* False after a usage error if --set, --extent or --function name what the program does not have.
   */
bool verify_names_known(struct verification *v, const struct verify_sets *sets);
/* folder.c: the folder of the run: `keep`, or a temporary one (NULL), which goes with
   verify_folder_close, and also if the tool is killed. In between a signal only asks the tool to
   stop; verify_folder_close ends the tool by it. False after a diagnostic. */
bool verify_folder_open(struct verification *v, const char *keep);
void verify_folder_close(struct verification *v);

/* Where libtreefork.a and its headers are. False after a diagnostic. */
bool runtime_locate(struct ctx *ctx, const char **library, const char **include);

/* Prints the rest of the line of a leaf that failed, and counts it. Where random data of index
   arrays may be the reason, as nobody checked the region on them, the leaf is not judged: it is
   skipped, and the tool's status is 1. */
void leaf_fail(struct verification *v, int function, const char *fault);

/* The same of a leaf that lacked something (child_lacked). */
void leaf_skip(struct verification *v, const char *lacked);

/* A leaf of the function ran, or had nothing to do. */
void verify_note(struct verification *v, int function, bool is_idle);

/* Does the user's program run without a fault by the C compiler's sanitizers? If not, a diagnostic
   has said so. `data`: NULL for main. */
bool original_is_sound(struct verification *v, int function, const struct datum *data,
                       int n_data);

/* --data (filler.c). */
#define FILLER_ROW                                                                                 \
    {"--data", "FILE.c",                                                                           \
     "data of your own: `void NAME_data(…)` in FILE.c, with the parameters of the function NAME, " \
     "fills its arrays before every run (default: random data)"}
/* Reads the file of --data, NULL = none. False after a diagnostic if it has a function for none of
   those functions that are asked for. */
bool filler_read(struct verification *v, const char *path);
/* The function of that file that fills the arrays of a function; NULL: they stay random. */
const char *filler_name(const struct verification *v, int function);
/* Writes the line that includes the file; it belongs behind the program's text. */
void filler_include(const struct verification *v, struct str *out);
/* Random data brought out a fault of a function, or of its regions as they are written. Is that no
   reason to blame it, because it has index arrays and nobody gave data? Then a diagnostic says so,
   and its leaves count as skipped. */
bool filler_lacks(struct verification *v, int function, const char *fault);

/* indices.c: arrays of a function whose elements are subscripts or bounds of loops. Their names,
   "`row`, `col`", NULL if there are none; and the range of their values in which they stay inside
   what they index. */
const char *index_arrays(struct verification *v, int function);
void index_ranges(struct verification *v, int function, struct datum *data, int n_data);

/* Is this function among those that are asked for? */
bool verify_takes_function(const struct verification *v, int function);

/* Is a leaf of those functions left that is to run on the device? */
bool verify_programs_wanted(const struct verification *v);

/* Each leaf through the generated program, or in the function as host code whose regions run inside
   the generator ("threads", "cpu"), at the values of v->set. */
bool verify_programs(struct verification *v);
bool verify_hosted(struct verification *v, const char *witness);
struct run_result;
/* Says what is wrong with the regions of a function as they are written, and with its text if that
   was made of another program's, which left `original`. False after a diagnostic. */
bool hosted_check(struct verification *v, int function, const struct run_result *original);
/* After the last run of verify_hosted. */
void hosted_end(struct verification *v);

#endif
