#include "test/tiny.h"

int larger(int a, int b)
{
    return a > b ? a : b;
}

void count(int *sum, int a)
{
    *sum += a;
}

int untried(int a)
{
    return -a;
}

int equals_itself(int a)
{
    return !(a - a);
}

int is_small(int a)
{
    return a < 10;
}
