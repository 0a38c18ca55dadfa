# What goes wrong around the library: memory, the disk, other processes, other threads. CPL_TEST_FULL=1 takes the rounds that ./dev trust wants.

# What these make fail they reach through the linker.
cpl_unit_test(fault_alloc fault_alloc.c fault_alloc_modules.c fault_alloc_launches.c fault_alloc_algorithms.c trail.c FOLDERS all)
target_link_options(unit_fault_alloc PRIVATE -Wl,--wrap=mem_realloc,--wrap=mem_zalloc,--wrap=mem_strdup)
cpl_unit_test(fault_io fault_io.c FOLDERS all)
foreach(call openat read write close fstat fstatat mkdir renameat unlinkat futimens getrandom fdopendir readdir closedir)
  target_link_options(unit_fault_io PRIVATE -Wl,--wrap=${call})
endforeach()
cpl_unit_test(fault_cache fault_cache.c FOLDERS all)
cpl_unit_test(fault_kill fault_kill.c FOLDERS all)
cpl_unit_test(fault_bounds fault_bounds.c)
cpl_unit_test(bounds_loops bounds_loops.c)
cpl_unit_test(fault_process fault_process.c)
cpl_unit_test(fault_fork fault_fork.c)
cpl_unit_test(fault_race fault_race.c)
cpl_unit_test(fault_soak fault_soak.c)
if(CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT CPL_TSAN) # whose memory lies where it lies
  cpl_unit_test(fault_far fault_far.c)
endif()
cpl_unit_test(fault_args fault_args.c)
cpl_unit_test(fault_same fault_same.c)
cpl_unit_test(fault_builder fault_builder.c)
target_include_directories(unit_fault_builder PRIVATE ${PROJECT_SOURCE_DIR}) # op.def
