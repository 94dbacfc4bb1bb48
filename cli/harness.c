/* The C program that `treefork verify` compiles twice, around the user's file and around the
   generated one: it makes the data, calls the function, and writes every array and what was
   returned to a file. The source is included, so static functions and private types are no
   obstacle; its own main is renamed.
   An array is in memory once: whether one changed tells a hash of them all, device copies are
   released before results are written, and pages are given back as they are written. Hence results
   and expected results in files, and arrays with a device's copies, are never there together.
   Called with the path of that file alone, the program does so once. With the number of a socket
   besides, it is a worker: it reads lines from the socket, does what each orders (harness_obey) and
   answers it with one byte; it ends with the lines. Here an order is "REGION=LEAF", the leaf that
   is forced; that of `tune` has one of its own (tune_harness.c). */
#include "cli/harness.h"
#include <string.h>

static const char program[] =
    "#define main treefork_program_main\n"
    "#include TREEFORK_SOURCE\n";
static const char prologue[] =
    "#undef main\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#ifdef TREEFORK_ABI\n"
    "#define HARNESS_LAUNCHES() (treefork_default() ? "
    "(unsigned long long)treefork_statistics(treefork_default()).launches : 0ull)\n"
    "#define HARNESS_RELEASE() (treefork_default() ? "
    "treefork_release(treefork_default(), NULL) : 0)\n"
    "#else\n"
    "#define HARNESS_LAUNCHES() 0ull\n"
    "#define HARNESS_RELEASE() 0\n"
    "#endif\n"
    "FILE *fdopen(int, const char *);\n"
    "int setenv(const char *, const char *, int);\n"
    "int madvise(void *, size_t, int);\n"
    "\n"
    "static unsigned long long harness_launched;\n"
    "static uint64_t harness_state;\n"
    "static uint64_t harness_random(void)\n"
    "{\n"
    "    harness_state ^= harness_state >> 12;\n"
    "    harness_state ^= harness_state << 25;\n"
    "    harness_state ^= harness_state >> 27;\n"
    "    return (harness_state * 2685821657736338717ull) >> 11;\n"
    "}\n"
    "static void harness_write(FILE *file, const void *data, size_t size, size_t count)\n"
    "{\n"
    "    if (fwrite(data, size, count, file) != count)\n"
    "        exit(99);\n"
    "}\n"
    "/* The array goes as it is written: its pages, of 64 KiB at most, are given back\n"
    "   (MADV_DONTNEED of Linux). */\n"
    "static void harness_array(FILE *file, char *data, size_t bytes)\n"
    "{\n"
    "    enum { HARNESS_PIECE = 1 << 20, HARNESS_PAGE = 1 << 16, HARNESS_DONTNEED = 4 };\n"
    "    size_t there = (HARNESS_PAGE - (uintptr_t)data % HARNESS_PAGE) % HARNESS_PAGE;\n"
    "    for (size_t at = 0; at < bytes; at += HARNESS_PIECE) {\n"
    "        size_t part = bytes - at < HARNESS_PIECE ? bytes - at : HARNESS_PIECE;\n"
    "        harness_write(file, data + at, 1, part);\n"
    "        if (at + part < there + HARNESS_PAGE)\n"
    "            continue;\n"
    "        size_t pages = (at + part - there) / HARNESS_PAGE * HARNESS_PAGE;\n"
    "        madvise(data + there, pages, HARNESS_DONTNEED);\n"
    "        there += pages;\n"
    "    }\n"
    "}\n"
    "static unsigned long long harness_hash(unsigned long long hash, const void *data,\n"
    "                                       size_t bytes)\n"
    "{\n"
    "    uint64_t word;\n"
    "    for (size_t at = 0; at < bytes; at += sizeof word) {\n"
    "        size_t part = bytes - at < sizeof word ? bytes - at : sizeof word;\n"
    "        word = 0;\n"
    "        memcpy(&word, (const char *)data + at, part);\n"
    "        hash = (hash ^ word) * 1099511628211ull;\n"
    "        hash ^= hash >> 32;\n"
    "    }\n"
    "    return hash;\n"
    "}\n"
    "static void *harness_memory(size_t size)\n"
    "{\n"
    "    void *memory = malloc(size ? size : 1);\n"
    "    if (!memory)\n"
    "        exit(98);\n"
    "    return memory;\n"
    "}\n";

