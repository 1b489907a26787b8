#include "politex/algorithm/block_collector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline algorithm {

BlockCollector::BlockCollector(std::unique_ptr<EnvironmentBlock> block, std::unique_ptr<FeatureMap> map,
                               std::shared_ptr<const Explorer> explorer, std::uint64_t seed, const Options& options)
    : block_(std::move(block)),
      map_(std::move(map)),
      explorer_(std::move(explorer)),
      options_(options),
      first_cell_(map_->columns() - map_->cells()),
      streams_(seed),
      seen_(block_->space().actions, map_->columns(), map_->exclusive(), map_->replicated()),
      observation_(block_->space().numbers()),
      incumbent_draws_(seed, Use::explorer, 1),
      lowest_(std::numeric_limits<double>::infinity()),
      highest_(-lowest_) {
  block_->observe(0, observation_);
  if (options_.observations) seen_.keep_observations(observation_.size());
}

void BlockCollector::describe(std::span<const double> observation, SparseRows& into) const {
  const int states = block_->space().states;
  if (states > 0 && !(observation[0] >= 0 && observation[0] < states))
    throw Error("the observation is not the index of a state");
  map_->append(observation, into);
}

/// Appends the features of the present observation and checks them: they may be another's code.
inline void BlockCollector::append_row() {
  SparseRows& rows = seen_.rows();
  const std::size_t before = rows.first.size(), wanted = map_->replicated() ? 1 : static_cast<std::size_t>(actions());
  try {
    map_->append(observation_, rows);
    if (const std::size_t made = rows.first.size() - before; made != wanted)
      throw Error(fmt::format("{} rows were appended; accepted: {}", made, wanted));
    for (auto k = static_cast<std::size_t>(rows.first[before - 1]); k < rows.index.size(); ++k)
      if (rows.index[k] < 0 || rows.index[k] >= rows.columns || !std::isfinite(rows.value[k]))
        throw Error(fmt::format("column {} has the value {}; accepted: columns 0 to {} and finite values",
                                rows.index[k], rows.value[k], rows.columns - 1));
  } catch (const Error& error) {
    // So that the phase is as before the row.
    rows.first.resize(before);
    rows.index.resize(static_cast<std::size_t>(rows.first.back()));
    rows.value.resize(rows.index.size());
    throw Error(fmt::format("features of the observation after step {} (row {} of the phase): {}", steps_,
                            seen_.steps() + 1, error.what()));
  }
}

inline void BlockCollector::see() {
  if (seen_.seen()) return;
  append_row();
  if (!possible_.empty()) block_->possible(0, possible_);
  if (incumbent_ != nullptr) set_logits(observation_, incumbent_memory_, incumbent_draws_, logits_);
  seen_.see(observation_, possible_, logits_);
}

void BlockCollector::set_logits(std::span<const double> observation, ExplorerMemory& memory, Rng& draws,
                                std::span<double> logits) const {
  if (incumbent_table_) {
    const auto row = incumbent_table_->probabilities(static_cast<int>(observation[0]));
    std::ranges::transform(row, logits.begin(), [&](double p) { return incumbent_weight_ * p; });
    return;
  }
  std::ranges::fill(logits, 0.0);
  logits[static_cast<std::size_t>(incumbent_->act(observation, memory, draws))] = incumbent_weight_;
}

void BlockCollector::respect_masks() {
  if (!block_->masks()) return;
  possible_.assign(static_cast<std::size_t>(actions()), 1);
  seen_.keep_masks();
}

void BlockCollector::start_from(std::shared_ptr<const Explorer> incumbent, double weight) {
  incumbent_ = std::move(incumbent);
  incumbent_weight_ = weight;
  logits_.assign(static_cast<std::size_t>(actions()), 0.0);
  if (PolicyTable table(std::max(1, block_->space().states), actions());
      block_->space().states > 0 && incumbent_->compile(table))
    incumbent_table_ = std::move(table);
}

void BlockCollector::probabilities(const Rule& rule, std::span<const double> observation, std::span<const double> q,
                                   std::span<double> p) const {
  if (incumbent_ == nullptr || incumbent_->sees_more()) {
    rule.probabilities(q, p);
    return;
  }
  ExplorerMemory memory;
  Rng draws = incumbent_draws_;
  std::vector<double> logits(q.size());
  set_logits(observation, memory, draws, logits);
  rule.probabilities(q, p, {}, logits);
}

inline Action BlockCollector::choose(By by, Rng& rng) {
  if (by == By::explorer) {
    const Action action = explorer_->act(observation_, memory_, rng);
    return possible_.empty() || possible_[static_cast<std::size_t>(action)] != 0 ? action : seen_.uniform(rng);
  }
  if (by == By::probe) return seen_.uniform(rng);
  return options_.hold && incumbent_ == nullptr && seen_.undecided() ? seen_.held(rng) : seen_.target(rng);
}

