#include "politex/politex/finite_collector.hpp"

namespace politex {
namespace {

/// Two actions and one outcome everywhere: both successors are loaded beside the probability, so that a step waits for
/// one load, not two.
int walk_two_actions(const FiniteModel& model, const double* cumulative, int state, std::int64_t count, Rng& actions,
                     std::int32_t* pairs) noexcept {
  const std::int32_t* next = model.next.data();
  while (count > 0) {
    const std::span<const std::uint64_t> draws = actions.take(count);
    for (const std::uint64_t draw : draws) {
      const std::int32_t pair = 2 * state;
      const std::int32_t left = next[pair], right = next[pair + 1];
      // A policy is random: told so, the compiler selects the successor instead of guessing by a branch.
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

int walk(const FiniteWorld& world, const PolicyTable& policy, int state, std::int64_t count, Rng& actions,
         Rng& environment, std::int32_t* pairs) noexcept {
  const FiniteModel& model = world.model();
  if (model.actions == 2 && model.deterministic())
    return walk_two_actions(model, policy.cumulative(), state, count, actions, pairs);
  for (std::int64_t t = 0; t < count; ++t) {
    pairs[t] = model.pair(state, policy.sample(state, actions));
    state = world.successor(pairs[t], environment);
  }
  return state;
}

void Streams::save(ByteWriter& to) const {
  to.put(environment.position());
  for (const Rng& rng : by) to.put(rng.position());
}

void Streams::restore(ByteReader& from) {
  environment.seek(from.get<std::uint64_t>());
  for (Rng& rng : by) rng.seek(from.get<std::uint64_t>());
}

FiniteCollector::FiniteCollector(const FiniteWorld& world, Features features, PolicyTable explorer, std::uint64_t seed)
    : world_(world),
      features_(std::move(features)),
      tables_{std::move(explorer), PolicyTable(world.states(), world.actions()),
              PolicyTable(world.states(), world.actions())},
      streams_(seed),
      state_(world.start(streams_.environment)),
      q_(static_cast<std::size_t>(world.model().pairs()), 0.0) {}

void FiniteCollector::follow(const Rule& rule, std::span<const double> weights) {
  features_.values(weights, q_);
  tables_[2].set(rule, q_);
}

Phase FiniteCollector::play(const Lengths& lengths, std::int64_t played, std::int64_t steps) {
  const auto count = played_ = static_cast<std::size_t>(steps);
  if (pairs_.size() < count) {
    pairs_.resize(count);
    costs_.resize(count);
  }
  std::int32_t* at = pairs_.data() + played;
  for_each_part(lengths, played, steps, [&](std::int64_t part, By by) {
    state_ = walk(world_, tables_[static_cast<std::size_t>(by)], state_, part, streams_.actions(by),
                  streams_.environment, at);
    at += part;
  });
  const double* cost = world_.model().cost.data();
  for (auto t = static_cast<std::size_t>(played); t < count; ++t) costs_[t] = cost[pairs_[t]];
  return {.lengths = lengths,
          .pairs = std::span(pairs_).first(count),
          .costs = std::span(costs_).first(count),
          .last_slot = state_,
          .features = &features_,
          .policy = tables_[2].probabilities(),
          .slots_are_states = true,
          .model_pairs = std::span(pairs_).first(count),
          .last_state = state_};
}

void FiniteCollector::describe(std::span<const double> observation, SparseRows& into) const {
  const auto state = static_cast<int>(observation[0]);
  if (state < 0 || state >= world_.states()) throw Error("the observation is not the index of a state");
  const int rows = features_.replicated ? 1 : features_.actions;
  for (int row = state * rows; row < (state + 1) * rows; ++row) {
    const auto indices = features_.rows.indices(row);
    const auto values = features_.rows.values(row);
    for (std::size_t k = 0; k < indices.size(); ++k) into.append(indices[k], values[k]);
    into.end_row();
  }
}

void FiniteCollector::save(ByteWriter& to) const {
  streams_.save(to);
  to.put(state_);
}

void FiniteCollector::restore(ByteReader& from) {
  streams_.restore(from);
  from.get(state_);
  if (state_ < 0 || state_ >= world_.states()) throw Error("the saved state is not a state of this environment");
}

void FiniteCollector::save_phase(ByteWriter& to) const {
  to.put(std::vector<std::int32_t>(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(played_)));
}

void FiniteCollector::restore_phase(ByteReader& from) {
  from.get(pairs_);
  played_ = pairs_.size();
  costs_.resize(played_);
  for (std::size_t t = 0; t < played_; ++t) {
    if (pairs_[t] < 0 || pairs_[t] >= world_.model().pairs())
      throw Error("a saved pair is not a pair of this environment");
    costs_[t] = world_.model().cost[static_cast<std::size_t>(pairs_[t])];
  }
}

}  // namespace politex
