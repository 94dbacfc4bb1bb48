/* The part form of PTX. In: a text that treefork wrote. Out: the same text whose entries have two
   more parameters, which are added to the coordinates of their blocks, and take every launch for a
   plane: %nctaid.y reads as 2, %nctaid.x as 2^31 - 1, so that a part of one row is no line and a
   block of one axis has no second round.

   Registers are read by instructions of their own, `mov.u32 REGISTER, %ctaid.x;`. A text that reads
   them otherwise is refused. */
#include "runtime/cuda.h"
#include <stdlib.h>
#include <string.h>

enum { ENTRY_NAME = 480, REGISTER_NAME = 32 };

struct ptx_walk {
    struct treefork_text out;
    char entry[ENTRY_NAME];     /* that the line belongs to; "" before the first */
    bool in_head;               /* its parameters are not closed */
    bool is_refused;
};

/* ".visible .entry NAME(" */
static void entry_begin(struct ptx_walk *walk, const char *line, size_t length)
{
    static const char WORD[] = ".entry ";
    const char *word = strstr(line, WORD);
    if (!word || word >= line + length)
        return;
    const char *name = word + strlen(WORD);
    size_t n = strcspn(name, "( \t\r\n");
    walk->is_refused |= n >= sizeof walk->entry;
    walk->in_head = true;
    snprintf(walk->entry, sizeof walk->entry, "%.*s", (int)n, name);
}

/* ")": the last of the parameters is behind. */
static void head_end(struct ptx_walk *walk, const char *line)
{
    if (!walk->in_head || *line != ')')
        return;
    walk->in_head = false;
    treefork_text_add(&walk->out, ",\n\t.param .u32 %s_part_x,\n\t.param .u32 %s_part_y\n",
                      walk->entry, walk->entry);
}

/* The instruction that reads a coordinate or an extent of the grid into a register. */
static void read_add(struct ptx_walk *walk, const char *line, size_t length)
{
    char name[REGISTER_NAME], special[REGISTER_NAME], axis = 0;
    int end = 0;
    bool is_known = length < 100 &&
                    sscanf(line, " mov.u32 %31[^,], %%%31[a-z].%c;%n", name, special, &axis,
                           &end) == 3 &&
                    end == (int)length && (axis == 'x' || axis == 'y');
    if (is_known && strcmp(special, "nctaid") == 0) {
        treefork_text_add(&walk->out, "\tmov.u32 \t%s, %d;\n", name,
                          axis == 'x' ? INT32_MAX : 2);
        return;
    }
    walk->is_refused |= !is_known || strcmp(special, "ctaid") != 0;
    treefork_text_add(&walk->out,
                      "%.*s\n\t{\n\t.reg .b32 \t%%treefork_part;\n"
                      "\tld.param.u32 \t%%treefork_part, [%s_part_%c];\n"
                      "\tadd.s32 \t%s, %s, %%treefork_part;\n\t}\n",
                      (int)length, line, walk->entry, axis, name, name);
}

/* Does the line name a register of the grid? */
static bool reads_grid(const char *line, size_t length)
{
    const char *place = strstr(line, "ctaid");
    return place && place < line + length;
}

char *treefork_ptx_part(const char *text)
{
    struct ptx_walk walk = {.entry = ""};
    while (*text) {
        size_t length = strcspn(text, "\n");
        entry_begin(&walk, text, length);
        head_end(&walk, text);
        if (reads_grid(text, length))
            read_add(&walk, text, length);
        else
            treefork_text_add(&walk.out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    if (!walk.is_refused && !walk.out.failed)
        return walk.out.text;
    treefork_fail(walk.is_refused ? TREEFORK_BUILD : TREEFORK_MEMORY,
                  walk.is_refused ? "the PTX text reads its block's place in a way that parts of "
                                    "launches do not know"
                                  : "no memory for the PTX text of a part");
    free(walk.out.text);
    return NULL;
}
