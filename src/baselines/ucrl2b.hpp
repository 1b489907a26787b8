// UCRL2B: UCRL2 (Jaksch, Ortner, Auer, JMLR 2010) with empirical Bernstein bounds (Fruit, Pirotta, Lazaric, "Improved
// analysis of UCRL2 with empirical Bernstein inequality", 2020). In costs scaled to [0, 1]. With N visits of a pair
// when episode k began, n = max(1, N) and L = log(6 S A n / delta):
//
//   |P(y) - Phat(y)| <= 2 sqrt(Phat(y) (1 - Phat(y)) L / n) + 6 L / n        for every y
//   |c - chat|       <= 2 sqrt(Var(c) L / n) + 6 L / n
//
// Extended value iteration finds the best policy of the best model in these bounds, up to 1 / sqrt(t_k). An episode
// ends when the visits of a pair in it reach max(1, N).
#pragma once

#include <cstdint>
#include <vector>

#include "politex/baselines/learned_model.hpp"
#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct Ucrl2bOptions {
  double delta = 0.05;
  double bonus = 1.0;
};

class Ucrl2b {
 public:
  using Options = Ucrl2bOptions;
  Ucrl2b(int states, int actions, const Options& options, const CostScale& scale);

  Action act(const Place& here, Rng& rng);
  void observe(const Place& here, Action action, double cost, const Place& next);
  void interrupt() noexcept {}
  std::span<const double> weights() const { return q_.weights(); }
  Rule rule() const { return Rule::greedy(0.0); }

  std::int64_t episodes() const noexcept { return episodes_; }
  const QTable& q() const noexcept { return q_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  /// What the model of a pair may be: the cost, and for every successor the smallest probability and what can be added.
  struct Bound {
    std::int32_t state = 0;
    double least = 0.0, more = 0.0;
  };
  void begin_episode();
  void set_bounds();
  /// The smallest expected bias of the next state that the bounds allow; `order_` has the states by their bias.
  double best_mean(std::int32_t pair, std::span<const double> h);

  Options options_;
  CostScale scale_;
  LearnedModel model_;
  EpisodeCounts begin_counts_;
  QTable q_;
  std::vector<double> bias_;
  std::int64_t episodes_ = 0;
  bool due_ = true;  // a new episode begins with the next action
  // Of the present plan only.
  std::vector<double> cost_, unseen_;  // by pair: the lowest cost, and the largest probability of an unseen successor
  std::vector<std::size_t> first_;
  std::vector<Bound> bounds_;
  std::vector<std::int32_t> order_;
  std::vector<double> more_;  // by state: what can be added for the pair at hand; negative: it is not a seen successor
};

const LearnerEntry& ucrl2b_entry();

}  // namespace politex::inline baselines
