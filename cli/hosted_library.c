/* The program as a library that calls back at each region. In: the program. Out: a shared object
   with the program's own text, compiled as the serial program is, in which

       { if (!treefork_hook(treefork_state, REGION, values, arrays)) REGION'S STATEMENT }

   stands in place of each region, and a function treefork_call_N behind it for each function that
   can be called, which takes arguments and file arrays as places in memory (hosted.c opens it).
   A program whose text was made of another one has that one as a second library, as it stands: the
   user's file is included, and the same functions stand behind it. */
#include "cli/hosted.h"
#include <limits.h>
#include <stdlib.h>

static const char main_text[] = "#define main treefork_program_main\n";
static const char hook_text[] =
    "union treefork_value { long long i; double f; }; "
    "int (*treefork_hook)(void *, int, const void *, void *const *); void *treefork_state;\n";

/* What stands in front of a region: one line, so that the user's lines keep their numbers. */
static void write_call(struct str *out, const struct kernel *kernel, size_t region)
{
    str_addf(out, "{ if (!treefork_hook(treefork_state, %zu, (union treefork_value[]){", region);
    for (int i = 0; i < kernel->n_params; i++) {
        const struct var *var = kernel->params[i]->var;
        str_addf(out, type_is_floating(var->type) ? "{.f = (double)(%s)}, "
                                                  : "{.i = (long long)(%s)}, ", var->name);
    }
    str_add(out, "{0}}, (void *[]){");
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            str_addf(out, "(void *)(%s%s), ", kernel->arrays[i]->is_scalar ? "&" : "",
                     kernel->arrays[i]->is_partial ? "0" : kernel->arrays[i]->name);
    str_add(out, "0})) ");
}

static void write_argument(struct str *out, const struct argument *a, int i)
{
    str_add(out, i ? ", " : "");
    if (a->is_array)
        str_addf(out, "(void *)treefork_data[%d]", i);
    else
        str_addf(out, "*(%s *)treefork_data[%d]", type_name(a->type), i);
}

/* What stands at file scope gets its data. */
static void write_file_data(struct str *out, const struct function *f)
{
    int n = f->n_arguments;
    for (size_t i = 0; i < f->n_file_arrays; i++) {
        const struct file_array *array = &f->file_arrays[i];
        if (array->is_const)
            continue;
        str_addf(out, array->is_pointer ? "    %s = (void *)treefork_data[%d];\n"
                                        : "    __builtin_memcpy((void *)%s, treefork_data[%d], "
                                          "treefork_bytes[%d]);\n", array->name, n, n);
        if (!array->is_pointer)
            str_addf(out, "    treefork_taken(treefork_data[%d], treefork_bytes[%d]);\n", n, n);
        n++;
    }
    for (size_t i = 0; i < f->n_file_scalars; i++, n++)
        str_addf(out, "    if (treefork_bytes[%d])\n        %s = *(%s *)treefork_data[%d];\n", n,
                 f->file_scalars[i].name, type_name(f->file_scalars[i].type), n);
}

/* The arrays at file scope are read back. */
static void write_file_results(struct str *out, const struct function *f)
{
    int n = f->n_arguments;
    for (size_t i = 0; i < f->n_file_arrays; i++) {
        if (f->file_arrays[i].is_const)
            continue;
        if (!f->file_arrays[i].is_pointer)
            str_addf(out, "    __builtin_memcpy(treefork_data[%d], (void *)%s, "
                          "treefork_bytes[%d]);\n", n, f->file_arrays[i].name, n);
        n++;
    }
}

static void write_word(struct str *out, const char *word)
{
    str_add(out, ", (char []){\"");
    for (; *word; word++)
        str_addf(out, *word == '"' || *word == '\\' ? "\\%c" : "%c", *word);
    str_add(out, "\"}");
}

/* The number of words, the words, an empty environment, as far as main has them. */
static void write_main_arguments(const struct verification *v, struct str *out, int n_arguments)
{
    if (n_arguments > 0)
        str_addf(out, "%zu", v->main_arguments.count + 1);
    if (n_arguments > 1) {
        str_add(out, ", (char *[]){(char []){\"main\"}");
        for (size_t i = 0; i < v->main_arguments.count; i++)
            write_word(out, v->main_arguments.at[i]);
        str_add(out, ", 0}");
    }
    if (n_arguments > 2)
        str_add(out, ", (char *[]){0}");
}

static void write_arguments(const struct verification *v, struct str *out,
                            const struct function *f)
{
    if (f->is_main) {
        write_main_arguments(v, out, f->n_arguments);
        return;
    }
    for (int i = 0; i < f->n_arguments; i++)
        write_argument(out, &f->arguments[i], i);
}

