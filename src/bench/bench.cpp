#include "politex/bench/bench.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/replay_learner.hpp"
#include "politex/base/build_info.hpp"
#include "politex/bench/bench_clock.hpp"
#include "politex/bench/bench_cores.hpp"
#include "politex/bench/bench_games.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/figures/deep_sea/figure.hpp"
#include "politex/run/run.hpp"

namespace politex::inline bench {
namespace {

constexpr int bench_size = 20;

double bare_step_ns(const BenchEffort& effort) {
  const TableEnvironment deep_sea(deep_sea_model(DeepSea(bench_size)));
  PolicyTable policy(deep_sea.states(), deep_sea.actions());
  std::vector<double> q(static_cast<std::size_t>(deep_sea.model().pairs()));
  Rng values{1}, actions{1, Use::action}, environment{1, Use::environment};
  for (double& each : q) each = values.normal();
  policy.set(Rule::boltzmann(1.0), q);
  constexpr std::int64_t block = 1000;
  const std::int64_t blocks = effort.of(3000);
  std::vector<std::int32_t> pairs(block);
  std::vector<double> costs(block);
  const double seconds = best_seconds(
      [&] {
        int state = 0;
        for (std::int64_t k = 0; k < blocks; ++k) {
          state = walk(deep_sea, policy, state, block, actions, environment, pairs.data());
          for (std::size_t t = 0; t < costs.size(); ++t)
            costs[t] = deep_sea.model().cost[static_cast<std::size_t>(pairs[t])];
        }
      },
      effort.repetitions);
  return seconds / static_cast<double>(block * blocks) * 1e9;
}

double run_ns(const Config& config, const BenchEffort& effort) {
  return best_seconds(
             [&] {
               const auto run = make_run(config, {.regret = false});
               while (!run->done()) run->advance();
             },
             effort.repetitions) /
         static_cast<double>(config.steps) * 1e9;
}

double all_in_ns(DeepSeaCurve curve, std::int64_t steps, const BenchEffort& effort, std::string_view path = "auto",
                 int size = bench_size) {
  DeepSeaGrid grid = deep_sea_grid(false);
  grid.steps = grid.tuned_steps = effort.of(steps, 1000);
  Config config = config_of(deep_sea_cell(curve, size, 1, grid));
  config.set("algorithm.path", std::string(path));
  return run_ns(config, effort);
}

/// Without the exact evaluation of policies, which is not the learner's.
double default_learner_ns(int size, std::int64_t steps, const BenchEffort& effort) {
  Config config = default_config(std::string(deep_sea_entry().name));
  config.set("algorithm.name", std::string(auto_entry().name)).set("environment.size", std::int64_t{size});
  config.steps = effort.of(steps, 1000);
  return run_ns(config, effort);
}

double aim(DeepSeaCurve curve) {
  if (curve == DeepSeaCurve::tuned) return 20.0;
  return curve == DeepSeaCurve::every_visit ? 70.0 : 0.0;
}

nlohmann::ordered_json rows_json(const std::vector<BenchRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const BenchRow& row : rows) {
    nlohmann::ordered_json entry{{"name", row.name}, {"ns_per_step", row.ns_per_step}, {"ratio", row.ratio}};
    if (row.aim_ns > 0.0) entry["aim_ns"] = row.aim_ns;
    if (row.ratio_to_compiled > 0.0) entry["ratio_to_compiled"] = row.ratio_to_compiled;
    if (row.ratio_to_tuned > 0.0) entry["ratio_to_tuned"] = row.ratio_to_tuned;
    list.push_back(entry);
  }
  return list;
}

nlohmann::ordered_json neural_json(const std::vector<NeuralBenchRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const NeuralBenchRow& row : rows) {
    if (!row.skipped.empty()) {
      list.push_back({{"name", row.name}, {"skipped", row.skipped}});
      continue;
    }
    nlohmann::ordered_json entry{{"name", row.name}, {"value", row.value}, {"unit", row.unit}};
    if (row.aim > 0.0) entry[row.at_most ? "aim_at_most" : "aim_at_least"] = row.aim;
    list.push_back(entry);
  }
  return list;
}

nlohmann::ordered_json overhead_json(const Overhead& value) {
  return {{"median", value.median}, {"low", value.low}, {"high", value.high}, {"least", value.least}};
}

nlohmann::ordered_json engine_json(const EngineBench& engine) {
  const auto clocks = [](const EngineBench::Clocks& run) {
    return nlohmann::ordered_json{{"learner_cpu", overhead_json(run.learner)},
                                  {"all_cpu", overhead_json(run.all)},
                                  {"wall", overhead_json(run.wall)}};
  };
  return {{"bare_ms", engine.bare_ms},
          {"overhead", clocks(engine.short_run)},
          {"overhead_long", clocks(engine.long_run)},
          {"overhead_figure", overhead_json(engine.whole_figure)},
          {"overhead_aim", 0.02},
          {"checkpoint_ms", engine.checkpoint_ms},
          {"checkpoint_cpu_ms", engine.checkpoint_cpu_ms},
          {"checkpoint_aim_ms", 5.0}};
}

