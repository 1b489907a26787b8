// Scripts and styles of the reports, embedded in the program (cmake/embed.cmake).
#pragma once

#include <initializer_list>
#include <string>

#include "politex/base/asset.hpp"

namespace politex::inline report {

Asset dygraph_js();
Asset dygraph_css();
Asset cartpole_js();
Asset view_js();
Asset report_js();
Asset report_css();
Asset pictures_js();
Asset dashboard_js();

/// 'sha256-...', the form in which a Content-Security-Policy allows an inline script.
std::string csp_hash(const Asset& asset);
/// For the head of a page that is one file: no script runs but these, and nothing is loaded from elsewhere.
std::string csp_meta(std::initializer_list<Asset> scripts);

}  // namespace politex::inline report
