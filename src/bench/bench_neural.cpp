#include "politex/bench/bench_neural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "politex/bench/bench_clock.hpp"
#include "politex/bench/plain_learner.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/network/network.hpp"
#include "politex/neural/network_learner.hpp"
#include "politex/neural/ring_policy.hpp"

namespace politex::inline bench {
namespace {

using neural::Batch;
using neural::LearnerSettings;
using neural::Replay;
using neural::RingPolicy;

constexpr int inputs = 5, actions = 3, batch = 128, ring = 10;

Shape shape_of(int hidden) { return {inputs, {hidden}, actions}; }
/// Atari RAM observations: 128 bytes, 9 actions in Ms. Pac-Man.
Shape ram_shape() { return {128, {512}, 9, true}; }

Floats random_floats(std::size_t count, Rng& rng) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

/// A full ring of different networks.
RingPolicy full_ring(const Shape& shape) {
  RingPolicy policy(shape.actions, neural::PolicySettings{});
  for (int k = 0; k < ring; ++k) {
    DuelingNetwork network(shape);
    Rng rng(static_cast<std::uint64_t>(k), Use::network);
    network.randomise(rng);
    policy.push(std::make_shared<FrozenNetwork>(network), 1000.0 + k);
  }
  return policy;
}

/// Changes an observation: all numbers (normal), or about 13.6 of 128 bytes, as in a game.
void move(Floats& seen, bool bytes, Rng& rng) {
  for (float& x : seen) {
    if (!bytes)
      x = static_cast<float>(rng.normal());
    else if (rng.uniform() < 13.6 / 128)
      x = static_cast<float>(rng.below(256)) / 255.0F;
  }
}

void fill(Replay& replay, const Shape& shape) {
  Rng rng(1);
  const auto count = static_cast<std::size_t>(shape.actions);
  const std::vector<float> policy(count, 1.0F / static_cast<float>(count));
  Floats seen(static_cast<std::size_t>(shape.inputs)), next = seen;
  for (std::int64_t i = 0; i < replay.capacity(); ++i) {
    move(seen, shape.bytes, rng);
    move(next, shape.bytes, rng);
    replay.add({.state = seen,
                .next = next,
                .action = static_cast<int>(i % shape.actions),
                .next_action = 0,
                .length = 10,
                .cost = seen[0]},
               policy, 1);
  }
}

double environment_steps(const BenchEffort& effort) {
  const Cartpole rules;
  Rng rng(1), choose(2);
  std::vector<Action> chosen(1000);
  for (Action& action : chosen) action = static_cast<Action>(choose.below(actions));
  Cartpole::State state = rules.start(rng);
  const std::int64_t rounds = effort.of(200);
  double cost = 0.0;
  const double seconds = best_seconds(
      [&] {
        for (std::int64_t k = 0; k < rounds; ++k)
          for (const Action action : chosen) cost += rules.step(state, action, rng).cost;
      },
      effort.repetitions);
  return std::isfinite(cost) ? static_cast<double>(rounds) * 1000.0 / seconds : 0.0;
}

/// Learner steps per second; `stale`: the policies of all next states must be computed.
double learner_steps(const Shape& shape, LearnerSettings::Target target, bool stale, const BenchEffort& effort) {
  LearnerSettings settings;
  settings.batch = batch;
  settings.target = target;
  Replay replay(20'000, {shape.inputs, shape.bytes}, shape.actions);
  neural::NetworkLearner learner(shape, settings, replay, 1);
  fill(replay, shape);
  const RingPolicy policy = full_ring(shape);
  std::uint32_t phase = 1;
  const std::int64_t steps = effort.of(std::max(20, (stale ? 20'000 : 100'000) / shape.hidden.front()));
  const double seconds = best_seconds(
      [&] {
        for (std::int64_t k = 0; k < steps; ++k) learner.step(policy, stale ? ++phase : phase);
      },
      effort.repetitions);
  return static_cast<double>(steps) / seconds;
}

double plain_steps(int hidden, const BenchEffort& effort) {
  LearnerSettings settings;
  Replay replay(20'000, {inputs, false}, actions);
  fill(replay, shape_of(hidden));
  DuelingNetwork network(shape_of(hidden));
  Rng rng(1, Use::network);
  network.randomise(rng);
  PlainLearner learner(network, settings);
  Batch drawn;
  drawn.resize(batch, inputs, actions);
  std::ranges::fill(drawn.weights, 1.0F);
  Rng draw(1, Use::replay);
  const std::int64_t steps = effort.of(std::max(20, 100'000 / hidden));
  const double seconds = best_seconds(
      [&] {
        for (std::int64_t k = 0; k < steps; ++k) {
          for (std::uint32_t& row : drawn.rows) row = static_cast<std::uint32_t>(draw.below(20'000));
          replay.gather(drawn, 1);
          learner.step(drawn);
        }
      },
      effort.repetitions);
  return static_cast<double>(steps) / seconds;
}

double acting_us(int rows, const BenchEffort& effort) {
  const RingPolicy policy = full_ring(shape_of(512));
  Rng rng(1);
  const Floats seen = random_floats(static_cast<std::size_t>(rows) * inputs, rng);
  Floats chosen(static_cast<std::size_t>(rows) * actions);
  RingPolicy::Workspace workspace;
  const std::int64_t rounds = effort.of(10'000 / rows);
  const double seconds = best_seconds(
      [&] {
        for (std::int64_t k = 0; k < rounds; ++k) policy.evaluate(seen.data(), rows, chosen.data(), workspace);
      },
      effort.repetitions);
  return 1e6 * seconds / static_cast<double>(rounds * rows);
}

/// Acting on bytes, eight environments in turn; `recalling`: updates only what changed since the last observation.
double ram_acting_us(bool recalling, const BenchEffort& effort) {
  const Shape shape = ram_shape();
  const RingPolicy policy = full_ring(shape);
  constexpr int environments = 8;
  const auto rounds = static_cast<std::size_t>(effort.of(250));
  Rng rng(1);
  std::vector<Floats> films(environments, Floats(128 * rounds));
  for (Floats& film : films) {
    Floats seen(128);
    for (std::size_t k = 0; k < rounds; ++k) {
      move(seen, true, rng);
      std::ranges::copy(seen, film.begin() + static_cast<std::ptrdiff_t>(128 * k));
    }
  }
  std::vector<Recall> recalls(environments);
  Floats chosen(9);
  RingPolicy::Workspace workspace;
  const double seconds = best_seconds(
      [&] {
        for (std::size_t k = 0; k < rounds; ++k)
          for (std::size_t e = 0; e < environments; ++e) {
            const float* seen = &films[e][128 * k];
            if (recalling)
              policy.evaluate(seen, 1, chosen.data(), workspace, [&](int) -> Recall& { return recalls[e]; });
            else
              policy.evaluate(seen, 1, chosen.data(), workspace);
          }
      },
      effort.repetitions);
  return 1e6 * seconds / static_cast<double>(environments * rounds);
}

void add_ram(std::vector<NeuralBenchRow>& rows, const BenchEffort& effort) {
  using Target = LearnerSettings::Target;
  rows.push_back(
      {"128 bytes, 9 actions: acting with 10 networks", ram_acting_us(true, effort), "us/state", 18.0, true});
  rows.push_back({"  the same without sums from the previous step", ram_acting_us(false, effort), "us/state"});
  const auto milliseconds = [&](bool stale) {
    return 1e3 / learner_steps(ram_shape(), Target::expected_sarsa, stale, effort);
  };
  rows.push_back({"  learner step, policies kept", milliseconds(false), "ms", 1.3, true});
  rows.push_back({"  learner step, all policies stale", milliseconds(true), "ms", 5.2, true});
}

/// Milliseconds of a learner step on stacks of four pictures of 84 x 84, and of acting with one network.
std::pair<double, double> picture_ms(const BenchEffort& effort) {
  const FrameStack picture{4, 84, 84};
  const Shape shape{picture.numbers(), {512}, 9, true, picture};
  LearnerSettings settings;
  settings.target = LearnerSettings::Target::max;
  Replay replay(settings.batch, {shape.inputs, true, picture}, shape.actions);
  neural::NetworkLearner learner(shape, settings, replay, 1);
  fill(replay, shape);
  const RingPolicy policy(shape.actions, neural::PolicySettings{});
  const double step = best_seconds([&] { learner.step(policy, 1); }, effort.repetitions);
  const FrozenNetwork frozen(learner.network());
  FrozenNetwork::Workspace workspace;
  Floats seen(static_cast<std::size_t>(shape.inputs)), values(9);
  const std::int64_t calls = effort.of(20);
  const double acting = best_seconds(
      [&] {
        for (std::int64_t k = 0; k < calls; ++k) frozen.evaluate(seen.data(), 1, values.data(), workspace);
      },
      effort.repetitions);
  return {1e3 * step, 1e3 * acting / static_cast<double>(calls)};
}

void add_pictures(std::vector<NeuralBenchRow>& rows, const BenchEffort& effort) {
  const auto [step, acting] = picture_ms(effort);
  rows.push_back({"4 pictures of 84 x 84, 9 actions: learner step", step, "ms", 211.0, true});
  rows.push_back({"  acting with one network", acting, "ms"});
}

}  // namespace

std::vector<NeuralBenchRow> run_neural_bench(const BenchEffort& effort) {
  using Target = LearnerSettings::Target;
  std::vector<NeuralBenchRow> rows;
  rows.push_back({"cartpole environment", environment_steps(effort), "steps/s", 8e6});
  for (const int count : {1, 8, 64})
    rows.push_back({fmt::format("acting with {} networks, {} state{} per call", ring, count, count > 1 ? "s" : ""),
                    acting_us(count, effort), "us/state", count == 1 ? 4.0 : 0.0, true});
  const double learner = learner_steps(shape_of(512), Target::max, false, effort);
  const double plain = plain_steps(512, effort);
  rows.push_back({"learner step, max with double Q", learner, "steps/s"});
  rows.push_back({"the same in plain Eigen products", plain, "steps/s"});
  rows.push_back({"learner compared with plain products", learner / plain, "x", 1.0});
  rows.push_back({"learner step, expected SARSA, policies kept",
                  learner_steps(shape_of(512), Target::expected_sarsa, false, effort), "steps/s"});
  rows.push_back({"learner step, expected SARSA, all policies stale",
                  learner_steps(shape_of(512), Target::expected_sarsa, true, effort), "steps/s"});
  for (const int hidden : {64, 128, 256, 512, 1024, 2048}) {
    const double steps = learner_steps(shape_of(hidden), Target::max, false, effort);
    rows.push_back({fmt::format("learner step, {} hidden", hidden), steps, "steps/s"});
    rows.push_back({fmt::format("  per hidden unit of {}", hidden), 1e9 / steps / hidden, "ns"});
  }
  add_ram(rows, effort);
  add_pictures(rows, effort);
  return rows;
}

std::string neural_bench_text(const std::vector<NeuralBenchRow>& rows) {
  std::string text = fmt::format(
      "\nthe neural learner: cartpole, network 5-512-(1+3), batch {}, unless stated otherwise; CPU time of one core,\n"
      "best of several; two cores and games: wall time on an idle machine\n\n{:<52}{:>14} {:<12}{:>12}\n",
      batch, "", "", "", "aim");
  for (const NeuralBenchRow& row : rows) {
    if (!row.skipped.empty()) {
      text += fmt::format("{:<52}skipped: {}\n", row.name, row.skipped);
      continue;
    }
    const auto number = [](double value) {
      return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
    };
    text += fmt::format("{:<52}{:>14} {:<12}{:>12}\n", row.name, number(row.value), row.unit,
                        row.aim > 0.0 ? (row.at_most ? "<= " : ">= ") + number(row.aim) : "");
  }
  return text;
}

}  // namespace politex::inline bench
