// Whether this processor has the instructions that this code was compiled for.
#pragma once

namespace politex::inline base {

/// What to say where it lacks them; nullptr where it has them. Called first, before an instruction ends the program.
inline const char* missing_instructions() noexcept {
#if defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    return "this politex was built for processors with AVX2 and FMA (x86-64-v3, since about 2013), which this one "
           "lacks; "
           "install the wheel, which runs on any x86-64, or configure with -DPOLITEX_BASELINE_ISA=ON";
#endif
  return nullptr;
}

}  // namespace politex::inline base
