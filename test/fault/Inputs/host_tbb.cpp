/* host_tbb THREADS ROUNDS: launches from tasks of oneTBB. */
#include "host.h"

#include <atomic>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

int main(int argc, char **argv)
{
    int threads = atoi(argv[argc - 2]), rounds = atoi(argv[argc - 1]);
    std::atomic<int> wrong{0}, turns{0};
    host h = host_open();
    oneapi::tbb::global_control most(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    oneapi::tbb::task_arena arena(threads);
    for (int round = 0; round < rounds; round++)
        arena.execute([&] {
            oneapi::tbb::parallel_for(0, 2 * threads, [&](int i) {
                wrong += host_work(&h, i);
                turns++;
            });
        });
    printf("%d turns, %d wrong\n", turns.load(), wrong.load());
    host_close(&h);
    return wrong != 0;
}
