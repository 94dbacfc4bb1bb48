/* libdevice: NVIDIA's bitcode for the functions that LLVM does not lower itself.

   In: a module with calls of undefined __nv_NAME. Out: the module with what it needs of libdevice
   as internal functions. The library is parsed lazily and its functions are turned into link-once
   ones first, so that the linker copies only those that are reached; the rest of 464 KB is
   never read. */
#include "ir/llvm/backend.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *try_toolkit(struct backend *backend, const char *root)
{
    if (!root || !*root)
        return NULL;
    const char *path = arena_printf(backend->ctx->arena, "%s/nvvm/libdevice/libdevice.10.bc", root);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* The toolkit's place: where the environment names one, that and no other; else the usual ones. */
static const char *libdevice_find(struct backend *backend)
{
    static const char *const roots[] = {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda",
                                        "/usr/lib/nvidia-cuda-toolkit"};
    const char *home = getenv("CUDA_HOME"), *named = home && *home ? home : getenv("CUDA_PATH"),
               *path = NULL;
    if (named && *named)
        return try_toolkit(backend, named);
    for (size_t i = 0; !path && i < sizeof roots / sizeof *roots; i++)
        path = try_toolkit(backend, roots[i]);
    return path;
}

/* The first function that libdevice must supply, NULL if none. */
static const char *first_missing(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (LLVMIsDeclaration(f) && !strncmp(name, "__nv_", 5))
            return name;
    }
    return NULL;
}

static void refuse(struct backend *backend, const char *function, const char *path)
{
    if (path)
        diag_error(backend->ctx, loc_none(),
                   "cannot use '%s' as libdevice, which '%s' needs on a GPU: pass the CUDA "
                   "toolkit's nvvm/libdevice/libdevice.10.bc",
                   path, function + 5);
    else
        diag_error(backend->ctx, loc_none(),
                   "no PTX for '%s': it needs libdevice, and no CUDA toolkit was found. Install "
                   "the toolkit or set CUDA_HOME to it; CUDA C and OpenCL output do not need it",
                   function + 5);
}

static LLVMModuleRef libdevice_load(struct backend *backend, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef library = NULL;
    char *error = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error)) {
        LLVMDisposeMessage(error);
        return NULL;
    }
    if (LLVMGetBitcodeModuleInContext2(backend->context, buffer, &library)) {
        LLVMDisposeMemoryBuffer(buffer);
        backend->message = NULL;
        return NULL;
    }
    return library;
}

static void keep_what_is_linked(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

const char *libdevice_path(struct backend *backend, const char *path)
{
    if (!path && !backend->libdevice)
        backend->libdevice = libdevice_find(backend);
    path = path ? path : backend->libdevice;
    return path && *path ? path : NULL;
}

bool libdevice_link(struct backend *backend, LLVMModuleRef module, const char *path, bool optional)
{
    const char *function = first_missing(module);
    if (!function)
        return true;
    path = libdevice_path(backend, path);
    if (!path && optional)
        return true;
    LLVMModuleRef library = path ? libdevice_load(backend, path) : NULL;
    if (!library) {
        refuse(backend, function, path);
        return false;
    }
    LLVMSetTarget(library, LLVMGetTarget(module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    if (LLVMLinkModules2(module, library) || (function = first_missing(module))) {
        refuse(backend, function ? function : "__nv_?", path);
        return false;
    }
    keep_what_is_linked(module);
    return true;
}
