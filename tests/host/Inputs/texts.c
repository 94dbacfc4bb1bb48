/* Prints a text of the header that the compiler's -include names: TEXT is its array; or those of all modules in TABLE, each
   behind a line with its name. */
#include <stdio.h>

int main(void)
{
#ifdef TEXT
    fputs(TEXT, stdout);
#else
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        printf("//// %s\n%s\n", TABLE[i].name, TABLE[i].opencl == TABLE[i].cuda ? TABLE[i].cuda : "two texts");
#endif
    return 0;
}
