/* The C program that `treefork verify` compiles twice, around the user's file and around the generated one: it makes the
   data, calls the function, and writes every array and what was returned to a file. The source is included, so static
   functions and private types are no obstacle; its own main is renamed. */
#include "cli/verify.h"
#include <string.h>

static const char prologue[] =
    "#define main treefork_program_main\n"
    "#include TREEFORK_SOURCE\n"
    "#undef main\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#ifdef TREEFORK_ABI\n"
    "#define HARNESS_LAUNCHES() (unsigned long long)treefork_statistics(treefork_default()).launches\n"
    "#else\n"
    "#define HARNESS_LAUNCHES() 0ull\n"
    "#endif\n"
    "\n"
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
    "static void *harness_memory(size_t size)\n"
    "{\n"
    "    void *memory = malloc(size);\n"
    "    if (!memory)\n"
    "        exit(98);\n"
    "    return memory;\n"
    "}\n";

/* One value: the same formula as data_fill. */
static void print_value(struct str *out, const struct datum *d)
{
    long long lo = d->has_range ? d->lo : type_is_signed(d->type) ? -99 : 0;
    long long hi = d->has_range ? d->hi : type_is_signed(d->type) ? 99 : 198;
    if (type_is_floating(d->type) && d->is_given)
        str_addf(out, "(harness_random(), (%s)%.17g)", type_name(d->type), d->real);
    else if (type_is_floating(d->type))
        str_addf(out, "(%s)((double)((int64_t)(harness_random() %% 2049) - 1024) / 1024)", type_name(d->type));
    else if (d->is_given)
        str_addf(out, "(harness_random(), (%s)%lldLL)", type_name(d->type), (long long)d->lo);
    else
        str_addf(out, "(%s)(%lldLL + (int64_t)(harness_random() %% %lluULL)%s)", type_name(d->type), lo,
                 (unsigned long long)(hi - lo + 1), d->type == TYPE_BOOL ? " & 1" : "");
}

static void print_datum(struct str *out, const struct datum *d, int i)
{
    const char *type = type_name(d->type);
    if (!d->is_array) {
        str_addf(out, "    %s v%d = ", type, i);
        print_value(out, d);
        str_add(out, ";\n");
        return;
    }
    str_addf(out, "    %s *v%d = harness_memory(%lldu * sizeof(%s));\n", type, i, (long long)d->count, type);
    str_addf(out, "    for (long i = 0; i < %lldL; i++)\n        v%d[i] = ", (long long)d->count, i);
    print_value(out, d);
    str_add(out, ";\n");
}

const char *harness_text(struct verification *v, int function, const struct datum *data)
{
    const struct function *f = &v->program->functions[function];
    bool returns = strcmp(f->return_text, "void") != 0;
    struct str out = str_new(v->ctx->arena);
    str_add(&out, prologue);
    str_addf(&out, "\nint main(int argc, char **argv)\n{\n    if (argc != 2)\n        return 97;\n"
                   "    harness_state = %lluull;\n", (unsigned long long)v->seed);
    for (int i = 0; i < f->n_arguments; i++)
        print_datum(&out, &data[i], i);
    str_addf(&out, "    %s%s%s(", returns ? f->return_text : "", returns ? " result = " : "", f->name);
    for (int i = 0; i < f->n_arguments; i++)
        str_addf(&out, data[i].is_array ? "%s(void *)v%d" : "%sv%d", i ? ", " : "", i);
    str_add(&out, ");\n    FILE *file = fopen(argv[1], \"wb\");\n    if (!file)\n        return 96;\n"
                  "    unsigned long long launches = HARNESS_LAUNCHES();\n"
                  "    harness_write(file, &launches, sizeof launches, 1);\n");
    for (int i = 0; i < f->n_arguments; i++)
        if (data[i].is_array)
            str_addf(&out, "    harness_write(file, v%d, sizeof *v%d, %lldu);\n    free(v%d);\n", i, i,
                     (long long)data[i].count, i);
    if (returns)
        str_add(&out, "    harness_write(file, &result, sizeof result, 1);\n");
    str_add(&out, "    return fclose(file) ? 95 : 0;\n}\n");
    return out.text;
}
