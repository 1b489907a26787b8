// politex run: reads and checks the input, makes the run, drives it, and prints its summary.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <optional>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/block.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/neural_run.hpp"
#include "politex/run/summary.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;

struct Prepared {
  Config config;
  std::unique_ptr<Run> run;                    // on rank 0
  std::unique_ptr<neural::ActingRank> acting;  // on the other ranks
  std::optional<RunDirectory> directory;
};

Config read_new(const RunArguments& arguments, bool speaking) {
  if (arguments.file.empty())
    throw ConfigError{"FILE", "missing; accepted: politex run FILE [key=value ...], or politex run --resume DIR"};
  ReadConfig read = read_config(arguments.file, arguments.overrides);
  for (const std::string& warning : read.warnings)
    if (speaking) print_message(warning);
  return read.config;
}

// A run resumes with its own settings; only settings that do not affect results may be changed, and the solver.
Config read_resumed(const RunArguments& arguments, const RunDirectory& directory,
                    Compared fixed = Compared::other_keys) {
  const fs::path file = directory.file("config.toml");
  std::vector<std::string> overrides = arguments.overrides;
  if (!arguments.file.empty())
    overrides.insert(overrides.begin(), arguments.file);  // it is key=value, because --resume takes no FILE
  Config config = read_config(file, overrides).config;
  if (overrides.empty()) return config;
  const auto differ = differences(read_config(file).config, config, fixed);
  if (!differ.empty())
    throw ConfigError{arguments.resume,
                      fmt::format("has another configuration (there, now): {}; to start a run with the new one: "
                                  "politex run {} with these keys",
                                  fmt::join(differ, "; "), file.string())};
  return config;
}

void refuse_out(const RunArguments& arguments) {
  if (!arguments.resume.empty() && !arguments.out.empty())
    throw ConfigError{"--out", "cannot be used with --resume: the run resumes in its own directory"};
}

// The other ranks need not see the directory: the configuration comes from rank 0.
void read(const RunArguments& arguments, Fleet* fleet, Prepared& prepared) {
  const bool resume = !arguments.resume.empty();
  together(fleet, [&] {
    refuse_out(arguments);
    if (resume && speaks(fleet)) prepared.directory = RunDirectory::open(arguments.resume);
    if (prepared.directory)
      prepared.config = read_resumed(arguments, *prepared.directory);
    else if (!resume)
      prepared.config = read_new(arguments, speaks(fleet));
  });
  if (!several(fleet)) return;
  if (!resume) require_same(fleet, "configuration", to_toml(prepared.config));
  const std::string text = to_text(fleet->broadcast(to_bytes(speaks(fleet) ? to_toml(prepared.config) : "")));
  prepared.config = build_config(parse_toml(text, "the configuration of rank 0")).config;
}

void print_rank_notes(const Config& config, const Fleet& fleet) {
  const int together = environments_together(config);
  const std::int64_t idle = fleet.size() - 1 - config.whole("actors.environments") / together;
  if (fleet.size() == 1) print_message("there is only one rank: it learns and acts, as without mpirun");
  if (idle > 0)
    print_message(fmt::format("{} ranks are idle: actors.environments is {}{}", idle,
                              config.whole("actors.environments"),
                              together > 1 ? fmt::format(", and {} are stepped together", together) : ""));
}

// Checks all input before the directory is created.
Prepared prepare(const RunArguments& arguments, Fleet* fleet) {
  Prepared prepared;
  read(arguments, fleet, prepared);
  const Config& config = prepared.config;
  together(fleet, [&] {
    if (several(fleet) && !learner_of(config).networks)
      throw ConfigError{"algorithm.name",
                        fmt::format("\"{}\" runs in one process; accepted under mpirun: neural learners, or politex "
                                    "sweep for many runs",
                                    config.text("algorithm.name"))};
    if (!speaks(fleet))
      prepared.acting = make_acting_rank(config, *fleet);
    else
      prepared.run = make_run(config, {.fleet = fleet});
  });
  together(fleet, [&] {
    if (!speaks(fleet) || prepared.directory) return;
    if (!arguments.out.empty())
      prepared.directory = RunDirectory::create(arguments.out);
    else if (!arguments.json)
      prepared.directory = RunDirectory::create_numbered(fs::path(arguments.file).stem().string(), config.seed);
  });
  if (fleet != nullptr && speaks(fleet) && learner_of(config).networks) print_rank_notes(config, *fleet);
  return prepared;
}

