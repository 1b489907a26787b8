// Any bytes as a policy of two states and three actions: rejected, or written and read back to the same bits.
// reader: src/policy/policy_file.cpp
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/policy/policy_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<double> policy;
  try {
    policy = politex::parse_policy({reinterpret_cast<const char*>(data), size}, "explorer.file", "fuzz.policy", 2, 3);
  } catch (const politex::ConfigError&) {
    return 0;
  }
  if (politex::parse_policy(politex::policy_text(policy, 2, 3), "explorer.file", "again", 2, 3) != policy) std::abort();
  return 0;
}
