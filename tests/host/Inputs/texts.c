/* Prints a text of the header that the compiler's -include names: TEXT is its array. */
#include <stdio.h>

int main(void)
{
    fputs(TEXT, stdout);
    return 0;
}
