/* PTX text to decoded instructions. In: a module and the name of an entry; out: its instructions
   with numbered registers, offsets of its parameters and variables, targets of branches. A
   register is whatever name begins with % and is no special register; variables of shared memory
   lie one behind the other from 0 on, those without a size (dynamic) at the end.

   Source: PTX ISA, "Syntax". */
#include "base/map.h"
#include "base/vec.h"
#include "tests/cycles/code.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct ctx *ctx;
    struct arena *arena;
    const char *entry;
    struct map *registers, *labels, *variables;   /* to int */
    int n_registers;
    VEC(struct instruction) instructions;
    VEC(const char *) targets;          /* by instruction: a branch's label */
    VEC(struct entry_param) params;
    int shared_bytes, local_bytes;
    bool is_wrong;
};

static const char *const special_names[N_SPECIALS] = {
    "%tid.x",   "%tid.y",   "%tid.z",   "%ntid.x",   "%ntid.y",   "%ntid.z",  "%ctaid.x",
    "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid",
};

static void wrong(struct reader *r, const char *what, const char *text)
{
    if (!r->is_wrong)
        diag_error(r->ctx, (struct loc){NULL, 0, 0}, "%s: %s: %s", r->entry, what, text);
    r->is_wrong = true;
}

static int number_of(struct reader *r, struct map *map, const char *name, int next)
{
    int *kept = map_get(map, name);
    if (!kept) {
        kept = ARENA_NEW(r->arena, int);
        *kept = next;
        map_put(map, name, kept);
    }
    return *kept;
}

static int register_of(struct reader *r, const char *name)
{
    int number = number_of(r, r->registers, name, r->n_registers);
    r->n_registers += number == r->n_registers;
    return number;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* 0f3F800000, 0dBFF0000000000000, -12, 0xFF, 12U. */
static uint64_t constant_of(const char *text)
{
    if (text[0] == '0' && strchr("fFdD", text[1]) && text[1])
        return strtoull(text + 2, NULL, 16);
    return text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
}

static struct operand operand_named(struct reader *r, const char *name)
{
    for (int i = 0; i < N_SPECIALS; i++)
        if (strcmp(name, special_names[i]) == 0)
            return (struct operand){.kind = OPERAND_SPECIAL, .number = i};
    if (name[0] == '%')
        return (struct operand){.kind = OPERAND_REGISTER, .number = register_of(r, name)};
    if (isdigit((unsigned char)name[0]) || name[0] == '-')
        return (struct operand){.kind = OPERAND_CONSTANT, .value = constant_of(name)};
    const int *variable = map_get(r->variables, name);
    if (!variable)
        wrong(r, "an unknown name", name);
    return (struct operand){.kind = OPERAND_CONSTANT, .value = variable ? (uint64_t)*variable : 0};
}

/* A name or number at *p, and what is added to it. */
static struct operand operand_read(struct reader *r, const char **p)
{
    size_t length = **p == '-';
    while (is_name_char((*p)[length]))
        length++;
    struct operand made = operand_named(r, arena_strndup(r->arena, *p, length));
    *p += length + strspn(*p + length, " \t");
    if (**p == '+') {
        char *end;
        made.value += (uint64_t)strtoll(*p + 1, &end, 0);
        *p = end;
    }
    return made;
}

static void operand_add(struct reader *r, struct instruction *made, struct operand operand)
{
    bool fits = made->n_operands < OPERANDS_MAX && made->n_registers < REGISTERS_MAX;
    if (!fits) {
        wrong(r, "too many operands", made->text);
        return;
    }
    made->operands[made->n_operands++] = operand;
    if (operand.kind == OPERAND_REGISTER)
        made->registers[made->n_registers++] = operand.number;
}

static bool has_result(enum op op)
{
    return op != OP_ST && op != OP_RED && op != OP_BAR && op != OP_BARRIER && op != OP_BRA &&
           op != OP_RET && op != OP_EXIT && op != OP_MEMBAR && op != OP_CP && op != OP_COMMIT &&
           op != OP_WAIT;
}

/* Braces and brackets are flattened; those of the first operand are results. */
static void operands_read(struct reader *r, struct instruction *made, const char *p)
{
    int depth = 0;
    bool first = true;
    for (; *p && !r->is_wrong; p += *p != 0) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        first = first && !(*p == ',' && depth == 0);
        if (!is_name_char(*p) && *p != '-' && *p != '!')
            continue;
        p += *p == '!';
        operand_add(r, made, operand_read(r, &p));
        if (first && has_result(made->op))
            made->n_results = made->n_operands;
        p--;
    }
}

