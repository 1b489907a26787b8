#include "politex/env/access_control.hpp"

#include <cmath>
#include <vector>

#include "politex/env/model_builder.hpp"
#include "politex/env/structure.hpp"

namespace politex::inline env {
namespace {

constexpr int priorities = 4;

// Probability of every number of successes, by adding one trial at a time.
std::vector<double> binomial(int trials, double success) {
  std::vector<double> probability(static_cast<std::size_t>(trials) + 1, 0.0);
  probability[0] = 1.0;
  for (std::size_t n = 1; n < probability.size(); ++n) {
    for (std::size_t k = n; k > 0; --k)
      probability[k] = probability[k] * (1.0 - success) + probability[k - 1] * success;
    probability[0] *= 1.0 - success;
  }
  return probability;
}

}  // namespace

FiniteModel access_control_model(const AccessControlOptions& options) {
  ModelBuilder builder(access_control_entry().name, 2);
  for (int x = 0; x < (options.servers + 1) * priorities; ++x) {
    const int free = x / priorities;
    for (const bool accept : {false, true}) {
      const int begun = accept && free > 0 ? 1 : 0;
      const int busy = options.servers - free + (options.finish_at_once ? begun : 0);
      const std::vector<double> freed = binomial(busy, options.free);
      for (int k = 0; k <= busy; ++k)
        for (int next = 0; next < priorities; ++next)
          builder.add((free - begun + k) * priorities + next, freed[static_cast<std::size_t>(k)] / priorities);
      builder.end_pair(begun == 0 ? 0.0 : -std::ldexp(1.0, x % priorities));
    }
  }
  FiniteModel model = std::move(builder).finish(options.servers, options.servers * priorities);
  LevelStructure priority{.highest = priorities - 1};
  for (int x = 0; x < model.states; ++x) priority.level.push_back(x % priorities);
  model.structure =
      std::make_shared<const ProblemStructure>(ProblemStructure{.levels = std::move(priority),
                                                                .map = StateMap{.columns = priorities,
                                                                                .row = "free servers",
                                                                                .column = "priority (pays 1, 2, 4, 8)",
                                                                                .actions = {"reject", "accept"}}});
  return model;
}

namespace {

Keys access_control_keys() {
  using Options = AccessControlOptions;
  return Keys{key<&Options::servers>("environment.servers", "number of servers; also the N of lengths", whole(1, 500)),
              key<&Options::free>("environment.free", "probability that a busy server becomes free in a step",
                                  number_above(0, 1)),
              key<&Options::finish_at_once>("environment.finish_at_once",
                                            "an accepted job may be finished in its first step", flag())} +
         finite_keys();
}

FiniteModel access_control_tables(const Values& values) {
  return with_finite_keys(access_control_model(read<AccessControlOptions>(access_control_keys(), values)), values);
}

Space access_control_space(const Values& values) {
  const int servers = read<AccessControlOptions>(access_control_keys(), values).servers;
  return finite_space(access_control_entry().name, (servers + 1) * priorities, 2, servers);
}

}  // namespace

const EnvironmentEntry& access_control_entry() {
  static const EnvironmentEntry entry{.name = "access_control",
                                      .help = "accept or reject jobs of four priorities at a group of servers",
                                      .keys = access_control_keys(),
                                      .space = access_control_space,
                                      .model = access_control_tables};
  return entry;
}

}  // namespace politex::inline env
