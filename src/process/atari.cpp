#include "politex/process/atari.hpp"

#include <fmt/format.h>

#include "politex/process/external.hpp"
#include "politex/process/serve_env.hpp"

namespace politex::inline process {
namespace {

struct AtariOptions {
  enum class Observation { ram, pixels };
  std::string game = "ms_pacman";
  Observation observation = Observation::ram;
  std::int64_t frame_skip = 4;
  double sticky = 0.25;
  std::int64_t noops = 30;
  bool life_loss = true;
  std::int64_t frames = 108'000;
};

Keys atari_keys() {
  return Keys{
             key<&AtariOptions::game>("environment.game",
                                      "a game of the Arcade Learning Environment, by the name of its file", text()),
             key<&AtariOptions::observation>(
                 "environment.observation", "what the learner sees of the game",
                 word({{"ram", "the console's 128 bytes"},
                       {"pixels", "four gray pictures of 84 x 84: the maximum of two frames each"}})),
             key<&AtariOptions::frame_skip>("environment.frame_skip", "frames per step: the action is repeated",
                                            whole(1, 60)),
             key<&AtariOptions::sticky>("environment.sticky",
                                        "probability, in each frame, that the console repeats the previous action",
                                        number(0, 1)),
             key<&AtariOptions::noops>("environment.noops",
                                       "maximum number of random no-op frames at the start; 0: none", whole(0, 1000)),
             key<&AtariOptions::life_loss>(
                 "environment.life_loss", "a lost life ends the value of what came before; the game continues", flag()),
             key<&AtariOptions::frames>("environment.frames", "time limit of a game in frames (truncation)",
                                        whole(1, 1e9))} +
         python_keys() + external_keys();
}

ProcessSettings atari_server(const Values& values) {
  const auto options = read<AtariOptions>(atari_keys(), values);
  ProcessSettings settings;
  settings.command = python_server(values);
  const std::vector<std::string> words = {
      std::string(atari_entry().name),
      fmt::format("game={}", options.game),
      fmt::format("observation={}", options.observation == AtariOptions::Observation::ram ? "ram" : "pixels"),
      fmt::format("frame_skip={}", options.frame_skip),
      fmt::format("sticky={}", options.sticky),
      fmt::format("noops={}", options.noops),
      fmt::format("life_loss={}", options.life_loss),
      fmt::format("frames={}", options.frames)};
  settings.command.insert(settings.command.end(), words.begin(), words.end());
  settings.script = serve_env_py().text;
  settings.name = options.game;
  return settings;
}

std::unique_ptr<EnvironmentBlock> atari_block(const Values& values, const BlockRequest& request) {
  return start_server(atari_server(values), values, request);
}

}  // namespace

const EnvironmentEntry& atari_entry() {
  static const EnvironmentEntry entry{
      .name = "atari",
      .help = "a game of the Arcade Learning Environment, in processes of its own: game",
      .keys = atari_keys(),
      .keys_with_networks = processes_keys(),
      .block = atari_block,
      .external = true};
  return entry;
}

}  // namespace politex::inline process
