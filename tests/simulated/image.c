/* What a module image says about its entries. In: PTX text or a cubin; out: lines "NAME REGISTERS
   STATIC-SHARED SIZE …", one per entry, with the sizes of its parameters in order (registers and
   static shared memory 0 where the image does not say). Of a cubin (ELF-64, little-endian) an entry
   is a section .text.NAME, whose sh_info holds the registers in its top byte; .nv.shared.NAME is
   its static shared memory; .nv.info.NAME holds a record EIATTR_KPARAM_INFO per parameter
   (attribute 0x17: index, ordinal and offset, then a word whose bits from 18 on are the size), as
   cuobjdump shows them. */
#include "tests/simulated/simulated.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 64 };

struct section {
    const char *name;
    const unsigned char *data;
    uint64_t bytes, info;
};

static uint64_t little(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static struct section section_at(const unsigned char *image, uint64_t index)
{
    const unsigned char *table = image + little(image + 0x28, 8);
    uint64_t size = little(image + 0x3a, 2), strings = little(image + 0x3e, 2);
    const unsigned char *names = image + little(table + strings * size + 0x18, 8),
                        *at = table + index * size;
    return (struct section){.name = (const char *)names + little(at, 4),
                            .data = image + little(at + 0x18, 8),
                            .bytes = little(at + 0x20, 8),
                            .info = little(at + 0x2c, 4)};
}

/* The section PREFIX.ENTRY; zeros if there is none. */
static struct section section_find(const unsigned char *image, const char *prefix,
                                   const char *entry)
{
    uint64_t count = little(image + 0x3c, 2);
    for (uint64_t i = 0; i < count; i++) {
        struct section section = section_at(image, i);
        if (strncmp(section.name, prefix, strlen(prefix)) == 0 &&
            strcmp(section.name + strlen(prefix), entry) == 0)
            return section;
    }
    return (struct section){ .name = "" };
}

/* Sizes by ordinal; the number of parameters. */
static int info_parameters(struct section info, int *sizes)
{
    enum { FORMAT_SIZED = 4, KPARAM_INFO = 0x17 };
    int count = 0;
    for (uint64_t at = 0; at + 4 <= info.bytes;) {
        const unsigned char *record = info.data + at;
        uint64_t bytes = record[0] == FORMAT_SIZED ? little(record + 2, 2) : 0,
                 ordinal = little(record + 8, 2);
        if (record[0] == FORMAT_SIZED && record[1] == KPARAM_INFO && ordinal < PARAMETERS_MAX) {
            sizes[ordinal] = (int)(little(record + 12, 4) >> 18);
            count = (int)ordinal + 1 > count ? (int)ordinal + 1 : count;
        }
        at += 4 + bytes;
    }
    return count;
}

static void cubin_describe(FILE *out, const unsigned char *image)
{
    uint64_t count = little(image + 0x3c, 2);
    for (uint64_t i = 0; i < count; i++) {
        struct section text = section_at(image, i);
        int sizes[PARAMETERS_MAX] = { 0 };
        if (strncmp(text.name, ".text.", 6) != 0)
            continue;
        struct section shared = section_find(image, ".nv.shared.", text.name + 6);
        int n = info_parameters(section_find(image, ".nv.info.", text.name + 6), sizes);
        fprintf(out, "%s %d %d", text.name + 6, (int)(text.info >> 24), (int)shared.bytes);
        for (int k = 0; k < n; k++)
            fprintf(out, " %d", sizes[k]);
        fprintf(out, "\n");
    }
}

/* Bytes of ".u64", ".pred", …; digits at the end of the word are bits. */
static int ptx_bytes(const char *type)
{
    size_t letters = strcspn(type, "0123456789");
    return strncmp(type, ".pred", 5) == 0 ? 1 : atoi(type + letters) / 8;
}

/* After ".entry": name, then parameters in parentheses, each with its type word behind ".param". */
static void ptx_describe(FILE *out, const char *text)
{
    for (const char *at = strstr(text, ".entry"); at; at = strstr(at, ".entry")) {
        const char *name = at + 6 + strspn(at + 6, " \t"), *body = strchr(name, '{');
        size_t length = strcspn(name, " \t\r\n({");
        fprintf(out, "%.*s 0 0", (int)length, name);
        at = name + length;
        const char *list = at + strspn(at, " \t\r\n");
        const char *end = *list == '(' ? strchr(list, ')') : NULL;
        for (const char *p = end ? strstr(list, ".param") : NULL; p && p < end && p < body;
             p = strstr(p + 6, ".param")) {
            const char *type = p + 6 + strspn(p + 6, " \t");
            fprintf(out, " %d", ptx_bytes(type));
        }
        fprintf(out, "\n");
    }
}

char *sim_describe(const void *image, bool cubin)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    if (cubin)
        cubin_describe(out, image);
    else
        ptx_describe(out, image);
    return fclose(out) ? NULL : text;
}

const char *sim_entry(const char *description, const char *entry)
{
    size_t length = strlen(entry);
    for (const char *line = description; line && *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, entry, length) == 0 && line[length] == ' ')
            return line + length;
    return NULL;
}
