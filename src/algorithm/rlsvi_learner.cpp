#include "politex/algorithm/rlsvi_learner.hpp"

#include <cmath>
#include <utility>

#include "politex/algorithm/collect_data.hpp"

#include "politex/algorithm/schedule.hpp"

namespace politex::inline algorithm {

RlsviLearner::RlsviLearner(const RlsviOptions& options, const FeatureStructure& structure, std::int64_t buffer,
                           Features start, const Features* finite, std::uint64_t seed,
                           std::vector<std::uint8_t> possible)
    : rlsvi_(options, structure),
      structure_(structure),
      buffer_(buffer),
      data_(buffer, !possible.empty()),
      start_(std::move(start)),
      possible_(std::move(possible)),
      finite_(finite),
      rng_(seed, Use::sample),
      prior_deviation_(1.0 / std::sqrt(options.prior)),
      sample_(static_cast<std::size_t>(structure.dimension()), 0.0) {
  sample_prior();
}

void RlsviLearner::sample_prior() {
  for (double& weight : sample_) weight = prior_deviation_ * rng_.normal();
}

void RlsviLearner::learn(const Phase& phase) {
  data_.add(phase);
  rlsvi_.update(data_, mean_cost(phase), least_value(start_, 0, sample_, possible_), rng_, sample_);
}

void RlsviLearner::restart(double) {
  data_ = Transitions(buffer_, knows_masks());
  sample_prior();
}

void RlsviLearner::save(ByteWriter& to) const {
  data_.save(to);
  to.put(rng_.position());
  to.put(sample_);
}

void RlsviLearner::restore(ByteReader& from) {
  data_.restore(from, finite_, structure_, start_.actions);
  rng_.seek(from.get<std::uint64_t>());
  from.get_again(sample_, "weights");
}

namespace {

struct RlsviLearnerOptions {
  double prior = 1.0;
  double noise = 1.0;
  std::int64_t buffer = 100'000;
};

Keys rlsvi_keys() {
  using Options = RlsviLearnerOptions;
  return {key<&Options::prior>("algorithm.prior", "prior precision", number_above(0)),
          key<&Options::noise>("algorithm.noise", "standard deviation of the noise", number_above(0)),
          key<&Options::buffer>("algorithm.buffer", "transitions kept where states are not finite",
                                whole(1, 1'000'000'000))};
}

std::unique_ptr<Learner> make_rlsvi(const Values& values, const LearnerParts& parts) {
  const auto options = read<RlsviLearnerOptions>(rlsvi_keys(), values);
  const auto solver = read<SolverOptions>(solver_keys(), values);
  check_memory(solver, parts.structure);
  return std::make_unique<RlsviLearner>(RlsviOptions{.prior = options.prior, .noise = options.noise, .solver = solver},
                                        parts.structure, options.buffer, parts.start, parts.finite, parts.seed,
                                        parts.possible);
}

}  // namespace

const LearnerEntry& rlsvi_entry() {
  static const LearnerEntry entry{.name = "rlsvi",
                                  .help = "randomised least-squares value iteration, online for average cost",
                                  .keys = rlsvi_keys() + solver_keys() + schedule_keys(),
                                  .keeps_transitions = true,
                                  .make = make_rlsvi};
  return entry;
}

}  // namespace politex::inline algorithm
