#include "politex/policy/policy_table.hpp"

namespace politex {

PolicyTable::PolicyTable(int states, int actions)
    : states_(states),
      actions_(actions),
      probabilities_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 1.0 / actions),
      thresholds_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions - 1)) {
  compile();
}

void PolicyTable::compile() noexcept {
  const std::size_t each = width() - 1;
  for (std::size_t x = 0; x < static_cast<std::size_t>(states_); ++x)
    set_thresholds(std::span(probabilities_).subspan(x * width(), width()),
                   std::span(thresholds_).subspan(x * each, each));
}

void PolicyTable::set(const Rule& rule, std::span<const double> q) noexcept {
  if (actions_ == 2 && rule.kind == Rule::Kind::boltzmann) {
    // Rule::probabilities for two actions, written out so that it is computed for several states at once; the
    // operations are the same, so the bits are (a test compares them).
    const double eta = rule.eta;
    for (std::size_t x = 0; x < static_cast<std::size_t>(states_); ++x) {
      const double best = q[2 * x + 1] < q[2 * x] ? q[2 * x + 1] : q[2 * x];
      const double first = exp_nonpositive(-eta * (q[2 * x] - best));
      const double second = exp_nonpositive(-eta * (q[2 * x + 1] - best));
      const double total = first + second;
      probabilities_[2 * x] = first / total;
      probabilities_[2 * x + 1] = second / total;
    }
  } else {
    for (std::size_t x = 0; x < static_cast<std::size_t>(states_); ++x)
      rule.probabilities(q.subspan(x * width(), width()), std::span(probabilities_).subspan(x * width(), width()));
  }
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

}  // namespace politex
