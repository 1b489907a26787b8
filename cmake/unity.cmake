# Unity builds: all files of a group of rooms are compiled as one (POLITEX_UNITY, on in every preset but `work` and
# `clang`). Headers are read and templates instantiated once per group, which takes less than half the time. Files compiled
# together see each other's names: names in anonymous namespaces are unique within a room; each room has a namespace.
option(POLITEX_UNITY "compile groups of rooms as one file: quicker as a whole, slower while working on one file" OFF)

# Always compiled alone: files with flags of their own; watch/regret.cpp and evaluate/table_simulation.cpp, which run in
# every step; and the two
# catalogues, so that a program can bring a longer one and link it instead (tests/recipes).
set(POLITEX_ALONE network/convolutions.cpp watch/regret.cpp evaluate/table_simulation.cpp settings/nearest.cpp run/catalogue.cpp studies/catalogue.cpp)
list(TRANSFORM POLITEX_ALONE PREPEND ${PROJECT_SOURCE_DIR}/src/)

# No code of these rooms runs inside a step, except files in POLITEX_ALONE, which keep -O3. -O1 compiles them in two thirds
# of the time. Rooms that use Eigen stay at -O3: at -O1 `exact` gives other last digits.
set(POLITEX_LIGHT_ROOMS settings watch live run record evaluate page report sweep theory figures studies serve cli)

add_library(politex_unity INTERFACE)
target_compile_options(politex_unity INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(POLITEX_UNITY)
  target_link_libraries(politex_warnings INTERFACE politex_unity)
endif()

# politex_rooms(OUT GROUP PARENT): appends to OUT what is to be compiled for a group of rooms ("run+record") in PARENT.
function(politex_rooms out group parent)
  string(REPLACE "+" ";" rooms ${group})
  list(TRANSFORM rooms PREPEND ${parent}/ OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns APPEND /*.cpp)
  file(GLOB_RECURSE room_files CONFIGURE_DEPENDS ${patterns})
  if(POLITEX_UNITY)
    set(together ${room_files})
    list(REMOVE_ITEM together ${POLITEX_ALONE})
    list(REMOVE_ITEM room_files ${together})
    if(together)
      list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"")
      list(JOIN together "\n" includes)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/rooms/${group}.cpp @ONLY CONTENT
"// Made by cmake/unity.cmake.
${includes}
")
      list(APPEND room_files ${PROJECT_BINARY_DIR}/generated/rooms/${group}.cpp)
    endif()
  endif()
  set(light ${room_files})
  list(REMOVE_ITEM light ${POLITEX_ALONE})
  list(REMOVE_ITEM rooms ${POLITEX_LIGHT_ROOMS})
  if(NOT rooms AND light)
    set_property(SOURCE ${light} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  endif()
  set(${out} ${${out}} ${room_files} PARENT_SCOPE)
endfunction()
