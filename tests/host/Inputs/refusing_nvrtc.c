/* An NVRTC that refuses every text, for tests: it prints its options on standard error. */
#include <stdio.h>
#include <string.h>

static const char log_text[] = "kernels.cu(7): error: this NVRTC refuses everything\nand a second line";

int nvrtcCreateProgram(void **program, const char *text, const char *name, int n_headers, const char *const *headers,
                       const char *const *names)
{
    (void)text, (void)name, (void)n_headers, (void)headers, (void)names;
    *program = (void *)log_text;
    return 0;
}

int nvrtcDestroyProgram(void **program)
{
    *program = NULL;
    return 0;
}

int nvrtcCompileProgram(void *program, int n_options, const char *const *options)
{
    (void)program;
    fprintf(stderr, "nvrtc:");
    for (int i = 0; i < n_options; i++)
        fprintf(stderr, " %s", options[i]);
    fprintf(stderr, "\n");
    return 6;
}

int nvrtcGetPTXSize(void *program, size_t *size)
{
    (void)program, (void)size;
    return 6;
}

int nvrtcGetPTX(void *program, char *text)
{
    (void)program, (void)text;
    return 6;
}

int nvrtcGetProgramLogSize(void *program, size_t *size)
{
    (void)program;
    *size = sizeof log_text;
    return 0;
}

int nvrtcGetProgramLog(void *program, char *text)
{
    (void)program;
    memcpy(text, log_text, sizeof log_text);
    return 0;
}
