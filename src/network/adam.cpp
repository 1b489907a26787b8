#include "politex/network/adam.hpp"

#include <algorithm>
#include <cmath>

#include "politex/network/float_bytes.hpp"

namespace politex::inline network {
namespace {

Lanes square_root(const Lanes& x) noexcept {
#ifdef __FMA__
  return _mm256_sqrt_ps(x);
#else
  Lanes root;
  for (int i = 0; i < lane_count; ++i) root[i] = std::sqrt(x[i]);
  return root;
#endif
}

/// Moments of a unit that is never active decay for ever; numbers too small to matter become 0 before they get so small
/// that the processor handles them twenty times slower.
Lanes without_dust(const Lanes& x) noexcept {
  constexpr float dust = 1e-30F;
  return ((x > spread(dust)) | (x < spread(-dust))) ? x : Lanes{};
}

double norm(std::span<const float> values) {
  Lanes sums[2] = {};
  for (std::size_t i = 0; i < values.size(); i += std::size_t{2} * lane_count)
    for (std::size_t half = 0; half < 2; ++half) {
      const Lanes x = load(values.data() + i + half * lane_count);
      sums[half] = multiply_add(x, x, sums[half]);
    }
  return std::sqrt(static_cast<double>(total(sums[0] + sums[1])));
}

}  // namespace

Adam::Adam(std::size_t parameters, const Settings& settings)
    : settings_(settings), first_(parameters, 0.0F), second_(parameters, 0.0F) {}

double Adam::step(std::span<float> parameters, std::span<float> gradient) {
  ++steps_;
  const double length = norm(gradient);
  const double scale = settings_.clip > 0 && length > settings_.clip ? settings_.clip / length : 1.0;
  // The two corrections for the moments' start at 0 go into the rate and into epsilon.
  const double correction2 = std::sqrt(1 - std::pow(settings_.beta2, static_cast<double>(steps_)));
  const double rate = settings_.rate * correction2 / (1 - std::pow(settings_.beta1, static_cast<double>(steps_)));
  const Lanes by = spread(static_cast<float>(scale)), step = spread(static_cast<float>(-rate)),
              epsilon = spread(static_cast<float>(settings_.epsilon * correction2)),
              keep1 = spread(static_cast<float>(settings_.beta1)),
              add1 = spread(static_cast<float>(1 - settings_.beta1)),
              keep2 = spread(static_cast<float>(settings_.beta2)),
              add2 = spread(static_cast<float>(1 - settings_.beta2));
  for (std::size_t i = 0; i < parameters.size(); i += lane_count) {
    const Lanes g = load(&gradient[i]) * by;
    const Lanes m = without_dust(multiply_add(keep1, load(&first_[i]), add1 * g));
    const Lanes v = without_dust(multiply_add(keep2, load(&second_[i]), add2 * g * g));
    store(&first_[i], m);
    store(&second_[i], v);
    store(&parameters[i], multiply_add(step, m / (square_root(v) + epsilon), load(&parameters[i])));
    store(&gradient[i], Lanes{});
  }
  return length;
}

void Adam::save(ByteWriter& to) const {
  to.put(steps_);
  put_floats(to, first_);
  put_floats(to, second_);
}

void Adam::restore(ByteReader& from) {
  from.get_count(steps_, "steps of the optimiser");
  get_floats(from, first_);
  get_floats(from, second_);
}

}  // namespace politex::inline network
