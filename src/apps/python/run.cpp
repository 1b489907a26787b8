// Whole runs: what `politex run` does, with the GIL released and Python's signals handled.
#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/summary.hpp"
#include "values.hpp"

namespace politex::python {
namespace {

namespace fs = std::filesystem;

// Looks for Ctrl-C a few dozen times a second from inside a loop that runs without the GIL.
class Signals {
 public:
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (stop_ != 0 || now - last_ < std::chrono::milliseconds(40)) return;
    last_ = now;
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return;
    error_.emplace();
    stop_ = SIGINT;
  }
  const std::atomic<int>& stop() const noexcept { return stop_; }
  /// With the GIL: raises what a handler raised; a KeyboardInterrupt says `instead`.
  void rethrow(const std::string& instead) {
    if (!error_) return;
    if (!instead.empty() && error_->matches(PyExc_KeyboardInterrupt)) {
      PyErr_SetString(PyExc_KeyboardInterrupt, instead.c_str());
      throw py::error_already_set();
    }
    throw py::error_already_set(*error_);
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<int> stop_ = 0;
  std::optional<py::error_already_set> error_;
};

struct RunSettings {
  std::optional<fs::path> file, out, resume;
  bool progress_bar = false;
  double checkpoint_seconds = 10.0;
};

ReadConfig read_run(const RunSettings& settings, const py::dict& overrides) {
  if (settings.file.has_value() == settings.resume.has_value())
    throw ConfigError{"file", "accepted: a configuration file, or resume= with the directory of a run"};
  if (settings.resume && settings.out)
    throw ConfigError{"out", "not accepted with resume: the run continues in its own directory"};
  const fs::path file = settings.file ? *settings.file : *settings.resume / "config.toml";
  std::vector<Assignment> assignments = read_assignments(file);
  const std::vector<Assignment> ours = assignments_of(overrides);
  assignments.insert(assignments.end(), ours.begin(), ours.end());
  return build_config(assignments);
}

std::string run(const RunSettings& settings, const py::dict& overrides, const py::function& say) {
  if (settings.resume && fs::exists(*settings.resume / "summary.json"))
    return read_file("resume", (*settings.resume / "summary.json").string());
  const ReadConfig read = read_run(settings, overrides);
  for (const std::string& warning : read.warnings) say(warning);
  Signals signals;
  std::optional<Summary> summary;
  std::string interrupted;
  {
    const py::gil_scoped_release release;
    const std::unique_ptr<Run> made = make_run(read.config);
    std::optional<RunDirectory> directory;
    if (settings.out) directory = RunDirectory::create(*settings.out);
    if (settings.resume) directory = RunDirectory::open(*settings.resume);
    LiveLine line(!settings.progress_bar);
    EngineOptions options;
    options.directory = directory ? &*directory : nullptr;
    options.resume = settings.resume.has_value();
    options.checkpoint_seconds = settings.checkpoint_seconds;
    options.stop = &signals.stop();
    options.progress = [&](const ProgressReport& report) {
      line.show(report);
      signals.look();
    };
    options.say = [&](const std::string& text) {
      const py::gil_scoped_acquire acquire;
      say(text);
    };
    summary = drive(*made, read.config, options);
    if (!summary && directory)
      interrupted = fmt::format("stopped after {} steps; to resume: politex.run(resume=\"{}\")", made->steps_done(),
                                directory->path().string());
  }
  signals.rethrow(interrupted);
  return summary_json(*summary);
}

}  // namespace

void register_run(py::module_& module) {
  module.def(
      "run",
      [](std::optional<fs::path> file, const py::dict& overrides, std::optional<fs::path> out,
         std::optional<fs::path> resume, bool progress_bar, double checkpoint_seconds, const py::function& say) {
        return run({std::move(file), std::move(out), std::move(resume), progress_bar, checkpoint_seconds}, overrides,
                   say);
      },
      py::arg("file"), py::arg("overrides"), py::arg("out"), py::arg("resume"), py::arg("progress_bar"),
      py::arg("checkpoint_seconds"), py::arg("say"), "The JSON that `politex run --json` prints.");
}

}  // namespace politex::python
