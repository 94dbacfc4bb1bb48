/* Machines: the values of the parameters of machine.def, from a table by compute capability, from a
   file, or the tighter of two. In: a flat JSON object {"name": "…", "threads_per_block": 1024, …};
   out: struct treefork_machine.
   Invariant: every value is possible (not negative; where the table's lo is positive, not zero) or
   TREEFORK_UNLIMITED. A missing key and null are the same: the device does not tell, and the
   table's fallback stands (design: Decisions, "Words", "Registers"). */
#include "runtime/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct parameter_row {
    const char *symbol, *key, *unit;
    int64_t lo, fallback;
};

static const struct parameter_row rows[TREEFORK_PARAMETERS] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) { #symbol, #key, unit, lo, fallback },
#include "runtime/machine.def"
#undef X
};

const char *treefork_parameter_symbol(int parameter)
{
    return parameter >= 0 && parameter < TREEFORK_PARAMETERS ? rows[parameter].symbol : NULL;
}

const char *treefork_parameter_key(int parameter)
{
    return parameter >= 0 && parameter < TREEFORK_PARAMETERS ? rows[parameter].key : NULL;
}

const char *treefork_parameter_unit(int parameter)
{
    return parameter >= 0 && parameter < TREEFORK_PARAMETERS ? rows[parameter].unit : NULL;
}

int treefork_parameter_find(const char *name)
{
    for (int i = 0; name && i < TREEFORK_PARAMETERS; i++)
        if (strcmp(name, rows[i].symbol) == 0 || strcmp(name, rows[i].key) == 0)
            return i;
    return -1;
}

bool treefork_parameter_in_bytes(int parameter)
{
    return parameter == TREEFORK_Z_B || parameter == TREEFORK_Z_M || parameter == TREEFORK_Z_R ||
           parameter == TREEFORK_Z_D;
}

bool treefork_parameter_is_limit(int parameter)
{
    return rows[parameter].fallback == TREEFORK_UNLIMITED || parameter == TREEFORK_M_D;
}

const char *treefork_parameter_refuses(int parameter, int64_t value)
{
    if (value < 0)
        return "must not be negative";
    if (value == 0 && rows[parameter].lo > 0)
        return "must be at least 1";
    if (value == TREEFORK_UNLIMITED && rows[parameter].fallback != TREEFORK_UNLIMITED)
        return "cannot be unlimited";
    return NULL;
}

void treefork_machine_clear(struct treefork_machine *machine, const char *name)
{
    memset(machine, 0, sizeof *machine);
    snprintf(machine->name, sizeof machine->name, "%s", name);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        machine->value[i] = rows[i].fallback;
}

void treefork_machine_host(struct treefork_machine *machine)
{
#define X(symbol, number) machine->value[TREEFORK_##symbol] = number;
#include "runtime/host.def"
#undef X
}

void treefork_machine_unknown(struct treefork_machine *machine)
{
    treefork_machine_clear(machine, "unknown");
}

void treefork_machine_capability(struct treefork_machine *machine, int64_t capability)
{
    static const struct {
        int64_t from, registers, partitions, unit, words, reserved, lanes, double_lanes, issue;
    } table[] = {
#define X(from, ...) { from, __VA_ARGS__ },
#include "runtime/capability.def"
#undef X
    };
    machine->value[TREEFORK_A_D] = capability;
    for (size_t i = 0; i < sizeof table / sizeof *table && table[i].from <= capability; i++) {
        machine->value[TREEFORK_R_B] = table[i].registers;
        machine->value[TREEFORK_Q_B] = table[i].partitions;
        machine->value[TREEFORK_U_F] = table[i].unit;
        machine->value[TREEFORK_U_Z] = table[i].words;
        machine->value[TREEFORK_Z_R] = table[i].reserved;
        machine->value[TREEFORK_P_S] = table[i].lanes;
        machine->value[TREEFORK_P_D] = table[i].double_lanes;
        machine->value[TREEFORK_P_I] = table[i].issue;
    }
}

/* Of a limit the smaller; of warp size, partitions and units the larger, since they only round
   needs up; the architecture only selects code, so that the smaller one that is told is safe; a
   wish that is told is taken, and what only the model of predicted time goes by. How many devices
   there are only they themselves can say. */
void treefork_machine_meet(struct treefork_machine *machine, const struct treefork_machine *other)
{
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        int64_t *mine = &machine->value[i], theirs = other->value[i];
        bool told = theirs != rows[i].fallback;
        if (i == TREEFORK_N_D)
            continue;
        if (i == TREEFORK_A_D || i == TREEFORK_M_D)
            *mine = told && theirs < *mine ? theirs : *mine;
        else if (i == TREEFORK_O_T || i == TREEFORK_C_T || i == TREEFORK_S_T ||
                 (i >= TREEFORK_I_T && i <= TREEFORK_Y_H))
            *mine = told ? theirs : *mine;
        else if (treefork_parameter_is_limit(i) ? theirs < *mine : theirs > *mine)
            *mine = theirs;
    }
}

