// Any bytes as a log of a policy, of listed states and of observations: rejected, or rows within their ranges.
// reader: src/evaluate/log_file.cpp
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/evaluate/log_evaluation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const politex::LogRow& row : politex::parse_log(text, "fuzz.csv", 4, 3))
      if (row.state < 0 || row.state >= 4 || row.next < 0 || row.next >= 4 || row.action < 0 || row.action >= 3 ||
          !std::isfinite(row.cost))
        std::abort();
  } catch (const politex::ConfigError&) {
  }
  try {
    const politex::ObservationLog log = politex::parse_observation_log(text, "fuzz.csv", 2, 3);
    const std::size_t rows = log.action.size();
    if (log.cost.size() != rows || log.before.size() != 2 * rows || log.after.size() != 2 * rows) std::abort();
    for (std::size_t i = 0; i < 2 * rows; ++i)
      if (!std::isfinite(log.before[i]) || !std::isfinite(log.after[i])) std::abort();
    for (const int action : log.action)
      if (action < 0 || action >= 3) std::abort();
  } catch (const politex::ConfigError&) {
  }
  return 0;
}
