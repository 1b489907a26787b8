// politex policy export: a policy in a form that runs without politex.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/output_file.hpp"
#include "politex/evaluate/policy_export.hpp"
#include "politex/network/safetensors.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;

std::string network_bytes(const std::string& policy) {
  const fs::path file = fs::is_directory(policy) ? fs::path(policy) / "network.safetensors" : fs::path(policy);
  if (!fs::exists(file))
    throw ConfigError{"POLICY",
                      fmt::format("\"{}\" does not exist; accepted: a network file, or the directory of a run "
                                  "with networks",
                                  file.string())};
  std::string bytes = read_file("POLICY", file.string());
  from_safetensors("POLICY", bytes);  // refuses what is not a network
  return bytes;
}

std::string exported(const PolicyArguments& arguments) {
  if (arguments.format == "safetensors") return network_bytes(arguments.policy);
  if (arguments.format == "csv") return policy_csv(read_exported_table(arguments.policy));
  if (arguments.format == "thresholds") return policy_thresholds(read_exported_table(arguments.policy));
  if (arguments.format == "c") return policy_c_header(read_exported_table(arguments.policy));
  throw ConfigError{"--to",
                    fmt::format("\"{}\" is not accepted; accepted: csv, thresholds, c, safetensors", arguments.format)};
}

}  // namespace

int policy_command(const PolicyArguments& arguments) {
  write_atomically(arguments.out, exported(arguments));
  return 0;
}

}  // namespace politex::cli
