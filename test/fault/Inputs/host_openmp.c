/* host_openmp THREADS ROUNDS: launches outside and inside parallel regions of the program's own
 * OpenMP. */
#include "host.h"

int main(int argc, char **argv)
{
    int threads = atoi(argv[argc - 2]), rounds = atoi(argv[argc - 1]), wrong = 0, turns = 0;
    host h = host_open();
    for (int round = 0; round < rounds; round++) {
        wrong += host_work(&h, round);
#pragma omp parallel for num_threads(threads) reduction(+ : wrong, turns)
        for (int i = 0; i < 2 * threads; i++) {
            wrong += host_work(&h, i);
            turns++;
        }
        wrong += turns != 2 * threads * (round + 1);
    }
    printf("%d turns, %d wrong\n", turns, wrong);
    host_close(&h);
    return wrong != 0;
}
