#include "politex/env/coin_walk.hpp"

#include <algorithm>
#include <string>

namespace politex::inline env {

std::array<Outcome, 2> CoinWalk::successors(int state, Action action) const noexcept {
  const double left = action == 1 ? push_ : 0.5;
  return {Outcome{std::max(state - 1, 0), left}, Outcome{std::min(state + 1, size_ - 1), 1.0 - left}};
}

Step CoinWalk::step(State& state, Action action, Rng& rng) const noexcept {
  const double paid = cost(state, action);
  const auto next = successors(state, action);
  state = next[static_cast<std::size_t>(pick_outcome(next, rng.bits53()))].next;
  return {.cost = paid, .restarted = false};
}

double CoinWalk::cost(int state, Action action) const noexcept {
  return static_cast<double>(state) / (size_ - 1) + (action == 1 ? 0.1 : 0.0);
}

void CoinWalk::outcomes(int state, Action action, std::vector<Outcome>& into) const {
  for (const Outcome& outcome : successors(state, action)) into.push_back(outcome);
}

namespace {

struct CoinWalkOptions {
  int size = 10;
  double push = 0.8;
};

Keys coin_walk_keys() {
  using Options = CoinWalkOptions;
  return Keys{key<&Options::size>("environment.size", "number of states", whole(2, 1000)),
              key<&Options::push>("environment.push", "probability that a push moves left", number(0.5, 1))} +
         finite_keys();
}

Space coin_walk_space(const Values& values) {
  const int size = read<CoinWalkOptions>(coin_walk_keys(), values).size;
  return finite_space(coin_walk_entry().name, size, 2, size);
}

FiniteModel coin_walk_model(const Values& values) {
  const auto options = read<CoinWalkOptions>(coin_walk_keys(), values);
  const CoinWalk walk(options.size, options.push);
  FiniteModel model = compile(walk, std::string(coin_walk_entry().name), options.size, options.size - 1);
  model.layout = Layout::line;
  return with_finite_keys(std::move(model), values);
}

}  // namespace

const EnvironmentEntry& coin_walk_entry() {
  static const EnvironmentEntry entry{.name = "coin_walk",
                                      .help = "a random walk on a line; pushing it to the cheap end costs extra",
                                      .keys = coin_walk_keys(),
                                      .space = coin_walk_space,
                                      .model = coin_walk_model};
  return entry;
}

}  // namespace politex::inline env
