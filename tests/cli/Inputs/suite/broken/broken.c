/* No C compiler takes it. */
#include "polybench.h"

int main(void)
{
    return undeclared_name;
}
