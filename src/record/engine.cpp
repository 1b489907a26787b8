#include "politex/record/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <set>

#include "politex/base/build_info.hpp"
#include "politex/base/content_check.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/record/curve_file.hpp"
#include "politex/record/records.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/inputs.hpp"
#include "politex/run/summary.hpp"

namespace politex::inline record {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string build_text() {
  const BuildInfo build = build_info();
  return fmt::format("{} {}, {}, {}", build.version, build.id, build.compiler, build.instruction_set);
}

// Reading the time can take longer than a phase, so it is read only about once per millisecond.
class Pace {
 public:
  explicit Pace(Clock::time_point now) : last_(now) {}
  bool due() noexcept { return ++count_ >= stride_; }
  Clock::time_point look() {
    const Clock::time_point now = Clock::now();
    const double passed = seconds_between(last_, now);
    if (passed < 0.5e-3)
      stride_ = std::min<std::int64_t>(stride_ * 2, 1 << 20);
    else if (passed > 2e-3)
      stride_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(stride_) * 1e-3 / passed));
    last_ = now;
    count_ = 0;
    return now;
  }

 private:
  Clock::time_point last_;
  std::int64_t stride_ = 1;
  std::int64_t count_ = 0;
};

class Engine {
 public:
  Engine(Run& run, const Config& config, const EngineOptions& options)
      : run_(run),
        config_(config),
        options_(options),
        label_(fmt::format("{} on {}", config.text("algorithm.name"), config.text("environment.name"))),
        config_text_(to_toml(config) + std::string(end_of_config)) {}

  std::optional<Summary> drive() {
    try {
      return begin_and_drive();
    } catch (const std::exception& error) {
      // The log explains why the directory has no summary. On a full disk this may fail too.
      if (records_ || summary_only())
        append_log(options_.directory->path(), fmt::format("failed: {}", reason_of(error)));
      throw;
    }
  }

