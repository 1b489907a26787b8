#include "politex/lab/process_environment.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "politex/base/error.hpp"
#include "politex/lab/assets.hpp"

namespace politex::lab {
namespace {

void add_words(std::vector<std::string>& to, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) to.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string python_of(const EnvironmentConfig& config) {
  if (!config.python.empty()) return config.python;
  const char* chosen = std::getenv("POLITEX_PYTHON");  // NOLINT(concurrency-mt-unsafe): nothing here sets any
  return chosen != nullptr && *chosen != '\0' ? chosen : "python3";
}

std::vector<std::string> atari_options(const EnvironmentConfig& config) {
  return {"atari",
          fmt::format("game={}", config.game),
          fmt::format("observation={}", config.observation),
          fmt::format("frame_skip={}", config.frame_skip),
          fmt::format("sticky={}", config.sticky),
          fmt::format("noops={}", config.noops),
          fmt::format("life_loss={}", config.life_loss),
          fmt::format("frames={}", config.frames)};
}

std::vector<std::string> gymnasium_options(const EnvironmentConfig& config) {
  if (config.id.empty())
    throw ConfigError{"environment.id",
                      "is missing; accepted: the name of a Gymnasium environment, such as Acrobot-v1"};
  std::vector<std::string> words = {config.id};
  add_words(words, config.options);
  if (config.episode > 0) words.push_back(fmt::format("max_episode_steps={}", config.episode));
  return words;
}

}  // namespace

bool is_process_environment(std::string_view name) {
  return name == "gymnasium" || name == "atari" || name == "process";
}

std::unique_ptr<ProcessBlock> make_process_block(const EnvironmentConfig& config, std::uint64_t seed, int first,
                                                 int count, int processes) {
  ProcessSettings settings;
  settings.seed = seed;
  settings.first = first;
  settings.count = count;
  settings.processes = processes;
  settings.seconds = config.time_limit;
  if (config.name == "process") {
    add_words(settings.command, config.command);
    if (settings.command.empty())
      throw ConfigError{"environment.command",
                        "is missing; accepted: a program that serves environments (docs/environment-processes.md)"};
    settings.name = settings.command.front();
  } else {
    settings.command = {python_of(config), Child::script_path};
    const auto words = config.name == "atari" ? atari_options(config) : gymnasium_options(config);
    settings.command.insert(settings.command.end(), words.begin(), words.end());
    settings.script = serve_env_py().text;
    settings.name = config.name == "atari" ? config.game : config.id;
  }
  return std::make_unique<ProcessBlock>(std::move(settings));
}

}  // namespace politex::lab
