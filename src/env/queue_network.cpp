#include "politex/env/queue_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/env/entry.hpp"
#include "politex/env/model_builder.hpp"
#include "politex/env/space.hpp"
#include "politex/env/structure.hpp"

namespace politex::inline env {
namespace {

constexpr double most_network_states = 1'000'000, most_network_actions = 1000, most_network_outcomes = 50'000'000;

// Maximises the last variable subject to rows of `table` (the right-hand side, >= 0, is the last column) by the simplex
// method with Bland's rule, which cannot cycle. The slack variables come first.
double largest_last_variable(std::vector<std::vector<double>> table, std::size_t variables) {
  constexpr double zero = 1e-12;
  const std::size_t rows = table.size(), columns = table[0].size(), right = columns - 1;
  std::vector<double> gain(columns, 0.0);  // reduced profit; at `right`: minus the profit so far
  gain[rows + variables - 1] = 1.0;
  std::vector<std::size_t> basis(rows);
  std::iota(basis.begin(), basis.end(), std::size_t{0});
  for (;;) {
    std::size_t enter = 0;
    while (enter < right && gain[enter] <= zero) ++enter;
    if (enter == right) return std::abs(gain[right]);
    std::size_t leave = rows;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows; ++i) {
      if (table[i][enter] <= zero) continue;
      const double ratio = table[i][right] / table[i][enter];
      const bool tie = leave < rows && std::abs(ratio - least) <= zero;
      if (tie ? basis[i] > basis[leave] : ratio > least) continue;
      least = ratio;
      leave = i;
    }
    if (leave == rows) return std::numeric_limits<double>::infinity();
    basis[leave] = enter;
    const double pivot = table[leave][enter];
    for (double& entry : table[leave]) entry /= pivot;
    const auto reduce = [&](std::vector<double>& row) {
      const double factor = row[enter];
      for (std::size_t j = 0; j < columns && factor != 0.0; ++j) row[j] -= factor * table[leave][j];
    };
    for (std::size_t i = 0; i < rows; ++i)
      if (i != leave) reduce(table[i]);
    reduce(gain);
  }
}

// Classes from which no job can ever leave the network.
bool some_job_never_leaves(const QueueNetwork& network, std::string& name) {
  std::vector<bool> leaves(network.classes.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t c = 0; c < leaves.size(); ++c) {
      double goes_on = 0.0;
      bool through = false;
      for (const Route& route : network.classes[c].next) {
        goes_on += route.probability;
        through = through || (route.probability > 0.0 && leaves[static_cast<std::size_t>(route.to)]);
      }
      if (leaves[c] || (goes_on > 1.0 - 1e-9 && !through)) continue;
      leaves[c] = changed = true;
    }
  }
  const auto stuck = std::find(leaves.begin(), leaves.end(), false);
  if (stuck == leaves.end()) return false;
  name = network.classes[static_cast<std::size_t>(stuck - leaves.begin())].name;
  return true;
}

double number_of_states(const QueueNetwork& network) {
  double states = network.parts;
  for (const JobClass& each : network.classes) states *= each.buffer + 1.0;
  return states;
}

/// What happens in a step, given the queue lengths and the joint action.
class NetworkStep {
 public:
  explicit NetworkStep(const QueueNetwork& network) : network_(network), stride_(network.classes.size(), 1) {
    for (std::size_t c = stride_.size() - 1; c > 0; --c) stride_[c - 1] = stride_[c] * (network.classes[c].buffer + 1);
    lengths_ = stride_[0] * (network.classes[0].buffer + 1);
    for (const JobClass& each : network.classes)
      all_events_ += each.arrivals.empty() ? each.arrival : std::ranges::max(each.arrivals);
    if (network.parts > 1) all_events_ += part_rate();
    for (const QueueServer& server : network.servers) {
      double fastest = 0.0;
      for (const Service& service : server.serves) fastest = std::max(fastest, service.rate);
      all_events_ += fastest;
    }
  }

