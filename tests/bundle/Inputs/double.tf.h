int double_all(int n, int *a);