void bench_steps(const BenchEffort& effort, BenchResult& result) {
  result.bare_ns = bare_step_ns(effort);
  const auto row = [&](std::string name, double ns, double aim_ns) {
    return BenchRow{.name = std::move(name), .ns_per_step = ns, .ratio = ns / result.bare_ns, .aim_ns = aim_ns};
  };
  for (const DeepSeaCurveName& curve : deep_sea_curves().first(9)) {
    constexpr std::int64_t steps = 500'000;
    result.presets.push_back(row(std::string(curve.label), all_in_ns(curve.curve, steps, effort), aim(curve.curve)));
    if (aim(curve.curve) == 0.0) continue;
    result.general.push_back(
        row(fmt::format("{}, general path", curve.label), all_in_ns(curve.curve, steps, effort, "generic"), 0.0));
    result.general.back().ratio_to_compiled = result.general.back().ns_per_step / result.presets.back().ns_per_step;
  }
  for (const std::int64_t steps : {100'000, 1'000'000, 10'000'000})
    result.flat_in_steps.push_back(row(fmt::format("TUNED, T = {:.0e}", static_cast<double>(steps)),
                                       all_in_ns(DeepSeaCurve::tuned, steps, effort), 0.0));
  for (const int size : {20, 50}) {
    constexpr std::int64_t steps = 1'000'000;
    result.default_learner.push_back(
        row(fmt::format("the default learner, N = {}", size), default_learner_ns(size, steps, effort), 0.0));
    BenchRow& added = result.default_learner.back();
    added.ratio_to_tuned = added.ns_per_step / all_in_ns(DeepSeaCurve::tuned, steps, effort, "auto", size);
  }
}

}  // namespace

BenchPart bench_part(const std::string& name) {
  constexpr std::pair<const char*, BenchPart> parts[] = {{"", BenchPart::all},          {"steps", BenchPart::steps},
                                                         {"engine", BenchPart::engine}, {"neural", BenchPart::neural},
                                                         {"cores", BenchPart::cores},   {"games", BenchPart::games}};
  for (const auto& [known, part] : parts)
    if (name == known) return part;
  throw ConfigError{"--only", fmt::format("unknown part \"{}\"; accepted: steps, engine, neural, cores, games", name)};
}

BenchResult run_bench(BenchPart part, const BenchEffort& effort) {
  const bool all = part == BenchPart::all;
  BenchResult result;
  if (all || part == BenchPart::steps) bench_steps(effort, result);
  if (all || part == BenchPart::engine) result.engine = bench_engine(effort);
  if (all || part == BenchPart::neural) result.neural = run_neural_bench(effort);
  if (all || part == BenchPart::neural || part == BenchPart::cores) add_two_cores(result.neural, effort);
  if (all || part == BenchPart::neural || part == BenchPart::games) add_games(result.neural);
  return result;
}

std::string bench_text(const BenchResult& result) {
  std::string text;
  if (result.bare_ns > 0.0)
    text = fmt::format("DeepSea N = {}, one core, CPU time, best of {}\n\n{:<44}{:>12}{:>10}{:>10}\n", bench_size,
                       BenchEffort{}.repetitions, "", "ns per step", "x bare", "aim, ns");
  const auto line = [&](const BenchRow& row) {
    text += fmt::format("{:<44}{:>12.1f}{:>10.1f}{:>10}\n", row.name, row.ns_per_step, row.ratio,
                        row.aim_ns > 0.0 ? fmt::format("{:.0f}", row.aim_ns) : "");
  };
  if (result.bare_ns > 0.0)
    line({.name = "bare step: policy, draw, next state, cost",
          .ns_per_step = result.bare_ns,
          .ratio = 1.0,
          .aim_ns = 6.0});
  for (const BenchRow& row : result.presets) line(row);
  if (!result.general.empty())
    text += "\nthe general path (any environment) instead of the compiled one (finite environments of the program)\n";
  for (const BenchRow& row : result.general) {
    line(row);
    text += fmt::format("  {:<42}{:>22.1f}\n", "compared with the compiled path, x", row.ratio_to_compiled);
  }
  if (!result.flat_in_steps.empty()) text += "\nthe time per step does not grow with the length of the run\n";
  for (const BenchRow& row : result.flat_in_steps) line(row);
  if (!result.default_learner.empty()) text += "\nthe default learner, a million steps, against TUNED at the same N\n";
  for (const BenchRow& row : result.default_learner) {
    line(row);
    text += fmt::format("  {:<42}{:>22.1f}  (aim: at most 3)\n", "compared with TUNED, x", row.ratio_to_tuned);
  }
  if (result.engine) text += engine_bench_text(*result.engine);
  if (!result.neural.empty()) text += neural_bench_text(result.neural);
  return text;
}

std::string bench_json(const BenchResult& result) {
  const BuildInfo build = build_info();
  nlohmann::ordered_json root = nlohmann::ordered_json::object();  // see to_safetensors()
  if (result.bare_ns > 0.0) {
    root["bare_step_ns"] = result.bare_ns;
    root["bare_step_aim_ns"] = 6.0;
    root["presets"] = rows_json(result.presets);
    root["general_path"] = rows_json(result.general);
    root["flat_in_steps"] = rows_json(result.flat_in_steps);
    root["default_learner"] = rows_json(result.default_learner);
  }
  if (result.engine) root["engine"] = engine_json(*result.engine);
  if (!result.neural.empty()) root["neural"] = neural_json(result.neural);
  root["build"] = {
      {"version", build.version}, {"compiler", build.compiler}, {"instruction_set", build.instruction_set}};
  return root.dump(2);
}

}  // namespace politex::inline bench
