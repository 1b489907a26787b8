#include "politex/heuristics/network_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace politex::inline heuristics {
namespace {

const QueueNetwork& network_of(const HeuristicRequest& request, std::string_view name) {
  if (request.model.structure == nullptr || !request.model.structure->network)
    request.refuse(name, "it needs a network of queues (queues, criss_cross, n_model)");
  return *request.model.structure->network;
}

/// Serves first what has the highest score; score(service, position in the server's list, jobs by class).
template <class Score>
std::vector<Action> serve_by(const FiniteModel& model, const QueueNetwork& network, const Score& score,
                             bool idles_below_zero = false) {
  std::vector<Action> actions;
  std::vector<int> jobs(network.classes.size());
  for (int x = 0; x < model.states; ++x) {
    for (std::size_t c = 0; c < jobs.size(); ++c) jobs[c] = model.axes[c][static_cast<std::size_t>(x)];
    std::vector<int> unserved = jobs;
    int action = 0;
    for (const QueueServer& server : network.servers) {
      const int idle = server.may_idle ? static_cast<int>(server.serves.size()) : 0;
      int choice = -1;
      double best = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < server.serves.size(); ++k) {
        if (unserved[static_cast<std::size_t>(server.serves[k].job_class)] <= 0) continue;
        const double value = score(server.serves[k], k, jobs);
        if (choice >= 0 && value <= best) continue;
        choice = static_cast<int>(k);
        best = value;
      }
      if (choice < 0 || (idles_below_zero && server.may_idle && best < 0.0))
        choice = idle;
      else
        --unserved[static_cast<std::size_t>(server.serves[static_cast<std::size_t>(choice)].job_class)];
      action = action * server_choices(server) + choice;
    }
    actions.push_back(action);
  }
  return actions;
}

const JobClass& class_of(const QueueNetwork& network, const Service& service) {
  return network.classes[static_cast<std::size_t>(service.job_class)];
}

double held(const QueueNetwork& network, int job_class, const std::vector<int>& jobs) {
  const auto c = static_cast<std::size_t>(job_class);
  return network.classes[c].holding * jobs[c];
}

/// Expected number of services that a job of every class still needs, its own included.
std::vector<double> services_left(const QueueNetwork& network) {
  constexpr int most_rounds = 100'000;  // a checked network has routes that leave it: the sums converge
  std::vector<double> left(network.classes.size(), 1.0);
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0.0;
    for (std::size_t c = left.size(); c-- > 0;) {
      double sum = 1.0;
      for (const Route& route : network.classes[c].next)
        sum += route.probability * left[static_cast<std::size_t>(route.to)];
      change = std::max(change, std::abs(sum - left[c]));
      left[c] = sum;
    }
    if (change < 1e-12) break;
  }
  return left;
}

std::vector<Action> c_mu(const HeuristicRequest& request) {
  const QueueNetwork& network = network_of(request, c_mu_entry().name);
  return serve_by(request.model, network, [&](const Service& service, std::size_t, const std::vector<int>&) {
    return class_of(network, service).holding * service.rate;
  });
}

std::vector<Action> longest_queue(const HeuristicRequest& request) {
  const QueueNetwork& network = network_of(request, longest_queue_entry().name);
  return serve_by(request.model, network, [](const Service& service, std::size_t, const std::vector<int>& jobs) {
    return static_cast<double>(jobs[static_cast<std::size_t>(service.job_class)]);
  });
}

std::vector<Action> last_buffer_first(const HeuristicRequest& request) {
  const QueueNetwork& network = network_of(request, last_buffer_first_entry().name);
  const std::vector<double> left = services_left(network);
  return serve_by(request.model, network, [&](const Service& service, std::size_t, const std::vector<int>&) {
    return -left[static_cast<std::size_t>(service.job_class)];
  });
}

std::vector<Action> max_weight(const HeuristicRequest& request) {
  const QueueNetwork& network = network_of(request, max_weight_entry().name);
  return serve_by(request.model, network, [&](const Service& service, std::size_t, const std::vector<int>& jobs) {
    return service.rate * held(network, service.job_class, jobs);
  });
}

std::vector<Action> max_pressure(const HeuristicRequest& request) {
  const QueueNetwork& network = network_of(request, max_pressure_entry().name);
  const auto pressure = [&](const Service& service, std::size_t, const std::vector<int>& jobs) {
    double difference = held(network, service.job_class, jobs);
    for (const Route& route : class_of(network, service).next)
      difference -= route.probability * held(network, route.to, jobs);
    return service.rate * difference;
  };
  return serve_by(request.model, network, pressure, true);
}

}  // namespace

std::vector<Action> network_threshold(const HeuristicRequest& request) {
  const QueueNetwork& network = *request.model.structure->network;
  const auto score = [&](const Service& service, std::size_t position, const std::vector<int>& jobs) {
    const bool many = jobs[static_cast<std::size_t>(service.job_class)] >= request.options.threshold;
    return position == 0 && many ? std::numeric_limits<double>::max() : static_cast<double>(position);
  };
  return serve_by(request.model, network, score);
}

const HeuristicEntry& c_mu_entry() {
  static const HeuristicEntry entry{
      .name = "c_mu", .help = "queues: serve the class with the highest holding cost times rate", .actions = c_mu};
  return entry;
}

const HeuristicEntry& longest_queue_entry() {
  static const HeuristicEntry entry{
      .name = "longest_queue", .help = "queues: serve the class with most jobs", .actions = longest_queue};
  return entry;
}

const HeuristicEntry& last_buffer_first_entry() {
  static const HeuristicEntry entry{.name = "last_buffer_first",
                                    .help = "queues: serve the class whose jobs need fewest services until they leave",
                                    .actions = last_buffer_first};
  return entry;
}

const HeuristicEntry& max_weight_entry() {
  static const HeuristicEntry entry{.name = "max_weight",
                                    .help =
                                        "queues: serve the class with the highest rate times holding cost of all "
                                        "its jobs",
                                    .actions = max_weight};
  return entry;
}

const HeuristicEntry& max_pressure_entry() {
  static const HeuristicEntry entry{.name = "max_pressure",
                                    .help = "queues: max_weight, less the holding cost of the jobs of the next class",
                                    .actions = max_pressure};
  return entry;
}

}  // namespace politex::inline heuristics
