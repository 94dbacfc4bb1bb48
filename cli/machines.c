/* Machines by the name of a file, of one beside the tool, or of an installed one. */
#include "cli/cli.h"
#include "runtime/several.h"
#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *executable_folder(struct ctx *ctx)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    return slash ? arena_strndup(ctx->arena, self, (size_t)(slash - self)) : NULL;
}

/* Where machine files lie beside the tool: in its source folder, or installed. */
static const char *const machine_places[] = {"../machines", "../../machines",
                                             "../share/treefork/machines"};
enum { MACHINE_PLACES = sizeof machine_places / sizeof machine_places[0] };

const char *machine_folder(struct ctx *ctx)
{
    const char *folder = executable_folder(ctx);
    if (!folder)
        return NULL;
    for (size_t i = 0; i < MACHINE_PLACES; i++) {
        const char *path = arena_printf(ctx->arena, "%s/%s", folder, machine_places[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static const char *machine_path(struct ctx *ctx, const char *given)
{
    const char *folder = executable_folder(ctx);
    if (access(given, F_OK) == 0 || strchr(given, '/') || !folder)
        return given;
    for (size_t i = 0; i < MACHINE_PLACES; i++)
        for (int with_suffix = 0; with_suffix < 2; with_suffix++) {
            const char *path = arena_printf(ctx->arena, "%s/%s/%s%s", folder, machine_places[i],
                                            given, with_suffix ? ".json" : "");
            if (access(path, R_OK) == 0)
                return path;
        }
    return given;
}

bool machine_find(struct ctx *ctx, const char *name, struct treefork_machine *machine)
{
    if (treefork_machine_read(machine_path(ctx, name), machine) == TREEFORK_OK)
        return true;
    diag_error(ctx, loc_none(), "%s", treefork_message());
    return false;
}

bool machine_option(struct ctx *ctx, const struct command_line *line,
                    struct treefork_machine *machine)
{
    const char *path = option_text(line, "--machine");
    if (!path) {
        diag_error(
            ctx, loc_none(),
            "no machine given: --machine FILE.json, or the name of an installed one, as h100-sxm");
        return false;
    }
    return machine_find(ctx, path, machine);
}

bool machines_option(struct ctx *ctx, const struct command_line *line, struct machine_list *list,
                     struct treefork_machine *machine)
{
    list->count = 0;
    list->at = ARENA_ARRAY(ctx->arena, struct treefork_machine, TREEFORK_MEMBERS_MAX);
    if (!machine_option(ctx, line, machine))
        return false;
    for (size_t i = 0; i < line->options.count; i++) {
        const struct option_value *option = &line->options.at[i];
        if (strcmp(option->row->name, "--machine") != 0)
            continue;
        if (list->count == TREEFORK_MEMBERS_MAX) {
            diag_error(ctx, loc_none(), "--machine: at most %d devices work together",
                       TREEFORK_MEMBERS_MAX);
            return false;
        }
        if (!machine_find(ctx, option->text, &list->at[list->count]))
            return false;
        list->count++;
    }
    *machine = list->at[0];
    for (size_t i = 1; i < list->count; i++)
        treefork_machine_meet(machine, &list->at[i]);
    if (list->count > 1)
        machine->value[TREEFORK_N_D] = (int64_t)list->count;
    return true;
}
