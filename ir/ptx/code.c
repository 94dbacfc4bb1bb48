/* PTX text to basic blocks.

   In: a PTX module and the name of an entry. Out: its instructions with the registers they define
   and read, in basic blocks with successors. Only what matters for registers is understood:
   declarations `.reg`, labels, guards, branches, the first operand as the result of all but a few
   instructions, and whether memory is touched.

   A register is free if its one definition loads a parameter, or copies (mov, cvta) a constant, an
   address of a variable or a free register: the machine reads these from its constant bank or as
   immediate operands.

   Source: PTX ISA, "Syntax" and "Instruction operands". */
#include "ir/ptx/code.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct ptx_reader {
    struct arena *arena;
    const char *p;                        /* the rest of the entry's text */
    const char *end;
    struct map *names;                    /* register name -> number */
    struct map *labels;                   /* label -> block number */
    VEC(struct ptx_register) registers;
    VEC(struct ptx_instruction) instructions;
    VEC(struct ptx_block) blocks;
    VEC(const char *) targets;            /* by block: label it may branch to, or NULL */
    VEC(bool) falls;                      /* by block: may go on to the next one */
    VEC(int) copied;                      /* by register: what makes it free, see below */
    bool wrong;
};

enum { FREE_NOT = -2, FREE_ALWAYS = -1 };  /* else: free if this register is */

