// Finite models from NumPy's .npz files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/numpy_file.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace politex::inline tables {
namespace {

constexpr std::int64_t most_array_states = 10'000'000, most_array_actions = 1000, most_array_pairs = 100'000'000,
                       most_array_moves = 1'000'000'000;
constexpr std::array<std::string_view, 9> known_arrays = {
    "data", "indices", "indptr", "shape", "cost", "start", "axes", "format", "_is_array"};  // SciPy's own two last

void read_sizes(const NumpyFile& file, FiniteModel& model) {
  const std::vector<std::int64_t> shape = file.whole("shape", 1, most_array_pairs);
  if (shape.size() != 2) file.refuse("shape", "accepted: two numbers, states * actions and states");
  const auto [rows, states] = std::pair(shape[0], shape[1]);
  if (rows % states != 0 || rows / states > most_array_actions || states > most_array_states)
    file.refuse("shape", fmt::format("is ({}, {}); accepted: (states * actions, states), at most {} states and {} "
                                     "actions",
                                     rows, states, most_array_states, most_array_actions));
  model.states = model.size = static_cast<int>(states);
  model.actions = static_cast<int>(rows / states);
}

void read_moves(const NumpyFile& file, FiniteModel& model) {
  model.first = file.whole("indptr", 0, most_array_moves);
  const auto pairs = static_cast<std::size_t>(model.pairs());
  if (model.first.size() != pairs + 1)
    file.refuse("indptr",
                fmt::format("has {} numbers; accepted: states * actions + 1 = {}", model.first.size(), pairs + 1));
  if (model.first.front() != 0) file.refuse("indptr", fmt::format("begins with {}; accepted: 0", model.first.front()));
  if (const auto down = std::ranges::is_sorted_until(model.first); down != model.first.end())
    file.refuse("indptr", fmt::format("[{}] is {}, less than the number before it; accepted: an order that ascends",
                                      down - model.first.begin(), *down));
  const auto moves = static_cast<std::size_t>(model.first.back());
  model.probability = file.reals("data");
  model.next = file.whole32("indices", 0, model.states - 1);
  if (model.probability.size() != moves || model.next.size() != moves)
    file.refuse("indptr", fmt::format("ends with {}, but \"data\" has {} numbers and \"indices\" {}; accepted: equal "
                                      "lengths",
                                      moves, model.probability.size(), model.next.size()));
}

// As the JSON reader has it: no zeros, and the nearest probabilities whose sum is 1.
void tidy_moves(const NumpyFile& file, FiniteModel& model) {
  std::size_t kept = 0, begin = 0;
  for (std::size_t pair = 0; pair + 1 < model.first.size(); ++pair) {
    const std::size_t kept_before = kept;
    const auto end = static_cast<std::size_t>(model.first[pair + 1]);
    double total = 0.0;
    for (; begin < end; ++begin) {
      const double p = model.probability[begin];
      if (!(p >= 0.0 && p <= 1.0 + 1e-12)) file.refuse("data", fmt::format("[{}] is {}; accepted: 0 to 1", begin, p));
      if (p == 0.0) continue;
      total += p;
      model.probability[kept] = p;
      model.next[kept++] = model.next[begin];
    }
    if (!(std::abs(total - 1.0) <= 1e-9))
      file.refuse("data", fmt::format("state {}, action {}: the probabilities sum to {}; accepted: 1 (to 1e-9: use "
                                      "float64)",
                                      pair / static_cast<std::size_t>(model.actions),
                                      pair % static_cast<std::size_t>(model.actions), total));
    if (std::abs(total - 1.0) > 1e-14)
      for (std::size_t e = kept_before; e < kept; ++e) model.probability[e] /= total;
    model.first[pair + 1] = static_cast<std::int64_t>(kept);
  }
  model.next.resize(kept);
  model.probability.resize(kept);
}

void read_array_costs(const NumpyFile& file, FiniteModel& model) {
  const std::vector<std::int64_t> shape = file.shape("cost");
  const bool by_pair = shape == std::vector<std::int64_t>{model.states, model.actions};
  if (!by_pair && shape != std::vector<std::int64_t>{model.states})
    file.refuse("cost", fmt::format("has the shape ({}); accepted: ({}, {}), or ({},) where the action does not matter",
                                    fmt::join(shape, ", "), model.states, model.actions, model.states));
  std::vector<double> cost = file.reals("cost");
  if (by_pair) {
    model.cost = std::move(cost);
    return;
  }
  for (const double one : cost) model.cost.insert(model.cost.end(), static_cast<std::size_t>(model.actions), one);
}

void read_array_axes(const NumpyFile& file, FiniteModel& model) {
  if (!file.has("axes")) return;
  const std::vector<std::int64_t> shape = file.shape("axes");
  if (shape.size() != 2 || shape[1] != model.states)
    file.refuse("axes", fmt::format("has the shape ({}); accepted: (axes, {})", fmt::join(shape, ", "), model.states));
  const std::vector<std::int32_t> all = file.whole32("axes", 0, 1'000'000);
  for (auto at = all.begin(); at != all.end(); at += model.states) model.axes.emplace_back(at, at + model.states);
}

}  // namespace

FiniteModel parse_finite_mdp_arrays(std::string bytes, const std::string& origin) {
  const NumpyFile file(std::move(bytes), origin);
  for (const std::string_view name : file.names())
    if (std::ranges::find(known_arrays, name) == known_arrays.end())
      file.refuse(name, fmt::format("is not known; accepted: {}", fmt::join(std::span(known_arrays).first(8), ", ")));
  if (file.has("format") && file.text("format") != "csr")
    file.refuse("format", fmt::format("is \"{}\"; accepted: csr (SciPy: matrix.tocsr())", file.text("format")));
  FiniteModel model;
  model.name = finite_mdp_entry().name;
  read_sizes(file, model);
  read_moves(file, model);
  tidy_moves(file, model);
  read_array_costs(file, model);
  read_array_axes(file, model);
  if (file.has("start")) {
    const std::vector<std::int32_t> start = file.whole32("start", 0, model.states - 1);
    if (start.size() != 1) file.refuse("start", "accepted: one state");
    model.start = start.front();
  }
  check(model);
  return model;
}

std::string finite_mdp_arrays(const FiniteModel& model) {
  refuse_teleporting(model);
  const std::int64_t pairs = model.pairs(), states = model.states, moves = std::ssize(model.next);
  NumpyWriter file;
  file.add("data", model.probability, {moves});
  file.add("indices", model.next, {moves});
  file.add("indptr", model.first, {pairs + 1});
  file.add("shape", std::vector<std::int64_t>{pairs, states}, {2});
  file.add("cost", model.cost, {states, model.actions});
  file.add("start", std::vector<std::int32_t>{model.start}, {});
  if (!model.axes.empty()) {
    std::vector<std::int32_t> all;
    for (const auto& axis : model.axes) all.insert(all.end(), axis.begin(), axis.end());
    file.add("axes", all, {std::ssize(model.axes), states});
  }
  return std::move(file).finish();
}

}  // namespace politex::inline tables
