#include "politex/algorithm/lspi_learner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/algorithm/collect_data.hpp"

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"

namespace politex::inline algorithm {

LspiLearner::LspiLearner(const LspiOptions& options, const FeatureStructure& structure, int actions,
                         std::int64_t buffer, double epsilon, const Features* finite, bool masked)
    : lspi_({.solve = options.solve, .ridge = options.ridge, .epsilon = epsilon, .solver = options.solver}, structure),
      structure_(structure),
      actions_(actions),
      buffer_(buffer),
      masked_(masked),
      data_(buffer, masked),
      epsilon_(epsilon),
      finite_(finite),
      weights_(static_cast<std::size_t>(structure.dimension()), 0.0) {}

void LspiLearner::learn(const Phase& phase) {
  data_.add(phase);
  lspi_.update(data_, weights_);
}

void LspiLearner::restart(double) {
  data_ = Transitions(buffer_, masked_);
  std::fill(weights_.begin(), weights_.end(), 0.0);
}

void LspiLearner::save(ByteWriter& to) const {
  data_.save(to);
  to.put(weights_);
}

void LspiLearner::restore(ByteReader& from) {
  data_.restore(from, finite_, structure_, actions_);
  from.get_again(weights_, "weights");
}

namespace {

struct LspiLearnerOptions {
  double ridge = 0.01;
  TdSolve solve = TdSolve::ridge;
  double epsilon = 0.05;
  std::int64_t buffer = 100'000;
};

Keys lspi_keys() {
  using Options = LspiLearnerOptions;
  return {key<&Options::ridge>("algorithm.ridge", "ridge of the least squares", number_above_or(0, {})),
          key<&Options::solve>("algorithm.solve", "how a singular system is solved (lspe, lspi)",
                               word({{"ridge", "with the ridge"}, {"min_norm", "least squares of smallest norm"}})),
          key<&Options::epsilon>("algorithm.epsilon", "probability of a uniformly random action", number(0, 1)),
          key<&Options::buffer>("algorithm.buffer", "transitions kept where states are not finite",
                                whole(1, 1'000'000'000))};
}

std::unique_ptr<Learner> make_lspi(const Values& values, const LearnerParts& parts) {
  const auto options = read<LspiLearnerOptions>(lspi_keys(), values);
  const auto solver = read<SolverOptions>(solver_keys(), values);
  check_td_memory(solver, parts.structure);
  if (options.solve == TdSolve::min_norm && !solves_td_densely(solver, parts.structure))
    throw ConfigError{"algorithm.solver",
                      fmt::format("\"{}\" is not accepted for {} weights with solve = \"min_norm\"; "
                                  "accepted: direct",
                                  name_of(solver.solver), parts.structure.dimension())};
  return std::make_unique<LspiLearner>(LspiOptions{.solve = options.solve, .ridge = options.ridge, .solver = solver},
                                       parts.structure, parts.actions, options.buffer, options.epsilon, parts.finite,
                                       !parts.possible.empty());
}

}  // namespace

const LearnerEntry& lspi_entry() {
  static const LearnerEntry entry{.name = "lspi",
                                  .help = "least-squares policy iteration, epsilon-greedy",
                                  .keys = lspi_keys() + solver_keys() + schedule_keys(),
                                  .keeps_transitions = true,
                                  .make = make_lspi};
  return entry;
}

}  // namespace politex::inline algorithm
