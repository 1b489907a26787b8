#include "politex/exact/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex::exact {

void check_policy(const FiniteModel& model, std::span<const double> policy) {
  if (policy.size() != static_cast<std::size_t>(model.pairs())) {
    throw ConfigError{"policy", fmt::format("{} probabilities given; accepted: {} states x {} actions = {}",
                                            policy.size(), model.states, model.actions, model.pairs())};
  }
  for (int x = 0; x < model.states; ++x) {
    double total = 0.0;
    for (Action a = 0; a < model.actions; ++a) {
      const double p = policy[model.pair(x, a)];
      if (!(p >= 0.0 && p <= 1.0 + 1e-9)) {
        throw ConfigError{"policy", fmt::format("state {}, action {}: {}; accepted: a probability", x, a, p)};
      }
      total += p;
    }
    if (std::abs(total - 1.0) > 1e-9) {
      throw ConfigError{"policy", fmt::format("state {}: probabilities sum to {}; accepted: 1", x, total)};
    }
  }
}

std::vector<double> deterministic_policy(const FiniteModel& model, std::span<const int> actions) {
  std::vector<double> policy(model.pairs(), 0.0);
  for (int x = 0; x < model.states; ++x) policy[model.pair(x, actions[x])] = 1.0;
  return policy;
}

std::vector<double> always(const FiniteModel& model, Action action) {
  return deterministic_policy(model, std::vector<int>(model.states, action));
}

std::vector<double> uniform_policy(const FiniteModel& model) {
  std::vector<double> policy(model.pairs(), 1.0 / model.actions);
  if (!model.masked()) return policy;
  for (int x = 0; x < model.states; ++x) {
    double possible = 0.0;
    for (Action a = 0; a < model.actions; ++a) possible += model.possible[model.pair(x, a)];
    for (Action a = 0; a < model.actions; ++a)
      policy[model.pair(x, a)] = model.possible[model.pair(x, a)] != 0 ? 1.0 / possible : 0.0;
  }
  return policy;
}

Chain chain_of(const FiniteModel& model, std::span<const double> policy, double floor) {
  Chain chain;
  chain.teleport = model.teleport;
  chain.rows.columns = model.states;
  chain.cost.resize(model.states);
  std::vector<double> weight(model.states, 0.0);
  std::vector<int> touched;
  for (int x = 0; x < model.states; ++x) {
    for (Action a = 0; a < model.actions; ++a) {
      const int pair = model.pair(x, a);
      if (policy[pair] == 0.0) continue;
      chain.cost[x] += policy[pair] * model.cost[pair];
      for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
        if (model.probability[e] == 0.0) continue;
        if (weight[model.next[e]] == 0.0) touched.push_back(model.next[e]);
        weight[model.next[e]] += policy[pair] * model.probability[e];
      }
    }
    // Sums within 1e-9 of 1 are accepted, and mean the nearest probabilities.
    const double total =
        std::accumulate(touched.begin(), touched.end(), 0.0, [&](double sum, int y) { return sum + weight[y]; });
    if (std::abs(total - 1.0) > 1e-14) {
      for (const int y : touched) weight[y] /= total;
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int y : touched) {
      if (weight[y] > floor) chain.rows.append(y, weight[y]);
      weight[y] = 0.0;
    }
    touched.clear();
    chain.rows.end_row();
  }
  return chain;
}

// Tarjan's algorithm with an explicit stack: recursion could be as deep as the number of states.
std::vector<int> strong_components(const SparseRows& graph) {
  const int n = graph.rows();
  std::vector<int> component(n, -1), low(n, 0), seen(n, 0), stack, path;
  std::vector<std::int64_t> edge(graph.first.begin(), graph.first.end());
  int time = 0, components = 0;
  for (int root = 0; root < n; ++root) {
    if (seen[root] != 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int v = path.back();
      if (seen[v] == 0) {
        seen[v] = low[v] = ++time;
        stack.push_back(v);
      }
      bool descended = false;
      for (; edge[v] < graph.first[v + 1]; ++edge[v]) {
        const int w = graph.index[edge[v]];
        if (seen[w] == 0) {
          path.push_back(w);
          descended = true;
          break;
        }
        if (component[w] < 0) low[v] = std::min(low[v], low[w]);
      }
      if (descended) continue;
      path.pop_back();
      if (low[v] != seen[v]) continue;
      for (int w = -1; w != v; stack.pop_back()) component[w = stack.back()] = components;
      ++components;
    }
  }
  return component;
}

Classes recurrent_classes(const Chain& chain) {
  const int n = chain.states();
  if (chain.teleport > 0.0) return {.count = 1, .of = std::vector<int>(n, 0)};
  const std::vector<int> component = strong_components(chain.rows);
  std::vector<char> closed(n, 1);
  for (int x = 0; x < n; ++x) {
    for (const int y : chain.rows.indices(x)) {
      if (component[y] != component[x]) closed[component[x]] = 0;
    }
  }
  Classes classes{.count = 0, .of = std::vector<int>(n, -1)};
  std::vector<int> number(n, -1);
  for (int x = 0; x < n; ++x) {
    if (closed[component[x]] == 0) continue;
    int& id = number[component[x]];
    if (id < 0) id = classes.count++;
    classes.of[x] = id;
  }
  return classes;
}

std::vector<std::int64_t> periods(const Chain& chain, const Classes& classes) {
  if (chain.teleport > 0.0) return {1};
  const int n = chain.states();
  std::vector<std::int64_t> period(classes.count, 0), depth(n, -1);
  std::vector<int> queue;
  for (int root = 0; root < n; ++root) {
    if (classes.of[root] < 0 || depth[root] >= 0) continue;
    queue.assign(1, root);
    depth[root] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const int x = queue[at];
      for (const int y : chain.rows.indices(x)) {
        if (depth[y] < 0) {
          depth[y] = depth[x] + 1;
          queue.push_back(y);
        }
        std::int64_t& gcd = period[classes.of[root]];
        gcd = std::gcd(gcd, depth[x] + 1 - depth[y]);
      }
    }
  }
  return period;
}

}  // namespace politex::exact
