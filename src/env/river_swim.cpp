#include "politex/env/river_swim.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "politex/base/error.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {
namespace {

struct Outcomes {
  std::array<Outcome, 3> list{};
  std::size_t count = 0;
  void add(int next, double probability) { list[count++] = {next, probability}; }
};

Outcomes successors(int size, int state, Action action) noexcept {
  Outcomes out;
  if (action == 0) {
    out.add(state == 0 ? 0 : state - 1, 1.0);
  } else if (state == 0) {
    out.add(0, 0.4);
    out.add(1, 0.6);
  } else if (state == size - 1) {
    out.add(state - 1, 0.4);
    out.add(state, 0.6);
  } else {
    out.add(state - 1, 0.05);
    out.add(state, 0.6);
    out.add(state + 1, 0.35);
  }
  return out;
}

}  // namespace

RiverSwim::RiverSwim(int size) : size_(size) {
  if (size < 2 || size > 100'000) throw ConfigError{"environment.size", fmt::format("{}; accepted: 2 to 100000", size)};
}

Step RiverSwim::step(State& state, Action action, Rng& rng) const noexcept {
  const double paid = cost(state, action);
  const Outcomes out = successors(size_, state, action);
  state =
      out.count == 1
          ? out.list[0].next
          : out.list[static_cast<std::size_t>(pick_outcome(std::span(out.list).first(out.count), rng.bits53()))].next;
  return {.cost = paid, .restarted = false};
}

double RiverSwim::cost(int state, Action action) const noexcept {
  if (state == 0 && action == 0) return -0.005;
  return state == size_ - 1 && action == 1 ? -1.0 : 0.0;
}

void RiverSwim::outcomes(int state, Action action, std::vector<Outcome>& into) const {
  const Outcomes out = successors(size_, state, action);
  into.insert(into.end(), out.list.begin(), out.list.begin() + static_cast<std::ptrdiff_t>(out.count));
}

FiniteModel river_swim_model(int size) {
  FiniteModel model = compile(RiverSwim(size), std::string(river_swim_entry().name), size, 0);
  model.layout = Layout::line;
  return model;
}

namespace {

struct RiverSwimOptions {
  int size = 6;
};

Keys river_swim_keys() {
  return Keys{key<&RiverSwimOptions::size>(
             "environment.size", "number of states; also the N of lengths such as \"3N/4\"", whole(2, 100'000))} +
         finite_keys();
}

FiniteModel river_swim_tables(const Values& values) {
  return with_finite_keys(river_swim_model(read<RiverSwimOptions>(river_swim_keys(), values).size), values);
}

Space river_swim_space(const Values& values) {
  const int size = read<RiverSwimOptions>(river_swim_keys(), values).size;
  return finite_space(river_swim_entry().name, size, 2, size);
}

}  // namespace

const EnvironmentEntry& river_swim_entry() {
  static const EnvironmentEntry entry{.name = "river_swim",
                                      .help = "a chain of states in which the current pushes back; continuing",
                                      .keys = river_swim_keys(),
                                      .space = river_swim_space,
                                      .model = river_swim_tables};
  return entry;
}

}  // namespace politex::inline env
