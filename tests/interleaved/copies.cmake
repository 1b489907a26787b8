# The copies of sources that test_interleaved compiles (copy.cmake). Their headers are found before those of src/.
set(copies "")
foreach(source replay/replay.hpp replay/replay.cpp neural/policy_refresh.hpp neural/policy_refresh.cpp
               neural/actor_threads.hpp neural/actor_threads.cpp neural/actors.hpp neural/actors.cpp
               neural/remote.hpp neural/remote.cpp sweep/sweep_run.cpp)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/interleaved_copies/politex/${source})
  add_custom_command(OUTPUT ${copy} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src/${source} -DCOPY=${copy}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/interleaved/copy.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/src/${source} ${CMAKE_CURRENT_SOURCE_DIR}/interleaved/copy.cmake)
  list(APPEND copies ${copy})
endforeach()
target_sources(test_interleaved PRIVATE ${copies})
target_include_directories(test_interleaved BEFORE PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/interleaved_copies)
# Small as it is, it is compiled file by file: names of copies and tests do not have to differ.
set_target_properties(test_interleaved PROPERTIES UNITY_BUILD OFF)
