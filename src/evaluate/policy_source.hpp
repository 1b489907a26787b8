// From what the user names to a policy: a name of the catalogue, a policy file, or the directory of a run.
#pragma once

#include <memory>

#include "politex/policy/explorer.hpp"
#include "politex/run/named_policy.hpp"

namespace politex::inline evaluate {

/// As read_named_policy; the text may also be the directory of a run. Throws ConfigError.
std::shared_ptr<const Explorer> read_policy_source(const PolicyRequest& request);

}  // namespace politex::inline evaluate
