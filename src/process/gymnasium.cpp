#include "politex/process/gymnasium.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/process/external.hpp"
#include "politex/process/serve_env.hpp"

namespace politex::inline process {
namespace {

struct GymnasiumOptions {
  std::string id, options;
  std::int64_t episode = 0;
};

Keys gymnasium_keys() {
  return Keys{key<&GymnasiumOptions::id>("environment.id", "its name: Acrobot-v1, or module:Name-v0 of your own",
                                         text()),
              key<&GymnasiumOptions::options>("environment.options",
                                              "arguments of gymnasium.make: key=value, separated by spaces", text()),
              time_limit_key<&GymnasiumOptions::episode>()} +
         python_keys() + external_keys();
}

ProcessSettings gymnasium_server(const Values& values) {
  const auto options = read<GymnasiumOptions>(gymnasium_keys(), values);
  if (options.id.empty())
    throw ConfigError{"environment.id",
                      "is missing; accepted: the name of a Gymnasium environment, such as Acrobot-v1"};
  ProcessSettings settings;
  settings.command = python_server(values);
  settings.command.push_back(options.id);
  add_words(settings.command, options.options);
  if (options.episode > 0) settings.command.push_back(fmt::format("max_episode_steps={}", options.episode));
  settings.script = serve_env_py().text;
  settings.name = options.id;
  return settings;
}

std::unique_ptr<EnvironmentBlock> gymnasium_block(const Values& values, const BlockRequest& request) {
  return start_server(gymnasium_server(values), values, request);
}

}  // namespace

const EnvironmentEntry& gymnasium_entry() {
  static const EnvironmentEntry entry{
      .name = "gymnasium",
      .help = "any Gymnasium environment with Discrete actions, in processes of its own: id",
      .keys = gymnasium_keys(),
      .keys_with_networks = processes_keys(),
      .block = gymnasium_block,
      .external = true};
  return entry;
}

}  // namespace politex::inline process
