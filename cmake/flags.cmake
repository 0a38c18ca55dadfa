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
  add_link_options(-fsanitize=address,undefined)
elseif(CPL_TSAN)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

# GNU ld takes a minute over LLVM's static libraries, lld two seconds. GCC knows the name "lld" but no version of it,
# so the folder of LLVM 22's comes first in its search path (-B).
add_library(cpl_link_flags INTERFACE)
target_link_options(cpl_link_flags INTERFACE -Wl,--as-needed -Wl,--gc-sections)
find_program(CPL_LLD NAMES ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
find_program(CPL_LLD NAMES ld.lld)
if(CPL_LLD)
  get_filename_component(dir ${CPL_LLD} DIRECTORY)
  target_link_options(cpl_link_flags INTERFACE -fuse-ld=lld -B${dir})
endif()