  void add_outcomes(int state, int action, ModelBuilder& builder) const {
    const std::vector<int> jobs = lengths(state);
    double rest = 1.0;
    const auto event = [&](int next, double rate) {
      rest -= rate / all_events_;
      builder.add(next, rate / all_events_);
    };
    for (std::size_t c = 0; c < jobs.size(); ++c)
      event(jobs[c] < network_.classes[c].buffer ? state + stride_[c] : state, arrival(c, state));
    if (network_.parts > 1) event((state + lengths_) % (lengths_ * network_.parts), part_rate());
    std::vector<int> unserved = jobs;
    int later = network_actions(network_);
    for (const QueueServer& server : network_.servers) {
      later /= server_choices(server);
      const int choice = action / later % server_choices(server);
      if (choice == static_cast<int>(server.serves.size())) continue;
      const Service& service = server.serves[static_cast<std::size_t>(choice)];
      const auto from = static_cast<std::size_t>(service.job_class);
      if (unserved[from]-- <= 0) continue;
      double leaves = 1.0;
      for (const Route& route : network_.classes[from].next) {
        leaves -= route.probability;
        event(moved(state, jobs, from, static_cast<std::size_t>(route.to)), service.rate * route.probability);
      }
      if (leaves > 1e-12) event(state - stride_[from], service.rate * leaves);
    }
    if (rest > 1e-12) builder.add(state, rest);
  }

  double cost(int state) const {
    const std::vector<int> jobs = lengths(state);
    double cost = 0.0;
    for (std::size_t c = 0; c < jobs.size(); ++c) {
      const JobClass& each = network_.classes[c];
      cost += each.holding * jobs[c];
      if (jobs[c] == each.buffer) cost += each.lost * arrival(c, state) / all_events_;
    }
    return cost;
  }

  std::vector<int> lengths(int state) const {
    std::vector<int> jobs;
    for (std::size_t c = 0; c < stride_.size(); ++c)
      jobs.push_back(state / stride_[c] % (network_.classes[c].buffer + 1));
    return jobs;
  }

  int part(int state) const { return state / lengths_; }

 private:
  double part_rate() const { return network_.parts / network_.day; }
  double arrival(std::size_t c, int state) const {
    const JobClass& each = network_.classes[c];
    return each.arrivals.empty() ? each.arrival : each.arrivals[static_cast<std::size_t>(part(state))];
  }
  int moved(int state, const std::vector<int>& jobs, std::size_t from, std::size_t to) const {
    const bool stays = from == to || jobs[to] == network_.classes[to].buffer;
    return stays ? state : state - stride_[from] + stride_[to];
  }

  const QueueNetwork& network_;
  std::vector<int> stride_;
  int lengths_ = 1;  // states of one part of the day
  double all_events_ = 0.0;
};

}  // namespace

std::vector<double> class_rates(const QueueNetwork& network) {
  std::vector<double> rates, flow;
  for (const JobClass& each : network.classes) rates.push_back(each.arrival);
  flow = rates;
  // In each round the newest flow moves to the next classes, until nothing is left: one round per visit of a class.
  for (double left = 1.0; left > 1e-15 * std::accumulate(rates.begin(), rates.end(), 0.0) && left > 0.0;) {
    std::vector<double> next(rates.size(), 0.0);
    for (std::size_t c = 0; c < rates.size(); ++c)
      for (const Route& route : network.classes[c].next)
        next[static_cast<std::size_t>(route.to)] += flow[c] * route.probability;
    flow = std::move(next);
    left = std::accumulate(flow.begin(), flow.end(), 0.0);
    for (std::size_t c = 0; c < rates.size(); ++c) rates[c] += flow[c];
  }
  return rates;
}

