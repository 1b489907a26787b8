// From what the user names to a policy: an explorer of the catalogue, a heuristic, or a policy file.
#pragma once

#include <memory>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/run/config.hpp"

namespace politex::inline run {

/// For whom a policy is read. `config` is the environment's.
struct PolicyRequest {
  std::string key;   // the argument, for messages: "POLICY", "--against"
  std::string text;  // NAME, NAME:VALUE, or a file
  const Config& config;
  const Space& space;
  const FiniteModel* model = nullptr;  // where the environment is finite
};

/// Throws ConfigError that names the key, the file, and what is accepted: no such policy, or one for another
/// environment.
std::shared_ptr<const Explorer> read_named_policy(const PolicyRequest& request);

/// The policy of a file: a table over listed states, a table of goals, a network.
std::shared_ptr<const Explorer> policy_of_file(const PolicyRequest& request, const std::string& file);

}  // namespace politex::inline run