inline std::int32_t BlockCollector::listed() const {
  if (options_.states) return static_cast<std::int32_t>(observation_[0]);
  return options_.cells ? seen_.rows().index.back() - first_cell_ : 0;
}

void BlockCollector::step(By by) { step(by, nullptr); }

void BlockCollector::step(By by, const Action* given) {
  if (options_.stop && options_.stop->load(std::memory_order_relaxed)) throw Stopped{};
  Rng& rng = streams_.of(by);
  while (true) {
    see();
    const Action action = given != nullptr ? *given : choose(by, rng);
    StepResult result;
    block_->step(0, {&action, 1}, {&result, 1});
    const std::int32_t state = listed();
    block_->observe(0, observation_);
    if (result.skipped) {
      seen_.forget();
      continue;
    }
    const double cost = options_.restart_cost.with_end(result.cost, result.terminated);
    ++steps_;
    if (result.terminated) ++terminations_;
    lowest_ = std::min(lowest_, cost);
    highest_ = std::max(highest_, cost);
    if (options_.states || options_.cells)
      seen_.took(action, cost, state * seen_.actions() + action);
    else
      seen_.took(action, cost);
    if (result.truncated && !result.terminated) {
      ++truncations_;
      seen_.truncate();
    }
    return;
  }
}

/// The present phase as an Exploration plays it.
struct BlockCollector::Player {
  BlockCollector& collector;

  Here here() const {
    collector.see();
    return {.features = &collector.seen_.features(),
            .slot = static_cast<std::int32_t>(collector.seen_.steps()),
            .state = collector.options_.states || collector.options_.cells ? collector.listed() : -1,
            .observation = collector.observation_,
            .possible = collector.possible_};
  }
  Action uniform(Rng& rng) const { return collector.seen_.uniform(rng); }
  void step(Action action, By by) const { collector.step(by, &action); }
  void walk(std::int64_t count) const {
    for (std::int64_t t = 0; t < count; ++t) collector.step(By::target);
  }
  Trace trace(std::int64_t count) const {
    collector.see();
    return collector.seen_.trace(count,
                                 collector.options_.states || collector.options_.cells ? collector.listed() : -1);
  }
};

Phase BlockCollector::collect(const Part& part) {
  failure_ = nullptr;
  if (part.played == 0) seen_.begin();
  if (stale_ && seen_.seen()) seen_.forget();
  stale_ = false;
  bool complete = false;
  try {
    if (exploration_) {
      Player player{*this};
      complete = exploration_->play(player, part, streams_);
    } else {
      for_each_segment(part, [&](std::int64_t count, By by) {
        for (std::int64_t t = 0; t < count; ++t) step(by);
      });
    }
  } catch (const Stopped&) {
    // As asked for: the phase is shorter.
  } catch (...) {
    failure_ = std::current_exception();
  }
  see();
  Phase phase = seen_.phase(part.lengths, listed());
  if (exploration_) {
    phase.segments = exploration_->segments();
    phase.complete = complete;
  }
  return phase;
}

void BlockCollector::save_phase(ByteWriter& to) const {
  seen_.save(to);
  if (exploration_) exploration_->save_phase(to);
}

std::int64_t BlockCollector::restore_phase(ByteReader& from) {
  const bool lists = options_.states || options_.cells;
  seen_.restore(from, lists ? options_.states ? block_->space().states : map_->cells() : 0);
  const auto steps = static_cast<std::int64_t>(seen_.steps());
  check_saved(!exploration_ || exploration_->restore_phase(from) == steps, "segments");
  return steps;
}

void BlockCollector::save(ByteWriter& to) const {
  streams_.save(to);
  to.put(memory_);
  to.put(steps_);
  to.put(terminations_);
  to.put(truncations_);
  to.put(lowest_);
  to.put(highest_);
  options_.restart_cost.save(to);
  map_->save(to);
  to.put(block_->can_save());
  if (block_->can_save()) block_->save(0, to);
  if (exploration_) exploration_->save(to);
  if (incumbent_ == nullptr) return;
  to.put(incumbent_memory_);
  to.put(incumbent_draws_.position());
}

void BlockCollector::restore(ByteReader& from) {
  streams_.restore(from);
  get_memory(from, memory_, actions());
  from.get_count(steps_, "steps of the environment");
  from.get_count(terminations_, "terminations");
  from.get_count(truncations_, "truncations");
  from.get(lowest_);
  from.get(highest_);
  check_saved(!std::isnan(lowest_) && !std::isnan(highest_), "costs");
  options_.restart_cost.restore(from);
  map_->restore(from);
  stale_ = !from.get<bool>();
  if (!stale_) block_->restore(0, from);
  if (exploration_) exploration_->restore(from);
  if (incumbent_ != nullptr) {
    get_memory(from, incumbent_memory_, actions());
    incumbent_draws_.seek(from.get<std::uint64_t>());
  }
  if (!possible_.empty() && !stale_) block_->possible(0, possible_);
  block_->observe(0, observation_);
}

}  // namespace politex::inline algorithm
