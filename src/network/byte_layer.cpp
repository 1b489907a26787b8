#include "politex/network/byte_layer.hpp"

#include <algorithm>
#include <cmath>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace politex::inline network {
namespace {

std::int32_t two(int low, int high) noexcept {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(low)) |
                                   static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16);
}

}  // namespace

void BytePairs::read(std::span<const float> observation, std::vector<ByteChange>& changes) {
  const std::size_t pairs = (observation.size() + 1) / 2;
  if (bytes_.size() != 2 * pairs) bytes_.assign(2 * pairs, 0);
  changes.clear();
  for (std::size_t p = 0; p < pairs; ++p) {
    const auto at = [&](std::size_t i) {
      return i < observation.size() ? static_cast<std::int16_t>(std::lrint(observation[i] * 255.0F)) : std::int16_t{0};
    };
    const std::int16_t low = at(2 * p), high = at(2 * p + 1);
    if (low == bytes_[2 * p] && high == bytes_[2 * p + 1]) continue;
    changes.push_back({static_cast<int>(p), two(low - bytes_[2 * p], high - bytes_[2 * p + 1])});
    bytes_[2 * p] = low;
    bytes_[2 * p + 1] = high;
  }
}

ByteLayer::ByteLayer(const float* weights, const float* bias, int inputs, int units)
    : units_(units), bias_(bias, bias + units) {
  const auto width = static_cast<std::size_t>(units);
  const int pairs = (inputs + 1) / 2;
  // 255 times all weights of a unit stays within 32 bits.
  const int most = std::min(32767, 0x7fff'ffff / (255 * inputs));
  weights_.assign(static_cast<std::size_t>(pairs) * width * 2, 0);
  scales_.assign(width, 0.0F);
  for (std::size_t u = 0; u < width; ++u) {
    double largest = 0.0;
    for (int i = 0; i < inputs; ++i)
      largest = std::max(largest, std::abs(static_cast<double>(weights[static_cast<std::size_t>(i) * width + u])));
    if (!(largest > 0)) continue;
    scales_[u] = static_cast<float>(largest / most / 255);
    for (int i = 0; i < inputs; ++i) {
      const double weight = static_cast<double>(weights[static_cast<std::size_t>(i) * width + u]);
      weights_[(static_cast<std::size_t>(i / 2) * width + u) * 2 + static_cast<std::size_t>(i % 2)] =
          static_cast<std::int16_t>(std::lround(weight / largest * most));
    }
  }
}

#ifdef __AVX2__

void ByteLayer::add(std::span<const ByteChange> changes, std::int32_t* sums) const noexcept {
  constexpr int tile = 64;  // eight accumulators
  const auto whole = [&]<int registers>(int u) {
    __m256i sum[registers];
    for (int k = 0; k < registers; ++k) sum[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + u) + k);
    for (const ByteChange& change : changes) {
      const auto* row = weights_.data() + 2 * (static_cast<std::ptrdiff_t>(change.pair) * units_ + u);
      const __m256i moved = _mm256_set1_epi32(change.moved);
      for (int k = 0; k < registers; ++k) {
        const __m256i w = _mm256_load_si256(reinterpret_cast<const __m256i*>(row) + k);
        sum[k] = _mm256_add_epi32(sum[k], _mm256_madd_epi16(w, moved));
      }
    }
    for (int k = 0; k < registers; ++k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + u) + k, sum[k]);
  };
  int u = 0;
  for (; u + tile <= units_; u += tile) whole.operator()<8>(u);
  for (; u < units_; u += 16) whole.operator()<2>(u);
}

#else

void ByteLayer::add(std::span<const ByteChange> changes, std::int32_t* sums) const noexcept {
  for (const ByteChange& change : changes) {
    const auto* row = weights_.data() + 2 * static_cast<std::ptrdiff_t>(change.pair) * units_;
    const auto low = static_cast<std::int16_t>(change.moved & 0xffff),
               high = static_cast<std::int16_t>(change.moved >> 16);
    for (int u = 0; u < units_; ++u) sums[u] += low * row[2 * u] + high * row[2 * u + 1];
  }
}

#endif

void ByteLayer::activate(const std::int32_t* sums, float* to) const noexcept {
  const auto width = static_cast<std::size_t>(units_);
  for (std::size_t u = 0; u < width; ++u) {
    const float x = bias_[u] + scales_[u] * static_cast<float>(sums[u]);
    to[u] = x > 0.0F ? x : 0.0F;
  }
}

}  // namespace politex::inline network
