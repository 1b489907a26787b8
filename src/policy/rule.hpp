// From action values to action probabilities, one state at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "politex/base/exponential.hpp"
#include "politex/base/rng.hpp"

namespace politex::inline policy {

/// How a frozen Q becomes a policy: Boltzmann, p(a) ~ exp(-eta Q(a)), or greedy with uniform exploration `epsilon`.
/// Tied greedy actions share their probability. A constant added to Q changes nothing. If `norms` is not empty, the
/// collector divides Q(x, .) by Features::norm(x, norms) first, so that the step size depends on the state; to
/// keep the rule beyond the learner's next call, keep a copy of them.
struct Rule {
  enum class Kind { boltzmann, greedy };
  Kind kind = Kind::boltzmann;
  double eta = 0.0;
  double epsilon = 0.0;
  std::span<const double> norms{};

  static Rule boltzmann(double eta, std::span<const double> norms = {}) {
    return {.kind = Kind::boltzmann, .eta = eta, .epsilon = 0.0, .norms = norms};
  }
  static Rule greedy(double epsilon) { return {.kind = Kind::greedy, .eta = 0.0, .epsilon = epsilon, .norms = {}}; }

  void probabilities(std::span<const double> q, std::span<double> p) const noexcept {
    const double best = *std::min_element(q.begin(), q.end());
    double total = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      p[a] = kind == Kind::boltzmann ? exp_nonpositive(-eta * (q[a] - best)) : (q[a] == best ? 1.0 : 0.0);
      total += p[a];
    }
    const double floor = kind == Kind::greedy ? epsilon / static_cast<double>(q.size()) : 0.0;
    const double scale = kind == Kind::greedy ? 1.0 - epsilon : 1.0;
    for (double& each : p) each = scale * (each / total) + floor;
  }

  /// The same where only some actions are possible (one flag each; empty: all), and Boltzmann policies begin with
  /// `logits` (empty: 0): p(a) ~ exp(logit(a) - eta Q(a)) over the possible actions.
  void probabilities(std::span<const double> q, std::span<double> p, std::span<const std::uint8_t> possible,
                     std::span<const double> logits) const noexcept {
    const auto is_possible = [&](std::size_t a) { return possible.empty() || possible[a] != 0; };
    const auto score = [&](std::size_t a) {
      return kind == Kind::greedy ? -q[a] : (logits.empty() ? 0.0 : logits[a]) - eta * q[a];
    };
    double best = -std::numeric_limits<double>::infinity(), total = 0.0, count = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a)
      if (is_possible(a)) best = std::max(best, score(a));
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (!is_possible(a))
        p[a] = 0.0;
      else
        p[a] = kind == Kind::boltzmann ? exp_nonpositive(score(a) - best) : (score(a) == best ? 1.0 : 0.0);
      total += p[a];
      count += is_possible(a) ? 1.0 : 0.0;
    }
    const double floor = kind == Kind::greedy ? epsilon / count : 0.0;
    const double scale = kind == Kind::greedy ? 1.0 - epsilon : 1.0;
    for (std::size_t a = 0; a < q.size(); ++a)
      if (is_possible(a)) p[a] = scale * (p[a] / total) + floor;
  }
};

/// Uniform in [0, 1) as the bits of a double: non-negative numbers have the order of their bits, and integers are
/// compared faster.
inline std::uint64_t uniform_bits(std::uint64_t draw) noexcept {
  return std::bit_cast<std::uint64_t>(Rng::uniform_of(draw));
}
inline std::uint64_t uniform_bits(Rng& rng) noexcept { return uniform_bits(rng.bits()); }

/// The action that a uniform draw selects; cumulative probabilities of all actions but the last.
inline int pick_action(std::span<const double> cumulative, std::uint64_t draw) noexcept {
  std::size_t a = 0;
  while (a < cumulative.size() && draw >= std::bit_cast<std::uint64_t>(cumulative[a])) ++a;
  return static_cast<int>(a);
}

/// Cumulative probabilities of a distribution over actions; the last action gets the rest.
inline void accumulate(std::span<const double> p, std::span<double> cumulative) noexcept {
  double total = 0.0;
  for (std::size_t a = 0; a + 1 < p.size(); ++a) cumulative[a] = total += p[a];
}

}  // namespace politex::inline policy
