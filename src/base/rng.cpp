#include "politex/base/rng.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <cstring>
#include <numbers>

namespace politex::inline base {

std::array<std::uint64_t, 4> philox_block(std::array<std::uint64_t, 4> counter,
                                          std::array<std::uint64_t, 2> key) noexcept {
  const r123::Philox4x64::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x64::key_type k = {{key[0], key[1]}};
  const auto out = r123::Philox4x64{}(c, k);
  return {out[0], out[1], out[2], out[3]};
}

void Rng::refill() noexcept {
  constexpr std::uint64_t blocks = block_draws / 4;
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const r123::Philox4x64::ctr_type counter = {{block_ * blocks + b, index_[0], index_[1], 0}};
    const auto draws = r123::Philox4x64{}(counter, key);
    std::memcpy(buffer_.data() + 4 * b, draws.data(), sizeof draws);
  }
  ++block_;
  next_ = 0;
}

void Rng::seek(std::uint64_t position) noexcept {
  block_ = position / block_draws;
  next_ = block_draws;
  if (position % block_draws == 0) return;
  refill();
  next_ = static_cast<int>(position % block_draws);
}

std::uint64_t Rng::below(std::uint64_t count) noexcept {
  // Lemire's multiply-and-reject: the low half shows whether the draw is in the biased remainder.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(bits()) * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t remainder = (0 - count) % count;
    while (static_cast<std::uint64_t>(product) < remainder) product = static_cast<Wide>(bits()) * count;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Rng::normal() noexcept {
  // Box-Muller, using one of the pair: every normal takes exactly two draws, so positions stay simple counts.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace politex::inline base
