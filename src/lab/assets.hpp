// The scripts and styles of the reports and the server of environments, put into the program at build time
// (cmake/embed.cmake).
#pragma once

#include <string>
#include <string_view>

namespace politex::lab {

struct Asset {
  std::string_view text;
  std::string_view sha256;  // hexadecimal
};

Asset dygraph_js();
Asset dygraph_css();
Asset cartpole_js();
Asset report_js();
Asset pictures_js();
Asset dashboard_js();
Asset serve_env_py();

/// 'sha256-...' as a Content-Security-Policy names an inline script.
std::string csp_hash(const Asset& asset);

}  // namespace politex::lab
