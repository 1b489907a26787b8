// The run of a linear learner, in any environment, and the function that makes it.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "politex/algorithm/phase_loop.hpp"
#include "politex/run/incumbents.hpp"
#include "politex/run/run.hpp"
#include "politex/watch/album.hpp"
#include "politex/watch/exact_watch.hpp"

namespace politex::inline run {

/// A run of a linear learner: compiled where the environment is finite, else step by step. Throws ConfigError.
std::unique_ptr<Run> make_linear_run(const Config& config, const RunOptions& options, RunParts given);

/// The policy that a finished run on a finite environment would follow next, as a policy file in its directory.
inline constexpr const char* final_policy_file = "final.policy";

class LinearRun final : public Run {
 public:
  LinearRun(Config config, std::unique_ptr<PhaseLoop> loop, std::vector<std::string> warnings, std::string path);

  /// Adds exact answers and pictures. `acting` is the compiled policy of the loop's collector, where it has one.
  void watch(std::unique_ptr<ExactWatch> watch, const PolicyTable* acting) {
    watch_ = std::move(watch);
    album_.emplace(watch_->model(), config_.steps);
    // A restart forgets what was learned before its phase, which is what a picture shows.
    if (!restarts_ && !extendable_) acting_ = acting;
  }

  bool done() const override { return loop_->done(); }
  std::int64_t steps_done() const override { return loop_->steps_done(); }
  double average_cost() const override {
    const CostLedger::Sum all = loop_->costs().all();
    return all.cost / static_cast<double>(all.steps);
  }

  /// Counts the steps of a guard: a column of progress.csv, and a part of the summary.
  void count_guard(GuardCount count) { guard_ = std::move(count); }
  /// The states of the environment itself, where the tables have more (a guard with a release).
  void write_states(int states) { written_states_ = states; }
  /// A warning that depends on what the run did, asked for with each summary; empty: none.
  void warn_later(std::function<std::string()> warning) { later_.push_back(std::move(warning)); }
  /// The name in the summary; by default environment.name.
  void name_environment(std::string name) { environment_ = std::move(name); }
  void make_extendable() {
    extendable_ = true;
    loop_->make_extendable();
  }
  void extend(std::int64_t steps) override { loop_->extend(steps); }
  const Phase* phase() const override { return phase_.features ? &phase_ : nullptr; }
  const Learner* learner() const override { return &loop_->learner(); }
  const PhaseLoop& loop() const noexcept { return *loop_; }

  void advance() override {
    if (extendable_ && watch_) mark_watch();
    if (watch_ && watch_->due(loop_->next_phase())) {
      loop_->prepare();
      watch_->before(loop_->learner());
    }
    const std::int64_t begin = loop_->steps_done();
    phase_ = {};  // what it points to is overwritten now
    const bool continued = loop_->open();
    phase_ = loop_->advance();
    if (guard_) guard_->add(phase_, continued);
    picture_due_ = album_ && album_->due(begin, loop_->steps_done());
    // The next phase needs this table in any case; a picture shows it.
    drawn_ = picture_due_ && acting_ != nullptr && !loop_->done();
    if (drawn_) loop_->prepare();
    const bool learned = is_whole(phase_);
    if (watch_) watch_->after(phase_, loop_->learner(), learned);
    if (const Solved* newest = loop_->learner().solved(); learned && newest != nullptr) solved_ += *newest;
    last_state_ = phase_.last_state;
    if (watch_ && theory_) q_range_ = std::max(q_range_, watch_->range_of(loop_->learner().newest()));
  }

  std::vector<std::string> columns() const override {
    std::vector<std::string> names = watch_ ? watch_->columns() : std::vector<std::string>{};
    if (guard_) names.push_back("guarded_steps");
    return names;
  }
  void row(std::vector<double>& into) const override {
    into.assign({static_cast<double>(loop_->phases()), static_cast<double>(steps_done()), average_cost(),
                 loop_->costs().phase_average()});
    if (watch_) watch_->append_row(into);
    if (guard_) into.push_back(static_cast<double>(guard_->steps()));
  }

  bool picture(std::string& into) const override {
    if (!picture_due_) return false;
    album_->add(phase_, drawn_ ? acting_->probabilities() : watch_->policy(loop_->learner()), loop_->phases(),
                loop_->steps_done(), into);
    return true;
  }
  std::string picture_frame() const override { return album_ ? album_->frame() : ""; }

  void write_files(const std::filesystem::path& directory) const override;
  bool keeps_final_state() const override { return !has_policy_file(); }

  void save(ByteWriter& to) const override {
    loop_->save(to);
    solved_.save(to);
    to.put(last_state_);
    to.put(q_range_);
    if (watch_) watch_->save(to);
    if (extendable_) to.put(watch_before_);
    if (guard_) guard_->save(to);
  }
  void restore(ByteReader& from) override {
    loop_->restore(from);
    solved_.restore(from);
    from.get_within(last_state_, watch_ ? 0 : -1, watch_ ? watch_->states() - 1 : std::numeric_limits<int>::max(),
                    "the last state");
    from.get_finite(q_range_, "the range of Q");
    if (watch_) watch_->restore(from, loop_->steps_done());
    if (extendable_) from.get(watch_before_);
    if (guard_) guard_->restore(from);
  }

  Summary summary() override;

 private:
  /// Whether write_files() writes the final policy.
  bool has_policy_file() const {
    constexpr int most_pairs = 200'000;  // megabytes of text
    return watch_ && watch_->model().pairs() <= most_pairs;
  }
  /// A continued phase is passed to the watch again as a whole, so its state before that phase is restored.
  void mark_watch() {
    if (loop_->open()) {
      ByteReader from(watch_before_);
      watch_->restore(from, loop_->phase_begin());
    } else if (loop_->will_be_open()) {
      ByteWriter to;
      watch_->save(to);
      watch_before_ = to.bytes();
    }
  }

  Config config_;
  std::unique_ptr<PhaseLoop> loop_;
  std::vector<std::string> warnings_;
  std::string path_, environment_;
  bool restarts_;  // the learner restarts from scratch at times (doubling schedule)
  bool theory_;    // the step size is the theorem's
  double q_max_;
  std::vector<std::function<std::string()>> later_;
  std::unique_ptr<ExactWatch> watch_;  // empty if the environment is not finite or has too many states
  std::optional<GuardCount> guard_;
  int written_states_ = 0;  // of the final policy; 0: all
  std::optional<Album> album_;
  const PolicyTable* acting_ = nullptr;
  bool drawn_ = false;  // acting_ is the policy learned by the end of phase_
  bool extendable_ = false;
  std::vector<std::byte> watch_before_;
  Solved solved_;  // of all phases
  Phase phase_;    // the last one played; it points to memory of the collector
  bool picture_due_ = false;
  int last_state_ = 0;
  double q_range_ = 0.0;  // the largest range of a single Q so far, if the theorem's step size depends on it
};

}  // namespace politex::inline run
