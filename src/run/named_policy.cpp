#include "politex/run/named_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/heuristics/heuristic_explorer.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/file_explorer.hpp"
#include "politex/run/parts.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline run {
namespace {

namespace fs = std::filesystem;

/// Explorers that are policies from the first step.
std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const ExplorerEntry* one : explorers())
    if (one->make != nullptr && !one->needs_networks) names.push_back(one->name);
  return names;
}

/// The message of an error without its key, which names a key that the user did not write.
std::string without_key(const ConfigError& error) {
  const std::string text = error.what();
  return text.substr(std::min(text.size(), error.key().size() + 2));
}

/// "always:1" and "always 1": the entry `always` with its first key set.
std::shared_ptr<const Explorer> named(const PolicyRequest& request) {
  const std::size_t at = request.text.find_first_of(": ");
  Config config = request.config;
  config.set("algorithm.name", std::string(learners().front()->name));  // a learner with an explorer
  config.set("explorer.name", request.text.substr(0, at));
  const ExplorerEntry& entry = explorer_of(config);
  if (at != std::string::npos) {
    if (entry.keys.empty())
      throw ConfigError{"", fmt::format("\"{}\" takes no value; accepted: {}", request.text, entry.name)};
    config.set(entry.keys.front().name, value_from_text(entry.keys.front(), request.text.substr(at + 1)));
  }
  return make_explorer(config, request.space, request.model, std::string(environment_of(config).name));
}

std::shared_ptr<const Explorer> find_policy(const PolicyRequest& request) {
  std::error_code ignored;
  if (fs::is_regular_file(request.text, ignored)) return policy_of_file(request, request.text);
  const auto names = policy_names();
  const std::string name = request.text.substr(0, request.text.find_first_of(": "));
  if (std::ranges::find(names, name) != names.end()) return named(request);
  if (request.model != nullptr)
    if (const auto actions = named_heuristic(request.text, *request.model, request.key); actions)
      return explorer_of_actions(*actions, *request.model);
  throw ConfigError{
      "", fmt::format("\"{}\" is neither a policy nor a file; did you mean \"{}\"? Accepted: a policy "
                      "file, the directory of a run, one of {} (NAME:VALUE sets its first key), or a "
                      "heuristic where the environment is finite: {}",
                      request.text.substr(0, 200), nearest(name, names), fmt::join(names, ", "), heuristic_forms())};
}

}  // namespace

std::shared_ptr<const Explorer> policy_of_file(const PolicyRequest& request, const std::string& file) {
  return read_explorer(file, request.space,
                       request.config.brings_environment ? "" : std::string(environment_of(request.config).name));
}

std::shared_ptr<const Explorer> read_named_policy(const PolicyRequest& request) {
  try {
    return find_policy(request);
  } catch (const ConfigError& error) {
    if (error.key() == request.key) throw;
    throw ConfigError{request.key, without_key(error)};
  }
}

}  // namespace politex::inline run
