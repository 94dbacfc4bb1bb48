/* The C program with which `treefork tune` measures, around the generated file: a worker that
   reads orders, one on a line:

       LEAF <tab> TUNABLES <tab> REGION <tab> CALLS <tab> MOST <tab> SLOW

   with values of TREEFORK_FORCE and TREEFORK_SET ("-": none). It makes the data, calls the
   function once to have everything compiled, then CALLS times on the same data, but stops when the
   calls have taken MOST nanoseconds in the region, or two have taken more than SLOW each. The
   results of the last call go into the result file, the times into that of the same name with
   `.times` behind it. */
#include "cli/harness.h"
#include "cli/tune.h"
#include <string.h>

static const char tools[] =
    "\n"
    "static void harness_machine(FILE *file, const struct treefork_machine *machine)\n"
    "{\n"
    "    fprintf(file, \"machine {\\\"name\\\": \\\"device\\\"\");\n"
    "    for (int i = 0; i < TREEFORK_PARAMETERS; i++)\n"
    "        if (machine->value[i] != TREEFORK_UNLIMITED)\n"
    "            fprintf(file, \", \\\"%s\\\": %lld\", treefork_parameter_key(i),\n"
    "                    (long long)machine->value[i]);\n"
    "    fprintf(file, \"}\\n\");\n"
    "}\n"
    "static void harness_tell(FILE *file, int last)\n"
    "{\n"
    "    struct treefork_tune_runs runs;\n"
    "    treefork_tune_watched(treefork_default(), &runs);\n"
    "    fprintf(file, \"%llu %.17g %d\\n\", (unsigned long long)runs.runs, runs.nanoseconds,\n"
    "            runs.leaf);\n"
    "    if (!last)\n"
    "        return;\n"
    "    fprintf(file, \"parameters %s\\nrecord %s\\n\", runs.parameters, runs.record);\n"
    "    fprintf(file, \"members %d\\n\", treefork_exchanged(treefork_default()).members);\n"
    "    if (treefork_default())\n"
    "        harness_machine(file, treefork_device_machine(treefork_default()));\n"
    "}\n"
    "static double harness_taken(void)\n"
    "{\n"
    "    struct treefork_tune_runs runs;\n"
    "    treefork_tune_watched(treefork_default(), &runs);\n"
    "    return runs.nanoseconds;\n"
    "}\n"
    "\n"
    "static int harness_time(const char *harness_path, const char *harness_region,\n"
    "                        long harness_calls, double harness_most, double harness_slow)\n"
    "{\n"
    "    char harness_times[4096];\n"
    "    snprintf(harness_times, sizeof harness_times, \"%s.times\", harness_path);\n"
    "    FILE *harness_file = fopen(harness_times, \"w\");\n"
    "    double harness_sum = 0;\n"
    "    if (!harness_file)\n"
    "        return 91;\n";

static const char obey[] =
    "\n"
    "static int harness_obey(const char *path, char *order)\n"
    "{\n"
    "    char *leaf = strtok(order, \"\\t\"), *set = strtok(NULL, \"\\t\"),\n"
    "         *region = strtok(NULL, \"\\t\"), *calls = strtok(NULL, \"\\t\"),\n"
    "         *most = strtok(NULL, \"\\t\"), *slow = strtok(NULL, \"\\t\");\n"
    "    if (!slow || setenv(\"TREEFORK_FORCE\", *leaf == '-' ? \"\" : leaf, 1) != 0 ||\n"
    "        setenv(\"TREEFORK_SET\", *set == '-' ? \"\" : set, 1) != 0)\n"
    "        return 93;\n"
    "    return harness_time(path, region, atol(calls), atof(most), atof(slow));\n"
    "}\n"
    "\n"
    "static int harness_run(const char *path)\n"
    "{\n"
    "    (void)path;        /* nothing is done without an order */\n"
    "    return 97;\n"
    "}\n";

/* w0, w1, …: what each call begins with. */
static void print_copies(struct str *out, const struct datum *data, int n_data)
{
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array)
            str_addf(out, "    size_t n%d = %lldu * sizeof *v%d;\n"
                          "    void *w%d = memcpy(harness_memory(n%d), v%d, n%d);\n", i,
                     (long long)data[i].count, i, i, i, i, i);
}

static void print_copies_free(struct str *out, const struct datum *data, int n_data)
{
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array)
            str_addf(out, "    free(w%d);\n", i);
}

/* What a call has changed is as it was. */
static void print_restore(struct str *out, const struct datum *data, int n_data)
{
    str_add(out, "        if (r > 0) {\n");
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array)
            str_addf(out, "            memcpy(v%d, w%d, n%d);\n", i, i, i);
    str_add(out, "        }\n");
}

const char *tune_harness_text(struct verification *v, int function, const struct datum *data,
                              int n_data, const bool *skip)
{
    const struct function *f = &v->program->functions[function];
    struct str out = str_new(v->ctx->arena);
    enum type type;
    bool is_compared = returns_number(f, &type);
    harness_begin(v, &out);
    str_add(&out, tools);
    harness_data(v, &out, function, data, n_data);
    print_copies(&out, data, n_data);
    harness_result(v, &out, function, data);
    str_add(&out, "    int slow = 0;\n    for (long r = 0; r <= harness_calls; r++) {\n");
    print_restore(&out, data, n_data);
    str_add(&out, "        treefork_tune_watch(treefork_default(), harness_region);\n");
    str_add(&out, "    ");
    harness_call(v, &out, function, data, skip);
    str_add(&out, "        double taken = harness_taken();\n"
                  "        harness_sum += r > 0 ? taken : 0;\n"
                  "        slow += r > 0 && taken > harness_slow;\n"
                  "        int last = r == harness_calls ||\n"
                  "                   (r > 0 && (harness_sum > harness_most || slow == 2));\n"
                  "        harness_tell(harness_file, last);\n"
                  "        if (last)\n"
                  "            break;\n"
                  "    }\n"
                  "    if (fclose(harness_file))\n"
                  "        return 90;\n");
    print_copies_free(&out, data, n_data);
    harness_results(&out, data, n_data, is_compared ? "result" : NULL);
    str_add(&out, obey);
    harness_end(&out);
    return out.text;
}
