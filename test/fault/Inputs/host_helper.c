/* A library that compiles and launches kernels, for programs in other languages. */
#include "host.h"

int host_round(int seed);

int host_round(int seed)
{
    host h = host_open();
    int wrong = host_work(&h, seed);
    host_close(&h);
    return wrong;
}