void refuse_changes(const RunArguments& arguments) {
  refuse_out(arguments);
  if (arguments.file.empty() && arguments.overrides.empty()) return;
  read_resumed(arguments, RunDirectory::open(arguments.resume), Compared::all_keys);
}

int print_finished(const fs::path& directory, bool json) {
  const std::string summary = read_file("summary.json", (directory / "summary.json").string());
  if (!json) print_message(fmt::format("the run in {} is already finished; its summary:", directory.string()));
  print_out(summary);
  return 0;
}

int print_interrupted(const Prepared& prepared, int signal) {
  if (prepared.directory)
    print_message(fmt::format("stopped after {} steps; to resume: politex run --resume {}", prepared.run->steps_done(),
                              shell_word(prepared.directory->path().string())));
  else
    print_message("stopped; nothing was written, so the run cannot be resumed (use --out DIR to make that possible)");
  return 128 + signal;
}

std::optional<Summary> drive(const Prepared& prepared, const EngineOptions& options) {
  try {
    return drive(*prepared.run, prepared.config, options);
  } catch (const LostRank& error) {
    if (!prepared.directory) throw;
    throw LostRank(fmt::format("{}; to resume, with any number of ranks: politex run --resume {}", error.what(),
                               shell_word(prepared.directory->path().string())));
  } catch (const WriteError& error) {
    if (!prepared.directory) throw;
    throw WriteError(fmt::format("{}\nto resume when there is space: politex run --resume {}", error.what(),
                                 shell_word(prepared.directory->path().string())));
  } catch (const NotConverged& error) {
    if (!prepared.directory) throw;
    throw NotConverged(fmt::format(
        "{}\nto resume from the last checkpoint with another solver: politex run --resume {} algorithm.solver=sparse",
        error.what(), shell_word(prepared.directory->path().string())));
  } catch (const ExternalError& error) {
    if (!prepared.directory) throw;
    throw ExternalError(fmt::format("{}\nto resume from the last checkpoint: politex run --resume {}", error.what(),
                                    shell_word(prepared.directory->path().string())));
  }
}

}  // namespace

int run_command(const RunArguments& arguments, Fleet* fleet) {
  const bool resume = !arguments.resume.empty();
  bool finished = resume && finished_summary(arguments.resume).has_value();
  if (several(fleet)) finished = fleet->broadcast({std::byte{finished}}).front() != std::byte{0};
  if (finished) {
    together(fleet, [&] {
      if (speaks(fleet)) refuse_changes(arguments);
    });
    return speaks(fleet) ? print_finished(arguments.resume, arguments.json) : 0;
  }
  const Prepared prepared = prepare(arguments, fleet);

  const StopSignals signals;
  if (fleet != nullptr) fleet->watch(&signals.caught());
  together(fleet, [] {});  // no rank starts before every rank handles signals
  if (prepared.acting) {
    prepared.acting->serve();  // continues after signals: the learner ends it after saving
    return 0;
  }
  const neural::Dismissal dismissal(fleet);
  LiveLine line(arguments.quiet);
  EngineOptions options;
  options.directory = prepared.directory ? &*prepared.directory : nullptr;
  options.resume = resume;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &signals.caught();
  options.progress = [&](const ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  const std::optional<Summary> summary = drive(prepared, options);
  line.close();
  if (!summary) return print_interrupted(prepared, signals.caught());

  for (const std::string& warning : summary->warnings) print_message("warning: " + warning);
  std::string text = arguments.json ? summary_json(*summary) : summary_text(*summary);
  if (!arguments.json && prepared.directory)
    text += fmt::format("written to         {}\n", prepared.directory->path().string());
  print_out(text);
  return 0;
}

}  // namespace politex::cli
