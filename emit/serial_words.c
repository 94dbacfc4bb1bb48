/* Macros for the functions tf_serial_NAME, and declarations of what they call: the C library's
   functions, and those with vectors.

   In: the functions that the file has, and their calls. Out: the text before them. Words for maps
   alone stand within `#ifdef _OPENMP`, as maps do. No header of the C library is included: the
   user's file may have its own `y1` or `select`, which the names of <math.h> or <stdlib.h> would
   meet. */
#include "emit/device.h"
#include "emit/host.h"
#include "emit/names.h"
#include "emit/serial.h"
#include "ir/function.h"
#include <string.h>

/* --- functions that have vectors -------------------------------------------------------------- */

static const struct vectors_row {
    const char *name;
    int n_arguments, release;
} FUNCTIONS[] = {
#define X(function, arguments, release) {#function, arguments, release},
#include "emit/libmvec.def"
#undef X
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof *FUNCTIONS };

bool serial_has_vectors(const char *function)
{
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (!strcmp(FUNCTIONS[i].name, function))
            return true;
    return false;
}

/* "tf_expf", which a compiler makes vectors of, or expf itself. */
static void function_print(struct host *host, const struct vectors_row *row, bool is_float)
{
    const char *type = is_float ? "float" : "double";
    const char *name = is_float ? arena_printf(host->arena, "%sf", row->name) : row->name;
    const char *more = row->n_arguments > 1 ? arena_printf(host->arena, ", %s", type) : "";
    if (!serial_calls(host, arena_printf(host->arena, "tf_%s", name)))
        return;
    str_addf(host->out, "#if TREEFORK_VECTORS >= %d\n", row->release);
    str_addf(host->out, "extern %s tf_%s(%s%s) TREEFORK_VECTOR(\"%s\");\n", type, name, type, more,
             name);
    str_addf(host->out, "#else\n#define tf_%s %s\n#endif\n", name, name);
}

static void functions_print(struct host *host)
{
    for (int i = 0; i < N_FUNCTIONS; i++) {
        function_print(host, &FUNCTIONS[i], false);
        function_print(host, &FUNCTIONS[i], true);
    }
    str_char(host->out, '\n');
}

/* --- the C library ---------------------------------------------------------------------------- */

static void function_declare(struct str *out, const char *name)
{
    static const char *const types[] = {[TYPE_I32] = "int", [TYPE_I64] = "long",
                                        [TYPE_F32] = "float", [TYPE_F64] = "double"};
    const struct function_row *row = function_find(name);
    if (!row)
        return;
    str_addf(out, "%s %s(", types[row->type], name);
    for (int i = 0; i < row->n_arguments; i++)
        str_addf(out, "%s%s", i ? ", " : "", types[function_argument(row, i)]);
    str_add(out, ");\n");
}

void serial_declare(struct host *host, struct str *out, const char *text)
{
    struct map *seen = map_new(host->arena);
    size_t length;
    for (const char *word = word_next(&text, &length); word; word = word_next(&text, &length)) {
        const char *name = arena_strndup(host->arena, word, length);
        if (!strncmp(name, "tf_", 3) && serial_calls(host, name))
            name += 3;                /* functions_print may define tf_NAME as NAME */
        else if (word[length] != '(')
            continue;
        if (!map_get(seen, name))
            function_declare(out, name);
        map_put(seen, name, (void *)name);
    }
}

static const char WORDS_FIRST[] =
    "#ifndef TREEFORK_INDEX\n#define TREEFORK_INDEX long\n#endif\n"
    "#ifdef __GNUC__\n"
    "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
    "#define tf_infinity __builtin_inf()\n#define tf_nan __builtin_nan(\"\")\n"
    "#else\n"
    "#define tf_infinity (1e308 * 10)\n#define tf_nan (tf_infinity - tf_infinity)\n"
    "#endif\n";

