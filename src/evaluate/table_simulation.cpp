#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "politex/base/pool.hpp"
#include "politex/base/thresholds.hpp"
#include "politex/evaluate/simulation.hpp"

namespace politex::inline evaluate {
namespace {

constexpr std::int64_t draws = Rng::block_draws;
constexpr std::size_t most_places_compared = 8;

/// The outcomes of a pair with their cumulative thresholds; what is left above the last one jumps anywhere. Every pair
/// has the same number of places, so that a successor is found without a branch that depends on the draw.
struct Outcomes {
  std::size_t width = 1;                 // places of a pair
  std::vector<std::uint64_t> threshold;  // pair * width + place
  std::vector<std::int32_t> next;        // -1: a jump to a uniformly random state
  double staying = 1.0;                  // 1 - teleport
  int states = 0;
};

Outcomes outcomes_of(const FiniteModel& model) {
  Outcomes out;
  out.staying = 1.0 - model.teleport;
  out.states = model.states;
  const std::size_t pairs = model.cost.size(), jump = model.teleport > 0.0 ? 1 : 0;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    out.width = std::max(out.width, static_cast<std::size_t>(model.first[pair + 1] - model.first[pair]) + jump);
  out.threshold.assign(pairs * out.width, certain53);
  out.next.assign(pairs * out.width, -1);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto begin = static_cast<std::size_t>(model.first[pair]),
               end = static_cast<std::size_t>(model.first[pair + 1]);
    double cumulative = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      cumulative += model.probability[k];
      const std::size_t place = pair * out.width + k - begin;
      out.next[place] = model.next[k];
      if (k + 1 < end)
        out.threshold[place] = threshold53(cumulative * out.staying);
      else if (jump > 0)
        out.threshold[place] = threshold53(out.staying);
    }
  }
  return out;
}

/// One run, with what it has recorded.
struct Lane {
  Lane(std::uint64_t seed, std::uint64_t index, int start)
      : actions(evaluation_actions(seed, index)), moves(evaluation_moves(seed, index)), state(start) {}

  Rng actions, moves;
  int state;
  double cost = 0.0;                       // of this batch
  double carried = 0.0, offset = 0.0;      // cycle: cost in earlier batches; cost of this batch before it began
  std::int64_t cycle_steps = 0, step = 0;  // cycle: its steps in earlier batches; where it began in this one
  bool begun = false;
  Batches batches, cycles;

  /// Whether a visit at step `at` of this batch or before it can end the cycle, or begin the first one.
  bool may_end(std::int64_t at, std::int64_t least) const { return !begun || cycle_steps + at - step >= least; }
  void arrive_home(std::int64_t at, std::int64_t least) {
    const std::int64_t steps = cycle_steps + at - step;
    if (begun && steps < least) return;
    if (begun) cycles.push_back({carried + cost - offset, steps});
    begun = true;
    carried = 0.0;
    offset = cost;
    cycle_steps = 0;
    step = at;
  }
  void end_batch(std::int64_t steps) {
    batches.push_back({cost, steps});
    carried += cost - offset;
    cycle_steps += steps - step;
    cost = offset = 0.0;
    step = 0;
  }
};

/// Walks a few runs at once: while one waits for memory, the others continue.
class Walker {
 public:
  Walker(const FiniteModel& model, const PolicyTable& policy, const Outcomes& outcomes, int home)
      : cost_(model.cost.data()),
        actions_(model.actions),
        cumulative_(policy.cumulative()),
        outcomes_(outcomes),
        home_(home),
        certain_(certain_pairs(model.states)) {}

  /// At most most_runs_at_once lanes.
  void walk(std::span<Lane> lanes, std::int64_t batches, std::int64_t batch_steps) const {
    switch (lanes.size()) {
      case 1:
        return walk_together(std::array{&lanes[0]}, batches, batch_steps);
      case 2:
        return walk_together(std::array{&lanes[0], &lanes[1]}, batches, batch_steps);
      case 3:
        return walk_together(std::array{&lanes[0], &lanes[1], &lanes[2]}, batches, batch_steps);
      default:
        return walk_together(std::array{&lanes[0], &lanes[1], &lanes[2], &lanes[3]}, batches, batch_steps);
    }
  }

  std::size_t pair_of(int state, std::uint64_t draw) const {
    const auto each = static_cast<std::size_t>(actions_ - 1);
    const double* row = cumulative_ + static_cast<std::size_t>(state) * each;
    std::size_t a = 0;
    for (std::size_t k = 0; k < each; ++k) a += static_cast<std::size_t>(draw >= std::bit_cast<std::uint64_t>(row[k]));
    return static_cast<std::size_t>(state) * (each + 1) + a;
  }

  int successor(std::size_t pair, std::uint64_t draw) const {
    std::size_t k = pair * outcomes_.width;
    if (outcomes_.width <= most_places_compared) {
      const std::uint64_t* const row = outcomes_.threshold.data() + k;
      std::size_t place = 0;
      for (std::size_t j = 0; j + 1 < outcomes_.width; ++j) place += static_cast<std::size_t>(draw >= row[j]);
      k += place;
    } else {
      while (draw >= outcomes_.threshold[k]) ++k;
    }
    const int next = outcomes_.next[k];
    if (next >= 0) return next;
    const double rest = (static_cast<double>(draw) * 0x1p-53 - outcomes_.staying) / (1.0 - outcomes_.staying);
    return std::clamp(static_cast<int>(rest * outcomes_.states), 0, outcomes_.states - 1);
  }

