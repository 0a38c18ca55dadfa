# Warnings, sanitizers and the linker.

function(cpl_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -fno-strict-aliasing -ffunction-sections -fdata-sections)
endfunction()

# Sanitizers cover our own code and whatever the build makes; LLVM's libraries stay as they are.
if(CPL_ASAN AND CPL_TSAN)
  message(FATAL_ERROR "CPL_ASAN and CPL_TSAN exclude each other")
elseif(CPL_ASAN)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # What depends on a variable that nothing was put in is not what it is in other builds.
  add_compile_options(-ftrivial-auto-var-init=pattern)
  add_link_options(-fsanitize=address,undefined)
elseif(CPL_TSAN)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

# What the tests reach: ./dev trust counts branches with gcov. Assertions would be branches that no test takes.
if(CPL_COVERAGE)
  set(counted $<NOT:$<OR:$<STREQUAL:$<TARGET_PROPERTY:NAME>,cplrt>,$<STREQUAL:$<TARGET_PROPERTY:NAME>,cplrt_threads>>>) # which go into programs of others
  add_compile_options(-O0 -DNDEBUG $<${counted}:--coverage> $<${counted}:-fprofile-update=atomic>)
  add_link_options(--coverage)
endif()

# What tests run with. The sanitizers' guess at where a thread's dynamic TLS begins goes wrong for
# libomp's threads and ends the leak check with a fault of its own, so it stays off; tests ask for
# more memory than there is, and expect NULL. test/leaks.txt and test/races.txt: faults of others.
# ThreadSanitizer's ignore_noninstrumented_modules is of no use: what our own code does to memory and
# locks by way of functions of libc's would not be reported either.
# Threads of a team sleep while they wait: more tests run at once than there are cores, and one that spins keeps another's thread from
# the core that it waits for (unit.sort beside two busy processes on two cores: 53 s, 24 so).
# Code kept on disk by an earlier build must not answer for this one: tests of the cache set CPL_CACHE=1 and CPL_CACHE_DIR.
set(CPL_TEST_ENV
    "CPL_CACHE=0"
    "CPL_VERIFY=1"
    "KMP_BLOCKTIME=0"
    "CPL_TRUST_DIR=${CMAKE_BINARY_DIR}/trust"
    "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:intercept_tls_get_addr=0:allocator_may_return_null=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/leaks.txt:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/races.txt:allocator_may_return_null=1")

# GNU ld takes a minute over LLVM's static libraries, lld two seconds. GCC knows the name "lld" but no version of it,
# so the folder of LLVM 22's comes first in its search path (-B).
add_library(cpl_link_flags INTERFACE)
target_link_options(cpl_link_flags INTERFACE -Wl,--as-needed -Wl,--gc-sections)
find_program(CPL_LLD NAMES ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
find_program(CPL_LLD NAMES ld.lld)
if(CPL_LLD)
  get_filename_component(dir ${CPL_LLD} DIRECTORY)
  # LLVM's start-up code side by side, as GNU ld has it anyway: a tenth fewer page faults before main.
  target_link_options(cpl_link_flags INTERFACE -fuse-ld=lld -B${dir} -Wl,-z,keep-text-section-prefix)
endif()
