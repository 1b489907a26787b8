#include "politex/discovery/count_explorer.hpp"

#include <algorithm>
#include <cmath>

#include "politex/algorithm/learned_explorer.hpp"
#include "politex/base/error.hpp"
#include "politex/discovery/feature_explorer.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline discovery {
namespace {

constexpr double way_discount = 0.99;
constexpr int sweeps_per_phase = 20;
/// Differences below this are ties.
constexpr double tie = 1e-12;
constexpr std::uint8_t unmarked = 2;

}  // namespace

CountExplorer::CountExplorer(int states, int actions, Value value, int wanted, bool masked)
    : kind_(value),
      wanted_(wanted),
      masked_(masked ? static_cast<std::size_t>(states) * static_cast<std::size_t>(actions) : 0, unmarked),
      counts_(states, actions),
      values_(static_cast<std::size_t>(states), value == Value::goal ? 1.0 : 1.0 / (1.0 - way_discount)) {}

void CountExplorer::mark(std::int32_t state, std::span<const std::uint8_t> possible) {
  const auto first = static_cast<std::size_t>(state) * possible.size();
  if (masked_[first] != unmarked) return;
  for (std::size_t a = 0; a < possible.size(); ++a) {
    masked_[first + a] = possible[a] == 0 ? 1 : 0;
    if (possible[a] == 0) ++masked_pairs_;
  }
}

void CountExplorer::observe(const Trace& trace) {
  for (std::size_t t = 0; t < trace.listed.size(); ++t)
    if (!trace.was_truncated(t)) {
      if (counts_.count(trace.listed[t]) < wanted_) ++visits_;
      counts_.add(trace.listed[t], trace.state_after(t));
      if (masked_.empty() || trace.possible.empty()) continue;
      const auto width = static_cast<std::size_t>(counts_.actions());
      const auto flags = [&](std::int32_t slot) {
        return trace.possible.subspan(static_cast<std::size_t>(slot) * width, width);
      };
      mark(trace.listed[t] / counts_.actions(), flags(trace.pairs[t] / counts_.actions()));
      mark(trace.state_after(t), flags(trace.slot_after(t)));
    }
}

void CountExplorer::count_visits() {
  visits_ = 0;
  for (const std::int32_t state : counts_.seen())
    for (Action a = 0; a < counts_.actions(); ++a)
      visits_ += static_cast<std::int64_t>(std::min(wanted_, counts_.count(state * counts_.actions() + a)));
}

double CountExplorer::ahead(std::int32_t pair) const noexcept {
  double total = 0.0;
  for (const auto& next : counts_.successors(pair)) total += next.count * value(next.state);
  return way_discount * total / counts_.count(pair);
}

double CountExplorer::backup(std::int32_t state) const noexcept {
  double most = 0.0;
  for (Action a = 0; a < counts_.actions(); ++a) {
    most = std::max(most, worth(state * counts_.actions() + a));
  }
  return most;
}

void CountExplorer::plan(int sweeps) {
  double largest = 0.0;
  for (const std::int32_t state : counts_.seen())
    for (Action a = 0; a < counts_.actions(); ++a) largest = std::max(largest, bonus(state * counts_.actions() + a));
  const auto seen = counts_.seen();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double change = 0.0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const std::int32_t state = sweep % 2 == 0 ? seen[k] : seen[seen.size() - 1 - k];
      double& now = values_[static_cast<std::size_t>(state)];
      const double next = backup(state);
      change = std::max(change, std::abs(next - now));
      now = next;
    }
    if (change <= 0.01 * largest) return;
  }
}

double CountExplorer::worth(std::int32_t pair) const noexcept {
  const double own = bonus(pair), further = counts_.count(pair) > 0.0 ? ahead(pair) : 0.0;
  return kind_ == Value::goal ? std::max(own, further) : own + further;
}

CountExplorer::Best CountExplorer::best(std::int32_t state, Rng& rng) const {
  const std::int32_t first = state * counts_.actions();
  const BestAction found = best_action(counts_.actions(), tie, rng, [&](Action a) { return worth(first + a); });
  const double own = bonus(first + found.action), value = worth(first + found.action);
  return {.value = found.value,
          .action = found.action,
          .at_goal = kind_ == Value::goal ? own >= value - tie : own >= (1.0 - way_discount) * value};
}

void CountExplorer::begin(const Here&, Rng&) {
  chosen_ = -1;
  if (planned_) return;
  plan(sweeps_per_phase);
  planned_ = true;
}

std::optional<Action> CountExplorer::act(const Here& here, Rng& rng) {
  const Best found = best(here.state, rng);
  values_[static_cast<std::size_t>(here.state)] = found.value;
  if (!found.at_goal) return found.action;
  chosen_ = found.action;
  return std::nullopt;
}

std::optional<Action> CountExplorer::probe(const Here& here, Rng& rng) {
  const Action action = chosen_ >= 0 ? static_cast<Action>(chosen_) : best(here.state, rng).action;
  chosen_ = -1;
  return action;
}

Coverage CountExplorer::coverage() const {
  const std::int64_t pairs = counts_.known_pairs() - masked_pairs_, all = pairs * static_cast<std::int64_t>(wanted_);
  return {.known = all, .untried = all - visits_, .features = pairs, .states = wanted_ == 1.0};
}

void CountExplorer::save(ByteWriter& to) const {
  counts_.save(to);
  if (!masked_.empty()) to.put(masked_);
  to.put(values_);
  to.put(chosen_);
  to.put(planned_);
}

void CountExplorer::restore(ByteReader& from) {
  counts_.restore(from);
  if (!masked_.empty()) {
    from.get_again(masked_, "masks");
    masked_pairs_ = std::ranges::count(masked_, std::uint8_t{1});
  }
  count_visits();
  from.get_again(values_, "values of the explorer");
  from.get_within(chosen_, -1, counts_.actions() - 1, "the action of the explorer");
  from.get(planned_);
}

const ExplorerEntry& learned_explorer_entry() {
  static const ExplorerEntry entry{
      .name = learned_explorer_name,
      .help =
          "learned during the run from transitions, never from costs: goes to rarely tried pairs of states and "
          "actions by a model of counts; where states are not listed, to what the features know least",
      .learn = [](const LearningRequest& request) -> std::unique_ptr<LearningExplorer> {
        if (request.states == 0) return make_feature_explorer(request);
        return std::make_unique<CountExplorer>(request.states, request.actions, CountExplorer::Value::goal,
                                               request.wanted, request.masked);
      }};
  return entry;
}

const ExplorerEntry& count_explorer_entry() {
  static const ExplorerEntry entry{
      .name = "count",
      .help = "as learned, but the bonuses 1 / (1 + count) on the way add up",
      .learn = [](const LearningRequest& request) -> std::unique_ptr<LearningExplorer> {
        if (request.states == 0)
          throw ConfigError{"explorer.name",
                            "\"count\" counts states, and none are listed here; accepted: another "
                            "explorer, or features.name = \"cells\""};
        return std::make_unique<CountExplorer>(request.states, request.actions, CountExplorer::Value::sum,
                                               request.wanted, request.masked);
      }};
  return entry;
}

}  // namespace politex::inline discovery
