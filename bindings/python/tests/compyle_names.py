"""The public names of Compyle 0.9.1's modules, those that they import of each other among them; of
the modules that need pycuda and cupy what their texts define."""

NAMES = {
    "api": (
        "ArgumentParser Array CConverter CStructHelper Config Cython CythonGenerator Elementwise "
        "ExtModule Extern Kernel KnownType LocalMem OpenCLConverter ProfileContext Reduction Scan "
        "annotate cast declare detect_type elementwise get_assigned get_config "
        "get_func_definition get_profile_info get_symbols get_unknown_names_and_calls has_node "
        "has_return named_profile ocl_detect_type print_profile profile profile2csv profile_ctx "
        "profile_kernel py2c set_config use_config wrap"
    ),
    "config": (
        "Config get_config set_config use_config"
    ),
    "array": (
        "AlignMultiple Array Elementwise Template add_elwise add_kernel align annotate arange "
        "argsort choose comparison_kernel comparison_template ctype_to_dtype cumsum declare diff "
        "diff_kernel dot dtype_to_ctype dtype_to_knowntype empty empty_like eq_elwise ge_elwise "
        "get_align_kernel get_allocator get_backend get_cl_sort_kernel get_config "
        "get_minmax_kernel gt_elwise inp_cumsum key_align_kernel knowntype_to_ctype le_elwise "
        "linspace lt_elwise make_collector_dtype maximum minimum minmax_collector_key "
        "minmax_operator_tpl minmax_tpl n_diff_elwise ne_elwise ones ones_like out_cumsum profile "
        "radix_sort sort_by_keys sub_elwise sum take take_bool take_bool_elwise take_bool_kernel "
        "take_elwise to_device trapz update_minmax_gpu where where_elwise where_kernel wrap "
        "wrap_array zeros zeros_like"
    ),
    "parallel": (
        "CythonGenerator Elementwise ElementwiseBase Reduction ReductionBase Scan ScanBase "
        "Transpiler convert_to_float_if_needed drop_duplicates dtype_to_ctype elementwise "
        "elementwise_cy_template get_common_cache_key get_config get_parallel_range profile "
        "reduction_cy_template scan_cy_single_thread_template scan_cy_template serial"
    ),
    "low_level": (
        "Array Cython Extern GDIM_0 GID_0 Kernel KnownType LDIM_0 LID_0 LocalMem Transpiler "
        "address atomic_dec atomic_inc cast ctype_to_dtype get_backend get_config local_barrier "
        "nogil parallel prange profile splay_cl"
    ),
    "types": (
        "BITS C_NP_TYPE_MAP KnownType NP_C_TYPE_MAP NP_TYPE_LIST TYPES Undefined annotate "
        "ctype_to_dtype declare double doublep dtype_to_ctype dtype_to_knowntype float_ floatp "
        "gdoublep get_declare_info gfloatp gintp glongp guintp gulongp int_ intp "
        "knowntype_to_ctype kwtype_to_annotation ldoublep lfloatp lintp llongp long_ longp luintp "
        "lulongp uint uintp ulong ulongp"
    ),
    "template": (
        "Template kwtype_to_annotation"
    ),
    "profile": (
        "ProfileContext get_config get_profile_info named_profile print_profile profile "
        "profile2csv profile_ctx profile_kernel"
    ),
    "utils": (
        "ArgumentParser get_config getsource getsourcelines print_profile"
    ),
    "extern": (
        "Extern get_extern_code printf"
    ),
    "sort": (
        "CythonGenerator OutputSortBit Scan Template Transpiler annotate "
        "convert_to_float_if_needed dtype_to_ctype get_config get_parallel_range input_sort_bit "
        "radix_sort"
    ),
    "jit": (
        "AnnotationHelper BITS BUILTINS CythonGenerator ElementwiseJIT Extern KnownType "
        "ReductionJIT ScanJIT Transpiler annotate dtype_to_ctype dtype_to_knowntype "
        "get_binop_return_type get_config get_ctype_from_arg get_declare_info get_signed_type "
        "getargspec getsourcelines kernel_cache_key_args kernel_cache_key_kwargs memoize_kernel "
        "profile"
    ),
    "transpiler": (
        "BUILTINS BUILTIN_SYMBOLS CUDAConverter CY_BUILTIN_SYMBOLS CodeBlock CodeGenerationError "
        "CythonGenerator ExtModule Extern OCL_BUILTIN_SYMBOLS OpenCLConverter Transpiler "
        "convert_to_float_if_needed filter_calls get_config get_extern_code "
        "get_external_symbols_and_calls get_unknown_names_and_calls getsourcelines "
        "literal_to_float"
    ),
    "translator": (
        "CConverter CStructHelper CUDAConverter CodeGenerationError KnownType OpenCLConverter "
        "Undefined all_numeric detect_type get_config get_declare_info getsource literal_to_float "
        "ocl_detect_pointer_base_type ocl_detect_type py2c"
    ),
    "cython_generator": (
        "CodeGenerationError CythonClassHelper CythonGenerator KnownType Undefined all_numeric "
        "condense_multiline_calls get_assigned get_config get_declare_info get_func_definition "
        "get_parallel_range getsourcelines has_return parse_declare"
    ),
    "ext_module": (
        "CONFIG_OPTS CaptureMultipleStreams ExtModule get_config get_config_file_opts "
        "get_ext_extension get_md5 get_openmp_flags get_platform_dir"
    ),
    "capture_stream": (
        "CaptureMultipleStreams CaptureStream get_ipython_capture"
    ),
    "ast_utils": (
        "NameLister SymbolParser get_assigned get_symbols get_unknown_names_and_calls has_node "
        "has_return"
    ),
    "opencl": (
        "DeviceWGSException SimpleKernel get_config get_context get_queue named_profile "
        "profile_kernel set_context set_queue"
    ),
    "cuda": (
        "GenericScanKernel ScanPerformanceWarning SourceModule dtype_to_c_struct "
        "get_arg_list_scalar_arg_dtypes match_dtype_to_c_struct parse_arg_list set_context"
    ),
    "thrust.sort": (
        "argsort"
    ),
}
