# The rooms of src/ as three libraries, each linked to the ones below it only, so that the linker guards the layers too:
#   politex_core    base to baselines, and the exact answers      politex_neural  networks and their learner
#   politex_lab     runs, records, reports, sweeps, figures, studies
# politex::politex is all of them, for programs and for find_package(politex).

# politex_library(NAME groups of rooms... [LINK libraries...]): the groups that take longest to compile come first
function(politex_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;GENERATED")
  set(sources "")
  foreach(group ${arg_UNPARSED_ARGUMENTS})
    politex_rooms(sources ${group} ${PROJECT_SOURCE_DIR}/src)
  endforeach()
  list(TRANSFORM arg_GENERATED PREPEND ${PROJECT_BINARY_DIR}/generated/)
  add_library(${name} STATIC ${sources} ${arg_GENERATED})
  string(REPLACE politex_ "" short ${name})
  add_library(politex::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_compile_options(${name} PUBLIC ${POLITEX_NUMERIC_FLAGS})
  target_compile_definitions(${name} PRIVATE EIGEN_DONT_PARALLELIZE POLITEX_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name} PUBLIC Threads::Threads ${POLITEX_FMT}
                        PRIVATE $<BUILD_INTERFACE:politex_warnings> $<BUILD_INTERFACE:Eigen3::Eigen>
                                $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> ${arg_LINK})
endfunction()

politex_library(politex_core exact+iterative+value+features+solvers algorithm+discovery+baselines env+tables+policy+heuristics+guard base+process settings GENERATED process_assets.cpp
                LINK z $<$<NOT:$<BOOL:${POLITEX_PORTABLE}>>:$<BUILD_INTERFACE:PkgConfig::tomlplusplus>>)
if(NOT POLITEX_PORTABLE)
  target_compile_definitions(politex_core PRIVATE TOML_HEADER_ONLY=0 TOML_SHARED_LIB=1)
endif()
target_include_directories(politex_core SYSTEM PRIVATE ${RANDOM123_INCLUDE})
politex_library(politex_neural network+replay+neural)
target_link_libraries(politex_neural PUBLIC politex_core)
politex_library(politex_lab page+report+theory+figures+studies watch+live+run+record+evaluate+sweep+serve bench GENERATED report_assets.cpp run_assets.cpp
                LINK $<BUILD_INTERFACE:PkgConfig::httplib>)
target_link_libraries(politex_lab PUBLIC politex_neural)

add_library(politex INTERFACE)
add_library(politex::politex ALIAS politex)
target_link_libraries(politex INTERFACE politex_lab)
