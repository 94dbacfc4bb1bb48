// y = A x from C++: the generated header declares the functions for both languages.
#include "matvec.tf.h"
#include <iostream>
#include <vector>

int main()
{
    const int m = 2000, n = 1024;
    std::vector<float> a(m * n, 1), x(n), y(m);
    for (int j = 0; j < n; j++)
        x[j] = float(j);
    matvec(m, n, 64, 16, a.data(), x.data(), y.data());
    long wrong = 0;
    for (float sum : y)
        wrong += sum != float(n * (n - 1) / 2);
    std::cout << "y = A x from C++: " << y.size() - wrong << " of " << y.size() << " are right\n";
    return wrong != 0;
}
