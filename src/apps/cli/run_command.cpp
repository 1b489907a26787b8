// politex run: read, check, make, drive, and tell.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <optional>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/outside.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/engine.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/summary.hpp"
#include "politex/lab/toml.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;

struct Prepared {
  lab::Config config;
  std::unique_ptr<lab::Run> run;               // of the rank that speaks
  std::unique_ptr<neural::ActingRank> acting;  // of the others
  std::optional<lab::RunDirectory> directory;
};

lab::Config read_new(const RunArguments& arguments, bool speaking) {
  if (arguments.file.empty())
    throw ConfigError{"FILE", "is missing; accepted: politex run FILE [key=value ...], or politex run --resume DIR"};
  lab::ReadConfig read = lab::read_config(arguments.file, arguments.overrides);
  for (const std::string& warning : read.warnings)
    if (speaking) tell(warning);
  return read.config;
}

// A run goes on, or is finished, with its own settings; what changes no bit may be said anew.
lab::Config read_resumed(const RunArguments& arguments, const lab::RunDirectory& directory) {
  const fs::path file = directory.file("config.toml");
  std::vector<std::string> overrides = arguments.overrides;
  if (!arguments.file.empty()) overrides.insert(overrides.begin(), arguments.file);  // key=value: there is no FILE
  lab::Config config = lab::read_config(file, overrides).config;
  if (overrides.empty()) return config;
  const auto differ = lab::differences(lab::read_config(file).config, config);
  if (!differ.empty())
    throw ConfigError{arguments.resume, fmt::format("has another configuration (there, now): {}; to run this one: "
                                                    "politex run {} with these keys",
                                                    fmt::join(differ, "; "), file.string())};
  return config;
}

void refuse_out(const RunArguments& arguments) {
  if (!arguments.resume.empty() && !arguments.out.empty())
    throw ConfigError{"--out", "does not go with --resume: the run goes on in its own directory"};
}

// The other ranks need not see the directory: the configuration comes from rank 0.
void read(const RunArguments& arguments, Fleet* fleet, Prepared& prepared) {
  const bool resume = !arguments.resume.empty();
  together(fleet, [&] {
    refuse_out(arguments);
    if (resume && speaks(fleet)) prepared.directory = lab::RunDirectory::open(arguments.resume);
    if (prepared.directory)
      prepared.config = read_resumed(arguments, *prepared.directory);
    else if (!resume)
      prepared.config = read_new(arguments, speaks(fleet));
  });
  if (!several(fleet)) return;
  if (!resume) require_same(fleet, "configuration", lab::to_toml(prepared.config));
  const std::string text = to_text(fleet->broadcast(to_bytes(speaks(fleet) ? lab::to_toml(prepared.config) : "")));
  prepared.config = lab::build_config(lab::parse_toml(text, "the configuration of rank 0")).config;
}

void tell_of_ranks(const lab::Config& config, const Fleet& fleet) {
  const int together = lab::environments_together(config);
  const std::int64_t idle = fleet.size() - 1 - config.actors.environments / together;
  if (fleet.size() == 1) tell("one rank: it learns and acts by itself, as without mpirun");
  if (idle > 0)
    tell(fmt::format("{} ranks have nothing to do: actors.environments is {}{}", idle, config.actors.environments,
                     together > 1 ? fmt::format(", and {} are stepped together", together) : ""));
}

