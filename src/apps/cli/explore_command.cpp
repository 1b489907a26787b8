// politex explore: learn an exploration policy and write it to a file that explorer.file can name.
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/engine.hpp"
#include "politex/lab/goal_run.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/summary.hpp"
#include "signals.hpp"

namespace politex::cli {

namespace fs = std::filesystem;

int explore_command(const ExploreArguments& arguments) {
  const lab::ReadConfig read = lab::read_config(arguments.file, arguments.overrides);
  for (const std::string& warning : read.warnings) tell(warning);
  const std::string& trainer = read.config.algorithm.name;
  if (trainer != "dqn" && trainer != "goals")
    throw ConfigError{"algorithm.name",
                      fmt::format("\"{}\" trains no exploration policy; accepted: dqn, goals", trainer)};
  const fs::path out = arguments.out.empty()
                           ? fs::path("results") /
                                 fmt::format("{}-{}.policy", fs::path(arguments.file).stem().string(), read.config.seed)
                           : fs::path(arguments.out);
  if (fs::is_directory(out))
    throw ConfigError{"--out", fmt::format("{} is a directory; accepted: a file", out.string())};
  std::unique_ptr<lab::Run> run;
  std::function<std::string()> policy_file;
  if (trainer == "goals") {
    auto goals = lab::make_goal_run(read.config);
    policy_file = [it = goals.get()] { return it->policy_file(); };
    run = std::move(goals);
  } else {
    auto network = std::make_unique<lab::NeuralRun>(read.config);
    policy_file = [it = network.get()] { return it->policy_file(); };
    run = std::move(network);
  }

  lab::LiveLine line(arguments.quiet);
  const StopSignals signals;
  lab::EngineOptions options;
  options.stop = &signals.caught();
  options.progress = [&](const lab::ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  const auto summary = lab::drive(*run, read.config, options);
  line.close();
  if (!summary) {
    tell("stopped; no policy was written");
    return 128 + signals.caught();
  }
  if (out.has_parent_path()) fs::create_directories(out.parent_path());
  lab::write_atomically(out, policy_file());
  lab::write_atomically(out.string() + ".json", lab::summary_json(*summary));
  print_out(lab::summary_text(*summary) +
            fmt::format("policy             {} (its summary: {}.json)\n", out.string(), out.string()));
  return 0;
}

}  // namespace politex::cli
