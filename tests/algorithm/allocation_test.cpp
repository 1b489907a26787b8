// Counts every call of malloc and its kin, Eigen's and operator new's included. Sanitizers bring their own malloc, so
// there this test does not exist.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POLITEX_NO_COUNT
#endif
#endif
#else
#define POLITEX_NO_COUNT
#endif

#ifndef POLITEX_NO_COUNT
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "small_loops.hpp"

namespace {
thread_local bool counting = false;
thread_local long allocations = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT: glibc's own, behind what is replaced here
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT
void* __libc_realloc(void*, std::size_t);         // NOLINT
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

void* malloc(std::size_t size) noexcept {
  if (counting) ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  if (counting) ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  if (counting) ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t align, std::size_t size) noexcept {
  if (counting) ++allocations;
  return __libc_memalign(align, size);
}
}

namespace politex {
namespace {

using test::make_loop;

TEST(Allocation, CountingSeesAnAllocation) {
  counting = true;
  allocations = 0;
  auto* volatile number = new int(3);
  counting = false;
  EXPECT_EQ(allocations, 1);
  delete number;
}

TEST(Allocation, AWarmPhaseAllocatesNothing) {
  for (const char* algorithm : test::every_algorithm)
    for (const bool compiled : {true, false}) {
      if (!compiled && (std::string(algorithm) == "rlsvi" || std::string(algorithm) == "lspi")) continue;  // their ring
      const auto loop = make_loop({.algorithm = algorithm, .steps = 68 * 200, .compiled = compiled});
      for (int phase = 0; phase < 100; ++phase) loop->advance();
      allocations = 0;
      counting = true;
      for (int phase = 0; phase < 50; ++phase) loop->advance();
      counting = false;
      EXPECT_EQ(allocations, 0) << algorithm << (compiled ? " compiled" : " generic");
    }
}

}  // namespace
}  // namespace politex
#endif
