// Fast paths against slow ones on random small configurations: compiled tables against the general loop, the solvers of
// linear equations against each other, the exact optimum against every policy. POLITEX_RANDOM_CONFIGURATIONS sets the
// number of each kind, POLITEX_FIRST_RANDOM_CONFIGURATION the number of the first (.ci/run faults: 100,000 together).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "exact/random_models.hpp"
#include "politex/algorithm/learner.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/parts.hpp"
#include "politex/run/run.hpp"
#include "politex/run/summary.hpp"
#include "politex/solvers/regression.hpp"
#include "politex/solvers/td_equations.hpp"

namespace politex {
namespace {

struct Share {
  std::int64_t first = 0, count = 0;
};

std::int64_t number_of_environment(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

Share share() {
  return {.first = number_of_environment("POLITEX_FIRST_RANDOM_CONFIGURATION", 0),
          .count = number_of_environment("POLITEX_RANDOM_CONFIGURATIONS", 300)};
}

/// A value that a key accepts and that keeps a run small; empty: the default.
std::optional<Value> small_value(const Key& key, Rng& rng) {
  const Accepts& accepts = key.accepts;
  switch (accepts.kind) {
    case Kind::whole:
      return static_cast<std::int64_t>(accepts.minimum) +
             static_cast<std::int64_t>(rng.below(std::min<std::uint64_t>(
                 5, static_cast<std::uint64_t>(std::min(accepts.maximum - accepts.minimum, 4.0)) + 1)));
    case Kind::number: {
      const double low = std::max(accepts.minimum, -2.0), high = std::min(accepts.maximum, low + 1.5);
      return low + (0.05 + 0.9 * rng.uniform()) * (high - low);
    }
    case Kind::flag:
      return rng.below(2) == 0;
    case Kind::word:
      return std::string(accepts.choices[rng.below(accepts.choices.size())].name);
    case Kind::length: {
      static constexpr const char* lengths[] = {"1", "2", "5", "N", "N/2", "3N/4"};
      return std::string(lengths[rng.below(std::size(lengths))]);
    }
    default:
      return std::nullopt;
  }
}

/// A configuration on a finite environment with a linear learner; names and a few other keys are random.
std::optional<Config> random_configuration(Rng& rng) {
  static const std::vector<const EnvironmentEntry*> finite = [] {
    std::vector<const EnvironmentEntry*> all;
    for (const EnvironmentEntry* each : environments())
      if (each->model != nullptr && each->name != "finite_mdp" && each->name != "queues") all.push_back(each);
    return all;
  }();
  static const std::vector<const LearnerEntry*> linear = [] {
    std::vector<const LearnerEntry*> all;
    for (const LearnerEntry* each : learners())
      if (each->linear()) all.push_back(each);
    return all;
  }();
  Config config = default_config(finite[rng.below(finite.size())]->name);
  config.seed = 1 + rng.below(1000);
  config.steps = 1 + static_cast<std::int64_t>(rng.below(80));
  try {
    config.set("algorithm.name", std::string(linear[rng.below(linear.size())]->name));
    for (const char* key : {"explorer.name", "features.name"}) {
      const KnownKey* known = find_key(key);
      const auto& choices = known->key().accepts.choices;
      const std::string name(choices[rng.below(choices.size())].name);
      if (rng.below(2) == 0 && name != "file" && config.find(key) != nullptr) config.set(key, name);
    }
    // Sizes are small; of the other keys about every sixth is set.
    const std::vector<const Key*> keys = config.keys();
    for (const Key* each : keys) {
      if (each->name.ends_with(".name") || each->name == "algorithm.path") continue;
      if (each->table() != "environment" && rng.below(6) != 0) continue;
      if (const auto value = small_value(*each, rng)) config.set(each->name, *value);
    }
    // Without a ridge rounding decides what the rank is.
    if (config.find("algorithm.solve") != nullptr) config.set("algorithm.solve", std::string("ridge"));
    if (config.find("algorithm.ridge") != nullptr) config.set("algorithm.ridge", 0.1 + rng.uniform());
    // As a file gives it: what has no effect is refused there.
    Config read = build_config(parse_toml(to_toml(config), "random.toml")).config;
    constexpr int most_states = 30;  // larger ones take longer, and have no other code
    if (const auto space = known_space(read); !space || space->states > most_states) return std::nullopt;
    constexpr int most_features = 1000;  // the dense equations of tiles on many axes would fill the memory
    if (make_features(read, make_model(read)).structure().dimension() > most_features) return std::nullopt;
    return read;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// Least squares over what a phase visited: the tables of the compiled path sum in another order. The default learner
/// solves them only where its features are not one per state.
bool sums_in_an_order_of_its_own(const Config& config) {
  const std::string name = config.text("algorithm.name"), features = config.text("features.name");
  const bool by_state = (features == "auto" || features == "tabular") &&
                        (config.find("features.basis") == nullptr || !config.flag("features.basis"));
  return name == "ee_politex" || name == "politex" || name == "rlsvi" || name == "lspi" ||
         (name == "auto" && !by_state);
}
/// rlsvi draws weights, and the same random numbers may belong to rows, of which the paths have different ones. lspi
/// and combine = replay follow greedy policies within an estimate: rounding decides between two actions of one value.
bool jumps_within_an_estimate(const Config& config) {
  const std::string name = config.text("algorithm.name");
  const bool replays = config.find("algorithm.combine") != nullptr && config.text("algorithm.combine") == "replay";
  return name == "rlsvi" || name == "lspi" || replays;
}

struct PathOutcome {
  bool exists = false;                // this path is there for the configuration
  std::string first, all;             // the rows, and what else must be the same: of the first phase, and of the run
  std::vector<double> first_weights;  // after the first phase
};

PathOutcome outcome(Config config, const char* path) {
  PathOutcome out;
  try {
    config.set("algorithm.path", std::string(path));
    const auto run = make_run(config, {});
    out.exists = true;
    std::vector<double> row;
    while (!run->done()) {
      run->advance();
      run->row(row);
      for (const double cell : row) out.all += fmt::format("{} ", cell);
      if (!out.first.empty()) continue;
      out.first = fmt::format("{} {}", run->steps_done(), run->average_cost());
      if (run->learner() != nullptr)
        out.first_weights.assign(run->learner()->weights().begin(), run->learner()->weights().end());
    }
    if (run->learner() != nullptr)
      for (const double weight : run->learner()->weights()) out.all += fmt::format("{} ", weight);
    Summary summary = run->summary();
    summary.path.clear();
    summary.signature.clear();  // it names the states that were visited, each path by its own numbers
    out.all += summary_json(summary);
  } catch (const ConfigError&) {
  } catch (const Error& error) {  // it diverges, for example: on both paths
    out.all += error.what();
  }
  return out;
}

// A ridge of 0.075 or more bounds the condition by about 1e4: rounding stays far below this, and so do iterations.
constexpr double solver_tolerance = 1e-7;

double distance_of(const std::vector<double>& one, const std::vector<double>& other) {
  if (one.size() != other.size()) return std::numeric_limits<double>::infinity();
  double most = 0.0, size = 1.0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    most = std::max(most, std::abs(one[i] - other[i]));
    size = std::max(size, std::abs(one[i]));
  }
  return most / size;
}

// Learners of every step: the same bits to the end. Those that solve least squares: the same first phase, and the same
// weights after it up to rounding, which later may turn the choice between two actions of one value.
TEST(RandomConfigurations, TheCompiledPathDoesWhatTheGeneralOneDoes) {
  const auto [first, count] = share();
  std::int64_t refused = 0, compared = 0;
  constexpr std::int64_t most_refused = 20;  // of each, so that shares have different ones
  for (std::int64_t k = (1 + most_refused) * first; compared < count && !HasFailure(); ++k) {
    Rng rng(2, Use::test, static_cast<std::uint64_t>(k));
    const auto config = random_configuration(rng);
    const PathOutcome compiled = config ? outcome(*config, "compiled") : PathOutcome{};
    if (!compiled.exists) {
      ++refused;
      ASSERT_LT(refused, most_refused * count);
      continue;
    }
    const PathOutcome general = outcome(*config, "generic");
    ASSERT_EQ(compiled.first, general.first) << k << "\n" << to_toml(*config);
    if (!jumps_within_an_estimate(*config)) {
      ASSERT_LT(distance_of(compiled.first_weights, general.first_weights), solver_tolerance) << k << "\n"
                                                                                              << to_toml(*config);
    }
    if (!sums_in_an_order_of_its_own(*config)) {
      ASSERT_EQ(compiled.all, general.all) << k << "\n" << to_toml(*config);
    }
    ++compared;
  }
  RecordProperty("configurations", std::to_string(compared));
  RecordProperty("refused", std::to_string(refused));
}

/// Rows of a random structure, with weights and targets.
struct RandomRows {
  explicit RandomRows(Rng& rng) {
    structure = {
        .blocks = 1 + static_cast<int>(rng.below(3)), .width = 1 + static_cast<int>(rng.below(6)), .exclusive = 0};
    structure.exclusive = static_cast<int>(rng.below(static_cast<std::uint64_t>(structure.width) + 1));
    rows.columns = structure.width;
    const auto count = 1 + rng.below(12);
    for (std::uint64_t r = 0; r < count; ++r) {
      const bool indicators = rng.below(2) == 0;
      if (structure.exclusive > 0 && rng.below(4) != 0)
        rows.append(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(structure.exclusive))),
                    indicators ? 1.0 : rng.normal());
      for (int column = structure.exclusive; column < structure.width; ++column)
        if (rng.below(2) == 0) rows.append(column, indicators ? 1.0 : rng.normal());
      rows.end_row();
      block.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(structure.blocks))));
      weight.push_back(1.0 + static_cast<double>(rng.below(3)));
      target.push_back(rng.normal());
    }
  }
  FeatureRow row(int r) const {
    return {block[static_cast<std::size_t>(r)] * structure.width, rows.indices(r), rows.values(r)};
  }

  FeatureStructure structure;
  SparseRows rows;
  std::vector<int> block;
  std::vector<double> weight, target;
};