double network_load(const QueueNetwork& network) {
  // Variables: the time shares of every server's classes, then the factor with which all arrivals could be multiplied.
  const std::vector<double> rates = class_rates(network);
  if (std::accumulate(rates.begin(), rates.end(), 0.0) <= 0.0) return 0.0;
  const std::size_t classes = rates.size(), rows = classes + network.servers.size();
  std::size_t variables = 1;
  for (const QueueServer& server : network.servers) variables += server.serves.size();
  std::vector<std::vector<double>> table(rows, std::vector<double>(rows + variables + 1, 0.0));
  for (std::size_t i = 0; i < rows; ++i) table[i][i] = 1.0;
  for (std::size_t c = 0; c < classes; ++c) table[c][rows + variables - 1] = rates[c];
  std::size_t column = rows;
  for (std::size_t s = 0; s < network.servers.size(); ++s) {
    table[classes + s].back() = 1.0;
    for (const Service& service : network.servers[s].serves) {
      table[static_cast<std::size_t>(service.job_class)][column] = -service.rate;
      table[classes + s][column++] = 1.0;
    }
  }
  return 1.0 / largest_last_variable(std::move(table), variables);
}

int server_choices(const QueueServer& server) {
  return static_cast<int>(server.serves.size()) + (server.may_idle ? 1 : 0);
}

int network_actions(const QueueNetwork& network) {
  double actions = 1.0;
  for (const QueueServer& server : network.servers) actions *= server_choices(server);
  return actions > most_network_actions ? std::numeric_limits<int>::max() : static_cast<int>(actions);
}

namespace {

void check_job_class(const JobClass& each, const std::string& origin, std::size_t classes) {
  const auto refuse = [&](std::string_view key, double value, std::string_view accepted) {
    throw ConfigError{origin, fmt::format("class \"{}\": {} is {}; accepted: {}", each.name, key, value, accepted)};
  };
  for (const double rate : each.arrivals)
    if (!(rate >= 0.0 && std::isfinite(rate))) refuse("arrival", rate, "rates, at least 0");
  if (!(each.arrival >= 0.0 && std::isfinite(each.arrival))) refuse("arrival", each.arrival, "a rate, at least 0");
  if (!std::isfinite(each.holding)) refuse("holding", each.holding, "a finite number");
  if (!std::isfinite(each.lost)) refuse("lost", each.lost, "a finite number");
  if (each.buffer < 1) refuse("buffer", each.buffer, "a whole number, at least 1");
  double sum = 0.0;
  for (const Route& route : each.next) {
    if (route.to < 0 || static_cast<std::size_t>(route.to) >= classes)
      refuse("next", route.to, fmt::format("a class, 0 to {}", classes - 1));
    if (!(route.probability >= 0.0 && route.probability <= 1.0))
      refuse("a probability of next", route.probability, "0 to 1");
    sum += route.probability;
  }
  if (sum > 1.0 + 1e-9) refuse("the sum of next", sum, "at most 1 (what is missing to 1 leaves the network)");
}

void check_queue_server(const QueueServer& server, const std::string& origin, std::size_t classes) {
  const auto refuse = [&](const std::string& what) {
    throw ConfigError{origin, fmt::format("server \"{}\": {}", server.name, what)};
  };
  if (server.serves.empty()) refuse("serves no class; accepted: at least one");
  for (std::size_t k = 0; k < server.serves.size(); ++k) {
    const Service& service = server.serves[k];
    if (service.job_class < 0 || static_cast<std::size_t>(service.job_class) >= classes)
      refuse(fmt::format("serves class {}; accepted: 0 to {}", service.job_class, classes - 1));
    if (!(service.rate > 0.0 && std::isfinite(service.rate)))
      refuse(fmt::format("a rate is {}; accepted: a number above 0", service.rate));
    for (std::size_t other = 0; other < k; ++other)
      if (server.serves[other].job_class == service.job_class) refuse("serves a class twice; accepted: once");
  }
}

}  // namespace

