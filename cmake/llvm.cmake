# LLVM 22 as the interface library cpl_llvm, found through llvm-config. CPL_LLVM_CONFIG names another one.
#
# Static by default: what ends up in libcpl.so then needs glibc alone. zlib and zstd come as archives too; libz3 and libxml2,
# which LLVM's packages name, are used by parts of LLVM that no JIT reaches, so they are left out.

set(CPL_LLVM_COMPONENTS x86codegen x86asmparser nvptxcodegen spirvcodegen passes orcjit orcdebugging irreader bitreader bitwriter linker)

find_program(CPL_LLVM_CONFIG NAMES llvm-config-22 llvm-config PATHS /usr/lib/llvm-22/bin
             DOC "llvm-config of LLVM 22")
if(NOT CPL_LLVM_CONFIG)
  message(FATAL_ERROR "LLVM 22 was not found: install llvm-22-dev (./dev setup does) or set CPL_LLVM_CONFIG")
endif()

function(cpl_llvm_query out)
  execute_process(COMMAND ${CPL_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE error
                  RESULT_VARIABLE rc OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(rc)
    message(FATAL_ERROR "${CPL_LLVM_CONFIG} ${ARGN}: ${error}")
  endif()
  string(REGEX REPLACE "[ \n]+" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

cpl_llvm_query(CPL_LLVM_VERSION --version)
if(NOT CPL_LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "LLVM 22 is needed, ${CPL_LLVM_CONFIG} is ${CPL_LLVM_VERSION}")
endif()
cpl_llvm_query(CPL_LLVM_INCLUDE --includedir)
cpl_llvm_query(CPL_LLVM_BIN --bindir)

add_library(cpl_llvm INTERFACE)
if(CPL_LLVM_SHARED)
  cpl_llvm_query(libs --link-shared --libfiles)
  target_link_libraries(cpl_llvm INTERFACE ${libs} m)
else()
  cpl_llvm_query(libs --link-static --libfiles ${CPL_LLVM_COMPONENTS})
  cpl_llvm_query(system --link-static --system-libs ${CPL_LLVM_COMPONENTS})
  foreach(name z zstd)
    if("-l${name}" IN_LIST system)
      find_library(CPL_LIB_${name} NAMES lib${name}.a)
      if(NOT CPL_LIB_${name})
        message(FATAL_ERROR "lib${name}.a was not found: install its -dev package (./dev setup does)")
      endif()
      list(APPEND libs ${CPL_LIB_${name}})
    endif()
  endforeach()
  target_link_libraries(cpl_llvm INTERFACE ${libs} m dl)
  # A sanitizer's run-time library is linked dynamically and brings a libstdc++ of its own.
  target_link_options(cpl_llvm INTERFACE -static-libstdc++ -static-libgcc)
endif()
message(STATUS "LLVM ${CPL_LLVM_VERSION} from ${CPL_LLVM_CONFIG}")
