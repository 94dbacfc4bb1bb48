/* Helpers of generated code. In: the text that uses them. Out: those it mentions, in the order of prelude.def.
   Invariant: nothing is written that is not used, so that the generated file compiles without a warning. */
#include "emit/host.h"
#include <ctype.h>
#include <string.h>

static const struct {
    const char *name, *text;
} helpers[] = {
#define X(name, text) {#name, text},
#include "emit/prelude.def"
#undef X
};
enum { HELPERS = sizeof helpers / sizeof *helpers };

static bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = strstr(text, name); p; p = strstr(p + 1, name)) {
        bool begins = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (begins && !isalnum((unsigned char)p[length]) && p[length] != '_')
            return true;
    }
    return false;
}

void prelude_write(struct str *out, const char *text)
{
    bool wanted[HELPERS];
    for (int i = HELPERS - 1; i >= 0; i--) {
        wanted[i] = mentions(text, helpers[i].name);
        for (int j = i + 1; j < HELPERS; j++)
            wanted[i] |= wanted[j] && mentions(helpers[j].text, helpers[i].name);
    }
    for (int i = 0; i < HELPERS; i++)
        if (wanted[i])
            str_addf(out, "%s\n", helpers[i].text);
}
