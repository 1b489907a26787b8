#include "politex/algorithm/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/algorithm/exploration.hpp"
#include "politex/base/error.hpp"

namespace politex::inline algorithm {
namespace {

using Kind = ScheduleOptions::Kind;
constexpr std::int64_t shortest_phase = 100;
constexpr std::int64_t first_epoch = std::int64_t{1} << 19;  // the first power of 2 at which Algorithm 1 has s >= 1

/// n = m = T^(2/5), s' = log T, s = T^(1/5) [- log T].
Lengths theory(std::int64_t steps, bool in_algorithm, bool explores) {
  const double T = static_cast<double>(steps);
  const double explore = std::log(T);
  const double follow = std::pow(T, 0.2) - (in_algorithm ? explore : 0.0);
  if (!(std::llround(follow) >= 1))
    throw ConfigError{"steps",
                      fmt::format("{}: T^(1/5) - log T is {:.2f}, below 1, so that Algorithm 1 has no steps for "
                                  "its policy; accepted: T above about 450,000, or schedule.kind = "
                                  "\"theory_text\" or \"fixed\"",
                                  steps, follow)};
  return {.rollouts = std::max<std::int64_t>(1, std::llround(std::pow(T, 0.4))),
          .explore = explores ? std::llround(explore) : 0,
          .probe = explores ? 1 : 0,
          .follow = std::llround(follow)};
}

/// Phases of sqrt(T) steps, cut into rollouts of `follow` steps.
Lengths square_root(std::int64_t steps, std::int64_t follow) {
  const auto length = std::max<std::int64_t>(1, std::llround(std::sqrt(static_cast<double>(steps))));
  const auto each = std::clamp<std::int64_t>(follow, 1, length);
  return {.rollouts = (length + each / 2) / each, .explore = 0, .probe = 0, .follow = each};
}

}  // namespace

Schedule::Schedule(const ScheduleOptions& options) : options_(options), end_(options.steps) {
  if (options.steps < 1) throw ConfigError{"steps", fmt::format("{}; accepted: at least 1", options.steps)};
  const Lengths lengths = next(0).lengths;
  if (lengths.rollouts < 1)
    throw ConfigError{"schedule.rollouts", fmt::format("{}; accepted: at least 1", lengths.rollouts)};
  if (lengths.follow < 1)
    throw ConfigError{"schedule.follow", fmt::format("{} steps; accepted: at least 1", lengths.follow)};
  if (lengths.explore < 0)
    throw ConfigError{"schedule.explore", fmt::format("{} steps; accepted: at least 0", lengths.explore)};
  if (lengths.total() > std::int64_t{1} << 31)
    throw ConfigError{"schedule.rollouts", fmt::format("a phase of {} rollouts of {} steps is too long; accepted: "
                                                       "phases of at most 2^31 steps",
                                                       lengths.rollouts, lengths.rollout())};
}

Schedule::Epoch Schedule::epoch(std::int64_t done) const {
  switch (options_.kind) {
    case Kind::fixed:
      return {0, options_.steps, options_.fixed};
    case Kind::politex:
      return {0, options_.steps, square_root(options_.steps, options_.fixed.follow)};
    case Kind::theory:
    case Kind::theory_text:
      return {0, options_.steps, theory(options_.steps, options_.kind == Kind::theory, options_.explores)};
    case Kind::anytime:
      return {
          0, options_.steps, {.rollouts = 1, .explore = 0, .probe = 0, .follow = std::max(shortest_phase, done / 20)}};
    case Kind::doubling:
      break;
  }
  std::int64_t begin = 0, length = first_epoch;
  while (done >= begin + length) {
    begin += length;
    length *= 2;
  }
  return {begin, length, theory(length, true, options_.explores)};
}

Schedule::Next Schedule::next(std::int64_t done) const {
  const Epoch now = epoch(done);
  const std::int64_t end = options_.kind == Kind::doubling ? std::min(now.begin + now.steps, end_) : end_;
  return {.lengths = now.lengths,
          .steps = std::min(now.lengths.total(), end - done),
          .restart = options_.kind == Kind::doubling && done == now.begin && done > 0};
}

double Schedule::phases(std::int64_t done) const {
  const Epoch now = epoch(done);
  if (options_.kind == Kind::fixed || options_.kind == Kind::anytime)
    return std::max(1.0, std::ceil(static_cast<double>(options_.steps) / static_cast<double>(now.lengths.total())));
  const double T = static_cast<double>(now.steps);
  return static_cast<double>(std::llround(options_.kind == Kind::politex ? std::sqrt(T) : std::pow(T, 0.4)));
}

bool some_rows_never_start(const Lengths& lengths, int size) {
  return std::gcd(lengths.rollout(), static_cast<std::int64_t>(size)) > 1;
}

Lengths made_coprime(Lengths lengths, int size) {
  while (some_rows_never_start(lengths, size)) ++lengths.follow;
  return lengths;
}

Keys schedule_kind_keys() {
  return {key<&ScheduleLengths::kind>("schedule.kind", "lengths of phases and rollouts",
                                      word({{"fixed", "rollouts, explore and follow as given"},
                                            {"theory", "the paper's powers of T, Algorithm 1: s = T^(1/5) - s'"},
                                            {"theory_text", "the paper's powers of T, its text: s = T^(1/5)"},
                                            {"politex", "sqrt(T) phases, no exploration"},
                                            {"doubling", "theory, restarted at T = 2^k, for an unknown T"},
                                            {"anytime",
                                             "phases of 100 steps, later of a twentieth of the steps so "
                                             "far; no T needed"}}))};
}

Keys schedule_keys() {
  return {key<&ScheduleLengths::rollouts>("schedule.rollouts", "m, rollouts per phase", whole(1, 1'000'000'000))
              .only_where({"schedule.kind", {"fixed"}}),
          key<&ScheduleLengths::follow>("schedule.follow", "s, steps of the policy in each rollout", length())
              .only_where({"schedule.kind", {"fixed", "politex"}})};
}

Keys exploration_keys() {
  return exploration_kind_keys() +
         Keys{key<&ScheduleLengths::explore>("schedule.explore",
                                             "s', steps of the exploration policy before each rollout", length())
                  .only_where({"schedule.kind", {"fixed"}}),
              key<&ScheduleLengths::coprime>("schedule.coprime",
                                             "lengthen follow until gcd(explore + 1 + follow, N) = 1, so that rollouts "
                                             "start on every row",
                                             flag())};
}

}  // namespace politex::inline algorithm