std::vector<double> ridge_solution(const RandomRows& problem, Solver solver, double ridge) {
  Regression regression(problem.structure, {.solver = solver, .tolerance = 1e-12, .iterations = 0});
  regression.reset();
  for (int r = 0; r < problem.rows.rows(); ++r)
    regression.add(problem.row(r), problem.weight[static_cast<std::size_t>(r)],
                   problem.target[static_cast<std::size_t>(r)]);
  std::vector<double> w(static_cast<std::size_t>(problem.structure.dimension()), 0.0);
  regression.solve(ridge, w);
  return w;
}

std::vector<double> td_solution(const RandomRows& problem, Solver solver, double ridge) {
  TdEquations equations(problem.structure.dimension(), TdEquations::Average::given,
                        {.solver = solver, .tolerance = 1e-12, .iterations = 0});
  equations.reset();
  for (int r = 0; r < problem.rows.rows(); ++r) {
    equations.add_own(problem.row(r), 1.0);
    equations.add_next(problem.row(r), problem.row((r + 1) % problem.rows.rows()), 1.0);
    equations.add_target(problem.row(r), problem.target[static_cast<std::size_t>(r)]);
  }
  std::vector<double> w(static_cast<std::size_t>(problem.structure.dimension()), 0.0);
  equations.solve(TdSolve::ridge, ridge, w);
  return w;
}

