/* The kernel sources of algorithms, as bytes of the library. What has several files sees in each
 * what stands in those in front. */
#include "runtime/algo/algo.h"

#define FILE_OF(name) EMBED_FILE(CPL_ALGO "/" name)

EMBED(algo_chunks, FILE_OF("chunks.py"));
EMBED(algo_tiles, FILE_OF("look.py") FILE_OF("tiles.py"));
EMBED(algo_bins, FILE_OF("chunks.py") FILE_OF("bins.py"));
EMBED(algo_runs, FILE_OF("chunks.py") FILE_OF("keys.py") FILE_OF("runs.py"));
EMBED(algo_keyed, FILE_OF("look.py") FILE_OF("tiles.py") FILE_OF("keys.py") FILE_OF("keyed.py"));
EMBED(algo_sort, FILE_OF("sort.py"));
EMBED(algo_sweep, FILE_OF("sort.py") FILE_OF("look.py") FILE_OF("sweep.py"));
EMBED(algo_fills, FILE_OF("fills.py"));
EMBED(algo_numeric, FILE_OF("chunks.py") FILE_OF("../numeric/numeric.py"));
EMBED(algo_lines, FILE_OF("look.py") FILE_OF("tiles.py") FILE_OF("../numeric/lines.py"));
EMBED(algo_merge, FILE_OF("sort.py") FILE_OF("merge.py"));
EMBED(algo_select, FILE_OF("sort.py") FILE_OF("select.py"));
EMBED(algo_cells, FILE_OF("cells.py"));
EMBED(algo_sorted, FILE_OF("sort.py") FILE_OF("merge.py") FILE_OF("sorted.py"));
EMBED(algo_unique, FILE_OF("sort.py") FILE_OF("merge.py") FILE_OF("look.py") FILE_OF("unique.py"));
EMBED(algo_gather, FILE_OF("gather.py"));
EMBED(algo_choose, FILE_OF("look.py") FILE_OF("choose.py"));

const library_file algo_chunks = {"cpl.chunks", "cpl/chunks.py", algo_chunks_text,
                                  &algo_chunks_size};
const library_file algo_tiles = {"cpl.tiles", "cpl/look.py+tiles.py", algo_tiles_text,
                                 &algo_tiles_size};
const library_file algo_bins = {"cpl.bins", "cpl/chunks.py+bins.py", algo_bins_text,
                                &algo_bins_size};
const library_file algo_runs = {"cpl.runs", "cpl/chunks.py+keys.py+runs.py", algo_runs_text,
                                &algo_runs_size};
const library_file algo_keyed = {"cpl.keyed", "cpl/look.py+tiles.py+keys.py+keyed.py",
                                 algo_keyed_text, &algo_keyed_size};
const library_file algo_sort = {"cpl.sort", "cpl/sort.py", algo_sort_text, &algo_sort_size};
const library_file algo_sweep = {"cpl.sweep", "cpl/sort.py+look.py+sweep.py", algo_sweep_text,
                                 &algo_sweep_size};
const library_file algo_numeric = {"cpl.numeric", "cpl/chunks.py+numeric.py", algo_numeric_text,
                                   &algo_numeric_size};
const library_file algo_lines = {"cpl.lines", "cpl/look.py+tiles.py+lines.py", algo_lines_text,
                                 &algo_lines_size};
const library_file algo_fills = {"cpl.fills", "cpl/fills.py", algo_fills_text, &algo_fills_size};
const library_file algo_merge = {"cpl.merge", "cpl/sort.py+merge.py", algo_merge_text,
                                 &algo_merge_size};
const library_file algo_select = {"cpl.select", "cpl/sort.py+select.py", algo_select_text,
                                  &algo_select_size};
const library_file algo_cells = {"cpl.cells", "cpl/cells.py", algo_cells_text, &algo_cells_size};
const library_file algo_gather = {"cpl.gather", "cpl/gather.py", algo_gather_text,
                                  &algo_gather_size};
const library_file algo_choose = {"cpl.choose", "cpl/look.py+choose.py", algo_choose_text,
                                  &algo_choose_size};
const library_file algo_sorted = {"cpl.sorted", "cpl/sort.py+merge.py+sorted.py", algo_sorted_text,
                                  &algo_sorted_size};
const library_file algo_unique = {"cpl.unique", "cpl/sort.py+merge.py+look.py+unique.py",
                                  algo_unique_text, &algo_unique_size};
