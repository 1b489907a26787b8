// Posterior sampling with dynamic episodes: TSDE (Ouyang, Gagrani, Nayyar, Jain, "Learning unknown Markov decision
// processes: a Thompson sampling approach", NIPS 2017), PSRL's form for problems that never reset.
//
//   episode k begins at t_k: sample a model from the posterior, plan its optimal policy, follow it until
//     t > t_k + T_{k-1}    (one step longer than the episode before), or
//     N_t(x, a) > 2 N_{t_k}(x, a)    for some pair
//
// The posterior of P(. | x, a) is a Dirichlet distribution with a sparse prior: the observed successors with their
// counts, and one uniformly random state with weight `prior`. The paper knows the costs. Here the cost of a pair is the
// mean of its observed ones, and of a pair never taken a uniformly random number in the range of costs: the known one,
// as the rewards of the paper are in [0, 1], else the range seen so far.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/baselines/learned_model.hpp"
#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct PsrlOptions {
  double prior = 0.1;
};

/// A draw of the gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000).
double gamma_draw(double shape, Rng& rng);

/// A sampled model: outcomes of pair p are first[p] .. first[p + 1].
struct SampledModel {
  std::vector<std::int32_t> first, next;
  std::vector<double> probability, cost;
};

class Psrl {
 public:
  using Options = PsrlOptions;
  /// The range of costs is `unknown` where it is not known.
  Psrl(int states, int actions, const Options& options, double lowest_cost, double highest_cost, std::uint64_t seed);

  Action act(const Place& here, Rng& rng);
  void observe(const Place& here, Action action, double cost, const Place& next);
  void interrupt() noexcept {}
  std::span<const double> weights() const { return q_.weights(); }
  Rule rule() const { return Rule::greedy(0.0); }

  std::int64_t episodes() const noexcept { return episodes_; }
  const QTable& q() const noexcept { return q_; }
  /// The model of the present episode; empty after restore(), until the next one.
  const SampledModel& sampled() const noexcept { return sampled_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void begin_episode();
  void sample();

  Options options_;
  double lowest_, highest_;
  LearnedModel model_;
  EpisodeCounts begin_counts_;
  QTable q_;
  std::vector<double> bias_;
  Rng sampler_;
  SampledModel sampled_;
  std::int64_t begin_ = 0, length_before_ = 0, episodes_ = 0;
  bool due_ = true;  // a new episode begins with the next action
};

const LearnerEntry& psrl_entry();

}  // namespace politex::inline baselines
