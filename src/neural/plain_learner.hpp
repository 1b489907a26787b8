// The learner's step once more, in plain Eigen products: what `politex bench` holds the learner to, and an oracle for
// it.
#pragma once

#include <memory>

#include "politex/neural/learner.hpp"

namespace politex::neural {

/// One hidden layer, max target with double Q, Adam, on batches that are given.
class PlainLearner {
 public:
  PlainLearner(const DuelingNetwork& network, const LearnerSettings& settings);
  ~PlainLearner();
  PlainLearner(const PlainLearner&) = delete;
  PlainLearner& operator=(const PlainLearner&) = delete;

  void step(const Batch& batch);
  /// The parameters in the order of a network file: hidden weights, biases, head weights, biases.
  std::vector<float> parameters() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace politex::neural