static void skip_space(struct ptx_reader *r)
{
    while (r->p < r->end) {
        if (isspace((unsigned char)*r->p)) {
            r->p++;
        } else if (r->p + 1 < r->end && r->p[0] == '/' && r->p[1] == '/') {
            while (r->p < r->end && *r->p != '\n')
                r->p++;
        } else if (r->p + 1 < r->end && r->p[0] == '/' && r->p[1] == '*') {
            const char *stop = strstr(r->p + 2, "*/");
            r->p = stop && stop < r->end ? stop + 2 : r->end;
        } else {
            return;
        }
    }
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static int words_of(const char *type)
{
    if (strstr(type, "pred"))
        return 0;
    if (strstr(type, "128"))
        return 4;
    return strstr(type, "64") ? 2 : 1;
}

static void number_put(struct ptx_reader *r, struct map *map, const char *name, size_t number)
{
    int *kept = ARENA_NEW(r->arena, int);
    *kept = (int)number;
    map_put(map, name, kept);
}

static void register_add(struct ptx_reader *r, const char *name, int words)
{
    struct ptx_register made = {words, 0};
    vec_push(r->arena, &r->registers, made);
    vec_push(r->arena, &r->copied, FREE_NOT);
    number_put(r, r->names, name, r->registers.count - 1);
}

/* `.reg .b32 %r<12>, %x` declares %r0 … %r11 and %x. */
static void read_declaration(struct ptx_reader *r, const char *text)
{
    const char *p = text + strlen(".reg");
    while (isspace((unsigned char)*p))
        p++;
    size_t n = strcspn(p, " \t");
    int words = words_of(arena_strndup(r->arena, p, n));
    for (p += n; *p;) {
        p += strspn(p, " \t,");
        n = strcspn(p, " \t,<");
        if (!n)
            return;
        const char *stem = arena_strndup(r->arena, p, n);
        p += n;
        if (*p != '<') {
            register_add(r, stem, words);
            continue;
        }
        long count = strtol(p + 1, (char **)&p, 10);
        if (*p != '>' || count < 0 || count > 1 << 20) {
            r->wrong = true;
            return;
        }
        p++;
        for (long i = 0; i < count; i++) {
            struct str name = str_new(r->arena);
            str_add(&name, stem);
            str_integer(&name, i);
            register_add(r, name.text, words);
        }
    }
}

/* The numbers of the declared registers in text[0 .. n). */
static int registers_in(struct ptx_reader *r, const char *text, size_t n, const int **list)
{
    VEC(int) found = {0};
    for (size_t i = 0; i < n;) {
        size_t length = 0;
        while (i + length < n && is_name_char(text[i + length]))
            length++;
        if (length && text[i] == '%') {
            const int *number = map_get(r->names, arena_strndup(r->arena, text + i, length));
            if (number)
                vec_push(r->arena, &found, *number);
        }
        i += length ? length : 1;
    }
    *list = found.at;
    return (int)found.count;
}

/* The reason why a result costs no register, or FREE_NOT: the head of this file explains them. */
static int freedom(const struct ptx_instruction *made, const char *op, const char *operands)
{
    if (made->guarded || made->n_defs != 1)
        return FREE_NOT;
    if (str_begins(op, "ld.param"))
        return strchr(operands, '%') && strstr(operands, "retval") ? FREE_NOT : FREE_ALWAYS;
    if (!str_begins(op, "mov.") && !str_begins(op, "cvta"))
        return FREE_NOT;
    if (made->n_uses == 1)
        return made->uses[0];
    const char *source = strchr(operands, ',');
    return made->n_uses == 0 && source && !strchr(source, '%') ? FREE_ALWAYS : FREE_NOT;
}

/* The length of the first operand: up to a comma outside brackets. */
static size_t first_operand(const char *text)
{
    int depth = 0;
    size_t n = 0;
    for (; text[n]; n++) {
        depth += (text[n] == '{' || text[n] == '[' || text[n] == '(') -
                 (text[n] == '}' || text[n] == ']' || text[n] == ')');
        if (text[n] == ',' && depth <= 0)
            break;
    }
    return n;
}

static void block_start(struct ptx_reader *r)
{
    struct ptx_block made = {r->instructions.count, 0, 0, {0, 0}};
    vec_push(r->arena, &r->blocks, made);
    vec_push(r->arena, &r->targets, NULL);
    vec_push(r->arena, &r->falls, true);
}

static void block_end(struct ptx_reader *r, const char *target, bool falls)
{
    vec_last(&r->targets) = target;
    vec_last(&r->falls) = falls;
    block_start(r);
}

static void read_instruction(struct ptx_reader *r, const char *text)
{
    struct ptx_instruction made = {.op = NULL};
    const int *guard = NULL;
    int n_guard = 0;
    if (*text == '@') {
        size_t n = strcspn(text, " \t");
        n_guard = registers_in(r, text, n, &guard);
        made.guarded = true;
        text += n + strspn(text + n, " \t");
    }
    size_t length = strcspn(text, " \t");
    const char *op = arena_strndup(r->arena, text, length),
               *operands = text + length + strspn(text + length, " \t");
    size_t split = operation_has_result(op) ? first_operand(operands) : 0;
    made.n_defs = registers_in(r, operands, split, &made.defs);
    made.n_uses = registers_in(r, operands + split, strlen(operands + split), &made.uses);
    made.op = op;
    operation_classify(&made, op, operands);
    int origin = freedom(&made, op, operands);
    for (int i = 0; i < made.n_defs; i++) {
        r->registers.at[made.defs[i]].definitions++;
        r->copied.at[made.defs[i]] = origin;
    }
    if (n_guard && !made.n_uses) {
        made.uses = guard;
        made.n_uses = n_guard;
    }
    vec_push(r->arena, &r->instructions, made);
    vec_last(&r->blocks).count++;
    if (str_begins(op, "bra"))
        block_end(r, arena_strndup(r->arena, operands, strcspn(operands, " \t")), made.guarded);
    else if (str_begins(op, "ret") || str_begins(op, "exit") || str_begins(op, "trap"))
        block_end(r, NULL, made.guarded);
    else if (str_begins(op, "brx"))
        r->wrong = true;
}

/* One label, declaration, directive or instruction. */
static void read_item(struct ptx_reader *r)
{
    if (*r->p == '{' || *r->p == '}' || *r->p == ';') {
        r->p++;
        return;
    }
    size_t n = 0;
    while (r->p + n < r->end && is_name_char(r->p[n]))
        n++;
    if (n && r->p + n < r->end && r->p[n] == ':') {
        block_start(r);
        number_put(r, r->labels, arena_strndup(r->arena, r->p, n), r->blocks.count - 1);
        r->p += n + 1;
        return;
    }
    const char *stop = memchr(r->p, ';', (size_t)(r->end - r->p));
    if (!stop) {
        r->wrong = true;
        r->p = r->end;
        return;
    }
    char *text = arena_strndup(r->arena, r->p, (size_t)(stop - r->p));
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    r->p = stop + 1;
    if (str_begins(text, ".reg"))
        read_declaration(r, text);
    else if (*text != '.')
        read_instruction(r, text);
}

static void link_blocks(struct ptx_reader *r)
{
    for (size_t b = 0; b < r->blocks.count; b++) {
        struct ptx_block *block = &r->blocks.at[b];
        if (r->falls.at[b] && b + 1 < r->blocks.count)
            block->next[block->n_next++] = (int)b + 1;
        if (!r->targets.at[b])
            continue;
        const int *target = map_get(r->labels, r->targets.at[b]);
        if (target)
            block->next[block->n_next++] = *target;
        else
            r->wrong = true;
    }
}

/* Chains of copies end at a register that is free or not; they cannot be longer than there
   are registers. */
static void free_registers(struct ptx_reader *r)
{
    for (size_t i = 0; i < r->registers.count; i++) {
        int at = (int)i;
        size_t steps = 0;
        while (at >= 0 && r->registers.at[at].definitions == 1 && steps++ <= r->registers.count)
            at = r->copied.at[at];
        if (at == FREE_ALWAYS)
            r->registers.at[i].words = 0;
    }
}

/* The text between the braces of the entry's body, and its .maxnreg. */
static bool find_entry(struct ptx_reader *r, const char *ptx, const char *entry, int *limit)
{
    const char *p = ptx;
    size_t length = strlen(entry);
    while ((p = strstr(p, ".entry"))) {
        p += strlen(".entry");
        p += strspn(p, " \t\n");
        if (!strncmp(p, entry, length) && !is_name_char(p[length]))
            break;
    }
    const char *open = p ? strchr(p, '{') : NULL, *cap = p ? strstr(p, ".maxnreg") : NULL;
    if (!open)
        return false;
    *limit = cap && cap < open ? atoi(cap + strlen(".maxnreg")) : 0;
    int depth = 0;
    for (r->p = r->end = open; *r->end; r->end++) {
        depth += (*r->end == '{') - (*r->end == '}');
        if (!depth)
            return true;
    }
    return false;
}

struct ptx_code *code_read(struct arena *arena, const char *ptx, const char *entry)
{
    struct ptx_reader r = {.arena = arena, .names = map_new(arena), .labels = map_new(arena)};
    struct ptx_code *code = ARENA_NEW(arena, struct ptx_code);
    if (!find_entry(&r, ptx, entry, &code->limit))
        return NULL;
    block_start(&r);
    for (skip_space(&r); r.p < r.end && !r.wrong; skip_space(&r))
        read_item(&r);
    link_blocks(&r);
    free_registers(&r);
    if (r.wrong)
        return NULL;
    code->arena = arena;
    code->n_registers = r.registers.count;
    code->registers = r.registers.at;
    code->n_instructions = r.instructions.count;
    code->instructions = r.instructions.at;
    code->n_blocks = r.blocks.count;
    code->dependences = ARENA_ARRAY(arena, struct ptx_dependence *, code->n_blocks + 1);
    code->blocks = r.blocks.at;
    return code;
}

/* A copy owns what the models change; it shares the operands with the original. */
struct ptx_code *code_copy(const struct ptx_code *code)
{
    struct ptx_code *copy = ARENA_NEW(code->arena, struct ptx_code);
    *copy = *code;
    copy->registers = ARENA_ARRAY(code->arena, struct ptx_register, code->n_registers + 1);
    copy->instructions = ARENA_ARRAY(code->arena, struct ptx_instruction, code->n_instructions + 1);
    copy->blocks = ARENA_ARRAY(code->arena, struct ptx_block, code->n_blocks + 1);
    if (code->n_registers)
        memcpy(copy->registers, code->registers, code->n_registers * sizeof *code->registers);
    memcpy(copy->instructions, code->instructions,
           code->n_instructions * sizeof *code->instructions);
    memcpy(copy->blocks, code->blocks, code->n_blocks * sizeof *code->blocks);
    return copy;
}