void check(const QueueNetwork& network, const std::string& origin) {
  if (network.classes.empty()) throw ConfigError{origin, "has no class of jobs; accepted: at least one"};
  if (network.servers.empty()) throw ConfigError{origin, "has no server; accepted: at least one"};
  const std::size_t classes = network.classes.size();
  if (network.parts > 1 && !(network.day > 0.0 && std::isfinite(network.day)))
    throw ConfigError{
        origin, fmt::format("day is {}; accepted: its length, above 0, in the unit of time of the rates", network.day)};
  for (const JobClass& each : network.classes) check_job_class(each, origin, classes);
  for (const QueueServer& server : network.servers) check_queue_server(server, origin, classes);
  std::string name;
  if (some_job_never_leaves(network, name))
    throw ConfigError{origin, fmt::format("class \"{}\": next leads in a circle that no job leaves; accepted: routes "
                                          "that leave the network",
                                          name)};
  const double states = number_of_states(network), actions = network_actions(network);
  const double outcomes = states * actions * static_cast<double>(2 * classes + network.servers.size());
  if (states > most_network_states || actions > most_network_actions || outcomes > most_network_outcomes)
    throw ConfigError{
        origin, fmt::format("{} states (the product of buffer + 1, times the parts of the day) and {} actions are too "
                            "many; accepted: at "
                            "most {} states, {} actions, and {} outcomes in all: make the buffers smaller",
                            states, actions > most_network_actions ? "more than 1000" : fmt::format("{}", actions),
                            most_network_states, most_network_actions, most_network_outcomes)};
  const double load = network_load(network);
  if (!(load < 1.0 - 1e-9))
    throw ConfigError{origin, fmt::format("the network is unstable: its load is {:.4g}, whatever the servers do; "
                                          "accepted: below 1: lower the arrivals or raise the service rates",
                                          load)};
}

namespace {

/// The name of every joint action.
std::vector<std::string> network_action_names(const QueueNetwork& network) {
  std::vector<std::string> names{""};
  for (const QueueServer& server : network.servers) {
    std::vector<std::string> longer;
    for (const std::string& before : names)
      for (int choice = 0; choice < server_choices(server); ++choice) {
        const auto k = static_cast<std::size_t>(choice);
        longer.push_back(before + (before.empty() ? "" : ", ") + server.name + ": " +
                         (k < server.serves.size()
                              ? network.classes[static_cast<std::size_t>(server.serves[k].job_class)].name
                              : "idle"));
      }
    names = std::move(longer);
  }
  return names;
}

/// The first half of the queues along the rows, the others along the columns.
StateMap network_map(const QueueNetwork& network) {
  constexpr int widest = 150;
  StateMap map{
      .columns = 1, .row = network.parts > 1 ? "part of the day" : "", .actions = network_action_names(network)};
  const std::size_t classes = network.classes.size();
  std::size_t first = classes;  // of the classes along the columns
  while (first > 0 && classes - first < (classes + 1) / 2 &&
         (map.columns == 1 || map.columns * (network.classes[first - 1].buffer + 1) <= widest))
    map.columns *= network.classes[--first].buffer + 1;
  for (std::size_t c = 0; c < classes; ++c) {
    std::string& words = c < first ? map.row : map.column;
    words += (words.empty() ? "jobs of " : ", in each of them jobs of ") + network.classes[c].name;
  }
  return map;
}

}  // namespace

FiniteModel network_model(const QueueNetwork& network, std::string_view name) {
  const auto states = static_cast<int>(number_of_states(network));
  const int actions = network_actions(network);
  const NetworkStep step(network);
  ModelBuilder builder(name, actions);
  std::vector<std::vector<int>> axes(network.classes.size() + (network.parts > 1 ? 1 : 0));
  for (int x = 0; x < states; ++x) {
    const double cost = step.cost(x);
    for (int a = 0; a < actions; ++a) {
      step.add_outcomes(x, a, builder);
      builder.end_pair(cost);
    }
    const std::vector<int> jobs = step.lengths(x);
    for (std::size_t c = 0; c < jobs.size(); ++c) axes[c].push_back(jobs[c]);
    if (network.parts > 1) axes.back().push_back(step.part(x));
  }
  FiniteModel model = std::move(builder).finish(network_space(network, name).own_size, 0);
  model.axes = std::move(axes);
  model.structure =
      std::make_shared<const ProblemStructure>(ProblemStructure{.network = network, .map = network_map(network)});
  return model;
}

Space network_space(const QueueNetwork& network, std::string_view name) {
  int places = 0;
  for (const JobClass& each : network.classes) places += each.buffer;
  return finite_space(name, static_cast<int>(number_of_states(network)), network_actions(network), places);
}

}  // namespace politex::inline env
