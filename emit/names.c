/* Names and descriptions that several outputs share, so that they agree. */
#include "emit/names.h"
#include "emit/device.h"
#include <ctype.h>
#include <string.h>

const int ptx_bindings[PTX_BINDINGS] = {4};

const char *launch_entry(struct arena *arena, const struct tree *tree,
                         const struct variant *variant, const struct launch *launch)
{
    const char *name = arena_printf(arena, "%s_%d", tree->region->name, variant->id);
    if (launch->is_joined)
        return arena_printf(arena, "%s_k%dk%d", name, launch->number, launch->number + 1);
    return variant->n_launches > 1 ? arena_printf(arena, "%s_k%d", name, launch->number) : name;
}

const char *launch_place(struct arena *arena, const struct variant *variant,
                         const struct launch *launch)
{
    if (variant->n_launches == 1)
        return "";
    if (launch->is_joined)
        return arena_printf(arena, ", launches %d and %d of %zu as one", launch->number,
                            launch->number + 1, variant->n_launches);
    return arena_printf(arena, ", launch %d of %zu", launch->number, variant->n_launches);
}

const char *kernel_binding(struct arena *arena, const struct kernel *kernel, int value)
{
    struct str text = str_new(arena);
    for (int i = 0; i < kernel->n_params; i++)
        if (device_must_bind(kernel, kernel->params[i]))
            str_addf(&text, "%s%s=%d", text.length ? "," : "", kernel->params[i]->var->name, value);
    return text.text;
}

const char *entry_bound(struct arena *arena, const char *entry, const char *binding)
{
    struct str text = str_new(arena);
    str_add(&text, entry);
    if (*binding)
        str_add(&text, "__");
    for (const char *p = binding; *p; p++) {
        if (*p == ',')
            str_add(&text, "__");
        else
            str_char(&text, *p == '=' ? '_' : *p);
    }
    return text.text;
}

char *constraint_text(struct arena *arena, struct constraint c, uint64_t machine)
{
    struct str text = str_new(arena);
    constraint_print(&text, c, machine);
    return text.text;
}

void sas_describe(struct arena *arena, struct str *out, struct sas sas, uint64_t machine)
{
    for (size_t i = 0; i < sas.count; i++)
        str_addf(out, "%s%s", i ? ", " : "", constraint_text(arena, sas.at[i], machine));
    if (sas.count == 0)
        str_add(out, "always");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the comment, literal, directive or other character at `at`, which begins no identifier. */
static const char *between_words(const char *at, bool line_start)
{
    const char *end;
    if (*at == '#' && line_start)
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (isdigit((unsigned char)*at)) {
        while (is_word(*at))
            at++;
        return at;
    }
    if (*at != '"' && *at != '\'')
        return at + 1;
    for (end = at + 1; *end && *end != *at; end++)
        end += *end == '\\' && end[1];
    return *end ? end + 1 : end;
}

const char *word_next(const char **at, size_t *length)
{
    const char *p = *at;
    bool line_start = true;
    while (*p && (!is_word(*p) || isdigit((unsigned char)*p))) {
        const char *next = between_words(p, line_start);
        line_start = next[-1] == '\n' || (line_start && isspace((unsigned char)*p));
        p = next;
    }
    const char *word = p;
    while (is_word(*p))
        p++;
    *at = p;
    *length = (size_t)(p - word);
    return *length ? word : NULL;
}

bool text_mentions(const char *text, const char *word)
{
    size_t length, wanted = strlen(word);
    for (const char *found = word_next(&text, &length); found; found = word_next(&text, &length))
        if (length == wanted && !memcmp(found, word, length))
            return true;
    return false;
}
