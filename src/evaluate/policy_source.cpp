#include "politex/evaluate/policy_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/evaluate/run_policy.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/heuristics/heuristic_explorer.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/file_explorer.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/parts.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline evaluate {
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
  config.set("explorer.name", request.text.substr(0, at));
  const ExplorerEntry& entry = explorer_of(config);
  if (at != std::string::npos) {
    if (entry.keys.empty())
      throw ConfigError{"", fmt::format("\"{}\" takes no value; accepted: {}", request.text, entry.name)};
    config.set(entry.keys.front().name, value_from_text(entry.keys.front(), request.text.substr(at + 1)));
  }
  return make_explorer(config, request.space, request.model, std::string(environment_of(config).name));
}

std::shared_ptr<const Explorer> from_file(const PolicyRequest& request, const std::string& file) {
  return read_explorer(file, request.space,
                       request.config.brings_environment ? "" : std::string(environment_of(request.config).name));
}

std::shared_ptr<const Explorer> from_directory(const PolicyRequest& request) {
  const fs::path directory = request.text;
  for (const char* name : {final_policy_file, "explorer.policy"})
    if (fs::exists(directory / name)) return from_file(request, (directory / name).string());
  return read_run_policy(request.key, directory, request.space, std::string(environment_of(request.config).name));
}

std::shared_ptr<const Explorer> find_policy(const PolicyRequest& request) {
  std::error_code ignored;
  if (fs::is_directory(request.text, ignored)) return from_directory(request);
  if (fs::exists(request.text, ignored)) return from_file(request, request.text);
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

std::shared_ptr<const Explorer> read_policy_source(const PolicyRequest& request) {
  try {
    return find_policy(request);
  } catch (const ConfigError& error) {
    if (error.key() == request.key) throw;
    throw ConfigError{request.key, without_key(error)};
  }
}

}  // namespace politex::inline evaluate
