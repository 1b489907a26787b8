// From what the user names to a policy: a name of the catalogue, a policy file, or the directory of a run.
#pragma once

#include <memory>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/run/config.hpp"

namespace politex::inline evaluate {

/// For whom a policy is read. `config` is the environment's.
struct PolicyRequest {
  std::string key;   // the argument, for messages: "POLICY", "--against"
  std::string text;  // NAME, NAME:VALUE, a file or a directory
  const Config& config;
  const Space& space;
  const FiniteModel* model = nullptr;  // where the environment is finite
};

/// Throws ConfigError that names the key, the file, and what is accepted: no such policy, or one for another
/// environment.
std::shared_ptr<const Explorer> read_policy_source(const PolicyRequest& request);

}  // namespace politex::inline evaluate
