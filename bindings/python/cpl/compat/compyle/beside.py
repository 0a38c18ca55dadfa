"""Names that Compyle's modules have beside what is defined in them here: what they import of each
other, and their own workings, of which there are none here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

# module -> what it imports, and from which of the others
BORROWED = {
    "array": {
        "parallel": "Elementwise", "template": "Template",
        "types": "annotate ctype_to_dtype declare dtype_to_ctype knowntype_to_ctype",
    },
    "cython_generator": {"ast_utils": "get_assigned"},
    "ext_module": {"capture_stream": "CaptureMultipleStreams", "config": "get_config"},
    "jit": {
        "config": "get_config", "cython_generator": "CythonGenerator", "extern": "Extern",
        "profile": "profile", "transpiler": "BUILTINS Transpiler",
        "types": "BITS annotate dtype_to_ctype", "utils": "getsourcelines",
    },
    "low_level": {"config": "get_config", "transpiler": "Transpiler", "types": "KnownType"},
    "opencl": {"config": "get_config", "profile": "named_profile profile_kernel"},
    "parallel": {
        "config": "get_config", "cython_generator": "CythonGenerator get_parallel_range",
        "profile": "profile", "transpiler": "Transpiler convert_to_float_if_needed",
        "types": "dtype_to_ctype",
    },
    "sort": {
        "config": "get_config", "cython_generator": "CythonGenerator get_parallel_range",
        "parallel": "Scan", "template": "Template",
        "transpiler": "Transpiler convert_to_float_if_needed", "types": "annotate dtype_to_ctype",
    },
    "transpiler": {
        "cython_generator": "CodeGenerationError CythonGenerator", "ext_module": "ExtModule",
        "extern": "get_extern_code", "translator": "CUDAConverter OpenCLConverter literal_to_float",
        "utils": "getsourcelines",
    },
    "translator": {
        "cython_generator": "all_numeric", "types": "Undefined get_declare_info",
        "utils": "getsource",
    },
}

_ARRAYS = "the library has kernels of its own behind the functions of arrays"
_TEXTS = "no Cython, C or CUDA is generated from Python's text"
_CACHE = "the library keeps kernels itself, by their types and settings"
_TREES = "get_symbols, get_assigned and get_unknown_names_and_calls have what it finds"
_BUILDS = "no module in Cython is built"

# module -> why there is none here -> names
LACKING = {
    "array": {
        _ARRAYS: "AlignMultiple add_elwise add_kernel choose comparison_kernel comparison_template "
                 "diff_kernel eq_elwise ge_elwise get_align_kernel get_allocator "
                 "get_cl_sort_kernel get_minmax_kernel gt_elwise inp_cumsum key_align_kernel "
                 "le_elwise lt_elwise make_collector_dtype minmax_collector_key "
                 "minmax_operator_tpl minmax_tpl n_diff_elwise ne_elwise out_cumsum sub_elwise "
                 "take_bool_elwise take_bool_kernel take_elwise where_elwise where_kernel",
    },
    "ast_utils": {_TREES: "NameLister SymbolParser"},
    "capture_stream": {"streams are captured below Python": "get_ipython_capture"},
    "cuda": {
        "these are parts of pycuda's scans":
            "ScanPerformanceWarning get_arg_list_scalar_arg_dtypes parse_arg_list",
    },
    "cython_generator": {_TEXTS: "CythonClassHelper condense_multiline_calls"},
    "ext_module": {
        _BUILDS: "CONFIG_OPTS get_config_file_opts get_ext_extension get_platform_dir",
    },
    "jit": {
        _CACHE: "kernel_cache_key_args kernel_cache_key_kwargs memoize_kernel",
        "AnnotationHelper tells types": "get_signed_type getargspec",
    },
    "low_level": {"Kernel divides a grid itself": "splay_cl"},
    "parallel": {
        _CACHE: "drop_duplicates get_common_cache_key",
        _TEXTS: "elementwise_cy_template reduction_cy_template scan_cy_single_thread_template "
                "scan_cy_template",
    },
    "sort": {_ARRAYS: "OutputSortBit input_sort_bit"},
}


def _rows(table: dict[str, dict[str, str]], module: str) -> dict[str, str]:
    """What the table has for each of a module's names."""
    return {n: key for key, names in table.get(module, {}).items() for n in names.split()}


def of(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module: looked at for names that it does not define."""
    package, _, own = module.rpartition(".")
    borrowed, lacking = _rows(BORROWED, own), _rows(LACKING, own)

    def found(name: str) -> Any:
        if name in borrowed:
            return getattr(importlib.import_module(f"{package}.{borrowed[name]}"), name)
        if name in lacking:
            raise NotImplementedError(f"{own}.{name}: {lacking[name]}")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return found
