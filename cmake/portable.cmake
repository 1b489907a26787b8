# POLITEX_PORTABLE: programs that need no package of the distribution (scripts/wheel). fmt, tomlplusplus and cpp-httplib are
# compiled in from their headers, and all of politex is one shared library, which the program and the Python module share.
# The loader takes the library from glibc-hwcaps/x86-64-v3 where the processor has these instructions, else the other one.

# Debian's httplib.h is only half of it: the other half is in a library that needs OpenSSL and brotli.
set(HTTPLIB_INCLUDE "" CACHE PATH "directory of a complete httplib.h (scripts/wheel takes it from the Debian source package)")
if(NOT EXISTS ${HTTPLIB_INCLUDE}/httplib.h)
  message(FATAL_ERROR "POLITEX_PORTABLE needs HTTPLIB_INCLUDE, the directory of a complete httplib.h; scripts/wheel sets it")
endif()
add_library(httplib_header INTERFACE)
target_include_directories(httplib_header SYSTEM INTERFACE ${HTTPLIB_INCLUDE})
add_library(PkgConfig::httplib ALIAS httplib_header)
set(POLITEX_FMT fmt::fmt-header-only)
set(POLITEX_LIBRARY_NAME politex-${PROJECT_VERSION})

# politex_shared: every object of the static libraries and of the program, with only our own names visible. A build of the
# module takes one that is built already: it is the same for every Python.
set(POLITEX_SHARED_LIBRARY "" CACHE FILEPATH "politex_shared, built before from the same sources")
function(politex_shared_library)
  if(POLITEX_SHARED_LIBRARY)
    set_target_properties(politex_core politex_neural politex_lab politex_mpi politex_cli PROPERTIES EXCLUDE_FROM_ALL ON)
    add_library(politex_shared SHARED IMPORTED GLOBAL)
    set_target_properties(politex_shared PROPERTIES IMPORTED_LOCATION ${POLITEX_SHARED_LIBRARY})
    politex_use_of_shared()
    return()
  endif()
  set(parts politex_core politex_neural politex_lab politex_mpi politex_cli)
  list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(politex_shared SHARED ${objects})
  set_target_properties(politex_shared PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${POLITEX_LIBRARY_NAME})
  target_link_libraries(politex_shared PRIVATE z)
  politex_use_of_shared()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/visible_names CONTENT "{ global: *politex*; local: *; };\n")
  target_link_options(politex_shared PRIVATE -s -Wl,-Bsymbolic,--gc-sections,--version-script=${PROJECT_BINARY_DIR}/generated/visible_names)
endfunction()

# What a program or module that links politex_shared is compiled with.
function(politex_use_of_shared)
  target_include_directories(politex_shared INTERFACE $<TARGET_PROPERTY:politex_core,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_features(politex_shared INTERFACE cxx_std_20)
  target_compile_options(politex_shared INTERFACE ${POLITEX_NUMERIC_FLAGS})
  target_link_libraries(politex_shared INTERFACE Threads::Threads ${POLITEX_FMT})
endfunction()

# Into the wheel: the library for any x86-64 (POLITEX_SHARED_LIBRARY), the one for x86-64-v3 (POLITEX_V3_LIBRARY), and the
# licences of what they contain.
set(POLITEX_V3_LIBRARY "" CACHE FILEPATH "the same library, built for x86-64-v3")
function(politex_install_portable)
  install(FILES ${POLITEX_SHARED_LIBRARY} DESTINATION politex/lib COMPONENT python)
  if(POLITEX_V3_LIBRARY)
    install(FILES ${POLITEX_V3_LIBRARY} DESTINATION politex/lib/glibc-hwcaps/x86-64-v3 COMPONENT python)
  endif()
  set_target_properties(politex_module PROPERTIES INSTALL_RPATH "$ORIGIN/lib" LINK_FLAGS -s)
  # Where the package may be, seen from the program: in a virtual environment or under a prefix, or beside pip's --target.
  set(places "")
  foreach(version 10 11 12 13 14)
    foreach(packages lib/python3.${version}/site-packages lib64/python3.${version}/site-packages lib/python3.${version}/dist-packages)
      list(APPEND places "$ORIGIN/../${packages}/politex/lib")
    endforeach()
  endforeach()
  set_target_properties(politex_program PROPERTIES INSTALL_RPATH "${places};$ORIGIN/../politex/lib" LINK_FLAGS -s)
  foreach(package libfmt-dev libtomlplusplus-dev libcpp-httplib-dev nlohmann-json3-dev libeigen3-dev librandom123-dev libcli11-dev
                  libjs-dygraphs)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION politex/licences COMPONENT python RENAME ${package} OPTIONAL)
  endforeach()
endfunction()
