#include "politex/discovery/design_explorer.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/discovery/feature_explorer.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline discovery {
namespace {

constexpr double design_ridge = 0.01;
constexpr double design_tolerance = 1e-4;  // of the largest bonus
constexpr std::int64_t most_backups = 2'000'000;
/// Ties, relative to the largest bonus.
constexpr double nearly = 1e-12;

}  // namespace

DesignExplorer::DesignExplorer(const FeatureStructure& structure, int states, int actions, int size)
    : structure_(structure),
      discount_(1.0 - 1.0 / (8.0 * std::max(1, size))),
      counts_(states, actions),
      information_(structure.blocks, structure.width, design_ridge),
      slots_(static_cast<std::size_t>(states), -1),
      bonuses_(slots_.size(), 0.0),
      values_(slots_.size(), 0.0) {
  features_.actions = actions;
  features_.replicated = structure.blocks == actions;
  features_.rows.columns = structure.width;
}

double DesignExplorer::own(std::int32_t state, Action action) const noexcept {
  return information_.bonus(
      features_.row(slots_[static_cast<std::size_t>(state)] * counts_.actions() + static_cast<std::int32_t>(action)));
}

double DesignExplorer::own(std::int32_t state) const noexcept {
  double most = 0.0;
  for (Action a = 0; a < counts_.actions(); ++a) most = std::max(most, own(state, a));
  return most;
}

void DesignExplorer::see(std::int32_t state, const Features& features, std::int32_t slot) {
  const auto x = static_cast<std::size_t>(state);
  if (slots_[x] >= 0) return;
  slots_[x] = features_.slots();
  append_state(features, slot, features_.rows);
  bonuses_[x] = values_[x] = own(state);
  largest_ = std::max(largest_, bonuses_[x]);
}

void DesignExplorer::observe(const Trace& trace) {
  for (std::size_t t = 0; t < trace.listed.size(); ++t) {
    see(trace.listed[t] / counts_.actions(), *trace.features, trace.pairs[t] / counts_.actions());
    if (!trace.was_truncated(t)) counts_.add(trace.listed[t], trace.state_after(t));
  }
  if (!trace.listed.empty()) see(trace.last_state, *trace.features, trace.last_slot);
}

void DesignExplorer::sample(const Trace& trace) {
  // A pair that occurs often is added once with its count: the matrix is the same, and updates are what costs time.
  sampled_.assign(trace.listed.begin(), trace.listed.end());
  std::ranges::sort(sampled_);
  for (auto it = sampled_.begin(); it != sampled_.end();) {
    const auto end = std::find_if(it, sampled_.end(), [&](std::int32_t pair) { return pair != *it; });
    const std::int32_t state = *it / counts_.actions(), action = *it % counts_.actions();
    information_.add(features_.row(slots_[static_cast<std::size_t>(state)] * counts_.actions() + action),
                     static_cast<double>(end - it));
    it = end;
  }
}

double DesignExplorer::ahead(std::int32_t pair) const noexcept {
  if (counts_.count(pair) == 0.0) return discount_ * largest_;
  double total = 0.0;
  for (const auto& next : counts_.successors(pair)) total += next.count * value(next.state);
  return discount_ * total / counts_.count(pair);
}

void DesignExplorer::plan() {
  const auto seen = counts_.seen();
  largest_ = 0.0;
  for (const std::int32_t state : seen) {
    const auto x = static_cast<std::size_t>(state);
    bonuses_[x] = values_[x] = own(state);
    largest_ = std::max(largest_, bonuses_[x]);
  }
  // From below U grows along the way to a goal, as far per sweep as states are in order; from above it would shrink by
  // g per sweep.
  const std::int64_t sweeps =
      std::max<std::int64_t>(2, most_backups / std::max<std::int64_t>(1, counts_.known_pairs()));
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
    double change = 0.0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const std::int32_t state = sweep % 2 == 0 ? seen[seen.size() - 1 - k] : seen[k];
      double next = bonus(state);
      for (Action a = 0; a < counts_.actions(); ++a) next = std::max(next, ahead(state * counts_.actions() + a));
      double& now = values_[static_cast<std::size_t>(state)];
      change = std::max(change, std::abs(next - now));
      now = next;
    }
    if (change <= design_tolerance * largest_) return;
  }
}

void DesignExplorer::begin(const Here&, Rng&) { plan(); }

std::optional<Action> DesignExplorer::act(const Here& here, Rng& rng) {
  if (!counts_.was_seen(here.state)) return std::nullopt;
  const BestAction best = best_action(counts_.actions(), nearly * largest_, rng,
                                      [&](Action a) { return ahead(here.state * counts_.actions() + a); });
  if (bonus(here.state) >= best.value - nearly * largest_) return std::nullopt;
  return best.action;
}

std::optional<Action> DesignExplorer::probe(const Here& here, Rng& rng) {
  return best_action(
             counts_.actions(), nearly * largest_, rng,
             [&](Action a) { return information_.bonus(here.features->row(here.slot * counts_.actions() + a)); })
      .action;
}

Coverage DesignExplorer::coverage() const {
  return {.known = counts_.known_pairs(), .untried = counts_.untried_pairs(), .features = structure_.width};
}

void DesignExplorer::save(ByteWriter& to) const {
  counts_.save(to);
  information_.save(to);
  to.put(features_.rows.first);
  to.put(features_.rows.index);
  to.put(features_.rows.value);
  to.put(slots_);
  to.put(bonuses_);
  to.put(values_);
  to.put(largest_);
}

void DesignExplorer::restore(ByteReader& from) {
  counts_.restore(from);
  information_.restore(from);
  SparseRows& rows = features_.rows;
  from.get(rows.first);
  from.get(rows.index);
  from.get(rows.value);
  from.get_again(slots_, "slots of the explorer");
  from.get_again(bonuses_, "bonuses of the explorer");
  from.get_again(values_, "values of the explorer");
  from.get_finite(largest_, "bonuses of the explorer");
  const std::size_t each = features_.replicated ? 1 : static_cast<std::size_t>(counts_.actions());
  check_saved(are_rows(rows, counts_.seen().size() * each), "features of the explorer");
  for (std::size_t x = 0; x < slots_.size(); ++x)
    check_saved((slots_[x] >= 0) == counts_.was_seen(static_cast<std::int32_t>(x)) && slots_[x] < features_.slots(),
                "slots of the explorer");
}

const ExplorerEntry& design_explorer_entry() {
  static const ExplorerEntry entry{
      .name = "design",
      .help =
          "learned during the run from transitions, never from costs: goes where the features of the estimate are "
          "known least; the model by counts where states are listed",
      .learn = [](const LearningRequest& request) -> std::unique_ptr<LearningExplorer> {
        if (request.states == 0) return make_feature_explorer(request);
        check_columns(request.structure);
        return std::make_unique<DesignExplorer>(request.structure, request.states, request.actions, request.size);
      }};
  return entry;
}

}  // namespace politex::inline discovery
