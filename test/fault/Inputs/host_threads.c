/* host_threads THREADS ROUNDS: launches from POSIX threads, and from a second library's worker
 * (each with its own arrays). */
#include "host.h"

#include <pthread.h>

static host h;
static int rounds;

static void *work(void *arg)
{
    long wrong = 0;
    for (int round = 0; round < rounds; round++) wrong += host_work(&h, round + (int)(long)arg);
    return (void *)wrong;
}

int main(int argc, char **argv)
{
    int threads = atoi(argv[argc - 2]);
    long wrong = 0;
    pthread_t all[64];
    rounds = atoi(argv[argc - 1]);
    h = host_open();
    for (int i = 0; i < threads; i++)
        host_check(pthread_create(&all[i], NULL, work, (void *)(long)i) == 0, "no thread");
    for (int i = 0; i < threads; i++) {
        void *result;
        pthread_join(all[i], &result);
        wrong += (long)result;
    }
    printf("%d turns, %ld wrong\n", threads * rounds, wrong);
    host_close(&h);
    return wrong != 0;
}
