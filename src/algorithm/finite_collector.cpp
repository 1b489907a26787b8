#include "politex/algorithm/finite_collector.hpp"

#include <algorithm>
#include <utility>

#include "politex/base/saved.hpp"

namespace politex::inline algorithm {
namespace {

/// Two actions and one outcome everywhere: both successors are loaded together with the probability, so that a step
/// waits for one load, not two.
int walk_two_actions(const FiniteModel& model, const double* cumulative, int state, std::int64_t count, Rng& actions,
                     std::int32_t* pairs) noexcept {
  const std::int32_t* next = model.next.data();
  while (count > 0) {
    const std::span<const std::uint64_t> draws = actions.take(count);
    for (const std::uint64_t draw : draws) {
      const std::int32_t pair = 2 * state;
      const std::int32_t left = next[pair], right = next[pair + 1];
      // The hint makes the compiler select the successor without a branch, which a random policy would mispredict.
      const bool second = __builtin_expect_with_probability(
          uniform_bits(draw) >= std::bit_cast<std::uint64_t>(cumulative[state]), 1, 0.5);
      *pairs++ = pair + static_cast<std::int32_t>(second);
      state = second ? right : left;
    }
    count -= static_cast<std::int64_t>(draws.size());
  }
  return state;
}

}  // namespace

int walk(const TableEnvironment& environment, const PolicyTable& policy, int state, std::int64_t count, Rng& actions,
         Rng& transitions, std::int32_t* pairs) noexcept {
  const FiniteModel& model = environment.model();
  if (model.actions == 2 && model.deterministic())
    return walk_two_actions(model, policy.cumulative(), state, count, actions, pairs);
  for (std::int64_t t = 0; t < count; ++t) {
    pairs[t] = model.pair(state, policy.sample(state, actions));
    state = environment.successor(pairs[t], transitions);
  }
  return state;
}

FiniteCollector::FiniteCollector(const TableEnvironment& environment, Features features, PolicyTable explorer,
                                 std::uint64_t seed)
    : environment_(environment),
      features_(std::move(features)),
      tables_{std::move(explorer), PolicyTable(environment.states(), environment.actions()),
              PolicyTable(environment.states(), environment.actions())},
      streams_(seed),
      transitions_(seed, Use::environment),
      state_(environment.start(transitions_)),
      q_(static_cast<std::size_t>(environment.model().pairs()), 0.0) {}

FiniteCollector::FiniteCollector(const TableEnvironment& environment, Features features,
                                 std::unique_ptr<Exploration> exploration, std::uint64_t seed)
    : FiniteCollector(environment, std::move(features), PolicyTable(environment.states(), environment.actions()),
                      seed) {
  exploration_ = std::move(exploration);
}

/// The present phase as an Exploration plays it.
struct FiniteCollector::Player {
  FiniteCollector& collector;
  std::size_t at;  // steps of the phase so far
  std::array<double, 1> observation{};