struct machine_reading {
    struct treefork_machine *machine;
    bool seen[TREEFORK_PARAMETERS], named;
};

static int member_name(struct machine_reading *reading, const struct treefork_json_member *m)
{
    if (m->kind != TREEFORK_JSON_STRING || reading->named)
        return treefork_fail(TREEFORK_FILE, "%s:%u:%u: \"name\" %s", m->path, m->line, m->column,
                             reading->named ? "stands twice" : "is a string");
    if (strlen(m->string) >= sizeof reading->machine->name)
        return treefork_fail(TREEFORK_FILE, "%s:%u:%u: the name is longer than %zu bytes", m->path,
                             m->line, m->column, sizeof reading->machine->name - 1);
    reading->named = true;
    memcpy(reading->machine->name, m->string, strlen(m->string) + 1);
    return TREEFORK_OK;
}

static int member_unknown(const struct treefork_json_member *m)
{
    struct treefork_text known = { 0 };
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        treefork_text_add(&known, ", %s", rows[i].key);
    int status = treefork_fail(TREEFORK_FILE,
                               "%s:%u:%u: unknown key \"%s\"; known are name, source, note%s",
                               m->path, m->line, m->column, m->key, known.text ? known.text : "");
    free(known.text);
    return status;
}

static int machine_member(void *state, const struct treefork_json_member *m)
{
    struct machine_reading *reading = state;
    const char *wrong = NULL;
    if (strcmp(m->key, "name") == 0)
        return member_name(reading, m);
    if (strcmp(m->key, "source") == 0 || strcmp(m->key, "note") == 0)
        return m->kind == TREEFORK_JSON_STRING
                   ? TREEFORK_OK
                   : treefork_fail(TREEFORK_FILE, "%s:%u:%u: \"%s\" is a string", m->path, m->line,
                                   m->column, m->key);
    int parameter = treefork_parameter_find(m->key);
    if (parameter < 0)
        return member_unknown(m);
    if (reading->seen[parameter])
        wrong = "stands twice";
    else if (m->kind == TREEFORK_JSON_STRING)
        wrong = "is an integer or null";
    else if (m->kind == TREEFORK_JSON_INTEGER)
        wrong = treefork_parameter_refuses(parameter, m->integer);
    if (wrong)
        return treefork_fail(TREEFORK_FILE, "%s:%u:%u: \"%s\" %s", m->path, m->line, m->column,
                             m->key, wrong);
    reading->seen[parameter] = true;
    if (m->kind == TREEFORK_JSON_INTEGER)
        reading->machine->value[parameter] = m->integer;
    return TREEFORK_OK;
}

/* A compute capability in the file stands for what it implies, unless the file says otherwise. */
int treefork_machine_parse(const char *text, size_t length, const char *path,
                           struct treefork_machine *machine)
{
    struct treefork_machine read, implied;
    struct machine_reading reading = { .machine = &read };
    treefork_machine_clear(&read, path);
    int status = treefork_json_flat(text, length, path, machine_member, &reading);
    if (status)
        return status;
    treefork_machine_clear(&implied, "");
    treefork_machine_capability(&implied, read.value[TREEFORK_A_D]);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        if (!reading.seen[i] && i != TREEFORK_A_D)
            read.value[i] = implied.value[i];
    *machine = read;
    return TREEFORK_OK;
}

enum { MACHINE_FILE_MAX = 1 << 16 };

int treefork_machine_read(const char *path, struct treefork_machine *machine)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return treefork_fail(TREEFORK_FILE, "%s: cannot read the machine file: %s", path,
                             strerror(errno));
    char *text = malloc(MACHINE_FILE_MAX + 1);
    size_t length = text ? fread(text, 1, MACHINE_FILE_MAX + 1, file) : 0;
    int broken = text ? ferror(file) : 0, status;
    fclose(file);
    if (!text)
        status = treefork_fail(TREEFORK_MEMORY, "%s: no memory for the machine file", path);
    else if (broken)
        status = treefork_fail(TREEFORK_FILE, "%s: cannot read the machine file", path);
    else if (length > MACHINE_FILE_MAX)
        status = treefork_fail(TREEFORK_FILE, "%s: longer than %d bytes, this is no machine file",
                               path, MACHINE_FILE_MAX);
    else
        status = treefork_machine_parse(text, length, path, machine);
    free(text);
    return status;
}