// Everything that can be wrong with the input is found before the directory is made.
Prepared prepare(const RunArguments& arguments, Fleet* fleet) {
  Prepared prepared;
  read(arguments, fleet, prepared);
  const lab::Config& config = prepared.config;
  together(fleet, [&] {
    if (several(fleet) && !lab::is_neural(config))
      throw ConfigError{
          "algorithm.name",
          fmt::format("\"{}\" runs in one process; accepted under mpirun: the neural learners, or politex "
                      "sweep for many runs",
                      config.algorithm.name)};
    if (!speaks(fleet))
      prepared.acting = lab::make_acting_rank(config, *fleet);
    else if (lab::is_neural(config))
      prepared.run = lab::make_neural_run(config, fleet);
    else
      prepared.run = lab::make_run(config);
  });
  together(fleet, [&] {
    if (!speaks(fleet) || prepared.directory) return;
    if (!arguments.out.empty())
      prepared.directory = lab::RunDirectory::create(arguments.out);
    else if (!arguments.json)
      prepared.directory = lab::RunDirectory::create_numbered(fs::path(arguments.file).stem().string(), config.seed);
  });
  if (fleet != nullptr && speaks(fleet) && lab::is_neural(config)) tell_of_ranks(config, *fleet);
  return prepared;
}

void refuse_changes(const RunArguments& arguments) {
  refuse_out(arguments);
  if (arguments.file.empty() && arguments.overrides.empty()) return;
  read_resumed(arguments, lab::RunDirectory::open(arguments.resume));
}

int tell_finished(const fs::path& directory, bool json) {
  const std::string summary = read_file("summary.json", (directory / "summary.json").string());
  if (!json) tell(fmt::format("the run in {} is finished; its summary:", directory.string()));
  print_out(summary);
  return 0;
}

int tell_interrupted(const Prepared& prepared, int signal) {
  if (prepared.directory)
    tell(fmt::format("stopped after {} steps; to go on: politex run --resume {}", prepared.run->steps_done(),
                     shell_word(prepared.directory->path().string())));
  else
    tell("stopped; nothing was written, so there is nothing to resume (give --out DIR for that)");
  return 128 + signal;
}

std::optional<lab::Summary> drive(const Prepared& prepared, const lab::EngineOptions& options) {
  try {
    return lab::drive(*prepared.run, prepared.config, options);
  } catch (const LostRank& error) {
    if (!prepared.directory) throw;
    throw LostRank(fmt::format("{}; to go on, with any number of ranks: politex run --resume {}", error.what(),
                               shell_word(prepared.directory->path().string())));
  } catch (const OutsideError& error) {
    if (!prepared.directory) throw;
    throw OutsideError(fmt::format("{}\nto go on from the last checkpoint: politex run --resume {}", error.what(),
                                   shell_word(prepared.directory->path().string())));
  }
}

}  // namespace

int run_command(const RunArguments& arguments, Fleet* fleet) {
  const bool resume = !arguments.resume.empty();
  bool finished = resume && lab::finished_summary(arguments.resume).has_value();
  if (several(fleet)) finished = fleet->broadcast({std::byte{finished}}).front() != std::byte{0};
  if (finished) {
    together(fleet, [&] {
      if (speaks(fleet)) refuse_changes(arguments);
    });
    return speaks(fleet) ? tell_finished(arguments.resume, arguments.json) : 0;
  }
  const Prepared prepared = prepare(arguments, fleet);

  const StopSignals signals;
  if (fleet != nullptr) fleet->watch(&signals.caught());
  together(fleet, [] {});  // no rank begins before every rank can be told to stop
  if (prepared.acting) {
    prepared.acting->serve();  // through signals: the learner says when it has saved
    return 0;
  }
  const neural::Dismissal dismissal(fleet);
  lab::LiveLine line(arguments.quiet);
  lab::EngineOptions options;
  options.directory = prepared.directory ? &*prepared.directory : nullptr;
  options.resume = resume;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &signals.caught();
  options.progress = [&](const lab::ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  const std::optional<lab::Summary> summary = drive(prepared, options);
  line.close();
  if (!summary) return tell_interrupted(prepared, signals.caught());

  for (const std::string& warning : summary->warnings) tell("warning: " + warning);
  std::string text = arguments.json ? lab::summary_json(*summary) : lab::summary_text(*summary);
  if (!arguments.json && prepared.directory)
    text += fmt::format("written to         {}\n", prepared.directory->path().string());
  print_out(text);
  return 0;
}

}  // namespace politex::cli
