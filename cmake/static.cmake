# libcpl.a (option CPL_STATIC): one object with everything that libcpl.so has, LLVM's part included. All names in it but cpl_* are
# local, so that neither our own nor LLVM's meet those of the program, which may hold another LLVM. What is left to find is the C and C++
# libraries: target_link_libraries(... cpl::cpl_static), or the words that cpl.pc has for `pkg-config --static` (docs/building.md).
# test/install/static tries it.

if(CPL_LLVM_SHARED OR CPL_ASAN OR CPL_TSAN OR NOT CPL_LLD OR NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "CPL_STATIC takes LLVM's static libraries, lld and objcopy, and no sanitizer")
endif()
set(linked ${CMAKE_BINARY_DIR}/static/linked.o)
set(hidden ${CMAKE_BINARY_DIR}/static/cpl.o)

# As for libcpl.so: LLVM's static objects are not destroyed (guard.c). Groups of sections would be told apart by names that are local
# afterwards, and taken for the program's own of the same name.
get_target_property(libraries cpl_llvm INTERFACE_LINK_LIBRARIES)
list(FILTER libraries INCLUDE REGEX "\\.a$")
add_custom_command(OUTPUT ${linked}
  COMMAND ${CPL_LLD} -r --force-group-allocation --wrap=__cxa_atexit -o ${linked} ${CPL_OBJECTS} ${libraries}
  DEPENDS ${CPL_OBJECTS} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking all of libcpl.a to one object")
# The hash in the section cpl_build tells one build from another in keys of the cache: identity.c.
add_custom_command(OUTPUT ${hidden}
  COMMAND ${CMAKE_COMMAND} -DFILE=${linked} -P ${CMAKE_CURRENT_LIST_DIR}/hash.cmake
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=cpl_* --update-section cpl_build=${linked}.hash ${linked} ${hidden}
  DEPENDS ${linked} ${CMAKE_CURRENT_LIST_DIR}/hash.cmake VERBATIM COMMENT "Hiding what is not the interface of libcpl.a")

add_library(cpl_static STATIC ${hidden})
add_library(cpl::cpl_static ALIAS cpl_static)
set_source_files_properties(${hidden} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(cpl_static PROPERTIES OUTPUT_NAME cpl LINKER_LANGUAGE C ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_include_directories(cpl_static INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(CPL_STATIC_NEEDS stdc++ m dl pthread)
target_link_libraries(cpl_static INTERFACE ${CPL_STATIC_NEEDS})
install(TARGETS cpl_static EXPORT cpl ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
