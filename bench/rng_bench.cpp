#include <benchmark/benchmark.h>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

void draw_bits(benchmark::State& state) {
  Rng rng(1);
  for (auto _ : state) benchmark::DoNotOptimize(rng.bits());
}
BENCHMARK(draw_bits);

void draw_normal(benchmark::State& state) {
  Rng rng(1);
  for (auto _ : state) benchmark::DoNotOptimize(rng.normal());
}
BENCHMARK(draw_normal);

}  // namespace
}  // namespace politex
