#include "politex/studies/field/suite.hpp"

namespace politex::inline studies {
namespace {

/// Every combination of two keys with two values each.
std::vector<std::vector<std::string>> two_by_two(const std::string& first, const std::string& a, const std::string& b,
                                                 const std::string& second, const std::string& c,
                                                 const std::string& d) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& one : {a, b})
    for (const std::string& other : {c, d}) all.push_back({first + "=" + one, second + "=" + other});
  return all;
}

std::vector<std::vector<std::string>> each_of(const std::string& key, const std::vector<std::string>& values) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& value : values) all.push_back({key + "=" + value});
  return all;
}

FieldProblem network(const char* name, const char* label, int buffer, bool quick, double weight,
                     std::vector<std::string> heuristics) {
  return {.base = {.name = name,
                   .label = label,
                   .overrides = {"environment.name=queues", "environment.buffer=" + std::to_string(buffer)},
                   .input = std::string("queues/networks/") + name + ".toml",
                   .quick = quick,
                   .weight = weight},
          .heuristics = std::move(heuristics)};
}

std::vector<FieldProblem> make_field_problems() {
  std::vector<FieldProblem> all;
  all.push_back({.base = {.name = "access_control",
                          .label = "Access control",
                          .overrides = {"environment.name=access_control"},
                          .quick = true},
                 .heuristics = {"threshold:2"}});
  all.push_back({.base = {.name = "inventory",
                          .label = "Inventory",
                          .overrides = {"environment.name=inventory", "environment.fixed=5", "environment.penalty=4",
                                        "environment.demand=6", "environment.capacity=14", "environment.backlog=12"},
                          .weight = 4.0},
                 .heuristics = {"base_stock:7", "s_S:4,10"}});
  all.push_back({.base = {.name = "replacement",
                          .label = "Replacement",
                          .overrides = {"environment.name=replacement"},
                          .quick = true,
                          .weight = 0.5},
                 .heuristics = {"threshold:4"}});
  all.push_back(network("two_queues", "Two queues", 8, true, 3.0, {"c_mu", "longest_queue", "max_weight"}));
  all.push_back(network("four_queues", "Four queues", 2, false, 6.0,
                        {"c_mu", "last_buffer_first", "longest_queue", "max_pressure"}));
  all.push_back(network("re_entrant", "Re-entrant line", 4, false, 4.0,
                        {"c_mu", "last_buffer_first", "longest_queue", "max_pressure"}));
  all.push_back({.base = {.name = "criss_cross",
                          .label = "Criss-cross",
                          .overrides = {"environment.name=criss_cross", "environment.buffer=5", "environment.lost=20"},
                          .weight = 5.0},
                 .heuristics = {"c_mu", "longest_queue", "max_pressure"}});
  all.push_back({.base = {.name = "n_model",
                          .label = "N-model",
                          .overrides = {"environment.name=n_model", "environment.buffer=10", "environment.lost=100"},
                          .weight = 4.0},
                 .heuristics = {"c_mu", "threshold:6", "longest_queue"}});
  all.push_back({.base = {.name = "river_swim_12",
                          .label = "RiverSwim 12",
                          .overrides = {"environment.name=river_swim", "environment.size=12"},
                          .quick = true,
                          .weight = 0.7},
                 .heuristics = {}});
  all.push_back({.base = {.name = "deep_sea_10",
                          .label = "DeepSea 10",
                          .overrides = {"environment.name=deep_sea", "environment.size=10"}},
                 .heuristics = {}});
  all.push_back({.base = {.name = "rooms_9",
                          .label = "Rooms 9",
                          .overrides = {"environment.name=rooms", "environment.size=9"},
                          .weight = 2.0},
                 .heuristics = {}});
  all.push_back({.base = {.name = "garnet",
                          .label = "Garnet 50",
                          .overrides = {"environment.name=garnet"},
                          .quick = true,
                          .own_model = true},
                 .heuristics = {}});
  return all;
}

