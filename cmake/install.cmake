# `cmake --install`: the program, the library, its headers, and what find_package(politex) reads.
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/politex)

# The static library keeps its private dependencies' symbols open; Eigen, nlohmann-json and Random123 are headers only.
if(NOT POLITEX_PORTABLE)
  target_link_libraries(politex_core PRIVATE $<INSTALL_INTERFACE:tomlplusplus>)
  target_link_libraries(politex_lab PRIVATE $<INSTALL_INTERFACE:cpp-httplib>)
elseif(NOT POLITEX_SHARED_LIBRARY)
  install(TARGETS politex_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP)
endif()

install(TARGETS politex politex_lab politex_neural politex_core politex_cli politex_mpi EXPORT politex ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/politex FILES_MATCHING PATTERN "*.hpp" PATTERN apps EXCLUDE
        PATTERN mpi EXCLUDE)
install(FILES src/apps/main_with.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/politex/apps)
install(EXPORT politex NAMESPACE politex:: DESTINATION ${package_directory})
configure_package_config_file(cmake/politex-config.cmake.in ${PROJECT_BINARY_DIR}/politex-config.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/politex-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/politex-config.cmake ${PROJECT_BINARY_DIR}/politex-config-version.cmake
        DESTINATION ${package_directory})

# `cpack -G DEB`: a package with the libraries that it needs as dependencies. scripts/release makes it of the portable build
# of the wheel, so that it is installed on Debian 12 and on newer ones.
set(CPACK_PACKAGE_NAME politex)
set(CPACK_PACKAGE_CONTACT "The politex maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libfmt-dev, zlib1g-dev")  # for programs with environments of their own
set(CPACK_STRIP_FILES ON)
include(CPack)
