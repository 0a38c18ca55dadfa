# What `cmake --install` puts where: headers, library, tool, cpl.pc and the CMake package (find_package(cpl) -> cpl::cpl).

install(DIRECTORY include/cpl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(TARGETS cplrt cplrt_threads EXPORT cpl ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cpl EXPORT cpl
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(cplc PROPERTIES INSTALL_RPATH $ORIGIN/${from_bin})
install(TARGETS cplc DESTINATION ${CMAKE_INSTALL_BINDIR})
add_custom_target(installed) # all of the build that it takes
add_dependencies(installed cpl cplc cplrt cplrt_threads)
if(TARGET cpl_static)
  add_dependencies(installed cpl_static)
endif()
install(FILES tools/cplc/cplc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE THIRD_PARTY.txt CHANGELOG.md docs/language.md docs/stability.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES tools/cplc/cplc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cplc)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cpl)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cpl-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT cpl NAMESPACE cpl:: FILE cpl-config.cmake DESTINATION ${package_dir})
install(FILES ${CMAKE_BINARY_DIR}/cpl-config-version.cmake DESTINATION ${package_dir})

# cpl.pc finds its prefix from its own place, so the installed tree can be moved.
file(RELATIVE_PATH CPL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" CPL_PC_PREFIX "${CPL_PC_PREFIX}")
list(TRANSFORM CPL_STATIC_NEEDS PREPEND "-l" OUTPUT_VARIABLE CPL_PC_PRIVATE) # with libcpl.a
list(JOIN CPL_PC_PRIVATE " " CPL_PC_PRIVATE)
configure_file(cmake/cpl.pc.in ${CMAKE_BINARY_DIR}/cpl.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cpl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
