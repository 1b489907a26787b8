// Adam with a bound on the gradient's norm.
#pragma once

#include <cstdint>
#include <span>

#include "politex/base/bytes.hpp"
#include "politex/network/lanes.hpp"

namespace politex::inline network {

class Adam {
 public:
  struct Settings {
    double rate = 1e-3;
    /// Against the gradient of the mean of half-squared differences. At 1e-4 the noise of the steps exceeds the cost of
    /// a move in cartpole's first phase, and policies without exploration move at random for millions of steps.
    double epsilon = 1e-3;
    double beta1 = 0.9, beta2 = 0.999;
    double clip = 40.0;  // Euclidean norm of the gradient; 0: no bound
  };
  Adam(std::size_t parameters, const Settings& settings);

  /// One step against `gradient`, which is cleared. Returns the gradient's norm before the bound.
  double step(std::span<float> parameters, std::span<float> gradient);

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  std::span<const float> first_moment() const noexcept { return first_; }
  std::span<const float> second_moment() const noexcept { return second_; }

 private:
  Settings settings_;
  std::int64_t steps_ = 0;
  Floats first_, second_;
};

}  // namespace politex::inline network
