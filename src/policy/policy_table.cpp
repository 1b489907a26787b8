#include "politex/policy/policy_table.hpp"

#include <cmath>
#include <utility>

namespace politex::inline policy {

PolicyTable::PolicyTable(int states, int actions)
    : states_(states),
      actions_(actions),
      probabilities_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 1.0 / actions),
      cumulative_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions - 1)) {
  compile();
}

void PolicyTable::compile() noexcept {
  const std::size_t each = width() - 1;
  for (std::size_t x = 0; x < static_cast<std::size_t>(states_); ++x)
    accumulate(std::span(probabilities_).subspan(x * width(), width()), std::span(cumulative_).subspan(x * each, each));
}

namespace {

/// Rule::probabilities for two actions, written out so that it is computed for several states at once. The better
/// action has the weight exp(0) = 1; otherwise the operations are the same, so the bits are (a test compares them).
void boltzmann_of_two(double eta, const double* __restrict q, std::size_t states, double* __restrict p,
                      double* __restrict cumulative) noexcept {
  for (std::size_t x = 0; x < states; ++x) {
    const double difference = q[2 * x] - q[2 * x + 1];
    const double worse = exp_nonpositive(-eta * std::abs(difference));
    const double total = 1.0 + worse;
    const double better_probability = 1.0 / total, worse_probability = worse / total;
    const double first = difference > 0.0 ? worse_probability : better_probability;
    p[2 * x] = first;
    p[2 * x + 1] = difference > 0.0 ? better_probability : worse_probability;
    cumulative[x] = first;
  }
}

}  // namespace

void PolicyTable::bind(std::shared_ptr<const PolicyBounds> bounds) {
  bounds_ = std::move(bounds);
  const std::vector<double> equal(width(), 0.0);
  for (int x = 0; x < states_; ++x)
    Rule::boltzmann(0.0).probabilities(
        equal, std::span(probabilities_).subspan(static_cast<std::size_t>(x) * width(), width()),
        bounds_->possible_in(x, actions_), {});
  compile();
}

void PolicyTable::set(const Rule& rule, std::span<const double> q) noexcept {
  if (bounds_) {
    for (int x = 0; x < states_; ++x) {
      const std::size_t at = static_cast<std::size_t>(x) * width();
      rule.probabilities(q.subspan(at, width()), std::span(probabilities_).subspan(at, width()),
                         bounds_->possible_in(x, actions_), bounds_->logits_in(x, actions_));
    }
    compile();
    return;
  }
  if (actions_ == 2 && rule.kind == Rule::Kind::boltzmann) {
    boltzmann_of_two(rule.eta, q.data(), static_cast<std::size_t>(states_), probabilities_.data(), cumulative_.data());
    return;
  }
  for (std::size_t x = 0; x < static_cast<std::size_t>(states_); ++x)
    rule.probabilities(q.subspan(x * width(), width()), std::span(probabilities_).subspan(x * width(), width()));
  compile();
}

void PolicyTable::set(std::span<const double> probabilities) noexcept {
  std::copy(probabilities.begin(), probabilities.end(), probabilities_.begin());
  compile();
}

void PolicyTable::set_always(int action) noexcept {
  for (std::size_t pair = 0; pair < probabilities_.size(); ++pair)
    probabilities_[pair] = pair % width() == static_cast<std::size_t>(action) ? 1.0 : 0.0;
  compile();
}

}  // namespace politex::inline policy