static const char epilogue[] =
    "\n"
    "static int harness_serve(const char *path, int socket)\n"
    "{\n"
    "    static char order[16384];\n"
    "    FILE *orders = fdopen(socket, \"r\"), *answers = fdopen(socket, \"w\");\n"
    "    if (!orders || !answers)\n"
    "        return 94;\n"
    "    while (fgets(order, sizeof order, orders)) {\n"
    "        order[strcspn(order, \"\\n\")] = 0;\n"
    "        int status = harness_obey(path, order);\n"
    "        if (status)\n"
    "            return status;\n"
    "        if (fflush(stdout))\n"
    "            return 92;\n"
    "        putc('.', answers);\n"
    "        fflush(answers);\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    if (argc == 3)\n"
    "        return harness_serve(argv[1], atoi(argv[2]));\n"
    "    return argc == 2 ? harness_run(argv[1]) : 97;\n"
    "}\n";

static const char obey_leaf[] =
    "\n"
    "static int harness_obey(const char *path, char *leaf)\n"
    "{\n"
    "    return setenv(\"TREEFORK_FORCE\", leaf, 1) != 0 ? 93 : harness_run(path);\n"
    "}\n";

/* One value: the same formula as data_fill. */
static void print_value(struct str *out, const struct datum *d)
{
    long long lo = d->has_range ? d->lo : type_is_signed(d->type) ? -99 : 0;
    long long hi = d->has_range ? d->hi : type_is_signed(d->type) ? 99 : 198;
    if (type_is_floating(d->type) && d->is_given)
        str_addf(out, "(harness_random(), (%s)%.17g)", type_name(d->type), d->real);
    else if (type_is_floating(d->type))
        str_addf(out, "(%s)((double)((int64_t)(harness_random() %% 2049) - 1024) / 1024)",
                 type_name(d->type));
    else if (d->is_given)
        str_addf(out,
                 d->type == TYPE_U64 ? "(harness_random(), (%s)%lluULL)"
                                     : "(harness_random(), (%s)%lldLL)",
                 type_name(d->type), (long long)d->lo);
    else
        str_addf(out, "(%s)(%lldLL + (int64_t)(harness_random() %% %lluULL)%s)", type_name(d->type),
                 lo, (unsigned long long)(hi - lo + 1), d->type == TYPE_BOOL ? " & 1" : "");
}

static void print_datum(struct str *out, const struct datum *d, int i)
{
    const char *type = type_name(d->type);
    if (d->is_file_scalar) {
        if (d->is_given) {
            str_addf(out, "    %s = ", d->name);
            print_value(out, d);
            str_add(out, ";\n");
        }
        return;
    }
    if (!d->is_array) {
        str_addf(out, "    %s v%d = ", type, i);
        print_value(out, d);
        str_add(out, ";\n");
        return;
    }
    if (d->is_file_array)
        str_addf(out, "    %s *v%d = (void *)%s;\n", type, i, d->name);
    else
        str_addf(out, "    %s *v%d = harness_memory(%lldu * sizeof(%s));\n", type, i,
                 (long long)d->count, type);
    str_addf(out, "    for (long i = 0; i < %lldL; i++)\n        v%d[i] = ", (long long)d->count,
             i);
    print_value(out, d);
    str_add(out, ";\n");
    if (d->is_file_pointer)
        str_addf(out, "    %s = (void *)v%d;\n", d->name, i);
}

/* `name`: a variable that gets the hash of all arrays. */
static void print_hash(struct str *out, const char *name, const struct datum *data, int n_data)
{
    str_addf(out, "    unsigned long long %s = 0;\n", name);
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array)
            str_addf(out, "    %s = harness_hash(%s, v%d, %lldu * sizeof *v%d);\n", name, name, i,
                     (long long)data[i].count, i);
}