 private:
  template <std::size_t count>
  void walk_together(std::array<Lane*, count> lanes, std::int64_t batches, std::int64_t batch_steps) const {
    for (std::int64_t b = 0; b < batches; ++b) {
      for (std::int64_t at = 0; at < batch_steps; at += draws) {
        // A cycle that is too short to end in this block needs no look at its states.
        const bool ends = std::ranges::any_of(
            lanes, [&](const Lane* lane) { return home_ >= 0 && lane->may_end(at + draws - 1, batch_steps); });
        if (certain_.empty())
          ends ? walk_block<true, false>(lanes, at, batch_steps) : walk_block<false, false>(lanes, at, batch_steps);
        else
          ends ? walk_block<true, true>(lanes, at, batch_steps) : walk_block<false, true>(lanes, at, batch_steps);
      }
      for (Lane* lane : lanes) lane->end_batch(batch_steps);
    }
  }

  /// The pair of every state where no draw changes the action; empty: some draw does.
  std::vector<std::size_t> certain_pairs(int states) const {
    std::vector<std::size_t> out;
    for (int state = 0; state < states; ++state) {
      out.push_back(pair_of(state, 0));
      if (out.back() != pair_of(state, uniform_bits(~std::uint64_t{0}))) return {};
    }
    return out;
  }

  /// `checked`: cycles may end; `certain`: the draws of actions are not made, as nothing would depend on them.
  template <bool checked, bool certain, std::size_t count>
  void walk_block(const std::array<Lane*, count>& lanes, std::int64_t at, std::int64_t batch_steps) const {
    std::array<const std::uint64_t*, count> chosen{}, moved{};
    std::array<int, count> state;
    std::array<double, count> cost;
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (!certain) chosen[i] = lanes[i]->actions.take(draws).data();
      moved[i] = lanes[i]->moves.take(draws).data();
      state[i] = lanes[i]->state;
      cost[i] = lanes[i]->cost;
    }
    for (std::int64_t t = 0; t < draws; ++t) {
      for (std::size_t i = 0; i < count; ++i) {
        if constexpr (checked)
          if (state[i] == home_) {
            lanes[i]->cost = cost[i];
            lanes[i]->arrive_home(at + t, batch_steps);
          }
        std::size_t pair;
        if constexpr (certain)
          pair = certain_[static_cast<std::size_t>(state[i])];
        else
          pair = pair_of(state[i], uniform_bits(chosen[i][t]));
        cost[i] += cost_[pair];
        state[i] = successor(pair, moved[i][t] >> 11);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      lanes[i]->state = state[i];
      lanes[i]->cost = cost[i];
    }
  }

  const double* cost_;
  int actions_;
  const double* cumulative_;
  const Outcomes& outcomes_;
  int home_;
  std::vector<std::size_t> certain_;
};

constexpr int most_runs_at_once = 4;
constexpr std::uint64_t pilot_index = std::uint64_t{1} << 32;

}  // namespace

int frequent_state(const FiniteModel& model, const PolicyTable& policy, std::uint64_t seed) {
  constexpr int warm_up = 10'000, looked_at = 20'000, often = 200;
  const Outcomes outcomes = outcomes_of(model);
  const Walker walker(model, policy, outcomes, -1);
  Lane lane(seed, pilot_index, model.start);
  std::vector<int> visits(static_cast<std::size_t>(model.states), 0);
  for (int t = 0; t < warm_up + looked_at; ++t) {
    if (t >= warm_up) ++visits[static_cast<std::size_t>(lane.state)];
    lane.state = walker.successor(walker.pair_of(lane.state, uniform_bits(lane.actions)), lane.moves.bits53());
  }
  const auto most = std::ranges::max_element(visits);
  return *most >= looked_at / often ? static_cast<int>(most - visits.begin()) : -1;
}

int runs_at_once(int runs, int jobs) noexcept { return std::clamp((runs - 1) / jobs + 1, 1, most_runs_at_once); }

Recorded simulate(const FiniteModel& model, const PolicyTable& policy, int home, const SimulationSizes& sizes) {
  const Outcomes outcomes = outcomes_of(model);
  const Walker walker(model, policy, outcomes, home);
  const auto runs = static_cast<std::size_t>(sizes.runs);
  std::vector<Lane> lanes;
  for (std::size_t i = 0; i < runs; ++i) lanes.emplace_back(sizes.seed, i, model.start);
  const auto at_once = static_cast<std::size_t>(runs_at_once(sizes.runs, resolve_jobs(sizes.jobs)));
  std::vector<std::size_t> groups((runs + at_once - 1) / at_once);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  run_jobs(groups, sizes.jobs, [&](std::size_t group) {
    walker.walk(std::span(lanes).subspan(group * at_once, std::min(at_once, runs - group * at_once)), sizes.batches,
                sizes.batch_steps);
  });
  Recorded out;
  for (Lane& lane : lanes) {
    out.batches.push_back(std::move(lane.batches));
    if (home >= 0) out.cycles.push_back(std::move(lane.cycles));
  }
  return out;
}

}  // namespace politex::inline evaluate
