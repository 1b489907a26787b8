// Eight floats at a time, with the order of every sum written down. The instruction set decides whether a product and
// a sum are fused; nothing else does, so the bits are those of the executable and not of the moment.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#ifdef __FMA__
#include <immintrin.h>
#endif

namespace politex::inline network {

inline constexpr int lane_count = 8;
using Lanes = float __attribute__((vector_size(32)));

inline Lanes load(const float* from) noexcept {
  Lanes value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, const Lanes& value) noexcept { std::memcpy(to, &value, sizeof value); }
inline Lanes spread(float x) noexcept { return Lanes{x, x, x, x, x, x, x, x}; }

/// a * b + c.
inline Lanes multiply_add(const Lanes& a, const Lanes& b, const Lanes& c) noexcept {
#ifdef __FMA__
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}

inline Lanes positive_part(const Lanes& x) noexcept { return x > Lanes{} ? x : Lanes{}; }

/// The eight lanes, pairwise.
inline float total(const Lanes& x) noexcept {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/// Memory that starts on a cache line.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) noexcept {}  // NOLINT(google-explicit-constructor): allocators convert
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* at, std::size_t) noexcept { ::operator delete(at, alignment); }
  friend bool operator==(const CacheAligned&, const CacheAligned&) noexcept { return true; }
};

using Floats = std::vector<float, CacheAligned<float>>;

}  // namespace politex::inline network