static const char *guard_read(struct reader *r, const char *text, struct instruction *made)
{
    if (*text != '@')
        return text;
    text++;
    made->guard_negated = *text == '!';
    text += made->guard_negated;
    size_t length = strcspn(text, " \t");
    made->guard = register_of(r, arena_strndup(r->arena, text, length));
    return text + length + strspn(text + length, " \t");
}

static void instruction_read(struct reader *r, const char *text)
{
    struct instruction guard = {.guard = -1}, made;
    const char *target = NULL, *rest = guard_read(r, text, &guard);
    size_t length = strcspn(rest, " \t");
    if (!cycles_decode(arena_strndup(r->arena, rest, length), &made)) {
        wrong(r, "this is not simulated", text);
        return;
    }
    made.guard = guard.guard;
    made.guard_negated = guard.guard_negated;
    made.text = text;
    rest += length + strspn(rest + length, " \t");
    if (made.op == OP_BRA)
        target = arena_strndup(r->arena, rest, strcspn(rest, " \t"));
    else
        operands_read(r, &made, rest);
    if (made.guard >= 0 && made.n_registers < REGISTERS_MAX)
        made.registers[made.n_registers++] = made.guard;
    vec_push(r->arena, &r->instructions, made);
    vec_push(r->arena, &r->targets, target);
}

/* Bytes of an element, of ".b8", ".f32". */
static int bytes_of(const char *type)
{
    return atoi(type + strcspn(type, "0123456789")) / 8;
}

/* ".shared .align 16 .b8 name[1024]", behind its space. */
static void variable_read(struct reader *r, const char *text, int *bytes)
{
    int align = 1, element = 1;
    const char *name = text;
    for (text += strspn(text, " \t"); *text == '.'; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (strncmp(text, ".align", 6) == 0)
            align = (int)strtol(text + 6, (char **)&name, 10);
        else
            element = bytes_of(text);
        text = strncmp(text, ".align", 6) == 0 ? name : text + length;
    }
    size_t length = strcspn(text, "[ \t");
    const char *size = strchr(text, '[');
    *bytes = (*bytes + align - 1) / align * align;
    number_of(r, r->variables, arena_strndup(r->arena, text, length), *bytes);
    *bytes += element * (size ? atoi(size + 1) : 1);
}

/* Variables of shared memory without a size come last, so they are read in a second turn. */
static void directive_read(struct reader *r, const char *text, bool dynamic)
{
    const char *shared = strstr(text, ".shared"), *local = strstr(text, ".local");
    bool unsized = strstr(text, "[]") != NULL;
    if (shared && unsized == dynamic)
        variable_read(r, shared + strlen(".shared"), &r->shared_bytes);
    else if (local && !dynamic)
        variable_read(r, local + strlen(".local"), &r->local_bytes);
}

static void label_read(struct reader *r, const char *name)
{
    number_of(r, r->labels, name, (int)r->instructions.count);
}

/* The statement at *p up to its end, without line breaks and comments; NULL at `end`. A label has
   its colon, a brace that opens or closes a scope is left out. */
static const char *statement_next(struct reader *r, const char **p, const char *end)
{
    const char *at = *p;
    while (at < end && (isspace((unsigned char)*at) || strchr("{};", *at) ||
                        (at[0] == '/' && at[1] == '/')))
        at = at[0] == '/' ? at + strcspn(at, "\n") : at + 1;
    if (at >= end)
        return NULL;
    size_t length = 0;
    while (is_name_char(at[length]))
        length++;
    bool is_label = length && at[length] == ':';
    length = is_label ? length + 1 : strcspn(at, ";");
    char *text = arena_strndup(r->arena, at, length);
    for (char *c = text; *c; c++)
        if (isspace((unsigned char)*c))
            *c = ' ';
    *p = at + length;
    return text;
}

