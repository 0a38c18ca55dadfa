/* The kernel sources of algorithms, as bytes of the library. What has several files sees in each
 * what stands in those in front. */
#include "runtime/algo/algo.h"

#define SOURCE(name, files)                                                                        \
    __asm__(".section .rodata, \"a\"\n"                                                            \
            ".hidden " #name "_text\n.hidden " #name "_size\n"                                     \
            ".globl " #name "_text\n.globl " #name "_size\n" #name "_text:\n" files #name          \
            "_end:\n.byte 0\n"                                                                     \
            ".balign 8\n" #name "_size:\n.quad " #name "_end - " #name "_text\n.text\n");          \
    extern const char name##_text[];                                                               \
    extern const uint64_t name##_size
#define FILE_OF(name) ".incbin \"" CPL_ALGO "/" name "\"\n"

SOURCE(algo_chunks, FILE_OF("chunks.py"));
SOURCE(algo_bins, FILE_OF("chunks.py") FILE_OF("bins.py"));
SOURCE(algo_runs, FILE_OF("chunks.py") FILE_OF("runs.py"));
SOURCE(algo_sort, FILE_OF("sort.py"));

const library_file algo_chunks = {"cpl.chunks", "cpl/chunks.py", algo_chunks_text,
                                  &algo_chunks_size};
const library_file algo_bins = {"cpl.bins", "cpl/chunks.py+bins.py", algo_bins_text,
                                &algo_bins_size};
const library_file algo_runs = {"cpl.runs", "cpl/chunks.py+runs.py", algo_runs_text,
                                &algo_runs_size};
const library_file algo_sort = {"cpl.sort", "cpl/sort.py", algo_sort_text, &algo_sort_size};