 private:
  std::optional<Summary> begin_and_drive() {
    Records::Kept kept;
    if (options_.resume && !options_.summary_only) kept = restore();
    if (options_.directory != nullptr) open_records(kept);
    start_ = Clock::now();
    if (!loop()) return std::nullopt;
    return finish();
  }
  // Shows a message to the user and writes it to log.txt.
  void notify(const std::string& text) {
    if (options_.say) options_.say(text);
    if (records_)
      records_->log(text);
    else
      early_messages_.push_back(text);
  }
  std::filesystem::path config_file() const { return options_.directory->file("config.toml"); }
  std::filesystem::path checkpoints() const { return options_.directory->file("checkpoint"); }
  bool summary_only() const { return options_.directory != nullptr && options_.summary_only; }
  double elapsed(Clock::time_point now) const { return before_ + seconds_between(start_, now); }
  bool stopping() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed) != 0; }

  void open_records(Records::Kept kept) {
    if (!options_.resume || options_.summary_only) {
      if (const std::string inputs = inputs_text(config_); !inputs.empty())
        write_atomically(options_.directory->file(inputs_file), inputs, Wait::for_nothing);
      write_atomically(config_file(), config_text_, Wait::for_nothing);
      if (!options_.summary_only) make_checkpoint_directory(checkpoints());
    }
    if (options_.summary_only) return;
    kept.begun = !options_.directory->fresh();
    records_.emplace(options_.directory->path(), run_.columns(), config_.steps, run_.picture_frame(), kept);
    records_->log(options_.resume ? fmt::format("resumed after {} steps ({})", run_.steps_done(), build_text())
                                  : fmt::format("started ({})", build_text()));
    for (const std::string& text : early_messages_) records_->log(text);
    for (const std::string& file : records_->restarted_files())
      notify(fmt::format("{} was truncated; restarting it, its earlier content is lost", file));
  }

  // Newest first. A damaged checkpoint is reported and renamed, and the one before it is used. If none is left, the run
  // starts from scratch only where its caller said so: it gives the same bits, but may take days.
  Records::Kept restore() {
    const auto files = checkpoint_files(checkpoints());
    std::string unreadable;
    std::vector<std::filesystem::path> damaged;
    const auto set_aside = [&] {
      for (std::error_code ignored; const auto& file : damaged)
        std::filesystem::rename(file, file.string() + ".damaged", ignored);
    };
    for (const auto& file : files) {
      const bool last = file == files.back();
      try {
        const Checkpoint checkpoint = read_whole(file);
        const Records::Kept kept = restore_from(checkpoint);
        set_aside();
        return kept;
      } catch (const DamagedState& error) {  // the run is half restored
        throw Error(fmt::format("{}: {}. Nothing was changed; delete this file to use the checkpoint before it",
                                file.string(), error.what()));
      } catch (const DamagedCheckpoint& error) {
        if (last && unreadable.empty() && !options_.restart_damaged)
          throw Error(
              fmt::format("{}: {}; there is no other checkpoint. Nothing was changed; to start from scratch, "
                          "delete {}",
                          file.string(), error.what(), checkpoints().string()));
        notify(fmt::format("{}: {}; {}", file.string(), error.what(),
                           !last                ? "using the checkpoint before it"
                           : unreadable.empty() ? "there is no earlier checkpoint: restarting the run from scratch"
                                                : "there is no earlier checkpoint"));
        damaged.push_back(file);
      } catch (const UnreadableCheckpoint& error) {
        unreadable = fmt::format("{}: {}", file.string(), error.what());
        if (!last) notify(unreadable + "; using the checkpoint before it");
      }
    }
    if (!unreadable.empty())
      throw Error(fmt::format(
          "{}; nothing was changed. Resume with a version or as a user that can read it, or delete {} to start over",
          unreadable, checkpoints().string()));
    set_aside();
    check_inputs(options_.directory->path(), config_);
    return {};
  }

  Checkpoint read_whole(const std::filesystem::path& file) const {
    Checkpoint checkpoint = read_checkpoint(file);
    std::error_code error;
    const auto rows = std::filesystem::file_size(options_.directory->file("progress.csv"), error);
    if (error || static_cast<std::int64_t>(rows) < checkpoint.progress_bytes)
      throw DamagedCheckpoint("progress.csv is shorter than when this checkpoint was written");
    ContentCheck check(options_.directory->file("progress.csv"));
    if (checkpoint.progress_bytes < 0 || check.up_to(checkpoint.progress_bytes) != checkpoint.progress_check)
      throw DamagedCheckpoint("progress.csv was changed since this checkpoint was written");
    return checkpoint;
  }

  Records::Kept restore_from(const Checkpoint& checkpoint) {
    const auto differ = differences(build_config(parse_toml(checkpoint.config, "checkpoint")).config,
                                    build_config(parse_toml(config_text_, "config.toml")).config);
    if (!differ.empty())
      throw ConfigError{config_file().string(),
                        fmt::format("differs from the configuration of the checkpoint (checkpoint, now): {}",
                                    fmt::join(differ, "; "))};
    check_inputs(options_.directory->path(), config_);
    if (checkpoint.build != build_text())
      notify(fmt::format("the checkpoint was written by another build ({}): the bits may differ", checkpoint.build));
    ByteReader reader(checkpoint.state);
    run_.restore(reader);
    if (run_.steps_done() != checkpoint.steps) throw DamagedState("steps");
    if (!reader.empty()) throw DamagedState("it is longer than this run's");
    before_ = checkpoint.seconds;
    return {.progress = checkpoint.progress_bytes,
            .timing = checkpoint.timing_bytes,
            .events = checkpoint.events_bytes,
            .pictures = checkpoint.pictures_bytes,
            .steps = checkpoint.steps};
  }

  template <class Work>
  void of_run(const Work& work) const {
    try {
      work();
    } catch (const Error&) {
      if (options_.run_failed != nullptr) *options_.run_failed = true;
      throw;
    }
  }

  // Returns false if the run was stopped.
  bool loop() {
    Pace pace(start_);
    Clock::time_point saved = start_;
    Clock::time_point timed = start_;
    double pause = options_.checkpoint_seconds;
    first_steps_ = run_.steps_done();
    while (!run_.done()) {
      if (stopping()) {
        stop();
        return false;
      }
      of_run([&] { run_.advance(); });
      if (options_.curve && curve_.due(run_.steps_done())) curve_.add(curve_point());
      if (records_ && run_.row_due()) {
        run_.row(cells_);
        records_->row(cells_);
        picture_.clear();
        if (run_.picture(picture_)) records_->picture(picture_);
      }
      if (!pace.due()) continue;
      const Clock::time_point now = pace.look();
      report(now);
      if (!records_) continue;
      if (seconds_between(timed, now) >= 1.0) {
        records_->timing(run_.steps_done(), elapsed(now));
        records_->flush();  // readers such as the dashboard see new rows once per second
        timed = now;
      }
      if (seconds_between(saved, now) >= pause) {
        save(now, Wait::for_disk);
        saved = Clock::now();
        // On a slow disk checkpoints become rarer, so that waiting for the disk takes a small part of the run.
        if (options_.checkpoint_seconds > 0.0)
          pause = std::max(options_.checkpoint_seconds, 100.0 * seconds_between(now, saved));
      }
    }
    return true;
  }

  void report(Clock::time_point now) const {
    if (!options_.progress) return;
    const double seconds = seconds_between(start_, now);
    ProgressReport report;
    report.label = label_;
    report.steps = run_.steps_done();
    report.total = config_.steps;
    report.before = first_steps_;
    report.seconds = seconds;
    report.steps_per_second = seconds > 0.0 ? static_cast<double>(report.steps - first_steps_) / seconds : 0.0;
    report.average_cost = run_.average_cost();
    options_.progress(report);
  }

  void stop() {
    if (!records_) return;
    save(Clock::now(), Wait::for_disk);
    records_->log(fmt::format("stopped after {} steps", run_.steps_done()));
  }

  // The rows, the configuration, which is not synced at the start, and the names of both must be on disk before a
  // checkpoint or summary that relies on them.
  void sync_records() {
    if (!config_synced_) {
      sync_file(config_file());
      if (const auto inputs = options_.directory->file(inputs_file); std::filesystem::exists(inputs)) sync_file(inputs);
      sync_directory(options_.directory->path());
      sync_directory(options_.directory->path().parent_path());
    }
    config_synced_ = true;
    records_->sync();
  }

  void save(Clock::time_point now, Wait wait) {
    if (wait == Wait::for_disk)
      sync_records();
    else
      records_->flush();
    Checkpoint checkpoint;
    checkpoint.config = config_text_;
    checkpoint.build = build_text();
    checkpoint.steps = run_.steps_done();
    checkpoint.seconds = elapsed(now);
    checkpoint.progress_bytes = records_->size().progress;
    require_in_place();
    if (!content_) content_.emplace(options_.directory->file("progress.csv"));
    checkpoint.progress_check = content_->up_to(checkpoint.progress_bytes);
    checkpoint.timing_bytes = records_->size().timing;
    checkpoint.events_bytes = records_->size().events;
    checkpoint.pictures_bytes = records_->size().pictures;
    ByteWriter state;
    run_.save(state);
    checkpoint.state = state.bytes();
    write_checkpoint(checkpoints(), checkpoint, wait);
    run_.write_files(checkpoints());
  }

  // A deleted file takes what is written to it with it. Results depend on the rows alone.
  void require_in_place() {
    for (const std::filesystem::path& lost : records_->lost_files()) {
      const std::string text = fmt::format("{}: was deleted or replaced while the run wrote it", lost.string());
      if (lost.filename() == "progress.csv")
        throw Error(text + "; its rows are lost. Start the run again in a new directory");
      if (lost_.insert(lost.string()).second) notify(text + "; its content is lost");
    }
  }

  // The policy of a run whose files do not hold it, for `politex evaluate`.
  void keep_state(Clock::time_point now, Wait wait) {
    constexpr std::size_t most_bytes = 64'000'000;
    ByteWriter state;
    run_.save(state);
    if (state.bytes().size() > most_bytes) return;
    Checkpoint last;
    last.config = config_text_;
    last.build = build_text();
    last.steps = run_.steps_done();
    last.seconds = elapsed(now);
    last.state = state.bytes();
    const std::vector<std::byte> bytes = encode(last);
    write_atomically(options_.directory->file(final_state_file),
                     std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), wait);
  }

  Summary finish() {
    const Clock::time_point end = Clock::now();
    report(end);
    const bool brief = options_.summary_only || elapsed(end) < options_.wait_from_seconds;
    const Wait wait = brief ? Wait::for_nothing : Wait::for_disk;
    if (records_) {
      records_->timing(run_.steps_done(), elapsed(end));
      if (wait == Wait::for_disk) records_->begin_sync();  // the disk works while the final policy is evaluated
    }
    Summary summary;
    of_run([&] { summary = run_.summary(); });
    summary.seconds = elapsed(end);
    summary.steps_per_second = summary.seconds > 0.0 ? static_cast<double>(summary.steps) / summary.seconds : 0.0;
    if (records_) {
      for (const std::string& warning : summary.warnings) records_->log("warning: " + warning);
      run_.write_files(options_.directory->path());
      if (wait == Wait::for_disk)
        sync_records();
      else
        records_->flush();
    }
    if (options_.directory != nullptr) {
      if (options_.curve) write_curve(wait);
      if (records_) require_in_place();
      write_atomically(options_.directory->file("summary.json"), summary_json(summary), wait);
    }
    if (records_ && run_.keeps_final_state()) keep_state(end, wait);
    if (records_) remove_checkpoints();
    if (records_) log_done(summary);
    return summary;
  }

  // Nothing resumes a finished run, and checkpoints of networks are large.
  void remove_checkpoints() const {
    try {
      for (const std::filesystem::path& file : entries_of(checkpoints())) {
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
      }
    } catch (const Error&) {  // they are in nobody's way
    }
  }

  CurvePoint curve_point() const { return {.steps = run_.steps_done(), .average_cost = run_.average_cost()}; }

  // Before the summary, which says that the run is done.
  void write_curve(Wait wait) {
    curve_.end(curve_point());
    write_atomically(options_.directory->file(curve_file), curve_text(curve_.points()), wait);
  }

  // Called after the summary is written, so that "done" is never logged for an unfinished run.
  void log_done(const Summary& summary) {
    try {
      records_->log(fmt::format("done: {} steps, signature {}", summary.steps, summary.signature));
    } catch (const Error&) {  // e.g. a full disk; the summary shows that the run is done
    }
  }

  Run& run_;
  const Config& config_;
  const EngineOptions& options_;
  std::string label_;
  std::string config_text_;
  std::optional<Records> records_;
  std::vector<double> cells_;
  CurvePoints curve_;
  std::string picture_;
  std::vector<std::string> early_messages_;  // from before the records were opened
  bool config_synced_ = false;
  std::optional<ContentCheck> content_;  // of progress.csv
  std::set<std::string> lost_;           // files that were reported
  Clock::time_point start_;
  double before_ = 0.0;  // seconds spent before this process
  std::int64_t first_steps_ = 0;
};

}  // namespace

std::optional<Summary> drive(Run& run, const Config& config, const EngineOptions& options) {
  return Engine(run, config, options).drive();
}

}  // namespace politex::inline record
