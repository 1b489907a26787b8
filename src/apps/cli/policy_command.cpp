// politex policy export: a policy in a form that runs without politex.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/output_file.hpp"
#include "politex/evaluate/policy_export.hpp"
#include "politex/network/onnx.hpp"
#include "politex/network/safetensors.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;

std::string network_bytes(const std::string& policy, bool onnx) {
  const fs::path file = fs::is_directory(policy) ? fs::path(policy) / "network.safetensors" : fs::path(policy);
  if (!fs::exists(file))
    throw ConfigError{"POLICY",
                      fmt::format("\"{}\" does not exist; accepted: a network file, or the directory of a run "
                                  "with networks",
                                  file.string())};
  std::string bytes = read_file("POLICY", file.string());
  const NetworkFile file_of_network =
      from_safetensors("POLICY", file.string(), bytes);  // refuses what is not a network
  return onnx ? to_onnx("--to", file_of_network.network) : bytes;
}

std::string exported(const PolicyArguments& arguments) {
  const bool onnx = arguments.format == "onnx";
  if (onnx || arguments.format == "safetensors") return network_bytes(arguments.policy, onnx);
  return exported_text(read_exported_table(arguments.policy), arguments.format);
}

}  // namespace

int policy_command(const PolicyArguments& arguments) {
  write_atomically(arguments.out, exported(arguments));
  return 0;
}

}  // namespace politex::cli
