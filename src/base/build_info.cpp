#include "politex/base/build_info.hpp"

#include <fmt/format.h>

namespace politex::inline base {

BuildInfo build_info() {
  BuildInfo info;
  info.version = POLITEX_VERSION;
#if defined(__clang__)
  info.compiler = fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  info.compiler = fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(__x86_64__)
#if defined(__AVX2__) && defined(__FMA__)
  info.instruction_set = "x86-64-v3 on";
#else
  info.instruction_set = "x86-64 on";
#endif
  // glibc picks its exp and log by these at run time, and their last bits differ.
  if (__builtin_cpu_supports("sse4.2")) info.instruction_set += " sse4.2";
  if (__builtin_cpu_supports("avx2")) info.instruction_set += " avx2";
  if (__builtin_cpu_supports("fma")) info.instruction_set += " fma";
  if (__builtin_cpu_supports("avx512f")) info.instruction_set += " avx512f";
#else
  info.instruction_set = "generic";
#endif
  return info;
}

}  // namespace politex::inline base
