// Scripts and styles of the reports, embedded in the program (cmake/embed.cmake).
#pragma once

#include <string>

#include "politex/base/asset.hpp"

namespace politex::inline report {

Asset dygraph_js();
Asset dygraph_css();
Asset cartpole_js();
Asset report_js();
Asset pictures_js();
Asset dashboard_js();

/// 'sha256-...', the form in which a Content-Security-Policy allows an inline script.
std::string csp_hash(const Asset& asset);

}  // namespace politex::inline report