TEST(RandomConfigurations, EverySolverGivesTheSameWeights) {
  const auto [first, count] = share();
  for (std::int64_t k = first; k < first + count && !HasFailure(); ++k) {
    Rng rng(3, Use::test, static_cast<std::uint64_t>(k));
    const RandomRows problem(rng);
    const double ridge = 0.1 + rng.uniform();
    const std::vector<double> direct = ridge_solution(problem, Solver::direct, ridge);
    for (const Solver solver : {Solver::automatic, Solver::sparse, Solver::dual, Solver::iterative})
      ASSERT_LT(distance_of(direct, ridge_solution(problem, solver, ridge)), solver_tolerance)
          << k << " " << name_of(solver);
    const std::vector<double> td = td_solution(problem, Solver::direct, ridge);
    for (const Solver solver : {Solver::automatic, Solver::sparse, Solver::iterative})
      ASSERT_LT(distance_of(td, td_solution(problem, solver, ridge)), solver_tolerance) << k << " " << name_of(solver);
  }
  RecordProperty("configurations", std::to_string(count));
}

TEST(RandomConfigurations, NoPolicyIsBetterThanTheExactOptimum) {
  const auto [first, count] = share();
  for (std::int64_t k = first; k < first + count && !HasFailure(); ++k) {
    Rng rng(4, Use::test, static_cast<std::uint64_t>(k));
    const auto below = [&](std::uint64_t n) { return static_cast<int>(rng.below(n)); };
    const FiniteModel model =
        exact::testing::random_model(rng.bits(), 1 + below(4), 1 + below(2), 1 + below(3), below(4) == 0 ? 0.2 : 0.0);
    const exact::Optimum found = exact::optimum(model);
    std::vector<double> best(static_cast<std::size_t>(model.states), std::numeric_limits<double>::infinity());
    std::vector<int> actions(best.size(), 0);
    for (std::size_t x = 0; x < actions.size();) {
      const auto chain = exact::testing::dense_chain(model, exact::deterministic_policy(model, actions));
      const Eigen::VectorXd gain = exact::testing::dense_limit(chain.p) * chain.cost;
      for (std::size_t y = 0; y < best.size(); ++y) best[y] = std::min(best[y], gain[static_cast<Eigen::Index>(y)]);
      for (x = 0; x < actions.size() && ++actions[x] == model.actions; ++x) actions[x] = 0;
    }
    for (std::size_t x = 0; x < best.size(); ++x) ASSERT_NEAR(found.gain[x], best[x], 1e-8) << k << " state " << x;
  }
  RecordProperty("configurations", std::to_string(count));
}

}  // namespace
}  // namespace politex