static void body_read(struct reader *r, const char *p, const char *end, bool dynamic)
{
    const char *text;
    while (!r->is_wrong && (text = statement_next(r, &p, end))) {
        size_t length = strlen(text);
        if (text[0] == '.')
            directive_read(r, text, dynamic);
        else if (!dynamic)
            continue;
        else if (text[length - 1] == ':')
            label_read(r, arena_strndup(r->arena, text, length - 1));
        else
            instruction_read(r, text);
    }
}

/* Variables of the module: lines of its own. */
static void module_read(struct reader *r, const char *ptx, bool dynamic)
{
    for (const char *line = ptx; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n;");
        bool is_variable = strncmp(line, ".extern .shared", 15) == 0 ||
                           strncmp(line, ".shared", 7) == 0 ||
                           strncmp(line, ".visible .shared", 16) == 0;
        if (is_variable)
            directive_read(r, arena_strndup(r->arena, line, length), dynamic);
    }
}

/* ".param .u32 name," and so on, up to the closing parenthesis. */
static void params_read(struct reader *r, const char *p, const char *end)
{
    int offset = 0;
    while ((p = strstr(p, ".param")) && p < end) {
        p += strlen(".param");
        p += strspn(p, " \t");
        const char *type = p;
        for (; *p == '.'; p += strspn(p, " \t0123456789")) {
            type = strchr("usbf", p[1]) ? p : type;
            p += strcspn(p, " \t");
        }
        int bytes = bytes_of(type);
        struct entry_param param = {arena_strndup(r->arena, p, strcspn(p, ",) \t\n")), bytes,
                                    (offset + bytes - 1) / bytes * bytes};
        offset = param.offset + bytes;
        vec_push(r->arena, &r->params, param);
        number_of(r, r->variables, param.name, param.offset);
    }
}

/* Behind ".entry" and its name; NULL if the module has no such entry. */
static const char *entry_find(const char *ptx, const char *entry)
{
    size_t length = strlen(entry);
    for (const char *p = strstr(ptx, ".entry"); p; p = strstr(p, ".entry")) {
        p += strlen(".entry");
        p += strspn(p, " \t\n");
        if (strncmp(p, entry, length) == 0 && !is_name_char(p[length]))
            return p + length;
    }
    return NULL;
}

static const char *body_end(const char *open)
{
    int depth = 0;
    for (const char *p = open; *p; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0)
            return p;
    }
    return NULL;
}

static void targets_link(struct reader *r)
{
    for (size_t i = 0; i < r->instructions.count; i++) {
        struct instruction *at = &r->instructions.at[i];
        const int *label = r->targets.at[i] ? map_get(r->labels, r->targets.at[i]) : NULL;
        if (r->targets.at[i] && !label)
            wrong(r, "an unknown label", at->text);
        at->target = label ? *label : -1;
    }
}

struct code *cycles_code(struct ctx *ctx, const char *ptx, const char *entry)
{
    struct reader r = {.ctx = ctx, .arena = ctx->arena, .entry = entry,
                       .registers = map_new(ctx->arena), .labels = map_new(ctx->arena),
                       .variables = map_new(ctx->arena)};
    const char *head = entry_find(ptx, entry), *open = head ? strchr(head, '{') : NULL,
               *end = open ? body_end(open) : NULL;
    if (!end) {
        diag_error(ctx, (struct loc){NULL, 0, 0}, "the text has no entry %s", entry);
        return NULL;
    }
    params_read(&r, head, open);
    module_read(&r, ptx, false);
    body_read(&r, open, end, false);
    int fixed = r.shared_bytes;
    module_read(&r, ptx, true);
    body_read(&r, open, end, true);
    targets_link(&r);
    if (r.is_wrong)
        return NULL;
    struct code *code = ARENA_NEW(ctx->arena, struct code);
    *code = (struct code){(int)r.instructions.count, r.n_registers, (int)r.params.count,
                          r.instructions.at, r.params.at, 0, fixed, r.local_bytes, entry};
    for (int i = 0; i < code->n_params; i++)
        code->param_bytes = code->params[i].offset + code->params[i].bytes;
    cycles_meetings(ctx->arena, code);
    return code;
}
