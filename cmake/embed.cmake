# Files that become part of the program: dygraphs from the distribution, our scripts from src/apps/web, and the server of
# environments. Each becomes a constant with its SHA-256, so that a strict Content-Security-Policy can name it.
find_path(DYGRAPHS_DIR dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH REQUIRED)

# embed_files(HEADER ROOM NAME=FILE...): generated/<room>_assets.cpp defines the functions that HEADER declares.
function(embed_files header room)
  set(constants "")
  set(functions "")
  foreach(asset ${ARGN})
    string(REPLACE "=" ";" parts ${asset})
    list(GET parts 0 name)
    list(GET parts 1 file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} bytes HEX)
    file(SHA256 ${file} hash)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND constants "constexpr unsigned char ${name}_bytes[] = {${bytes}};\n")
    string(APPEND functions "Asset ${name}() {\n  return {{reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes}, \"${hash}\"};\n}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${room}_assets.cpp @ONLY CONTENT
"// Made by cmake/embed.cmake.
#include \"${header}\"

namespace politex::inline ${room} {
namespace {
${constants}}  // namespace

${functions}
}  // namespace politex::inline ${room}
")
endfunction()

set(web ${PROJECT_SOURCE_DIR}/src/apps/web)
embed_files(politex/process/serve_env.hpp process serve_env_py=${PROJECT_SOURCE_DIR}/src/apps/python/politex/serve_env.py)
embed_files(politex/report/assets.hpp report dygraph_js=${DYGRAPHS_DIR}/dygraph.min.js dygraph_css=${DYGRAPHS_DIR}/dygraph.min.css
            cartpole_js=${web}/cartpole.js view_js=${web}/view.js report_js=${web}/report.js report_css=${web}/report.css pictures_js=${web}/pictures.js
            dashboard_js=${web}/dashboard.js)

# Files of experiments/, as two tables of run/shipped.hpp: every <figure>/<variant>.toml, and the files that their
# environments read.
set(experiments_directory ${PROJECT_SOURCE_DIR}/experiments)
file(GLOB experiment_files RELATIVE ${experiments_directory} CONFIGURE_DEPENDS ${experiments_directory}/*/*.toml)
file(GLOB experiment_inputs RELATIVE ${experiments_directory} CONFIGURE_DEPENDS ${experiments_directory}/*/*.json
                                                                                ${experiments_directory}/*/networks/*.toml)
set(experiment_texts "")
set(experiment_functions "")
set(experiment_number 0)
foreach(kind experiments experiment_inputs)
  if(kind STREQUAL experiments)
    set(files ${experiment_files})
  else()
    set(files ${experiment_inputs})
  endif()
  list(SORT files)
  string(APPEND experiment_functions "std::span<const Experiment> ${kind}() {\n  static const Experiment all[] = {\n")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${experiments_directory}/${file})
    file(READ ${experiments_directory}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND experiment_texts "constexpr unsigned char text_${experiment_number}[] = {${bytes}};\n")
    string(APPEND experiment_functions "      {\"${file}\", {reinterpret_cast<const char*>(text_${experiment_number}), sizeof text_${experiment_number}}},\n")
    math(EXPR experiment_number "${experiment_number} + 1")
  endforeach()
  string(APPEND experiment_functions "  };\n  return all;\n}\n\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/run_assets.cpp @ONLY CONTENT
"// Made by cmake/embed.cmake.
#include \"politex/run/shipped.hpp\"

namespace politex::inline run {
namespace {
${experiment_texts}}  // namespace

${experiment_functions}}  // namespace politex::inline run
")