static void print_results(struct str *out, const struct datum *data, int n_data)
{
    print_hash(out, "harness_after", data, n_data);
    str_add(out, "    unsigned long long changed = harness_before != harness_after;\n"
                 "    unsigned long long launches = HARNESS_LAUNCHES() - harness_launched;\n"
                 "    harness_launched += launches;\n"
                 "    if (HARNESS_RELEASE())\n        return 92;\n"
                 "    harness_write(file, &changed, sizeof changed, 1);\n"
                 "    harness_write(file, &launches, sizeof launches, 1);\n");
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array)
            str_addf(out, "    harness_array(file, (void *)v%d, %lldu * sizeof *v%d);\n", i,
                     (long long)data[i].count, i);
    for (int i = 0; i < n_data; i++)
        if (data[i].is_array && !data[i].is_file_array)
            str_addf(out, "    free(v%d);\n", i);
}

bool returns_number(const struct function *f, enum type *type)
{
    if (!f->has_value)
        return false;
    for (int t = 0; t < TYPE_COUNT; t++)
        if (!strcmp(type_name((enum type)t), f->return_canonical)) {
            *type = (enum type)t;
            return true;
        }
    return false;
}

void harness_begin(const struct verification *v, struct str *out)
{
    str_add(out, program);
    filler_include(v, out);
    str_add(out, prologue);
}

void harness_data(struct verification *v, struct str *out, int function, const struct datum *data,
                  int n_data)
{
    const char *filler = filler_name(v, function);
    str_addf(out, "    harness_state = %lluull;\n", (unsigned long long)v->seed);
    for (int i = 0; i < n_data; i++)
        print_datum(out, &data[i], i);
    if (filler) {
        str_addf(out, "    srand(1);\n    %s(", filler);
        harness_arguments(v, out, function, data, NULL);
        str_add(out, ");\n");
    }
    print_hash(out, "harness_before", data, n_data);
}

void harness_arguments(struct verification *v, struct str *out, int function,
                       const struct datum *data, const bool *skip)
{
    const struct function *f = &v->program->functions[function];
    const char *before = "";
    for (int i = 0; i < f->n_arguments; i++) {
        if (skip && skip[i])
            continue;
        str_addf(out, data[i].is_array ? "%s(void *)v%d" : "%sv%d", before, i);
        before = ", ";
    }
}

static bool has_result(const struct function *f)
{
    return strcmp(f->return_canonical, "void") != 0;
}

void harness_result(struct verification *v, struct str *out, int function,
                    const struct datum *data)
{
    const struct function *f = &v->program->functions[function];
    if (!has_result(f))
        return;
    str_addf(out, "    __typeof__(%s(", f->name);
    harness_arguments(v, out, function, data, NULL);
    str_add(out, ")) result;\n    memset(&result, 0, sizeof result);\n");
}

void harness_call(struct verification *v, struct str *out, int function, const struct datum *data,
                  const bool *skip)
{
    const struct function *f = &v->program->functions[function];
    str_addf(out, "    %s%s%s(", has_result(f) && !skip ? "result = " : "", f->name,
             skip ? "_auto" : "");
    size_t before = out->length;
    harness_arguments(v, out, function, data, skip);
    if (has_result(f) && skip)
        str_addf(out, "%s&result", out->length > before ? ", " : "");
    str_add(out, ");\n");
}

void harness_results(struct str *out, const struct datum *data, int n_data, const char *result)
{
    str_add(out, "    FILE *file = fopen(harness_path, \"wb\");\n"
                 "    if (!file)\n        return 96;\n");
    print_results(out, data, n_data);
    if (result)
        str_addf(out, "    harness_write(file, &%s, sizeof %s, 1);\n", result, result);
    str_add(out, "    return fclose(file) ? 95 : 0;\n}\n");
}

void harness_end(struct str *out)
{
    str_add(out, epilogue);
}

const char *harness_text(struct verification *v, int function, const struct datum *data, int n_data)
{
    const struct function *f = &v->program->functions[function];
    enum type type;
    bool returns = returns_number(f, &type);
    struct str out = str_new(v->ctx->arena);
    harness_begin(v, &out);
    str_add(&out, "\nstatic int harness_run(const char *harness_path)\n{\n");
    harness_data(v, &out, function, data, n_data);
    str_addf(&out, "    %s%s%s(", returns ? type_name(type) : "", returns ? " result = " : "",
             f->name);
    harness_arguments(v, &out, function, data, NULL);
    str_add(&out, ");\n");
    harness_results(&out, data, n_data, returns ? "result" : NULL);
    str_add(&out, obey_leaf);
    harness_end(&out);
    return out.text;
}