  Here here() {
    observation[0] = collector.state_;
    return {.features = &collector.features_,
            .slot = collector.state_,
            .state = collector.state_,
            .observation = observation,
            .possible =
                collector.tables_[1].bounds() == nullptr
                    ? std::span<const std::uint8_t>{}
                    : collector.tables_[1].bounds()->possible_in(collector.state_, collector.environment_.actions())};
  }
  Action uniform(Rng& rng) const { return collector.tables_[1].sample(collector.state_, rng); }
  void step(Action action, By) {
    const std::int32_t pair = collector.environment_.model().pair(collector.state_, action);
    collector.pairs_[at++] = pair;
    collector.state_ = collector.environment_.successor(pair, collector.transitions_);
  }
  void walk(std::int64_t count) {
    collector.state_ =
        algorithm::walk(collector.environment_, collector.tables_[2], collector.state_, count,
                        collector.streams_.of(By::target), collector.transitions_, collector.pairs_.data() + at);
    at += static_cast<std::size_t>(count);
  }
  Trace trace(std::int64_t count) const {
    const auto steps = std::min(at, static_cast<std::size_t>(count));
    const auto pairs = std::span<const std::int32_t>(collector.pairs_).subspan(at - steps, steps);
    return {.pairs = pairs,
            .last_slot = collector.state_,
            .features = &collector.features_,
            .listed = pairs,
            .last_state = collector.state_,
            .possible = collector.possible()};
  }
};

std::span<const std::uint8_t> FiniteCollector::possible() const noexcept {
  return tables_[1].bounds() == nullptr ? std::span<const std::uint8_t>{} : tables_[1].bounds()->possible;
}

void FiniteCollector::bind(PolicyBounds bounds) {
  const auto shared = std::make_shared<const PolicyBounds>(std::move(bounds));
  tables_[1].bind(shared);
  tables_[2].bind(shared);
}

void FiniteCollector::respect_masks() {
  if (!environment_.masked()) return;
  PolicyBounds bounds = tables_[2].bounds() != nullptr ? *tables_[2].bounds() : PolicyBounds{};
  bounds.possible = environment_.model().possible;
  bind(std::move(bounds));
}

void FiniteCollector::start_from(std::shared_ptr<const Explorer> incumbent, double weight) {
  PolicyTable table(environment_.states(), environment_.actions());
  if (!incumbent->compile(table)) throw Error("the incumbent is not a fixed policy over the states");
  PolicyBounds bounds = tables_[2].bounds() != nullptr ? *tables_[2].bounds() : PolicyBounds{};
  bounds.logits.clear();
  for (const double p : table.probabilities()) bounds.logits.push_back(weight * p);
  bind(std::move(bounds));
}

void FiniteCollector::probabilities(const Rule& rule, std::span<const double> observation, std::span<const double> q,
                                    std::span<double> p) const {
  const auto state = static_cast<int>(observation[0]);
  const PolicyBounds* const bounds = tables_[2].bounds().get();
  if (bounds == nullptr)
    rule.probabilities(q, p);
  else
    rule.probabilities(q, p, bounds->possible_in(state, actions()), bounds->logits_in(state, actions()));
}

void FiniteCollector::play(const Part& part) {
  Player player{*this, static_cast<std::size_t>(part.played)};
  complete_ = exploration_->play(player, part, streams_);
  played_ = player.at;
}

void FiniteCollector::follow(const Rule& rule, std::span<const double> weights) {
  features_.values(weights, q_);
  if (!rule.norms.empty()) features_.divide_by_norms(rule.norms, q_);
  tables_[2].set(rule, q_);
}

Phase FiniteCollector::collect(const Part& part) {
  if (const auto most = static_cast<std::size_t>(part.steps); pairs_.size() < most) {
    pairs_.resize(most);
    costs_.resize(most);
  }
  if (exploration_) {
    play(part);
  } else {
    played_ = static_cast<std::size_t>(part.steps);
    std::int32_t* at = pairs_.data() + part.played;
    for_each_segment(part, [&](std::int64_t length, By by) {
      state_ =
          walk(environment_, tables_[static_cast<std::size_t>(by)], state_, length, streams_.of(by), transitions_, at);
      at += length;
    });
  }
  const std::size_t count = played_;
  const double* cost = environment_.model().cost.data();
  for (auto t = static_cast<std::size_t>(part.played); t < count; ++t) costs_[t] = cost[pairs_[t]];
  return {.lengths = part.lengths,
          .pairs = std::span(pairs_).first(count),
          .costs = std::span(costs_).first(count),
          .last_slot = state_,
          .features = &features_,
          .policy = tables_[2].probabilities(),
          .slots_are_states = true,
          .model_pairs = std::span(pairs_).first(count),
          .last_state = state_,
          .segments = exploration_ ? exploration_->segments() : std::span<const Segment>{},
          .complete = complete_,
          .possible = possible()};
}

void FiniteCollector::describe(std::span<const double> observation, SparseRows& into) const {
  const auto state = static_cast<int>(observation[0]);
  if (state < 0 || state >= environment_.states()) throw Error("the observation is not the index of a state");
  append_state(features_, state, into);
}

void FiniteCollector::save(ByteWriter& to) const {
  to.put(transitions_.position());
  streams_.save(to);
  to.put(state_);
  if (exploration_) exploration_->save(to);
}

void FiniteCollector::restore(ByteReader& from) {
  transitions_.seek(from.get<std::uint64_t>());
  streams_.restore(from);
  from.get(state_);
  check_saved(state_ >= 0 && state_ < environment_.states(), "the state");
  if (exploration_) exploration_->restore(from);
}

void FiniteCollector::save_phase(ByteWriter& to) const {
  if (exploration_) exploration_->save_phase(to);
  to.put(std::vector<std::int32_t>(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(played_)));
}

std::int64_t FiniteCollector::restore_phase(ByteReader& from) {
  const std::int64_t explored = exploration_ ? exploration_->restore_phase(from) : 0;
  from.get(pairs_);
  check_saved(all_within(pairs_, 0, environment_.model().pairs()), "pairs of a state and an action");
  played_ = pairs_.size();
  costs_.resize(played_);
  for (std::size_t t = 0; t < played_; ++t) costs_[t] = environment_.model().cost[static_cast<std::size_t>(pairs_[t])];
  const auto steps = static_cast<std::int64_t>(played_);
  check_saved(!exploration_ || explored == steps, "segments");
  return steps;
}

}  // namespace politex::inline algorithm
