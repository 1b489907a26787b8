// politex run: read, check, make, drive, and tell.
#include <fmt/format.h>

#include <csignal>
#include <optional>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/engine.hpp"
#include "politex/lab/summary.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;

struct Prepared {
  lab::Config config;
  std::unique_ptr<lab::Run> run;
  std::optional<lab::RunDirectory> directory;
};

void tell(const std::string& text) { fmt::print(stderr, "politex: {}\n", text); }

// Everything that can be wrong with the input is found before the directory is made.
Prepared prepare_new(const RunArguments& arguments) {
  if (arguments.file.empty())
    throw ConfigError{"FILE", "is missing; accepted: politex run FILE [key=value ...], or politex run --resume DIR"};
  lab::ReadConfig read = lab::read_config(arguments.file, arguments.overrides);
  for (const std::string& warning : read.warnings) tell(warning);
  Prepared prepared{.config = read.config, .run = lab::make_run(read.config), .directory = std::nullopt};
  if (!arguments.out.empty())
    prepared.directory = lab::RunDirectory::create(arguments.out);
  else if (!arguments.json)
    prepared.directory = lab::RunDirectory::create_numbered(fs::path(arguments.file).stem().string(), read.config.seed);
  return prepared;
}

Prepared prepare_resumed(const RunArguments& arguments) {
  if (!arguments.out.empty())
    throw ConfigError{"--out", "does not go with --resume: the run goes on in its own directory"};
  std::vector<std::string> overrides = arguments.overrides;
  if (!arguments.file.empty()) overrides.insert(overrides.begin(), arguments.file);  // key=value: there is no FILE
  lab::RunDirectory directory = lab::RunDirectory::open(arguments.resume);
  lab::ReadConfig read = lab::read_config(directory.file("config.toml"), overrides);
  return {.config = read.config, .run = lab::make_run(read.config), .directory = std::move(directory)};
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
                     prepared.directory->path().string()));
  else
    tell("stopped; nothing was written, so there is nothing to resume (give --out DIR for that)");
  return 128 + signal;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const bool resume = !arguments.resume.empty();
  std::error_code ignored;
  if (resume && fs::exists(fs::path(arguments.resume) / "summary.json", ignored))
    return tell_finished(arguments.resume, arguments.json);
  const Prepared prepared = resume ? prepare_resumed(arguments) : prepare_new(arguments);

  lab::LiveLine line(arguments.quiet);
  const StopSignals signals;
  lab::EngineOptions options;
  options.directory = prepared.directory ? &*prepared.directory : nullptr;
  options.resume = resume;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &signals.caught();
  options.progress = [&](const lab::ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  const std::optional<lab::Summary> summary = lab::drive(*prepared.run, prepared.config, options);
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
