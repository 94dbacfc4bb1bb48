/* Places of the source in LLVM's debug information, for texts whose lines say where they come from.

   In: statements with places. Out: instructions with line numbers of the user's own file, which
   the passes carry along and the back end prints as `.loc` (text.c reads them and takes them out).
   No variable is described, so that a module has the same instructions with and without, and the
   texts are equal (tests/page/lines.test compares them). Modules that nobody asks have none of
   this. */
#include "ir/llvm/lower.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* LLVM's DebugDirectivesOnly, which its C interface passes on without a name: no sections. */
enum { DIRECTIVES_ONLY = 3 };

static LLVMMetadataRef unit_make(LLVMDIBuilderRef info, LLVMMetadataRef file)
{
    return LLVMDIBuilderCreateCompileUnit(info, LLVMDWARFSourceLanguageC99, file, "", 0, true, "",
                                          0, 0, "", 0, (LLVMDWARFEmissionKind)DIRECTIVES_ONLY, 0,
                                          false, false, "", 0, "", 0);
}

void lower_origins(struct lowering *l, const char *name)
{
    static const char version[] = "Debug Info Version", file_name[] = "source";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(l->backend->context);
    if (!l->told)
        return;
    LLVMValueRef number = LLVMConstInt(i32, LLVMDebugMetadataVersion(), false);
    LLVMAddModuleFlag(l->module, LLVMModuleFlagBehaviorWarning, version, strlen(version),
                      LLVMValueAsMetadata(number));
    LLVMDIBuilderRef info = LLVMCreateDIBuilder(l->module);
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(info, file_name, strlen(file_name), "", 0);
    unit_make(info, file);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(info, file, NULL, 0, LLVMDIFlagZero);
    l->scope = LLVMDIBuilderCreateFunction(info, file, name, strlen(name), name, strlen(name), file,
                                           0, type, false, true, 0, LLVMDIFlagZero, true);
    LLVMSetSubprogram(l->function, l->scope);
    LLVMDIBuilderFinalize(info);
    LLVMDisposeDIBuilder(info);
}

/* Gives this line to the instructions that are built next; 0 takes their line away. */
static void origin_set(struct lowering *l, unsigned line)
{
    LLVMMetadataRef place = NULL;
    l->line = line;
    if (line)
        place = LLVMDIBuilderCreateDebugLocation(l->backend->context, line, 0, l->scope, NULL);
    LLVMSetCurrentDebugLocation2(l->builder, place);
}

unsigned lower_origin_begin(struct lowering *l, const struct stmt *s)
{
    unsigned around = l->line;
    if (l->told) {
        unsigned own = stmt_source_line(l->told, s);
        origin_set(l, own ? own : around);
    }
    return around;
}

void lower_origin_end(struct lowering *l, unsigned around)
{
    if (l->told)
        origin_set(l, around);
}
