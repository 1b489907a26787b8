# Puts the scripts of the reports into the library: dygraphs from the distribution, ours from src/apps/web; and the server
# of environments. The bytes
# become a constant and a SHA-256 each, so that a strict Content-Security-Policy can name them.
find_path(DYGRAPHS_DIR dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH REQUIRED)

set(assets dygraph_js=${DYGRAPHS_DIR}/dygraph.min.js dygraph_css=${DYGRAPHS_DIR}/dygraph.min.css
           cartpole_js=${PROJECT_SOURCE_DIR}/src/apps/web/cartpole.js
           report_js=${PROJECT_SOURCE_DIR}/src/apps/web/report.js
           pictures_js=${PROJECT_SOURCE_DIR}/src/apps/web/pictures.js
           dashboard_js=${PROJECT_SOURCE_DIR}/src/apps/web/dashboard.js
           serve_env_py=${PROJECT_SOURCE_DIR}/src/apps/python/politex/serve_env.py)
set(generated "// Made by cmake/embed.cmake.\n#include \"politex/lab/assets.hpp\"\n\nnamespace politex::lab {\nnamespace {\n")
set(functions "")
foreach(asset ${assets})
  string(REPLACE "=" ";" parts ${asset})
  list(GET parts 0 name)
  list(GET parts 1 file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  file(SHA256 ${file} hash)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND generated "constexpr unsigned char ${name}_bytes[] = {${bytes}};\n")
  string(APPEND functions "Asset ${name}() {\n  return {{reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes}, \"${hash}\"};\n}\n")
endforeach()
string(APPEND generated "}  // namespace\n\n${functions}\n}  // namespace politex::lab\n")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/assets.cpp CONTENT "${generated}" @ONLY)
