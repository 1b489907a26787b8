#include "politex/run/file_explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/network/safetensors.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/neural/network_explorer.hpp"
#include "politex/policy/explorer_entry.hpp"
#include "politex/policy/goal_explorer.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/policy/table_explorer.hpp"

namespace politex::inline run {
namespace {

constexpr const char* file_key = "explorer.file";

/// A policy file that was read, and for whom.
struct ReadFile {
  const std::string &name, &bytes;
  const Space& space;
  const std::string& environment;

  ConfigError refusal(const std::string& why) const { return {file_key, fmt::format("\"{}\" {}", name, why)}; }
  void check_trained_in(const std::string& trained_in) const {
    if (!environment.empty() && trained_in != environment)
      throw refusal(fmt::format("is an explorer of \"{}\"; accepted: one of {}", trained_in, environment));
  }
};

std::shared_ptr<const Explorer> goal_explorer(const ReadFile& file) {
  GoalPolicy policy = GoalPolicy::read(file_key, file.name, file.bytes);
  file.check_trained_in(policy.environment);
  const Space& space = file.space;
  const int inputs = static_cast<int>(space.numbers()), largest = std::max(policy.map.x, policy.map.y);
  if (policy.actions != space.actions || largest >= inputs)
    throw file.refusal(fmt::format("has {} actions and reads number {} of an observation; accepted: {} and up to {}",
                                   policy.actions, largest, space.actions, inputs - 1));
  constexpr double random_actions = 0.02;
  return std::make_shared<GoalExplorer>(std::move(policy), random_actions);
}

void check_shape(const Shape& shape, const ReadFile& file) {
  const neural::Observation input = neural::input_of(file.space);
  if (shape.inputs != input.inputs || shape.actions != file.space.actions)
    throw file.refusal(fmt::format("is a network of {} inputs and {} actions; accepted: {} and {}", shape.inputs,
                                   shape.actions, input.inputs, file.space.actions));
  if (const FrameStack& picture = shape.picture; picture.channels > 0 && picture != input.picture)
    throw file.refusal(fmt::format("is a network for pictures of {} x {} x {}; accepted: {} x {} x {}",
                                   picture.channels, picture.height, picture.width, input.picture.channels,
                                   input.picture.height, input.picture.width));
}

std::shared_ptr<const Explorer> network_explorer(const ReadFile& file) {
  const auto read = from_safetensors(file_key, file.name, file.bytes);
  const auto noted = [&](const char* name) {
    const auto it = read.metadata.find(name);
    return it == read.metadata.end() ? std::string() : it->second;
  };
  file.check_trained_in(noted("environment"));
  check_shape(read.network.shape(), file);
  const std::string text = noted("epsilon");
  double epsilon = 0.05;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), epsilon);
  if (problem != std::errc() || end != text.data() + text.size() || !(epsilon >= 0 && epsilon <= 1))
    throw file.refusal(fmt::format("has \"{}\" as its share of random actions; accepted: 0 to 1", text));
  return std::make_shared<neural::NetworkExplorer>(read.network, epsilon, file.space);
}

/// The first eight bytes of a network's file are a length, whose last bytes are 0.
bool is_network(const std::string& bytes) { return bytes.substr(0, 8).find('\0') != std::string::npos; }

}  // namespace

std::shared_ptr<const Explorer> read_explorer(const std::string& file, const Space& space,
                                              const std::string& environment) {
  if (file.empty())
    throw ConfigError{file_key, space.states > 0 ? "is missing; accepted: the path of a policy file"
                                                 : "is missing; accepted: a file that politex explore wrote"};
  const std::string bytes = read_file(file_key, file);
  const ReadFile read{.name = file, .bytes = bytes, .space = space, .environment = environment};
  if (is_goal_policy(bytes)) return goal_explorer(read);
  if (is_network(bytes)) return network_explorer(read);
  if (space.states == 0)
    throw read.refusal(
        fmt::format("is not a network{}, and the states of {} are not listed; accepted: a file that "
                    "politex explore wrote, or the network.safetensors of a run",
                    bytes.starts_with('{') ? " but a table over listed states" : "", space.name));
  PolicyTable table(space.states, space.actions);
  table.set(parse_policy(bytes, file_key, file, space.states, space.actions));
  return std::make_shared<TableExplorer>(std::move(table));
}

namespace {

struct FileExplorerOptions {
  std::string file;
};

}  // namespace

const ExplorerEntry& file_explorer_entry() {
  static const ExplorerEntry entry{
      .name = "file",
      .help = "a policy read from `file`",
      .keys = {key<&FileExplorerOptions::file>("explorer.file", "the policy file, such as politex explore writes",
                                               settings::file())},
      .make =
          [](const ExplorerRequest& request) {
            const auto options = read<FileExplorerOptions>(file_explorer_entry().keys, request.values);
            return read_explorer(options.file, request.space, request.environment);
          },
      .check =
          [](const Values& values, const Space*) {
            if (read<FileExplorerOptions>(file_explorer_entry().keys, values).file.empty())
              throw ConfigError{file_key, "is missing; accepted: a policy file, such as politex explore writes"};
          }};
  return entry;
}

}  // namespace politex::inline run
