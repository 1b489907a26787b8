# The recipes of docs/guide as patches on the tree: test_recipes links the library with the new files of
# examples/recipes and with patched catalogues, which replace the ones in the library. Included, not a
# subdirectory: generated sources belong to the directory of their target.
find_program(POLITEX_TEST_PYTHON python3 HINTS /usr/bin REQUIRED)
set(recipes ${PROJECT_SOURCE_DIR}/examples/recipes)

foreach(recipe environment explorer features learner figure)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${recipes}/${recipe}/src/*.cpp)
  target_sources(test_recipes PRIVATE ${sources})
  set(include ${CMAKE_CURRENT_BINARY_DIR}/recipes/${recipe})
  file(MAKE_DIRECTORY ${include})
  file(CREATE_LINK ${recipes}/${recipe}/src ${include}/politex SYMBOLIC)
  target_include_directories(test_recipes PRIVATE ${include})
endforeach()

function(patched_catalogue room)
  list(TRANSFORM ARGN PREPEND ${recipes}/ OUTPUT_VARIABLE patches)
  list(TRANSFORM patches APPEND /catalogue.patch)
  set(source ${PROJECT_SOURCE_DIR}/src/${room}/catalogue.cpp)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/recipes/${room}_catalogue.cpp)
  set(script ${PROJECT_SOURCE_DIR}/tests/recipes/apply_patches.py)
  add_custom_command(OUTPUT ${out} DEPENDS ${source} ${patches} ${script}
                     COMMAND ${POLITEX_TEST_PYTHON} ${script} ${source} ${out} ${patches})
  target_sources(test_recipes PRIVATE ${out})
endfunction()
patched_catalogue(run environment explorer features learner)
patched_catalogue(studies figure)

# Two files of the same names would be one in a unity build.
set_target_properties(test_recipes PROPERTIES UNITY_BUILD OFF)

add_test(NAME house.recipes COMMAND ${POLITEX_TEST_PYTHON} ${PROJECT_SOURCE_DIR}/tests/house/recipes_test.py
                                    ${PROJECT_SOURCE_DIR})
set_tests_properties(house.recipes PROPERTIES LABELS house TIMEOUT 120)
