// The header in C++: it compiles, and the library that is linked has its version.
#include <cstdio>
#include <treefork.h>

int main()
{
    treefork_machine machine;
    treefork_machine_unknown(&machine);
    const int version = treefork_version();
    std::printf("treefork %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
    return version != 10000 * TREEFORK_MAJOR + 100 * TREEFORK_MINOR + TREEFORK_PATCH ||
           machine.value[TREEFORK_T_B] != TREEFORK_UNLIMITED;
}
