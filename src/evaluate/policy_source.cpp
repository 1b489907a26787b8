#include "politex/evaluate/policy_source.hpp"

#include <filesystem>

#include "politex/base/error.hpp"
#include "politex/evaluate/run_policy.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/linear_run.hpp"

namespace politex::inline evaluate {

std::shared_ptr<const Explorer> read_policy_source(const PolicyRequest& request) {
  std::error_code ignored;
  const std::filesystem::path directory = request.text;
  if (!std::filesystem::is_directory(directory, ignored)) return read_named_policy(request);
  check_trained_in(request.key, directory, std::string(environment_of(request.config).name));
  for (const char* name : {final_policy_file, "explorer.policy", "network.safetensors"})
    if (std::filesystem::exists(directory / name)) {
      PolicyRequest file = request;
      file.text = (directory / name).string();
      return read_named_policy(file);
    }
  return read_run_policy(request.key, directory, request.space);
}

}  // namespace politex::inline evaluate
