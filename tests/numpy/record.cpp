// Runs the loop with several configurations and writes as JSON everything that replay.py needs to compute the same
// independently: transitions, lengths, features, the policy of every phase, the weights after it.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "politex/algorithm/block_collector.hpp"
#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/lspi_learner.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/algorithm/rlsvi_learner.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/features_file.hpp"
#include "politex/features/tabular.hpp"
#include "politex/policy/table_explorer.hpp"

namespace politex {
namespace {

using nlohmann::json;

constexpr std::uint64_t seed = 7;
constexpr int phases = 5;

/// One run: `options` configures both the learner and the replay.
struct Setting {
  std::string name;
  json options;
};

FiniteModel model_of(const json& options) {
  if (options["environment"] == "deep_sea") return deep_sea_model(DeepSea(4));
  FiniteModel model = garnet_model({.states = 8, .actions = 3, .branching = 3, .model_seed = 5});
  std::vector<int> one, other;
  for (int x = 0; x < model.states; ++x) {
    one.push_back(x % 4);  // states x and x + 4 have equal features for x < 2
    other.push_back(x % 4 < 2 ? 0 : x / 4);
  }
  model.axes = {one, other};
  return model;
}

/// Numbers without structure, from a formula: not orthogonal and not exclusive.
Features dense_features(const FiniteModel& model, bool per_pair) {
  Features features;
  features.actions = model.actions;
  features.replicated = !per_pair;
  features.rows.columns = 5;
  for (int r = 0; r < (per_pair ? model.pairs() : model.states); ++r) {
    for (int k = 0; k < 5; ++k) features.rows.append(k, ((r * 7 + k * 11 + r * k * 3) % 13) / 6.0 - 1.0);
    features.rows.end_row();
  }
  return features;
}

Features features_of(const json& options, const FiniteModel& model) {
  const std::string name = options["features"];
  if (name == "tabular") return tabular_features(model);
  if (name == "additive") return additive_features(model);
  return dense_features(model, name == "per_pair");
}

template <class Choice>
Choice choose(const json& value, std::initializer_list<std::pair<const char*, Choice>> choices) {
  for (const auto& [name, choice] : choices)
    if (value == name) return choice;
  throw Error("no such choice: " + value.dump());
}

PolitexLearner::Estimator estimator_of(const json& options, const FeatureStructure& structure) {
  if (options["estimator"] == "lspe")
    return Lspe(
        {.iterated = options["lspe"] == "iterated",
         .iterations = options["iterations"],
         .step = options["step"],
         .solve = choose<TdSolve>(options["solve"], {{"ridge", TdSolve::ridge}, {"min_norm", TdSolve::min_norm}}),
         .ridge = options["ridge"]},
        structure);
  return Lsmc(
      {.visits = choose<Visits>(options["visits"],
                                {{"one", Visits::one}, {"first", Visits::first}, {"every", Visits::every}}),
       .average = choose<Average>(
           options["average"],
           {{"phase", Average::phase}, {"rollout", Average::rollout}, {"last_cost", Average::last_cost}}),
       .horizon = options["horizon"],
       .ridge = options["ridge"],
       .baseline = choose<Baseline>(options["baseline"],
                                    {{"none", Baseline::none}, {"mean", Baseline::mean}, {"state", Baseline::state}}),
       .ridge_by_count = options["ridge_by_count"]},
      structure);
}

std::unique_ptr<Learner> learner_of(const json& options, const FeatureMap& map, const FiniteModel& model,
                                    const FeatureStructure& structure, const Features* finite) {
  const std::string name = options["algorithm"];
  const double state = model.start;
  Features start = features_at(map, {&state, 1}, model.actions);
  if (name == "rlsvi")
    return std::make_unique<RlsviLearner>(RlsviOptions{.prior = options["prior"], .noise = options["noise"]}, structure,
                                          100'000, std::move(start), finite, seed);
  if (name == "lspi")
    return std::make_unique<LspiLearner>(LspiOptions{.solve = TdSolve::ridge, .ridge = options["ridge"]}, structure,
                                         model.actions, 100'000, options["epsilon"].get<double>(), finite);
  return std::make_unique<PolitexLearner>(estimator_of(options, structure), structure,
                                          PolitexLearner::StepSize{.eta = options["eta"], .q_max = 0.0}, model.actions,
                                          phases);
}

std::vector<std::vector<double>> dense(const Features& features) {
  std::vector<std::vector<double>> all;
  for (int pair = 0; pair < features.slots() * features.actions; ++pair) {
    auto& psi = all.emplace_back(static_cast<std::size_t>(features.dimension()), 0.0);
    const FeatureRow row = features.row(pair);
    for (std::size_t k = 0; k < row.indices.size(); ++k)
      psi[static_cast<std::size_t>(row.offset + row.indices[k])] = row.values[k];
  }
  return all;
}

json recorded(const Setting& setting) {
  const json& options = setting.options;
  const TableEnvironment environment(model_of(options));
  const FiniteModel& model = environment.model();
  const Features features = features_of(options, model);
  const FeatureTable map(features);
  PolicyTable explorer(model.states, model.actions);
  explorer.set_always(1);

  std::unique_ptr<Collector> collector;
  const Features* finite = nullptr;
  if (options["path"] == "generic") {
    collector = std::make_unique<BlockCollector>(
        std::make_unique<BlockOf<TableEnvironment>>(environment, seed), std::make_unique<FeatureTable>(features),
        std::make_shared<TableExplorer>(explorer), seed, BlockCollectorOptions{.states = true});
  } else {
    auto made = std::make_unique<FiniteCollector>(environment, features, explorer, seed);
    finite = &made->features();
    collector = std::move(made);
  }
  const bool explores = options["algorithm"] == "ee_politex";
  const Lengths lengths{.rollouts = options["rollouts"],
                        .explore = explores ? options["explore"].get<std::int64_t>() : 0,
                        .probe = explores ? 1 : 0,
                        .follow = options["follow"]};
  // A few steps more than complete phases: the last phase is incomplete, so it is played but not learned from.
  const std::int64_t steps = phases * lengths.total() + lengths.follow;
  const Schedule schedule(
      {.kind = ScheduleOptions::Kind::fixed, .steps = steps, .explores = explores, .fixed = lengths});
  const FeatureStructure structure = collector->structure();
  PhaseLoop loop(std::move(collector), learner_of(options, map, model, structure, finite), schedule, steps);

  json run = {{"name", setting.name},
              {"options", options},
              {"states", model.states},
              {"actions", model.actions},
              {"start", model.start},
              {"cost", model.cost},
              {"lengths", {lengths.rollouts, lengths.explore, lengths.probe, lengths.follow}},
              {"features", dense(features)},
              {"phases", json::array()}};
  Rng sampler(seed, Use::sample);  // the same stream as the learner's, so that its normals are known
  const auto normals = [&] {
    std::vector<double> all(static_cast<std::size_t>(structure.dimension()));
    for (double& each : all) each = sampler.normal();
    return all;
  };
  run["prior_normals"] = normals();
  while (!loop.done()) {
    const Phase phase = loop.advance();
    const auto policy =
        phase.slots_are_states ? std::vector(phase.policy.begin(), phase.policy.end()) : std::vector<double>();
    // On the general path the policy is known only at visited states: one row per step.
    const auto met =
        phase.slots_are_states ? std::vector<double>() : std::vector(phase.policy.begin(), phase.policy.end());
    run["phases"].push_back(
        {{"pairs", std::vector(phase.model_pairs.begin(), phase.model_pairs.end())},
         {"costs", std::vector(phase.costs.begin(), phase.costs.end())},
         {"last_state", phase.last_state},
         {"policy", policy},
         {"policy_met", met},
         {"normals", normals()},
         {"newest", std::vector(loop.learner().newest().begin(), loop.learner().newest().end())},
         {"weights", std::vector(loop.learner().weights().begin(), loop.learner().weights().end())}});
  }
  run["average_cost"] = loop.costs().all().cost / static_cast<double>(steps);
  return run;
}

const json defaults = {{"environment", "deep_sea"},
                       {"features", "additive"},
                       {"path", "compiled"},
                       {"rollouts", 3},
                       {"explore", 2},
                       {"follow", 9},
                       {"estimator", "lsmc"},
                       {"visits", "every"},
                       {"average", "phase"},
                       {"horizon", 0},
                       {"baseline", "none"},
                       {"ridge_by_count", false},
                       {"ridge", 0.01},
                       {"eta", 0.3},
                       {"epsilon", 0.05},
                       {"prior", 1.0},
                       {"noise", 1.0},
                       {"lspe", "fixed_point"},
                       {"iterations", 20},
                       {"step", 0.5},
                       {"solve", "ridge"}};

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  const auto add = [&](json changes) {
    json options = defaults;
    options.update(changes);
    all.push_back({changes.dump(), options});
  };
  const json garnet = {{"environment", "garnet"}};
  const auto on_garnet = [&](json changes) {
    changes.update(garnet);
    add(changes);
  };
  for (const char* algorithm : {"ee_politex", "politex"})
    for (const char* visits : {"one", "first", "every"})
      for (const char* average : {"phase", "rollout", "last_cost"})
        for (const int horizon : {0, 4})
          add({{"algorithm", algorithm}, {"visits", visits}, {"average", average}, {"horizon", horizon}});
  for (const char* features : {"tabular", "additive", "per_state", "per_pair"})
    for (const char* path : {"compiled", "generic"}) {
      for (const char* visits : {"one", "first", "every"})
        on_garnet(
            {{"algorithm", "ee_politex"}, {"features", features}, {"path", path}, {"visits", visits}, {"horizon", 5}});
      on_garnet({{"algorithm", "politex"}, {"features", features}, {"path", path}, {"baseline", "mean"}});
      for (const bool count : {false, true})
        on_garnet({{"algorithm", "ee_politex"},
                   {"features", features},
                   {"path", path},
                   {"horizon", 4},
                   {"baseline", "state"},
                   {"ridge_by_count", count}});
      on_garnet({{"algorithm", "politex"}, {"features", features}, {"path", path}, {"estimator", "lspe"}});
      on_garnet({{"algorithm", "rlsvi"}, {"features", features}, {"path", path}, {"noise", 0.7}, {"prior", 0.5}});
      on_garnet({{"algorithm", "lspi"}, {"features", features}, {"path", path}});
    }
  for (const char* algorithm : {"ee_politex", "politex"}) {
    add({{"algorithm", algorithm}, {"estimator", "lspe"}});
    add({{"algorithm", algorithm}, {"estimator", "lspe"}, {"solve", "min_norm"}});
    add({{"algorithm", algorithm}, {"estimator", "lspe"}, {"lspe", "iterated"}});
    add({{"algorithm", algorithm}, {"ridge", 0.0}});
    add({{"algorithm", algorithm}, {"baseline", "mean"}});
    add({{"algorithm", algorithm}, {"baseline", "state"}});
    add({{"algorithm", algorithm}, {"horizon", 4}, {"baseline", "state"}, {"ridge_by_count", true}});
  }
  add({{"algorithm", "rlsvi"}});
  add({{"algorithm", "rlsvi"}, {"prior", 0.01}, {"noise", 2.0}});
  add({{"algorithm", "lspi"}});
  add({{"algorithm", "lspi"}, {"epsilon", 0.4}});
  return all;
}

}  // namespace
}  // namespace politex

int main() {
  try {
    nlohmann::json runs = nlohmann::json::array();
    for (const auto& setting : politex::all_settings()) runs.push_back(politex::recorded(setting));
    std::puts(runs.dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "record: {}\n", error.what());
    return 1;
  }
}
