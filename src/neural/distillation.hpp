// Random network distillation (Burda et al. 2018): one network learns to predict the outputs of another, whose weights
// are random and fixed. Its error is large at states unlike those that it has learned from: a bonus for novelty.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/network/adam.hpp"
#include "politex/network/network.hpp"

namespace politex::neural {

class Distillation {
 public:
  /// Both networks have the inputs of `shape`; its `actions` are the outputs that are compared.
  Distillation(const Shape& shape, const Adam::Settings& adam, std::uint64_t seed);

  /// The squared error at each state, over its running mean, at most `most`. Learns from these states.
  static constexpr double most = 5.0;
  const std::vector<float>& bonuses(const Floats& states, int rows);

  const DuelingNetwork& target() const noexcept { return target_; }
  const DuelingNetwork& predictor() const noexcept { return predictor_; }
  double mean_error() const noexcept { return mean_error_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  DuelingNetwork target_, predictor_;
  Adam adam_;
  double mean_error_ = 0.0;  // 0: none yet
  Floats gradient_, wanted_, predicted_;
  std::vector<float> bonuses_;
  Tape tape_;
};

}  // namespace politex::neural
