// Plays the step learners of src/baselines on small problems and writes as JSON what baselines.py needs to compute the
// same independently: the transitions, the settings, and weights at several times.
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "politex/baselines/centered_q.hpp"
#include "politex/baselines/differential_sarsa.hpp"
#include "politex/baselines/mdp_exp2.hpp"
#include "politex/baselines/mdp_oomd.hpp"
#include "politex/baselines/optimistic_q.hpp"
#include "politex/baselines/psrl.hpp"
#include "politex/baselines/rvi_q.hpp"
#include "politex/baselines/step_collector.hpp"
#include "politex/baselines/ucrl2b.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/features/tabular.hpp"
#include "politex/neural/network_learner.hpp"

namespace politex {
namespace {

using nlohmann::json;

constexpr int blocks = 6;
constexpr std::int64_t block_steps = 250;

/// Numbers without structure, from a formula.
Features dense_features(const FiniteModel& model) {
  Features features;
  features.actions = model.actions;
  features.rows.columns = 4;
  for (int x = 0; x < model.states; ++x) {
    for (int k = 0; k < 4; ++k) features.rows.append(k, ((x * 7 + k * 11 + x * k * 3) % 13) / 6.0 - 1.0);
    features.rows.end_row();
  }
  return features;
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

struct Problem {
  const TableEnvironment& environment;
  Features features;
  CostScale scale;
};

/// `more(learner)` gives values besides the weights that are compared.
template <class L, class More>
json recorded(const Problem& problem, const char* name, const json& options, L learner, More more) {
  const FiniteModel& model = problem.environment.model();
  StepParts parts;
  parts.finite = &problem.environment;
  parts.features = problem.features;
  parts.seed = 7;
  TableStepCollector<L> collector(parts, std::move(learner));
  json run = {{"name", name},
              {"options", options},
              {"environment", model.name},
              {"states", model.states},
              {"actions", model.actions},
              {"features", dense(problem.features)},
              {"start", model.start},
              {"lowest", problem.scale.lowest},
              {"range", problem.scale.range},
              {"blocks", json::array()}};
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = block_steps};
  for (int block = 0; block < blocks; ++block) {
    const Phase phase = collector.collect({.lengths = lengths, .steps = block_steps});
    const auto weights = collector.weights();
    run["blocks"].push_back({{"pairs", std::vector(phase.pairs.begin(), phase.pairs.end())},
                             {"costs", std::vector(phase.costs.begin(), phase.costs.end())},
                             {"last_state", phase.last_state},
                             {"weights", std::vector(weights.begin(), weights.end())},
                             {"more", more(collector.inside())}});
  }
  return run;
}

json sampled_json(const Psrl& learner) {
  const SampledModel& model = learner.sampled();
  return {{"episodes", learner.episodes()},
          {"first", model.first},
          {"next", model.next},
          {"probability", model.probability},
          {"cost", model.cost},
          {"q", std::vector(learner.q().all().begin(), learner.q().all().end())}};
}

json parameters_json(const DuelingNetwork& network) {
  json all = json::array();
  for (const Block& block : network.blocks())
    for (int r = 0; r < block.used_rows; ++r)
      for (int c = 0; c < block.used_columns; ++c)
        all.push_back(network.parameters()[static_cast<std::size_t>(block.offset + r * block.columns + c)]);
  return all;
}

/// Reward-centred DQN as ./reproduce field runs it (one indicator per state, windows of one step), on the transitions
/// of `stream`: every fourth one is followed by a learner step. Recorded are the rows of every minibatch.
json recorded_dqn(const json& stream, bool double_q, double clip) {
  const int states = stream["states"], actions = stream["actions"];
  const Shape shape{states, {12}, actions};
  neural::LearnerSettings settings;
  settings.batch = 8;
  settings.target = neural::LearnerSettings::Target::max;
  settings.double_q = double_q;
  settings.mode = neural::LearnerSettings::Mode::centered;
  settings.discount = 0.9;
  settings.gain_rate = 0.05;
  settings.target_copy = 20;
  settings.adam.rate = 0.01;
  settings.adam.clip = clip;
  constexpr std::uint64_t seed = 5;
  neural::Replay replay(400, {states}, actions);
  neural::NetworkLearner learner(shape, settings, replay, seed);
  const neural::RingPolicy unused(actions, {});
  const std::vector<float> no_policy(static_cast<std::size_t>(actions), 0.0F);
  Rng draws(seed, Use::replay);  // the learner's own stream
  json run = stream;
  run["name"] = "centered_dqn";
  run["features"] = json::array();
  run["hidden"] = shape.hidden.front();
  run["capacity"] = replay.capacity();
  run["initial"] = parameters_json(learner.network());
  run["options"] = {{"discount", settings.discount},
                    {"gain_rate", settings.gain_rate},
                    {"rate", settings.adam.rate},
                    {"epsilon", settings.adam.epsilon},
                    {"beta1", settings.adam.beta1},
                    {"beta2", settings.adam.beta2},
                    {"clip", clip},
                    {"double_q", double_q},
                    {"target_copy", settings.target_copy}};
  while (run["blocks"].size() > 3) run["blocks"].erase(run["blocks"].size() - 1);
  std::int64_t seen = 0;
  for (json& block : run["blocks"]) {
    block["rows"] = json::array();
    const std::size_t steps = block["pairs"].size();
    for (std::size_t t = 0; t < steps; ++t) {
      const int pair = block["pairs"][t];
      const int next = t + 1 < steps ? block["pairs"][t + 1].get<int>() / actions : block["last_state"].get<int>();
      std::vector<float> x(static_cast<std::size_t>(states), 0.0F), y = x;
      x[static_cast<std::size_t>(pair / actions)] = y[static_cast<std::size_t>(next)] = 1.0F;
      learner.added(replay.add(
          {.state = x, .next = y, .action = pair % actions, .cost = block["costs"][t].get<float>()}, no_policy, 1));
      if (++seen % 4 != 0 || !learner.ready()) continue;
      json& rows = block["rows"].emplace_back(json::array());
      for (int i = 0; i < settings.batch; ++i) rows.push_back(draws.below(static_cast<std::uint64_t>(replay.size())));
      learner.step(unused, 1);
    }
    block["weights"] = parameters_json(learner.network());
    block["more"] = {{"average", learner.gain()}};
  }
  return run;
}

void record_all(const FiniteModel& model, json& runs) {
  const TableEnvironment environment(model);
  const auto [lowest, highest] = std::ranges::minmax(model.cost);
  const CostScale scale{.lowest = lowest, .range = highest - lowest};
  const Problem table{environment, tabular_features(model), scale}, linear{environment, dense_features(model), scale};
  const int S = model.states, A = model.actions;
  const auto average = [](const auto& learner) { return json{{"average", learner.average()}}; };
  const auto nothing = [](const auto&) { return json::object(); };
  const auto episodes = [](const auto& learner) { return json{{"episodes", learner.episodes()}}; };

  for (const auto& [alpha, rate, discount] :
       {std::array{0.1, 0.0, 0.99}, std::array{0.2, 0.5, 1.0}, std::array{0.05, 1.0, 0.9}})
    runs.push_back(recorded(
        table, "centered_q", {{"alpha", alpha}, {"average_rate", rate}, {"discount", discount}},
        CenteredQ(S, A, {.alpha = alpha, .average_rate = rate, .discount = discount, .epsilon = 0.3}), average));
  for (const auto reference : {RviQOptions::Reference::mean, RviQOptions::Reference::pair})
    runs.push_back(recorded(
        table, "rvi_q", {{"alpha", 0.1}, {"reference", reference == RviQOptions::Reference::mean ? "mean" : "pair"}},
        RviQ(S, A, {.alpha = 0.1, .epsilon = 0.3, .reference = reference}), average));
  for (const Problem* problem : {&table, &linear})
    for (const double lambda : {0.0, 0.7})
      runs.push_back(recorded(*problem, "differential_sarsa",
                              {{"alpha", 0.05}, {"average_rate", 0.4}, {"lambda", lambda}},
                              DifferentialSarsa(problem->features.dimension(), A,
                                                {.alpha = 0.05, .average_rate = 0.4, .lambda = lambda, .epsilon = 0.3}),
                              average));
  runs.push_back(recorded(table, "optimistic_q", {{"discount", 0.95}, {"bonus", 0.5}},
                          OptimisticQ(S, A, {.discount = 0.95, .bonus = 0.5}, scale), nothing));
  for (const double rate : {0.02, 0.5})
    runs.push_back(recorded(table, "mdp_oomd", {{"window", 3}, {"episode", 40}, {"rate", rate}},
                            MdpOomd(S, A, {.window = 3, .episode = 40, .rate = rate}, scale), nothing));
  for (const Problem* problem : {&table, &linear})
    runs.push_back(recorded(
        *problem, "mdp_exp2", {{"window", 3}, {"pieces", 20}, {"rate", 0.1}, {"ridge", 0.05}},
        MdpExp2(problem->features.structure(), A, {.window = 3, .pieces = 20, .rate = 0.1, .ridge = 0.05}, scale),
        nothing));
  for (const double bonus : {1.0, 0.05})
    runs.push_back(recorded(table, "ucrl2b", {{"delta", 0.05}, {"bonus", bonus}},
                            Ucrl2b(S, A, {.delta = 0.05, .bonus = bonus}, scale), episodes));
  const json stream = runs.back();
  for (const bool double_q : {true, false}) runs.push_back(recorded_dqn(stream, double_q, double_q ? 0.0 : 0.05));
  runs.push_back(
      recorded(table, "psrl", {{"prior", 0.5}}, Psrl(S, A, {.prior = 0.5}, lowest, highest, 7), sampled_json));
}

}  // namespace
}  // namespace politex

int main() {
  try {
    nlohmann::json runs = nlohmann::json::array();
    politex::record_all(politex::garnet_model({.states = 7, .actions = 3, .branching = 3, .model_seed = 5}), runs);
    politex::record_all(politex::river_swim_model(6), runs);
    std::puts(runs.dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "record_baselines: {}\n", error.what());
    return 1;
  }
}
