#include "politex/figures/theory/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/files.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline figures {
namespace {

namespace fs = std::filesystem;

std::string explorer_file(const fs::path& directory, const std::string& environment, double share) {
  return fs::absolute(directory / "explorers" / fmt::format("{}-{}.policy", environment, share)).string();
}

/// Adds the runs of one environment and seed.
class RunAdder {
 public:
  RunAdder(std::vector<TheoryRun>& runs, const TheoryGrid& grid, std::string environment, std::uint64_t seed)
      : runs_(runs), grid_(grid), environment_(std::move(environment)), seed_(seed) {}

  void judged(const fs::path& directory) {
    for (const char* schedule : {"theory", "theory_text"})
      for (const std::int64_t steps : grid_.steps)
        add("c", schedule, static_cast<double>(steps), cell(schedule, steps));
    for (const double eta : grid_.etas) with_eta("grid", eta);
    add("d", "theorem", 0.0, cell("theory_text", grid_.short_steps));
    for (const double teleport : grid_.teleports)
      add("e", "teleport", teleport, cell("theory_text", grid_.short_steps, teleport));
    const Cell excited = cell("theory_text", grid_.short_steps, excitation_teleport);
    for (const double share : grid_.mixtures)
      add("e", "sigma", share, excited,
          {"explorer.name=file", fmt::format("explorer.file={}", explorer_file(directory, environment_, share))});
  }

  /// The best eta is chosen on these.
  void chosen_on() {
    for (const double eta : grid_.etas) with_eta("choice", eta);
  }

 private:
  Cell cell(const char* schedule, std::int64_t steps, double teleport = theory_teleport) const {
    return theory_cell(environment_, seed_, schedule, steps, teleport);
  }

  void with_eta(const char* curve, double eta) {
    add("d", curve, eta, cell("theory_text", grid_.short_steps), {fmt::format("algorithm.eta={}", eta)});
  }

  void add(const char* part, const char* curve, double x, Cell cell, const std::vector<std::string>& more = {}) {
    cell.name = fmt::format("part={},environment={},curve={},x={},{}", part, environment_, curve, x, cell.name);
    cell.overrides.insert(cell.overrides.end(), more.begin(), more.end());
    runs_.push_back({{part, environment_, curve, "", x, static_cast<int>(seed_), 0.0}, std::move(cell)});
  }

  std::vector<TheoryRun>& runs_;
  const TheoryGrid& grid_;
  std::string environment_;
  std::uint64_t seed_;
};

}  // namespace

TheoryGrid theory_grid(bool quick, int seeds) {
  TheoryGrid grid;
  if (quick)
    grid = {.quick = true,
            .seeds = 5,
            .rollouts = {100, 400, 1600, 6400},
            .lengths = {10, 40, 80, 160},
            .steps = {500'000, 1'000'000},
            .etas = {0.01, 0.1, 1.0, 10.0, 100.0},
            .teleports = {0.1, 0.3, 0.8},
            .mixtures = {0.05, 0.2, 1.0},
            .short_steps = 100'000};
  else
    grid = {.quick = false,
            .seeds = 20,
            .rollouts = {50, 100, 200, 400, 800, 1600, 3200, 6400, 12'800},
            .lengths = {5, 10, 20, 40, 80, 160, 320},
            .steps = {500'000, 1'000'000, 2'000'000, 4'000'000, 8'000'000},
            .etas = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0},
            .teleports = {0.05, 0.1, 0.2, 0.4, 0.8},
            .mixtures = {0.02, 0.05, 0.1, 0.2, 0.5, 1.0},
            .short_steps = 500'000};
  if (seeds > 0) grid.seeds = seeds;
  return grid;
}

std::int64_t theory_horizon() {
  const double kappa = -1.0 / std::log(1.0 - theory_teleport);
  return static_cast<std::int64_t>(std::ceil(kappa * std::log(static_cast<double>(theory_samples))));
}

Cell theory_cell(const std::string& environment, std::uint64_t seed, const std::string& schedule, std::int64_t steps,
                 double teleport) {
  const bool own_model = environment == "Garnet";
  const char* file = own_model ? "garnet" : environment == "DeepSea" ? "deep_sea" : "river_swim";
  Cell cell{.name = fmt::format("steps={},seed={}", steps, seed),
            .experiment = fmt::format("theory/{}.toml", file),
            .overrides = {fmt::format("steps={}", steps), fmt::format("schedule.kind={}", schedule),
                          fmt::format("environment.teleport={}", teleport)},
            .seed = seed,
            .cost_per_step = 1.0,  // the longest runs start first
            .summary_only = true};
  if (own_model) cell.overrides.push_back(fmt::format("environment.model_seed={}", seed));
  cell.overrides.push_back(fmt::format("algorithm.q_max={}", theory_q_max(config_of(cell))));
  return cell;
}

double theory_q_max(const Config& config) {
  const FiniteModel model = make_model(config);
  double range = 0.0;
  for (const auto& policy :
       {exact::uniform_policy(model), exact::deterministic_policy(model, exact::optimum(model).action)}) {
    const std::vector<double> q = exact::action_values(model, exact::evaluate(model, policy)).value;
    const auto [low, high] = std::ranges::minmax(q);
    range = std::max(range, high - low);
  }
  return std::ceil(20.0 * range) / 10.0;  // a tenth is more than compilers and machines differ by
}

std::vector<TheoryRun> theory_runs(const TheoryGrid& grid, const fs::path& directory) {
  std::vector<TheoryRun> runs;
  for (const char* environment : theory_environments)
    for (int i = 0; i < grid.seeds; ++i) {
      RunAdder(runs, grid, environment, judged_seed(i)).judged(directory);
      RunAdder(runs, grid, environment, static_cast<std::uint64_t>(i) + 1).chosen_on();
    }
  return runs;
}

// Action 0, and with this share a uniformly random action: the smaller the share, the less it excites.
void write_explorers(const TheoryGrid& grid, const fs::path& directory) {
  fs::create_directories(directory / "explorers");
  for (const char* environment : theory_environments) {
    const Config config = config_of(theory_cell(environment, 1, "theory_text", grid.short_steps));
    const FiniteModel model = make_model(config);
    for (const double share : grid.mixtures) {
      std::vector<double> policy = exact::uniform_policy(model), lazy = exact::always(model, 0);
      for (std::size_t i = 0; i < policy.size(); ++i) policy[i] = share * policy[i] + (1.0 - share) * lazy[i];
      write_file(explorer_file(directory, environment, share), policy_text(policy, model.states, model.actions));
    }
  }
}

}  // namespace politex::inline figures