/* The call that fills arrays by the file of --data. */
static void write_filler(const struct verification *v, struct str *out, int index)
{
    const char *filler = filler_name(v, index);
    if (!filler)
        return;
    str_addf(out, "    extern void srand(unsigned int);\n    srand(1);\n    %s(", filler);
    write_arguments(v, out, &v->program->functions[index]);
    str_add(out, ");\n");
}

/* Called with the data in the order of the plan, a scalar's being its address, the bytes of each,
   room for what is returned, and what is called when a place has been copied. main has no data: it
   makes its own. */
static void write_caller(struct verification *v, struct str *out, int index)
{
    const struct function *f = &v->program->functions[index];
    const char *name = f->is_main ? "treefork_program_main" : f->name;
    enum type type;
    str_addf(out, "\nvoid treefork_call_%d(void *const *treefork_data, const unsigned long "
                  "*treefork_bytes,\n    void *treefork_result, void (*treefork_taken)(void *, "
                  "unsigned long))\n{\n    (void)treefork_data;\n    (void)treefork_bytes;\n"
                  "    (void)treefork_result;\n    (void)treefork_taken;\n    (void)%s;\n",
             index, name);
    if (!f->is_main)
        write_file_data(out, f);
    write_filler(v, out, index);
    str_add(out, "    ");
    if (returns_number(f, &type))
        str_addf(out, "*(%s *)treefork_result = ", type_name(type));
    str_addf(out, "%s(", name);
    write_arguments(v, out, f);
    str_add(out, ");\n");
    if (!f->is_main)
        write_file_results(out, f);
    str_add(out, "}\n");
}

static bool is_callable(const struct function *f)
{
    if (f->is_main)
        return true;
    for (int i = 0; i < f->n_arguments; i++)
        if (!f->arguments[i].is_supported)
            return false;
    return true;
}

static void write_callers(struct verification *v, struct str *out)
{
    filler_include(v, out);
    for (size_t i = 0; i < v->program->n_functions; i++)
        if (is_callable(&v->program->functions[i]))
            write_caller(v, out, (int)i);
}

static const char *library_text(struct verification *v, const char *path)
{
    const struct source *source = v->program->source;
    struct str out = str_new(v->ctx->arena);
    size_t at = 0;
    str_add(&out, main_text);
    str_add(&out, hook_text);
    str_addf(&out, "#line 1 \"%s\"\n", path);
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        str_add_n(&out, source->text + at, region->begin - at);
        write_call(&out, region->kernel, i);
        str_add_n(&out, source->text + region->begin, region->end - region->begin);
        str_add(&out, " }");
        at = region->end;
    }
    str_add_n(&out, source->text + at, source->length - at);
    str_add(&out, "\n");
    write_callers(v, &out);
    return out.text;
}

static void extents_make(struct verification *v)
{
    struct arena *arena = v->ctx->arena;
    v->extents_of = ARENA_ARRAY(arena, const struct expr **, v->program->n_regions + 1);
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct kernel *kernel = v->program->regions[i]->kernel;
        v->extents_of[i] = ARENA_ARRAY(arena, const struct expr *, kernel->n_arrays + 1);
        for (int k = 0; k < kernel->n_arrays; k++)
            if (kernel->arrays[k]->space == SPACE_GLOBAL)
                v->extents_of[i][k] = access_extent(v->ctx, kernel, kernel->arrays[k]);
    }
}

/* The absolute path of the library that is made of a text, STEM.KIND.so; NULL after a
   diagnostic. */
static const char *library_make(struct verification *v, const char *kind, const char *text)
{
    char absolute[PATH_MAX];
    const char *name = arena_printf(v->ctx->arena, "%s.%s.c", v->program->stem, kind);
    const char *library = verify_path(v, arena_printf(v->ctx->arena, "%s.%s.so",
                                                      v->program->stem, kind));
    if (!verify_write(v, name, text) ||
        !verify_compile(v, &(struct compilation){.source = verify_path(v, name),
                                                 .program = library, .is_library = true}))
        return NULL;
    return realpath(library, absolute) ? arena_strdup(v->ctx->arena, absolute) : library;
}

bool hosted_library(struct verification *v)
{
    char absolute[PATH_MAX];
    const char *path = realpath(v->source_path, absolute) ? absolute : v->source_path;
    if (v->library)
        return true;
    extents_make(v);
    v->library = library_make(v, "hosted", library_text(v, path));
    return v->library != NULL;
}

bool hosted_original(struct verification *v)
{
    struct str text = str_new(v->ctx->arena);
    if (v->original_library)
        return true;
    str_add(&text, main_text);
    str_addf(&text, "#include \"%s\"\n", verify_original(v));
    write_callers(v, &text);
    v->original_library = library_make(v, "original", text.text);
    return v->original_library != NULL;
}
