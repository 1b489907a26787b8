#include "politex/studies/exploration/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace politex::inline studies {
namespace {

void add_deep_sea(std::vector<SuiteProblem>& all) {
  for (const int size : {5, 10, 20, 30, 50})
    for (const bool rows : {false, true}) {
      SuiteProblem problem{.name = fmt::format("deep_sea_{}{}", size, rows ? "_rows" : ""),
                           .label = fmt::format("DeepSea {}{}", size, rows ? ", rows" : ""),
                           .overrides = {"environment.name=deep_sea", fmt::format("environment.size={}", size)},
                           .quick = size == 10,
                           .own_model = rows,
                           .action_one_leads = !rows,
                           .side = size,
                           .weight = 0.3 + size * size / 570.0,
                           .seeds = size == 50 ? 30 : 20};
      if (rows) {
        problem.overrides.emplace_back("environment.swap=rows");
        problem.plain = fmt::format("deep_sea_{}", size);
      }
      all.push_back(std::move(problem));
    }
}

std::vector<SuiteProblem> make_problems() {
  std::vector<SuiteProblem> all;
  add_deep_sea(all);
  for (const int size : {6, 12, 20, 40})
    all.push_back({.name = fmt::format("river_swim_{}", size),
                   .label = fmt::format("RiverSwim {}", size),
                   .overrides = {"environment.name=river_swim", fmt::format("environment.size={}", size)},
                   .quick = size == 6 || size == 20,
                   .action_one_leads = true,
                   .weight = 0.7});
  for (const int size : {11, 17, 21})
    all.push_back({.name = fmt::format("rooms_{}", size),
                   .label = fmt::format("Rooms {}", size),
                   .overrides = {"environment.name=rooms", fmt::format("environment.size={}", size)},
                   .quick = size == 11,
                   .side = size,
                   .weight = size / 11.0});
  const auto garnet = [&](const char* name, const char* label, std::vector<std::string> more, bool quick) {
    more.insert(more.begin(), "environment.name=garnet");
    all.push_back({.name = name,
                   .label = label,
                   .overrides = std::move(more),
                   .quick = quick,
                   .own_model = true,
                   .weight = std::string_view(name) == "garnet_large" ? 3.0 : 0.8});
  };
  garnet("garnet_small", "Garnet 10 states",
         {"environment.states=10", "environment.actions=3", "environment.branching=3"}, true);
  garnet("garnet_large", "Garnet 200 states",
         {"environment.states=200", "environment.actions=4", "environment.branching=5"}, false);
  garnet("garnet_lazy", "Garnet 50, lazy", {"environment.lazy=0.5"}, false);
  garnet("garnet_teleport", "Garnet 50, teleporting", {"environment.teleport=0.05"}, false);
  all.push_back({.name = "access_control",
                 .label = "Access control",
                 .overrides = {"environment.name=access_control"},
                 .quick = true});
  for (const bool four : {false, true})
    all.push_back({.name = four ? "four_queues" : "two_queues",
                   .label = four ? "Four queues" : "Two queues",
                   .overrides = {"environment.name=queues"},
                   .input = four ? "queues/networks/four_queues.toml" : "queues/networks/two_queues.toml",
                   .quick = !four,
                   .weight = four ? 12.0 : 1.5,
                   .seeds = four ? 10 : 20,
                   .short_phases = four});
  const auto file = [&](const char* name, const char* label, bool quick) {
    all.push_back({.name = name,
                   .label = label,
                   .overrides = {"environment.name=finite_mdp"},
                   .input = fmt::format("exploration/{}.json", name),
                   .quick = quick});
  };
  file("frozen_lake_4x4", "FrozenLake 4x4", true);
  file("frozen_lake_8x8", "FrozenLake 8x8", false);
  file("cliff_walking", "CliffWalking", true);
  // Cost 1 per step and 0 at the goal. Mountain car: the least mean number of steps to the goal is 97.7 (dynamic
  // programming on a fine grid); a uniformly random policy does not arrive. Acrobot: 70 steps at best and one goal in
  // 3,000 steps by chance are rough guesses, not measured.
  all.push_back({.name = "mountain_car",
                 .label = "Mountain car",
                 .overrides = {"environment.name=mountain_car"},
                 .weight = 6.0,
                 .seeds = 10,
                 .random = 1.0,
                 .optimum = 1.0 - 1.0 / 97.7});
  all.push_back({.name = "acrobot",
                 .label = "Acrobot",
                 .overrides = {"environment.name=acrobot"},
                 .weight = 9.0,
                 .seeds = 10,
                 .random = 1.0 - 1.0 / 3000.0,
                 .optimum = 1.0 - 1.0 / 70.0});
  return all;
}

}  // namespace

std::span<const SuiteProblem> suite_problems() {
  static const std::vector<SuiteProblem> all = make_problems();
  return all;
}

std::span<const SuiteLearner> suite_learners() {
  using Role = SuiteLearner::Role;
  static const std::vector<SuiteLearner> all = {
      {.name = "default", .label = "default", .role = Role::subject},
      {.name = "default_uniform", .label = "default, uniform explorer"},
      {.name = "default_none", .label = "default, no explorer"},
      {.name = "paper_uniform", .label = "EE-Politex, uniform", .role = Role::paper},
      {.name = "paper_learned", .label = "EE-Politex, learned", .role = Role::paper, .seeds_unlisted = 0},
      {.name = "paper_always", .label = "EE-Politex, always-1", .role = Role::paper, .only_action_one = true},
      {.name = "tuned_always", .label = "EE-Politex TUNED, always-1", .role = Role::paper, .only_action_one = true},
      {.name = "rlsvi", .label = "RLSVI", .seeds = 5, .time = 2.0, .role = Role::baseline, .seeds_unlisted = 0},
      {.name = "lspi", .label = "LSPI", .seeds = 5, .time = 2.5, .role = Role::baseline, .seeds_unlisted = 0},
      {.name = "q_learning", .label = "Q-learning", .role = Role::baseline},
      {.name = "differential_q", .label = "differential Q", .role = Role::baseline},
  };
  return all;
}

}  // namespace politex::inline studies