std::vector<FieldLearner> make_field_learners() {
  const std::string model = "5 S A, and 2 per observed transition";
  const std::string replay = " (S + A), and a replay of 50,000 S";  // 64 units, numbers of 4 bytes
  const auto greedy = two_by_two("algorithm.step_size", "0.1", "0.5", "algorithm.epsilon", "0.1", "0.02");
  return {
      {.name = "auto",
       .label = "auto",
       .memory = model,
       .settings = {{}, {"explorer.name=none"}, {"explorer.name=uniform"}, {"explorer.name=count"}},
       .time = 2.0},
      {.name = "ee_politex",
       .label = "EE-Politex",
       .memory = "2 S A, and a phase",
       .settings = two_by_two("algorithm.eta", "0.02", "0.2", "explorer.name", "learned", "uniform")},
      {.name = "politex",
       .label = "Politex",
       .memory = "2 S A, and a phase",
       .settings = each_of("algorithm.eta", {"0.01", "0.03", "0.1", "0.3"})},
      {.name = "politex_replay",
       .label = "Politex with replay",
       .memory = model,
       .settings = {{},
                    {"schedule.kind=fixed", "schedule.follow=2N"},
                    {"schedule.kind=fixed", "schedule.follow=8N"},
                    {"schedule.kind=fixed", "schedule.follow=32N"}},
       .time = 2.0},
      {.name = "aapi",
       .label = "AAPI",
       .memory = "5 S A, and a phase",
       .settings = each_of("algorithm.eta", {"0.3", "1", "3", "10"})},
      {.name = "rlsvi",
       .label = "RLSVI",
       .memory = "2 S A, and 2 per observed transition",
       .settings = two_by_two("algorithm.noise", "0.3", "1", "algorithm.prior", "0.1", "1"),
       .time = 6.0},
      {.name = "lspi",
       .label = "LSPI",
       .memory = "S A, and 2 per observed transition",
       .settings = two_by_two("algorithm.epsilon", "0.02", "0.1", "algorithm.ridge", "0.01", "1"),
       .time = 4.0},
      {.name = "q_learning", .label = "Q-learning", .memory = "S A", .settings = greedy},
      {.name = "differential_q", .label = "differential Q", .memory = "S A", .settings = greedy},
      {.name = "centered_q", .label = "centred Q", .memory = "S A", .settings = greedy},
      {.name = "rvi_q", .label = "RVI Q", .memory = "S A", .settings = greedy},
      {.name = "differential_sarsa", .label = "differential Sarsa", .memory = "2 S A", .settings = greedy},
      {.name = "optimistic_q",
       .label = "optimistic Q",
       .memory = "3 S A",
       .settings = each_of("algorithm.bonus", {"0.01", "0.03", "0.1", "1"})},
      {.name = "mdp_oomd",
       .label = "MDP-OOMD",
       .memory = "3 S A, and an episode",
       .settings = two_by_two("algorithm.policy_rate", "0.01", "0.1", "algorithm.window", "3", "10"),
       .time = 3.0},
      {.name = "mdp_exp2",
       .label = "MDP-EXP2",
       .memory = "S A, and an epoch",
       .settings = two_by_two("algorithm.policy_rate", "0.1", "1", "algorithm.window", "3", "10")},
      {.name = "ucrl2b",
       .label = "UCRL2B",
       .memory = model,
       .settings = each_of("algorithm.bonus", {"1", "0.1", "0.02", "0.005"}),
       .time = 2.0},
      {.name = "psrl",
       .label = "PSRL",
       .memory = model,
       .settings = each_of("algorithm.prior", {"0.03", "0.1", "0.3", "1"}),
       .time = 20.0},
      {.name = "centered_dqn",
       .label = "centred DQN",
       .memory = "128" + replay,
       .settings = two_by_two("algorithm.epsilon", "0.1", "0.02", "learner.n_step", "1", "3"),
       .time = 4.0},
      {.name = "neural_ee_politex",
       .label = "neural EE-Politex",
       .memory = "448" + replay,
       .settings = two_by_two("policy.alpha", "1", "10", "learner.n_step", "1", "5"),
       .time = 8.0},
  };
}

}  // namespace

std::span<const FieldProblem> field_problems() {
  static const std::vector<FieldProblem> all = make_field_problems();
  return all;
}

std::span<const FieldLearner> field_learners() {
  static const std::vector<FieldLearner> all = make_field_learners();
  return all;
}

}  // namespace politex::inline studies
