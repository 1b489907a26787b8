// A frozen policy over finitely many states, compiled for sampling.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/policy/rule.hpp"

namespace politex::inline policy {

/// What holds of a policy besides its values: which actions are possible (one flag per pair; empty: all), and the
/// logits that a Boltzmann policy begins with (one per pair; empty: 0).
struct PolicyBounds {
  std::vector<std::uint8_t> possible{};
  std::vector<double> logits{};

  std::span<const std::uint8_t> possible_in(int state, int actions) const noexcept {
    return possible.empty() ? std::span<const std::uint8_t>{} : row(possible, state, actions);
  }
  std::span<const double> logits_in(int state, int actions) const noexcept {
    return logits.empty() ? std::span<const double>{} : row(logits, state, actions);
  }

 private:
  template <class T>
  static std::span<const T> row(const std::vector<T>& all, int state, int actions) noexcept {
    return std::span(all).subspan(static_cast<std::size_t>(state) * static_cast<std::size_t>(actions),
                                  static_cast<std::size_t>(actions));
  }
};

class PolicyTable {
 public:
  /// Uniform over the actions in every state.
  PolicyTable(int states, int actions);

  int states() const noexcept { return states_; }
  int actions() const noexcept { return actions_; }

  /// From now on policies of a rule are within these bounds. The policy becomes uniform over the possible actions.
  void bind(std::shared_ptr<const PolicyBounds> bounds);
  const std::shared_ptr<const PolicyBounds>& bounds() const noexcept { return bounds_; }
  /// The policy of a rule on Q; `q` has one value per pair.
  void set(const Rule& rule, std::span<const double> q) noexcept;
  /// Given probabilities, one row per state.
  void set(std::span<const double> probabilities) noexcept;
  void set_always(int action) noexcept;

  /// One row per state.
  std::span<const double> probabilities() const noexcept { return probabilities_; }
  std::span<const double> probabilities(int state) const noexcept {
    return std::span(probabilities_).subspan(static_cast<std::size_t>(state) * width(), width());
  }
  /// Cumulative probabilities of all actions but the last, one row per state.
  const double* cumulative() const noexcept { return cumulative_.data(); }

  int sample(int state, Rng& rng) const noexcept {
    const std::size_t each = width() - 1;
    return pick_action(std::span(cumulative_).subspan(static_cast<std::size_t>(state) * each, each), uniform_bits(rng));
  }

 private:
  std::size_t width() const noexcept { return static_cast<std::size_t>(actions_); }
  void compile() noexcept;

  int states_;
  int actions_;
  std::vector<double> probabilities_;
  std::vector<double> cumulative_;
  std::shared_ptr<const PolicyBounds> bounds_;  // null: none
};

}  // namespace politex::inline policy
