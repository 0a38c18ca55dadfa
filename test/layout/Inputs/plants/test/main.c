#include <stdio.h>

int larger(int a, int b);

int main(void)
{
    return printf("%d\n", larger(1, 2)) < 0;
}