/* OpenMP's threads, and the only one. */
static const char WORDS_OF_THREADS[] =
    "int omp_get_max_threads(void);\nint omp_get_thread_num(void);\nint omp_in_parallel(void);\n"
    "#define tf_threads ((size_t)omp_get_max_threads())\n"
    "#ifndef TREEFORK_SHARE\n"
    "#define TREEFORK_SHARE 65536\n"
    "#endif\n"
    "#define tf_shares(blocks, points) \\\n"
    "    ((blocks) > 1 && (points) >= TREEFORK_SHARE && tf_threads > 1 && !omp_in_parallel())\n"
    "#define tf_shared_alone(function) function\n";
static const char WORDS_OF_MAPS[] =
    "#define tf_row(points) \\\n"
    "    ((points) < 64.0 * (double)tf_threads ? 16 \\\n"
    "     : (points) < 8192.0 * (double)tf_threads \\\n"
    "         ? (int)((points) / (64.0 * (double)tf_threads)) * 16 \\\n"
    "         : 2048)\n";
static const char WORDS_OF_TILES[] =
    "#define tf_thread ((size_t)omp_get_thread_num())\n"
    "#define tf_alone _Pragma(\"omp critical(tf_alone)\")\n";
static const char WORDS_OF_ONE[] =
    "#define tf_shares(blocks, points) 0\n"
    "#define tf_threads ((size_t)1)\n"
    "#define tf_thread ((size_t)0)\n"
    "#define tf_alone\n";
static const char WORDS_WITHOUT_MAPS[] = "#define tf_shared_alone(function) 0\n";

static const char WORDS_LAST[] =
    "#define tf_line(place) ((char *)(((size_t)(place) + 63) / 64 * 64))\n"
    "#define tf_own(place, bytes) \\\n"
    "    ((char *)(place) + tf_thread * (((size_t)(bytes) + 63) / 64 * 64))\n"
    "#undef tf_add\n"
    "#define tf_add(place, value) (*(place) = (unsigned)*(place) + (unsigned)(value))\n"
    "#define tf_and(place, value) (*(place) &= (value))\n"
    "#define tf_or(place, value) (*(place) |= (value))\n"
    "#define tf_xor(place, value) (*(place) ^= (value))\n"
    "#define tf_min(place, value) (*(place) = (value) < *(place) ? (value) : *(place))\n"
    "#define tf_max(place, value) (*(place) = (value) > *(place) ? (value) : *(place))\n";

void serial_words(struct str *out)
{
    static const char *const words[] = {"infinity", "nan", "thread", "alone", "line", "own", "add",
                                        "and",      "or",  "xor",    "min",   "max"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        str_addf(out, "#undef tf_%s\n", words[i]);
    str_addf(out,
             "%s#ifdef __GNUC__\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n"
             "#pragma GCC diagnostic ignored \"-Wparentheses\"\n#endif\n"
             "#define tf_thread ((size_t)0)\n#define tf_alone\n%s\n",
             WORDS_FIRST, WORDS_LAST);
}

void serial_halves(struct host *host, struct str *out)
{
    struct device_floats uses = {false, false};
    for (size_t r = 0; r < host->program->n_regions; r++)
        uses.is_half |= device_uses(host->program->regions[r]->kernel, TYPE_F16);
    device_halves(out, &dialect_c, uses);
}

void serial_begin(struct host *host)
{
    struct str *out = host->out;
    bool has_sums = serial_any(host, true), has_maps = serial_any(host, false);
    if (!has_sums && !has_maps)
        return;
    str_addf(out, "%s#ifdef _OPENMP\n%s%s%s%s", has_sums ? WORDS_FIRST : "",
             has_sums ? WORDS_OF_TILES : WORDS_FIRST, WORDS_OF_THREADS,
             has_maps ? WORDS_OF_MAPS : "", "#else\n");
    str_addf(out, "%s%s#endif\n%s\n", has_sums ? WORDS_OF_ONE : "",
             has_maps ? WORDS_WITHOUT_MAPS : "", has_sums ? WORDS_LAST : "");
    serial_halves(host, out);
    functions_print(host);
}
