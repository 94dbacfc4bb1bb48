/* Machines by the name of a file, of one beside the tool, or of an installed one;
   `treefork machines` lists the installed ones. */
#include "cli/cli.h"
#include "runtime/several.h"
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
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

/* The first of the places that is there; NULL: none is. */
static const char *machine_folder(struct ctx *ctx)
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

static void files_match(struct ctx *ctx, const char *pattern, struct machine_files *files)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            vec_push(ctx->arena, &files->list, arena_strdup(ctx->arena, found.gl_pathv[i]));
    globfree(&found);
}

struct machine_files machine_files_find(struct ctx *ctx, const char *pattern)
{
    struct machine_files files = {0};
    const char *folder = machine_folder(ctx);
    if (pattern)
        files_match(ctx, pattern, &files);
    if (files.list.count || !folder)
        return files;
    const char *last = pattern ? strrchr(pattern, '/') : NULL;
    files_match(ctx,
                arena_printf(ctx->arena, "%s/%s", folder,
                             pattern ? (last ? last + 1 : pattern) : "*.json"),
                &files);
    return files;
}

/* "/usr/share/treefork/machines/ampere-a100.json" to "ampere-a100". */
static const char *machine_name(struct ctx *ctx, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_strndup(ctx->arena, name, strcspn(name, "."));
}

/* The installed machine file of that name, or the only one whose name has that as a part; NULL
   after a diagnostic. */
static const char *installed_find(struct ctx *ctx, const char *given)
{
    struct machine_files files = machine_files_find(ctx, NULL);
    const char **names = ARENA_ARRAY(ctx->arena, const char *, files.list.count + 1);
    struct str longer = str_new(ctx->arena);
    const char *part = NULL;
    size_t parts = 0;
    for (size_t i = 0; i < files.list.count; i++) {
        names[i] = machine_name(ctx, files.list.at[i]);
        if (strcmp(names[i], given) == 0 ||
            strcmp(arena_printf(ctx->arena, "%s.json", names[i]), given) == 0)
            return files.list.at[i];
        if (*given && strstr(names[i], given)) {
            part = files.list.at[i];
            str_addf(&longer, "%s%s", parts++ ? ", " : "", names[i]);
        }
    }
    if (parts > 1)
        diag_error(ctx, loc_none(), "'%s' is a part of several machines' names: %s", given,
                   longer.text);
    else if (!parts)
        option_unknown(ctx, "machine", given, names, files.list.count);
    return parts == 1 ? part : NULL;
}

bool machine_find(struct ctx *ctx, const char *name, struct treefork_machine *machine)
{
    bool is_path = access(name, F_OK) == 0 || strchr(name, '/');
    const char *path = is_path ? name : installed_find(ctx, name);
    if (path && treefork_machine_read(path, machine) == TREEFORK_OK)
        return true;
    if (path)
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
            "no machine given: --machine FILE.json, or a name that `treefork machines` lists, as "
            "hopper-h100");
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

/* --- treefork machines ------------------------------------------------------------------------ */

const struct option_row machines_rows[] = {{"--names", NULL, "the names alone, one a line"}};
const size_t machines_row_count = sizeof machines_rows / sizeof machines_rows[0];

static void machine_print(struct ctx *ctx, const char *path, bool names_alone)
{
    struct treefork_machine machine;
    const char *name = machine_name(ctx, path);
    if (names_alone)
        puts(name);
    else if (treefork_machine_read(path, &machine) == TREEFORK_OK)
        printf("  %-18s %s\n", name, machine.name);
    else
        printf("  %-18s cannot be read: %s\n", name, treefork_message());
}

enum exit_code command_machines(struct ctx *ctx, const struct command_line *line)
{
    char folder[PATH_MAX];
    struct machine_files files = machine_files_find(ctx, NULL);
    bool names_alone = option_flag(line, "--names");
    if (line->positional.count) {
        diag_error(ctx, loc_none(), "machines takes no file: '%s'", line->positional.at[0]);
        return EXIT_USAGE;
    }
    if (!files.list.count) {
        diag_error(ctx, loc_none(), "no machine files are installed beside the tool");
        return EXIT_INPUT;
    }
    for (size_t i = 0; i < files.list.count; i++)
        machine_print(ctx, files.list.at[i], names_alone);
    if (!names_alone && realpath(machine_folder(ctx), folder))
        printf("for --machine NAME, or a part of a name; they lie in %s\n", folder);
    return EXIT_DONE;
}
