/* `--data FILE.c`: data of the user's own. FILE.c defines, for a function NAME, `NAME_data` with
   NAME's parameters, which fills its arrays. It stands behind the program's text wherever that is
   compiled, as if it were included at its end, and is called before every call of NAME, on the data
   of the seed; so it sees the program's types and what stands at file scope, and it runs under the
   sanitizers with the serial program.

   A function without such data whose regions take subscripts or bounds from arrays may be right
   and yet leave its arrays on random data: then it is said to need data, and is not blamed. */
#include "cli/verify.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool text_has_word(const char *text, const char *word)
{
    static const char letters[] = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strlen(word);
    const char *at = strstr(text, word);
    while (at && ((at > text && strchr(letters, at[-1])) ||
                  (at[length] && strchr(letters, at[length]))))
        at = strstr(at + 1, word);
    return at != NULL;
}

/* "spmv_data" */
static const char *filler_expected(const struct verification *v, int function)
{
    return arena_printf(v->ctx->arena, "%s_data", v->program->functions[function].name);
}

const char *filler_name(const struct verification *v, int function)
{
    const char *name = filler_expected(v, function);
    bool is_there = v->filler_text && !v->program->functions[function].is_main &&
                    text_has_word(v->filler_text, name);
    return is_there ? name : NULL;
}

bool filler_read(struct verification *v, const char *path)
{
    char absolute[PATH_MAX];
    size_t length;
    bool any = !path, has_region = false;
    if (!path)
        return true;
    v->filler_text = file_read(v->ctx, path, &length);
    if (!v->filler_text)
        return false;
    v->filler_path = realpath(path, absolute) ? arena_strdup(v->ctx->arena, absolute) : path;
    for (size_t i = 0; i < v->program->n_functions; i++) {
        any |= verify_takes_function(v, (int)i) && filler_name(v, (int)i);
        has_region |= !v->program->functions[i].is_main;
    }
    if (any)
        return true;
    if (!has_region)
        diag_error(v->ctx, loc_none(), "--data: main makes its own data");
    for (size_t i = 0; i < v->program->n_functions; i++)
        if (verify_takes_function(v, (int)i) && !v->program->functions[i].is_main)
            diag_error(v->ctx, loc_none(),
                       "--data: '%s' has no function '%s', which fills the arrays of '%s'", path,
                       filler_expected(v, (int)i), v->program->functions[i].name);
    return false;
}

void filler_include(const struct verification *v, struct str *out)
{
    if (v->filler_path)
        str_addf(out, "#include \"%s\"\n", v->filler_path);
}

/* "int n, int *row" */
static const char *parameters_text(const struct verification *v, int function)
{
    const struct function *f = &v->program->functions[function];
    struct str text = str_new(v->ctx->arena);
    for (int i = 0; i < f->n_arguments; i++)
        str_addf(&text, "%s%s", i ? ", " : "", f->arguments[i].text);
    return text.length ? text.text : "void";
}

static size_t leaves_of(const struct verification *v, int function)
{
    size_t count = 0;
    for (size_t i = 0; i < v->program->n_regions; i++) {
        if (v->program->regions[i]->function != function)
            continue;
        for (size_t k = 0; k < v->trees[i]->n_variants; k++)
            count += !v->only_leaf || v->trees[i]->variants[k].id == v->only_leaf;
    }
    return count;
}

bool filler_lacks(struct verification *v, int function, const char *fault)
{
    const struct function *f = &v->program->functions[function];
    const char *arrays = f->is_main || filler_name(v, function) ? NULL : index_arrays(v, function);
    if (!arrays || verify_stopped())
        return false;
    diag_error(v->ctx, loc_none(), "%s needs data of its own, so it is not verified: on random "
                                   "data: %s", f->name, fault);
    diag_note(v->ctx, loc_none(),
              "elements of %s are subscripts or bounds of loops: give --data FILE.c, in which "
              "`void %s(%s)` fills the arrays (without `const` where it writes)", arrays,
              filler_expected(v, function), parameters_text(v, function));
    v->skipped += leaves_of(v, function);
    return true;
}
