/* host_tbb [pool] THREADS ROUNDS: launches from tasks of oneTBB, which with `pool` runs the
 * kernels' loops too. */
#include "host.h"

#include <atomic>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

static void run(void *calls, cpl_task_fn task, void *data, int workers)
{
    ++*static_cast<std::atomic<int> *>(calls);
    oneapi::tbb::parallel_for(0, workers, [=](int i) { task(data, i, workers); });
}

int main(int argc, char **argv)
{
    int threads = atoi(argv[argc - 2]), rounds = atoi(argv[argc - 1]);
    std::atomic<int> wrong{0}, turns{0}, calls{0};
    cpl_threads pool = {sizeof pool, run, &calls, threads};
    host h = host_open_on(argc > 3 ? &pool : nullptr);
    oneapi::tbb::global_control most(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    oneapi::tbb::task_arena arena(threads);
    for (int round = 0; round < rounds; round++)
        arena.execute([&] {
            oneapi::tbb::parallel_for(0, 2 * threads, [&](int i) {
                wrong += host_work(&h, i);
                turns++;
            });
        });
    printf("%d turns, %d wrong", turns.load(), wrong.load());
    printf(calls ? ", on its threads\n" : "\n");
    host_close(&h);
    return wrong != 0;
}
