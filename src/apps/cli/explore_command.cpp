// politex explore: learns an exploration policy and writes it to a file for explorer.file.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/output_file.hpp"
#include "politex/record/engine.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/explorer_run.hpp"
#include "politex/run/run.hpp"
#include "politex/run/summary.hpp"
#include "signals.hpp"

namespace politex::cli {

namespace fs = std::filesystem;

int explore_command(const ExploreArguments& arguments) {
  const ReadConfig read = read_config(arguments.file, arguments.overrides);
  for (const std::string& warning : read.warnings) print_message(warning);
  const LearnerEntry& trainer = learner_of(read.config);
  // Of other learners, only the explorer is used: it learns alone.
  const bool alone = !trainer.trains_explorer;
  if (alone && !explorer_learns_alone(read.config))
    throw ConfigError{
        "algorithm.name",
        fmt::format("\"{}\" does not train an exploration policy; accepted: {}; in a finite environment "
                    "also any learner with an explorer that learns (explorer.name)",
                    trainer.name, learners_where([](const LearnerEntry& one) { return one.trains_explorer; }))};
  const fs::path out = arguments.out.empty()
                           ? fs::path("results") /
                                 fmt::format("{}-{}.policy", fs::path(arguments.file).stem().string(), read.config.seed)
                           : fs::path(arguments.out);
  if (fs::is_directory(out))
    throw ConfigError{"--out", fmt::format("{} is a directory; accepted: a file", out.string())};
  if (fs::exists(out))
    throw ConfigError{"--out",
                      fmt::format("{} exists already; accepted: a new name, or delete it first", out.string())};
  const std::unique_ptr<Run> run = alone ? make_explorer_run(read.config) : make_run(read.config);

  // Its directory exists until the policy is written, so that the same command resumes.
  if (out.has_parent_path()) fs::create_directories(out.parent_path());
  const fs::path place = out.string() + ".run";
  const bool begun = holds_run(place);
  const RunDirectory directory = begun ? RunDirectory::open(place) : RunDirectory::create(place);
  LiveLine line(arguments.quiet);
  const StopSignals signals;
  EngineOptions options;
  options.directory = &directory;
  options.resume = begun;
  options.stop = &signals.caught();
  options.progress = [&](const ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  const auto summary = drive(*run, read.config, options);
  line.close();
  if (!summary) {
    print_message(fmt::format("stopped after {} steps; no policy was written; to resume, rerun the same command",
                              run->steps_done()));
    return 128 + signals.caught();
  }
  write_atomically(out.string() + ".json", summary_json(*summary));
  write_atomically(out, run->policy_file());
  std::error_code ignored;
  fs::remove_all(place, ignored);
  print_out(summary_text(*summary) +
            fmt::format("policy             {} (its summary: {}.json)\n", out.string(), out.string()));
  return 0;
}

}  // namespace politex::cli
