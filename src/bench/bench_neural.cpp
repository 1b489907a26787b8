#include "politex/bench/bench_neural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <thread>

#include "politex/base/pool.hpp"
#include "politex/bench/bench_clock.hpp"
#include "politex/bench/plain_learner.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/run/neural_run.hpp"

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

double environment_steps() {
  const Cartpole rules;
  Rng rng(1), choose(2);
  std::vector<Action> chosen(1000);
  for (Action& action : chosen) action = static_cast<Action>(choose.below(actions));
  Cartpole::State state = rules.start(rng);
  constexpr int rounds = 200;
  double cost = 0.0;
  const double seconds = best_seconds([&] {
    for (int k = 0; k < rounds; ++k)
      for (const Action action : chosen) cost += rules.step(state, action, rng).cost;
  });
  return std::isfinite(cost) ? rounds * 1000.0 / seconds : 0.0;
}

/// Learner steps per second; `stale`: the policies of all next states must be computed.
double learner_steps(const Shape& shape, LearnerSettings::Target target, bool stale) {
  LearnerSettings settings;
  settings.batch = batch;
  settings.target = target;
  Replay replay(20'000, {shape.inputs, shape.bytes}, shape.actions);
  neural::NetworkLearner learner(shape, settings, replay, 1);
  fill(replay, shape);
  const RingPolicy policy = full_ring(shape);
  std::uint32_t phase = 1;
  const int steps = std::max(20, (stale ? 20'000 : 100'000) / shape.hidden.front());
  const double seconds = best_seconds([&] {
    for (int k = 0; k < steps; ++k) learner.step(policy, stale ? ++phase : phase);
  });
  return steps / seconds;
}

double plain_steps(int hidden) {
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
  const int steps = std::max(20, 100'000 / hidden);
  const double seconds = best_seconds([&] {
    for (int k = 0; k < steps; ++k) {
      for (std::uint32_t& row : drawn.rows) row = static_cast<std::uint32_t>(draw.below(20'000));
      replay.gather(drawn, 1);
      learner.step(drawn);
    }
  });
  return steps / seconds;
}

double acting_us(int rows) {
  const RingPolicy policy = full_ring(shape_of(512));
  Rng rng(1);
  const Floats seen = random_floats(static_cast<std::size_t>(rows) * inputs, rng);
  Floats chosen(static_cast<std::size_t>(rows) * actions);
  RingPolicy::Workspace workspace;
  const int rounds = 10'000 / rows;
  const double seconds = best_seconds([&] {
    for (int k = 0; k < rounds; ++k) policy.evaluate(seen.data(), rows, chosen.data(), workspace);
  });
  return 1e6 * seconds / (rounds * rows);
}

/// Acting on bytes, eight environments in turn; `recalling`: updates only what changed since the last observation.
double ram_acting_us(bool recalling) {
  const Shape shape = ram_shape();
  const RingPolicy policy = full_ring(shape);
  constexpr int environments = 8, rounds = 250;
  Rng rng(1);
  std::vector<Floats> films(environments, Floats(std::size_t{128} * rounds));
  for (Floats& film : films) {
    Floats seen(128);
    for (int k = 0; k < rounds; ++k) {
      move(seen, true, rng);
      std::ranges::copy(seen, film.begin() + std::ptrdiff_t{128} * k);
    }
  }
  std::vector<Recall> recalls(environments);
  Floats chosen(9);
  RingPolicy::Workspace workspace;
  const double seconds = best_seconds([&] {
    for (std::size_t k = 0; k < rounds; ++k)
      for (std::size_t e = 0; e < environments; ++e) {
        const float* seen = &films[e][128 * k];
        if (recalling)
          policy.evaluate(seen, 1, chosen.data(), workspace, [&](int) -> Recall& { return recalls[e]; });
        else
          policy.evaluate(seen, 1, chosen.data(), workspace);
      }
  });
  return 1e6 * seconds / (environments * rounds);
}

void add_ram(std::vector<NeuralBenchRow>& rows) {
  using Target = LearnerSettings::Target;
  rows.push_back({"128 bytes, 9 actions: acting with 10 networks", ram_acting_us(true), "us/state", 18.0, true});
  rows.push_back({"  the same without sums from the previous step", ram_acting_us(false), "us/state"});
  const auto milliseconds = [](bool stale) { return 1e3 / learner_steps(ram_shape(), Target::expected_sarsa, stale); };
  rows.push_back({"  learner step, policies kept", milliseconds(false), "ms", 1.3, true});
  rows.push_back({"  learner step, all policies stale", milliseconds(true), "ms", 5.2, true});
}

/// Milliseconds of a learner step on stacks of four pictures of 84 x 84, and of acting with one network.
std::pair<double, double> picture_ms() {
  const FrameStack picture{4, 84, 84};
  const Shape shape{picture.numbers(), {512}, 9, true, picture};
  LearnerSettings settings;
  settings.target = LearnerSettings::Target::max;
  Replay replay(settings.batch, {shape.inputs, true, picture}, shape.actions);
  neural::NetworkLearner learner(shape, settings, replay, 1);
  fill(replay, shape);
  const RingPolicy policy(shape.actions, neural::PolicySettings{});
  const double step = best_seconds([&] { learner.step(policy, 1); });
  const FrozenNetwork frozen(learner.network());
  FrozenNetwork::Workspace workspace;
  Floats seen(static_cast<std::size_t>(shape.inputs)), values(9);
  const double acting = best_seconds([&] {
    for (int k = 0; k < 20; ++k) frozen.evaluate(seen.data(), 1, values.data(), workspace);
  });
  return {1e3 * step, 1e3 * acting / 20};
}

void add_pictures(std::vector<NeuralBenchRow>& rows) {
  if (!has_convolutions) return;
  const auto [step, acting] = picture_ms();
  rows.push_back({"4 pictures of 84 x 84, 9 actions: learner step", step, "ms", 211.0, true});
  rows.push_back({"  acting with one network", acting, "ms"});
}

/// The figure's learner with a full ring, in phases short enough to fill it soon. Replay and phases have the proportion
/// of the last phases of a long run: every row's policy is recomputed in every phase.
Config steady_config(int threads) {
  const std::vector<std::string> overrides = {"steps=1000000000", "schedule.phase_steps=1500", "replay.capacity=40000",
                                              fmt::format("actors.threads={}", threads)};
  return read_experiment("cartpole/ee_politex.toml", overrides);
}

// Three phases of the full ring, always the same ones.
struct Steady {
  double steps = 0.0;
  // Repeated in turn: a run on one thread, one with an acting thread, and two simultaneous runs on one thread each.
  std::vector<double> one_cpu, one_wall, two_wall, both_wall;
  std::vector<double> learner_share;         // of one_cpu: work that no other thread can do
  std::vector<double> ordered;               // speed-up possible with the required order of the work
  std::vector<double> learner_cpu, act_cpu;  // of the two threads
  std::vector<double> own_share;             // of learner_cpu: work that only the learner can do
  std::vector<double> one_rows, two_rows;    // stale policies that the learner's thread computed
};

std::vector<std::byte> full_ring_state() {
  NeuralRun first(steady_config(0), block_maker(steady_config(0)));
  while (first.agent().phase() <= ring) first.advance();
  ByteWriter saved;
  first.save(saved);
  return saved.bytes();
}

std::unique_ptr<NeuralRun> steady_run(int threads, std::span<const std::byte> state) {
  auto run = std::make_unique<NeuralRun>(steady_config(threads), block_maker(steady_config(threads)));
  ByteReader from(state);
  run->restore(from);
  return run;
}

double play_phases(NeuralRun& run) {
  const std::int64_t before = run.steps_done();
  for (const std::int64_t end = run.agent().phase() + 3; run.agent().phase() < end;) run.advance();
  return static_cast<double>(run.steps_done() - before);
}

/// The upper bound of the speed-up with two threads. They cannot share the work evenly, because all policies are stale
/// when a phase starts and none can be computed before. At best, after k learner steps of a phase each thread has done
/// half of the work so far, and the rest of the phase takes as long as its learner steps. `acting` and `learning` are
/// times per learner step, `row` is the time per policy.
double ordered_speed_up(double acting, double learning, double row, double rows) {
  const Config config = steady_config(0);
  double before = 0.0, worst = 0.0, fresh = 1.0;
  const auto steps = static_cast<double>(config.whole("schedule.phase_steps"));
  // A step needs the stale ones among its rows, and overwrites some.
  const double touched = 1.0 - (batch + static_cast<double>(config.whole("actors.transitions_per_step"))) / rows;
  for (double k = 1.0; k <= steps; ++k) {
    before += acting + learning + row * batch * fresh;
    fresh *= touched;
    worst = std::max(worst, before / 2.0 + (steps - k) * learning);
  }
  return before / worst;
}

void measure_one(std::span<const std::byte> state, Steady& result) {
  const auto run = steady_run(0, state);
  const auto shared = run->agent().shared_work();
  shared.acting.switch_on();
  shared.refreshing.switch_on();
  const double cpu = cpu_seconds(), wall = wall_seconds();
  result.steps = play_phases(*run);
  result.one_wall.push_back(wall_seconds() - wall);
  result.one_cpu.push_back(cpu_seconds() - cpu);
  const double steps = result.steps / static_cast<double>(steady_config(0).whole("actors.transitions_per_step"));
  result.one_rows.push_back(static_cast<double>(run->agent().learner().refreshed()));
  const double shared_seconds = shared.acting.seconds() + shared.refreshing.seconds();
  result.ordered.push_back(ordered_speed_up(shared.acting.seconds() / steps,
                                            (result.one_cpu.back() - shared_seconds) / steps,
                                            shared.refreshing.seconds() / result.one_rows.back(),
                                            static_cast<double>(steady_config(0).whole("replay.capacity"))));
  result.learner_share.push_back(1.0 - shared_seconds / result.one_cpu.back());
}

void measure_two(std::span<const std::byte> state, Steady& result) {
  const auto run = steady_run(1, state);
  const auto shared = run->agent().shared_work();
  shared.acting.switch_on();
  shared.refreshing.switch_on();
  const double cpu = cpu_seconds(), all = process_cpu_seconds(), wall = wall_seconds();
  play_phases(*run);
  result.two_wall.push_back(wall_seconds() - wall);
  result.learner_cpu.push_back(cpu_seconds() - cpu);
  result.two_rows.push_back(static_cast<double>(run->agent().learner().refreshed()));
  result.act_cpu.push_back(process_cpu_seconds() - all - result.learner_cpu.back());
  result.own_share.push_back(1.0 - (shared.acting.seconds() + shared.refreshing.seconds()) / result.learner_cpu.back());
}

void measure_both(std::span<const std::byte> state, Steady& result) {
  const auto here = steady_run(0, state), there = steady_run(0, state);
  const double wall = wall_seconds();
  {
    const std::jthread other([&] { play_phases(*there); });
    play_phases(*here);
  }
  result.both_wall.push_back(wall_seconds() - wall);
}

Steady measure_steady(bool two_cores) {
  constexpr int rounds = 7;
  const std::vector<std::byte> state = full_ring_state();
  Steady result;
  for (int k = 0; k < rounds; ++k) {
    measure_one(state, result);
    if (!two_cores) continue;
    measure_two(state, result);
    measure_both(state, result);
  }
  return result;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double median_ratio(std::span<const double> above, std::span<const double> below) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < above.size(); ++k) ratios.push_back(above[k] / below[k]);
  return median_of(std::move(ratios));
}

}  // namespace

std::vector<NeuralBenchRow> run_neural_bench() {
  using Target = LearnerSettings::Target;
  std::vector<NeuralBenchRow> rows;
  rows.push_back({"cartpole environment", environment_steps(), "steps/s", 8e6});
  for (const int count : {1, 8, 64})
    rows.push_back({fmt::format("acting with {} networks, {} state{} per call", ring, count, count > 1 ? "s" : ""),
                    acting_us(count), "us/state", count == 1 ? 4.0 : 0.0, true});
  const double learner = learner_steps(shape_of(512), Target::max, false), plain = plain_steps(512);
  rows.push_back({"learner step, max with double Q", learner, "steps/s"});
  rows.push_back({"the same in plain Eigen products", plain, "steps/s"});
  rows.push_back({"learner compared with plain products", learner / plain, "x", 1.0});
  rows.push_back({"learner step, expected SARSA, policies kept",
                  learner_steps(shape_of(512), Target::expected_sarsa, false), "steps/s"});
  rows.push_back({"learner step, expected SARSA, all policies stale",
                  learner_steps(shape_of(512), Target::expected_sarsa, true), "steps/s"});
  for (const int hidden : {64, 128, 256, 512, 1024, 2048}) {
    const double steps = learner_steps(shape_of(hidden), Target::max, false);
    rows.push_back({fmt::format("learner step, {} hidden", hidden), steps, "steps/s"});
    rows.push_back({fmt::format("  per hidden unit of {}", hidden), 1e9 / steps / hidden, "ns"});
  }
  add_ram(rows);
  add_pictures(rows);
  return rows;
}

void add_two_cores(std::vector<NeuralBenchRow>& rows) {
  const bool two_cores = resolve_jobs(0) > 1;
  const Steady steady = measure_steady(two_cores);
  const double share = median_of(steady.learner_share);
  rows.push_back(
      {"end to end, ring full, one core", steady.steps / std::ranges::min(steady.one_cpu), "steps/s", 30'000.0});
  rows.push_back({"share of work that only the learner can do", share, "", 0.0});
  if (!two_cores) return;
  const double allowed = std::min(2.0, 1.0 / share);
  rows.push_back({"speed-up possible on two cores with this share", allowed, "x", 0.0});
  rows.push_back({"  possible with the order of the work as well", median_of(steady.ordered), "x", 0.0});
  rows.push_back({"speed-up on two idle cores, wall time", median_ratio(steady.one_wall, steady.two_wall), "x",
                  0.9 * std::min(allowed, median_of(steady.ordered))});
  std::vector<double> busier;
  for (std::size_t k = 0; k < steady.learner_cpu.size(); ++k)
    busier.push_back(std::max(steady.learner_cpu[k], steady.act_cpu[k]));
  rows.push_back({"  by CPU time of the busier thread", median_ratio(steady.one_cpu, busier), "x", 0.0});
  rows.push_back({"  share of the learner's thread only it can do", median_of(steady.own_share), "", 0.9});
  rows.push_back(
      {"  share of stale policies that it computes", median_ratio(steady.two_rows, steady.one_rows), "", 0.0});
  rows.push_back({"  this machine: two parallel runs vs. two in turn",
                  2.0 * median_ratio(steady.one_wall, steady.both_wall), "x", 0.0});
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
