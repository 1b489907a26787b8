// The learner's step in plain Eigen products: an oracle for it, and what `politex bench` compares it with.
#pragma once

#include <memory>

#include "politex/neural/network_learner.hpp"

namespace politex::inline bench {

/// One hidden layer, max target with double Q, Adam, on batches that are given.
class PlainLearner {
 public:
  PlainLearner(const DuelingNetwork& network, const neural::LearnerSettings& settings);
  ~PlainLearner();
  PlainLearner(const PlainLearner&) = delete;
  PlainLearner& operator=(const PlainLearner&) = delete;

  void step(const neural::Batch& batch);
  /// The parameters in the order of a network file: hidden weights, biases, head weights, biases.
  std::vector<float> parameters() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace politex::inline bench
