// summary.json: the result of a run.
#pragma once

#include <string>

#include "politex/run/run.hpp"

namespace politex::inline run {

/// One JSON object with the keys of the contract; numbers that are not finite become null.
std::string summary_json(const Summary& summary);

/// A few lines for the terminal.
std::string summary_text(const Summary& summary);

}  // namespace politex::inline run
