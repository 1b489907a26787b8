#include "politex/algorithm/greedy_mc_learner.hpp"

#include <algorithm>

#include "politex/algorithm/schedule.hpp"

namespace politex::inline algorithm {

GreedyMcLearner::GreedyMcLearner(const FeatureStructure& structure, double ridge, double epsilon)
    : estimator_(LsmcOptions{.ridge = ridge}, structure),
      epsilon_(epsilon),
      weights_(static_cast<std::size_t>(structure.dimension()), 0.0) {}

void GreedyMcLearner::restart(double) { std::fill(weights_.begin(), weights_.end(), 0.0); }

namespace {

struct GreedyMcOptions {
  double ridge = 0.01;
  double epsilon = 0.1;
};

Keys greedy_mc_keys() {
  using Options = GreedyMcOptions;
  return {key<&Options::ridge>("algorithm.ridge", "ridge of the least squares", number_above(0)),
          key<&Options::epsilon>("algorithm.epsilon", "probability of a uniformly random action", number(0, 1))};
}

std::unique_ptr<Learner> make_greedy_mc(const Values& values, const LearnerParts& parts) {
  const auto options = read<GreedyMcOptions>(greedy_mc_keys(), values);
  return std::make_unique<GreedyMcLearner>(parts.structure, options.ridge, options.epsilon);
}

}  // namespace

const LearnerEntry& greedy_mc_entry() {
  static const LearnerEntry entry{.name = "greedy_mc",
                                  .help = "Monte-Carlo policy iteration, epsilon-greedy",
                                  .keys = greedy_mc_keys() + schedule_keys(),
                                  .make = make_greedy_mc};
  return entry;
}

}  // namespace politex::inline algorithm
